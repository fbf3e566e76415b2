/* SPDX-License-Identifier: MIT
 * Whether the sections of a member fit together: what a reader must check beyond each section's own bytes. */
#ifndef FPGZ_CONTAINER_MEMBER_H
#define FPGZ_CONTAINER_MEMBER_H

#include "container/format.h"

struct fpgz_member_array {
    struct fpgz_part part; /* its place is empty where the tables of runs were not read */
    uint64_t largest_chunk;
    uint64_t due;    /* values that its chunks bring in all, or FPGZ_UNKNOWN */
    uint64_t chunks; /* that have come */
    uint64_t values; /* in them */
};

struct fpgz_member {
    struct fpgz_file_head file;
    bool has_file;
    struct fpgz_member_array *array; /* stays where it is once a chunk has come */
    size_t arrays;
    size_t table_bytes;           /* of the arrays' tables of runs */
    uint64_t due_bytes;           /* of all arrays whose size is known */
    uint64_t chunks, chunk_bytes; /* that have come, and what they restore */
};

/* Takes the file section. FPGZ_UNSUPPORTED for a kind of file that has_kind() does not know. */
enum fpgz_status fpgz_member_file(struct fpgz_member *member, const struct fpgz_section *section,
                                  bool (*has_kind)(unsigned kind), struct fpgz_error *error);

/* Takes an array's section and its body; the body is NULL where only the index was read. */
enum fpgz_status fpgz_member_array(struct fpgz_member *member, const struct fpgz_section *section,
                                   const uint8_t *body, struct fpgz_error *error);

/* Takes the section of the table of arrays and its body. */
enum fpgz_status fpgz_member_arrays(struct fpgz_member *member, const struct fpgz_section *section,
                                    const uint8_t *body, struct fpgz_error *error);

/* Takes the table that stands in the file section of a raw file, when this is taken. */
enum fpgz_status fpgz_member_own_array(struct fpgz_member *member, const struct fpgz_section *section,
                                       struct fpgz_error *error);

/* Takes the table of runs of an array whose section was taken without it. */
enum fpgz_status fpgz_member_table(struct fpgz_member *member, size_t array, const uint8_t *table,
                                   size_t length, struct fpgz_error *error);

/* Takes the next chunk's section: fills *head, including its grid's dtype, and *codec. FPGZ_UNSUPPORTED
 * when the codec is not in the table; FPGZ_LIMIT when the chunk is larger than any may be. */
enum fpgz_status fpgz_member_chunk(struct fpgz_member *member, const struct fpgz_section *section,
                                   struct fpgz_chunk_head *head, const struct fpgz_codec **codec,
                                   struct fpgz_error *error);

/* At the end section: whether the chunks make up the arrays, and the arrays the file. */
enum fpgz_status fpgz_member_end(const struct fpgz_member *member, struct fpgz_error *error);

/* Makes the image of the member's file, whose tables were all read: it translates places of arrays to those
 * in the file. Empty where the file has none. */
enum fpgz_status fpgz_member_image(const struct fpgz_member *member, struct fpgz_image *image,
                                   struct fpgz_error *error);

/* The next part whose bytes are those of this one: its first copy or, of a copy, the one behind it; NULL
 * behind the last one. */
const struct fpgz_part *fpgz_member_copy(const struct fpgz_member *member, const struct fpgz_part *part);

/* Bytes of the file that the chunks so far restore; about, if it has an image of which some are still to
 * come. */
uint64_t fpgz_member_come(const struct fpgz_member *member);

/* Bytes that the member restores, according to the sections before its chunks; the largest number where
 * these contradict each other. FPGZ_UNKNOWN where they do not say. */
uint64_t fpgz_member_bytes(const struct fpgz_member *member);

/* An array's shape. Where the slowest extent was unknown, it follows from the chunks. */
void fpgz_member_shape(const struct fpgz_member_array *from, struct fpgz_array *array);

void fpgz_member_free(struct fpgz_member *member);

#endif
