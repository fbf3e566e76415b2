/* SPDX-License-Identifier: MIT
 * Kernels of the format of bins in plain C, for words of one width. Loops are written so that compilers can
 * turn them into vectors. */
#include "codec/prans/bins/kernels.h"
#include "codec/prans/domain/place.h"
#include "codec/prans/entropy/raw_bits.h"
#include "codec/prans/middle/before.h"
#include "core/bytes.h"

/* Differences of order `order` of values that stand behind BINS_ORDERS - 1 others, in place. */
INLINE void differ(unsigned order, size_t count, WORD *error)
{
    for (unsigned o = 0; o < order; o++)
        for (size_t i = count + BINS_ORDERS - 1; i-- > o + 1;)
            error[i] = (WORD)(error[i] - error[i - 1]);
}

static void difference(const struct middle_rows *rows, unsigned order, size_t at, size_t count,
                       const void *values, const uint8_t *flag, void *residuals)
{
    enum { BEFORE = BINS_ORDERS - 1 };
    const WORD *y = values;
    WORD *residual = residuals;
    for (size_t part; count; at += part, y += part, residual += part, count -= part) {
        WORD prediction[PIECE + 1], error[PIECE + BEFORE];
        part = count < PIECE ? count : PIECE;
        predict(rows, at, part, y, prediction);
        for (size_t b = 1; b <= BEFORE; b++)
            error[BEFORE - b] = b <= order && b <= at ? (WORD)(*(y - b) - predicted_at(rows, y - b)) : 0;
        for (size_t i = 0; i < part; i++)
            error[i + BEFORE] = (WORD)(y[i] - prediction[i + 1]);
        differ(order, part, error);
        memcpy(residual, error + BEFORE, part * sizeof *residual);
        if (flag) {
            for (size_t i = 0; i < part; i++)
                residual[i] = flag[i] ? 0 : residual[i];
            flag += part;
        }
    }
}

static void sum(const struct middle_rows *rows, unsigned order, size_t at, size_t count, const uint8_t *flag,
                struct bins_carry *carry, void *values)
{
    WORD *y = values;
    for (size_t part; count; at += part, y += part, count -= part) {
        WORD prediction[PIECE + 1];
        part = count < PIECE ? count : PIECE;
        predict(rows, at, part, y, prediction);
        if (flag) {
            for (size_t i = at == 0; i < part && order == 1; i++)
                y[i] = flag[i] ? (WORD)(prediction[i] - prediction[i + 1]) : y[i];
            flag += part;
        }
        for (unsigned o = 0; o < order; o++) {
            WORD all = (WORD)carry->sum[o];
            for (size_t i = 0; i < part; i++)
                y[i] = all = (WORD)(all + y[i]);
            carry->sum[o] = all;
        }
        for (size_t i = 0; i < part; i++)
            y[i] = (WORD)(y[i] + prediction[i + 1]);
    }
}

static void fill(const struct middle_rows *rows, unsigned order, size_t count, const uint8_t *flag,
                 void *values)
{
    WORD *const y = values, before[BINS_ORDERS - 1] = {0}; /* errors of the values before, the latest first */
    static const int8_t weights[BINS_ORDERS][BINS_ORDERS - 1] = {
        {0, 0, 0, 0}, {1, 0, 0, 0}, {2, -1, 0, 0}, {3, -3, 1, 0}, {4, -6, 4, -1}};
    const int8_t *const weight = weights[order];
    for (size_t i = 0; i < count; i++) {
        const WORD predicted = predicted_at(rows, y + i);
        uint64_t error = 0;
        for (unsigned b = 0; b < BINS_ORDERS - 1; b++)
            error += (uint64_t)(int64_t)weight[b] * before[b];
        if (flag[i])
            y[i] = order == 1 && i ? y[i - 1] : (WORD)(predicted + error);
        for (unsigned b = BINS_ORDERS - 1; b-- > 1;)
            before[b] = before[b - 1];
        before[0] = (WORD)(y[i] - predicted);
    }
}

static bool range(const void *values, const uint8_t *flag, size_t count, uint64_t bias, uint64_t *least,
                  uint64_t *most)
{
    const WORD *const y = values;
    WORD low = (WORD) ~(WORD)0, high = 0;
    for (size_t i = 0; i < count; i++) {
        const WORD word = y[i] ^ (WORD)bias;
        const bool counts = !flag || !flag[i];
        low = counts && word < low ? word : low;
        high = counts && word > high ? word : high;
    }
    *least = low;
    *most = high;
    return low <= high;
}

/* The class of a magnitude: its own below 16, then eight an octave. */
INLINE unsigned magnitude_class(uint64_t magnitude)
{
    const unsigned raw = 60 - (unsigned)__builtin_clzll(magnitude | 8);
    return 8 * raw + (unsigned)(magnitude >> raw);
}

