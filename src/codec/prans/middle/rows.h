/* SPDX-License-Identifier: MIT
 * The middle setting's kernels but for the entropy coder and sums (sums*.h), which each level has of its own:
 * it defines what is declared here. Loops are written so that compilers can turn them into vectors. For width
 * templates. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_ROWS_H
#define FPGZ_CODEC_PRANS_MIDDLE_ROWS_H

#include "codec/prans/domain/restore.h"
#include "codec/prans/entropy/raw_bits.h"
#include "codec/prans/middle/before.h"
#include "codec/prans/middle/blocks.h"
#include "codec/prans/middle/step.h"

/* As struct prans_middle_kernels has them. */
static uint8_t *words(middle_code (*codes)[PRANS_SYMBOLS], const uint8_t *ids, const uint8_t *symbol,
                      size_t blocks, uint8_t *end);
static bool decode(const struct middle_source *source, void *residuals, uint8_t *flag);
static bool unpack(const struct middle_source *source, unsigned segments, uint8_t *symbol);

/* Special values continue their row; those that begin one follow the rows before. */
static void difference(const struct middle_rows *rows, unsigned order, size_t at, size_t count,
                       const void *values, const uint8_t *flag, void *residuals)
{
    const WORD *y = values;
    WORD *residual = residuals;
    for (size_t part; count; at += part, y += part, residual += part, count -= part) {
        WORD prediction[PIECE + 1], error[PIECE + 2];
        part = count < PIECE ? count : PIECE;
        predict(rows, at, part, y, prediction);
        error[0] = order && at > 1 ? y[-2] - predicted_at(rows, y - 2) : 0;
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

static void sum(const struct middle_rows *rows, unsigned order, size_t at, size_t count, const uint8_t *flag,
                struct middle_carry *carry, void *values)
{
    WORD *y = values, first = (WORD)carry->first, second = (WORD)carry->second;
    for (size_t part; count; at += part, y += part, count -= part) {
        WORD prediction[PIECE + 1];
        part = count < PIECE ? count : PIECE;
        predict(rows, at, part, y, prediction);
        if (flag) {
            for (size_t i = at == 0; i < part && order; i++)
                y[i] = flag[i] ? prediction[i] - prediction[i + 1] : y[i];
            flag += part;
        }
        if (order == 2)
            second = scan(y, part, second);
        if (order)
            first = scan(y, part, first);
        for (size_t i = 0; i < part; i++)
            y[i] += prediction[i + 1];
    }
    carry->first = first;
    carry->second = second;
}

static void fill(const struct middle_rows *rows, unsigned order, size_t count, const uint8_t *flag,
                 void *values)
{
    WORD *const y = values;
    for (size_t i = 0; i < count; i++)
        if (flag[i])
            y[i] = i && order ? y[i - 1] : predicted_at(rows, y + i);
}

static void leave(const struct prans_domain *domain, size_t first, const uint8_t *flag, size_t count, void *y)
{
    values_of(domain, first, count, y);
    if (flag)
        put_specials(domain->special, domain->specials, flag, count, y);
}

/* log2(|residual| + 0.6) + 1.4, by the bits of a float. */
static uint64_t cost_of(const void *residuals, size_t count)
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
INLINE unsigned symbol_of(WORD number)
{
    if (number < 8)
        return (unsigned)number;
    const unsigned raw = (unsigned)(8 * sizeof(long long) - 1 - 2) - (unsigned)__builtin_clzll(number);
    return 4 * raw + (unsigned)(number >> raw);
}

INLINE WORD number_of(WORD residual)
{
    return residual << 1 ^ (WORD)((SIGNED)residual >> (WORD_BITS - 1));
}

static void symbols_of(const void *residuals, const uint8_t *flag, size_t count, uint8_t *restrict symbol)
{
    const WORD *const residual = residuals;
    for (size_t i = 0; i < count; i++)
        symbol[i] = (uint8_t)symbol_of(number_of(residual[i]));
    for (size_t i = 0; flag && i < count; i++)
        symbol[i] = flag[i] ? (uint8_t)(MIDDLE_SPECIAL - 1 + flag[i]) : symbol[i];
}

static uint8_t *write_raw(const void *residuals, const uint8_t *symbol, size_t count, uint8_t *out)
{
    const WORD *const residual = residuals;
    struct prans_raw_bits raw = {out, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const unsigned width = raw_bits(symbol[i]);
        raw_bits_add(&raw, number_of(residual[i]) & (((uint64_t)1 << width) - 1), width);
    }
    return raw_bits_end(&raw);
}

#define PRANS_MIDDLE_KERNELS                                                                                 \
    {                                                                                                        \
        .difference = difference, .sum = sum, .cost = cost_of, .fill = fill, .leave = leave,                 \
        .symbols = symbols_of, .raw = write_raw, .sizes = block_sizes, .count = count_blocks,                \
        .assign = assign_blocks, .words = words, .decode = decode, .unpack = unpack                          \
    }

#endif
