/* SPDX-License-Identifier: MIT
 * What the rows before predict of a row. For width templates. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_BEFORE_H
#define FPGZ_CODEC_PRANS_MIDDLE_BEFORE_H

#include <string.h>

#include "codec/prans/middle/layout.h"
#include "codec/width.h"

enum { PIECE = 1024 }; /* values of a row that are worked on at once, in the nearest cache */

/* What the rows before predict: the sum of the added ones less that of those taken. */
INLINE WORD predicted_at(const struct middle_rows *rows, const WORD *y)
{
    WORD sum = 0;
    for (unsigned i = 0; i < rows->added; i++)
        sum = (WORD)(sum + *(y - rows->add[i]));
    for (unsigned i = 0; i < rows->taken; i++)
        sum = (WORD)(sum - *(y - rows->take[i]));
    return sum;
}

/* Predictions from the values at `y`: prediction[i + 1] is that of y[i]; prediction[0] is that of the value
 * before, 0 at the begin of a row. */
INLINE void predict(const struct middle_rows *rows, size_t at, size_t count, const WORD *y,
                    WORD *restrict prediction)
{
    prediction[0] = at ? predicted_at(rows, y - 1) : 0;
    prediction++;
    const WORD *const a = rows->added ? y - rows->add[0] : NULL;
    switch (rows->added << 2 | rows->taken) {
    case 0:
        memset(prediction, 0, count * sizeof *prediction);
        break;
    case 1 << 2:
        for (size_t i = 0; i < count; i++)
            prediction[i] = a[i];
        break;
    case 2 << 2 | 1: {
        const WORD *const b = y - rows->add[1], *const c = y - rows->take[0];
        for (size_t i = 0; i < count; i++)
            prediction[i] = (WORD)(a[i] + b[i] - c[i]);
        break;
    }
    default: {
        const WORD *const b = y - rows->add[1], *const c = y - rows->add[2], *const d = y - rows->add[3];
        const WORD *const e = y - rows->take[0], *const f = y - rows->take[1], *const g = y - rows->take[2];
        for (size_t i = 0; i < count; i++)
            prediction[i] = (WORD)(a[i] + b[i] + c[i] + d[i] - e[i] - f[i] - g[i]);
    }
    }
}

#endif
