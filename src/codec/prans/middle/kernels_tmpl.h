/* SPDX-License-Identifier: MIT
 * The middle setting's kernels for one dtype: WORD and SIGNED, NAME. Loops are written so that compilers can
 * turn them into vectors. */

/* What the rows before predict: the sum of the added ones less that of those taken. */
INLINE WORD NAME(predicted)(const struct middle_rows *rows, const WORD *y)
{
    WORD sum = 0;
    for (unsigned i = 0; i < rows->added; i++)
        sum += *(y - rows->add[i]);
    for (unsigned i = 0; i < rows->taken; i++)
        sum -= *(y - rows->take[i]);
    return sum;
}

/* Predictions from the values at `y`: prediction[i + 1] is that of y[i]; prediction[0] is that of the value
 * before, 0 at the begin of a row. */
INLINE void NAME(predict)(const struct middle_rows *rows, size_t at, size_t count, const WORD *y,
                          WORD *restrict prediction)
{
    prediction[0] = at ? NAME(predicted)(rows, y - 1) : 0;
    prediction++;
    const WORD *const a = rows->added ? y - rows->add[0] : NULL;
    switch (rows->added << 2 | rows->taken) {
    case 0:
        memset(prediction, 0, count * sizeof *prediction);
        break;
    case 1 << 2:
        memcpy(prediction, a, count * sizeof *prediction);
        break;
    case 2 << 2 | 1: {
        const WORD *const b = y - rows->add[1], *const c = y - rows->take[0];
        for (size_t i = 0; i < count; i++)
            prediction[i] = a[i] + b[i] - c[i];
        break;
    }
    default: {
        const WORD *const b = y - rows->add[1], *const c = y - rows->add[2], *const d = y - rows->add[3];
        const WORD *const e = y - rows->take[0], *const f = y - rows->take[1], *const g = y - rows->take[2];
        for (size_t i = 0; i < count; i++)
            prediction[i] = a[i] + b[i] + c[i] + d[i] - e[i] - f[i] - g[i];
    }
    }
}

/* Special values continue their row; those that begin one follow the rows before. */
static void NAME(difference)(const struct middle_rows *rows, unsigned order, size_t at, size_t count,
                             const void *values, const uint8_t *flag, void *residuals)
{
    const WORD *y = values;
    WORD *residual = residuals;
    for (size_t part; count; at += part, y += part, residual += part, count -= part) {
        WORD prediction[PIECE + 1], error[PIECE + 2];
        part = count < PIECE ? count : PIECE;
        NAME(predict)(rows, at, part, y, prediction);
        error[0] = order && at > 1 ? y[-2] - NAME(predicted)(rows, y - 2) : 0;
        error[1] = order && at ? y[-1] - prediction[0] : 0;
        for (size_t i = 0; i < part; i++)
            error[i + 2] = y[i] - prediction[i + 1];
        for (size_t i = 0; i < part; i++)
            residual[i] = order == 0   ? error[i + 2]
                          : order == 1 ? error[i + 2] - error[i + 1]
                                       : error[i + 2] - 2 * error[i + 1] + error[i];
        if (flag) {
            for (size_t i = 0; i < part; i++)
                residual[i] = flag[i] ? 0 : residual[i];
            flag += part;
        }
    }
}

static void NAME(sum)(const struct middle_rows *rows, unsigned order, size_t at, size_t count,
                      const uint8_t *flag, struct middle_carry *carry, void *values)
{
    WORD *y = values, first = (WORD)carry->first, second = (WORD)carry->second;
    for (size_t part; count; at += part, y += part, count -= part) {
        WORD prediction[PIECE + 1];
        part = count < PIECE ? count : PIECE;
        NAME(predict)(rows, at, part, y, prediction);
        if (flag) {
            for (size_t i = at == 0; i < part && order; i++)
                y[i] = flag[i] ? prediction[i] - prediction[i + 1] : y[i];
            flag += part;
        }
        if (order == 2)
            second = NAME(scan)(y, part, second);
        if (order)
            first = NAME(scan)(y, part, first);
        for (size_t i = 0; i < part; i++)
            y[i] += prediction[i + 1];
    }
    carry->first = first;
    carry->second = second;
}

static void NAME(fill)(const struct middle_rows *rows, unsigned order, size_t count, const uint8_t *flag,
                       void *values)
{
    WORD *const y = values;
    for (size_t i = 0; i < count; i++)
        if (flag[i])
            y[i] = i && order ? y[i - 1] : NAME(predicted)(rows, y + i);
}

static void NAME(leave)(const struct prans_domain *domain, size_t first, const void *integers,
                        const uint8_t *flag, size_t count, void *values)
{
    WORD *const out = values;
    NAME(values_of)(domain, first, integers, count, values);
    if (!flag)
        return;
    const WORD special[PRANS_SPECIALS + 1] = {0, (WORD)domain->special[0], (WORD)domain->special[1],
                                              (WORD)domain->special[2], (WORD)domain->special[3]};
    for (size_t i = 0; i < count; i++)
        out[i] = flag[i] ? special[flag[i]] : out[i];
}

/* log2(|residual| + 0.6) + 1.4, by the bits of a float. */
static uint64_t NAME(cost)(const void *residuals, size_t count)
{
    const SIGNED *const residual = residuals;
    uint64_t cost = 0;
    for (size_t i = 0; i < count; i++) {
        const float size = (float)residual[i];
        uint32_t bits;
        memcpy(&bits, &size, sizeof bits);
        bits &= 0x7FFFFFFF;
        float magnitude;
        memcpy(&magnitude, &bits, sizeof bits);
        magnitude += 0.6f;
        memcpy(&bits, &magnitude, sizeof bits);
        cost += (uint64_t)((int64_t)(bits >> 7) - (127 << 16));
    }
    return cost + count * (uint64_t)(1.4 * 0x10000);
}

/* Residuals with their sign as the lowest bit: below 8 they are symbols, above they are four symbols an
 * octave and raw bits. */
INLINE unsigned NAME(symbol)(WORD number)
{
    if (number < 8)
        return (unsigned)number;
    const unsigned raw = (unsigned)(8 * sizeof(long long) - 1 - 2) - (unsigned)__builtin_clzll(number);
    return 4 * raw + (unsigned)(number >> raw);
}

INLINE WORD NAME(number)(WORD residual)
{
    return residual << 1 ^ (WORD)((SIGNED)residual >> (8 * sizeof(WORD) - 1));
}

static void NAME(symbols)(const void *residuals, const uint8_t *flag, size_t count, uint8_t *restrict symbol)
{
    const WORD *const residual = residuals;
    for (size_t i = 0; i < count; i++)
        symbol[i] = (uint8_t)NAME(symbol)(NAME(number)(residual[i]));
    for (size_t i = 0; flag && i < count; i++)
        symbol[i] = flag[i] ? (uint8_t)(MIDDLE_SPECIAL - 1 + flag[i]) : symbol[i];
}

static uint8_t *NAME(raw)(const void *residuals, const uint8_t *symbol, size_t count, uint8_t *out)
{
    const WORD *const residual = residuals;
    uint64_t held = 0;
    unsigned bits = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned width = raw_bits(symbol[i]);
        const uint64_t rest = NAME(number)(residual[i]) & (((uint64_t)1 << width) - 1);
        held |= rest << bits;
        bits += width;
        if (bits >= 64) {
            fpgz_store64(out, held);
            out += 8;
            bits -= 64;
            held = bits ? rest >> (width - bits) : 0;
        }
    }
    fpgz_store64(out, held);
    return out + (bits + 7) / 8;
}
