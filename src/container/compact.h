/* SPDX-License-Identifier: MIT
 * Compact members (fpgz.5): a raw file with one chunk, without section headers. Readers see the sections that
 * it stands for: its file, the chunk, a short end. */
#ifndef FPGZ_CONTAINER_COMPACT_H
#define FPGZ_CONTAINER_COMPACT_H

#include "container/format.h"
#include "container/numbers.h"

enum {
    FPGZ_COMPACT_LENGTH_MOST = 3,    /* bytes that the length of the numbers takes */
    FPGZ_COMPACT_NUMBERS = 16 << 10, /* that it may be at most */
    FPGZ_COMPACT_CHECKS = 8 + 4,     /* behind the numbers */
    FPGZ_COMPACT_END = 4,            /* behind the stream */
};

/* Sections that a compact member stands for. */
enum fpgz_compact_section { FPGZ_COMPACT_FILE, FPGZ_COMPACT_CHUNK, FPGZ_COMPACT_SHORT_END };

/* What stands before the stream. */
struct fpgz_compact {
    struct fpgz_file_head file;
    struct fpgz_chunk_head chunk;
    uint64_t length, checksum; /* of the stream */
    /* Of one that is read: file.table, for which the array's numbers are enough. */
    uint8_t table[(FPGZ_MAX_DIMS + 8) * FPGZ_NUMBER_BYTES];
};

/* Whether such a member can be compact. */
bool fpgz_compact_takes(const struct fpgz_compact *member);

/* Appends header and front of the member. */
void fpgz_compact_write(const struct fpgz_compact *member, struct fpgz_numbers *front);

/* Reads the length of the numbers from the `have` bytes behind the header. Returns how many bytes it takes; 0
 * where it needs more; FPGZ_COMPACT_LENGTH_MOST + 1 where it is none. */
size_t fpgz_compact_length(const uint8_t *bytes, size_t have, size_t *numbers);

/* Reads the front, which is all bytes from behind the header to the checks. FPGZ_CORRUPT where its check or
 * fields are wrong, FPGZ_UNSUPPORTED where a newer fpgz wrote it. `section` is for messages. */
enum fpgz_status fpgz_compact_read(const uint8_t *front, size_t length, struct fpgz_section *section,
                                   struct fpgz_compact *member, struct fpgz_error *error);

/* Makes the section of the file, or of the chunk, whose body begins at byte `body` of the member. */
void fpgz_compact_section(const struct fpgz_compact *member, enum fpgz_compact_section which, uint64_t body,
                          struct fpgz_section *section);

/* Makes the end section of a member of `length` bytes. */
void fpgz_compact_end(const struct fpgz_compact *member, uint64_t length, struct fpgz_section *section);

/* For chunk_head.c: the part of the front that tells of the chunk, which is its end. Coding extents that are
 * the `known` ones are left out; else `known` is NULL. */
void fpgz_lone_chunk_write(const struct fpgz_chunk_head *head, const uint64_t *known,
                           struct fpgz_numbers *numbers);
enum fpgz_status fpgz_lone_chunk_read(struct fpgz_number_view *view, const struct fpgz_section *section,
                                      const uint64_t *known, struct fpgz_chunk_head *head,
                                      struct fpgz_error *error);

#endif
