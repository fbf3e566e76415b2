/* SPDX-License-Identifier: MIT
 * FRSZ2's block of 32 values, one a lane of a warp: how it is coded, and where its codes and its exponent
 * lie. The codec has it, and so has the basis of cb_gmres. */
#ifndef FPGZ_CUDA_FRSZ2_BLOCK_CUH
#define FPGZ_CUDA_FRSZ2_BLOCK_CUH

#include "frsz2_value.cuh"

extern "C" {
#include "codec/frsz2/frsz2.h"
}

/* Instead of a container's bytes: codes that are narrower than their container. */
enum { FRSZ2_PACKED = 0 };

/* Where the codes that make a lane's word of a packed block lie: its first bit is bit `skip` of `code`. */
struct frsz2_place {
    uint32_t code, skip;
};

static __device__ __forceinline__ struct frsz2_place frsz2_place_of_word(uint32_t word, uint32_t bits)
{
    return {32 * word / bits, 32 * word % bits};
}

/* The `bits` words that the lanes' codes make. Two codes of half the bits are as good as one, so codes are
 * joined until a word has parts of three at most. What lies behind the last code is shifted out. */
static __device__ __forceinline__ void frsz2_store_packed(uint32_t code, uint32_t bits, uint32_t,
                                                          uint8_t *block)
{
    const uint32_t lane = threadIdx.x % 32;
    uint32_t stride = 1, joined = bits;
    for (; joined <= 16; joined *= 2, stride *= 2)
        code |= __shfl_down_sync(~0u, code, stride) << joined;
    const struct frsz2_place p = frsz2_place_of_word(lane, joined);
    const uint32_t a = __shfl_sync(~0u, code, p.code * stride),
                   b = __shfl_sync(~0u, code, (p.code + 1) * stride),
                   c = __shfl_sync(~0u, code, (p.code + 2) * stride);
    if (lane < bits)
        ((uint32_t *)block)[lane] =
            a >> p.skip | fpgz_shift_left(b, joined - p.skip) | fpgz_shift_left(c, 2 * joined - p.skip);
}

static __device__ __forceinline__ void frsz2_store_packed(uint64_t code, uint32_t bits, uint32_t words,
                                                          uint8_t *block)
{
#pragma unroll
    for (uint32_t word = threadIdx.x % 32; word < 64 + threadIdx.x % 32; word += 32) {
        const struct frsz2_place p = frsz2_place_of_word(word, bits);
        const uint64_t a = __shfl_sync(~0u, code, p.code), b = __shfl_sync(~0u, code, p.code + 1);
        if (word < words)
            ((uint32_t *)block)[word] =
                word < bits ? (uint32_t)(a >> p.skip | fpgz_shift_left(b, bits - p.skip)) : 0;
    }
}

template <typename Code, unsigned CONTAINER>
static __device__ __forceinline__ void frsz2_store_code(Code code, const struct frsz2_code &c, uint8_t *block)
{
    const uint32_t lane = threadIdx.x % 32;
    if constexpr (CONTAINER == FRSZ2_PACKED)
        frsz2_store_packed(code, c.bits, (uint32_t)c.block_bytes / 4, block);
    else if constexpr (CONTAINER == 1)
        block[lane] = (uint8_t)code;
    else if constexpr (CONTAINER == 2)
        ((uint16_t *)block)[lane] = (uint16_t)code;
    else
        ((Code *)block)[lane] = code;
}

/* A lane's code as it is read; nothing is computed until frsz2_code_of(), so that many can be on their way.
 */
template <typename Code, unsigned CONTAINER> struct frsz2_raw {
    Code word;
};
template <typename Code> struct frsz2_raw<Code, FRSZ2_PACKED> {
    uint32_t word[1 + sizeof(Code) / 4];
};

