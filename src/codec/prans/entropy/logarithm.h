/* SPDX-License-Identifier: MIT
 * Binary logarithms of counts, for what is only estimated. C and C++ read this header. */
#ifndef FPGZ_CODEC_PRANS_ENTROPY_LOGARITHM_H
#define FPGZ_CODEC_PRANS_ENTROPY_LOGARITHM_H

#include <stdint.h>

/* Of 1 + i / 64 in 2^-20, for i from 0 to 64. */
#define PRANS_LOGARITHMS                                                                                     \
    0, 23454, 46551, 69300, 91711, 113796, 135563, 157021, 178179, 199045, 219628, 239934, 259971, 279746,   \
        299266, 318537, 337566, 356359, 374920, 393257, 411375, 429278, 446971, 464460, 481749, 498843,      \
        515745, 532461, 548995, 565349, 581529, 597537, 613378, 629054, 644570, 659928, 675132, 690185,      \
        705089, 719848, 734464, 748941, 763280, 777484, 791557, 805500, 819315, 833005, 846573, 860020,      \
        873348, 886561, 899658, 912644, 925518, 938284, 950944, 963498, 975949, 988298, 1000547, 1012698,    \
        1024752, 1036711, 1048576

/* The logarithm of `number` (at least 1) in 2^-16, at most three of these too small: the table's, with lines
 * between. */
static inline uint32_t fpgz_prans_log2(uint32_t number)
{
    static const uint32_t table[] = {PRANS_LOGARITHMS};
    const unsigned top = 31 - (unsigned)__builtin_clz(number);
    const uint32_t mantissa = number << (31 - top) << 1, *const at = &table[mantissa >> 26];
    return (top << 16) + ((at[0] + ((at[1] - at[0]) * (mantissa << 6 >> 16) >> 16)) >> 4);
}

#endif
