/* SPDX-License-Identifier: MIT
 * Random access to a container of one member, through the index at its end: single chunks of single
 * arrays. */
#ifndef FPGZ_ARCHIVE_CATALOG_H
#define FPGZ_ARCHIVE_CATALOG_H

#include "archive/chunk_job.h"
#include "container/member.h"
#include "container/reader.h"

struct fpgz_catalog {
    struct fpgz_reader reader; /* its section is the one that fpgz_catalog_next() found last */
    struct fpgz_member member;
    size_t at; /* in the index */
};

/* Reads the index. FPGZ_USAGE when the file is not seekable, or has several members. */
enum fpgz_status fpgz_catalog_open(struct fpgz_catalog *archive, int fd, struct fpgz_error *error);

/* The same for the member that ends at byte *end of what archive->reader was opened for; *end becomes the
 * member's start. */
enum fpgz_status fpgz_catalog_member(struct fpgz_catalog *archive, uint64_t *end, struct fpgz_error *error);

/* The next section of that type and array after the last one found, or after fpgz_catalog_rewind() the
 * first. False at the end. */
bool fpgz_catalog_next(struct fpgz_catalog *archive, enum fpgz_section_type type, uint32_t array);
void fpgz_catalog_rewind(struct fpgz_catalog *archive);

/* Reads and verifies the body of the section that fpgz_catalog_next() found, which is not a chunk. */
enum fpgz_status fpgz_catalog_body(struct fpgz_catalog *archive, struct fpgz_buffer *body,
                                   struct fpgz_error *error);

/* The same for the section of extended attributes, which the caller frees. */
enum fpgz_status fpgz_catalog_body_xattrs(struct fpgz_catalog *archive, struct fpgz_xattrs *xattrs,
                                          struct fpgz_error *error);

/* Finds that section and reads it; it may be absent. */
enum fpgz_status fpgz_catalog_xattrs(struct fpgz_catalog *archive, struct fpgz_xattrs *xattrs,
                                     struct fpgz_error *error);

/* Reads the table of an array that has one, unless it was read before. */
enum fpgz_status fpgz_catalog_table(struct fpgz_catalog *archive, uint32_t array, struct fpgz_error *error);

/* Begins a job for the chunk that fpgz_catalog_next() found: to restore it as the file has it, or its values
 * alone. */
void fpgz_catalog_chunk(const struct fpgz_catalog *archive, bool values, struct fpgz_chunk_job *job);

void fpgz_catalog_close(struct fpgz_catalog *archive);

#endif
