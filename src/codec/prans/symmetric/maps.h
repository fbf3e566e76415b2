/* SPDX-License-Identifier: MIT
 * Maps of a grid onto itself: axes change places, or are reflected. C and C++ read this header. */
#ifndef FPGZ_CODEC_PRANS_SYMMETRIC_MAPS_H
#define FPGZ_CODEC_PRANS_SYMMETRIC_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/grid.h"

#ifdef __CUDACC__
#define SYMMETRIC_BOTH __host__ __device__
#else
#define SYMMETRIC_BOTH
#endif

enum { SYMMETRIC_MAPS = 8 /* at most */ };

struct symmetric_map {
    uint8_t a, b;      /* the axes that change places; both 0 where none do. Then */
    uint8_t reflected; /* axes, a bit each: the place k on one becomes centre - k, modulo the extent */
    uint8_t negated;   /* 1: values become negative, by their sign bits */
};

/* Maps that a grid has in common with itself. Those that change the places of two axes leave the grid's
 * extents and centres as they are, so that they all make up a group of at most 2^4 4! maps. */
struct symmetric_maps {
    unsigned dims, count;
    uint32_t extent[FPGZ_MAX_CODING_DIMS], stride[FPGZ_MAX_CODING_DIMS], centre[FPGZ_MAX_CODING_DIMS];
    struct symmetric_map map[SYMMETRIC_MAPS];
};

/* The axis whose place the map takes for that on `axis`. */
static inline SYMMETRIC_BOTH unsigned symmetric_axis(const struct symmetric_map *map, unsigned axis)
{
    return axis == map->a ? map->b : axis == map->b ? map->a : axis;
}

/* The number of the value that the map brings to the number `value`. */
static inline SYMMETRIC_BOTH uint32_t symmetric_image(const struct symmetric_maps *s,
                                                      const struct symmetric_map *map, uint32_t value)
{
    uint32_t image = 0;
    for (unsigned axis = 0; axis < s->dims; axis++) {
        const unsigned from = symmetric_axis(map, axis);
        uint32_t place = value / s->stride[from] % s->extent[from];
        if (map->reflected >> axis & 1)
            place = s->centre[axis] - place + (place > s->centre[axis] ? s->extent[axis] : 0);
        image += place * s->stride[axis];
    }
    return image;
}

/* The value that `value` is a copy of, itself or an earlier one: it goes on by the first map that leads to an
 * earlier value, as long as there is one. *negated changes as often as values do on the way. */
static inline SYMMETRIC_BOTH uint32_t symmetric_source(const struct symmetric_maps *s, uint32_t value,
                                                       bool *negated)
{
    for (unsigned m = 0; m < s->count; m++) {
        const uint32_t image = symmetric_image(s, &s->map[m], value);
        if (image < value) {
            *negated ^= s->map[m].negated;
            value = image;
            m = UINT32_MAX; /* from the first one on */
        }
    }
    return value;
}

#endif
