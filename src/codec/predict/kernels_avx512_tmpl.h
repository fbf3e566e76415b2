/* SPDX-License-Identifier: MIT
 * Packing and unpacking for one word type; the values behind the last whole group are the reference's. The
 * includer defines WORD, NAME() and PREFIX_BITS, and the vector operations of that width. */

enum {
    NAME(lanes) = 64 / sizeof(WORD),
    NAME(group_vectors) = PREDICT_GROUP / NAME(lanes),
};

INLINE uint8_t *NAME(wide_pack)(const WORD *values, const WORD *predicted, size_t count, unsigned large,
                                uint8_t *prefixes, uint8_t *residuals)
{
    const unsigned bits = PREFIX_BITS + large, vector_bytes = bits * NAME(lanes) / 8;
    const size_t whole = count / PREDICT_GROUP * PREDICT_GROUP;
    uint8_t *at = prefixes;
    for (size_t i = 0; i < whole; i += NAME(lanes), at += vector_bytes) {
        const __m512i difference =
            _mm512_xor_si512(_mm512_loadu_si512(values + i), _mm512_loadu_si512(predicted + i));
        const __m512i zeros = NAME(zeros)(difference, large);
        const __mmask64 kept = NAME(kept)(zeros);
        NAME(put_prefixes)(at, zeros, bits);
        _mm512_storeu_si512(residuals, _mm512_maskz_compress_epi8(kept, difference));
        residuals += _mm_popcnt_u64(kept);
    }
    return NAME(pack_rest)(values, predicted, whole, count, large, prefixes, residuals);
}

INLINE const uint8_t *NAME(wide_unpack)(const uint8_t *prefixes, const uint8_t *residuals, const uint8_t *end,
                                        const WORD *predicted, WORD *values, size_t count, unsigned large)
{
    const unsigned bits = PREFIX_BITS + large, vector_bytes = bits * NAME(lanes) / 8;
    const size_t whole = count / PREDICT_GROUP * PREDICT_GROUP;
    const uint8_t *at = prefixes;
    for (size_t i = 0; i < whole; i += NAME(lanes), at += vector_bytes) {
        const __m512i zeros = NAME(take_prefixes)(at, bits);
        if (residuals > end || (large && NAME(too_many)(zeros)))
            return NULL;
        const __mmask64 kept = NAME(kept)(zeros);
        const __m512i difference = expand(kept, _mm512_loadu_si512(residuals));
        residuals += _mm_popcnt_u64(kept);
        _mm512_storeu_si512(values + i, _mm512_xor_si512(difference, _mm512_loadu_si512(predicted + i)));
    }
    return NAME(unpack_rest)(prefixes, residuals, end, predicted, values, whole, count, large);
}

#define WIDE_KERNELS(name, large)                                                                            \
    static uint8_t *NAME(wide_pack_##name)(const void *values, const void *predicted, size_t count,          \
                                           uint8_t *prefixes, uint8_t *residuals)                            \
    {                                                                                                        \
        return NAME(wide_pack)(values, predicted, count, large, prefixes, residuals);                        \
    }                                                                                                        \
    static const uint8_t *NAME(wide_unpack_##name)(const uint8_t *prefixes, const uint8_t *residuals,        \
                                                   const uint8_t *end, const void *predicted, void *values,  \
                                                   size_t count)                                             \
    {                                                                                                        \
        return NAME(wide_unpack)(prefixes, residuals, end, predicted, values, count, large);                 \
    }
WIDE_KERNELS(small, 0)
WIDE_KERNELS(large, 1)
#undef WIDE_KERNELS
