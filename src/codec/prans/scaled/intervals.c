/* SPDX-License-Identifier: MIT
 * The scale of numbers of few digits. Each is a product, rounded, so that the scale lies in an interval;
 * where those of many numbers meet, that is no chance. */
#include "codec/prans/scaled/magnitudes.h"
#include "core/bytes.h"

enum {
    MOST = 255,      /* that the largest number may be times the scale */
    CHECKED = 64,    /* numbers by which scales are told apart */
    MANY = 8,        /* of them, which are not the same by chance */
    OTHERS_PART = 8, /* one of more than so many values may be anything */
    OTHERS_FOLDED = 32,
    LEAST_DIGITS = 4,
    MOST_DIGITS = 23, /* of scales */
    FRACTIONS = 8,    /* of a power of two that quotients with exponents have; of numbers with 4 digits */
};

/* How probable it is that the intervals of any numbers meet so; most runs must be as improbable. */
#define NO_CHANCE 0x1p-12

/* Where the scale lies. */
struct interval {
    double low, high;
};

/* That of a number and its multiple, whose product is rounded to it. */
static struct interval interval_of(const struct scaled_magnitudes *m, double number, double times)
{
    const double half = fpgz_prans_scaled_unit(m, number) / 2;
    return (struct interval){(number - half) / times, (number + half) / times};
}

static double middle_of(const struct interval *scale)
{
    return (scale->low + scale->high) / 2;
}

/* Narrows the interval by a number, and *chance by how probable it is that any number lets it be so narrow.
 * False where the number is no multiple. folded: it may be one twice. */
static bool narrow(const struct scaled_magnitudes *m, double number, bool folded, struct interval *scale,
                   double *chance)
{
    const double middle = middle_of(scale), quotient = number / middle,
                 times = parted_nearest(folded && quotient < FRACTIONS ? 2 * quotient : quotient),
                 by = folded && quotient < FRACTIONS ? times / 2 : times;
    const struct interval of = times >= 1 ? interval_of(m, number, by) : (struct interval){0, 0};
    const double low = scale->low > of.low ? scale->low : of.low,
                 high = scale->high < of.high ? scale->high : of.high;
    if (low > high)
        return false;
    const double likely = times * (scale->high - scale->low + of.high - of.low) / middle;
    *chance *= likely < 1 ? likely : 1;
    *scale = (struct interval){low, high};
    return true;
}

/* How many of the first `checked` numbers, which rise, have no common scale within the interval; SIZE_MAX
 * where too many do not, or it is no wonder that they have one, among `tries`. */
static size_t others_of(const struct scaled_magnitudes *m, size_t checked, bool folded, unsigned tries,
                        struct interval *scale)
{
    double chance = tries;
    size_t others = 0;
    for (size_t i = 0; i < checked; i++) {
        const bool again = i && m->number[i] == m->number[i - 1]; /* which proves nothing, */
        double likely = 1;
        const bool is_multiple = narrow(m, m->number[i], folded, scale, &likely);
        others += !is_multiple;
        if (others > checked / (folded ? OTHERS_FOLDED : OTHERS_PART))
            return SIZE_MAX;
        chance *= again ? 1 : is_multiple ? likely : (double)checked;
    }
    const bool all_same =
        checked >= MANY && m->number[0] == m->number[checked - 1]; /* unless nothing else is there */
    return m->sure || all_same || chance < NO_CHANCE ? others : SIZE_MAX;
}

static void sort(double *number, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && number[j] < number[j - 1]; j--) {
            const double larger = number[j - 1];
            number[j - 1] = number[j];
            number[j] = larger;
        }
}

/* The shortest number within an interval, for its ends may be rounded the other way, that the numbers behind
 * those checked make narrower; 0 where they do not fit.
 */
static double shortest_of(const struct scaled_magnitudes *m, size_t checked, bool folded,
                          struct interval scale, size_t *others)
{
    double chance = 1;
    for (size_t i = checked; i < m->count; i++)
        *others += !narrow(m, m->number[i], folded, &scale, &chance);
    unsigned digits = LEAST_DIGITS;
    double shortest;
    do
        shortest = fpgz_prans_scaled_shortened(middle_of(&scale), digits);
    while (digits++ < MOST_DIGITS && (shortest <= scale.low || shortest >= scale.high));
    return *others <= m->count / OTHERS_PART ? shortest : 0;
}

double fpgz_prans_scaled_coarse(struct scaled_magnitudes *m, unsigned *times, size_t *others)
{
    const size_t checked = fpgz_min(m->count, CHECKED);
    const double number[] = {fpgz_prans_scaled_largest(m),
                             m->number[0] /* as the largest one may be anything */};
    sort(m->number, checked);
    for (unsigned n = 0; n < 2; n++) {
        unsigned tried = n ? 1 : *times;
        for (unsigned i = 0; i <= MOST; tried = ++i) {
            struct interval scale = interval_of(m, number[n], tried);
            *others = others_of(m, checked, false, tried, &scale);
            if (*others == SIZE_MAX)
                continue;
            *times = tried;
            return shortest_of(m, checked, false, scale, others);
        }
    }
    return 0;
}

/* The fraction of a number, from 1 to below 2. */
static double fraction_of(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    bits = (bits & UINT64_MAX >> 12) | (uint64_t)1023 << 52;
    memcpy(&real, &bits, sizeof real);
    return real;
}

double fpgz_prans_scaled_folded(struct scaled_magnitudes *m, size_t *others)
{
    const double largest = fpgz_prans_scaled_largest(m), least = m->unit * (double)(UINT64_C(1) << m->digits);
    size_t count = 0;
    for (size_t i = 0; i < m->count; i++)
        if (m->number[i] >= least) /* and is no subnormal */
            m->number[count++] = fraction_of(m->number[i]);
    m->count = count;
    m->unit = 0;
    const size_t checked = fpgz_min(count, CHECKED);
    const double last = fpgz_prans_scaled_largest(m);
    sort(m->number, checked);
    for (unsigned tried = FRACTIONS; checked && tried < 2 * FRACTIONS; tried++) {
        struct interval interval = interval_of(m, last, tried);
        *others = others_of(m, checked, true, FRACTIONS, &interval);
        if (*others == SIZE_MAX)
            continue;
        double scale = shortest_of(m, checked, true, interval, others);
        for (; scale > 0 && scale * 2 * FRACTIONS <= largest;)
            scale *= 2;
        for (; scale * FRACTIONS > largest;)
            scale /= 2;
        return scale;
    }
    return 0;
}
