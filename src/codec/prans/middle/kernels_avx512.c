/* SPDX-License-Identifier: MIT
 * The middle setting's kernels for AVX-512: sixteen lanes are coded at once, and raw bits are taken apart in
 * vectors. */
#include <immintrin.h>

#include "codec/prans/middle/step.h"

enum { HALVES = MIDDLE_LANES / 16 };

/* Sixteen lanes' symbols, in the lowest byte of each. */
INLINE __m512i decode_lanes(const uint32_t *table, __m512i *state, const uint8_t **words)
{
    const __m512i low = _mm512_set1_epi32(PRANS_SCALE - 1), one = _mm512_set1_epi32(1);
    const __m512i entry = _mm512_i32gather_epi32(_mm512_and_si512(*state, low), table, 4);
    const __m512i frequency = _mm512_add_epi32(_mm512_and_si512(_mm512_srli_epi32(entry, 8), low), one);
    const __m512i quotient = _mm512_srli_epi32(*state, PRANS_SCALE_BITS);
    const __m512i next =
        _mm512_add_epi32(_mm512_mullo_epi32(frequency, quotient), _mm512_srli_epi32(entry, 20));
    const __mmask16 is_short = _mm512_cmplt_epu32_mask(next, _mm512_set1_epi32(PRANS_STATE));
    const __m512i word = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)*words));
    const __m512i shifted = _mm512_mask_slli_epi32(next, is_short, next, 16);
    *state = _mm512_or_si512(shifted, _mm512_maskz_expand_epi32(is_short, word));
    *words += 2 * (unsigned)__builtin_popcount(is_short);
    return _mm512_and_si512(entry, _mm512_set1_epi32(PRANS_SYMBOLS - 1));
}

/* The states of sixteen lanes with a symbol more, whose codes these are; words before *words. The quotient is
 * that of floats, set right by its remainder. */
INLINE __m512i encode_lanes(__m512i code, __m512i state, uint8_t **words)
{
    const __m512i frequency = _mm512_and_si512(code, _mm512_set1_epi32(0xFFFF)),
                  zero = _mm512_setzero_si512();
    const __mmask16 is_long =
        _mm512_cmpge_epu32_mask(_mm512_srli_epi32(state, 32 - PRANS_SCALE_BITS), frequency);
    const __m256i word = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(is_long, state));
    const unsigned count = (unsigned)__builtin_popcount(is_long);
    *words -= 2 * count;
    _mm256_mask_storeu_epi16(*words, (__mmask16)((1u << count) - 1), word);
    state = _mm512_mask_srli_epi32(state, is_long, state, 16);
    __m512i quotient =
        _mm512_cvttps_epi32(_mm512_div_ps(_mm512_cvtepu32_ps(state), _mm512_cvtepi32_ps(frequency)));
    __m512i rest = _mm512_sub_epi32(state, _mm512_mullo_epi32(quotient, frequency));
    const __mmask16 above = _mm512_cmplt_epi32_mask(rest, zero);
    quotient = _mm512_mask_sub_epi32(quotient, above, quotient, _mm512_set1_epi32(1));
    rest = _mm512_mask_add_epi32(rest, above, rest, frequency);
    const __mmask16 below = _mm512_cmpge_epi32_mask(rest, frequency);
    quotient = _mm512_mask_add_epi32(quotient, below, quotient, _mm512_set1_epi32(1));
    rest = _mm512_mask_sub_epi32(rest, below, rest, frequency);
    return _mm512_add_epi32(_mm512_add_epi32(_mm512_slli_epi32(quotient, PRANS_SCALE_BITS), rest),
                            _mm512_srli_epi32(code, 16));
}

