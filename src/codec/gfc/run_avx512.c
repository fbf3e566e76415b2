/* SPDX-License-Identifier: MIT
 * Sub-chunks in AVX-512: four vectors of eight values. A value's stored bytes are a mask of eight bits, by
 * which byte compression and expansion move 64 bytes at once. */
#include <immintrin.h>
#include <stdalign.h>

#include "codec/gfc/gfc.h"
#include "core/inline.h"

enum { VECTORS = 4, LANES = GFC_LANES / VECTORS };

/* The lanes of the previous sub-chunk that predict each vector. */
struct sources {
    __m512i lane[VECTORS];
    __mmask8 second_half[VECTORS]; /* from 16 on */
};

INLINE struct sources load_sources(const struct gfc_predictor *predictor)
{
    struct sources s;
    for (unsigned i = 0; i < VECTORS; i++) {
        s.lane[i] = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(predictor->source + i * LANES)));
        s.second_half[i] = _mm512_test_epi64_mask(s.lane[i], _mm512_set1_epi64(16));
    }
    return s;
}

/* The predictions for vector i. The sources are among the last `dim` values. `reach` is the least power of
 * two that is neither below 8 nor below dim, and so many values are looked at. */
INLINE __m512i predict(const __m512i *before, const struct sources *s, unsigned i, unsigned reach)
{
    /* A permutation uses only the three or four lowest bits of an index. */
    if (reach == 8)
        return _mm512_permutexvar_epi64(s->lane[i], before[3]);
    const __m512i last_16 = _mm512_permutex2var_epi64(before[2], s->lane[i], before[3]);
    if (reach == 16)
        return last_16;
    const __m512i first_16 = _mm512_permutex2var_epi64(before[0], s->lane[i], before[1]);
    return _mm512_mask_blend_epi64(s->second_half[i], first_16, last_16);
}

INLINE void load_before(const uint64_t *from, __m512i *before)
{
    for (unsigned i = 0; i < VECTORS; i++)
        before[i] = _mm512_loadu_si512(from + i * LANES);
}

/* Turns a bit for each non-zero byte into a bit for each stored byte: all up to the highest non-zero one,
 * and three instead of two. Eight bits a value, looked up in halves. */
INLINE __m256i stored_bytes(__m256i nonzero)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i of_low =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 7, 7, 7, 7, 7, 7, 15, 15, 15, 15, 15, 15, 15, 15));
    const __m256i of_high = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0x1f, 0x3f, 0x3f, 0x7f, 0x7f, 0x7f, 0x7f, -1, -1, -1, -1, -1, -1, -1, -1));
    const __m256i low = _mm256_shuffle_epi8(of_low, _mm256_and_si256(nonzero, nibble));
    const __m256i high =
        _mm256_shuffle_epi8(of_high, _mm256_and_si256(_mm256_srli_epi16(nonzero, 4), nibble));
    return _mm256_or_si256(low, high);
}

INLINE uint8_t *encode_reach(const uint64_t *values, const uint64_t *before_values, size_t count,
                             const struct gfc_predictor *predictor, uint8_t *stream, unsigned reach)
{
    const struct sources sources = load_sources(predictor);
    __m512i before[VECTORS];
    load_before(before_values, before);
    for (; count; count--, values += GFC_LANES) {
        __m512i magnitude[VECTORS], prediction[VECTORS];
        uint64_t nonzero[VECTORS];
        uint32_t negative = 0;
        for (unsigned i = 0; i < VECTORS; i++)
            prediction[i] = predict(before, &sources, i, reach);
        for (unsigned i = 0; i < VECTORS; i++) {
            before[i] = _mm512_loadu_si512(values + i * LANES);
            const __m512i difference = _mm512_sub_epi64(before[i], prediction[i]);
            negative |= (uint32_t)_mm512_movepi64_mask(difference) << i * LANES;
            magnitude[i] = _mm512_abs_epi64(difference);
            nonzero[i] = _mm512_test_epi8_mask(magnitude[i], magnitude[i]);
        }
        const __m256i stored = stored_bytes(_mm256_setr_epi64x((long long)nonzero[0], (long long)nonzero[1],
                                                               (long long)nonzero[2], (long long)nonzero[3]));
        /* The code is the number of stored bytes, minus one from three on, so the second byte is not
         * counted. */
        const __m256i code = _mm256_popcnt_epi8(_mm256_and_si256(stored, _mm256_set1_epi8(~2)));
        const __m256i nibbles = _mm256_mask_add_epi8(code, negative, code, _mm256_set1_epi8(8));
        const __m256i pairs = _mm256_maddubs_epi16(nibbles, _mm256_set1_epi16(0x1001));
        _mm_storeu_si128((__m128i *)stream, _mm256_cvtepi16_epi8(pairs));
        stream += GFC_CODES;
        alignas(32) uint64_t mask[VECTORS];
        _mm256_store_si256((__m256i *)mask, stored);
        for (unsigned i = 0; i < VECTORS; i++) {
            _mm512_storeu_si512(stream, _mm512_maskz_compress_epi8(mask[i], magnitude[i]));
            stream += __builtin_popcountll(mask[i]);
        }
    }
    return stream;
}

