/* SPDX-License-Identifier: MIT
 * Kernels that make values of what several streams of prans say, and parts of values: a thread a value. */
#ifndef FPGZ_CUDA_PRANS_JOINS_CUH
#define FPGZ_CUDA_PRANS_JOINS_CUH

#include "codec.cuh"
#include "prans_word.cuh"

extern "C" {
#include "codec/prans/parted/kernels.h"
#include "codec/prans/scaled/rounding.h"
#include "codec/prans/symmetric/maps.h"
}

enum { PRANS_JOIN_THREADS = 256 };

/* The place of the value that a first part stands for, but for bits. */
template <typename WORD>
static __device__ __forceinline__ WORD prans_place_for(const prans_parts &parts, double number)
{
    const double real =
        parts.parting == PRANS_PARTED_PRODUCT ? __dmul_rn(number, parts.base) : __ddiv_rn(number, parts.base);
    return prans_placed(prans_bits_of<WORD>(real));
}

/* The place of the value that a single's place stands for, times the base. */
static __device__ __forceinline__ uint64_t prans_place_of_single(const prans_parts &parts, uint32_t place)
{
    const float single = __uint_as_float(prans_unplaced<uint32_t>(PRANS_REAL, place));
    const double real = fabsf(single) < INFINITY ? (double)single : 0;
    return prans_placed((uint64_t)__double_as_longlong(__dmul_rn(real, parts.base)));
}

/* The first parts of values, or the second ones (src/codec/prans/parted/level.h). */
template <typename WORD>
static __global__ void __launch_bounds__(PRANS_JOIN_THREADS)
    prans_part(const prans_parts parts, const bool second, const WORD *value, WORD *part,
               const uint32_t count)
{
    const uint32_t i = blockIdx.x * PRANS_JOIN_THREADS + threadIdx.x;
    if (i >= count)
        return;
    const WORD word = value[i], place = prans_placed(word);
    if (parts.parting == PRANS_PARTED_BITS) {
        part[i] = second ? place & (((WORD)1 << parts.shift) - 1) : place >> parts.shift;
        return;
    }
    if (parts.parting == PRANS_PARTED_UNIT) {
        const float near = __double2float_rn(__ddiv_rn(__longlong_as_double((long long)word), parts.base));
        const uint32_t single = prans_placed(fabsf(near) < INFINITY ? __float_as_uint(near) : 0);
        part[i] = second ? (WORD)(place - prans_place_of_single(parts, single)) : (WORD)single;
        return;
    }
    const double real = sizeof(WORD) == 8 ? __longlong_as_double((long long)word)
                                          : (double)__uint_as_float((uint32_t)word),
                 exact = parts.parting == PRANS_PARTED_PRODUCT ? __ddiv_rn(real, parts.base)
                                                               : __dmul_rn(real, parts.base),
                 largest = sizeof(WORD) == 8 ? 0x1p51 : 0x1p29, magic = 0x1.8p52,
                 moved = __dadd_rn(fabs(exact) < largest ? exact : 0, magic);
    part[i] = second ? (WORD)(place - prans_place_for<WORD>(parts, __dadd_rn(moved, -magic)))
                     : (WORD)(__double_as_longlong(moved) - __double_as_longlong(magic));
}

/* Of two parts: the second ones stand where the values are to. */
template <typename WORD>
static __global__ void __launch_bounds__(PRANS_JOIN_THREADS)
    prans_join(const prans_parts parts, const WORD *first, WORD *values, const uint32_t count,
               const fpgz_cuda_result *result)
{
    const uint32_t i = blockIdx.x * PRANS_JOIN_THREADS + threadIdx.x;
    if (i >= count || result->status)
        return;
    WORD place;
    if (parts.parting == PRANS_PARTED_BITS) {
        place = first[i] << parts.shift;
    } else if (parts.parting == PRANS_PARTED_UNIT) {
        place = (WORD)prans_place_of_single(parts, (uint32_t)first[i]);
    } else {
        const double number =
            sizeof(WORD) == 8 ? __ll2double_rn((long long)first[i]) : (double)(int32_t)first[i];
        place = prans_place_for<WORD>(parts, number);
    }
    values[i] = prans_unplaced<WORD>(PRANS_REAL, (WORD)(place + values[i]));
}