static uint8_t *words(middle_code (*codes)[PRANS_SYMBOLS], const uint8_t *ids, const uint8_t *symbol,
                      size_t blocks, uint8_t *end)
{
    __m512i state[HALVES];
    for (unsigned h = 0; h < HALVES; h++)
        state[h] = _mm512_set1_epi32(PRANS_STATE);
    for (size_t step = blocks * (MIDDLE_BLOCK / MIDDLE_LANES); step-- > 0;) {
        const middle_code *const code = codes[ids[step / (MIDDLE_BLOCK / MIDDLE_LANES)]];
        for (unsigned h = HALVES; h-- > 0;) {
            const __m128i bytes = _mm_loadu_si128((const __m128i *)(symbol + step * MIDDLE_LANES + 16 * h));
            const __m512i found = _mm512_i32gather_epi32(_mm512_cvtepu8_epi32(bytes), code, 4);
            state[h] = encode_lanes(found, state[h], &end);
        }
    }
    return memcpy(end - sizeof state, state, sizeof state);
}

/* Sums of the lanes up to each. */
INLINE __m512i sums_f32(__m512i a)
{
    const __m512i zero = _mm512_setzero_si512();
    a = _mm512_add_epi32(a, _mm512_alignr_epi32(a, zero, 15));
    a = _mm512_add_epi32(a, _mm512_alignr_epi32(a, zero, 14));
    a = _mm512_add_epi32(a, _mm512_alignr_epi32(a, zero, 12));
    return _mm512_add_epi32(a, _mm512_alignr_epi32(a, zero, 8));
}

INLINE __m512i sums_f64(__m512i a)
{
    const __m512i zero = _mm512_setzero_si512();
    a = _mm512_add_epi64(a, _mm512_alignr_epi64(a, zero, 7));
    a = _mm512_add_epi64(a, _mm512_alignr_epi64(a, zero, 6));
    return _mm512_add_epi64(a, _mm512_alignr_epi64(a, zero, 4));
}

static uint32_t scan_f32(uint32_t *y, size_t count, uint32_t sum)
{
    const __m512i last = _mm512_set1_epi32(15);
    __m512i before = _mm512_set1_epi32((int)sum);
    for (size_t i = 0; i < count; i += 16) {
        const __mmask16 lanes = (__mmask16)(count - i < 16 ? (1u << (count - i)) - 1 : 0xFFFF);
        const __m512i all = _mm512_add_epi32(before, sums_f32(_mm512_maskz_loadu_epi32(lanes, y + i)));
        _mm512_mask_storeu_epi32(y + i, lanes, all);
        before = _mm512_permutexvar_epi32(last, all);
    }
    return (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(before));
}

static uint64_t scan_f64(uint64_t *y, size_t count, uint64_t sum)
{
    const __m512i last = _mm512_set1_epi64(7);
    __m512i before = _mm512_set1_epi64((long long)sum);
    for (size_t i = 0; i < count; i += 8) {
        const __mmask8 lanes = (__mmask8)(count - i < 8 ? (1u << (count - i)) - 1 : 0xFF);
        const __m512i all = _mm512_add_epi64(before, sums_f64(_mm512_maskz_loadu_epi64(lanes, y + i)));
        _mm512_mask_storeu_epi64(y + i, lanes, all);
        before = _mm512_permutexvar_epi64(last, all);
    }
    return (uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(before));
}

/* Bytes 0 to 7 behind each quadword's number of a byte, which stands in all of its bytes. */
#define BYTES_BEHIND _mm512_set1_epi64(0x0706050403020100)

