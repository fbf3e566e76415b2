/* SPDX-License-Identifier: MIT
 * Quotients as all CPU levels have them. For width templates; restore.h uses this, or quotient_fma.h. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_QUOTIENT_H
#define FPGZ_CODEC_PRANS_DOMAIN_QUOTIENT_H

#include "core/inline.h"

INLINE double quotient_of(double numerator, double divisor, double inverse)
{
    (void)inverse;
    return numerator / divisor;
}

#endif
