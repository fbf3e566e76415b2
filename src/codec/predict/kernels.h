/* SPDX-License-Identifier: MIT
 * The reference for both word types, to be compiled with the flags of the including file's CPU level. */
#ifndef FPGZ_CODEC_PREDICT_KERNELS_H
#define FPGZ_CODEC_PREDICT_KERNELS_H

#include <string.h>

#include "codec/predict/predict.h"
#include "core/bytes.h"

#define INLINE static inline __attribute__((always_inline))

/* The prefixes of 8 values, which are as many whole bytes as a prefix has bits (2 to 4). Three bytes go in
 * two steps: a load of four from a copy would wait for the copy's stores. */
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

#define WORD uint32_t
#define SIGNED int32_t
#define NAME(name) name##_f32
#define LOAD fpgz_load32
#define STORE fpgz_store32
#define CLZ __builtin_clz
#define PREFIX_BITS 2
#include "codec/predict/kernels_tmpl.h"
#undef WORD
#undef SIGNED
#undef NAME
#undef LOAD
#undef STORE
#undef CLZ
#undef PREFIX_BITS

#define WORD uint64_t
#define SIGNED int64_t
#define NAME(name) name##_f64
#define LOAD fpgz_load64
#define STORE fpgz_store64
#define CLZ __builtin_clzll
#define PREFIX_BITS 3
#include "codec/predict/kernels_tmpl.h"
#undef WORD
#undef SIGNED
#undef NAME
#undef LOAD
#undef STORE
#undef CLZ
#undef PREFIX_BITS

/* The signed mean, rounded toward zero. Sums of 16 words are exact in a double, and so is the quotient's
 * integer part: a quotient that is no integer is at least 1/16 away from the next one. */
static void predict_mean_f32(const void *before, size_t stride, unsigned points, const int32_t *weights,
                             size_t count, void *predicted)
{
    (void)weights;
    double sum[PREDICT_TILE] = {0};
    int32_t *const mean = predicted;
    for (unsigned point = 0; point < points; point++) {
        const int32_t *const row = (const int32_t *)before - point * stride;
        for (size_t i = 0; i < count; i++)
            sum[i] += row[i];
    }
    for (size_t i = 0; i < count; i++)
        mean[i] = (int32_t)(sum[i] / points);
}

/* The same with the halves of the words summed apart, and the division done in two digits of 32 bits. */
static void predict_mean_f64(const void *before, size_t stride, unsigned points, const int32_t *weights,
                             size_t count, void *predicted)
{
    (void)weights;
    int64_t high[PREDICT_TILE] = {0}, low[PREDICT_TILE] = {0};
    int64_t *const mean = predicted;
    for (unsigned point = 0; point < points; point++) {
        const int64_t *const row = (const int64_t *)before - point * stride;
        for (size_t i = 0; i < count; i++) {
            high[i] += row[i] >> 32;
            low[i] += row[i] & UINT32_MAX;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const int64_t first = (int64_t)((double)high[i] / points);
        const int64_t rest = (high[i] - first * points) * ((int64_t)1 << 32) + low[i]; /* below 2^37 */
        const int64_t second = (int64_t)((double)rest / points);
        /* A negative first digit with a positive remainder was rounded down. */
        const bool round_up = first < 0 && rest > second * points;
        mean[i] = first * ((int64_t)1 << 32) + second + round_up;
    }
}

#endif
