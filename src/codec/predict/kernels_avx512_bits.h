/* SPDX-License-Identifier: MIT
 * What both word types share in AVX-512: prefixes and masks of bytes. */
#ifndef FPGZ_CODEC_PREDICT_KERNELS_AVX512_BITS_H
#define FPGZ_CODEC_PREDICT_KERNELS_AVX512_BITS_H

#include "codec/avx512.h"
#include "codec/predict/kernels.h"

/* On Zen 4 vpexpandb waits for the last writer of its destination even where it zeroes the lanes that it
 * does not fill. With destination = source that wait costs nothing. */
INLINE __m512i expand_bytes(__mmask64 mask, __m512i v)
{
    __asm__("vpexpandb %0, %0 %{%1%}%{z%}" : "+v"(v) : "Yk"(mask));
    return v;
}

/* The bits of each byte that hold the prefix, in a quadword of eight counts of zero bits. These are
 * multiples of 8, so a prefix begins at bit 3. */
INLINE uint64_t prefix_mask(unsigned bits)
{
    return BYTES(((1u << bits) - 1) << 3);
}

INLINE void put_octet(uint8_t *prefixes, uint64_t zeros, unsigned bits)
{
    store_octet(prefixes, (uint32_t)_pext_u64(zeros, prefix_mask(bits)), bits);
}

INLINE uint64_t take_octet(const uint8_t *prefixes, unsigned bits)
{
    return _pdep_u64(load_octet(prefixes, bits), prefix_mask(bits));
}

#endif
