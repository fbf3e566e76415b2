/* SPDX-License-Identifier: MIT
 * Small prefixes of f32, the paper's choice, four values at a time: a byte of prefixes selects the shuffle
 * that packs or spreads their 16 bytes (the method of Stream VByte). */
#ifndef FPGZ_CODEC_PREDICT_KERNELS_AVX2_F32_H
#define FPGZ_CODEC_PREDICT_KERNELS_AVX2_F32_H

#include <immintrin.h>

#include "codec/predict/kernels.h"

/* For the prefixes in byte b: the bytes that value j keeps, and where they start among the residuals. */
#define KEPT(b, j) (4 - ((b) >> 2 * (j)&3))
#define START1(b) KEPT(b, 0)
#define START2(b) (START1(b) + KEPT(b, 1))
#define START3(b) (START2(b) + KEPT(b, 2))
#define START4(b) (START3(b) + KEPT(b, 3))

/* The byte of the values that becomes residual m, and the residual that becomes byte k of a value (0x80: a
 * zero). */
#define PACKED(b, m)                                                                                         \
    ((m) < START1(b)   ? (m)                                                                                 \
     : (m) < START2(b) ? (m)-START1(b) + 4                                                                   \
     : (m) < START3(b) ? (m)-START2(b) + 8                                                                   \
     : (m) < START4(b) ? (m)-START3(b) + 12                                                                  \
                       : 0x80)
#define SPREAD(start, kept, k) ((k) < (kept) ? (start) + (k) : 0x80)

#define PACK_4(b, m) PACKED(b, m), PACKED(b, (m) + 1), PACKED(b, (m) + 2), PACKED(b, (m) + 3)
#define PACK_ROW(b)                                                                                          \
    {                                                                                                        \
        PACK_4(b, 0), PACK_4(b, 4), PACK_4(b, 8), PACK_4(b, 12)                                              \
    }
#define SPREAD_4(start, kept)                                                                                \
    SPREAD(start, kept, 0), SPREAD(start, kept, 1), SPREAD(start, kept, 2), SPREAD(start, kept, 3)
#define SPREAD_ROW(b)                                                                                        \
    {                                                                                                        \
        SPREAD_4(0, KEPT(b, 0)), SPREAD_4(START1(b), KEPT(b, 1)), SPREAD_4(START2(b), KEPT(b, 2)),           \
            SPREAD_4(START3(b), KEPT(b, 3))                                                                  \
    }

#define ROWS_4(row, b) row(b), row((b) + 1), row((b) + 2), row((b) + 3)
#define ROWS_16(row, b) ROWS_4(row, b), ROWS_4(row, (b) + 4), ROWS_4(row, (b) + 8), ROWS_4(row, (b) + 12)
#define ROWS_64(row, b)                                                                                      \
    ROWS_16(row, b), ROWS_16(row, (b) + 16), ROWS_16(row, (b) + 32), ROWS_16(row, (b) + 48)
#define ROWS_256(row) ROWS_64(row, 0), ROWS_64(row, 64), ROWS_64(row, 128), ROWS_64(row, 192)

static const uint8_t pack_shuffle[256][16] __attribute__((aligned(16))) = {ROWS_256(PACK_ROW)};
static const uint8_t spread_shuffle[256][16] __attribute__((aligned(16))) = {ROWS_256(SPREAD_ROW)};
static const uint8_t kept_bytes[256] = {ROWS_256(START4)};

/* For the differences of 8 values: a bit for each byte that is nonzero itself or has a nonzero byte above
 * it in the word. */
INLINE uint32_t significant_bytes(__m256i difference)
{
    __m256i from_above = _mm256_or_si256(difference, _mm256_srli_epi32(difference, 8));
    from_above = _mm256_or_si256(from_above, _mm256_srli_epi32(from_above, 16));
    const __m256i zero = _mm256_cmpeq_epi8(from_above, _mm256_setzero_si256());
    return ~(uint32_t)_mm256_movemask_epi8(zero);
}

/* The prefixes of 16 values with 4 significance bits each. With bits 1 to 3 as abc, the count of leading
 * zero bytes is 3, 2, 1, 0 for 000, 100, 110, 111: its high bit is not b, its low bit not (a ^ b ^ c). */
INLINE uint32_t prefixes_of(uint64_t significant)
{
    const uint64_t a = significant >> 1, b = significant >> 2, c = significant >> 3;
    const uint64_t low = ~(a ^ b ^ c) & 0x1111111111111111, high = ~b & 0x1111111111111111;
    return (uint32_t)_pext_u64(low | high << 1, 0x3333333333333333);
}

static uint8_t *pack_few(const void *values, const void *predicted, size_t count, uint8_t *prefixes,
                         uint8_t *residuals)
{
    const size_t whole = count / PREDICT_GROUP * PREDICT_GROUP;
    const uint32_t *const v = values, *const p = predicted;
    for (size_t i = 0; i < whole; i += 16) {
        __m256i difference[2];
        for (unsigned k = 0; k < 2; k++)
            difference[k] = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(v + i + 8 * k)),
                                             _mm256_loadu_si256((const __m256i *)(p + i + 8 * k)));
        const uint32_t prefix =
            prefixes_of(significant_bytes(difference[0]) | (uint64_t)significant_bytes(difference[1]) << 32);
        fpgz_store32(prefixes + i / 4, prefix);
        for (unsigned k = 0; k < 4; k++) {
            const uint8_t byte = (uint8_t)(prefix >> 8 * k);
            const __m128i four = k % 2 ? _mm256_extracti128_si256(difference[k / 2], 1)
                                       : _mm256_castsi256_si128(difference[k / 2]);
            const __m128i shuffle = _mm_load_si128((const __m128i *)pack_shuffle[byte]);
            _mm_storeu_si128((__m128i *)residuals, _mm_shuffle_epi8(four, shuffle));
            residuals += kept_bytes[byte];
        }
    }
    return pack_rest(values, predicted, whole, count, 0, prefixes, residuals);
}

static const uint8_t *unpack_few(const uint8_t *prefixes, const uint8_t *residuals, const uint8_t *end,
                                 const void *predicted, void *values, size_t count)
{
    const size_t whole = count / PREDICT_GROUP * PREDICT_GROUP;
    uint32_t *const v = values;
    const uint32_t *const p = predicted;
    for (size_t i = 0; i < whole; i += 16) {
        if (residuals > end)
            return NULL;
        const uint32_t prefix = fpgz_load32(prefixes + i / 4);
        for (unsigned k = 0; k < 4; k++) {
            const uint8_t byte = (uint8_t)(prefix >> 8 * k);
            const __m128i shuffle = _mm_load_si128((const __m128i *)spread_shuffle[byte]);
            const __m128i difference = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)residuals), shuffle);
            residuals += kept_bytes[byte];
            _mm_storeu_si128((__m128i *)(v + i + 4 * k),
                             _mm_xor_si128(difference, _mm_loadu_si128((const __m128i *)(p + i + 4 * k))));
        }
    }
    return unpack_rest(prefixes, residuals, end, predicted, values, whole, count, 0);
}

#endif