/* The raw bits of sixteen symbols, each `width` of them. */
INLINE __m512i raw16(const uint8_t *raw, uint64_t *bit, __m512i width)
{
    const __m512i bytes = _mm512_loadu_si512(raw + *bit / 8), all = sums_f32(width),
                  seven = _mm512_set1_epi32(7);
    const __m512i from = _mm512_add_epi32(_mm512_sub_epi32(all, width), _mm512_set1_epi32((int)(*bit % 8)));
    const __m512i byte = _mm512_srli_epi32(from, 3), shift = _mm512_and_si512(from, seven);
    *bit += (uint32_t)_mm_cvtsi128_si32(
        _mm512_castsi512_si128(_mm512_permutexvar_epi32(_mm512_set1_epi32(15), all)));
    const __m512i eighth =
        _mm512_set_epi64(0x1C1C1C1C1C1C1C1C, 0x1818181818181818, 0x1414141414141414, 0x1010101010101010,
                         0x0C0C0C0C0C0C0C0C, 0x0808080808080808, 0x0404040404040404, 0);
    const __m512i upper = _mm512_add_epi8(eighth, _mm512_set1_epi8(0x20));
    __m512i a =
        _mm512_permutexvar_epi8(_mm512_add_epi8(_mm512_permutexvar_epi8(eighth, byte), BYTES_BEHIND), bytes);
    __m512i b =
        _mm512_permutexvar_epi8(_mm512_add_epi8(_mm512_permutexvar_epi8(upper, byte), BYTES_BEHIND), bytes);
    a = _mm512_srlv_epi64(a, _mm512_cvtepu32_epi64(_mm512_castsi512_si256(shift)));
    b = _mm512_srlv_epi64(b, _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(shift, 1)));
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return _mm512_andnot_si512(_mm512_sllv_epi32(_mm512_set1_epi32(-1), width),
                               _mm512_permutex2var_epi32(a, even, b));
}

INLINE __m512i raw8(const uint8_t *raw, uint64_t *bit, __m512i width)
{
    const __m512i bytes = _mm512_loadu_si512(raw + *bit / 8), all = sums_f64(width),
                  seven = _mm512_set1_epi64(7);
    const __m512i from =
        _mm512_add_epi64(_mm512_sub_epi64(all, width), _mm512_set1_epi64((long long)(*bit % 8)));
    const __m512i shift = _mm512_and_si512(from, seven);
    const __m512i lowest = _mm512_set4_epi64(0x0808080808080808, 0, 0x0808080808080808, 0);
    const __m512i behind =
        _mm512_add_epi8(_mm512_shuffle_epi8(_mm512_srli_epi64(from, 3), lowest), BYTES_BEHIND);
    *bit += (uint64_t)_mm_cvtsi128_si64(
        _mm512_castsi512_si128(_mm512_permutexvar_epi64(_mm512_set1_epi64(7), all)));
    __m512i value = _mm512_srlv_epi64(_mm512_permutexvar_epi8(behind, bytes), shift);
    if (_mm512_cmpgt_epu64_mask(width, _mm512_set1_epi64(57))) {
        const __m512i more = _mm512_permutexvar_epi8(_mm512_add_epi8(behind, _mm512_set1_epi8(8)), bytes);
        value =
            _mm512_or_si512(value, _mm512_sllv_epi64(more, _mm512_sub_epi64(_mm512_set1_epi64(64), shift)));
    }
    return _mm512_andnot_si512(_mm512_sllv_epi64(_mm512_set1_epi64(-1), width), value);
}

/* The residuals of sixteen symbols; 0 of special values. */
INLINE void residuals_f32(__m512i symbol, const uint8_t *raw, uint64_t *bit, void *residual)
{
    const __m512i one = _mm512_set1_epi32(1);
    const __mmask16 ordinary = _mm512_cmplt_epu32_mask(symbol, _mm512_set1_epi32(MIDDLE_SPECIAL)),
                    is_long = _mm512_mask_cmpge_epu32_mask(ordinary, symbol, _mm512_set1_epi32(8));
    const __m512i width = _mm512_maskz_sub_epi32(is_long, _mm512_srli_epi32(symbol, 2), one);
    const __m512i lead = _mm512_mask_or_epi32(symbol, is_long, _mm512_and_si512(symbol, _mm512_set1_epi32(3)),
                                              _mm512_set1_epi32(4));
    const __m512i number = _mm512_or_si512(_mm512_sllv_epi32(lead, width), raw16(raw, bit, width));
    const __m512i sign = _mm512_sub_epi32(_mm512_setzero_si512(), _mm512_and_si512(number, one));
    _mm512_storeu_si512(residual, _mm512_maskz_xor_epi32(ordinary, _mm512_srli_epi32(number, 1), sign));
}

