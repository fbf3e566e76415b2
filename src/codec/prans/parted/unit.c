/* SPDX-License-Identifier: MIT
 * The quotient of two products by the same number is that of two integers of 24 bits, which a continued
 * fraction tells; what one product has in common with many is the integer that the number was multiplied
 * with. */
#include "codec/prans/parted/unit.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "codec/prans/domain/domain.h"
#include "core/bytes.h"

enum {
    DIGITS = 52,
    SINGLE_DIGITS = 23,
    BIAS = 1023,
    PAIRS = 24,
    HELD_PAIRS = 20, /* of these; of random numbers one in nine holds */
    ULPS = 3,        /* that the first guess is off, at most */
};

#define MOST (UINT64_C(2) << SINGLE_DIGITS) /* integers are smaller */

/* All digits, as an integer: powers of two do not matter. */
static uint64_t digits_of(double real)
{
    const uint64_t first = (uint64_t)1 << DIGITS;
    return (fpgz_load64(&real) & (first - 1)) | first;
}

/* The same between 1 and 2. */
static double mantissa_of(double real)
{
    return (double)digits_of(real) * 0x1p-52;
}

static int exponent_of(double real)
{
    return (int)(fpgz_load64(&real) >> DIGITS & 2047) - BIAS;
}

/* The numerator of the first convergent of the quotient that is as good as two roundings; 0 if there is none
 * of two integers, of which one may be twice as large: products reach the next power of two. The rests of
 * Euclid's algorithm are what the convergents are off, times both divisors. */
static uint64_t numerator_of(uint64_t a, uint64_t b)
{
    const uint64_t close = a >> (DIGITS - 1);
    uint64_t p = 1, q = 0, before_p = 0, before_q = 1;
    while (b && a / b < 2 * MOST) {
        const uint64_t term = a / b, rest = a % b, next_p = term * p + before_p, next_q = term * q + before_q;
        if ((next_p >= MOST && next_q >= MOST) || next_p >= 2 * MOST || next_q >= 2 * MOST)
            return 0;
        before_p = p;
        before_q = q;
        p = next_p;
        q = next_q;
        a = b;
        b = rest;
        if (b <= close * q)
            return p;
    }
    return 0;
}

/* The integer that the first mantissa is of the unknown number, but for a power of two; 0 where most pairs do
 * not hold. */
static uint64_t common_integer(const double *mantissa)
{
    uint64_t integer = 1;
    unsigned held = 0;
    for (unsigned i = 1; i <= PAIRS; i++) {
        uint64_t p = numerator_of(digits_of(mantissa[0]), digits_of(mantissa[i]));
        held += p > 0;
        if (!p)
            continue;
        p >>= __builtin_ctzll(p);
        const uint64_t all = integer / fpgz_common_divisor(integer, p) * p;
        integer = all < MOST ? all : integer;
    }
    return held >= HELD_PAIRS ? integer : 0;
}

/* How many are the base times a single, rounded. */
static unsigned count_products(const double *mantissa, double base)
{
    unsigned products = 0;
    for (unsigned i = 0; i <= PAIRS; i++)
        products += (double)(float)(mantissa[i] / base) * base == mantissa[i];
    return products;
}

/* Different reals that are not singles themselves, from all of the sample; the sum of their exponents. */
static unsigned take(const double *reals, size_t count, double mantissa[PAIRS + 1], int *exponents)
{
    const uint64_t low = ((uint64_t)1 << (DIGITS - SINGLE_DIGITS)) - 1;
    unsigned taken = 0;
    *exponents = 0;
    for (size_t i = 0; i < count && taken <= PAIRS; i++) {
        const double real = reals[i * 31 % count];
        if (!(fpgz_load64(&real) & low) || (taken && mantissa[taken - 1] == mantissa_of(real)))
            continue;
        mantissa[taken++] = mantissa_of(real);
        *exponents += exponent_of(real);
    }
    return taken;
}

double fpgz_prans_unit(const double *reals, size_t count)
{
    double mantissa[PAIRS + 1], base = 0;
    int exponents;
    unsigned most = PAIRS / 2;
    if (take(reals, count, mantissa, &exponents) <= PAIRS)
        return 0;
    const uint64_t integer = common_integer(mantissa);
    if (!integer)
        return 0;
    const double about = mantissa[0] / (double)integer;
    for (int ulps = -ULPS; ulps <= ULPS; ulps++) {
        double tried;
        fpgz_store64(&tried, fpgz_load64(&about) + (uint64_t)ulps);
        const unsigned products = count_products(mantissa, tried);
        base = products > most ? tried : base;
        most = products > most ? products : most;
    }
    const int middle = exponents / (PAIRS + 1);
    return base > 0 && middle > -900 && middle < 900
               ? base * prans_power_of_two(middle + 63 - __builtin_clzll(integer))
               : 0;
}
