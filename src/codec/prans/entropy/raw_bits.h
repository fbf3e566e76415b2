/* SPDX-License-Identifier: MIT
 * Raw bits of up to 64 at a time, written behind each other from the lowest bit on. */
#ifndef FPGZ_CODEC_PRANS_ENTROPY_RAW_BITS_H
#define FPGZ_CODEC_PRANS_ENTROPY_RAW_BITS_H

#include "core/bytes.h"
#include "core/inline.h"

/* All zeros but for `out`, which has room for 8 bytes more than are written. */
struct prans_raw_bits {
    uint8_t *out;
    uint64_t held; /* bits that are not written for good, fewer than eight */
    unsigned count;
};

/* Adds the lowest `width` bits of `bits`, at most 56; those above must be 0. */
INLINE void raw_bits_add_few(struct prans_raw_bits *raw, uint64_t bits, unsigned width)
{
    const uint64_t held = raw->held | bits << raw->count;
    const unsigned count = raw->count + width;
    fpgz_store64(raw->out, held);
    raw->out += count / 8;
    raw->held = held >> (count & ~7u);
    raw->count = count % 8;
}

/* The same of at most 64. */
INLINE void raw_bits_add(struct prans_raw_bits *raw, uint64_t bits, unsigned width)
{
    if (width > 56) {
        raw_bits_add_few(raw, bits & UINT32_MAX, 32);
        bits >>= 32;
        width -= 32;
    }
    raw_bits_add_few(raw, bits, width);
}

/* Fills up the last byte. Returns what is behind it. */
INLINE uint8_t *raw_bits_end(const struct prans_raw_bits *raw)
{
    fpgz_store64(raw->out, raw->held);
    return raw->out + (raw->count + 7) / 8;
}

#endif
