/* SPDX-License-Identifier: MIT
 * Whether the sections of a member fit together: what a reader must check beyond each section's own bytes. */
#ifndef FPGZ_CONTAINER_MEMBER_H
#define FPGZ_CONTAINER_MEMBER_H

#include "container/format.h"

struct fpgz_member {
    struct fpgz_file_head file;
    struct fpgz_array_head array;
    bool has_file, has_array;
    uint64_t chunks; /* that have come */
    uint64_t values; /* in them */
};

/* Takes the file or array section. */
enum fpgz_status fpgz_member_file(struct fpgz_member *member, const struct fpgz_section *section,
                                  struct fpgz_error *error);
enum fpgz_status fpgz_member_array(struct fpgz_member *member, const struct fpgz_section *section,
                                   struct fpgz_error *error);

/* Takes the next chunk's section: fills *head, its grid's dtype included, and *codec. FPGZ_UNSUPPORTED when
 * the codec is not in the table; FPGZ_LIMIT when it is larger than any chunk may be. */
enum fpgz_status fpgz_member_chunk(struct fpgz_member *member, const struct fpgz_section *section,
                                   struct fpgz_chunk_head *head, const struct fpgz_codec **codec,
                                   struct fpgz_error *error);

/* At the end section: whether the chunks make up the array, and the array the file. */
enum fpgz_status fpgz_member_end(const struct fpgz_member *member, struct fpgz_error *error);

/* Bytes of the file that the chunks so far restore. */
uint64_t fpgz_member_raw_bytes(const struct fpgz_member *member);

/* The array's shape with its slowest extent filled in from the chunks where it was unknown. */
void fpgz_member_shape(const struct fpgz_member *member, struct fpgz_array *array);

#endif
