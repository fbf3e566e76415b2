/* SPDX-License-Identifier: MIT
 * Bases and widths of low bits are found in a sample of values: bases among decimals, powers of two, and
 * approximate common divisors. */
#include "codec/prans/parted/plan.h"

#include <string.h>

#include "codec/prans/domain/domain.h"
#include "codec/prans/entropy/frequencies.h"
#include "codec/prans/parted/multiples.h"
#include "codec/prans/parted/sort.h"
#include "codec/prans/parted/unit.h"
#include "codec/sample.h"
#include "core/bytes.h"

enum {
    DECIMALS_MOST = 45,
    LEAST_SAVED = 1, /* bits a value that a plan promises; */
    THOROUGHLY = -3, /* where time matters less, a trial tells what predictions gain besides */
};

struct sample {
    const struct prans_parted_kernels *kernels;
    size_t size, count;
    double bits;                    /* that a value costs otherwise */
    uint64_t words[PARTED_SAMPLES]; /* of `size` bytes each, packed */
    double reals[PARTED_SAMPLES];   /* finite ones alone, others are 0 */
    double ulp[PARTED_SAMPLES];     /* of these */
    size_t ulps;                    /* of which so many are not 0: */
    double sorted[PARTED_SAMPLES];  /* these, in order */
    size_t pairs;                   /* of such values and those behind them: */
    uint64_t pair[2][PARTED_SAMPLES];
    double paired[2][PARTED_SAMPLES];
};

static double log_of(size_t number)
{
    return fpgz_prans_log2((uint32_t)number) / 65536.0;
}

/* Binary digits behind the first one. */
static unsigned digits_of(const struct sample *s)
{
    return s->size == 4 ? 23 : 52;
}

/* The binary logarithm of a normal number, the same on all machines. */
static double log_of_real(double real)
{
    const uint64_t bits = fpgz_load64(&real);
    return (double)((int)(bits >> 52 & 2047) - 1023 - 23) +
           log_of(1u << 23 | (uint32_t)(bits >> 29 & 0x7FFFFF));
}

/* Bits a number of a sample: exactly equal ones share a symbol. */
static double entropy(const uint64_t *number, size_t count, size_t *distinct)
{
    enum { SLOT_BITS = 11, SLOTS = 1 << SLOT_BITS };
    uint16_t slot[SLOTS] = {0},
             times[PARTED_SAMPLES]; /* 1 + the number of a number, and how often it stands there */
    uint64_t known[PARTED_SAMPLES], sum = 0;
    *distinct = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = (size_t)(number[i] * UINT64_C(0x9E3779B97F4A7C15) >> (64 - SLOT_BITS));
        while (slot[at] && known[slot[at] - 1] != number[i])
            at = (at + 1) % SLOTS;
        if (!slot[at]) {
            known[*distinct] = number[i];
            times[*distinct] = 0;
            slot[at] = (uint16_t)++ * distinct;
        }
        times[slot[at] - 1]++;
    }
    for (size_t i = 0; i < *distinct; i++)
        sum += times[i] > 1 ? times[i] * (uint64_t)fpgz_prans_log2(times[i]) : 0;
    return log_of(count) - (double)sum / 65536.0 / (double)count;
}

/* Second parts of words, as numbers. */
static void rest_of(const struct sample *s, const struct prans_parts *parts, const uint64_t *words,
                    size_t count, int64_t *rest)
{
    uint64_t part[PARTED_SAMPLES];
    s->kernels->second(parts, words, count, part);
    for (size_t i = 0; i < count; i++)
        rest[i] = s->size == 4 ? ((const int32_t *)part)[i] : ((const int64_t *)part)[i];
}

/* What numbers cost, bits each: small ones by themselves, others by their length. */
static double cost_of(const int64_t *number, size_t count)
{
    uint64_t symbol[PARTED_SAMPLES];
    double raw = 0;
    size_t distinct;
    for (size_t i = 0; i < count; i++) {
        const uint64_t size = number[i] < 0 ? -(uint64_t)number[i] : (uint64_t)number[i];
        const unsigned bits = size ? 64 - (unsigned)__builtin_clzll(size) : 0, low = bits > 4 ? bits - 4 : 0;
        symbol[i] = (size >> low | (uint64_t)low << 8) << 1 | (number[i] < 0);
        raw += low;
    }
    const double coded = entropy(symbol, count, &distinct);
    return coded + (raw + 0.72 * (double)distinct) / (double)count;
}

