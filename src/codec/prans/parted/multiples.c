/* SPDX-License-Identifier: MIT
 * Bases are approximate common divisors of gaps, which more and longer ones make exact. */
#include "codec/prans/parted/multiples.h"

#include <stdint.h>
#include <string.h>

#include "codec/prans/parted/sort.h"
#include "codec/sample.h"

void fpgz_prans_add_gap(double from, double to, unsigned digits, struct parted_gaps *gaps)
{
    const double a = parted_magnitude(from), b = parted_magnitude(to);
    if (from == to)
        return;
    gaps->number[gaps->count] = parted_magnitude(to - from);
    gaps->error[gaps->count++] = (a > b ? a : b) / (double)(UINT64_C(1) << digits);
}

/* The approximate common divisor of two numbers that are exact to `error`. */
static double divisor(double a, double b, double error)
{
    for (unsigned i = 0; i < 64 && b > error; i++) {
        const double rest = parted_magnitude(a - b * parted_nearest(a / b));
        error *= 1.5;
        a = b;
        b = rest;
    }
    return a;
}

double fpgz_prans_divisor(const struct parted_gaps *gaps, unsigned trial)
{
    const size_t a = fpgz_sample_place(3 * trial, 3 * PARTED_TRIALS, gaps->count),
                 b = fpgz_sample_place(3 * trial + 1, 3 * PARTED_TRIALS, gaps->count),
                 c = fpgz_sample_place(3 * trial + 2, 3 * PARTED_TRIALS, gaps->count);
    const double *const number = gaps->number, *const error = gaps->error;
    const double first = divisor(number[a], number[b], 4 * (error[a] + error[b]));
    return divisor(first, number[c], 16 * (error[a] + error[b] + error[c]));
}

double fpgz_prans_refine(const double *number, size_t count, double base, double span)
{
    bool settled = false;
    for (; span < 0x1p40 && !settled; span *= 16) {
        double above = 0, below = 0;
        settled = true;
        for (size_t i = 0; i < count; i++) {
            const double y = parted_nearest(number[i] / base);
            settled &= parted_magnitude(y) <= span;
            if (parted_magnitude(y) < 1 || parted_magnitude(y) > span)
                continue;
            above += number[i] * y;
            below += y * y;
        }
        const double better = below > 0 ? above / below : base;
        settled &= better == base;
        base = better;
    }
    return base;
}

bool fpgz_prans_fits(const double *number, size_t count, double base)
{
    enum { LOOKED_AT = 64 };
    const size_t looked = count < LOOKED_AT ? count : LOOKED_AT;
    size_t near = 0;
    if (!(base > 0) || base - base != 0)
        return false;
    for (size_t i = 0; i < looked; i++) {
        const double one = number[i * count / looked], exact = one / base, y = parted_nearest(exact);
        near += parted_magnitude(exact - y) < 0.125 && (parted_magnitude(y) >= 1 || one == 0);
    }
    return near > looked / 2;
}

enum { LEAST_GAPS = 16 };

/* What steps differ by from the next longer ones: few multiples of the base, so that errors stay below one.
 * Returns a long step, which a quarter of them exceed. */
static double list_gaps(const struct parted_gaps *steps, double error, struct parted_gaps *gaps)
{
    double sorted[PARTED_SAMPLES];
    memcpy(sorted, steps->number, steps->count * sizeof *sorted);
    parted_sort(sorted, steps->count);
    gaps->count = 0;
    for (size_t i = 1; i < steps->count; i++) {
        if (sorted[i] - sorted[i - 1] <= 4 * error)
            continue;
        gaps->number[gaps->count] = sorted[i] - sorted[i - 1];
        gaps->error[gaps->count++] = error / 2;
    }
    if (gaps->count < LEAST_GAPS) /* steps are few multiples themselves */
        *gaps = *steps;
    return steps->count ? sorted[steps->count / 4 * 3] : 0;
}

/* The base that a trial's divisor of gaps leads to; 0 where none leads to `least`. */
static double base_of(const struct parted_gaps *gaps, double least)
{
    enum { NEXT = 2 /* multiples that errors of gaps leave as they are */ };
    const size_t few = gaps->count < PARTED_FEW ? gaps->count : PARTED_FEW;
    for (unsigned i = 0; few >= LEAST_GAPS && i < PARTED_TRIALS; i++) {
        const double about = fpgz_prans_divisor(gaps, i);
        if (about < least / 2) /* nor is it much more when it is refined, which takes long */
            continue;
        const double base = fpgz_prans_refine(gaps->number, few, about, NEXT);
        if (base >= least && fpgz_prans_fits(gaps->number, few, base))
            return base;
    }
    return 0;
}

double fpgz_prans_step(const struct parted_gaps *steps, double error, double least, const double *real,
                       size_t count)
{
    enum { NEAR = 16 /* multiples that errors of steps leave as they are */ };
    struct parted_gaps gaps;
    double far[PARTED_SAMPLES];
    const double step = list_gaps(steps, error, &gaps), about = base_of(&gaps, least * error);
    if (!(about > 0))
        return 0;
    const double base = fpgz_prans_refine(steps->number, steps->count, about, NEAR);
    for (size_t i = 0; i < count; i++)
        far[i] = real[i] - real[0];
    const double exact = fpgz_prans_refine(far, count, base, PARTED_SPAN),
                 moved = step / base * parted_magnitude(exact - base);
    return moved < error / 4 && fpgz_prans_fits(far, count, exact) ? exact : base;
}
