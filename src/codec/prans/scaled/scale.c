/* SPDX-License-Identifier: MIT
 * A value is a small integer times the scale: the one that makes most others integers, too, tells it about,
 * and intervals then tell it exactly, for each product must be rounded to its value. */
#include "codec/prans/scaled/scale.h"

#include "codec/prans/scaled/magnitudes.h"
#include "codec/sample.h"
#include "core/bytes.h"

enum {
    MOST = 255,       /* that the integer may be; others may be larger */
    CHECKED = 64,     /* values that are first compared with a scale */
    OTHERS_PART = 8,  /* one of more than so many values may be anything, */
    EXACT_PART = 4,   /* one of so many is a product to the bit, */
    CLOSE_UNITS = 2,  /* and the rest are off by so many units in the last place at most */
    LARGEST = 1 << 12 /* integer that counts as one */
};

/* A number as scales and products are computed with it. */
static double rounded(double real, bool single)
{
    return single ? (float)real : real;
}

double fpgz_prans_scaled_shortened(double real, unsigned digits)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    const unsigned left_out = 52 - digits;
    bits = (bits + ((uint64_t)1 << left_out >> 1)) >> left_out << left_out;
    memcpy(&real, &bits, sizeof bits);
    return real;
}

double fpgz_prans_scaled_unit(const struct scaled_magnitudes *m, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits = bits >> 52 << 52;
    memcpy(&number, &bits, sizeof number);
    const double unit = number / (double)(UINT64_C(1) << m->digits);
    return unit > m->unit ? unit : m->unit;
}

/* A value; 0 where one of 16 bits is not finite. */
static double real_at(const struct fpgz_grid *grid, const void *values, uint64_t at, uint32_t rounding)
{
    const size_t size = fpgz_dtype_size(grid->dtype);
    if (size > sizeof(uint16_t))
        return parted_real((const uint8_t *)values + at * size, size);
    const uint16_t number = ((const uint16_t *)values)[at];
    return scaled_is_finite(rounding, number) ? scaled_widened(rounding, number) : 0;
}

/* What is not finite, or tiny, is left out: quotients have it as it is. */
static void take_values(const struct fpgz_grid *grid, const void *values, const struct scaled_runs *runs,
                        uint32_t which, uint32_t most, struct scaled_magnitudes *m)
{
    const uint64_t all = fpgz_grid_values(grid), period = (uint64_t)runs->run * runs->count,
                   begin = (uint64_t)which * runs->run, periods = all / period, rest = all % period;
    const uint64_t own = periods * runs->run + (rest > begin ? fpgz_min(rest - begin, runs->run) : 0);
    const uint32_t looked = (uint32_t)fpgz_min(own, most);
    m->digits = scaled_digits(runs->rounding, fpgz_dtypes[grid->dtype].mantissa);
    m->unit = runs->rounding == SCALED_HALF ? 0x1p-24 : 0;
    m->sure = most == PARTED_SAMPLES;
    m->count = 0;
    for (uint32_t i = 0; i < looked; i++) {
        const uint64_t at = fpgz_sample_place(i, looked, own);
        const uint64_t value = at / runs->run * period + begin + at % runs->run;
        const double real = parted_magnitude(real_at(grid, values, value, runs->rounding));
        if (real > 0x1p-100 && real < 0x1p100)
            m->number[m->count++] = real;
    }
}

/* The integer that a value is about, times the scale; 0 if it is near none. */
static uint64_t integer_of(const struct scaled_magnitudes *m, double number, double scale)
{
    const double times = number / scale, y = parted_nearest(times),
                 error = 4 * CLOSE_UNITS * times / (double)(UINT64_C(1) << m->digits);
    return y < LARGEST && parted_magnitude(times - y) <= error ? (uint64_t)y : 0;
}

