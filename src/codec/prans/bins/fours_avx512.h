/* SPDX-License-Identifier: MIT
 * Where the raw bits of 64 words are: of each four words, whose bits' places fit into bytes. */
#ifndef FPGZ_CODEC_PRANS_BINS_FOURS_AVX512_H
#define FPGZ_CODEC_PRANS_BINS_FOURS_AVX512_H

#include "codec/prans/middle/sums_avx512.h"

struct fours {
    __m512i bit;        /* of each word, from the byte on where its four begin: at most 7 + 3 * 62 */
    uint32_t begin[16]; /* the bytes where these begin */
    uint8_t width[64];
};

/* Compilers would take words out of vectors again, by the one port that permutes, in place of loads. */
INLINE void stays_in_memory(void *what)
{
    __asm__("" : : "r"(what) : "memory");
}

/* Bytes are multiplied to be added up. *bit is behind the raw bits then. */
INLINE void find_fours(__m512i width, uint64_t *bit, struct fours *fours)
{
    const __m512i ones = _mm512_set1_epi32(0x01010101), up_to = _mm512_mullo_epi32(width, ones),
                  four = _mm512_srli_epi32(up_to, 24), all = lane_sums(four, 4);
    const __m512i begin = _mm512_add_epi32(_mm512_sub_epi32(all, four), _mm512_set1_epi32((int)(*bit % 8)));
    fours->bit = _mm512_add_epi8(_mm512_sub_epi8(up_to, width),
                                 _mm512_mullo_epi32(_mm512_and_si512(begin, _mm512_set1_epi32(7)), ones));
    _mm512_storeu_si512(fours->begin, _mm512_srli_epi32(begin, 3));
    _mm512_storeu_si512(fours->width, width);
    stays_in_memory(fours);
    *bit += (uint32_t)_mm_cvtsi128_si32(
        _mm512_castsi512_si128(_mm512_permutexvar_epi32(_mm512_set1_epi32(15), all)));
}

/* The bytes in which such bits are. */
INLINE __m512i fours_byte(__m512i bit)
{
    return _mm512_and_si512(_mm512_srli_epi16(bit, 3), _mm512_set1_epi8(0x1F));
}

#endif
