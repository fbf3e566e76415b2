/* SPDX-License-Identifier: MIT
 * The chunks of an array in a GPU's memory, one batch after the other: as many as the GPU has room for. */
#ifndef FPGZ_LIBRARY_COURSE_H
#define FPGZ_LIBRARY_COURSE_H

#include <stdatomic.h>

#include "archive/packing.h"
#include "engine/resident.h"
#include "engine/team.h"

/* Chunks that are coded side by side. */
struct fpgz_batch {
    struct fpgz_resident *resident;
    struct fpgz_resident_chunk chunk[FPGZ_RESIDENT_MOST];
    struct fpgz_planned planned[FPGZ_RESIDENT_MOST]; /* those that are encoded */
    size_t count;
    uint64_t bytes;
    bool under_way; /* chunks [first, end) of it */
    size_t first, end;
};

/* What is done with the chunks of an array, batch by batch. */
struct fpgz_course {
    struct fpgz_batch *batch; /* two, which are filled in turn; or one, if the other has no `resident` */
    unsigned turn;            /* which of them is filled */
    struct fpgz_team *team;
    const uint8_t *end;           /* of the array's values */
    struct fpgz_packing *packing; /* encodes; NULL: decodes */
    unsigned threads;
    bool left;                         /* a chunk that the CPU decodes, or finds corrupt */
    struct fpgz_resident *resident;    /* of those that are enqueued, */
    struct fpgz_resident_chunk *first; /* and the first of them */
    atomic_bool failed;
    struct fpgz_error *error; /* of the first failure */
};

/* Adds a chunk to a batch, which is enqueued once it is full. `planned` is NULL for one that is decoded. */
enum fpgz_status fpgz_course_add(struct fpgz_course *course, const struct fpgz_planned *planned,
                                 const struct fpgz_resident_chunk *chunk, struct fpgz_error *error);

/* Codes what is left, and waits for all. */
enum fpgz_status fpgz_course_finish(struct fpgz_course *course, struct fpgz_error *error);

#endif
