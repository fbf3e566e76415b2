/* SPDX-License-Identifier: MIT
 * A container of one member, read through the index at its end: single chunks, of single arrays. */
#ifndef FPGZ_CLI_ARCHIVE_H
#define FPGZ_CLI_ARCHIVE_H

#include "container/member.h"
#include "container/reader.h"
#include "engine/chunk.h"

struct archive {
    struct fpgz_reader reader; /* its section is the one that archive_next() found last */
    struct fpgz_member member;
    size_t at; /* in the index */
};

/* Reads the index. FPGZ_USAGE when it is no file that can be sought, or holds several members. */
enum fpgz_status archive_open(struct archive *archive, int fd, struct fpgz_error *error);

/* The next section of that type and array, from the last call, or archive_rewind(), on. False at the end. */
bool archive_next(struct archive *archive, enum fpgz_section_type type, uint32_t array);
void archive_rewind(struct archive *archive);

/* Reads and verifies the body of the section that archive_next() found: no chunk's. */
enum fpgz_status archive_body(struct archive *archive, struct fpgz_buffer *body, struct fpgz_error *error);

/* The same of the section of extended attributes, which the caller frees. */
enum fpgz_status archive_body_xattrs(struct archive *archive, struct fpgz_xattrs *xattrs,
                                     struct fpgz_error *error);

/* Finds that section and reads it; none are no error. */
enum fpgz_status archive_xattrs(struct archive *archive, struct fpgz_xattrs *xattrs,
                                struct fpgz_error *error);

/* Reads the table of an array that has one. */
enum fpgz_status archive_table(struct archive *archive, uint32_t array, struct fpgz_error *error);

/* A chunk that archive_next() found, without its stream: *offset receives where that stands in the file. */
void archive_chunk(const struct archive *archive, struct fpgz_chunk_head *head, struct fpgz_coded *coded,
                   uint64_t *offset);

/* Reads and verifies its stream, which is at `offset` of the file. Any number may run at once. */
enum fpgz_status archive_stream(const struct archive *archive, uint64_t offset, struct fpgz_buffer *stream,
                                struct fpgz_coded *coded, struct fpgz_error *error);

void archive_close(struct archive *archive);

#endif
