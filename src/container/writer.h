/* SPDX-License-Identifier: MIT
 * Writes one member of a container, strictly forward. */
#ifndef FPGZ_CONTAINER_WRITER_H
#define FPGZ_CONTAINER_WRITER_H

#include "container/compact.h"
#include "container/format.h"
#include "container/index.h"
#include "container/numbers.h"

/* Where a container's bytes go: to write() or, where that is NULL, to the descriptor. */
struct fpgz_out {
    int fd;
    bool (*write)(void *context, const void *bytes, size_t length); /* false, with errno, when it fails */
    void *context;
};

struct fpgz_writer {
    struct fpgz_out out;
    uint64_t start;    /* bytes of members that the caller wrote before */
    uint64_t position; /* bytes of the member written so far */
    uint64_t raw_bytes;
    struct fpgz_numbers table; /* the body of the table of arrays, or that in the head of a raw file */
    struct fpgz_compact member;
    bool held;    /* nothing is written yet: the member may be compact */
    bool compact; /* it is */
    struct fpgz_index index;
    struct fpgz_section section; /* the one being written */
};

/* Begins a member: header and file section. Of a raw file this describes the array, too, whose chunks will
 * have up to `largest` bytes; else `array` is NULL. Where it has no more than a lone chunk the member may be
 * compact. */
enum fpgz_status fpgz_writer_begin(struct fpgz_writer *writer, struct fpgz_out out,
                                   const struct fpgz_file_head *file, const struct fpgz_part *array,
                                   uint64_t largest, bool lone, struct fpgz_error *error);

/* Adds the table of all arrays, before any chunk, where the file section describes none. The chunks of each
 * will have up to largest[] bytes. */
enum fpgz_status fpgz_writer_arrays(struct fpgz_writer *writer, const struct fpgz_part *part, size_t count,
                                    const uint64_t *largest, struct fpgz_error *error);

/* Adds the attributes of an array: `length` bytes as fpgz.5 has them. */
enum fpgz_status fpgz_writer_attributes(struct fpgz_writer *writer, uint32_t array, const void *body,
                                        size_t length, struct fpgz_error *error);

/* Adds the extended attributes of the file, right behind its section: a body in the form of fpgz.5. */
enum fpgz_status fpgz_writer_xattrs(struct fpgz_writer *writer, const void *body, size_t length,
                                    struct fpgz_error *error);

/* Adds a chunk, whose stream is the `length` bytes at `stream` with the given XXH3-64. It stands for
 * raw_bytes bytes of the file. */
enum fpgz_status fpgz_writer_chunk(struct fpgz_writer *writer, const struct fpgz_chunk_head *head,
                                   const void *stream, size_t length, uint64_t checksum, uint64_t raw_bytes,
                                   struct fpgz_error *error);

/* Ends the member: writes the index and the end section. writer->position is then the member's length. */
enum fpgz_status fpgz_writer_end(struct fpgz_writer *writer, struct fpgz_error *error);

void fpgz_writer_free(struct fpgz_writer *writer);

#endif
