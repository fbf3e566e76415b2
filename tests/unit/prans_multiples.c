/* SPDX-License-Identifier: MIT
 * The base of multiples with an origin is found whatever both are; random numbers have none. */
#include <string.h>

#include "../checks.h"
#include "codec/prans/parted/multiples.h"
#include "codec/prans/parted/plan.h"

enum { COUNT = 6000, TRIALS = 60 };

/* Between 1 and 2. */
static double random_real(void)
{
    return 1 + (double)(uint32_t)random_bits() * 0x1p-32 + (double)(uint32_t)random_bits() * 0x1p-52;
}

/* Integers of 14 bits that walk by up to 100 or 3, as values of `size` bytes; `slabs` have an origin each. */
static void make(size_t size, double base, unsigned slabs, void *values)
{
    double origin = 0;
    int64_t integer = 0;
    const int64_t most = random_bits() % 2 ? 100 : 3;
    for (unsigned i = 0; i < COUNT; i++) {
        if (i % (COUNT / slabs) == 0)
            origin = base * 30000 * random_real();
        integer = (integer + (int64_t)(random_bits() % (uint64_t)(2 * most + 1)) - most) % 8192;
        const double value = origin + base * (double)integer;
        const float narrow = (float)value;
        memcpy((uint8_t *)values + i * size, size == 4 ? (const void *)&narrow : (const void *)&value, size);
    }
}

/* The best plan's multiple of the base, 0 where it has none. */
static double planned(size_t size, double base, const void *values)
{
    static const uint8_t marks[COUNT];
    struct prans_plan plan[PRANS_PLANS];
    const unsigned plans = fpgz_prans_plan(values, marks, COUNT, size, 8.0 * (double)size, false, plan);
    for (unsigned i = 0; i < plans; i++) {
        const double multiple = plan[i].parts.base / base;
        if (plan[i].parts.parting == PRANS_PARTED_PRODUCT && multiple > 0.9995 && multiple < 1.0005)
            return multiple;
    }
    return 0;
}

static void test_origins(size_t size, unsigned slabs)
{
    static double values[COUNT];
    const double base = random_real() * 0x1p-7;
    make(size, base, slabs, values);
    const double multiple = planned(size, base, values);
    check_that(multiple > 0, "%u slabs of %u bytes a value: %a is not found", slabs, (unsigned)size, base);
}

static void test_none(void)
{
    struct parted_gaps steps = {.count = 0};
    double real[PARTED_SAMPLES];
    for (unsigned i = 0; i < PARTED_SAMPLES; i++)
        real[i] = random_real();
    for (unsigned i = 1; i < PARTED_SAMPLES; i++)
        fpgz_prans_add_gap(real[i - 1], real[i], 52, &steps);
    CHECK(!(fpgz_prans_step(&steps, 0x1p-52, PARTED_LEAST, real, PARTED_SAMPLES) > 0));
    steps.count = 0;
    CHECK(!(fpgz_prans_step(&steps, 0x1p-52, PARTED_LEAST, real, PARTED_SAMPLES) > 0));
}

int main(void)
{
    for (unsigned i = 0; i < TRIALS; i++) {
        test_origins(4, 1);
        test_origins(8, 1);
        test_origins(4, 5);
        test_origins(8, 5);
        test_none();
    }
    return checks_end();
}
