/* SPDX-License-Identifier: MIT
 * Which maps a grid has in common with itself, by a sample: those that bring values to such as are much
 * closer to them than their neighbours are. */
#include "codec/prans/symmetric/symmetric.h"

#include "codec/prans/ranked/keys.h"

enum {
    LEAST_VALUES = 1024,
    LEAST_EXTENT = 4, /* shorter axes are rather apart */
    SAMPLES = 256,
    TRIED = 4 * SAMPLES, /* values among which they are sought */
    FIRST = 8,           /* of so many samples a quarter must be close, */
    CLOSE_PART = 2,      /* and one of so many of all */
    LEAST_SAMPLES = 32,  /* that a map brings elsewhere */
    CLOSER_BITS = 3,     /* by so many bits */
};

/* Values that are none of their neighbours. */
struct sample {
    const uint8_t *values;
    enum fpgz_dtype dtype;
    size_t size, count;
    uint32_t at[SAMPLES];
    uint64_t apart[SAMPLES]; /* from the value before */
};

static uint64_t distance(const struct sample *s, uint64_t a, uint64_t b)
{
    const uint64_t x = ranked_key_of(s->dtype, a), y = ranked_key_of(s->dtype, b);
    return x < y ? y - x : x - y;
}

static uint64_t word_at(const struct sample *s, size_t at)
{
    return fpgz_load_word(s->values + at * s->size, s->size);
}

static void take_samples(size_t values, struct sample *s)
{
    uint64_t random = 1;
    for (unsigned tried = 0; tried < TRIED && s->count < SAMPLES; tried++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const size_t at = 1 + (size_t)((random >> 32) * (values - 1) >> 32);
        const uint64_t apart = distance(s, word_at(s, at), word_at(s, at - 1));
        if (!apart)
            continue;
        s->at[s->count] = (uint32_t)at;
        s->apart[s->count++] = apart;
    }
}

/* Whether the map brings most samples to values that are close. */
static bool holds(const struct sample *s, const struct symmetric_maps *maps, const struct symmetric_map *map)
{
    const uint64_t sign = map->negated ? (uint64_t)1 << (8 * s->size - 1) : 0;
    unsigned moved = 0, close = 0;
    for (size_t i = 0; i < s->count; i++) {
        const uint32_t image = symmetric_image(maps, map, s->at[i]);
        if (image == s->at[i])
            continue;
        close += distance(s, word_at(s, s->at[i]), word_at(s, image) ^ sign) <= s->apart[i] >> CLOSER_BITS;
        if (++moved == FIRST && close < FIRST / 4)
            return false;
    }
    return moved >= LEAST_SAMPLES && close >= moved / CLOSE_PART;
}

/* Adds the map if it holds, or if it does with negated values. */
static bool add(const struct sample *s, struct symmetric_map map, struct symmetric_maps *maps)
{
    const bool may_negate = fpgz_dtypes[s->dtype].kind == 'f';
    for (; map.negated <= may_negate; map.negated++)
        if (maps->count < SYMMETRIC_MAPS && holds(s, maps, &map)) {
            maps->map[maps->count++] = map;
            return true;
        }
    return false;
}

/* Reflections of one axis, then of several that none of those before are among. */
static void add_reflections(const struct sample *s, struct symmetric_maps *maps)
{
    const unsigned all = 1u << maps->dims;
    for (unsigned axes = 1; axes <= maps->dims; axes++)
        for (unsigned reflected = 1; reflected < all; reflected++) {
            bool is_new = (unsigned)__builtin_popcount(reflected) == axes;
            for (unsigned axis = 0; axis < maps->dims; axis++)
                is_new &= !(reflected >> axis & 1) || maps->extent[axis] >= LEAST_EXTENT;
            for (unsigned m = 0; m < maps->count; m++)
                is_new &= (maps->map[m].reflected & reflected) != maps->map[m].reflected;
            if (is_new)
                add(s, (struct symmetric_map){0, 0, (uint8_t)reflected, 0}, maps);
        }
}

/* Two axes that change places, or do so and are reflected. */
static void add_exchanges(const struct sample *s, struct symmetric_maps *maps)
{
    for (uint8_t a = 0; a < maps->dims; a++)
        for (uint8_t b = a + 1; b < maps->dims; b++)
            if (maps->extent[a] == maps->extent[b] && maps->extent[a] >= LEAST_EXTENT &&
                !add(s, (struct symmetric_map){a, b, 0, 0}, maps))
                add(s, (struct symmetric_map){a, b, (uint8_t)(1u << a | 1u << b), 0}, maps);
}

/* Reflections about the middle of each axis, or such as leave the first place where it is, as of spectra. */
static struct symmetric_maps maps_about(const struct sample *s, const struct fpgz_grid *grid, bool middle)
{
    struct symmetric_maps maps = fpgz_prans_symmetric_none(grid);
    for (unsigned axis = 0; axis < maps.dims; axis++)
        maps.centre[axis] = middle ? maps.extent[axis] - 1 : 0;
    add_reflections(s, &maps);
    add_exchanges(s, &maps);
    return maps;
}

bool fpgz_prans_symmetric_probe(const struct fpgz_grid *grid, const void *values, struct symmetric_maps *maps)
{
    const uint64_t count = fpgz_grid_values(grid);
    struct sample s = {.values = values, .dtype = grid->dtype, .size = fpgz_dtype_size(grid->dtype)};
    if (count < LEAST_VALUES || grid->extent[grid->dims - 1] < SYMMETRIC_LEAST_ROW)
        return false;
    take_samples((size_t)count, &s);
    if (s.count < LEAST_SAMPLES)
        return false;
    const struct symmetric_maps other = maps_about(&s, grid, false);
    *maps = maps_about(&s, grid, true);
    if (other.count > maps->count)
        *maps = other;
    return maps->count > 0;
}