static double cost_of_rest(const struct sample *s, const struct prans_parts *parts)
{
    int64_t rest[PARTED_SAMPLES];
    rest_of(s, parts, s->words, s->count, rest);
    return cost_of(rest, s->count);
}

/* What second parts cost as differences to those before. */
static double cost_of_changes(const struct sample *s, const struct prans_parts *parts)
{
    int64_t rest[2][PARTED_SAMPLES];
    for (unsigned i = 0; i < 2; i++)
        rest_of(s, parts, s->pair[i], s->pairs, rest[i]);
    for (size_t i = 0; i < s->pairs; i++)
        rest[0][i] = (int64_t)((uint64_t)rest[1][i] - (uint64_t)rest[0][i]);
    return cost_of(rest[0], s->pairs);
}

/* Bits that a base saves of the first `count` values, if predictions are no better than it: those between it
 * and a value's last place, but no more than there are. */
static double saved_by(const struct sample *s, double base, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        if (s->ulp[i] > 0 && base > s->ulp[i])
            sum += log_of_real(base / s->ulp[i]);
    sum /= (double)count;
    return sum < s->bits ? sum : s->bits;
}

/* Bits a value that few of the second parts would cost at least, about. */
static double cost_of_few(const struct sample *s, const struct prans_parts *parts)
{
    enum { SIGN_AND_LENGTH = 2 };
    int64_t rest[PARTED_FEW];
    uint64_t bits = 0;
    rest_of(s, parts, s->words, PARTED_FEW, rest);
    for (size_t i = 0; i < PARTED_FEW; i++) {
        const uint64_t size = rest[i] < 0 ? -(uint64_t)rest[i] : (uint64_t)rest[i];
        bits += size ? SIGN_AND_LENGTH + 64 - (unsigned)__builtin_clzll(size) : 0;
    }
    return (double)bits / PARTED_FEW;
}

/* Takes a way with a base if it is worth a trial. */
static void offer(const struct sample *s, struct prans_parts parts, double base, double *best,
                  struct prans_plan *plan)
{
    const double doubt = 0.75;
    if (saved_by(s, base, PARTED_FEW) - cost_of_few(s, &parts) + doubt <= *best)
        return;
    const double gain = saved_by(s, base, s->count), second = gain > *best ? cost_of_rest(s, &parts) : 0;
    if (gain - second <= *best)
        return;
    *best = gain - second;
    *plan = (struct prans_plan){parts, second};
}

/* Numbers that lie next to each other differ by few steps, so that errors stay below one. */
static void offer_divisors(const struct sample *s, double *best, struct prans_plan *plan)
{
    struct parted_gaps gaps = {.count = 0};
    double sorted[PARTED_SAMPLES];
    memcpy(sorted, s->reals, s->count * sizeof *sorted);
    parted_sort(sorted, s->count);
    for (size_t i = 1; i < s->count; i++)
        fpgz_prans_add_gap(sorted[i - 1], sorted[i], digits_of(s), &gaps);
    for (unsigned i = 0; i < PARTED_TRIALS && i + 2 < gaps.count; i++) {
        const double about = fpgz_prans_divisor(&gaps, i);
        if (!fpgz_prans_fits(s->reals, s->count, fpgz_prans_refine(s->reals, PARTED_FEW, about, PARTED_SPAN)))
            continue;
        const double base = fpgz_prans_refine(s->reals, s->count, about, PARTED_SPAN);
        if (fpgz_prans_fits(s->reals, s->count, base))
            offer(s, (struct prans_parts){PRANS_PARTED_PRODUCT, 0, base}, base, best, plan);
    }
}

/* Whether a base is so many units of a plan that leaves no more to second parts. */
static bool has_units(const struct prans_plan *plan, double base, double second)
{
    const double unit = plan->parts.base,
                 units = plan->parts.parting == PRANS_PARTED_QUOTIENT ? base * unit : base / unit;
    return plan->second <= second && units > 0.5 && units < 0x1p24 &&
           parted_magnitude(units - parted_nearest(units)) < 0.01;
}

