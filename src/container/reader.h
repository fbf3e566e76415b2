/* SPDX-License-Identifier: MIT
 * Reads a container forward, member by member and section by section, from a file or a pipe. Every declared
 * size is checked against the bytes that are there (of a file) or a limit before memory is taken. */
#ifndef FPGZ_CONTAINER_READER_H
#define FPGZ_CONTAINER_READER_H

#include "container/compact.h"
#include "container/format.h"
#include "container/index.h"
#include "container/member.h"
#include "container/xattrs.h"
#include "core/fetch.h"

struct fpgz_reader {
    int fd;                         /* -1: the container is in memory */
    const uint8_t *memory;          /* the container in memory, which is treated as a regular file */
    const struct fpgz_fetch *fetch; /* what bytes come out of it by */
    bool regular;                   /* a file of a known size: bodies can be skipped, or read out of order */
    uint64_t file_size;             /* of a regular file */
    uint64_t position;              /* absolute, of the next byte to read */
    uint64_t member_start;          /* absolute */
    uint8_t header[FPGZ_HEADER_BYTES]; /* of the member begun last, as far as the input had it */
    size_t header_bytes;
    bool is_compact;                      /* the member: no section headers are read */
    struct fpgz_compact member;           /* its front, */
    uint64_t stream;                      /* and where its stream begins, from the member's start */
    struct fpgz_index index;              /* the sections of this member that were seen so far */
    uint64_t index_offset, content_check; /* of this member, once its index was checked */
    struct fpgz_section section;          /* the one read last */
};

void fpgz_reader_open(struct fpgz_reader *reader, int fd);

/* The same for a container of `length` bytes in memory, which must stay there. */
void fpgz_reader_open_memory(struct fpgz_reader *reader, const void *bytes, size_t length);

/* Whether the file begins as a container does. Keeps the position. */
enum fpgz_status fpgz_reader_check_magic(struct fpgz_reader *reader, struct fpgz_error *error);

/* Reads the header that a member begins with. *more is false, without an error, at the end of the input. */
enum fpgz_status fpgz_reader_member(struct fpgz_reader *reader, bool *more, struct fpgz_error *error);

/* Reads the next section's header and head into reader->section. Its body must be read or skipped before the
 * next call. */
enum fpgz_status fpgz_reader_section(struct fpgz_reader *reader, struct fpgz_error *error);

/* Reads `length` bytes at the position, and moves it behind them. FPGZ_TRUNCATED where the input ends before.
 */
enum fpgz_status fpgz_reader_take(struct fpgz_reader *reader, void *data, size_t length,
                                  struct fpgz_error *error);

/* Reads the body into `body`, which must have room for body_length bytes; the caller verifies the checksum.
 */
enum fpgz_status fpgz_reader_body(struct fpgz_reader *reader, void *body, struct fpgz_error *error);

/* Reads the body of the section of an array, or of the table of arrays, and verifies it; `before` bytes of
 * such bodies have come in this member. FPGZ_LIMIT when they are too many. */
enum fpgz_status fpgz_reader_table(struct fpgz_reader *reader, size_t before, struct fpgz_buffer *table,
                                   struct fpgz_error *error);

/* Reads the table of arrays, whose section was found in the index of a regular file, into the member. */
enum fpgz_status fpgz_reader_arrays(struct fpgz_reader *reader, struct fpgz_member *member,
                                    struct fpgz_error *error);

/* Reads and verifies the body of the section of extended attributes of a file with this head; the caller
 * frees them. FPGZ_CORRUPT when a file could not get them. */
enum fpgz_status fpgz_reader_xattrs(struct fpgz_reader *reader, const struct fpgz_file_head *file,
                                    struct fpgz_xattrs *xattrs, struct fpgz_error *error);

/* The absolute position of the body of reader->section, whether that was read or found in the index. */
uint64_t fpgz_reader_body_offset(const struct fpgz_reader *reader);

/* Skips the body of a section in a regular file; *where receives its absolute position. */
void fpgz_reader_skip(struct fpgz_reader *reader, uint64_t *where);

/* Reads `length` bytes of a regular file from absolute position `offset` on, and takes their XXH3-64.
 * Keeps the position; any number of threads may read at once. FPGZ_TRUNCATED where the file ends before. */
enum fpgz_status fpgz_reader_at(const struct fpgz_reader *reader, void *data, size_t length, uint64_t offset,
                                uint64_t *checksum, struct fpgz_error *error);

/* Reads the body of a section that may be skipped, and verifies its checksum. */
enum fpgz_status fpgz_reader_verify(struct fpgz_reader *reader, struct fpgz_error *error);

/* After an index section's header: reads the body into reader->index. */
enum fpgz_status fpgz_reader_index(struct fpgz_reader *reader, struct fpgz_error *error);

/* After an index section's header: reads the body and compares it with the sections that were seen. */
enum fpgz_status fpgz_reader_check_index(struct fpgz_reader *reader, struct fpgz_error *error);

/* After an end section's header: whether it closes this member, which restores raw_bytes bytes. */
enum fpgz_status fpgz_reader_check_end(struct fpgz_reader *reader, uint64_t raw_bytes,
                                       struct fpgz_error *error);

/* For reading a regular file from its back: finds the member that ends at byte *end, loads its index and
 * the head of its end section, and moves *end to the member's start. */
enum fpgz_status fpgz_reader_last_member(struct fpgz_reader *reader, uint64_t *end,
                                         struct fpgz_end_head *head, struct fpgz_error *error);

void fpgz_reader_free(struct fpgz_reader *reader);

#endif
