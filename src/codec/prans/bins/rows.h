/* SPDX-License-Identifier: MIT
 * Differences along rows and their sums, of words of one width. Loops are written so that compilers can turn
 * them into vectors. For width templates. */
#ifndef FPGZ_CODEC_PRANS_BINS_ROWS_H
#define FPGZ_CODEC_PRANS_BINS_ROWS_H

#include "codec/prans/bins/kernels.h"
#include "codec/prans/domain/place.h"
#include "codec/prans/middle/before.h"
#include "core/bytes.h"

enum { BEFORE = BINS_ORDERS - 1 /* values that a difference looks back */ };

/* Differences of order `order` of errors that stand behind BEFORE others. */
INLINE void differ(unsigned order, size_t count, const WORD *error, WORD *restrict residual)
{
    for (size_t i = 0; i < count; i++) {
        const WORD *const e = error + i;
        residual[i] =
            (WORD)(order == 0   ? e[7] + 0u
                   : order == 1 ? e[7] - 1u * e[6]
                   : order == 2 ? e[7] - 2u * e[6] + e[5]
                   : order == 3 ? e[7] - 3u * e[6] + 3u * e[5] - e[4]
                   : order == 4 ? e[7] - 4u * e[6] + 6u * e[5] - 4u * e[4] + e[3]
                   : order == 5 ? e[7] - 5u * e[6] + 10u * e[5] - 10u * e[4] + 5u * e[3] - e[2]
                   : order == 6 ? e[7] - 6u * e[6] + 15u * e[5] - 20u * e[4] + 15u * e[3] - 6u * e[2] + e[1]
                                : e[7] - 7u * e[6] + 21u * e[5] - 35u * e[4] + 35u * e[3] - 21u * e[2] +
                                      7u * e[1] - e[0]);
    }
}

INLINE void differ_by(unsigned order, size_t count, const WORD *error, WORD *restrict residual)
{
    switch (order) {
    case 0:
        differ(0, count, error, residual);
        break;
    case 1:
        differ(1, count, error, residual);
        break;
    case 2:
        differ(2, count, error, residual);
        break;
    case 3:
        differ(3, count, error, residual);
        break;
    case 4:
        differ(4, count, error, residual);
        break;
    case 5:
        differ(5, count, error, residual);
        break;
    case 6:
        differ(6, count, error, residual);
        break;
    default:
        differ(7, count, error, residual);
    }
}

/* What is left of the values at `y` by the rows before. */
INLINE void find_errors(const struct middle_rows *rows, size_t count, const WORD *y, WORD *restrict error)
{
    const WORD *const a = y - rows->add[0];
    if (rows->added == 1) {
        for (size_t i = 0; i < count; i++)
            error[i] = (WORD)(y[i] - a[i]);
    } else if (rows->added == 2) {
        const WORD *const b = y - rows->add[1], *const c = y - rows->take[0];
        for (size_t i = 0; i < count; i++)
            error[i] = (WORD)(y[i] - a[i] - b[i] + c[i]);
    } else {
        const WORD *const b = y - rows->add[1], *const c = y - rows->add[2], *const d = y - rows->add[3],
                          *const e = y - rows->take[0], *const f = y - rows->take[1],
                          *const g = y - rows->take[2];
        for (size_t i = 0; i < count; i++)
            error[i] = (WORD)(y[i] - a[i] - b[i] - c[i] - d[i] + e[i] + f[i] + g[i]);
    }
}

static void difference(const struct middle_rows *rows, unsigned order, size_t at, size_t count,
                       const void *values, const uint8_t *flag, void *residuals)
{
    const WORD *y = values;
    WORD *residual = residuals;
    for (size_t part; count; at += part, y += part, residual += part, count -= part) {
        WORD error[PIECE + BEFORE];
        part =
            fpgz_min(count, rows->added || at >= BEFORE ? PIECE : BEFORE); /* BEFORE: nothing stands before */
        if (rows->added && !order) {
            find_errors(rows, part, y, residual);
        } else if (!rows->added && at >= BEFORE) {
            differ_by(order, part, y - BEFORE, residual);
        } else {
            for (size_t b = 1; b <= BEFORE; b++)
                error[BEFORE - b] = b <= order && b <= at ? (WORD)(*(y - b) - predicted_at(rows, y - b)) : 0;
            if (rows->added)
                find_errors(rows, part, y, error + BEFORE);
            else
                memcpy(error + BEFORE, y, part * sizeof *y);
            differ_by(order, part, error, residual);
        }
        if (flag) {
            for (size_t i = 0; i < part; i++)
                residual[i] = flag[i] ? 0 : residual[i];
            flag += part;
        }
    }
}

/* Residuals of special values, if the order is 1: they continue their row. */
INLINE void continue_row(const uint8_t *flag, size_t at, size_t count, const WORD *prediction, WORD *y)
{
    for (size_t i = at == 0; i < count; i++) {
        const WORD next = (WORD)(prediction[i] - prediction[i + 1]);
        y[i] = flag[i] ? next : y[i];
    }
}

/* The same where the row before at `a` predicts. */
INLINE void continue_by_one(const uint8_t *restrict flag, size_t at, size_t count, const WORD *restrict a,
                            WORD *restrict y)
{
    for (size_t i = at == 0; i < count; i++) { /* without a branch for compilers to make of it */
        const WORD marked = (WORD) - (WORD)(flag[i] != 0);
        y[i] = (WORD)((y[i] & ~marked) | ((WORD)(a[(ptrdiff_t)i - 1] - a[i]) & marked));
    }
}

