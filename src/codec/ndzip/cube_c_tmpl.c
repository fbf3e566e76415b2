/* SPDX-License-Identifier: MIT
 * One hypercube in plain C, the reference: what it writes is ndzip's stream, and every other kernel must
 * write the same. */
#include "codec/ndzip/ndzip.h"
#include "codec/width.h"

/* Sides of the hypercube, slowest first; a missing axis has side 1. */
struct sides {
    unsigned z, y, x;
};

static void gather(const WORD *cube, struct ndzip_strides strides, struct sides side, WORD *v)
{
    for (unsigned z = 0; z < side.z; z++)
        for (unsigned y = 0; y < side.y; y++, v += side.x)
            memcpy(v, cube + z * strides.plane + y * strides.row, side.x * sizeof(WORD));
}

static void scatter(const WORD *v, struct ndzip_strides strides, struct sides side, WORD *cube)
{
    for (unsigned z = 0; z < side.z; z++)
        for (unsigned y = 0; y < side.y; y++, v += side.x)
            memcpy(cube + z * strides.plane + y * strides.row, v, side.x * sizeof(WORD));
}

/* Differences along the axis whose neighbours are `step` values apart, in rows of `side` values. */
static void difference(WORD *v, unsigned step, unsigned side)
{
    for (unsigned first = 0; first < NDZIP_CUBE; first += step * side)
        for (unsigned i = step * side - 1; i >= step; i--)
            v[first + i] -= v[first + i - step];
}

static void sum(WORD *v, unsigned step, unsigned side)
{
    for (unsigned first = 0; first < NDZIP_CUBE; first += step * side)
        for (unsigned i = step; i < step * side; i++)
            v[first + i] += v[first + i - step];
}

/* Negative residuals have their magnitude bits inverted, so that small ones of either sign have zero
 * columns. */
static void complement(WORD *v)
{
    for (unsigned i = 0; i < NDZIP_CUBE; i++)
        if (v[i] >> (WORD_BITS - 1))
            v[i] ^= ((WORD)1 << (WORD_BITS - 1)) - 1;
}

/* Bit matrix transpose, most significant bit first: its own inverse. */
static void transpose(WORD *u)
{
    WORD mask = (WORD)-1 >> (WORD_BITS / 2);
    for (unsigned half = WORD_BITS / 2; half; half /= 2, mask ^= mask << half)
        for (unsigned pair = 0; pair < WORD_BITS; pair += 2 * half)
            for (unsigned i = pair; i < pair + half; i++) {
                const WORD swap = (u[i] ^ (u[i + half] >> half)) & mask;
                u[i] ^= swap;
                u[i + half] ^= swap << half;
            }
}

static size_t encode(const WORD *cube, struct ndzip_strides strides, struct sides side, uint8_t *stream)
{
    WORD v[NDZIP_CUBE];
    gather(cube, strides, side, v);
    for (unsigned i = 0; i < NDZIP_CUBE; i++)
        v[i] = v[i] << 1 | v[i] >> (WORD_BITS - 1);
    difference(v, 1, side.x);
    difference(v, side.x, side.y);
    difference(v, side.x * side.y, side.z);
    complement(v);

    uint8_t *column = stream + NDZIP_CUBE / WORD_BITS * sizeof(WORD);
    for (unsigned group = 0; group < NDZIP_CUBE / WORD_BITS; group++) {
        WORD *u = v + group * WORD_BITS, head = 0;
        for (unsigned i = 0; i < WORD_BITS; i++)
            head |= u[i];
        STORE(stream + group * sizeof(WORD), head);
        if (!head)
            continue;
        transpose(u);
        for (unsigned i = 0; i < WORD_BITS; i++)
            if (head >> (WORD_BITS - 1 - i) & 1) {
                STORE(column, u[i]);
                column += sizeof(WORD);
            }
    }
    return (size_t)(column - stream) / sizeof(WORD);
}

static bool decode(const uint8_t *stream, size_t words, WORD *cube, struct ndzip_strides strides,
                   struct sides side)
{
    size_t expected = NDZIP_CUBE / WORD_BITS;
    for (unsigned group = 0; group < NDZIP_CUBE / WORD_BITS; group++)
        expected += (size_t)POPCOUNT(LOAD(stream + group * sizeof(WORD)));
    if (expected != words)
        return false;

    WORD v[NDZIP_CUBE];
    const uint8_t *column = stream + NDZIP_CUBE / WORD_BITS * sizeof(WORD);
    for (unsigned group = 0; group < NDZIP_CUBE / WORD_BITS; group++) {
        WORD *u = v + group * WORD_BITS;
        const WORD head = LOAD(stream + group * sizeof(WORD));
        for (unsigned i = 0; i < WORD_BITS; i++) {
            const bool stored = head >> (WORD_BITS - 1 - i) & 1;
            u[i] = stored ? LOAD(column) : 0;
            column += stored ? sizeof(WORD) : 0;
        }
        if (head)
            transpose(u);
    }

    complement(v);
    sum(v, side.x * side.y, side.z);
    sum(v, side.x, side.y);
    sum(v, 1, side.x);
    for (unsigned i = 0; i < NDZIP_CUBE; i++)
        v[i] = v[i] >> 1 | v[i] << (WORD_BITS - 1);
    scatter(v, strides, side, cube);
    return true;
}

static size_t encode_1d(const void *cube, struct ndzip_strides strides, const void *next, uint8_t *stream)
{
    (void)next;
    return encode(cube, strides, (struct sides){1, 1, 4096}, stream);
}

static size_t encode_2d(const void *cube, struct ndzip_strides strides, const void *next, uint8_t *stream)
{
    (void)next;
    return encode(cube, strides, (struct sides){1, 64, 64}, stream);
}

static size_t encode_3d(const void *cube, struct ndzip_strides strides, const void *next, uint8_t *stream)
{
    (void)next;
    return encode(cube, strides, (struct sides){16, 16, 16}, stream);
}

static bool decode_1d(const uint8_t *stream, size_t words, void *cube, struct ndzip_strides strides,
                      void *next)
{
    (void)next;
    return decode(stream, words, cube, strides, (struct sides){1, 1, 4096});
}

static bool decode_2d(const uint8_t *stream, size_t words, void *cube, struct ndzip_strides strides,
                      void *next)
{
    (void)next;
    return decode(stream, words, cube, strides, (struct sides){1, 64, 64});
}

static bool decode_3d(const uint8_t *stream, size_t words, void *cube, struct ndzip_strides strides,
                      void *next)
{
    (void)next;
    return decode(stream, words, cube, strides, (struct sides){16, 16, 16});
}

const struct ndzip_kernels WIDTH(fpgz_ndzip_c) = {
    .encode = {encode_1d, encode_2d, encode_3d},
    .decode = {decode_1d, decode_2d, decode_3d},
};
