/* SPDX-License-Identifier: MIT
 * What both word types share in AVX-512: how codes are packed. */
#ifndef FPGZ_CODEC_FRSZ2_BLOCKS_AVX512_BITS_H
#define FPGZ_CODEC_FRSZ2_BLOCKS_AVX512_BITS_H

#include <immintrin.h>
#include <stdalign.h>

#include "codec/frsz2/frsz2.h"
#include "core/inline.h"

typedef __m512i vector;
typedef uint32_t vec_f32 __attribute__((vector_size(64)));
typedef uint64_t vec_f64 __attribute__((vector_size(64)));

INLINE vector load(const void *at)
{
    return _mm512_loadu_si512(at);
}

INLINE void store(void *at, vector v)
{
    _mm512_storeu_si512(at, v);
}

/* Eight units of 7 to 57 bits take as many bytes as a unit has bits. Each unit is moved to its bit in a
 * byte, then to its bytes. The bytes of every other unit do not overlap. A unit is a code, or two that
 * fit. */
struct packer {
    unsigned bits; /* of a code */
    unsigned unit; /* bits of a unit */
    __m512i shift;
    __m512i index[2]; /* bytes of the units 0, 2, 4, 6 and of 1, 3, 5, 7 */
    __mmask64 stored[2];
};

enum { UNIT_MIN = 7, UNIT_MAX = 57 };

INLINE struct packer make_packer(unsigned bits)
{
    alignas(64) uint64_t shift[8] = {0};
    alignas(64) uint8_t index[2][64] = {{0}, {0}};
    struct packer p = {.bits = bits, .unit = 2 * bits <= UNIT_MAX ? 2 * bits : bits};
    for (unsigned j = 0; j < 8 && p.unit <= UNIT_MAX; j++) {
        shift[j] = j * p.unit % 8;
        for (unsigned first = j * p.unit / 8, at = first; at * 8 < (j + 1) * p.unit; at++) {
            index[j % 2][at] = (uint8_t)(8 * j + at - first);
            p.stored[j % 2] |= (__mmask64)1 << at;
        }
    }
    p.shift = _mm512_load_si512(shift);
    p.index[0] = _mm512_load_si512(index[0]);
    p.index[1] = _mm512_load_si512(index[1]);
    return p;
}

/* `count` vectors of units; stores up to 64 bytes behind them. */
INLINE void pack(const vec_f64 *units, unsigned count, const struct packer *p, uint8_t *packed)
{
    if (p->unit < UNIT_MIN || p->unit > UNIT_MAX) {
        uint64_t words[FRSZ2_BLOCK];
        for (unsigned i = 0; i < count; i++)
            store(words + 8 * i, (vector)units[i]);
        frsz2_pack(words, 8 * count, p->unit, packed);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        const __m512i shifted = _mm512_sllv_epi64((__m512i)units[i], p->shift);
        const __m512i even = _mm512_maskz_permutexvar_epi8(p->stored[0], p->index[0], shifted),
                      odd = _mm512_maskz_permutexvar_epi8(p->stored[1], p->index[1], shifted);
        _mm512_storeu_si512(packed + i * p->unit, _mm512_or_si512(even, odd));
    }
}

/* Unpacks a vector of codes: each lane takes the byte in which its code begins and those behind it, as
 * many as it has room for, and shifts them down by the bits before the code. */
struct unpacker {
    unsigned bits;
    __m512i index[2], shift;
};

INLINE void put_packed_f32(const vec_f32 *v, const struct packer *p, uint8_t *codes)
{
    vec_f64 units[4];
    if (p->unit > p->bits) {
        for (unsigned i = 0; i < 2; i++)
            units[i] = ((vec_f64)v[i] & 0xffffffff) | (vec_f64)v[i] >> 32 << p->bits;
        pack(units, 2, p, codes);
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        const __m512i pair = (__m512i)v[i / 2];
        units[i] = (vec_f64)_mm512_cvtepu32_epi64(i % 2 ? _mm512_extracti64x4_epi64(pair, 1)
                                                        : _mm512_castsi512_si256(pair));
    }
    pack(units, 4, p, codes);
}

#endif
