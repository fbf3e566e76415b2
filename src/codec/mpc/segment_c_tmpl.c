/* SPDX-License-Identifier: MIT
 * The steps of a segment in plain C, the reference: what they write is MPC's stream, and every other kernel
 * must write the same. */
#include "codec/mpc/segment.h"

/* BIT: bit i of word L becomes bit L of word i, in each group. Its own inverse. */
static void transpose(WORD *v, unsigned groups)
{
    for (; groups; groups--, v += WORD_BITS) {
        WORD mask = (WORD)-1 >> (WORD_BITS / 2);
        for (unsigned half = WORD_BITS / 2; half; half /= 2, mask ^= mask << half)
            for (unsigned pair = 0; pair < WORD_BITS; pair += 2 * half)
                for (unsigned i = pair; i < pair + half; i++) {
                    const WORD swap = (v[i] >> half ^ v[i + half]) & mask;
                    v[i] ^= swap << half;
                    v[i + half] ^= swap;
                }
    }
}

/* LNV1 and ZE. Returns the words' end. */
static uint8_t *pack(const WORD *v, unsigned groups, uint8_t *bitmaps, uint8_t *words)
{
    WORD before = 0;
    for (; groups; groups--, bitmaps += sizeof(WORD), v += WORD_BITS) {
        WORD bitmap = 0;
        for (unsigned i = 0; i < WORD_BITS; i++) {
            const WORD difference = v[i] - before, stored = difference != 0;
            before = v[i];
            bitmap |= stored << i;
            STORE(words, difference); /* or the next one over it */
            words += stored * sizeof(WORD);
        }
        STORE(bitmaps, bitmap);
    }
    return words;
}

static void unpack(const uint8_t *bitmaps, const uint8_t *words, unsigned groups, WORD *v)
{
    WORD before = 0;
    for (; groups; groups--, bitmaps += sizeof(WORD), v += WORD_BITS) {
        const WORD bitmap = LOAD(bitmaps);
        for (unsigned i = 0; i < WORD_BITS; i++) {
            const WORD stored = bitmap >> i & 1;
            before += LOAD(words) & -stored;
            v[i] = before;
            words += stored * sizeof(WORD);
        }
    }
}

/* Undoes LNVdim. */
static void sum(const WORD *v, unsigned count, unsigned dim, WORD *values)
{
    for (unsigned i = 0; i < count; i++)
        values[i] = v[i] + (i < dim ? 0 : values[i - dim]);
}

const struct mpc_kernels WIDTH(fpgz_mpc_c) = {.encode = encode, .decode = decode, .cost = cost};
