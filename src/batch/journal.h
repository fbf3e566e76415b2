/* SPDX-License-Identifier: MIT
 * The file of a manifest that a run appends to. */
#ifndef FPGZ_BATCH_JOURNAL_H
#define FPGZ_BATCH_JOURNAL_H

#include "batch/record.h"
#include "console/message.h"

/* Each line is one write(2). Nothing that is there is ever changed. */
struct journal {
    struct console *console; /* is told of a line without its end, and of locks that are not there */
    char *path;
    int fd;
    uint64_t sequence; /* of the line that was written last */
};

/* Opens or creates the file of a shard (shards > 1) or of a whole run, waits a little until no other run has
 * it, and ends what a crash left of a line. */
enum fpgz_status journal_open(struct journal *journal, struct console *console, const char *manifest,
                              unsigned shard, unsigned shards, struct fpgz_error *error);

/* Gives the record the next sequence number, and appends it. After a failure a part of the line may be there,
 * which the next journal_open() or journal_append(), of whichever run, ends. */
enum fpgz_status journal_append(struct journal *journal, const struct record *record,
                                struct fpgz_error *error);
enum fpgz_status journal_sync(struct journal *journal, struct fpgz_error *error);
void journal_close(struct journal *journal);

#endif
