/* SPDX-License-Identifier: MIT
 * Values that are copies of earlier ones, row by row, and differences to these. For width templates. */
#ifndef FPGZ_CODEC_PRANS_SYMMETRIC_LEVEL_H
#define FPGZ_CODEC_PRANS_SYMMETRIC_LEVEL_H

#include "codec/prans/domain/place.h"
#include "codec/prans/symmetric/kernels.h"

enum { TOGETHER = 2048 /* values of a row whose sources are found at once */ };

/* Of a source: by negation. PRANS_MAX_VALUES are fewer. */
#define NEGATED (UINT32_C(1) << 31)

/* Values of a row that stand next to each other. */
struct segment {
    uint32_t first, count; /* the number of the first one; how many */
    uint32_t place;        /* of the first one in the row */
};

/* Sets the sources of values number `from` to `to` of the segment where the map leads to an earlier value:
 * these are `step` apart, from `image` on. */
INLINE void set_sources(const struct segment *g, uint32_t from, uint32_t to, uint32_t image, uint32_t step,
                        uint32_t sign, uint32_t *source)
{
    for (uint32_t i = from; i < to; i++) {
        const uint32_t at = image + (i - from) * step;
        source[i] = at < g->first + i ? at | sign : source[i];
    }
}

/* Places in the row become those on one axis, forwards; or backwards from the centre, and from the end. */
static void follow(const struct symmetric_maps *s, const struct symmetric_map *map, const struct segment *g,
                   uint32_t *source)
{
    const unsigned along = symmetric_axis(map, s->dims - 1);
    const uint32_t image = symmetric_image(s, map, g->first), centre = s->centre[along],
                   step = s->stride[along], sign = map->negated ? NEGATED : 0;
    if (!(map->reflected >> along & 1)) {
        set_sources(g, 0, g->count, image, step, sign, source);
        return;
    }
    const uint32_t before = g->place > centre ? 0 : (uint32_t)fpgz_min(centre + 1 - g->place, g->count);
    set_sources(g, 0, before, image, 0 - step, sign, source);
    if (before < g->count)
        set_sources(g, before, g->count, symmetric_image(s, map, g->first + before), 0 - step, sign, source);
}

/* The value that each of the segment's leads to: by its first map that leads to an earlier one, or itself. */
static void find_sources(const struct symmetric_maps *s, const struct segment *g, uint32_t *source)
{
    for (uint32_t i = 0; i < g->count; i++)
        source[i] = g->first + i;
    for (unsigned m = s->count; m-- > 0;)
        follow(s, &s->map[m], g, source);
}

/* The segment behind this one; false behind the last. */
static bool next_segment(const struct symmetric_maps *s, struct segment *g)
{
    const uint32_t row = s->extent[s->dims - 1];
    g->first += g->count;
    if (g->first == s->extent[0] * s->stride[0])
        return false;
    g->place = g->first % row;
    g->count = (uint32_t)fpgz_min(row - g->place, TOGETHER);
    return true;
}

static void copy(const struct symmetric_maps *s, void *values)
{
    WORD *const word = values;
    uint32_t source[TOGETHER];
    for (struct segment g = {.count = 0}; next_segment(s, &g);) {
        find_sources(s, &g, source);
        for (uint32_t i = 0; i < g.count; i++)
            word[g.first + i] = (WORD)(word[source[i] & ~NEGATED] ^ (source[i] & NEGATED ? SIGN_BIT : 0));
    }
}

static void clear(const struct symmetric_maps *s, uint64_t by, void *values)
{
    WORD *const word = values;
    uint32_t source[TOGETHER];
    for (struct segment g = {.count = 0}; next_segment(s, &g);) {
        find_sources(s, &g, source);
        for (uint32_t i = 0; i < g.count; i++)
            word[g.first + i] = source[i] == g.first + i ? word[g.first + i] : (WORD)by;
    }
}

static bool subtract(enum prans_number number, size_t count, const void *values, void *copies)
{
    const WORD *const value = values;
    WORD *const word = copies;
    WORD any = 0;
    for (size_t i = 0; i < count; i++) {
        word[i] = (WORD)(place_among(number, value[i]) - place_among(number, word[i]));
        any |= word[i];
    }
    return any;
}

static void add(enum prans_number number, size_t count, const void *differences, void *copies)
{
    const WORD *const difference = differences;
    WORD *const word = copies;
    for (size_t i = 0; i < count; i++)
        word[i] = word_of_place_among(number, (WORD)(place_among(number, word[i]) + difference[i]));
}

#define PRANS_SYMMETRIC_KERNELS                                                                              \
    {                                                                                                        \
        .copy = copy, .clear = clear, .subtract = subtract, .add = add,                                      \
    }

#endif
