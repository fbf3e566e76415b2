/* SPDX-License-Identifier: MIT
 * The middle setting's kernels for AVX-512: sixteen lanes are coded at once, and raw bits are taken apart in
 * vectors. */
#include <immintrin.h>

#include "codec/prans/domain/values_avx512.h"

#include "codec/prans/middle/sums_avx512.h"

#include "codec/prans/middle/look_up_avx512.h"
#include "codec/prans/middle/rows.h"
#if FPGZ_BITS == 32
#include "codec/prans/middle/kernels_avx512_f32.h"
#else
#include "codec/prans/middle/kernels_avx512_f64.h"
#endif

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
 * that of floats, by an inverse that is too small by 2^-22 to 2^-21: right, or less by 1. */
INLINE __m512i encode_lanes(__m512i code, __m512i state, uint8_t **words)
{
    const __m512i frequency = _mm512_and_si512(code, _mm512_set1_epi32(0xFFFF));
    const __mmask16 is_long =
        _mm512_cmpge_epu32_mask(_mm512_srli_epi32(state, 32 - PRANS_SCALE_BITS), frequency);
    const __m256i word = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(is_long, state));
    const unsigned count = (unsigned)__builtin_popcount(is_long);
    *words -= 2 * count;
    _mm256_mask_storeu_epi16(*words, (__mmask16)((1u << count) - 1), word);
    state = _mm512_mask_srli_epi32(state, is_long, state, 16);
    const __m512 divisor = _mm512_cvtepi32_ps(frequency), near = _mm512_rcp14_ps(divisor),
                 inverse =
                     _mm512_mul_ps(near, _mm512_fnmadd_ps(divisor, near, _mm512_set1_ps(2 - 0x1.8p-22f)));
    const __m512i quotient = _mm512_cvttps_epi32(_mm512_mul_ps(_mm512_cvtepu32_ps(state), inverse)),
                  rest = _mm512_sub_epi32(state, _mm512_mullo_epi32(quotient, frequency)),
                  more = _mm512_sub_epi32(_mm512_set1_epi32(PRANS_SCALE), frequency);
    const __m512i next = _mm512_add_epi32(_mm512_slli_epi32(quotient, PRANS_SCALE_BITS),
                                          _mm512_add_epi32(rest, _mm512_srli_epi32(code, 16)));
    return _mm512_mask_add_epi32(next, _mm512_cmpge_epu32_mask(rest, frequency), next, more);
}

/* Codes by their bytes. */
struct code_bytes {
    _Alignas(64) uint8_t of[sizeof(middle_code)][PRANS_SYMBOLS];
};

static void part_codes(const middle_code code[PRANS_SYMBOLS], struct code_bytes *bytes)
{
    for (unsigned s = 0; s < PRANS_SYMBOLS; s += 16) {
        const __m512i some = _mm512_loadu_si512(code + s);
        for (unsigned b = 0; b < sizeof(middle_code); b++)
            _mm_store_si128((__m128i *)(bytes->of[b] + s),
                            _mm512_cvtepi32_epi8(_mm512_srli_epi32(some, 8 * b)));
    }
}

/* The codes of 64 symbols. */
INLINE void codes_of(const struct code_bytes *bytes, const uint8_t *symbol, __m512i code[4])
{
    const __m512i number = in_turns_of_four(_mm512_loadu_si512(symbol));
    const __mmask64 upper = _mm512_movepi8_mask(number);
    __m512i byte[sizeof(middle_code)];
    for (unsigned b = 0; b < sizeof(middle_code); b++)
        byte[b] = look_up((const __m512i *)bytes->of[b], number, upper);
    interleave_four(byte, code);
}

static uint8_t *words(middle_code (*codes)[PRANS_SYMBOLS], const uint8_t *ids, const uint8_t *symbol,
                      size_t blocks, uint8_t *end)
{
    struct code_bytes bytes[MIDDLE_TABLES];
    bool parted[MIDDLE_TABLES] = {false};
    __m512i state[HALVES];
    for (unsigned h = 0; h < HALVES; h++)
        state[h] = _mm512_set1_epi32(PRANS_STATE);
    for (size_t block = blocks; block-- > 0;) {
        const unsigned id = ids[block];
        if (!parted[id])
            part_codes(codes[id], &bytes[id]);
        parted[id] = true;
        for (unsigned part = MIDDLE_BLOCK; part;) {
            __m512i code[4];
            part -= 64;
            codes_of(&bytes[id], symbol + block * MIDDLE_BLOCK + part, code);
            for (unsigned i = 4; i-- > 0;)
                state[i % HALVES] = encode_lanes(code[i], state[i % HALVES], &end);
        }
    }
    return memcpy(end - sizeof state, state, sizeof state);
}

