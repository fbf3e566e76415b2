/* SPDX-License-Identifier: MIT
 * The decimal domain: numbers of a few digits and a power of ten, as text has them, in the order of their
 * sizes. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_DECIMAL_H
#define FPGZ_CODEC_PRANS_DOMAIN_DECIMAL_H

#include <limits.h>

#include "codec/prans/domain/domain.h"
#include "codec/prans/domain/give_way.h"
#include "codec/prans/domain/restore.h"
#include "codec/sample.h"
#include "core/bytes.h"

enum { DECIMALS_TOGETHER = 256 /* values that are looked at together */ };

#define SIGN ((WORD)1 << (WORD_BITS - 1))

/* The integer of a value, as if the least decade were the least that there may be; anything of one that is no
 * decimal. Returns whether it is one. */
INLINE bool to_decimal(FLOAT real, const struct decimals *of, bool nearest, SIGNED *integer)
{
    const double magic = 0x1.8p52, most = (double)of->first * 10;
    const WORD bits = bits_of(real);
    const double size = __builtin_fabs((double)real);
    uint64_t bits_of_size;
    memcpy(&bits_of_size, &size, sizeof size);
    /* 1233/4096 is log10(2), near enough. */
    const int exponent = (int)(bits_of_size >> 52) - 1023,
              guess = (exponent * 1233 >> 12) - of->digits + 1; /* the power, or the one before */
    const bool is_in_reach = (guess > -PRANS_POWERS) & (guess < PRANS_POWERS - 1);
    const int low = is_in_reach ? guess : 0;
    const double larger = times_power(size, -low) + magic - magic,
                 smaller = times_power(size, -low - 1) + magic - magic;
    const bool is_over = larger >= most;
    const double m = is_over ? smaller : larger;
    const int j = low + is_over;
    const WORD back = bits_of((FLOAT)decimal_of(m, j, nearest));
    const SIGNED number =
        (SIGNED)(j + PRANS_POWERS - 1) * of->span + ((SIGNED)(is_in_reach ? m : 0) - of->first) + 1;
    const WORD ordinary = -(WORD)(size != 0), minus = -(WORD)(bits >> (WORD_BITS - 1));
    *integer = (SIGNED)((((WORD)number ^ minus) - minus) & ordinary);
    const bool fits = is_in_reach & (m >= (double)of->first) & (m < most) & (back == (bits & ~SIGN));
    return fits | (bits == 0);
}

#define GAIN 1.4 /* so many times as many integers a lattice must have: half a bit */

/* The digits that a sample's numbers have but for its exceptions, at the end of which no digit is 0; false if
 * they have more than all decimals have, or if integers of a lattice would be about as short. *missed gets
 * the number of those that are no decimals. */
static bool find_digits(const FLOAT *real, const uint8_t *flag, size_t count, bool nearest, unsigned *found,
                        size_t *missed)
{
    enum { SAMPLES = PRANS_LATTICE_SAMPLES };
    const struct decimals all = decimals_of(DIGITS_MOST);
    const size_t wanted = count < SAMPLES ? count : SAMPLES;
    size_t samples = 0, misfits = 0, with[DIGITS_MOST + 1] = {0};
    SIGNED number[SAMPLES];
    uint8_t digits[SAMPLES];
    for (size_t i = 0; i < wanted && misfits * PRANS_EXCEPTION_PART <= wanted; i++) {
        const size_t at = fpgz_sample_place((uint32_t)i, wanted, count);
        if (flag[at] || real[at] == 0)
            continue;
        to_decimal(real[at], &all, nearest, &number[samples]);
        number[samples] = (number[samples] < 0 ? -number[samples] : number[samples]) - 1;
        SIGNED m = number[samples] % all.span + all.first;
        int j = (int)(number[samples] / all.span) - PRANS_POWERS + 1;
        digits[samples] = DIGITS_MOST;
        for (; m % 10 == 0; m /= 10, j++)
            digits[samples]--;
        /* Of fewer digits the power is exact where that of all is not. */
        if (j < PRANS_POWERS &&
            bits_of((FLOAT)decimal_of((double)m, j, nearest)) == (bits_of(real[at]) & ~SIGN))
            with[digits[samples++]]++;
        else
            misfits++;
    }
    const size_t most = (samples + misfits) / PRANS_EXCEPTION_PART;
    *missed = misfits;
    if (!samples || misfits > most)
        return false;
    unsigned need = DIGITS_MOST;
    for (; need > 1 && misfits + with[need] <= most; need--)
        misfits += with[need];
    int least = INT_MAX, last = -1, finest = INT_MAX; /* powers of first digits, and of last ones */
    SIGNED largest = 0;
    for (size_t i = 0; i < samples; i++) {
        const int power = (int)(number[i] / all.span);
        if (digits[i] > need)
            continue;
        least = power < least ? power : least;
        last = power > last ? power : last;
        finest = power - digits[i] < finest ? power - digits[i] : finest;
        largest = number[i] > largest ? number[i] : largest;
    }
    *found = need;
    const double lattice = (double)(largest % all.span + all.first) / (double)all.first *
                           fpgz_prans_powers[fpgz_min((size_t)(last - finest - 1), PRANS_POWERS - 1)],
                 decimal = (double)(last - least + 1) * 9 * fpgz_prans_powers[need - 1];
    return last > least && lattice > GAIN * decimal;
}

