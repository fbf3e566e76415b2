/* SPDX-License-Identifier: MIT
 * Integers of so many bits, the most significant first: unpacked to whole bytes, and packed again. */
#include "core/packed.h"

#include "core/bytes.h"

enum { MOST_BITS = 31 };

bool fpgz_packed_valid(uint32_t bits)
{
    return bits >= 1 && bits <= MOST_BITS && bits != 8 && bits != 16;
}

size_t fpgz_packed_width(uint32_t bits)
{
    return bits < 8 ? 1 : bits < 16 ? 2 : 4;
}

uint64_t fpgz_packed_length(uint32_t bits, uint64_t values)
{
    return values > UINT64_MAX / 64 ? 0 : (values * bits + 7) / 8;
}

bool fpgz_packed_undo(uint32_t bits, const uint8_t *packed, size_t length, uint8_t *data, size_t bytes)
{
    const size_t width = fpgz_packed_width(bits), values = bytes / width;
    const uint32_t mask = (1u << bits) - 1;
    uint64_t held = 0; /* its lowest `count` bits are not taken yet */
    unsigned count = 0;
    if (bytes % width || length != fpgz_packed_length(bits, values))
        return false;
    for (size_t i = 0; i < values; i++) {
        for (; count < bits; count += 8)
            held = held << 8 | *packed++;
        count -= bits;
        const uint32_t value = (uint32_t)(held >> count) & mask;
        memcpy(data + i * width, &value, width);
    }
    return !(held & ((1u << count) - 1)); /* what the last byte is filled up with */
}

bool fpgz_packed_make(uint32_t bits, const uint8_t *data, size_t bytes, uint8_t *packed, size_t *length)
{
    const size_t width = fpgz_packed_width(bits), values = bytes / width;
    uint8_t *const begin = packed;
    uint32_t all = 0;
    uint64_t held = 0; /* its lowest `count` bits are not written yet */
    unsigned count = 0;
    for (size_t i = 0; i < values; i++) {
        const uint32_t value = (uint32_t)fpgz_load_word(data + i * width, width);
        all |= value;
        held = held << bits | value;
        for (count += bits; count >= 8; count -= 8)
            *packed++ = (uint8_t)(held >> (count - 8));
    }
    if (count)
        *packed++ = (uint8_t)(held << (8 - count));
    *length = (size_t)(packed - begin);
    return !(bytes % width) && !(all >> bits);
}
