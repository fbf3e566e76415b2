/* SPDX-License-Identifier: MIT
 * A block-parallel arithmetic coder of bytes, after Balevic et al., parallel arithmetic coding of scientific
 * data: order 0, intervals of 31 bits, each block for itself. The paper leaves the model open; ours is one
 * for all blocks, in fpgz.5 to the bit. Here: what the kernels of a CPU level have to do. */
#ifndef FPGZ_CODEC_ARITH_ARITH_H
#define FPGZ_CODEC_ARITH_ARITH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cpu.h"

enum {
    ARITH_SYMBOLS = 256,
    ARITH_TOTAL_BITS = 15,
    ARITH_TOTAL = 1 << ARITH_TOTAL_BITS, /* the sum of all symbols' frequencies */
    ARITH_LANES = 3,                     /* blocks that are decoded at once */
    ARITH_SLACK = 16, /* bytes that a kernel may store behind a block's code, or load behind it */
};

struct arith_model {
    uint32_t start[ARITH_SYMBOLS + 1]; /* of a symbol's share of the total; the last is the total */
    uint8_t symbol[ARITH_TOTAL]; /* the symbol whose share covers each part of the total; for decoding only */
};

/* A block's code and the bytes that it restores. */
struct arith_block {
    const uint8_t *code;
    size_t length;
    uint8_t *bytes;
};

/* Codes `count` bytes, each of which has a share, and returns the end of the code, which is at most (count
 * * 15.0002 + 9) / 8 bytes long. */
typedef uint8_t *arith_encode_block(const struct arith_model *model, const uint8_t *bytes, size_t count,
                                    uint8_t *code);

/* Decodes 1 or ARITH_LANES blocks of `count` bytes each. False when a code does not end where its length
 * says; ARITH_SLACK bytes behind it are read whatever it says, but no more. */
typedef bool arith_decode_blocks(const struct arith_model *model, const struct arith_block *blocks,
                                 size_t count);

struct arith_kernels {
    arith_encode_block *encode;
    arith_decode_blocks *decode_one, *decode_lanes;
};

extern fpgz_kernels fpgz_arith_kernels;

#endif
