/* SPDX-License-Identifier: MIT
 * From integers to values, as src/codec/prans/domain does it, and where they belong in the grid. */
#ifndef FPGZ_CUDA_PRANS_VALUE_CUH
#define FPGZ_CUDA_PRANS_VALUE_CUH

#include "prans.cuh"
#include "prans_word.cuh"

/* Words of 8 to 32 bits are worked on in 32. */
template <typename WORD> struct prans_types {
    typedef uint32_t wide;
};
template <> struct prans_types<uint64_t> {
    typedef uint64_t wide;
};

/* The word of an ordinary value, number `at` in the stream's order. */
template <typename WORD>
static __device__ __forceinline__ WORD prans_value(const prans_work &k, WORD y, uint32_t at)
{
    const long long wide = sizeof(WORD) == 8 ? (long long)y : (long long)(int32_t)y;
    switch (k.f.domain) {
    case PRANS_DOMAIN_FLOAT:
        return (WORD)(prans_unplaced<WORD>(PRANS_REAL, (WORD)(y << k.f.shift)) &
                      (WORD)((WORD) ~(WORD)0 << k.f.shift));
    case PRANS_DOMAIN_LATTICE:
        return prans_bits_of<WORD>(__ddiv_rn(
            __ll2double_rn((long long)(k.f.origin + k.f.step * (unsigned long long)wide)), k.f.scale));
    case PRANS_DOMAIN_SLAB: {
        const double *const lattice = (const double *)(k.front + k.f.lattice) + 2 * (at / k.f.slab);
        return prans_bits_of<WORD>(__dadd_rn(lattice[0], __dmul_rn(__ll2double_rn(wide), lattice[1])));
    }
    case PRANS_DOMAIN_INTEGER:
        return (WORD)(k.f.origin + k.f.step * (uint64_t)y);
    default: {
        const WORD *const dictionary = (const WORD *)(k.front + k.f.dictionary), last = (WORD)k.f.last;
        return prans_unplaced<WORD>(k.f.number, dictionary[y < last ? y : last]);
    }
    }
}

/* Where value number `at` in the stream's order stands in the grid. */
static __device__ __forceinline__ uint32_t prans_place(const prans_work &k, uint32_t at)
{
    return k.f.components == 1 ? at : at % k.f.points * k.f.components + at / k.f.points;
}

/* Puts a value into the grid. symbol: of it, or any ordinary one. */
template <typename WORD>
static __device__ __forceinline__ WORD prans_leave(const prans_work &k, WORD y, uint32_t symbol, uint32_t at)
{
    return symbol >= k.f.special ? (WORD)k.f.special_word[symbol - k.f.special] : prans_value<WORD>(k, y, at);
}

/* The exceptions of lattices. */
template <typename WORD> static __global__ void prans_exceptions(const __grid_constant__ prans_work k)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < k.f.exceptions && !k.result->status)
        ((WORD *)k.values)[prans_place(k, ((const uint32_t *)(k.front + k.f.exception))[i])] =
            ((const WORD *)(k.front + k.f.exact))[i];
}

#endif
