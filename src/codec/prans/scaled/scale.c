/* SPDX-License-Identifier: MIT
 * An approximate common divisor of some values is made exact by intervals: each value tells where the scale
 * must be, for its product to be rounded to it. */
#include "codec/prans/scaled/scale.h"

#include "codec/prans/parted/multiples.h"
#include "codec/sample.h"
#include "core/bytes.h"

enum {
    SPARE_BITS = 5,  /* that integers have fewer than values */
    TRIALS = 4,      /* of divisors */
    DIVIDED = 64,    /* values that these are sought for */
    NEAR = 16,       /* multiples that a divisor's error leaves as they are */
    OTHERS_PART = 8, /* one of more than so many values may be anything, */
    EXACT_PART = 4,  /* one of so many is a product to the bit, */
    CLOSE_UNITS = 2, /* and the rest are off by so many units in the last place at most */
};

/* Magnitudes of a run's values that are not 0. */
struct magnitudes {
    size_t size, count;
    unsigned digits; /* behind the first one */
    double number[PARTED_SAMPLES];
};

/* A number as a value of `size` bytes has it. */
static double rounded(double real, size_t size)
{
    return size == sizeof(double) ? real : (float)real;
}

/* With `digits` binary digits behind the first one; above 0 and no subnormal. */
static double shortened(double real, unsigned digits)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    const unsigned left_out = 52 - digits;
    bits = (bits + ((uint64_t)1 << left_out >> 1)) >> left_out << left_out;
    memcpy(&real, &bits, sizeof bits);
    return real;
}

/* The unit in the last place of a number that is no subnormal. */
static double unit_of(double real, unsigned digits)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    bits = bits >> 52 << 52;
    memcpy(&real, &bits, sizeof real);
    return real / (double)(UINT64_C(1) << digits);
}

/* False where some value is not finite, or too small. */
static bool take_values(const struct fpgz_grid *grid, const void *values, const struct scaled_runs *runs,
                        uint32_t which, uint32_t most, struct magnitudes *m)
{
    const uint64_t all = fpgz_grid_values(grid), period = (uint64_t)runs->run * runs->count,
                   begin = (uint64_t)which * runs->run, periods = all / period, rest = all % period;
    const uint64_t own = periods * runs->run + (rest > begin ? fpgz_min(rest - begin, runs->run) : 0);
    const uint32_t looked = (uint32_t)fpgz_min(own, most);
    m->size = fpgz_dtype_size(grid->dtype);
    m->digits = fpgz_dtypes[grid->dtype].mantissa;
    m->count = 0;
    for (uint32_t i = 0; i < looked; i++) {
        const uint64_t at = fpgz_sample_place(i, looked, own);
        const uint64_t value = at / runs->run * period + begin + at % runs->run;
        const double real = parted_magnitude(parted_real((const uint8_t *)values + value * m->size, m->size));
        if (real == 0)
            continue;
        if (!(real > 0x1p-100 && real < 0x1p100))
            return false;
        m->number[m->count++] = real;
    }
    return true;
}

/* Whether a value is about a small multiple of the base, but not of 0. */
static bool is_multiple(const struct magnitudes *m, double number, double base)
{
    const double most = (double)(UINT64_C(1) << (m->digits - SPARE_BITS)), times = number / base,
                 y = parted_nearest(times);
    return y >= 1 && y < most && parted_magnitude(times - y) <= times / (16 * most) + 0x1p-7;
}

/* An approximate divisor, of which most are small multiples; 0 if there is none. */
static double divisor_of(const struct magnitudes *m)
{
    const size_t few = fpgz_min(m->count, DIVIDED);
    struct parted_gaps gaps = {.count = 0};
    for (size_t i = 0; gaps.count < few || gaps.count < 3; i++)
        fpgz_prans_add_gap(0, m->number[i % few], m->digits, &gaps);
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        const double divisor = fpgz_prans_divisor(&gaps, trial);
        const double base = divisor > 0 ? fpgz_prans_refine(gaps.number, gaps.count, divisor, NEAR) : 0;
        size_t others = 0;
        for (size_t i = 0; i < gaps.count && base > 0; i++)
            others += !is_multiple(m, gaps.number[i], base);
        if (base > 0 && others <= gaps.count / OTHERS_PART)
            return base;
    }
    return 0;
}

/* The middle of where the scale must be for all products to be rounded to the values. */
static double middle_of(const struct magnitudes *m, double base)
{
    double low = 0, high = 0x1p1000;
    for (size_t i = 0; i < m->count; i++) {
        const double y = parted_nearest(m->number[i] / base), half = unit_of(m->number[i], m->digits) / 2;
        if (!is_multiple(m, m->number[i], base))
            continue;
        const double from = (m->number[i] - half) / y, to = (m->number[i] + half) / y;
        low = low > from ? low : from;
        high = high < to ? high : to;
    }
    return (low + high) / 2;
}

/* How many values are products to the bit; 0 if too many are not even close. */
static size_t count_exact(const struct magnitudes *m, double scale)
{
    size_t exact = 0, others = 0;
    for (size_t i = 0; i < m->count; i++) {
        const double number = m->number[i],
                     product = rounded(parted_nearest(number / scale) * scale, m->size);
        others += parted_magnitude(product - number) > CLOSE_UNITS * unit_of(number, m->digits);
        exact += product == number;
    }
    return others <= m->count / OTHERS_PART ? exact : 0;
}

double fpgz_prans_scaled_by(const struct fpgz_grid *grid, const void *values, const struct scaled_runs *runs,
                            uint32_t which, uint32_t most)
{
    /* Those of f16 and bf16 first, which scales often were. */
    static const struct {
        unsigned digits;
        int units;
    } ways[] = {{7, 0}, {10, 0}, {0, 0}, {0, 1}, {0, -1}, {0, 2}, {0, -2}};
    struct magnitudes m;
    if (!take_values(grid, values, runs, which, most, &m))
        return 0;
    if (!m.count)
        return 1;
    const double base = divisor_of(&m);
    if (!(base > 0))
        return 0;
    const double middle = rounded(middle_of(&m, base), m.size), unit = unit_of(middle, m.digits);
    double best = 0;
    size_t most_exact = m.count / EXACT_PART;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && most_exact < m.count; i++) {
        const double scale =
            ways[i].digits ? shortened(middle, ways[i].digits) : middle + ways[i].units * unit;
        const size_t exact = count_exact(&m, scale);
        best = exact > most_exact ? scale : best;
        most_exact = exact > most_exact ? exact : most_exact;
    }
    return best;
}
