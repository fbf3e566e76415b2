/* SPDX-License-Identifier: MIT
 * The slab domain: affine lattices, one a slab, of values that were packed as an origin and integers times a
 * power of two, as in GRIB. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_SLAB_H
#define FPGZ_CODEC_PRANS_DOMAIN_SLAB_H

#include <string.h>

#include "codec/prans/domain/lattice.h"
#include "codec/prans/domain/restore.h"

/* The integer of a finite value; it is one of the lattice where the value comes back. */
static inline bool to_slab(const struct prans_lattice *lattice, FLOAT real, SIGNED *integer)
{
    const double magic = 0x1.8p52, exact = ((double)real - lattice->origin) / lattice->step;
    if (!(exact >= 0 && exact < INTEGERS))
        return false;
    *integer = (SIGNED)((exact + magic) - magic);
    return of_slab((WORD)*integer, lattice) == bits_of(real);
}

/* Biased, of normal numbers and 0. */
static inline int exponent_of(FLOAT real)
{
    return (int)(bits_of(real) >> MANTISSA_BITS & EXPONENT_MAX);
}

enum {
    SLAB_SAMPLES = 97,
    SLAB_MISFITS = SLAB_SAMPLES / PRANS_EXCEPTION_PART,
    COARSE = 3, /* bits that a step has more than the values' last digits */
};

/* The slab's origin, and the largest step that fits a sample of it. *coarse tells whether that is well above
 * the last digits of its values. */
static void fit_slab(const FLOAT *real, const uint8_t *flag, size_t count, bool *coarse,
                     struct prans_lattice *lattice)
{
    WORD lowest = (WORD) ~(WORD)0, highest = 0; /* places of finite values */
    for (size_t i = 0; i < count; i++) {
        const WORD bits = bits_of(real[i]), place = place_of(bits),
                   absent = -(WORD)((flag[i] != 0) | ((bits & EXPONENT_MASK) == EXPONENT_MASK));
        lowest = (place | absent) < lowest ? place | absent : lowest;
        highest = (place & ~absent) > highest ? place & ~absent : highest;
    }
    const bool any = lowest <= highest;
    const FLOAT least = any ? real_of(word_of_place(lowest)) : 0,
                most = any ? real_of(word_of_place(highest)) : 0;
    *coarse = false;
    *lattice = (struct prans_lattice){(double)least, 1};
    const FLOAT span = most - least, larger = most > -least ? most : -least;
    const int bias = EXPONENT_MAX / 2, finest = exponent_of(larger) - bias - MANTISSA_BITS;
    int low = finest, high = exponent_of(span) - bias;
    if (!any || high < low || exponent_of(span) == EXPONENT_MAX || finest <= -bias)
        return;
    while (low < high) { /* what fits a step fits its half */
        const int middle = high - (high - low) / 2;
        unsigned misfits = 0;
        lattice->step = prans_power_of_two(middle);
        for (uint32_t i = 0; i < SLAB_SAMPLES && misfits <= SLAB_MISFITS; i++) {
            SIGNED integer;
            const size_t at = fpgz_sample_place(i, SLAB_SAMPLES, count);
            misfits += at < count && !flag[at] && !to_slab(lattice, real[at], &integer);
        }
        if (misfits <= SLAB_MISFITS)
            low = middle;
        else
            high = middle - 1;
    }
    lattice->step = prans_power_of_two(low);
    *coarse = low >= finest + COARSE;
}

/* Whether a sample of a slab tells that its values have steps as fine as their last digits, or no larger ones
 * than `known`, which all have if it is not 0: as multiples of that they are even and odd. */
static bool is_fine(const FLOAT *real, const uint8_t *flag, size_t count, double known)
{
    const double magic = 0x1.8p52, near = 3. / 16;
    FLOAT sample[SLAB_SAMPLES], least = 0, largest = 0;
    size_t samples = 0;
    for (uint32_t i = 0; i < SLAB_SAMPLES; i++) {
        const size_t at = fpgz_sample_place(i, SLAB_SAMPLES, count);
        if (at >= count || flag[at] || exponent_of(real[at]) == EXPONENT_MAX)
            continue;
        const FLOAT one = real[at], size = one < 0 ? -one : one;
        least = !samples || one < least ? one : least;
        largest = size > largest ? size : largest;
        sample[samples++] = one;
    }
    const int digit = exponent_of(largest) - EXPONENT_MAX / 2 - MANTISSA_BITS;
    if (digit <= -EXPONENT_MAX / 2)
        return false;
    /* Rounded as numbers, multiples of COARSE digits stay near those. */
    const double coarse = prans_power_of_two(digit + COARSE);
    unsigned far = 0, odd = 0, even = 0;
    for (size_t i = 0; i < samples; i++) {
        const double steps = ((double)sample[i] - (double)least) / coarse,
                     from = steps - ((steps + magic) - magic);
        far += from > near || from < -near;
        if (known <= 0)
            continue;
        const bool is_odd = bits_of_double((double)sample[i] / known + magic) & 1;
        odd += is_odd;
        even += !is_odd;
    }
    return far > SLAB_MISFITS || (known >= coarse / 2 && odd > SLAB_MISFITS && even > SLAB_MISFITS);
}

