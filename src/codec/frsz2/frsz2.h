/* SPDX-License-Identifier: MIT
 * FRSZ2 inside: blocks of 32 values and the kernels that code runs of them.
 * Gruetzmacher, Underwood, Di, Cappello, Anzt, "FRSZ2 for in-register block compression inside GMRES on GPUs"
 * (DRBSD 2024), in the layout of the published program; fpgz.5 has it to the bit. */
#ifndef FPGZ_CODEC_FRSZ2_FRSZ2_H
#define FPGZ_CODEC_FRSZ2_FRSZ2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/codec.h"
#include "core/bytes.h"

enum {
    FRSZ2_BLOCK = 32, /* values that share an exponent */
    FRSZ2_SLACK = 64, /* bytes that a kernel may store behind the last block's codes, or load behind them */
};

/* How values are coded: all of it follows from the dtype and `bits`. */
struct frsz2_code {
    unsigned bits;           /* of a value's code: 2 to 32 (f32) or 64 (f64) */
    unsigned exponent_bytes; /* of a block's exponent: 1, 2, 4 or 8 */
    size_t block_bytes;      /* of a block's codes */
};

/* The parts of a grid and of its stream. */
struct frsz2_layout {
    struct frsz2_code code;
    unsigned is_f64;
    size_t word; /* bytes of a value */
    uint64_t values;
    size_t blocks;
    size_t exponents_bytes, body_bytes; /* with the padding; both sections */
};

struct frsz2_layout fpgz_frsz2_lay_out(const struct fpgz_grid *grid, const struct fpgz_params *params);

/* Codes `blocks` whole blocks from `values`: one exponent each to `exponents`, block_bytes each to `codes`,
 * behind which up to FRSZ2_SLACK bytes may be overwritten. NaNs and infinities become zeros of their sign;
 * false when there was one. */
typedef bool frsz2_encode_blocks(struct frsz2_code code, const void *values, size_t blocks,
                                 uint8_t *exponents, uint8_t *codes);

/* The reverse, with FRSZ2_SLACK readable bytes behind the codes. False, with `values` partly written, when
 * an exponent is not that of a finite number. */
typedef bool frsz2_decode_blocks(struct frsz2_code code, const uint8_t *exponents, const uint8_t *codes,
                                 size_t blocks, void *values);

/* Of words of one width. */
struct frsz2_kernels {
    frsz2_encode_blocks *encode;
    frsz2_decode_blocks *decode;
};

extern fpgz_word_kernels fpgz_frsz2_kernels;

/* An exponent without its bias, signed, in 1, 2, 4 or 8 bytes. */
static inline void frsz2_store_exponent(uint8_t *at, unsigned bytes, int64_t exponent)
{
    if (bytes == 1)
        *at = (uint8_t)exponent;
    else if (bytes == 2)
        fpgz_store16(at, (uint16_t)exponent);
    else if (bytes == 4)
        fpgz_store32(at, (uint32_t)exponent);
    else
        fpgz_store64(at, (uint64_t)exponent);
}

/* Modulo 2^64, so that adding the bias cannot overflow. An exponent that no block can have is then greater
 * than all others. */
static inline uint64_t frsz2_load_exponent(const uint8_t *at, unsigned bytes)
{
    if (bytes == 1)
        return (uint64_t)(int8_t)*at;
    if (bytes == 2)
        return (uint64_t)(int16_t)fpgz_load16(at);
    return bytes == 4 ? (uint64_t)(int32_t)fpgz_load32(at) : fpgz_load64(at);
}

/* Codes lie in their block least significant bit first, without gaps: code j begins at bit j * bits.
 * Unused bits of a block's last container are zero. Two codes may be packed as one code of twice the bits. */
static inline void frsz2_pack(const uint64_t *codes, unsigned count, unsigned bits, uint8_t *packed)
{
    uint64_t pending = 0;
    unsigned filled = 0;
    for (unsigned j = 0; j < count; j++) {
        pending |= codes[j] << filled;
        filled += bits;
        if (filled < 64)
            continue;
        fpgz_store64(packed, pending);
        packed += 8;
        filled -= 64;
        pending = filled ? codes[j] >> (bits - filled) : 0;
    }
    if (filled)
        fpgz_store64(packed, pending);
}

static inline void frsz2_unpack(const uint8_t *packed, unsigned bits, uint64_t codes[FRSZ2_BLOCK])
{
    for (unsigned j = 0; j < FRSZ2_BLOCK; j++) {
        const unsigned skip = j * bits % 8;
        const uint8_t *at = packed + j * bits / 8;
        uint64_t code = fpgz_load64(at) >> skip;
        if (skip + bits > 64)
            code |= (uint64_t)at[8] << (64 - skip);
        codes[j] = code & UINT64_MAX >> (64 - bits);
    }
}

#endif