/* The same by the rule for decimals that misses fewer. Powers above 10^22 are no binary64s, so that of f64
 * other numbers are next to decimals than the first rule has. */
static bool find_rule(const FLOAT *real, const uint8_t *flag, size_t count, struct prans_domain *domain)
{
    size_t missed, missed_nearest;
    unsigned digits = 0;
    const bool found = find_digits(real, flag, count, false, &domain->digits, &missed);
    domain->nearest = WORD_BITS == 64 && missed &&
                      find_digits(real, flag, count, true, &digits, &missed_nearest) &&
                      (!found || missed_nearest < missed);
    domain->digits = domain->nearest ? digits : domain->digits;
    return found || domain->nearest;
}

/* Enters some values. Whether all fit; else which do. */
INLINE bool enter_part(const FLOAT *real, const uint8_t *flag, size_t part, const struct decimals *of,
                       bool nearest, SIGNED *integer, uint8_t *fits)
{
    uint8_t all = 1;
    for (size_t i = 0; i < part; i++)
        all &= fits[i] = to_decimal(real[i], of, nearest, &integer[i]) | (flag[i] != 0);
    return all;
}

static bool enter_decimal(const void *values, const uint8_t *flag, size_t count,
                          const struct prans_domain_room *room, struct prans_domain *domain, void *y)
{
    const FLOAT *const real = values;
    SIGNED *const integer = y;
    domain->id = PRANS_DOMAIN_DECIMAL;
    domain->exceptions = 0;
    domain->exception = room->exception;
    domain->exact = room->exact;
    if (!find_rule(real, flag, count, domain))
        return false;
    const struct decimals of = decimals_of(domain->digits);
    WORD least = (WORD) ~(WORD)0;
    for (size_t at = 0, part; at < count; at += part) {
        uint8_t fits[DECIMALS_TOGETHER];
        part = fpgz_min(count - at, DECIMALS_TOGETHER);
        const bool all = domain->nearest
                             ? enter_part(real + at, flag + at, part, &of, true, integer + at, fits)
                             : enter_part(real + at, flag + at, part, &of, false, integer + at, fits);
        for (size_t i = 0; i < part && !all; i++) {
            if (fits[i])
                continue;
            if ((domain->exceptions + 1) * PRANS_EXCEPTION_PART > count)
                return false;
            domain->exception[domain->exceptions] = (uint32_t)(at + i);
            ((WORD *)domain->exact)[domain->exceptions++] = bits_of(real[at + i]);
            integer[at + i] = 0;
        }
        for (size_t i = 0; i < part; i++) {
            const WORD size = (WORD)(integer[at + i] < 0 ? -integer[at + i] : integer[at + i]) - 1u;
            integer[at + i] = flag[at + i] ? 0 : integer[at + i];
            least = size < least && !flag[at + i] ? size : least; /* of 0 it is the largest */
        }
    }
    const SIGNED powers = least == (WORD) ~(WORD)0 ? 0 : (SIGNED)least / of.span, shift = powers * of.span;
    domain->decade = (int)powers - PRANS_POWERS + 1;
    for (size_t i = 0; i < count; i++)
        integer[i] -= integer[i] > 0 ? shift : integer[i] < 0 ? -shift : 0;
    give_way(domain, flag, 0, integer);
    return true;
}

#endif
