/* SPDX-License-Identifier: MIT
 * Copies pieces; short ones take no call each. */
#include "core/strided.h"

#include <stdbool.h>
#include <string.h>

#include "core/inline.h"

INLINE void copy_pieces(uint8_t *to, size_t to_step, const uint8_t *from, size_t from_step, size_t count,
                        size_t bytes)
{
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * to_step, from + i * from_step, bytes);
}

void fpgz_copy_strided(uint8_t *to, size_t to_step, const uint8_t *from, size_t from_step, size_t count,
                       size_t bytes)
{
    switch (bytes) { /* a copy of constant length is a load and a store */
    case 1:
        copy_pieces(to, to_step, from, from_step, count, 1);
        break;
    case 2:
        copy_pieces(to, to_step, from, from_step, count, 2);
        break;
    case 4:
        copy_pieces(to, to_step, from, from_step, count, 4);
        break;
    case 8:
        copy_pieces(to, to_step, from, from_step, count, 8);
        break;
    default:
        copy_pieces(to, to_step, from, from_step, count, bytes);
    }
}

/* Fetches what is ahead: planes are many streams, and what is written was not touched for long. */
INLINE void fetch_ahead(const uint8_t *at, size_t bytes, bool writing)
{
    enum { LINE = 64 };
    for (size_t i = 0; i < bytes; i += LINE)
        if (writing)
            __builtin_prefetch(at + i, 1);
        else
            __builtin_prefetch(at + i, 0);
}

/* In pieces: few planes are read in step; of many, whose lines may have one place in the cache, each is read
 * alone. */
INLINE void interleave(uint8_t *restrict to, const uint8_t *planes, size_t distance, size_t parts,
                       size_t count, size_t bytes, bool few)
{
    enum { TOGETHER = 64, AHEAD = 8 * TOGETHER };
    for (size_t at = 0, some; at < count; at += some) {
        some = count - at < TOGETHER ? count - at : TOGETHER;
        if (count - at > AHEAD) {
            for (size_t p = 0; p < parts; p++)
                fetch_ahead(planes + p * distance + (at + AHEAD) * bytes, TOGETHER * bytes, false);
            fetch_ahead(to + (at + AHEAD) * parts * bytes, TOGETHER * parts * bytes, true);
        }
        if (few)
            for (size_t i = at; i < at + some; i++)
                for (size_t p = 0; p < parts; p++)
                    memcpy(to + (i * parts + p) * bytes, planes + p * distance + i * bytes, bytes);
        else
            for (size_t p = 0; p < parts; p++)
                copy_pieces(to + (at * parts + p) * bytes, parts * bytes, planes + p * distance + at * bytes,
                            bytes, some, bytes);
    }
}

/* By numbers that compilers know. */
#define BY_PARTS(bytes)                                                                                      \
    (parts == 2   ? interleave(to, planes, distance, 2, count, bytes, true)                                  \
     : parts == 3 ? interleave(to, planes, distance, 3, count, bytes, true)                                  \
     : parts == 4 ? interleave(to, planes, distance, 4, count, bytes, true)                                  \
                  : interleave(to, planes, distance, parts, count, bytes, false))

void fpgz_interleave(uint8_t *to, const uint8_t *planes, size_t distance, size_t parts, size_t count,
                     size_t bytes)
{
    switch (bytes) {
    case 1:
        BY_PARTS(1);
        break;
    case 2:
        BY_PARTS(2);
        break;
    case 4:
        BY_PARTS(4);
        break;
    default:
        BY_PARTS(8);
    }
}