/* The same where an origin is added that may change slowly, as that of packed fields does whose unit was
 * changed: values that stand behind each other differ by multiples of a base, and second parts hardly. Those
 * of the other plans are exact. */
static unsigned offer_steps(const struct sample *s, const struct prans_plan *multiple,
                            const struct prans_plan *decimal, double least, struct prans_plan *plan)
{
    struct parted_gaps steps = {.count = 0};
    for (size_t i = 0; i < s->pairs; i++)
        fpgz_prans_add_gap(s->paired[0][i], s->paired[1][i], digits_of(s), &steps);
    const double error = s->ulps < s->count / 2 ? 0 : s->sorted[s->ulps / 2],
                 base = error > 0 ? fpgz_prans_step(&steps, error, PARTED_LEAST, s->reals, s->count) : 0,
                 gain = base > 0 ? saved_by(s, base, s->count) : 0;
    *plan = (struct prans_plan){{PRANS_PARTED_PRODUCT, 0, base}, 0};
    if (gain <= least)
        return 0;
    plan->second = cost_of_changes(s, &plan->parts);
    return gain - plan->second > least && !has_units(multiple, base, plan->second) &&
           !has_units(decimal, base, plan->second);
}

/* 10^d as the nearest binary64. */
static double power_of_ten(unsigned d)
{
    static const double beyond[] = {1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25,
                                    1e26, 1e27, 1e28, 1e29, 1e30, 1e31, 1e32, 1e33, 1e34, 1e35,
                                    1e36, 1e37, 1e38, 1e39, 1e40, 1e41, 1e42, 1e43, 1e44, 1e45};
    _Static_assert(sizeof beyond / sizeof *beyond == DECIMALS_MOST + 1 - PRANS_DECIMALS, "all are there");
    return d < PRANS_DECIMALS ? fpgz_prans_scale_of(d) : beyond[d - PRANS_DECIMALS];
}

/* Decimal places. Where most values are tiny or huge, also a unit that lies within their digits. */
static void offer_decimals(const struct sample *s, double *best, struct prans_plan *plan)
{
    const double ulp = s->sorted[s->ulps / 2], most = ulp * (s->size == 4 ? 0x1p24 : 0x1p53);
    for (unsigned d = 1; d <= DECIMALS_MOST; d++) {
        const double power = power_of_ten(d);
        if (d < PRANS_DECIMALS || (ulp < 1 / power && 1 / power < most))
            offer(s, (struct prans_parts){PRANS_PARTED_QUOTIENT, 0, power}, 1 / power, best, plan);
        if (ulp > 1 && ulp < power && power < most)
            offer(s, (struct prans_parts){PRANS_PARTED_PRODUCT, 0, power}, power, best, plan);
    }
}

/* Powers of two: as multiples, and the one at which all values but the largest have their last places, or
 * finer ones. */
static unsigned offer_powers(const struct sample *s, double *best, struct prans_plan *multiple,
                             struct prans_plan *fixed)
{
    enum { POWERS = 24 };
    if (s->ulps < s->count / 2)
        return 0;
    double base = s->sorted[s->ulps / 2];
    for (unsigned i = 0; i < POWERS; i++, base *= 2)
        offer(s, (struct prans_parts){PRANS_PARTED_PRODUCT, 0, base}, base, best, multiple);
    *fixed = (struct prans_plan){{PRANS_PARTED_PRODUCT, 0, s->sorted[s->ulps - 1 - s->ulps / 16]}, 0};
    fixed->second = cost_of_rest(s, &fixed->parts);
    return 1;
}

