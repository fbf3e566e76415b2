/* SPDX-License-Identifier: MIT
 * The number that singles were multiplied with is found whatever it is, and where there is none, none is. */
#include <stdio.h>
#include <string.h>

#include "../checks.h"
#include "codec/prans/domain/domain.h"
#include "codec/prans/parted/unit.h"

enum { COUNT = 100, TRIALS = 500 };

/* All of its digits are random, or those of a single; between 2^-3 and 2^3, or of any usual exponent. */
static double random_real(bool is_single, bool is_near)
{
    const uint64_t digits = (random_bits() << 5 ^ random_bits()) & (((uint64_t)1 << 52) - 1),
                   sign = random_bits() << 63,
                   exponent = is_near ? 1020 + random_bits() % 7 : 423 + random_bits() % 1200;
    const uint64_t bits = sign | exponent << 52 | (is_single ? digits >> 29 << 29 : digits);
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

static void test_products(void)
{
    double reals[COUNT];
    const double unit = random_real(false, false);
    unsigned products = 0;
    for (unsigned i = 0; i < COUNT; i++)
        reals[i] = random_real(true, true) * unit;
    const double base = fpgz_prans_unit(reals, COUNT);
    for (unsigned i = 0; base > 0 && i < COUNT; i++)
        products += (double)(float)(reals[i] / base) * base == reals[i];
    check_that(products == COUNT, "%a: %u of %u values are singles times %a", unit, products, (unsigned)COUNT,
               base);
}

static void test_others(bool are_singles)
{
    double reals[COUNT];
    for (unsigned i = 0; i < COUNT; i++)
        reals[i] = random_real(are_singles, true);
    CHECK(!(fpgz_prans_unit(reals, COUNT) > 0));
}

int main(void)
{
    for (unsigned i = 0; i < TRIALS; i++) {
        test_products();
        test_others(false);
        test_others(true);
    }
    return checks_end();
}
