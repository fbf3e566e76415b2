/* SPDX-License-Identifier: MIT
 * Finds the sections of a damaged container by their markers and checks, wherever they stand, and takes what
 * its indexes tell of those that are damaged themselves. Time and memory are linear in the container. */
#ifndef FPGZ_CONTAINER_SALVAGE_H
#define FPGZ_CONTAINER_SALVAGE_H

#include "container/format.h"
#include "container/index.h"
#include "container/window.h"

/* A header and head that were found valid: a section's, or their copy in an index. */
struct fpgz_find {
    size_t entry;    /* of their bytes in salvage->found */
    uint64_t at;     /* byte of the file where they stand */
    uint64_t offset; /* of the section from its member's start, as the index has it: a copy's only */
    uint64_t check;
    uint32_t number;
    bool copy;
};

/* A member, as far as it was found. */
struct fpgz_salvaged {
    size_t first, end;  /* of its finds */
    uint64_t at;        /* byte where its header, or else the first find, stands */
    bool has_header;    /* that stands at `at` */
    bool has_end;       /* its end section was found, ... */
    uint64_t end_start; /* ... which tells (modulo 2^64: its head may be missing) where it would begin */
};

struct fpgz_salvage {
    int fd;
    uint64_t size;           /* of the file */
    struct fpgz_index found; /* the bytes of all finds */
    struct fpgz_find *find;
    size_t finds;
    struct fpgz_salvaged *member;
    size_t members;
    uint64_t lead, rest; /* bytes before the first and behind the last find that belong to no section */

    struct fpgz_section section; /* the one read last */
    struct fpgz_window window;   /* on the file */
    struct fpgz_buffer piece;    /* of a body */
    uint64_t verified;           /* bytes of bodies that were read to tell where a section ends */
    uint64_t claimed;            /* end of the bodies that may be whole without overlapping another ... */
    uint64_t doubtful;           /* ... and bytes of those that overlap */
};

/* Looks through the regular file fd of `size` bytes, from its beginning. */
enum fpgz_status fpgz_salvage_scan(struct fpgz_salvage *salvage, int fd, uint64_t size,
                                   struct fpgz_error *error);

/* Where a section stands whose place is not known, or whose body is not worth a look: in no file. */
#define FPGZ_NOWHERE (UINT64_C(1) << 63)

/* Builds the index of a member out of what was found: each section once, in the order of their numbers, with
 * its offset in the file (not in the member) where that is known, else FPGZ_NOWHERE. Of a section whose head
 * was cut off with what stood before the file's first byte that is a number below 0, modulo 2^64. */
enum fpgz_status fpgz_salvage_index(struct fpgz_salvage *salvage, const struct fpgz_salvaged *member,
                                    struct fpgz_index *index, struct fpgz_error *error);

void fpgz_salvage_free(struct fpgz_salvage *salvage);

#endif
