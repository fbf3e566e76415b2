/* SPDX-License-Identifier: MIT
 * What the probe for periods does most, by CPU level. */
#ifndef FPGZ_CODEC_PRANS_PERIODIC_KERNELS_H
#define FPGZ_CODEC_PRANS_PERIODIC_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "core/cpu.h"

enum { PERIODIC_DIGITS = 7 /* of a length in bits, behind the point */ };

struct periodic_kernels {
    /* About the bits of the differences of `count` pairs of numbers, which differ by less than 2^31. */
    uint32_t (*length)(const int32_t *a, const int32_t *b, size_t count);
};

extern fpgz_kernels fpgz_prans_periodic_kernels;

#endif
