/* SPDX-License-Identifier: MIT
 * The base of a few parts, from steps between values that stand behind each other. */
#include "codec/prans/apart/scales.h"

#include "codec/prans/inner.h"
#include "codec/prans/parted/multiples.h"
#include "codec/sample.h"
#include "core/bytes.h"

enum {
    LOOKED_AT = 6, /* parts */
    PAIRS = 64,    /* of each */
    LEAST = 3,     /* parts that have a base */
    USED_PART = 3, /* of digits: numbers of more than the others fit any steps nearly */
};

/* The number that the values of part (slow, fast) are multiples of, with an origin or without; 0 if none. */
static double base_of(const struct apart_split *split, const uint8_t *values, size_t slow, size_t fast)
{
    const unsigned digits = fpgz_dtypes[split->part.dtype].mantissa;
    const size_t size = fpgz_dtype_size(split->part.dtype);
    struct parted_gaps steps = {.count = 0};
    double real[PAIRS], error = 0;
    for (uint32_t i = 0; i < PAIRS; i++) {
        const size_t place = fpgz_sample_place(i, PAIRS, split->middle - 1),
                     at = (slow * split->middle + place) * split->fast + fast;
        const double next = parted_real(values + (at + split->fast) * size, size);
        real[i] = parted_real(values + at * size, size);
        if (real[i] - real[i] != 0 || next - next != 0)
            return 0;
        fpgz_prans_add_gap(real[i], next, digits, &steps);
        error = error > parted_magnitude(real[i]) ? error : parted_magnitude(real[i]);
    }
    error /= (double)(UINT64_C(1) << digits);
    const double least = (double)(UINT64_C(1) << digits / USED_PART);
    return error > 0 ? fpgz_prans_step(&steps, error, least, real, PAIRS) : 0;
}

/* Whether one base is the other or, about, a few of it: then both are multiples of one, which the whole has.
 * Of few steps bases are not exact. */
static bool are_multiples(double a, double b)
{
    enum { NEAR_PART = 32 };
    const double times = a > b ? a / b : b / a, nearest = parted_nearest(times);
    return nearest > 1 ? parted_magnitude(times - nearest) < times / NEAR_PART : parted_is_same(a, b);
}

bool fpgz_prans_apart_scaled(const struct apart_split *split, const void *values)
{
    const size_t parts = split->slow * split->fast;
    double base[LOOKED_AT];
    unsigned bases = 0, others = 0;
    if (fpgz_dtypes[split->part.dtype].kind != 'f' || fpgz_dtype_size(split->part.dtype) < sizeof(float))
        return false;
    for (uint32_t i = 0; i < LOOKED_AT && i < parts && i - bases <= LOOKED_AT - LEAST; i++) {
        const size_t part = fpgz_sample_place(i, LOOKED_AT, parts);
        base[bases] = base_of(split, values, part / split->fast, part % split->fast);
        if (!(base[bases] > 0))
            continue;
        others += bases && !are_multiples(base[bases], base[bases - 1]);
        bases++;
    }
    return bases >= LEAST && others > bases / 2;
}

size_t fpgz_prans_apart_sampled(const struct fpgz_codec *inner, const struct fpgz_params *params,
                                const struct apart_work *w, const struct apart_split *split,
                                const void *values, uint8_t *stream, size_t room)
{
    const struct fpgz_coding part = {split->part, *params, w->inner, NULL};
    const size_t parts = split->slow * split->fast;
    size_t bytes = 0;
    uint32_t coded = 0;
    if (fpgz_max(fpgz_grid_bytes(&split->part), inner->bound(&split->part, params)) > room)
        return SIZE_MAX;
    for (; coded < LOOKED_AT && coded < parts; coded++) {
        fpgz_prans_apart_take_one(split, values, fpgz_sample_place(coded, LOOKED_AT, parts), w->values);
        bytes += fpgz_prans_inner_put(inner, &part, NULL, w->values, stream);
    }
    return bytes * parts / coded;
}
