/* SPDX-License-Identifier: MIT
 * The lattice domain: integers times a step, divided by a power of ten or two. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_LATTICE_H
#define FPGZ_CODEC_PRANS_DOMAIN_LATTICE_H

#include <string.h>

#include "codec/prans/domain/domain.h"
#include "codec/prans/domain/give_way.h"
#include "codec/prans/domain/real.h"
#include "codec/sample.h"
#include "core/bytes.h"

#define INTEGERS (WORD_BITS == 32 ? (double)(1 << 24) : 0x1p51) /* that all are exact, and their sums */

/* The integer of a value; it is one of the lattice where the value comes back. */
static inline bool to_lattice(FLOAT real, double scale, int64_t *integer)
{
    const double product = (double)real * scale, magic = 0x1.8p52;
    if (!(product > -INTEGERS && product < INTEGERS))
        return false;
    const double rounded = (product + magic) - magic;
    *integer = (int64_t)rounded;
    return bits_of((FLOAT)(rounded / scale)) == bits_of(real);
}

enum {
    LATTICE_PART = 256, /* values that are looked at together, ... */
    LATTICE_FEW = 16,   /* and where there are exceptions */
};

INLINE uint64_t bits_of_double(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

/* Whether a quotient, rounded, is a real number, without dividing: that takes longer than all else here.
 * Floats: an integer below 2^24, divided by at most 10^7, lies further from what is half way between two of
 * them than its product with the inverse is wrong. Doubles: the quotient is one if what it leaves is at most
 * half of what a last place of it stands for. An integer below 2^51, divided by at most 10^15, is never half
 * way between two, nor that close below a power of two, and what is so small is exact. */
INLINE bool is_quotient(FLOAT real, double integer, double scale, double inverse)
{
#if FPGZ_BITS == 64 && defined __FP_FAST_FMA
    const uint64_t power = bits_of(real) & UINT64_C(0x7FF0000000000000);
    double octave;
    memcpy(&octave, &power, sizeof octave);
    const double rest = __builtin_fabs(__builtin_fma(-real, scale, integer));
    (void)inverse;
    return (rest <= octave * (scale * 0x1p-53)) & ((integer != 0) | (bits_of(real) == 0));
#else
    const double quotient = WORD_BITS == 32 ? integer * inverse : integer / scale;
    return bits_of((FLOAT)quotient) == bits_of(real);
#endif
}

/* The integers of values, `absent` of special ones, anything of those that have none. Returns whether there
 * are such. */
INLINE bool to_lattice_by(const FLOAT *restrict real, const uint8_t *restrict flag, size_t count,
                          double scale, int64_t absent, int64_t *restrict integer)
{
    const double magic = 0x1.8p52, largest = INTEGERS, inverse = 1 / scale;
    uint64_t misfits = 0;
    for (size_t i = 0; i < count; i++) {
        const double product = (double)real[i] * scale, moved = product + magic, rounded = moved - magic;
        const uint64_t size = bits_of_double(product) & INT64_MAX, usual = -(uint64_t)(!flag || !flag[i]),
                       fits = -(uint64_t)(size < bits_of_double(largest)) &
                              -(uint64_t)is_quotient(real[i], rounded, scale, inverse);
        integer[i] = (int64_t)(((bits_of_double(moved) - bits_of_double(magic)) & usual) |
                               ((uint64_t)absent & ~usual));
        misfits |= ~fits & usual;
    }
    return misfits;
}

/* The same, without flags where none is set: they would be widened to doubles. */
static bool to_lattice_together(const FLOAT *real, const uint8_t *flag, size_t count, double scale,
                                int64_t absent, int64_t *integer)
{
    uint8_t any = 0;
    for (size_t i = 0; i < count; i++)
        any |= flag[i];
    return any ? to_lattice_by(real, flag, count, scale, absent, integer)
               : to_lattice_by(real, NULL, count, scale, absent, integer);
}

/* How many of the values are none of the lattice. */
static size_t lattice_misfits(const FLOAT *real, size_t count, double scale)
{
    const double magic = 0x1.8p52, largest = INTEGERS, inverse = 1 / scale;
    uint64_t misfits = 0;
    for (size_t i = 0; i < count; i++) {
        const double product = (double)real[i] * scale, rounded = (product + magic) - magic;
        const uint64_t size = bits_of_double(product) & INT64_MAX;
        misfits += 1 - ((uint64_t)(size < bits_of_double(largest)) &
                        (uint64_t)is_quotient(real[i], rounded, scale, inverse));
    }
    return misfits;
}

/* The smallest scale that fits a sample but for its exceptions; false when none does. */
static bool find_scale(const void *values, const uint8_t *flag, size_t count, unsigned *found)
{
    const FLOAT *const real = values;
    enum { SAMPLES = PRANS_LATTICE_SAMPLES, TOGETHER = 128, SCALES = PRANS_DECIMALS + 32 + 64 };
    const size_t wanted = count < SAMPLES ? count : SAMPLES;
    FLOAT sample[SAMPLES];
    size_t samples = 0;
    for (size_t i = 0; i < wanted; i++) {
        const size_t at = fpgz_sample_place((uint32_t)i, wanted, count);
        sample[samples] = real[at];
        samples += !flag || !flag[at];
    }
    for (unsigned scale = 0; samples && scale < SCALES; scale++) {
        if (scale == (sizeof(WORD) == 4 ? 8 : PRANS_DECIMALS))
            scale = PRANS_DECIMALS;
        const double power = fpgz_prans_scale_of(scale);
        size_t misfits = 0;
        for (size_t i = 0; i < samples && misfits * PRANS_EXCEPTION_PART <= samples; i += TOGETHER)
            misfits += lattice_misfits(sample + i, fpgz_min(samples - i, TOGETHER), power);
        if (misfits * PRANS_EXCEPTION_PART <= samples) {
            *found = scale;
            return true;
        }
    }
    return false;
}

/* What the integers of a lattice have in common. */
struct lattice_span {
    int64_t least, first;
    uint64_t step;
};

INLINE void add_to_span(struct lattice_span *span, int64_t k)
{
    span->first = span->least == INT64_MAX ? k : span->first;
    span->least = k < span->least ? k : span->least;
    const uint64_t from = (uint64_t)(k < span->first ? span->first - k : k - span->first);
    if (span->step != 1 && (!span->step || from % span->step))
        span->step = fpgz_common_divisor(span->step, from);
}

/* A divisor as a power of two and an odd number, with the inverse of this one. */
struct lattice_divisor {
    unsigned shift;
    uint64_t odd, inverse;
};

static struct lattice_divisor lattice_divisor_of(uint64_t step)
{
    const unsigned shift = (unsigned)__builtin_ctzll(step);
    const uint64_t odd = step >> shift;
    return (struct lattice_divisor){shift, odd, fpgz_inverse(odd)};
}

/* The same for integers of which all count; false if they do not fit the step as it is. What an odd number
 * does not divide has a large product with its inverse. */
INLINE bool widen_span(struct lattice_span *span, const int64_t *integer, size_t count)
{
    if (!span->step)
        return false;
    const struct lattice_divisor step = lattice_divisor_of(span->step);
    const uint64_t even = ((uint64_t)1 << step.shift) - 1, most = ((uint64_t)1 << 53) / step.odd;
    const int64_t first = span->first;
    int64_t least = span->least;
    uint64_t misfits = 0;
    if (span->step == 1)
        for (size_t i = 0; i < count; i++)
            least = integer[i] < least ? integer[i] : least;
    else
        for (size_t i = 0; i < count; i++) {
            const uint64_t from = (uint64_t)(integer[i] - first), quotient = from * step.inverse;
            misfits |= (from & even) | (quotient + most > 2 * most);
            least = integer[i] < least ? integer[i] : least;
        }
    if (!misfits)
        span->least = least;
    return !misfits;
}

/* Integers keep their zero, so that what is about zero stays so; their origin is what the step leaves. */
static void divide_by_step(const struct lattice_span *span, size_t count, struct prans_domain *domain,
                           SIGNED *integer)
{
    const int64_t step = span->step ? (int64_t)span->step : 1,
                  origin = fpgz_prans_lattice_origin(span->least, step);
    const struct lattice_divisor divisor = lattice_divisor_of((uint64_t)step);
    domain->step = (uint64_t)step;
    domain->origin = origin;
    if (step > 1) /* the exact quotients; of what has none, anything */
        for (size_t i = 0; i < count; i++)
            integer[i] = (SIGNED)((WORD)((SIGNED)((WORD)integer[i] - (WORD)origin) >> divisor.shift) *
                                  (WORD)divisor.inverse);
}

static bool enter_lattice(const void *values, const uint8_t *flag, size_t count,
                          const struct prans_domain_room *room, struct prans_domain *domain, void *y)
{
    const FLOAT *const real = values;
    SIGNED *const integer = y;
    domain->id = PRANS_DOMAIN_LATTICE;
    domain->exceptions = 0;
    domain->exception = room->exception;
    domain->exact = room->exact;
    if (!find_scale(real, flag, count, &domain->scale))
        return false;
    const double power = fpgz_prans_scale_of(domain->scale);
    struct lattice_span span = {INT64_MAX, 0, 0};
    size_t most = LATTICE_PART;
    for (size_t at = 0, part; at < count; at += part) {
        int64_t apart[LATTICE_PART], *const k = WORD_BITS == 64 ? (int64_t *)y + at : apart;
        part = fpgz_min(count - at, most);
        const bool misfits = to_lattice_together(real + at, flag + at, part, power, span.first, k);
        most = misfits ? LATTICE_FEW : fpgz_min(2 * most, LATTICE_PART);
        for (size_t i = 0; i < part && k == apart; i++)
            integer[at + i] = (SIGNED)k[i];
        if (!misfits && widen_span(&span, k, part))
            continue;
        for (size_t i = 0; i < part; i++) {
            if (flag[at + i])
                continue;
            int64_t fits;
            if (!misfits || to_lattice(real[at + i], power, &fits)) {
                add_to_span(&span, k[i]);
                continue;
            }
            if ((domain->exceptions + 1) * PRANS_EXCEPTION_PART > count)
                return false;
            domain->exception[domain->exceptions] = (uint32_t)(at + i);
            ((WORD *)domain->exact)[domain->exceptions++] = bits_of(real[at + i]);
        }
    }
    if (span.least == INT64_MAX)
        return false;
    divide_by_step(&span, count, domain, integer);
    give_way(domain, flag, (SIGNED)((span.least - domain->origin) / (int64_t)domain->step), integer);
    return true;
}

#endif
