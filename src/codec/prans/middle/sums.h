/* SPDX-License-Identifier: MIT
 * Running sums in plain C. For width templates. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_SUMS_H
#define FPGZ_CODEC_PRANS_MIDDLE_SUMS_H

#include <stddef.h>

#include "codec/width.h"

/* Makes y its running sums, which begin with `sum`. Returns the last one. */
INLINE WORD scan(WORD *y, size_t count, WORD sum)
{
    for (size_t i = 0; i < count; i++)
        y[i] = sum = (WORD)(sum + y[i]);
    return sum;
}

#endif
