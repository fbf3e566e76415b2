/* SPDX-License-Identifier: MIT
 * Little-endian loads and stores at any address, and arithmetic that cannot wrap unseen. */
#ifndef FPGZ_CORE_BYTES_H
#define FPGZ_CORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "fpgz keeps words in memory as streams store them: it needs a little-endian machine"
#endif

#define FPGZ_DEFINE_LOAD_STORE(bits)                                                                         \
    static inline uint##bits##_t fpgz_load##bits(const void *at)                                             \
    {                                                                                                        \
        uint##bits##_t value;                                                                                \
        memcpy(&value, at, sizeof value);                                                                    \
        return value;                                                                                        \
    }                                                                                                        \
    static inline void fpgz_store##bits(void *at, uint##bits##_t value)                                      \
    {                                                                                                        \
        memcpy(at, &value, sizeof value);                                                                    \
    }
FPGZ_DEFINE_LOAD_STORE(16)
FPGZ_DEFINE_LOAD_STORE(32)
FPGZ_DEFINE_LOAD_STORE(64)
#undef FPGZ_DEFINE_LOAD_STORE

/* A word of 1 to 8 bytes. */
static inline uint64_t fpgz_load_word(const void *at, size_t bytes)
{
    uint64_t word = 0;
    memcpy(&word, at, bytes);
    return word;
}

/* False when the result does not fit; *result is then undefined. */
static inline bool fpgz_mul(uint64_t a, uint64_t b, uint64_t *result)
{
    return !__builtin_mul_overflow(a, b, result);
}

static inline bool fpgz_add(uint64_t a, uint64_t b, uint64_t *result)
{
    return !__builtin_add_overflow(a, b, result);
}

static inline uint64_t fpgz_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t fpgz_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t fpgz_round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* A part of so many bytes of a room, from *at on, which moves to the next line of the cache behind it. NULL
 * where there is no room, and bytes are only counted. */
static inline void *fpgz_carve(void *room, size_t *at, size_t bytes)
{
    uint8_t *const part = room ? (uint8_t *)room + *at : NULL;
    *at += fpgz_round_up(bytes, 64);
    return part;
}

/* The inverse of an odd number, by multiplication. */
static inline uint64_t fpgz_inverse(uint64_t odd)
{
    uint64_t inverse = odd; /* the lowest three bits are right, then twice as many each time */
    for (unsigned i = 0; i < 5; i++)
        inverse *= 2 - odd * inverse;
    return inverse;
}

/* The greatest common divisor; one of 0 and b is b. */
static inline uint64_t fpgz_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* memcpy() for targets behind a header. From a few KiB up to the second-level cache's size glibc
 * copies by "rep movsb", which on Zen 4 falls to a tenth of its speed where the target starts a few bytes
 * further into its page than the source. */
static inline void fpgz_copy(void *to, const void *from, size_t bytes)
{
    size_t at = 0;
    for (; bytes < 1 << 20 && at + 64 <= bytes; at += 64) {
        uint64_t line[8];
        memcpy(line, (const uint8_t *)from + at, sizeof line);
        memcpy((uint8_t *)to + at, line, sizeof line);
    }
    memcpy((uint8_t *)to + at, (const uint8_t *)from + at, bytes - at);
}

#endif
