/* SPDX-License-Identifier: MIT
 * Writes deflate's bits, the least significant first. */
#ifndef FPGZ_CORE_DEFLATE_BITS_H
#define FPGZ_CORE_DEFLATE_BITS_H

#include "core/bytes.h"
#include "core/inline.h"

/* Who writes asks fpgz_bits_fit() before, and nothing else looks at the end. */
struct fpgz_bits {
    uint64_t held; /* bits not yet in memory */
    unsigned count;
    uint8_t *at, *end;
};

/* Whether `bits` bits more, filled up to a whole byte, fit. */
static inline bool fpgz_bits_fit(const struct fpgz_bits *out, uint64_t bits)
{
    return (out->count + bits + 7) / 8 <= (size_t)(out->end - out->at);
}

/* Writes whole bytes; fewer than 8 bits stay held. */
INLINE void fpgz_bits_flush(struct fpgz_bits *out)
{
    const unsigned whole = out->count / 8;
    if (__builtin_expect(out->end - out->at >= 8, 1))
        fpgz_store64(out->at, out->held);
    else
        memcpy(out->at, &out->held, whole);
    out->at += whole;
    out->held >>= 8 * whole;
    out->count %= 8;
}

/* At most 57 bits between two flushes. */
INLINE void fpgz_bits_put(struct fpgz_bits *out, uint64_t value, unsigned count)
{
    out->held |= value << out->count;
    out->count += count;
}

/* Fills up the last byte. */
static inline void fpgz_bits_align(struct fpgz_bits *out)
{
    out->count = (out->count + 7) / 8 * 8;
    fpgz_bits_flush(out);
}

#endif
