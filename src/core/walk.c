/* SPDX-License-Identifier: MIT
 * Merges the spans of places by their offsets. */
#include "core/walk.h"

#include <stdlib.h>

bool fpgz_walk_begin(struct fpgz_walk *walk, size_t places)
{
    *walk = (struct fpgz_walk){.bytes = 0};
    walk->place = calloc(places + 1, sizeof *walk->place);
    walk->at = calloc(places + 1, sizeof *walk->at);
    return fpgz_heap_begin(&walk->heap, places) && walk->place && walk->at;
}

void fpgz_walk_add(struct fpgz_walk *walk, size_t number, const struct fpgz_place *place)
{
    walk->place[number] = place;
    if (place->count)
        fpgz_heap_add(&walk->heap, place->run->offset, number);
}

bool fpgz_walk_next(struct fpgz_walk *walk, size_t *number, struct fpgz_span *span)
{
    if (walk->bytes) { /* the last span's place is still at the front */
        const size_t last = walk->heap.entry->sequence;
        walk->at[last] += walk->bytes;
        if (walk->at[last] < walk->place[last]->bytes)
            fpgz_heap_next(&walk->heap, fpgz_place_span(walk->place[last], walk->at[last], 1).offset);
        else
            fpgz_heap_drop(&walk->heap);
    }
    if (!walk->heap.count)
        return false;
    *number = walk->heap.entry->sequence;
    const struct fpgz_place *const place = walk->place[*number];
    *span = fpgz_place_span(place, walk->at[*number], place->bytes - walk->at[*number]);
    walk->bytes = span->bytes;
    return true;
}

void fpgz_walk_leave(struct fpgz_walk *walk)
{
    fpgz_heap_drop(&walk->heap);
    walk->bytes = 0;
}

void fpgz_walk_free(struct fpgz_walk *walk)
{
    fpgz_heap_free(&walk->heap);
    free(walk->place);
    free(walk->at);
}
