/* SPDX-License-Identifier: MIT
 * Parts are compared by the usual size of their values and of steps between these; a box of the grid is for a
 * trial. */
#include "codec/prans/apart/choose.h"

#include <string.h>

#include "codec/prans/ranked/keys.h"
#include "codec/sample.h"
#include "core/bytes.h"

enum { SAMPLES = 256, SIZES = 2048 /* there are: of f64 its exponents */ };

/* How large a word is: of a float its exponent, of an integer its bits. */
static unsigned size_of(enum fpgz_dtype dtype, uint64_t word)
{
    const struct fpgz_dtype_row *const row = &fpgz_dtypes[dtype];
    const unsigned bits = 8 * row->size;
    if (row->kind == 'f')
        return (word & (((uint64_t)1 << (bits - 1)) - 1)) >> row->mantissa;
    if (row->kind == 'i' && word >> (bits - 1))
        word = ~word & (UINT64_MAX >> (64 - bits));
    return word ? 64 - (unsigned)__builtin_clzll(word) : 0;
}

/* The size of the value that has so many smaller ones before it. */
static unsigned size_at(const uint16_t times[SIZES], size_t place)
{
    unsigned size = 0;
    for (size_t before = times[0]; before <= place; before += times[size])
        size++;
    return size;
}

/* A part of a grid. */
struct part_place {
    const struct apart_split *split;
    const uint8_t *values;
    size_t slow, fast;
};

static struct part_place part_at(const struct apart_split *split, const void *values, size_t number)
{
    return (struct part_place){split, values, number / split->fast, number % split->fast};
}

/* Word number `at` of the part. */
static uint64_t word_at(const struct part_place *part, size_t at)
{
    const struct apart_split *const split = part->split;
    const size_t bytes = fpgz_dtype_size(split->part.dtype),
                 value = (part->slow * split->middle + at) * split->fast + part->fast;
    return fpgz_load_word(part->values + value * bytes, bytes);
}

/* Word i of a sample of the part. */
static uint64_t word_of(const struct part_place *part, uint32_t i, size_t samples)
{
    return word_at(part, fpgz_sample_place(i, samples, part->split->middle));
}

/* Where a word is the usual one, as fill values are, counts the sizes of the others in a larger sample.
 * Returns how many there are; 0, and nothing is counted, if they are few or the word is not. */
static size_t measure_others(const struct part_place *part, uint64_t usual, uint16_t times[SIZES])
{
    enum { MORE_SAMPLES = 8 * SAMPLES, LEAST = 24 };
    const size_t samples = fpgz_min(MORE_SAMPLES, part->split->middle);
    uint16_t sizes[SIZES] = {0};
    size_t others = 0;
    for (uint32_t i = 0; i < samples; i++) {
        const uint64_t word = word_of(part, i, MORE_SAMPLES);
        sizes[size_of(part->split->part.dtype, word)] += word != usual;
        others += word != usual;
    }
    if (others < LEAST || others >= samples / 2)
        return 0;
    memcpy(times, sizes, sizeof sizes);
    return others;
}

/* The median and the upper tenth of sizes in a part. */
static void measure(const struct part_place *part, unsigned size[2])
{
    const struct apart_split *const split = part->split;
    size_t samples = fpgz_min(SAMPLES, split->middle), votes = 0;
    uint64_t usual = 0;
    uint16_t times[SIZES] = {0};
    for (uint32_t i = 0; i < samples; i++) {
        const uint64_t word = word_of(part, i, SAMPLES);
        times[size_of(split->part.dtype, word)]++;
        usual = votes ? usual : word;
        votes += word == usual ? 1 : (size_t)-1;
    }
    const size_t others = votes ? measure_others(part, usual, times) : 0;
    samples = others ? others : samples;
    size[0] = size_at(times, samples / 2);
    size[1] = size_at(times, samples - 1 - samples / 10);
}