/* Words by their numbers. */
template <typename WORD>
static __global__ void __launch_bounds__(PRANS_JOIN_THREADS)
    prans_look_up(const uint32_t *number, const WORD *dictionary, const uint32_t distinct, WORD *values,
                  const uint32_t count, fpgz_cuda_result *result)
{
    const uint32_t i = blockIdx.x * PRANS_JOIN_THREADS + threadIdx.x;
    if (i >= count || result->status)
        return;
    const uint32_t at = number[i];
    if (at < distinct)
        values[i] = dictionary[at];
    else
        result->status = FPGZ_CORRUPT;
}

/* Values by symmetries. differs: what stands where values go is added, in their order. */
template <typename WORD>
static __global__ void __launch_bounds__(PRANS_JOIN_THREADS)
    prans_unfold(const symmetric_maps maps, const bool is_real, const bool differs, const WORD *from,
                 WORD *values, const uint32_t count, const fpgz_cuda_result *result)
{
    const uint32_t i = blockIdx.x * PRANS_JOIN_THREADS + threadIdx.x;
    if (i >= count || result->status)
        return;
    bool negated = false;
    WORD word = from[symmetric_source(&maps, i, &negated)];
    if (negated)
        word ^= (WORD)((WORD)1 << (8 * sizeof(WORD) - 1));
    if (differs)
        word = is_real ? prans_unplaced<WORD>(PRANS_REAL, (WORD)(prans_placed(word) + values[i]))
                       : (WORD)(word + values[i]);
    values[i] = word;
}

template <typename WORD> static __device__ __forceinline__ bool prans_is_finite(WORD word)
{
    const WORD exponent = (WORD)(sizeof(WORD) == 8 ? (uint64_t)0x7FF << 52 : (uint64_t)0xFF << 23);
    return (word & exponent) != exponent;
}

/* A quotient times its scale; what is not finite stays (src/codec/prans/scaled/level.h). */
static __device__ __forceinline__ uint64_t prans_product(uint32_t rounding, uint64_t quotient, uint64_t scale)
{
    if (!prans_is_finite(quotient))
        return quotient;
    const double product =
        __dmul_rn(__longlong_as_double((long long)quotient), __longlong_as_double((long long)scale));
    return (uint64_t)__double_as_longlong(rounding == SCALED_SINGLE ? (double)__double2float_rn(product)
                                                                    : product);
}

static __device__ __forceinline__ uint32_t prans_product(uint32_t rounding, uint32_t quotient, uint32_t scale)
{
    if (!prans_is_finite(quotient))
        return quotient;
    const uint32_t product = __float_as_uint(__fmul_rn(__uint_as_float(quotient), __uint_as_float(scale)));
    return rounding == SCALED_WHOLE ? product : scaled_rounded(rounding, product);
}

static __device__ __forceinline__ uint16_t prans_product(uint32_t rounding, uint16_t quotient, uint32_t scale)
{
    if (!scaled_is_finite(rounding, quotient))
        return quotient;
    const float product = __fmul_rn(scaled_widened(rounding, quotient), __uint_as_float(scale));
    return scaled_narrowed(rounding, scaled_rounded(rounding, __float_as_uint(product)));
}

/* Products by scales, to which what stands where values go is added if they differ. */
template <typename WORD, typename SCALE>
static __global__ void __launch_bounds__(PRANS_JOIN_THREADS)
    prans_scale(const scaled_runs runs, const bool differs, const WORD *quotient, const SCALE *scales,
                WORD *values, const uint32_t count, fpgz_cuda_result *result)
{
    const uint32_t i = blockIdx.x * PRANS_JOIN_THREADS + threadIdx.x;
    if (i >= count || result->status)
        return;
    const SCALE scale = scales[i / runs.run % runs.count];
    WORD word = prans_product(runs.rounding, quotient[i], scale);
    if (differs)
        word = prans_unplaced<WORD>(PRANS_REAL, (WORD)(prans_placed(word) + values[i]));
    values[i] = word;
    if (!prans_is_finite(scale))
        result->status = FPGZ_CORRUPT;
}

/* Parts of a grid of slow x middle x fast values; `step` is the words from one to the next one. */
template <typename WORD>
static __global__ void __launch_bounds__(PRANS_JOIN_THREADS)
    prans_put_parts(const WORD *part, const uint64_t step, const uint32_t middle, const uint32_t fast,
                    WORD *values, const uint32_t count, const fpgz_cuda_result *result)
{
    const uint32_t i = blockIdx.x * PRANS_JOIN_THREADS + threadIdx.x, row = i / fast;
    if (i < count && !result->status)
        values[i] = part[(row / middle * fast + i % fast) * step + row % middle];
}

#endif
