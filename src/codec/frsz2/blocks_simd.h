/* SPDX-License-Identifier: MIT
 * Blocks in vectors of any length. A CPU level's header of this width, which is included before, defines the
 * types vector, vec and real (a register, as a vector of WORD and of FLOAT), load(), store(), struct packer
 * with make_packer(), struct unpacker with make_unpacker(), and top()          the greatest 32 upper bits of
 * any lane, in vectors without signs, shift_right()  each lane by its own count, however large, truncated()
 * non-negative integers to FLOAT, rounded toward zero, put(), get()   a block's codes, one a lane, of 8, 16,
 * 32 or 64 bits, and put_packed(), get_packed()  of any number of bits; above a code, get_packed() may leave
 * anything. */
#ifndef FPGZ_CODEC_FRSZ2_BLOCKS_SIMD_H
#define FPGZ_CODEC_FRSZ2_BLOCKS_SIMD_H

#include <string.h>

#include "codec/frsz2/frsz2.h"
#include "codec/frsz2/value.h"

enum { VECTORS = FRSZ2_BLOCK * sizeof(WORD) / sizeof(vec) };

INLINE unsigned block_exponent(const vec *v)
{
    vec magnitude[VECTORS];
    for (unsigned i = 0; i < VECTORS; i++)
        magnitude[i] = v[i] & ~SIGN;
    return top(magnitude) >> (MANTISSA_BITS + 32 - WORD_BITS);
}

INLINE bool encode_all(struct frsz2_code code, const void *values, size_t blocks, uint8_t *exponents,
                       uint8_t *codes)
{
    const bool straight = code.bits == 8 || code.bits == 16 || code.bits == 32 || code.bits == 64;
    const struct packer packer = straight ? (struct packer){0} : make_packer(code.bits);
    const uint8_t *grid = values;
    bool finite = true;
    for (size_t block = 0; block < blocks; block++, grid += FRSZ2_BLOCK * sizeof(WORD)) {
        vec v[VECTORS];
        for (unsigned i = 0; i < VECTORS; i++)
            v[i] = (vec)load(grid + i * sizeof v[i]);
        unsigned greatest = block_exponent(v);
        if (__builtin_expect(greatest == NONFINITE, 0)) {
            finite = false;
            for (unsigned i = 0; i < VECTORS; i++)
                v[i] &= SIGN | (vec)((v[i] & ~SIGN) < (WORD)NONFINITE << MANTISSA_BITS);
            greatest = block_exponent(v);
        }
        /* code_of() in lanes. Adding all ones to an exponent that is not 0 carries out, into the hidden
         * bit. */
        const WORD hidden = (WORD)1 << INTEGER_BIT;
        for (unsigned i = 0; i < VECTORS; i++) {
            const vec exponent = (v[i] & ~SIGN) >> MANTISSA_BITS;
            const vec carry = (exponent + NONFINITE) << (MANTISSA_BITS - 1);
            const vec mantissa = v[i] << (INTEGER_BIT - MANTISSA_BITS) & (hidden - 1);
            const vec significand = shift_right(mantissa | (carry & hidden), greatest - exponent);
            v[i] = ((v[i] & SIGN) | significand) >> (WORD_BITS - code.bits);
        }
        if (straight)
            put(v, code.bits, codes + block * code.block_bytes);
        else
            put_packed(v, &packer, codes + block * code.block_bytes);
        frsz2_store_exponent(exponents + block * code.exponent_bytes, code.exponent_bytes,
                             (int64_t)greatest - BIAS);
    }
    return finite;
}

INLINE bool decode_all(struct frsz2_code code, const uint8_t *exponents, const uint8_t *codes, size_t blocks,
                       void *values)
{
    const bool straight = code.bits == 8 || code.bits == 16 || code.bits == 32 || code.bits == 64;
    const struct unpacker unpacker = straight ? (struct unpacker){0} : make_unpacker(code.bits);
    uint8_t *grid = values;
    for (size_t block = 0; block < blocks; block++, grid += FRSZ2_BLOCK * sizeof(WORD)) {
        const uint64_t exponent =
            frsz2_load_exponent(exponents + block * code.exponent_bytes, code.exponent_bytes) + BIAS;
        if (exponent >= NONFINITE)
            return false;
        vec v[VECTORS];
        if (straight)
            get(codes + block * code.block_bytes, code.bits, v);
        else
            get_packed(codes + block * code.block_bytes, &unpacker, v);
        for (unsigned i = 0; i < VECTORS; i++)
            v[i] <<= WORD_BITS - code.bits;

        if (__builtin_expect(exponent > INTEGER_BIT, 1)) {
            /* No result is subnormal, so the hardware converts and scales exactly as value_of() does. */
            const WORD power = (WORD)(exponent - INTEGER_BIT) << MANTISSA_BITS;
            FLOAT scale;
            memcpy(&scale, &power, sizeof scale);
            for (unsigned i = 0; i < VECTORS; i++)
                v[i] = (vec)(truncated(v[i] & ~SIGN) * scale) | (v[i] & SIGN);
        } else if (exponent == 0) { /* zeros and subnormals, as they are */
            for (unsigned i = 0; i < VECTORS; i++)
                v[i] = (v[i] >> (INTEGER_BIT - MANTISSA_BITS) & MANTISSA) | (v[i] & SIGN);
        } else {
            WORD word[FRSZ2_BLOCK];
            memcpy(word, v, sizeof v);
            for (unsigned j = 0; j < FRSZ2_BLOCK; j++)
                word[j] = value_of(word[j], (unsigned)exponent, WORD_BITS);
            memcpy(v, word, sizeof v);
        }
        for (unsigned i = 0; i < VECTORS; i++)
            store(grid + i * sizeof v[i], (vector)v[i]);
    }
    return true;
}

/* Widths with plain loads and stores get copies of the code, in which they are constants. */
#define FOR_EACH_WIDTH(all, ...)                                                                             \
    do {                                                                                                     \
        if (code.bits == 8)                                                                                  \
            return code.bits = 8, all(__VA_ARGS__);                                                          \
        if (code.bits == 16)                                                                                 \
            return code.bits = 16, all(__VA_ARGS__);                                                         \
        if (code.bits == 32)                                                                                 \
            return code.bits = 32, all(__VA_ARGS__);                                                         \
        if (code.bits == 64 && WORD_BITS == 64)                                                              \
            return code.bits = WORD_BITS, all(__VA_ARGS__);                                                  \
        return all(__VA_ARGS__);                                                                             \
    } while (0)

static bool encode(struct frsz2_code code, const void *values, size_t blocks, uint8_t *exponents,
                   uint8_t *codes)
{
    FOR_EACH_WIDTH(encode_all, code, values, blocks, exponents, codes);
}

static bool decode(struct frsz2_code code, const uint8_t *exponents, const uint8_t *codes, size_t blocks,
                   void *values)
{
    FOR_EACH_WIDTH(decode_all, code, exponents, codes, blocks, values);
}
#undef FOR_EACH_WIDTH

#endif
