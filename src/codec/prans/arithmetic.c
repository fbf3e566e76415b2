/* SPDX-License-Identifier: MIT
 * Whether this build on this machine computes as prans' streams need it. */
#include "codec/prans/arithmetic.h"

#include <stdatomic.h>
#include <string.h>

#include "codec/prans/middle/kernels.h"
#include "core/cpu.h"

/* Operands that compilers cannot know; results are those of binary64 and binary32 with round-to-nearest-even.
 */
static volatile double one = 1, tiny = 0x1p-1074, half_ulp = 0x1p-53, above = 1 + 0x1p-27,
                       below = 1 - 0x1p-27, big = 0x1p60;
static volatile float small = 0x1p-149f, third = 1.0f / 3;

static bool rounds_each_operation(void)
{
    const double product = above * below; /* exactly 1 - 2^-54 */
    const double a = above, b = below, c = -one;
    const double unfused = a * b + c, sum = one + half_ulp, reordered = (big + one) - big;
    const float narrow = (float)(one + half_ulp * 4), scaled = third * third;
    return product == 1 && unfused == 0 && sum == 1 && one + 3 * half_ulp == 1 + 0x1p-51 && reordered == 0 &&
           narrow == 1 && scaled == 0x1.c71c74p-4f;
}

static bool keeps_subnormals(void)
{
    return tiny / 2 == 0 && tiny * one > 0 && tiny + tiny == 0x1p-1073 && small * 1.0f > 0 &&
           small + small == 0x1p-148f;
}

/* A lattice of tenths as the kernels in force restore it. */
static bool divides(void)
{
    static const double expected[] = {-1.2, -0.7, -0.1, 0, 0.1, 0.3, 1.1, 12345678.9};
    static const float narrow[] = {-1.2f, -0.7f, -0.1f, 0, 0.1f, 0.3f, 1.1f, 1234567.9f};
    static const int64_t integer[] = {-12, -7, -1, 0, 1, 3, 11, 123456789};
    static const int32_t narrow_integer[] = {-12, -7, -1, 0, 1, 3, 11, 12345679};
    const struct prans_domain tenths = {.id = PRANS_DOMAIN_LATTICE, .scale = 1, .step = 1};
    const struct prans_middle_kernels *const wide = fpgz_cpu_choose_word(fpgz_prans_middle_kernels,
                                                                         sizeof(double)),
                                             *const slim = fpgz_cpu_choose_word(fpgz_prans_middle_kernels,
                                                                                sizeof(float));
    double value[8];
    float narrow_value[8];
    wide->leave(&tenths, 0, NULL, 8, memcpy(value, integer, sizeof value));
    slim->leave(&tenths, 0, NULL, 8, memcpy(narrow_value, narrow_integer, sizeof narrow_value));
    return !memcmp(value, expected, sizeof value) && !memcmp(narrow_value, narrow, sizeof narrow);
}

bool fpgz_prans_arithmetic(void)
{
    static atomic_uint known; /* 1: it is as needed, 2: it is not */
    unsigned found = atomic_load_explicit(&known, memory_order_relaxed);
    if (!found) {
        found = rounds_each_operation() && keeps_subnormals() && divides() ? 1 : 2;
        atomic_store_explicit(&known, found, memory_order_relaxed);
    }
    return found == 1;
}
