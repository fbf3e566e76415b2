/* SPDX-License-Identifier: MIT
 * The reference, which each CPU level compiles with its own flags and uses where it has nothing better. */
#ifndef FPGZ_CODEC_PREDICT_KERNELS_H
#define FPGZ_CODEC_PREDICT_KERNELS_H

#include <string.h>

#include "codec/predict/predict.h"
#include "codec/width.h"

#if FPGZ_BITS == 32
#include "codec/predict/kernels_f32.h"
#else
#include "codec/predict/kernels_f64.h"
#endif

/* The prefixes of 8 values: as many whole bytes as a prefix has bits (2 to 4). Three bytes are loaded in
 * two steps: a load of four bytes from a copy would wait for the copy's stores. */
INLINE uint32_t load_octet(const uint8_t *prefixes, unsigned bits)
{
    const uint32_t low = fpgz_load16(prefixes);
    return bits == 2 ? low : bits == 3 ? low | (uint32_t)prefixes[2] << 16 : fpgz_load32(prefixes);
}

INLINE void store_octet(uint8_t *prefixes, uint32_t octet, unsigned bits)
{
    fpgz_store16(prefixes, (uint16_t)octet);
    if (bits == 3)
        prefixes[2] = (uint8_t)(octet >> 16);
    if (bits == 4)
        fpgz_store32(prefixes, octet);
}

enum { WORD_BYTES = sizeof(WORD) };

/* Keeps the low `bytes` bytes of the word. There are two shifts, since one by all bits is undefined. */
INLINE WORD low_bytes(WORD word, unsigned bytes)
{
    const unsigned shift = 4 * (WORD_BYTES - bytes);
    return word & ((WORD)-1 >> shift >> shift);
}

/* Packs up to a group, whose prefixes are octets. Residuals are stored as whole words: the next one
 * overwrites the bytes that do not count. */
INLINE uint8_t *pack_group(const WORD *values, const WORD *predicted, unsigned count, unsigned large,
                           uint8_t *prefixes, uint8_t *residuals)
{
    const unsigned bits = PREFIX_BITS + large;
    for (unsigned first = 0; first < count; first += 8, prefixes += bits) {
        uint32_t octet = 0;
        for (unsigned i = first; i < count && i < first + 8; i++) {
            const WORD difference = values[i] ^ predicted[i];
            const unsigned zeros = (unsigned)CLZ(difference | 1) / 8 + (large & !difference);
            octet |= (uint32_t)zeros << (bits * (i - first));
            STORE(residuals, difference);
            residuals += WORD_BYTES - zeros;
        }
        store_octet(prefixes, octet, bits);
    }
    return residuals;
}

INLINE const uint8_t *unpack_group(const uint8_t *prefixes, const uint8_t *residuals, const WORD *predicted,
                                   WORD *values, unsigned count, unsigned large)
{
    const unsigned bits = PREFIX_BITS + large;
    for (unsigned first = 0; first < count; first += 8, prefixes += bits) {
        uint32_t octet = load_octet(prefixes, bits);
        for (unsigned i = first; i < count && i < first + 8; i++, octet >>= bits) {
            const unsigned zeros = octet & ((1u << bits) - 1);
            if (large && zeros > WORD_BYTES)
                return NULL;
            values[i] = low_bytes(LOAD(residuals), WORD_BYTES - zeros) ^ predicted[i];
            residuals += WORD_BYTES - zeros;
        }
    }
    return residuals;
}

/* Packs the values from `done` on, where a group starts. The last group's prefixes may end within an
 * octet. */
INLINE uint8_t *pack_rest(const WORD *values, const WORD *predicted, size_t done, size_t count,
                          unsigned large, uint8_t *prefixes, uint8_t *residuals)
{
    const unsigned bits = PREFIX_BITS + large;
    size_t i = done;
    for (; i + PREDICT_GROUP <= count; i += PREDICT_GROUP)
        residuals =
            pack_group(values + i, predicted + i, PREDICT_GROUP, large, prefixes + i / 8 * bits, residuals);
    if (i < count) {
        const unsigned left = (unsigned)(count - i);
        uint8_t last[PREDICT_GROUP / 2] = {0};
        residuals = pack_group(values + i, predicted + i, left, large, last, residuals);
        memcpy(prefixes + i / 8 * bits, last, (left * bits + 31) / 32 * 4);
    }
    return residuals;
}

