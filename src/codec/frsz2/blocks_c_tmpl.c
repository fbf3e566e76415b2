/* SPDX-License-Identifier: MIT
 * Blocks in plain C, the reference: what it writes is FRSZ2's stream, and every other kernel must write the
 * same. */
#include "codec/frsz2/frsz2.h"
#include "codec/frsz2/value.h"
#include "codec/width.h"

static bool encode(struct frsz2_code code, const void *values, size_t blocks, uint8_t *exponents,
                   uint8_t *codes)
{
    const uint8_t *grid = values;
    bool finite = true;
    for (size_t block = 0; block < blocks; block++, grid += FRSZ2_BLOCK * sizeof(WORD)) {
        WORD v[FRSZ2_BLOCK];
        unsigned greatest = 0;
        for (unsigned j = 0; j < FRSZ2_BLOCK; j++) {
            v[j] = LOAD(grid + j * sizeof(WORD));
            const unsigned exponent = exponent_of(v[j]);
            if (exponent == NONFINITE)
                finite = false;
            else if (exponent > greatest)
                greatest = exponent;
        }
        uint64_t fields[FRSZ2_BLOCK];
        for (unsigned j = 0; j < FRSZ2_BLOCK; j++)
            fields[j] = code_of(v[j], greatest, code.bits);
        frsz2_store_exponent(exponents + block * code.exponent_bytes, code.exponent_bytes,
                             (int64_t)greatest - BIAS);
        frsz2_pack(fields, FRSZ2_BLOCK, code.bits, codes + block * code.block_bytes);
    }
    return finite;
}

static bool decode(struct frsz2_code code, const uint8_t *exponents, const uint8_t *codes, size_t blocks,
                   void *values)
{
    uint8_t *grid = values;
    for (size_t block = 0; block < blocks; block++, grid += FRSZ2_BLOCK * sizeof(WORD)) {
        const uint64_t exponent =
            frsz2_load_exponent(exponents + block * code.exponent_bytes, code.exponent_bytes) + BIAS;
        if (exponent >= NONFINITE)
            return false;
        uint64_t fields[FRSZ2_BLOCK];
        frsz2_unpack(codes + block * code.block_bytes, code.bits, fields);
        for (unsigned j = 0; j < FRSZ2_BLOCK; j++)
            STORE(grid + j * sizeof(WORD), value_of((WORD)fields[j], (unsigned)exponent, code.bits));
    }
    return true;
}

const struct frsz2_kernels WIDTH(fpgz_frsz2_c) = {.encode = encode, .decode = decode};