INLINE void eight_f64(__m512i symbol, const uint8_t *raw, uint64_t *bit, void *residual)
{
    const __m512i one = _mm512_set1_epi64(1);
    const __mmask8 ordinary = _mm512_cmplt_epu64_mask(symbol, _mm512_set1_epi64(MIDDLE_SPECIAL)),
                   is_long = _mm512_mask_cmpge_epu64_mask(ordinary, symbol, _mm512_set1_epi64(8));
    const __m512i width = _mm512_maskz_sub_epi64(is_long, _mm512_srli_epi64(symbol, 2), one);
    const __m512i lead = _mm512_mask_or_epi64(symbol, is_long, _mm512_and_si512(symbol, _mm512_set1_epi64(3)),
                                              _mm512_set1_epi64(4));
    const __m512i number = _mm512_or_si512(_mm512_sllv_epi64(lead, width), raw8(raw, bit, width));
    const __m512i sign = _mm512_sub_epi64(_mm512_setzero_si512(), _mm512_and_si512(number, one));
    _mm512_storeu_si512(residual, _mm512_maskz_xor_epi64(ordinary, _mm512_srli_epi64(number, 1), sign));
}

INLINE void residuals_f64(__m512i symbol, const uint8_t *raw, uint64_t *bit, void *residual)
{
    eight_f64(_mm512_cvtepu32_epi64(_mm512_castsi512_si256(symbol)), raw, bit, residual);
    eight_f64(_mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(symbol, 1)), raw, bit,
              (uint64_t *)residual + 8);
}

INLINE void store_flags(__m512i symbol, uint8_t *flag)
{
    const __m512i last = _mm512_set1_epi32(MIDDLE_SPECIAL - 1);
    const __m512i above = _mm512_sub_epi32(_mm512_max_epu32(symbol, last), last);
    _mm_storeu_si128((__m128i *)flag, _mm512_cvtepi32_epi8(above));
}

INLINE bool decode(const struct middle_source *source, bool is_f64, uint8_t *residual, uint8_t *flag)
{
    const size_t size = is_f64 ? 8 : 4;
    const uint8_t *words = source->words;
    uint64_t bit = 0;
    __m512i state[HALVES];
    memcpy(state, source->states, sizeof state);
    for (size_t block = 0; block < source->blocks; block++) {
        const uint32_t *const table = source->tables[source->ids[block]];
        __m512i symbol[MIDDLE_BLOCK / 16];
        if (words > source->words_end || (bit + 7) / 8 > (size_t)(source->raw_end - source->raw))
            return false;
        for (unsigned i = 0; i < MIDDLE_BLOCK / 16; i++)
            symbol[i] = decode_lanes(table, &state[i % HALVES], &words);
        for (unsigned i = 0; i < MIDDLE_BLOCK / 16; i++, residual += 16 * size)
            if (is_f64)
                residuals_f64(symbol[i], source->raw, &bit, residual);
            else
                residuals_f32(symbol[i], source->raw, &bit, residual);
        for (unsigned i = 0; flag && i < MIDDLE_BLOCK / 16; i++, flag += 16)
            store_flags(symbol[i], flag);
    }
    uint32_t states[MIDDLE_LANES];
    memcpy(states, state, sizeof states);
    return is_complete(source, states, words, bit);
}

static bool decode_f32(const struct middle_source *source, void *residual, uint8_t *flag)
{
    return decode(source, false, residual, flag);
}

static bool decode_f64(const struct middle_source *source, void *residual, uint8_t *flag)
{
    return decode(source, true, residual, flag);
}

#include "codec/prans/middle/level.h"

const struct middle_kernels fpgz_prans_middle_avx512[2] = MIDDLE_TABLE;
