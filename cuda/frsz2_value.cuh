/* SPDX-License-Identifier: MIT
 * FRSZ2's code of one value, as codec/frsz2/value.h has it, with all exponents biased. A code stands at
 * its word's top here: 32 bits hold those of f32, and of f64 with up to 32 bits. */
#ifndef FPGZ_CUDA_FRSZ2_VALUE_CUH
#define FPGZ_CUDA_FRSZ2_VALUE_CUH

#include "machine.cuh"

template <typename Word> struct frsz2_format;
template <> struct frsz2_format<uint32_t> {
    enum { mantissa_bits = 23, bias = 127, nonfinite = 255 };
};
template <> struct frsz2_format<uint64_t> {
    enum { mantissa_bits = 52, bias = 1023, nonfinite = 2047 };
};

static __device__ __forceinline__ uint32_t frsz2_exponent(uint32_t value)
{
    return value >> 23 & 0xff;
}

static __device__ __forceinline__ uint32_t frsz2_exponent(uint64_t value)
{
    return (uint32_t)(value >> 52) & 0x7ff;
}

/* The significand's integer bit lies below the sign's. An exponent above the block's, of a value that is not
 * finite, makes a shift of more than any width: a zero. */
static __device__ __forceinline__ void frsz2_align(uint32_t value, uint32_t exponent, uint32_t block_exponent,
                                                   uint32_t *code)
{
    const uint32_t significand = (value & 0x7fffff) | (uint32_t)(exponent != 0) << 23;
    *code = (value & 0x80000000) | fpgz_shift_right(significand << 7, block_exponent - exponent);
}

static __device__ __forceinline__ void frsz2_align(uint64_t value, uint32_t exponent, uint32_t block_exponent,
                                                   uint32_t *code)
{
    const uint32_t high = (uint32_t)(value >> 32),
                   significand = (high & 0xfffff) | (uint32_t)(exponent != 0) << 20,
                   top = __funnelshift_l((uint32_t)value, significand, 10);
    *code = (high & 0x80000000) | fpgz_shift_right(top, block_exponent - exponent);
}

static __device__ __forceinline__ void frsz2_align(uint64_t value, uint32_t exponent, uint32_t block_exponent,
                                                   uint64_t *code)
{
    const uint64_t sign = (uint64_t)1 << 63, hidden = (uint64_t)1 << 52,
                   significand = (value & (hidden - 1)) | (exponent ? hidden : 0);
    *code = (value & sign) | fpgz_shift_right(significand << 10, block_exponent - exponent);
}

static __device__ __forceinline__ void frsz2_restore(uint32_t code, uint32_t block_exponent, uint32_t *value)
{
    const uint32_t sign = code & 0x80000000, significand = code ^ sign;
    const uint32_t shift = min((uint32_t)__clz(significand) - 1, block_exponent);
    const uint32_t word = (block_exponent - shift) << 23 | (significand << shift >> 7 & 0x7fffff);
    *value = sign | (significand ? word : 0);
}

static __device__ __forceinline__ void frsz2_restore(uint32_t code, uint32_t block_exponent, uint64_t *value)
{
    const uint32_t sign = code & 0x80000000, significand = code ^ sign;
    const uint32_t shift = min((uint32_t)__clz(significand) - 1, block_exponent);
    const uint32_t mantissa = significand << shift;
    const uint32_t high = (block_exponent - shift) << 20 | (mantissa >> 10 & 0xfffff);
    *value = (uint64_t)(sign | (significand ? high : 0)) << 32 | mantissa << 22;
}

static __device__ __forceinline__ void frsz2_restore(uint64_t code, uint32_t block_exponent, uint64_t *value)
{
    const uint64_t sign = code & (uint64_t)1 << 63, significand = code ^ sign;
    const uint32_t shift = min((uint32_t)__clzll((long long)significand) - 1, block_exponent);
    const uint64_t mantissa = significand << shift >> 10 & (((uint64_t)1 << 52) - 1);
    *value = sign | (significand ? (uint64_t)(block_exponent - shift) << 52 | mantissa : 0);
}

/* The exponents whose weight, and 2^22 times it, are normal numbers. */
enum { FRSZ2_EXPAND_LEAST = 31, FRSZ2_EXPAND_MOST = 2046 - 22 };

/* Whether frsz2_expand() needs no frsz2_correction(). */
static __device__ __forceinline__ bool frsz2_expands(uint32_t block_exponent)
{
    return block_exponent - FRSZ2_EXPAND_LEAST <= FRSZ2_EXPAND_MOST - FRSZ2_EXPAND_LEAST;
}

static __device__ __forceinline__ uint32_t frsz2_nearest(uint32_t block_exponent)
{
    return min(max(block_exponent, (uint32_t)FRSZ2_EXPAND_LEAST), (uint32_t)FRSZ2_EXPAND_MOST);
}

/* What frsz2_restore() makes of a code that frsz2_align() made, in fewer instructions, and exact; for a block
 * that frsz2_expands() does not take, times frsz2_correction(), which is exact, too. The significand stands
 * at the foot of 2^22's mantissa, so that 2^-30 is its unit; it is weighed as 2^22 times the weight is taken
 * away. */
static __device__ __forceinline__ double frsz2_expand(uint32_t code, uint32_t block_exponent)
{
    const uint32_t scale = frsz2_nearest(block_exponent) << 20, minus_2_22 = 0x81600000;
    const double value =
        __fma_rn(__hiloint2double(0x41500000, (int)(code & 0x7fffffff)), __hiloint2double((int)scale, 0),
                 __hiloint2double((int)(scale + minus_2_22), 0));
    return __hiloint2double(__double2hiint(value) | (int)(code & 0x80000000), __double2loint(value));
}

/* Subnormal values, of exponent 0, weigh as much as those of exponent 1. */
static __device__ __forceinline__ double frsz2_correction(uint32_t block_exponent)
{
    return __hiloint2double((int)((1023 + max(block_exponent, 1u) - frsz2_nearest(block_exponent)) << 20), 0);
}

#endif