static void offer_bits(const struct sample *s, double *best, struct prans_plan *plan)
{
    static const double LEAST_GAIN = 0.125; /* of more low bits */
    const unsigned most = s->size == 4 ? 20 : 44;
    for (unsigned shift = 6; shift <= most; shift += 2) {
        const struct prans_parts parts = {PRANS_PARTED_BITS, shift, 0};
        uint64_t part[PARTED_SAMPLES], low[PARTED_SAMPLES];
        size_t distinct = 0;
        s->kernels->second(&parts, s->words, s->count, part);
        for (size_t i = 0; i < s->count; i++)
            low[i] = s->size == 4 ? ((const uint32_t *)part)[i] : part[i];
        /* A look at few of them tells mostly that they do not return. */
        entropy(low, PARTED_FEW, &distinct);
        if (distinct > PARTED_FEW * 3 / 4)
            return;
        const double cost = entropy(low, s->count, &distinct) + 1.44 * (double)distinct / (double)s->count;
        if (distinct > s->count / 4 || shift - cost <= *best + LEAST_GAIN)
            continue;
        *best = shift - cost;
        *plan = (struct prans_plan){parts, cost};
    }
}

/* What singles times a base would save, if there is such a base. */
static unsigned offer_unit(const struct sample *s, double least, struct prans_plan *plan)
{
    enum { SAVED = 52 - 23 };
    const double base = s->size == 8 ? fpgz_prans_unit(s->reals, s->count) : 0;
    if (!(base > 0))
        return 0;
    *plan = (struct prans_plan){{PRANS_PARTED_UNIT, 0, base}, 0};
    plan->second = cost_of_rest(s, &plan->parts);
    return SAVED - plan->second > least;
}

/* Value `at`: as word `to` of a packed array, and as a number; 0 if it is no usual one. */
static double take(const struct sample *s, const void *values, size_t at, uint64_t *words, size_t to,
                   double *ulp)
{
    const uint8_t *const value = (const uint8_t *)values + at * s->size;
    const double real = parted_real(value, s->size);
    memcpy((uint8_t *)words + to * s->size, value, s->size);
    const unsigned exponent = fpgz_load64(&real) >> 52 & 2047, digits = digits_of(s);
    const bool usual = exponent > digits && exponent < 2047;
    fpgz_store64(ulp, usual ? (uint64_t)(exponent - digits) << 52 : 0);
    return usual ? real : 0;
}

static void take_sample(const void *values, const uint8_t *marks, size_t count, struct sample *s)
{
    for (uint32_t i = 0; i < PARTED_SAMPLES && i < count; i++) {
        const size_t at = fpgz_sample_place(i, PARTED_SAMPLES, count);
        double ulp;
        if (marks[at])
            continue;
        s->reals[s->count] = take(s, values, at, s->words, s->count, &s->ulp[s->count]);
        if (s->ulp[s->count] > 0)
            s->sorted[s->ulps++] = s->ulp[s->count];
        s->count++;
        if (at + 1 == count || marks[at + 1])
            continue;
        for (unsigned n = 0; n < 2; n++)
            s->paired[n][s->pairs] = take(s, values, at + n, s->pair[n], s->pairs, &ulp);
        s->pairs++;
    }
    parted_sort(s->sorted, s->ulps);
}

unsigned fpgz_prans_plan(const void *values, const uint8_t *marks, size_t count, size_t size, double bits,
                         bool thorough, struct prans_plan plan[PRANS_PLANS])
{
    enum { LEAST = 256 };
    struct sample s = {
        .kernels = fpgz_cpu_choose_word(fpgz_prans_parted_kernels, size), .size = size, .bits = bits};
    unsigned plans = 0;
    const double least = thorough ? THOROUGHLY : LEAST_SAVED;
    double best = least, best_decimal = least, best_bits = LEAST_SAVED;
    take_sample(values, marks, count, &s);
    if (s.count < LEAST)
        return 0;
    struct prans_plan multiple = {.second = 0}, decimal = {.second = 0};
    plans = offer_powers(&s, &best, &multiple, plan);
    offer_decimals(&s, &best_decimal, &decimal);
    offer_divisors(&s, &best, &multiple);
    plan[plans] = decimal;
    plans += best_decimal > least;
    plan[plans] = multiple;
    plans += best > least;
    plans += offer_steps(&s, &multiple, &decimal, least, &plan[plans]);
    plans += offer_unit(&s, least, &plan[plans]);
    offer_bits(&s, &best_bits, &plan[plans]);
    return plans + (best_bits > LEAST_SAVED);
}
