/* SPDX-License-Identifier: MIT
 * Words and their places among all numbers, as src/codec/prans/domain/place.h has them; some side by side. */
#ifndef FPGZ_CUDA_PRANS_WORD_CUH
#define FPGZ_CUDA_PRANS_WORD_CUH

#include <cuda_runtime.h>
#include <stdint.h>

extern "C" {
#include "codec/prans/domain/domain.h"
}

/* Words of 8 to 32 bits are worked on in 32. */
template <typename WORD> struct prans_types {
    typedef uint32_t wide;
};
template <> struct prans_types<uint64_t> {
    typedef uint64_t wide;
};

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

/* x / scale, rounded once, as the CPU has it. The first correction brings the quotient within a unit of the
 * last place; the second one rounds it correctly then, as `inverse` is 1 / scale, correctly rounded
 * (Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990), and as
 * nothing underflows: x is an integer and scale a power of two or of ten up to 10^15. */
static __device__ __forceinline__ double prans_quotient(double x, double scale, double inverse)
{
    const double first = __dmul_rn(x, inverse), second = __fma_rn(__fma_rn(-first, scale, x), inverse, first);
    return __fma_rn(__fma_rn(-second, scale, x), inverse, second);
}

/* Values side by side, which memory has in one piece. */
template <typename WORD, int EACH>
struct alignas(EACH * sizeof(WORD) < 16 ? EACH * sizeof(WORD) : 16) prans_some {
    WORD word[EACH];
};

/* Four words from number `at` on, a multiple of 4; in place of those behind the last one of `count`, that. */
template <typename WORD>
static __device__ __forceinline__ void prans_load_four(const WORD *words, uint32_t at, uint32_t count,
                                                       WORD four[4])
{
    if (at + 4 <= count) {
        const prans_some<WORD, 4> some = *(const prans_some<WORD, 4> *)(words + at);
        for (unsigned i = 0; i < 4; i++)
            four[i] = some.word[i];
        return;
    }
    /* A loop, which is passed by: the steps of four loads all threads would take. */
    four[0] = four[1] = four[2] = four[3] = 0;
#pragma unroll 1
    for (unsigned i = 0; i < 4; i++) {
        four[0] = four[1], four[1] = four[2], four[2] = four[3];
        four[3] = words[min(at + i, count - 1)];
    }
}

/* Four words at an address of as many bytes, or of 16. The compiler does not see that they are one store. */
template <typename WORD, typename WIDE>
static __device__ __forceinline__ void prans_store_four(WORD *to, const WIDE v[4])
{
    if constexpr (sizeof(WORD) == 8) {
        ((ulonglong2 *)to)[0] = make_ulonglong2(v[0], v[1]);
        ((ulonglong2 *)to)[1] = make_ulonglong2(v[2], v[3]);
    } else if constexpr (sizeof(WORD) == 4) {
        *(uint4 *)to = make_uint4(v[0], v[1], v[2], v[3]);
    } else {
        prans_some<WORD, 4> four;
        for (unsigned i = 0; i < 4; i++)
            four.word[i] = (WORD)v[i];
        *(prans_some<WORD, 4> *)to = four;
    }
}

#endif
