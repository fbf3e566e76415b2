/* SPDX-License-Identifier: MIT
 * xxHash's own header and Adler-32, to be compiled once a CPU level: the same sums, several times the speed.
 */
#ifndef FPGZ_CORE_CHECKSUM_LEVEL_H
#define FPGZ_CORE_CHECKSUM_LEVEL_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/bytes.h"
#include "core/checksum_kernels.h"

static uint64_t sum(const void *data, size_t length)
{
    return XXH3_64bits(data, length);
}

static void add(void *state, const void *data, size_t length)
{
    XXH3_64bits_update(state, data, length);
}

/* In blocks, within which a byte counts for all sums from its own on: that takes 16 bits. */
static uint32_t adler32(const uint8_t *data, size_t length)
{
    enum { BLOCK = 256, PIECE = 1 << 20 /* the sums of which fit */, MODULUS = 65521 };
    uint64_t sum = 1, sums = 0;
    while (length > 0) {
        const size_t piece = fpgz_min(length, PIECE);
        const uint8_t *const end = data + piece;
        for (; end - data >= BLOCK; data += BLOCK) {
            uint32_t bytes = 0, weighted = 0;
            for (unsigned i = 0; i < BLOCK; i++) {
                bytes += data[i];
                weighted += (uint16_t)(data[i] * (BLOCK - i));
            }
            sums += BLOCK * sum + weighted;
            sum += bytes;
        }
        while (data < end)
            sums += sum += *data++;
        sum %= MODULUS;
        sums %= MODULUS;
        length -= piece;
    }
    return (uint32_t)(sums << 16 | sum);
}

#endif
