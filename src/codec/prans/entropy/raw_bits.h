/* SPDX-License-Identifier: MIT
 * Raw bits of up to 64 at a time, written behind each other from the lowest bit on. */
#ifndef FPGZ_CODEC_PRANS_ENTROPY_RAW_BITS_H
#define FPGZ_CODEC_PRANS_ENTROPY_RAW_BITS_H

#include "core/bytes.h"
#include "core/inline.h"

/* All zeros but for `out`, which has room for 8 bytes more than are written. */
struct prans_raw_bits {
    uint8_t *out;
    uint64_t held; /* bits that are not written yet */
    unsigned count;
};

/* Adds the lowest `width` bits of `bits`; those above must be 0. */
INLINE void raw_bits_add(struct prans_raw_bits *raw, uint64_t bits, unsigned width)
{
    const unsigned count = raw->count + width;
    const uint64_t held = raw->held | bits << raw->count;
    fpgz_store64(raw->out, held);
    /* Without a branch, which could not be foreseen. */
    const uint64_t is_full = -(uint64_t)(count / 64);
    raw->held = (held & ~is_full) | (bits >> 1 >> (63 - raw->count) & is_full);
    raw->out += count / 64 * 8;
    raw->count = count % 64;
}

/* Fills up the last byte. Returns what is behind it. */
INLINE uint8_t *raw_bits_end(const struct prans_raw_bits *raw)
{
    fpgz_store64(raw->out, raw->held);
    return raw->out + (raw->count + 7) / 8;
}

#endif