template <typename Code, unsigned CONTAINER>
static __device__ __forceinline__ void frsz2_load_raw(const uint8_t *block, const struct frsz2_code &c,
                                                      struct frsz2_raw<Code, CONTAINER> *raw)
{
    const uint32_t lane = threadIdx.x % 32;
    if constexpr (CONTAINER == FRSZ2_PACKED) {
#pragma unroll
        for (uint32_t i = 0; i < sizeof raw->word / 4; i++)
            raw->word[i] = ((const uint32_t *)block)[lane * c.bits / 32 + i];
    } else if constexpr (CONTAINER == 1)
        raw->word = block[lane];
    else if constexpr (CONTAINER == 2)
        raw->word = ((const uint16_t *)block)[lane];
    else
        raw->word = ((const Code *)block)[lane];
}

/* The code at its word's top. */
template <typename Code, unsigned CONTAINER>
static __device__ __forceinline__ Code frsz2_code_of(const struct frsz2_raw<Code, CONTAINER> &raw,
                                                     const struct frsz2_code &c)
{
    Code code;
    if constexpr (CONTAINER != FRSZ2_PACKED)
        code = raw.word;
    else {
        const uint32_t skip = threadIdx.x % 32 * c.bits;
        code = __funnelshift_r(raw.word[0], raw.word[1], skip);
        if constexpr (sizeof(Code) == 8)
            code |= (Code)__funnelshift_r(raw.word[1], raw.word[2], skip) << 32;
    }
    return code << (8 * sizeof(Code) - c.bits);
}

static __device__ __forceinline__ void frsz2_store_signed(uint8_t *exponents, size_t block, unsigned bytes,
                                                          int32_t exponent)
{
    if (bytes == 1)
        exponents[block] = (uint8_t)exponent;
    else if (bytes == 2)
        ((uint16_t *)exponents)[block] = (uint16_t)exponent;
    else if (bytes == 4)
        ((int32_t *)exponents)[block] = exponent;
    else
        ((int64_t *)exponents)[block] = exponent;
}

static __device__ __forceinline__ int64_t frsz2_load_signed(const uint8_t *exponents, size_t block,
                                                            unsigned bytes)
{
    if (bytes == 1)
        return (int8_t)exponents[block];
    if (bytes == 2)
        return ((const int16_t *)exponents)[block];
    return bytes == 4 ? ((const int32_t *)exponents)[block] : ((const int64_t *)exponents)[block];
}

/* Codes the lanes' values, and returns the block's exponent, biased. Values that are not finite become zeros
 * of their sign. */
template <typename Code, unsigned CONTAINER, typename Word>
static __device__ __forceinline__ uint32_t frsz2_put_block(Word value, const struct frsz2_code &c,
                                                           uint8_t *block)
{
    const uint32_t exponent = frsz2_exponent(value);
    const uint32_t greatest =
        __reduce_max_sync(~0u, exponent != frsz2_format<Word>::nonfinite ? exponent : 0);
    Code code;
    frsz2_align(value, exponent, greatest, &code);
    frsz2_store_code<Code, CONTAINER>(code >> (8 * sizeof(Code) - c.bits), c, block);
    return greatest;
}

template <typename Word>
static __device__ __forceinline__ void frsz2_put_exponent(uint8_t *exponents, size_t block,
                                                          const struct frsz2_code &c, uint32_t exponent)
{
    frsz2_store_signed(exponents, block, c.exponent_bytes, (int32_t)exponent - frsz2_format<Word>::bias);
}

/* A block's exponent, biased; false, and no exponent, where it is none of a finite number. */
template <typename Word>
static __device__ __forceinline__ bool frsz2_get_exponent(const uint8_t *exponents, size_t block,
                                                          const struct frsz2_code &c, uint32_t *exponent)
{
    const uint64_t biased =
        (uint64_t)frsz2_load_signed(exponents, block, c.exponent_bytes) + frsz2_format<Word>::bias;
    if (biased >= frsz2_format<Word>::nonfinite)
        return false;
    *exponent = (uint32_t)biased;
    return true;
}

#endif
