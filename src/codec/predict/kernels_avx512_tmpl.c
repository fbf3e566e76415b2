/* SPDX-License-Identifier: MIT
 * A vector of values at a time. Their leading zero bytes become a mask of the bytes to keep, which
 * vpcompressb packs and vpexpandb spreads again. The reference codes the values behind the last whole
 * group. */
#include "codec/width.h"

#if FPGZ_BITS == 32
#include "codec/predict/kernels_avx512_f32.h"
#else
#include "codec/predict/kernels_avx512_f64.h"
#endif

INLINE uint8_t *wide_pack(const WORD *values, const WORD *predicted, size_t count, unsigned large,
                          uint8_t *prefixes, uint8_t *residuals)
{
    const unsigned bits = PREFIX_BITS + large, vector_bytes = bits * LANES / 8;
    const size_t whole = count / PREDICT_GROUP * PREDICT_GROUP;
    uint8_t *at = prefixes;
    for (size_t i = 0; i < whole; i += LANES, at += vector_bytes) {
        const __m512i difference =
            _mm512_xor_si512(_mm512_loadu_si512(values + i), _mm512_loadu_si512(predicted + i));
        const __m512i zeros = zeros_of(difference, large);
        const __mmask64 kept = kept_bytes(zeros);
        put_prefixes(at, zeros, bits);
        _mm512_storeu_si512(residuals, _mm512_maskz_compress_epi8(kept, difference));
        residuals += _mm_popcnt_u64(kept);
    }
    return pack_rest(values, predicted, whole, count, large, prefixes, residuals);
}

INLINE const uint8_t *wide_unpack(const uint8_t *prefixes, const uint8_t *residuals, const uint8_t *end,
                                  const WORD *predicted, WORD *values, size_t count, unsigned large)
{
    const unsigned bits = PREFIX_BITS + large, vector_bytes = bits * LANES / 8;
    const size_t whole = count / PREDICT_GROUP * PREDICT_GROUP;
    const uint8_t *at = prefixes;
    for (size_t i = 0; i < whole; i += LANES, at += vector_bytes) {
        const __m512i zeros = take_prefixes(at, bits);
        if (residuals > end || (large && too_many(zeros)))
            return NULL;
        const __mmask64 kept = kept_bytes(zeros);
        const __m512i difference = expand_bytes(kept, _mm512_loadu_si512(residuals));
        residuals += _mm_popcnt_u64(kept);
        _mm512_storeu_si512(values + i, _mm512_xor_si512(difference, _mm512_loadu_si512(predicted + i)));
    }
    return unpack_rest(prefixes, residuals, end, predicted, values, whole, count, large);
}

static uint8_t *wide_pack_small(const void *values, const void *predicted, size_t count, uint8_t *prefixes,
                                uint8_t *residuals)
{
    return wide_pack(values, predicted, count, 0, prefixes, residuals);
}

static uint8_t *wide_pack_large(const void *values, const void *predicted, size_t count, uint8_t *prefixes,
                                uint8_t *residuals)
{
    return wide_pack(values, predicted, count, 1, prefixes, residuals);
}

static const uint8_t *wide_unpack_small(const uint8_t *prefixes, const uint8_t *residuals, const uint8_t *end,
                                        const void *predicted, void *values, size_t count)
{
    return wide_unpack(prefixes, residuals, end, predicted, values, count, 0);
}

static const uint8_t *wide_unpack_large(const uint8_t *prefixes, const uint8_t *residuals, const uint8_t *end,
                                        const void *predicted, void *values, size_t count)
{
    return wide_unpack(prefixes, residuals, end, predicted, values, count, 1);
}

const struct predict_kernels WIDTH(fpgz_predict_avx512) = {
    .pack = {wide_pack_small, wide_pack_large},
    .unpack = {wide_unpack_small, wide_unpack_large},
    .predict = {predict_linear, predict_mean, predict_median},
};
