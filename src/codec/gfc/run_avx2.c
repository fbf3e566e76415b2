/* SPDX-License-Identifier: MIT
 * Sub-chunks in AVX2: eight vectors of four values. There is no byte compression, so the bytes are moved
 * value by value, whole quadwords over each other; all else is done for the 32 values at once. */
#include <immintrin.h>
#include <stdalign.h>
#include <stdbool.h>

#include "codec/gfc/gfc.h"
#include "core/inline.h"

enum { VECTORS = 8, LANES = GFC_LANES / VECTORS };

INLINE __m256i both_lanes(__m128i v)
{
    return _mm256_broadcastsi128_si256(v);
}

INLINE __m256i load_four(const void *a, const void *b, const void *c, const void *d)
{
    const __m128i ab = _mm_unpacklo_epi64(_mm_loadl_epi64(a), _mm_loadl_epi64(b)),
                  cd = _mm_unpacklo_epi64(_mm_loadl_epi64(c), _mm_loadl_epi64(d));
    return _mm256_setr_m128i(ab, cd);
}

/* The predictions for vector i from the sub-chunk `before`; with dim 1 they are all the same. */
INLINE __m256i predict(const uint64_t *before, const struct gfc_predictor *predictor, unsigned i, bool is_1)
{
    if (is_1)
        return _mm256_set1_epi64x((long long)before[GFC_LANES - 1]);
    const uint8_t *const source = predictor->source + i * LANES;
    return load_four(before + source[0], before + source[1], before + source[2], before + source[3]);
}

/* Turns a bit for each non-zero byte, eight a value, into the number of stored bytes: all up to the
 * highest non-zero one, and three instead of two. */
INLINE __m256i count_stored(__m256i nonzero)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i of_low = both_lanes(_mm_setr_epi8(0, 1, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4));
    const __m256i of_high = both_lanes(_mm_setr_epi8(0, 5, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8));
    const __m256i low = _mm256_shuffle_epi8(of_low, _mm256_and_si256(nonzero, nibble));
    const __m256i high =
        _mm256_shuffle_epi8(of_high, _mm256_and_si256(_mm256_srli_epi16(nonzero, 4), nibble));
    return _mm256_max_epu8(low, high);
}

/* Spreads 32 bits to bytes that are 8 where the bit is set. */
INLINE __m256i spread_signs(uint32_t bits)
{
    const __m256i byte = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
    const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), byte);
    const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit);
    return _mm256_and_si256(set, _mm256_set1_epi8(8));
}

INLINE uint8_t *encode_dim(const uint64_t *values, const uint64_t *before, size_t count,
                           const struct gfc_predictor *predictor, uint8_t *stream, bool is_1)
{
    const __m256i zero = _mm256_setzero_si256();
    for (; count; count--, before = values, values += GFC_LANES) {
        alignas(32) uint64_t magnitude[GFC_LANES];
        int zeros[VECTORS]; /* a bit for each byte */
        uint32_t negative = 0;
        for (unsigned i = 0; i < VECTORS; i++) {
            const __m256i difference =
                _mm256_sub_epi64(_mm256_loadu_si256((const __m256i *)(values + i * LANES)),
                                 predict(before, predictor, i, is_1));
            const __m256i minus = _mm256_cmpgt_epi64(zero, difference);
            const __m256i absolute = _mm256_sub_epi64(_mm256_xor_si256(difference, minus), minus);
            _mm256_store_si256((__m256i *)(magnitude + i * LANES), absolute);
            zeros[i] = _mm256_movemask_epi8(_mm256_cmpeq_epi8(absolute, zero));
            negative |= (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(difference)) << i * LANES;
        }
        const __m256i stored = count_stored(_mm256_xor_si256(
            _mm256_setr_epi32(zeros[0], zeros[1], zeros[2], zeros[3], zeros[4], zeros[5], zeros[6], zeros[7]),
            _mm256_set1_epi8(-1)));
        /* The code is the number of stored bytes, minus one from three on. */
        const __m256i code = _mm256_add_epi8(stored, _mm256_cmpgt_epi8(stored, _mm256_set1_epi8(2)));
        const __m256i pairs =
            _mm256_maddubs_epi16(_mm256_or_si256(code, spread_signs(negative)), _mm256_set1_epi16(0x1001));
        const __m256i packed =
            _mm256_permute4x64_epi64(_mm256_packus_epi16(pairs, pairs), _MM_SHUFFLE(3, 1, 2, 0));
        _mm_storeu_si128((__m128i *)stream, _mm256_castsi256_si128(packed));
        stream += GFC_CODES;
        alignas(32) uint8_t bytes[GFC_LANES];
        _mm256_store_si256((__m256i *)bytes, stored);
        for (unsigned lane = 0; lane < GFC_LANES; lane++) {
            _mm_storeu_si64(stream, _mm_loadl_epi64((const __m128i *)(magnitude + lane)));
            stream += bytes[lane];
        }
    }
    return stream;
}

