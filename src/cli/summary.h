/* SPDX-License-Identifier: MIT
 * What one member of a container holds, read from its index. */
#ifndef FPGZ_CLI_SUMMARY_H
#define FPGZ_CLI_SUMMARY_H

#include "cli/traits.h"
#include "container/member.h"
#include "container/reader.h"

/* What the chunks of one array are. */
struct tally {
    uint64_t stored; /* bytes of their sections */
    uint32_t codecs; /* a bit for each, by its place in the table */
    bool lossy;      /* one of them at least, with these errors */
    double absolute_error, relative_error;
    struct traits_count traits;
};

/* What one member's index tells. */
struct summary {
    struct fpgz_member member;
    uint64_t stored;           /* bytes of the member */
    struct fpgz_xattrs xattrs; /* of the file, where they are to be told */
    struct tally all;          /* arrays */
    struct tally *each;        /* of the member's arrays */
};

/* How much is to be read. */
struct summary_wish {
    bool more; /* than the index: the file's extended attributes, and the fronts of chunks' streams */
    /* Called for each chunk in their order, unless it is NULL; `traits` is NULL where there are none. */
    void (*chunk)(const struct fpgz_part *part, const struct fpgz_section *section,
                  const struct fpgz_chunk_head *head, const struct fpgz_codec *codec,
                  const struct fpgz_traits *traits);
};

/* Reads the member whose index the reader has just loaded. The summary is all zeros before; the caller frees
 * it, also after a failure. */
enum fpgz_status summary_read(struct fpgz_reader *reader, const struct summary_wish *wish,
                              struct summary *summary, struct fpgz_error *error);
void summary_free(struct summary *summary);

enum { SUMMARY_CODECS_TEXT = 100 };

/* "ndzip" or "ndzip+store", by the chunks that each coded. */
const char *summary_codecs(const struct tally *tally, char text[SUMMARY_CODECS_TEXT]);

/* Of an array: its shape as its user indexes it, its raw bytes, its name (or what its bytes are), and the
 * order of its values' bytes. */
const char *summary_shape(const struct fpgz_member_array *array, char text[FPGZ_SHAPE_TEXT]);
uint64_t summary_raw(const struct fpgz_member_array *array);
const char *summary_name(const struct fpgz_part *part);
const char *summary_order(const struct fpgz_part *part);

#endif
