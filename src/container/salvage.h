/* SPDX-License-Identifier: MIT
 * Finds the sections of a damaged container by their markers and checks, wherever they stand. What damaged
 * sections said is taken from the indexes. Time and memory are linear in the container's size. */
#ifndef FPGZ_CONTAINER_SALVAGE_H
#define FPGZ_CONTAINER_SALVAGE_H

#include "container/format.h"
#include "container/index.h"
#include "container/window.h"

/* A valid header and head that were found: those of a section, or their copy in an index. */
struct fpgz_find {
    size_t entry;    /* of their bytes in salvage->found */
    uint64_t at;     /* byte of the file where they stand */
    uint64_t offset; /* for a copy: the section's offset from its member's start, as the index has it */
    uint64_t
        reserve; /* for a copy of the table of arrays: where the copy of its body stands; 0: there is none */
    uint64_t check;
    uint32_t number;
    bool copy;
};

/* What was found of a member. */
struct fpgz_salvaged {
    size_t first, end;  /* of its finds */
    uint64_t at;        /* position of its header or, without one, of its first find */
    bool has_header;    /* which stands at `at` */
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
    uint64_t lead, rest; /* bytes of no section before the first find and behind the last */

    struct fpgz_section section; /* the one read last */
    struct fpgz_window window;   /* on the file */
    struct fpgz_buffer piece;    /* of a body */
    uint64_t verified;           /* bytes of bodies that were read to tell where a section ends */
    uint64_t claimed;            /* end of the bodies that do not overlap another ... */
    uint64_t doubtful;           /* ... and bytes of those that do */
};

/* Looks through the regular file fd of `size` bytes, from its beginning. */
enum fpgz_status fpgz_salvage_scan(struct fpgz_salvage *salvage, int fd, uint64_t size,
                                   struct fpgz_error *error);

/* Stands for a place that is unknown, and for a body that need not be read. No file is that long. */
#define FPGZ_NOWHERE (UINT64_C(1) << 63)

/* Builds the index of a member from what was found: each section once, in the order of their numbers.
 * The offsets count from the file's start, not the member's; FPGZ_NOWHERE where the place is unknown. If
 * the file's beginning was cut off within the head of a section, that section's offset is below 0, modulo
 * 2^64. */
enum fpgz_status fpgz_salvage_index(struct fpgz_salvage *salvage, const struct fpgz_salvaged *member,
                                    struct fpgz_index *index, struct fpgz_error *error);

/* Whether `length` bytes of the file from byte `at` on have that checksum. */
bool fpgz_salvage_verify(struct fpgz_salvage *salvage, uint64_t at, uint64_t length, uint64_t checksum);

void fpgz_salvage_free(struct fpgz_salvage *salvage);

#endif