/* On Zen 4 an expansion waits for the last writer of its destination even where it zeroes the lanes that
 * it does not fill. With destination = source that wait costs nothing. */
INLINE __m512i expand(__mmask64 mask, __m512i bytes)
{
    __asm__("vpexpandb %0, %0 %{%1%}%{z%}" : "+v"(bytes) : "Yk"(mask));
    return bytes;
}

INLINE size_t decode_reach(struct gfc_input *input, const uint64_t *before_values, size_t count,
                           const struct gfc_predictor *predictor, uint64_t *values, unsigned reach)
{
    const struct sources sources = load_sources(predictor);
    const __m256i byte_masks = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 7, 15, 31, 63, 127, -1, 0, 1, 7, 15, 31, 63, 127, -1));
    const uint8_t *at = input->at, *const end = input->end, *const limit = input->limit;
    __m512i before[VECTORS];
    load_before(before_values, before);
    size_t done = 0;
    for (; done < count && limit - at >= GFC_LONGEST; done++, values += GFC_LANES) {
        const __m256i pairs = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)at));
        const __m256i nibbles =
            _mm256_and_si256(_mm256_or_si256(pairs, _mm256_slli_epi16(pairs, 4)), _mm256_set1_epi8(15));
        const uint32_t negative = _mm256_movepi8_mask(_mm256_slli_epi16(nibbles, 4));
        alignas(32) uint64_t mask[VECTORS];
        _mm256_store_si256((__m256i *)mask, _mm256_shuffle_epi8(byte_masks, nibbles));
        const uint8_t *part[VECTORS + 1] = {at + GFC_CODES};
        for (unsigned i = 0; i < VECTORS; i++)
            part[i + 1] = part[i] + __builtin_popcountll(mask[i]);
        if (part[VECTORS] > end)
            break;
        __m512i prediction[VECTORS];
        for (unsigned i = 0; i < VECTORS; i++)
            prediction[i] = predict(before, &sources, i, reach);
        for (unsigned i = 0; i < VECTORS; i++) {
            const __m512i magnitude = expand(mask[i], _mm512_loadu_si512(part[i]));
            const __mmask8 minus = (__mmask8)(negative >> i * LANES);
            before[i] = _mm512_mask_sub_epi64(_mm512_add_epi64(prediction[i], magnitude), minus,
                                              prediction[i], magnitude);
            _mm512_storeu_si512(values + i * LANES, before[i]);
        }
        at = part[VECTORS];
    }
    input->at = at;
    return done;
}

static uint8_t *encode(const uint64_t *values, const uint64_t *before, size_t count,
                       const struct gfc_predictor *predictor, uint8_t *stream)
{
    if (predictor->dim <= 8)
        return encode_reach(values, before, count, predictor, stream, 8);
    if (predictor->dim <= 16)
        return encode_reach(values, before, count, predictor, stream, 16);
    return encode_reach(values, before, count, predictor, stream, 32);
}

static size_t decode(struct gfc_input *input, const uint64_t *before, size_t count,
                     const struct gfc_predictor *predictor, uint64_t *values)
{
    if (predictor->dim <= 8)
        return decode_reach(input, before, count, predictor, values, 8);
    if (predictor->dim <= 16)
        return decode_reach(input, before, count, predictor, values, 16);
    return decode_reach(input, before, count, predictor, values, 32);
}

const struct gfc_kernels fpgz_gfc_avx512 = {.encode = encode, .decode = decode};
