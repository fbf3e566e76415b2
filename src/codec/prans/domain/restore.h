/* SPDX-License-Identifier: MIT
 * From integers to values. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_RESTORE_H
#define FPGZ_CODEC_PRANS_DOMAIN_RESTORE_H

#include "codec/prans/domain/domain.h"
#include "codec/prans/domain/real.h"
#include "core/bytes.h"

/* How long a lattice's steps are. SMALL: doubles have each multiple of 32 bits from the origin on, and
 * vectors take long to multiply words of 64. */
enum step { STEP_ANY, STEP_ONE, STEP_SMALL };

/* What a lattice's integer is before it is scaled. */
INLINE double numerator_of(WORD integer, uint64_t origin, uint64_t step, enum step kind)
{
    const int64_t number = (SIGNED)integer;
    if (kind == STEP_SMALL)
        return (double)(int64_t)origin + (double)step * (double)(SIGNED)integer;
    return (double)(int64_t)(origin + (kind == STEP_ONE ? 1 : step) * (uint64_t)number);
}

/* Scales that are powers of two are multiplied, which is exact. */
INLINE void lattice_values(const struct prans_domain *domain, enum step kind, size_t count, WORD *y)
{
    const double scale = fpgz_prans_scale_of(domain->scale), inverse = 1 / scale;
    const uint64_t origin = (uint64_t)domain->origin, step = domain->step;
    if (!domain->scale || domain->scale >= PRANS_DECIMALS)
        for (size_t i = 0; i < count; i++)
            y[i] = bits_of((FLOAT)(numerator_of(y[i], origin, step, kind) * inverse));
    else
        for (size_t i = 0; i < count; i++)
            y[i] = bits_of((FLOAT)quotient_of(numerator_of(y[i], origin, step, kind), scale, inverse));
}

/* A rank that is none is the largest. */
INLINE WORD of_rank(WORD rank, const WORD *dictionary, WORD last)
{
    return word_of_place(dictionary[rank < last ? rank : last]);
}

INLINE WORD of_slab(WORD integer, const struct prans_lattice *lattice)
{
    return bits_of((FLOAT)(lattice->origin + (double)(SIGNED)integer * lattice->step));
}

enum { DIGITS_MOST = WORD_BITS == 32 ? 7 : 15 };

/* Decimals of D digits: m 10^j, with m from 10^(D-1) to below 10^D. */
struct decimals {
    SIGNED first, span; /* 10^(D-1), and how many there are of a power */
    int digits;
};

INLINE struct decimals decimals_of(unsigned digits)
{
    const SIGNED first = (SIGNED)fpgz_prans_powers[digits - 1];
    return (struct decimals){first, 9 * first, (int)digits};
}

/* real 10^j, rounded as often as a power above 10^22 makes necessary. */
INLINE double times_power(double real, int j)
{
    const double power = fpgz_prans_powers[j < 0 ? -j : j];
    return real * (j < 0 ? 1 : power) / (j < 0 ? power : 1);
}

/* m 10^j, j from -63 to 63: all but always the binary64 next to it, for the error of the product is known
 * (Dekker, "A floating-point technique for extending the available precision", 1971). */
INLINE double nearest_decimal(double m, int j)
{
    const double splitter = 0x1p27 + 1, *const pair = fpgz_prans_power_pairs[j + PRANS_POWERS - 1],
                 power = pair[0], product = m * power;
    const double upper = splitter * m - (splitter * m - m), lower = m - upper,
                 power_upper = splitter * power - (splitter * power - power),
                 power_lower = power - power_upper;
    const double error =
        ((upper * power_upper - product) + upper * power_lower + lower * power_upper) + lower * power_lower;
    return product + (error + m * pair[1]);
}

INLINE double decimal_of(double m, int j, bool nearest)
{
    return nearest ? nearest_decimal(m, j) : times_power(m, j);
}

/* What an integer stands for; one that is out of range, for anything. 0 is 0, its neighbours are the least
 * decimals of `decade`. */
INLINE WORD of_decimal(WORD integer, const struct decimals *of, double inverse, int decade, bool nearest)
{
    const double last = PRANS_DECADES - 1;
    const WORD sign = (WORD)((SIGNED)integer >> (WORD_BITS - 1)), size = (WORD)((integer ^ sign) - sign),
               number = (WORD)(size - (size != 0));
    const double guess = (double)(SIGNED)number * inverse;
    SIGNED power = (SIGNED)(guess < last ? guess : last),
           rest = (SIGNED)(number - (WORD)power * (WORD)of->span);
    const SIGNED below = -(SIGNED)(rest < 0),
                 above = -(SIGNED)((rest >= of->span) & (power < PRANS_DECADES - 1)); /* masks */
    power += below - above;
    rest += (below & of->span) - (above & of->span);
    const int sum = decade + (int)power, j = sum < PRANS_POWERS ? sum : PRANS_POWERS - 1;
    const WORD bits = bits_of((FLOAT)decimal_of((double)(rest + of->first), j, nearest));
    return (WORD)((bits | (sign << (WORD_BITS - 1))) & -(WORD)(size != 0));
}

/* Makes `count` integers values, in place. The first one is number `first` of the domain's. */
static void values_of(const struct prans_domain *domain, size_t first, size_t count, void *integers)
{
    WORD *const y = integers;
    if (domain->id == PRANS_DOMAIN_FLOAT) {
        const unsigned shift = domain->shift;
        const WORD mask = (WORD)(~(WORD)0 << shift);
        for (size_t i = 0; i < count; i++)
            y[i] = word_of_place((WORD)(y[i] << shift)) & mask;
    } else if (domain->id == PRANS_DOMAIN_LATTICE) {
        if (domain->step == 1)
            lattice_values(domain, STEP_ONE, count, y);
        else if (WORD_BITS == 32 && domain->step <= 1 << 20 && domain->origin <= (int64_t)1 << 52 &&
                 domain->origin >= -((int64_t)1 << 52))
            lattice_values(domain, STEP_SMALL, count, y);
        else
            lattice_values(domain, STEP_ANY, count, y);
    } else if (domain->id == PRANS_DOMAIN_DECIMAL) {
        const struct decimals of = decimals_of(domain->digits);
        const double inverse = 1 / (double)of.span;
        for (size_t i = 0; i < count && !domain->nearest; i++)
            y[i] = of_decimal(y[i], &of, inverse, domain->decade, false);
        for (size_t i = 0; i < count && domain->nearest; i++)
            y[i] = of_decimal(y[i], &of, inverse, domain->decade, true);
    } else if (domain->id == PRANS_DOMAIN_SLAB) {
        for (size_t i = 0; i < count;) {
            const size_t slab = (first + i) / domain->slab,
                         end = fpgz_min(count, (slab + 1) * domain->slab - first);
            const struct prans_lattice lattice = domain->lattice[slab];
            for (; i < end; i++)
                y[i] = of_slab(y[i], &lattice);
        }
    } else {
        look_up_ranks(domain->dictionary, (WORD)(domain->distinct - 1), count, y);
        for (size_t i = 0; i < count; i++) /* by vectors, unlike what the dictionary has */
            y[i] = word_of_place(y[i]);
    }
}

#endif