static bool enter_slab(const void *values, const uint8_t *flag, size_t count,
                       const struct prans_domain_room *room, struct prans_domain *domain, void *y)
{
    enum { TRIED = 8 }; /* slabs, of which half must do */
    const FLOAT *const real = values;
    SIGNED *const integer = y;
    const size_t slabs = count / room->slab;
    const size_t tried = fpgz_min(slabs, TRIED);
    struct prans_lattice fitted[TRIED]; /* the room may have those of another candidate */
    size_t fine = 0;
    domain->id = PRANS_DOMAIN_SLAB;
    domain->exceptions = 0;
    for (size_t s = 0; s < tried; s++)
        fine += is_fine(real + s * room->slab, flag + s * room->slab, room->slab, room->known_step);
    if (2 * fine > tried)
        return false;
    fine = 0;
    domain->exception = room->exception;
    domain->exact = room->exact;
    domain->lattice = room->lattice;
    domain->slab = room->slab;
    domain->slabs = slabs;
    for (size_t s = 0; s < tried; s++) {
        bool is_coarse;
        fit_slab(real + s * room->slab, flag + s * room->slab, room->slab, &is_coarse, &fitted[s]);
        fine += !is_coarse || fitted[s].step <= room->known_step;
        if (2 * fine > tried)
            return false;
    }
    memcpy(room->lattice, fitted, tried * sizeof *fitted);
    for (size_t s = 0; s < slabs; s++) {
        const size_t first = s * room->slab, end = first + room->slab;
        bool is_coarse;
        if (s >= TRIED)
            fit_slab(real + first, flag + first, room->slab, &is_coarse, &room->lattice[s]);
        for (size_t i = first; i < end; i++) {
            integer[i] = i > first ? integer[i - 1] : 0;
            SIGNED k;
            if (flag[i])
                continue;
            if (exponent_of(real[i]) != EXPONENT_MAX && to_slab(&room->lattice[s], real[i], &k)) {
                integer[i] = k;
                continue;
            }
            if ((domain->exceptions + 1) * PRANS_EXCEPTION_PART > count)
                return false;
            domain->exception[domain->exceptions] = (uint32_t)i;
            ((WORD *)domain->exact)[domain->exceptions++] = bits_of(real[i]);
        }
    }
    return true;
}

/* Origins as their bits, steps by how their exponents differ from the slab's before. */
static void code_slabs(struct prans_range *r, size_t count, const struct prans_domain_room *room,
                       struct prans_domain *domain)
{
    uint16_t chances[PRANS_NUMBER_CHANCES];
    int64_t before = 0;
    fpgz_prans_chances(chances, PRANS_NUMBER_CHANCES);
    domain->lattice = room->lattice;
    domain->slab = room->slab;
    domain->slabs = count / room->slab;
    for (size_t s = 0; s < domain->slabs && !r->failed; s++) {
        struct prans_lattice *const lattice = &domain->lattice[s];
        uint64_t step;
        memcpy(&step, &lattice->step, sizeof step);
        const WORD origin = (WORD)fpgz_prans_range_bits(r, WORD_BITS, bits_of((FLOAT)lattice->origin));
        const int64_t difference = (int64_t)(step >> 52) - 1023 - before;
        const uint64_t coded = fpgz_prans_range_number(
            r, chances, (uint64_t)difference << 1 ^ (uint64_t)(difference < 0 ? -1 : 0));
        const int64_t exponent = before + (int64_t)(coded >> 1 ^ -(coded & 1));
        if ((origin >> MANTISSA_BITS & EXPONENT_MAX) == EXPONENT_MAX || coded > 4096 || exponent < -1022 ||
            exponent > 1023) {
            r->failed = true;
            return;
        }
        *lattice = (struct prans_lattice){(double)real_of(origin), prans_power_of_two((int)exponent)};
        before = exponent;
    }
}

#endif
