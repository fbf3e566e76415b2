/* SPDX-License-Identifier: MIT
 * Words and their places among all numbers, as src/codec/prans/domain/place.h has them. */
#ifndef FPGZ_CUDA_PRANS_WORD_CUH
#define FPGZ_CUDA_PRANS_WORD_CUH

#include <cuda_runtime.h>
#include <stdint.h>

extern "C" {
#include "codec/prans/domain/domain.h"
}

/* Calls f with a word of so many bytes, which is there for its type. */
template <typename F> static inline void prans_by_size(size_t size, F f)
{
    switch (size) {
    case 1:
        f(uint8_t());
        break;
    case 2:
        f(uint16_t());
        break;
    case 4:
        f(uint32_t());
        break;
    default:
        f(uint64_t());
    }
}

template <typename WORD> static __device__ __forceinline__ WORD prans_unplaced(uint32_t number, WORD place)
{
    const WORD sign = (WORD)((WORD)1 << (8 * sizeof(WORD) - 1));
    if (number == PRANS_REAL)
        return place & sign ? (WORD)(place ^ sign) : (WORD)~place;
    return number == PRANS_SIGNED ? (WORD)(place ^ sign) : place;
}

/* The place of a floating-point number. */
template <typename WORD> static __device__ __forceinline__ WORD prans_placed(WORD word)
{
    const WORD sign = (WORD)((WORD)1 << (8 * sizeof(WORD) - 1));
    return word & sign ? (WORD)~word : (WORD)(word ^ sign);
}

template <typename WORD> static __device__ __forceinline__ WORD prans_bits_of(double real)
{
    return sizeof(WORD) == 8 ? (WORD)__double_as_longlong(real)
                             : (WORD)__float_as_uint(__double2float_rn(real));
}

#endif