INLINE unsigned class_about_zero(WORD word)
{
    enum { ZERO = 8 * WORD_BITS - 24 };
    const bool negative = word >> (WORD_BITS - 1);
    const unsigned class = magnitude_class(negative ? (WORD)-word : word);
    return negative ? ZERO - class : ZERO + class;
}

/* Special values may have any word: they count as the last class of equal ones. */
INLINE unsigned class_of(const struct bins_grid *grid, WORD word)
{
    if (!grid->equal)
        return class_about_zero(word);
    const WORD class = (WORD)((WORD)(word - (WORD)grid->first) >> grid->shift);
    return class < grid->count ? (unsigned)class : grid->count - 1;
}

static uint32_t class_of_word(const struct bins_grid *grid, uint64_t word)
{
    return class_of(grid, (WORD)word);
}

static void count_classes(const struct bins_grid *grid, const void *words, const uint8_t *flag, size_t count,
                          uint32_t *histogram)
{
    const WORD *const word = words;
    for (size_t i = 0; i < count; i++)
        histogram[class_of(grid, word[i])]++;
    for (size_t i = 0; flag && i < count; i++)
        if (flag[i])
            histogram[class_of(grid, word[i])]--;
}

static void symbols_of(const struct bins_grid *grid, const uint8_t *map, const void *words,
                       const uint8_t *flag, unsigned special, size_t count, uint8_t *restrict symbol)
{
    const WORD *const word = words;
    for (size_t i = 0; i < count; i++)
        symbol[i] = map[class_of(grid, word[i])];
    for (size_t i = 0; flag && i < count; i++)
        symbol[i] = flag[i] ? (uint8_t)(special - 1 + flag[i]) : symbol[i];
}

static void find_heavy(const uint64_t *heavy, unsigned heavies, const void *words, const uint8_t *flag,
                       size_t count, unsigned first, uint8_t *symbol, uint32_t *times)
{
    enum { SLOT_BITS = 8, SLOTS = 1 << SLOT_BITS };
    const WORD *const word = words;
    uint8_t slot[SLOTS] = {0}; /* the number in the list + 1 */
    for (unsigned h = 0; h < heavies; h++) {
        unsigned at = (unsigned)(heavy[h] * UINT64_C(0x9E3779B97F4A7C15) >> (64 - SLOT_BITS));
        while (slot[at])
            at = (at + 1) % SLOTS;
        slot[at] = (uint8_t)(h + 1);
        times[h] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        unsigned at = (unsigned)((uint64_t)word[i] * UINT64_C(0x9E3779B97F4A7C15) >> (64 - SLOT_BITS));
        while (slot[at] && (WORD)heavy[slot[at] - 1] != word[i])
            at = (at + 1) % SLOTS;
        if (!slot[at] || (flag && flag[i]))
            continue;
        symbol[i] = (uint8_t)(first + slot[at] - 1);
        times[slot[at] - 1]++;
    }
}

static uint8_t *write_raw(const struct bins_symbols *symbols, const void *words, const uint8_t *symbol,
                          size_t count, uint8_t *out)
{
    const WORD *const word = words;
    struct prans_raw_bits raw = {out, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const unsigned width = symbols->width[symbol[i]];
        raw_bits_add(&raw, width ? (WORD)(word[i] - (WORD)symbols->low[symbol[i]]) : 0, width);
    }
    return raw_bits_end(&raw);
}

static bool words_of(const struct bins_symbols *symbols, const uint8_t *symbol, size_t count,
                     struct bins_raw *raw, void *words)
{
    WORD *const word = words;
    uint64_t bit = raw->bit;
    const uint64_t end = (uint64_t)(raw->end - raw->at) * 8;
    for (size_t begin = 0; begin < count; begin += MIDDLE_BLOCK) {
        const size_t block_end = fpgz_min(begin + MIDDLE_BLOCK, count);
        if (bit > end)
            return false;
        for (size_t i = begin; i < block_end; i++) {
            const unsigned width = symbols->width[symbol[i]];
            const uint8_t *const at = raw->at + bit / 8;
            uint64_t rest = fpgz_load64(at) >> bit % 8;
            if (WORD_BITS == 64 && width > 57)
                rest |= (uint64_t)at[8] << (63 - bit % 8) << 1;
            rest &= ((uint64_t)1 << (width & 63)) - 1 - (width >> 6);
            word[i] = (WORD)(symbols->low[symbol[i]] + rest);
            bit += width;
        }
    }
    raw->bit = bit;
    return bit <= end;
}

const struct prans_bins_kernels WIDTH(fpgz_prans_bins_c) = {
    .difference = difference,
    .sum = sum,
    .fill = fill,
    .range = range,
    .class_of = class_of_word,
    .count = count_classes,
    .symbols = symbols_of,
    .heavy = find_heavy,
    .raw = write_raw,
    .words = words_of,
};