INLINE size_t decode_dim(struct gfc_input *input, const uint64_t *before, size_t count,
                         const struct gfc_predictor *predictor, uint64_t *values, bool is_1)
{
    const __m256i bytes_of = both_lanes(_mm_setr_epi8(0, 1, 3, 4, 5, 6, 7, 8, 0, 1, 3, 4, 5, 6, 7, 8));
    const __m256i first_lanes =
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i position = _mm256_set1_epi64x(0x0706050403020100);
    const uint8_t *at = input->at, *const end = input->end, *const limit = input->limit;
    size_t done = 0;
    for (; done < count && limit - at >= GFC_LONGEST; done++, before = values, values += GFC_LANES) {
        const __m256i pairs = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)at));
        const __m256i codes =
            _mm256_and_si256(_mm256_or_si256(pairs, _mm256_slli_epi16(pairs, 4)), _mm256_set1_epi8(15));
        const __m256i stored = _mm256_shuffle_epi8(bytes_of, codes);
        const __m256i sums = _mm256_sad_epu8(stored, _mm256_setzero_si256());
        const __m128i sum = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        const size_t total = GFC_CODES + (size_t)(_mm_cvtsi128_si64(sum) + _mm_extract_epi64(sum, 1));
        if ((ptrdiff_t)total > end - at)
            break;
        const __m256i stored_half[2] = {_mm256_permute2x128_si256(stored, stored, 0x00),
                                        _mm256_permute2x128_si256(stored, stored, 0x11)};
        const __m256i codes_half[2] = {_mm256_permute2x128_si256(codes, codes, 0x00),
                                       _mm256_permute2x128_si256(codes, codes, 0x11)};
        alignas(32) uint8_t bytes[GFC_LANES];
        _mm256_store_si256((__m256i *)bytes, stored);
        const uint8_t *from = at + GFC_CODES;
        at += total;
        for (unsigned i = 0; i < VECTORS; i++) {
            const uint8_t *const from_1 = from + bytes[i * LANES],
                                 *const from_2 = from_1 + bytes[i * LANES + 1],
                                 *const from_3 = from_2 + bytes[i * LANES + 2];
            const __m256i loaded = load_four(from, from_1, from_2, from_3);
            from = from_3 + bytes[i * LANES + 3];

            /* For each byte of a quadword: how many bytes its value has stored, and its code. */
            const __m256i lane = _mm256_add_epi8(first_lanes, _mm256_set1_epi8((char)(i % 4 * LANES)));
            const __m256i magnitude = _mm256_and_si256(
                loaded, _mm256_cmpgt_epi8(_mm256_shuffle_epi8(stored_half[i / 4], lane), position));
            const __m256i minus =
                _mm256_cmpgt_epi8(_mm256_shuffle_epi8(codes_half[i / 4], lane), _mm256_set1_epi8(7));
            const __m256i difference = _mm256_sub_epi64(_mm256_xor_si256(magnitude, minus), minus);
            _mm256_storeu_si256((__m256i *)(values + i * LANES),
                                _mm256_add_epi64(predict(before, predictor, i, is_1), difference));
        }
    }
    input->at = at;
    return done;
}

static uint8_t *encode(const uint64_t *values, const uint64_t *before, size_t count,
                       const struct gfc_predictor *predictor, uint8_t *stream)
{
    return predictor->dim == 1 ? encode_dim(values, before, count, predictor, stream, true)
                               : encode_dim(values, before, count, predictor, stream, false);
}

static size_t decode(struct gfc_input *input, const uint64_t *before, size_t count,
                     const struct gfc_predictor *predictor, uint64_t *values)
{
    return predictor->dim == 1 ? decode_dim(input, before, count, predictor, values, true)
                               : decode_dim(input, before, count, predictor, values, false);
}

const struct gfc_kernels fpgz_gfc_avx2 = {.encode = encode, .decode = decode};