INLINE void add_up(unsigned order, size_t count, struct bins_carry *carry, WORD *y)
{
    for (unsigned o = 0; o < order; o++)
        carry->sum[o] = scan(y, count, (WORD)carry->sum[o]);
}

/* Adds what one row before predicts, which is at least as far away as `count` words, or what three do. */
INLINE void add_one(size_t count, const WORD *restrict a, WORD *restrict y)
{
    for (size_t i = 0; i < count; i++)
        y[i] = (WORD)(y[i] + a[i]);
}

INLINE void add_three(size_t count, const WORD *restrict a, const WORD *restrict b, const WORD *restrict c,
                      WORD *restrict y)
{
    for (size_t i = 0; i < count; i++)
        y[i] = (WORD)(y[i] + a[i] + b[i] - c[i]);
}

static void sum(const struct middle_rows *rows, unsigned order, size_t at, size_t count, const uint8_t *flag,
                struct bins_carry *carry, void *values)
{
    WORD *y = values;
    for (size_t part; count; at += part, y += part, count -= part) {
        part = count < PIECE ? count : PIECE;
        const bool continues = flag && order == 1;
        if (rows->added < 2 || (rows->added == 2 && !continues)) {
            if (rows->added && continues)
                continue_by_one(flag, at, part, y - rows->add[0], y);
            flag = flag ? flag + part : NULL;
            add_up(order, part, carry, y);
            if (rows->added == 1)
                add_one(part, y - rows->add[0], y);
            else if (rows->added)
                add_three(part, y - rows->add[0], y - rows->add[1], y - rows->take[0], y);
            continue;
        }
        WORD prediction[PIECE + 1];
        predict(rows, at, part, y, prediction);
        if (continues)
            continue_row(flag, at, part, prediction, y);
        flag = flag ? flag + part : NULL;
        add_up(order, part, carry, y);
        for (size_t i = 0; i < part; i++)
            y[i] = (WORD)(y[i] + prediction[i + 1]);
    }
}

/* Values from y[i] on, as long as flags mark them, get their predictions and what errors of the values before
 * add to these. Returns where they end. */
INLINE size_t fill_run(const struct middle_rows *rows, unsigned order, size_t i, size_t count,
                       const uint8_t *flag, WORD *y)
{
    const int8_t *const weights = bins_weights(order);
    uint64_t error[BEFORE] = {0}; /* the last one first */
    for (size_t b = 1; b <= order && b <= i; b++)
        error[b - 1] = (WORD)(y[i - b] - predicted_at(rows, y + i - b));
    for (; i < count && flag[i]; i++) {
        uint64_t next = 0;
        for (unsigned b = 0; b < BEFORE; b++)
            next -= (uint64_t)weights[b] * error[b];
        y[i] = (WORD)(predicted_at(rows, y + i) + next);
        for (unsigned b = BEFORE; --b > 0;)
            error[b] = error[b - 1];
        error[0] = next;
    }
    return i;
}

/* Without differences along the row, rows before tell all. */
INLINE void fill_from_rows(const struct middle_rows *rows, size_t count, const uint8_t *flag, WORD *y)
{
    for (size_t at = 0, part; at < count; at += part) {
        WORD prediction[PIECE + 1];
        part = count - at < PIECE ? count - at : PIECE;
        predict(rows, at, part, y + at, prediction);
        for (size_t i = 0; i < part; i++)
            y[at + i] = flag[at + i] ? prediction[i + 1] : y[at + i];
    }
}

/* Without a branch a value, which could not be foreseen; of eight that are alike at once. */
INLINE void fill_from_last(const uint8_t *flag, size_t count, WORD last, WORD *y)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    for (size_t i = 0; i < count; i++) {
        for (; i + 9 <= count; i += 8) {
            const uint64_t flags = fpgz_load64(flag + i);
            if (!flags)
                last = y[i + 7];
            else if ((flags - ones) & ~flags & tops) /* some are 0 */
                break;
            else
                for (size_t k = 0; k < 8; k++)
                    y[i + k] = last;
        }
        const WORD stays = (WORD) - (WORD)(flag[i] != 0);
        y[i] = last = (WORD)((last & stays) | (y[i] & ~stays));
    }
}

static void fill(const struct middle_rows *rows, unsigned order, size_t count, const uint8_t *flag,
                 void *values)
{
    WORD *const y = values;
    if (order == 1)
        fill_from_last(flag, count, count && flag[0] ? predicted_at(rows, y) : 0, y);
    else if (order == 0)
        fill_from_rows(rows, count, flag, y);
    else
        for (size_t i = 0; i < count; i++)
            if (flag[i])
                i = fill_run(rows, order, i, count, flag, y);
}

/* Words that do not count become the least and the most that there can be. */
INLINE void widen(const WORD *y, const uint8_t *flag, size_t count, WORD bias, WORD *least, WORD *most)
{
    WORD low = *least, high = *most;
    for (size_t i = 0; i < count; i++) {
        const WORD word = y[i] ^ bias, absent = (WORD) - (WORD)(flag && flag[i]);
        const WORD upper = word | absent, lower = word & (WORD)~absent;
        low = upper < low ? upper : low;
        high = lower > high ? lower : high;
    }
    *least = low;
    *most = high;
}

static bool range(const void *values, const uint8_t *flag, size_t count, uint64_t bias, uint64_t *least,
                  uint64_t *most)
{
    WORD low = (WORD) ~(WORD)0, high = 0;
    if (flag)
        widen(values, flag, count, (WORD)bias, &low, &high);
    else
        widen(values, NULL, count, (WORD)bias, &low, &high);
    *least = low;
    *most = high;
    return low <= high;
}

#endif