/* The end is checked before each group, so loads reach at most a group's bytes beyond it. */
INLINE const uint8_t *unpack_rest(const uint8_t *prefixes, const uint8_t *residuals, const uint8_t *end,
                                  const WORD *predicted, WORD *values, size_t done, size_t count,
                                  unsigned large)
{
    const unsigned bits = PREFIX_BITS + large;
    size_t i = done;
    for (; i + PREDICT_GROUP <= count && residuals && residuals <= end; i += PREDICT_GROUP)
        residuals =
            unpack_group(prefixes + i / 8 * bits, residuals, predicted + i, values + i, PREDICT_GROUP, large);
    if (i < count && residuals && residuals <= end) {
        const unsigned left = (unsigned)(count - i);
        uint8_t last[PREDICT_GROUP / 2] = {0};
        memcpy(last, prefixes + i / 8 * bits, (left * bits + 31) / 32 * 4);
        residuals = unpack_group(last, residuals, predicted + i, values + i, left, large);
    }
    return residuals && residuals <= end ? residuals : NULL;
}

/* The four kernels, for levels that have no better ones. */
#define UNUSED __attribute__((unused))

UNUSED static uint8_t *pack_small(const void *values, const void *predicted, size_t count, uint8_t *prefixes,
                                  uint8_t *residuals)
{
    return pack_rest(values, predicted, 0, count, 0, prefixes, residuals);
}

UNUSED static uint8_t *pack_large(const void *values, const void *predicted, size_t count, uint8_t *prefixes,
                                  uint8_t *residuals)
{
    return pack_rest(values, predicted, 0, count, 1, prefixes, residuals);
}

UNUSED static const uint8_t *unpack_small(const uint8_t *prefixes, const uint8_t *residuals,
                                          const uint8_t *end, const void *predicted, void *values,
                                          size_t count)
{
    return unpack_rest(prefixes, residuals, end, predicted, values, 0, count, 0);
}

UNUSED static const uint8_t *unpack_large(const uint8_t *prefixes, const uint8_t *residuals,
                                          const uint8_t *end, const void *predicted, void *values,
                                          size_t count)
{
    return unpack_rest(prefixes, residuals, end, predicted, values, 0, count, 1);
}

/* A weighted sum modulo 2^W. */
static void predict_linear(const void *before, size_t stride, unsigned points, const int32_t *weights,
                           size_t count, void *predicted)
{
    WORD *const sum = predicted;
    memset(sum, 0, count * sizeof *sum);
    for (unsigned point = 0; point < points; point++) {
        const WORD *const row = (const WORD *)before - point * stride;
        for (size_t i = 0; i < count; i++)
            sum[i] += (WORD)weights[point] * row[i];
    }
}

/* The element of rank points/2 (from 0) in signed order, by a selection sort that ends there, in step for
 * all values of the tile. */
static void predict_median(const void *before, size_t stride, unsigned points, const int32_t *weights,
                           size_t count, void *predicted)
{
    (void)weights;
    SIGNED sorted[PREDICT_POINTS][PREDICT_TILE];
    for (unsigned point = 0; point < points; point++)
        memcpy(sorted[point], (const WORD *)before - point * stride, count * sizeof(WORD));
    for (unsigned low = 0; low <= points / 2; low++)
        for (unsigned high = low + 1; high < points; high++)
            for (size_t i = 0; i < count; i++) {
                const SIGNED a = sorted[low][i], b = sorted[high][i];
                sorted[low][i] = a < b ? a : b;
                sorted[high][i] = a < b ? b : a;
            }
    memcpy(predicted, sorted[points / 2], count * sizeof(WORD));
}

#endif