/* The median of the bits of steps from value to value of a part. */
static unsigned measure_steps(const struct part_place *part)
{
    enum { STEPS = 64 };
    const enum fpgz_dtype dtype = part->split->part.dtype;
    const size_t all = part->split->middle - 1, samples = fpgz_min(STEPS, all);
    uint16_t times[SIZES] = {0};
    for (uint32_t i = 0; i < samples; i++) {
        const size_t at = fpgz_sample_place(i, STEPS, all);
        const uint64_t a = ranked_key_of(dtype, word_at(part, at)),
                       b = ranked_key_of(dtype, word_at(part, at + 1)), step = a < b ? b - a : a - b;
        times[size_of(FPGZ_U64, step)]++;
    }
    return size_at(times, samples / 2);
}

static unsigned difference(unsigned a, unsigned b)
{
    return a > b ? a - b : b - a;
}

/* How far the usual sizes are from each other. */
static unsigned distance(const unsigned a[2], const unsigned b[2])
{
    return fpgz_max(difference(a[0], b[0]), difference(a[1], b[1]));
}

/* Whether neighbours of one size are harder to predict one than the other, as signals and noise are. Of many
 * parts estimates would take as long as the rest: a field of rain twice. */
static bool moves_differ(const struct apart_split *split, const void *values, size_t least)
{
    enum { MOST_PARTS = 16, FAR = 3 /* bits */ };
    const size_t parts = split->slow * split->fast;
    unsigned size[2];
    size_t changes = 0;
    for (size_t part = 0; part < parts && parts <= MOST_PARTS; part++) {
        const struct part_place place = part_at(split, values, part);
        size[part % 2] = measure_steps(&place);
        changes += part && difference(size[0], size[1]) > FAR;
    }
    return changes && changes >= least;
}

enum apart_difference fpgz_prans_apart_differ(const struct apart_split *split, const void *values)
{
    enum { LEAST_PART = 6 }; /* of neighbours: sizes of one kind of things change slowly */
    const size_t parts = split->slow * split->fast, least = (parts - 1) / LEAST_PART;
    unsigned size[2][2];
    size_t changes = 0, steps = 0;
    for (size_t part = 0; part < parts; part++) {
        const struct part_place place = part_at(split, values, part);
        measure(&place, size[part % 2]);
        const unsigned apart = part ? distance(size[0], size[1]) : 0;
        changes += apart > 1;
        steps += apart > 0;
    }
    if ((changes && changes >= least) || moves_differ(split, values, least))
        return APART_FAR;
    return steps && steps >= least ? APART_NEAR : APART_SAME;
}

unsigned fpgz_prans_apart_boxes(const struct fpgz_grid *grid, struct fpgz_grid *box)
{
    enum {
        BOXES = 3,
        PART = 24 /* each has one part of so many of the axis */,
        LEAST_VALUES = 12288,
        SMALL = 1 << 16
    };
    const unsigned end = grid->dims - fpgz_prans_apart_fast_axes(grid);
    unsigned axis = fpgz_prans_apart_slow_axes(grid);
    while (axis < end && grid->extent[axis] < 2 * BOXES)
        axis++;
    if (axis == end)
        return 0;
    const size_t all = (size_t)grid->extent[axis], each = (size_t)fpgz_grid_values(grid) / all;
    const size_t count = fpgz_max(all / PART, (LEAST_VALUES + each - 1) / each);
    *box = *grid;
    box->extent[axis] = count;
    return count <= all / (2 * BOXES) ? BOXES : 0;
}

void fpgz_prans_apart_box(const struct fpgz_grid *grid, const struct fpgz_grid *box, unsigned number,
                          unsigned boxes, const void *values, void *copy)
{
    unsigned axis = 0;
    size_t runs = 1;
    for (; grid->extent[axis] == box->extent[axis]; axis++)
        runs *= (size_t)grid->extent[axis];
    const size_t all = (size_t)grid->extent[axis], count = (size_t)box->extent[axis];
    const size_t row = (size_t)fpgz_grid_values(grid) / all / runs * fpgz_dtype_size(grid->dtype);
    const size_t first = (all - count) * (2 * number + 1) / (2 * boxes);
    for (size_t r = 0; r < runs; r++)
        memcpy((uint8_t *)copy + r * count * row, (const uint8_t *)values + (r * all + first) * row,
               count * row);
}
