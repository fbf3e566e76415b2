/* SPDX-License-Identifier: MIT
 * Quotients by the inverse, for levels that multiply and add at once: vectors take three times as long to
 * divide. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_QUOTIENT_FMA_H
#define FPGZ_CODEC_PRANS_DOMAIN_QUOTIENT_FMA_H

#include "core/inline.h"

/* What division gives, of a numerator that is 0 or at least 1 and a power of ten: the first correction brings
 * the product to within a unit in the last place, the second one rounds it right, as what it leaves is exact
 * (Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990). */
INLINE double quotient_of(double numerator, double divisor, double inverse)
{
    const double guess = numerator * inverse,
                 near = __builtin_fma(__builtin_fma(-guess, divisor, numerator), inverse, guess);
    return __builtin_fma(__builtin_fma(-near, divisor, numerator), inverse, near);
}

#endif
