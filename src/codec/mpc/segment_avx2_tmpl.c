/* SPDX-License-Identifier: MIT
 * The steps of a segment in AVX2. The bit transpose takes 64 words of 32 bits at a time. The other steps use
 * vectors of 128 bits, across which byte shuffles reach. */
#include "codec/mpc/segment.h"

#if FPGZ_BITS == 32
#include "codec/mpc/segment_avx2_f32.h"
#else
#include "codec/mpc/segment_avx2_f64.h"
#endif

/* LNV1 and ZE. Returns the words' end. */
INLINE uint8_t *pack(const WORD *v, unsigned groups, uint8_t *bitmaps, uint8_t *words)
{
    const __m128i zero = _mm_setzero_si128();
    __m128i before = zero; /* the vector before, whose last lane counts */
    for (; groups; groups--, bitmaps += sizeof(WORD)) {
        WORD zeros = 0;
        for (unsigned i = 0; i < WORD_BITS; i += LANES, v += LANES) {
            const __m128i planes = _mm_load_si128((const __m128i *)v);
            const __m128i difference = subtract(planes, _mm_alignr_epi8(planes, before, 16 - sizeof(WORD)));
            const unsigned absent = zero_lanes(difference);
            before = planes;
            zeros |= (WORD)absent << i;
            /* Always a whole vector: the bytes behind the stored words are overwritten by the next ones,
             * or belong to the slack. */
            _mm_storeu_si128((__m128i *)words,
                             _mm_shuffle_epi8(difference, _mm_load_si128(&compressed[absent].v)));
            words += compressed_bytes[absent];
        }
        STORE(bitmaps, ~zeros);
    }
    return words;
}

INLINE void unpack(const uint8_t *bitmaps, const uint8_t *words, unsigned groups, WORD *v)
{
    __m128i sum = _mm_setzero_si128(); /* in all lanes, of the words so far */
    for (; groups; groups--, bitmaps += sizeof(WORD)) {
        const WORD zeros = ~LOAD(bitmaps);
        for (unsigned i = 0; i < WORD_BITS; i += LANES, v += LANES) {
            const unsigned absent = zeros >> i & ((1 << LANES) - 1);
            const __m128i difference = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)words),
                                                        _mm_load_si128(&expanded[absent].v));
            words += compressed_bytes[absent];
            const __m128i prefix = prefix_sum(difference);
            _mm_store_si128((__m128i *)v, add(prefix, sum));
            sum = add(sum, broadcast_last(prefix));
        }
    }
}

/* Undoes LNVdim. */
INLINE void sum(const WORD *v, unsigned count, unsigned dim, WORD *values)
{
    if (dim == 1) {
        __m128i sum = _mm_setzero_si128();
        for (unsigned i = 0; i < count; i += LANES) {
            const __m128i prefix = prefix_sum(_mm_load_si128((const __m128i *)(v + i)));
            _mm_storeu_si128((__m128i *)(values + i), add(prefix, sum));
            sum = add(sum, broadcast_last(prefix));
        }
        return;
    }
    /* By residue, so that the sum stays in a register. */
    for (unsigned residue = 0; residue < dim; residue++) {
        WORD sum = 0;
        for (unsigned i = residue; i < count; i += dim)
            values[i] = sum += v[i];
    }
}

const struct mpc_kernels WIDTH(fpgz_mpc_avx2) = {.encode = encode, .decode = decode, .cost = cost};
