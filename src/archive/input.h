/* SPDX-License-Identifier: MIT
 * Files as the command reads them. */
#ifndef FPGZ_ARCHIVE_INPUT_H
#define FPGZ_ARCHIVE_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "archive/listener.h"

struct fpgz_input {
    const char *path; /* NULL: standard input */
    const char *name; /* for messages */
    int fd;
    bool regular;
    bool sized;     /* a regular file that holds as many bytes as it says: all else is read to its end */
    uint64_t start; /* of such a file: the position where it was handed to us */
    uint64_t size;  /* bytes from there on, or FPGZ_UNKNOWN */
    struct stat stat;
    unsigned attempts; /* to read it that its becoming shorter has foiled */
};

/* Opens a file, or standard input for NULL. */
enum fpgz_status fpgz_input_open(struct fpgz_input *input, const char *path, struct fpgz_error *error);

/* The same of a descriptor that is the caller's, from its position on, which was opened as `path`. */
enum fpgz_status fpgz_input_take(struct fpgz_input *input, int fd, const char *path,
                                 struct fpgz_error *error);

/* Where a file became shorter while it was read: makes it one of the size that it has now, for another
 * attempt. False when there were enough of them. */
bool fpgz_input_again(struct fpgz_input *input);

/* Warns of it. */
void fpgz_input_tell_attempts(const struct fpgz_input *input, const struct fpgz_listener *listener);

/* What became of a file with a size since it was opened. */
enum fpgz_input_change { INPUT_SAME, INPUT_GREW, INPUT_SHRANK, INPUT_WRITTEN };
enum fpgz_input_change fpgz_input_change(const struct fpgz_input *input);

/* FPGZ_IO when it is not what it was; where `may_grow` says so, one that is longer gets a warning: what it
 * had was read. */
enum fpgz_status fpgz_input_unchanged(const struct fpgz_input *input, bool may_grow,
                                      const struct fpgz_listener *listener, struct fpgz_error *error);

/* Warns of a container that became longer or shorter: what was read of it is right, as its checksums tell. */
void fpgz_input_tell_change(const struct fpgz_input *input, const struct fpgz_listener *listener);

void fpgz_input_close(struct fpgz_input *input);

/* Length and XXH3-64 of a file, from its beginning. */
enum fpgz_status fpgz_file_digest(int fd, uint64_t *bytes, uint64_t *sum, struct fpgz_error *error);

#endif
