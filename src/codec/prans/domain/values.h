/* SPDX-License-Identifier: MIT
 * What restore.h takes from its CPU level, in plain C: quotients, and ranks looked up. For width templates.
 */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_VALUES_H
#define FPGZ_CODEC_PRANS_DOMAIN_VALUES_H

#include <stddef.h>

#include "codec/width.h"

INLINE double quotient_of(double numerator, double divisor, double inverse)
{
    (void)inverse;
    return numerator / divisor;
}

INLINE void look_up_ranks(const WORD *dictionary, WORD last, size_t count, WORD *y)
{
    for (size_t i = 0; i < count; i++)
        y[i] = dictionary[y[i] < last ? y[i] : last];
}

#endif