INLINE void store_flags(__m512i symbol, uint8_t *flag)
{
    const __m512i last = _mm512_set1_epi32(MIDDLE_SPECIAL - 1);
    const __m512i above = _mm512_sub_epi32(_mm512_max_epu32(symbol, last), last);
    _mm_storeu_si128((__m128i *)flag, _mm512_cvtepi32_epi8(above));
}

static bool decode(const struct middle_source *source, void *residuals, uint8_t *flag)
{
    WORD *residual = residuals;
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
        for (unsigned i = 0; i < MIDDLE_BLOCK / 16; i++, residual += 16)
            store_residuals(symbol[i], source->raw, &bit, residual);
        for (unsigned i = 0; flag && i < MIDDLE_BLOCK / 16; i++, flag += 16)
            store_flags(symbol[i], flag);
    }
    uint32_t states[MIDDLE_LANES];
    memcpy(states, state, sizeof states);
    return is_complete(source, states, words, bit);
}

/* Segments while they are unpacked. */
struct unpacking {
    const uint8_t *words[MIDDLE_TOGETHER];
    __m512i state[MIDDLE_TOGETHER][HALVES];
};

/* Some of the blocks of so many segments, which take turns, as lanes wait for what the lanes before took of
 * the words. */
INLINE bool unpack_blocks(const struct middle_source *source, unsigned segments, size_t block, size_t end,
                          struct unpacking *all, uint8_t *symbol)
{
    const size_t distance = source->blocks * MIDDLE_BLOCK;
    struct unpacking u = *all;
    for (; block < end; block++) {
        const uint32_t *table[MIDDLE_TOGETHER];
        for (unsigned s = 0; s < segments; s++) {
            if (u.words[s] > source[s].words_end)
                return false;
            table[s] = source[s].tables[source[s].ids[block]];
        }
        for (unsigned i = 0; i < MIDDLE_BLOCK / 16; i++)
            for (unsigned s = 0; s < segments; s++) {
                const __m512i entry = decode_lanes(table[s], &u.state[s][i % HALVES], &u.words[s]);
                _mm_storeu_si128((__m128i *)(symbol + s * distance + block * MIDDLE_BLOCK + 16 * i),
                                 _mm512_cvtepi32_epi8(entry));
            }
    }
    *all = u;
    return true;
}

/* The same, by numbers of segments that compilers know. */
static bool unpack_some(const struct middle_source *source, unsigned segments, size_t block, size_t end,
                        struct unpacking *all, uint8_t *symbol)
{
    switch (block < end ? segments : 0) {
    case 4:
        return unpack_blocks(source, 4, block, end, all, symbol);
    case 3:
        return unpack_blocks(source, 3, block, end, all, symbol);
    case 2:
        return unpack_blocks(source, 2, block, end, all, symbol);
    case 1:
        return unpack_blocks(source, 1, block, end, all, symbol);
    default:
        return true;
    }
}

static bool unpack(const struct middle_source *source, unsigned segments, uint8_t *symbol)
{
    const size_t blocks = source->blocks, common = source[segments - 1].blocks;
    struct unpacking all;
    for (unsigned s = 0; s < segments; s++) {
        all.words[s] = source[s].words;
        memcpy(all.state[s], source[s].states, sizeof all.state[s]);
    }
    if (!unpack_some(source, segments, 0, common, &all, symbol) ||
        !unpack_some(source, segments - 1, common, blocks, &all, symbol))
        return false;
    bool complete = true;
    for (unsigned s = 0; s < segments; s++) {
        uint32_t states[MIDDLE_LANES];
        memcpy(states, all.state[s], sizeof states);
        complete &= words_complete(&source[s], states, all.words[s]);
    }
    return complete;
}

const struct prans_middle_kernels WIDTH(fpgz_prans_middle_avx512) = PRANS_MIDDLE_KERNELS;