/* Whether most values are near products of the scale. */
static bool fits(const struct scaled_magnitudes *m, double scale)
{
    const size_t checked = fpgz_min(m->count, CHECKED);
    size_t others = 0;
    for (size_t i = 0; i < checked && others <= checked / OTHERS_PART; i++)
        others += !integer_of(m, m->number[i], scale);
    return others <= checked / OTHERS_PART;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

double fpgz_prans_scaled_largest(const struct scaled_magnitudes *m)
{
    double largest = 0;
    for (size_t i = 0; i < m->count; i++)
        largest = largest > m->number[i] ? largest : m->number[i];
    return largest;
}

/* The largest scale that a value is at most `MOST` times, and most others are integers times, about; 0 if
 * there is none. *times is tried first, as the largest value of a run is mostly what it was in the one
 * before. */
static double about(const struct scaled_magnitudes *m, double value, unsigned *times)
{
    unsigned tried = *times;
    for (unsigned i = 0; i <= MOST && !fits(m, value / tried); i++)
        tried = i + 1;
    if (tried > MOST)
        return 0;
    uint64_t common = 0;
    for (size_t i = 0; i < m->count; i++)
        common = common_divisor(integer_of(m, m->number[i], value / tried), common);
    *times = tried;
    return value / tried * (double)common;
}

/* The middle of where the scale must be for all products to be rounded to the values. */
static double middle_of(const struct scaled_magnitudes *m, double scale)
{
    double low = 0, high = 0x1p1000;
    for (size_t i = 0; i < m->count; i++) {
        const double y = (double)integer_of(m, m->number[i], scale),
                     half = fpgz_prans_scaled_unit(m, m->number[i]) / 2;
        if (y < 1)
            continue;
        const double from = (m->number[i] - half) / y, to = (m->number[i] + half) / y;
        low = low > from ? low : from;
        high = high < to ? high : to;
    }
    return (low + high) / 2;
}

/* How many values are products to the bit; 0 if too many are not even close. */
static size_t count_exact(const struct scaled_magnitudes *m, double scale, bool single)
{
    size_t exact = 0, others = 0;
    for (size_t i = 0; i < m->count && others <= m->count / OTHERS_PART; i++) {
        const double number = m->number[i], product = rounded(parted_nearest(number / scale) * scale, single);
        others += parted_magnitude(product - number) > CLOSE_UNITS * fpgz_prans_scaled_unit(m, number);
        exact += product == number;
    }
    return others <= m->count / OTHERS_PART ? exact : 0;
}

/* The scale of numbers of many digits. */
static double fine(const struct scaled_magnitudes *m, bool single, unsigned *times, size_t *others)
{
    /* Those of f16 and bf16 first, which scales often were. */
    static const struct {
        unsigned digits;
        int units;
    } ways[] = {{7, 0}, {10, 0}, {0, 0}, {0, 1}, {0, -1}, {0, 2}, {0, -2}};
    double near = about(m, fpgz_prans_scaled_largest(m), times);
    if (near == 0) { /* which may be anything */
        unsigned other = 1;
        near = about(m, m->number[0], &other);
    }
    if (near == 0)
        return 0;
    const double middle = rounded(middle_of(m, near), single), unit = fpgz_prans_scaled_unit(m, middle);
    double best = 0;
    size_t most_exact = m->count / EXACT_PART;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && most_exact < m->count; i++) {
        const double scale = ways[i].digits ? fpgz_prans_scaled_shortened(middle, ways[i].digits)
                                            : middle + ways[i].units * unit;
        const size_t exact = count_exact(m, scale, single);
        best = exact > most_exact ? scale : best;
        most_exact = exact > most_exact ? exact : most_exact;
    }
    *others = m->count - most_exact;
    return best;
}

double fpgz_prans_scaled_by(const struct fpgz_grid *grid, const void *values, const struct scaled_runs *runs,
                            uint32_t which, uint32_t most, unsigned *times)
{
    const bool single = grid->dtype == FPGZ_F32 || runs->rounding == SCALED_SINGLE;
    struct scaled_magnitudes m;
    take_values(grid, values, runs, which, most, &m);
    if (!m.count)
        return 1;
    size_t others = 0, others_folded = 0;
    if (*times == SCALED_FOLDED) {
        const double folded = fpgz_prans_scaled_folded(&m, &others_folded);
        if (folded > 0)
            return folded;
        take_values(grid, values, runs, which, most, &m);
        *times = 1;
    }
    const double scale = scaled_is_coarse(runs->rounding) ? fpgz_prans_scaled_coarse(&m, times, &others)
                                                          : fine(&m, single, times, &others),
                 folded = scale == 0 || others ? fpgz_prans_scaled_folded(&m, &others_folded) : 0;
    if (folded == 0 || (scale > 0 && others <= others_folded))
        return scale;
    *times = SCALED_FOLDED;
    return folded;
}

bool fpgz_prans_scaled_scales(const struct fpgz_grid *grid, const void *values,
                              const struct scaled_runs *runs, void *scales)
{
    enum { MISSING_PART = 8, MISSING_FIRST = 1024 };
    const size_t size = fpgz_dtype_size(scaled_scale(grid));
    uint32_t missing = 0, i = 0;
    unsigned times = 1;
    for (; i < runs->count && missing <= MISSING_FIRST + i / MISSING_PART; i++) {
        const double scale = fpgz_prans_scaled_by(grid, values, runs, i, PARTED_SAMPLES, &times);
        const double used = scale > 0 ? scale : 1;
        const float single = (float)used;
        memcpy((uint8_t *)scales + i * size, size == sizeof used ? (const void *)&used : &single, size);
        missing += !(scale > 0);
    }
    return i == runs->count && missing <= runs->count / MISSING_PART;
}
