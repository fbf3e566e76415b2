/* SPDX-License-Identifier: MIT
 * Goes through the spans of several places in the order of the file. */
#ifndef FPGZ_CORE_WALK_H
#define FPGZ_CORE_WALK_H

#include "core/content.h"
#include "core/heap.h"

struct fpgz_walk {
    struct fpgz_heap heap;
    const struct fpgz_place **place;
    uint64_t *at;   /* in each place's sequence */
    uint64_t bytes; /* of the last span; 0: there was none, or its place was left */
};

/* For places with the numbers below `places`. False without memory; to be freed in any case. */
bool fpgz_walk_begin(struct fpgz_walk *walk, size_t places);

/* Adds a place, which may be empty. It must not change before the end. */
void fpgz_walk_add(struct fpgz_walk *walk, size_t number, const struct fpgz_place *place);

/* The next span, and the number of its place; false behind the last one. */
bool fpgz_walk_next(struct fpgz_walk *walk, size_t *number, struct fpgz_span *span);

/* Leaves out the other spans of the last one's place. */
void fpgz_walk_leave(struct fpgz_walk *walk);

void fpgz_walk_free(struct fpgz_walk *walk);

#endif
