/* SPDX-License-Identifier: MIT
 * From integers to values, as src/codec/prans/domain does it, and where they belong in the grid. */
#ifndef FPGZ_CUDA_PRANS_VALUE_CUH
#define FPGZ_CUDA_PRANS_VALUE_CUH

#include "prans.cuh"
#include "prans_word.cuh"

extern "C" {
#include "codec/prans/domain/power_pairs.h"
}

template <typename WORD> static __device__ __forceinline__ long long prans_signed_of(WORD y)
{
    return sizeof(WORD) == 8 ? (long long)y : (long long)(int32_t)y;
}

static __device__ const double prans_powers[PRANS_POWERS] = PRANS_POWERS_OF_TEN;
static __device__ const double prans_power_pairs[2 * PRANS_POWERS - 1][2] = PRANS_POWER_PAIRS;

/* m 10^j, as nearest_decimal() of the CPU has it: a fused product tells the same error. */
static __device__ __forceinline__ double prans_nearest_decimal(double m, int j)
{
    const double *const pair = prans_power_pairs[j + PRANS_POWERS - 1], product = __dmul_rn(m, pair[0]),
                        error = __fma_rn(m, pair[0], -product);
    return __dadd_rn(product, __dadd_rn(error, __dmul_rn(m, pair[1])));
}

/* What an integer of decimals stands for, as of_decimal() of the CPU has it. */
template <typename WORD> static __device__ __forceinline__ WORD prans_decimal(const prans_front &f, WORD y)
{
    const WORD sign = (WORD)((WORD)1 << (8 * sizeof(WORD) - 1));
    const uint64_t size = y & sign ? (WORD)(0 - y) : y;
    const long long number = (long long)(size - (size != 0));
    long long power = (long long)fmin(__dmul_rn(__ll2double_rn(number), f.per_span), PRANS_DECADES - 1.0),
              rest = number - power * f.span;
    const int wrong = rest < 0 ? -1 : rest >= f.span && power < PRANS_DECADES - 1;
    power += wrong;
    rest -= wrong * f.span;
    const int j = min(f.decade + (int)power, PRANS_POWERS - 1);
    const double factor = prans_powers[j < 0 ? -j : j], m = __ll2double_rn(rest + f.first);
    const WORD word = prans_bits_of<WORD>(f.nearest ? prans_nearest_decimal(m, j)
                                          : j < 0   ? __ddiv_rn(m, factor)
                                                    : __dmul_rn(m, factor));
    return size ? (WORD)(word | (y & sign)) : 0;
}

/* From integers to words: of EACH values from number `at` on in the stream's order, and of those `step`
 * behind them, and so on. */
template <typename WORD, int ROWS, int EACH, typename WIDE>
static __device__ __forceinline__ void prans_leave(const prans_work &k, uint32_t at, uint32_t step,
                                                   WIDE v[ROWS][EACH])
{
    const auto all = [&](auto value) {
#pragma unroll
        for (unsigned r = 0; r < ROWS; r++)
#pragma unroll
            for (unsigned i = 0; i < EACH; i++)
                v[r][i] = value((WORD)v[r][i], min(at + r * step + i, k.f.values - 1));
    };
    switch (k.f.domain) {
    case PRANS_DOMAIN_FLOAT: {
        const uint32_t shift = k.f.shift;
        const WORD mask = (WORD)((WORD) ~(WORD)0 << shift);
        all([=](WORD y, uint32_t) { return prans_unplaced<WORD>(PRANS_REAL, (WORD)(y << shift)) & mask; });
        break;
    }
    case PRANS_DOMAIN_LATTICE: {
        const uint64_t origin = k.f.origin, step_of = k.f.step;
        const double scale = k.f.scale, inverse = k.f.inverse;
        all([=](WORD y, uint32_t) {
            const uint64_t integer = origin + step_of * (uint64_t)prans_signed_of(y);
            return prans_bits_of<WORD>(prans_quotient(__ll2double_rn((long long)integer), scale, inverse));
        });
        break;
    }
    case PRANS_DOMAIN_SLAB: {
        const double *const lattices = (const double *)(k.front + k.f.lattice);
        const uint32_t slab = k.f.slab;
        all([=](WORD y, uint32_t number) {
            const double *const lattice = lattices + 2 * (number / slab);
            return prans_bits_of<WORD>(
                __dadd_rn(lattice[0], __dmul_rn(__ll2double_rn(prans_signed_of(y)), lattice[1])));
        });
        break;
    }
    case PRANS_DOMAIN_INTEGER: {
        const WORD origin = (WORD)k.f.origin, step_of = (WORD)k.f.step;
        all([=](WORD y, uint32_t) { return (WORD)(origin + step_of * (WIDE)y); });
        break;
    }
    default: {
        const WORD *const dictionary = (const WORD *)(k.front + k.f.dictionary), last = (WORD)k.f.last;
        const uint32_t number = k.f.number;
        all([=](WORD y, uint32_t) { return prans_unplaced<WORD>(number, dictionary[y < last ? y : last]); });
    }
    }
    if (k.f.special < PRANS_SYMBOLS)
        all([&](WORD word, uint32_t number) {
            const uint32_t symbol = k.symbol[number];
            return symbol >= k.f.special ? (WORD)k.f.special_word[symbol - k.f.special] : word;
        });
}

/* Where value number `at` in the stream's order stands in the grid. */
static __device__ __forceinline__ uint32_t prans_place(const prans_work &k, uint32_t at)
{
    return k.f.components == 1 ? at : at % k.f.points * k.f.components + at / k.f.points;
}

/* Puts integers where they belong: EACH from number `at` on, those below `width` later, and so on for `rows`
 * rows; of the first row those from `begin` to `end`, and of others those below them. With k.leave, as values
 * into the grid. */
template <typename WORD, int ROWS, int EACH, typename WIDE>
static __device__ __forceinline__ void prans_put(const prans_work &k, uint32_t begin, uint32_t end,
                                                 uint32_t at, uint32_t width, uint32_t rows,
                                                 WIDE v[ROWS][EACH])
{
    if (k.leave)
        prans_leave<WORD, ROWS, EACH>(k, at, width, v);
    WORD *const to = (WORD *)(k.leave ? k.values : k.y);
    const bool is_whole =
        at >= begin && at + EACH <= end && (at | width) % EACH == 0 && (!k.leave || k.f.components == 1);
#pragma unroll
    for (unsigned r = 0; r < ROWS; r++) {
        if (r >= rows)
            break;
        if (is_whole) {
            prans_some<WORD, EACH> some;
#pragma unroll
            for (unsigned i = 0; i < EACH; i++)
                some.word[i] = (WORD)v[r][i];
            *(prans_some<WORD, EACH> *)(to + at + r * width) = some;
            continue;
        }
#pragma unroll
        for (unsigned i = 0; i < EACH; i++) {
            const uint32_t number = at + r * width + i;
            if (at + i >= begin && at + i < end)
                to[k.leave ? prans_place(k, number) : number] = (WORD)v[r][i];
        }
    }
}

/* From integers of decimals to values, once these are sums: as a part of other kernels it would take
 * registers of all. */
template <typename WORD> static __global__ void prans_decimals(const __grid_constant__ prans_batch batch)
{
    uint32_t block;
    const prans_work &k = prans_of(batch, &block);
    const uint32_t number = block * blockDim.x + threadIdx.x;
    if (number >= k.f.values || k.result->status)
        return;
    const uint32_t symbol = k.symbol[number];
    ((WORD *)k.values)[prans_place(k, number)] = symbol >= k.f.special
                                                     ? (WORD)k.f.special_word[symbol - k.f.special]
                                                     : prans_decimal(k.f, ((const WORD *)k.y)[number]);
}

/* The exceptions of lattices and decimals. */
template <typename WORD> static __global__ void prans_exceptions(const __grid_constant__ prans_batch batch)
{
    uint32_t block;
    const prans_work &k = prans_of(batch, &block);
    const uint32_t i = block * blockDim.x + threadIdx.x;
    if (i < k.f.exceptions && !k.result->status)
        ((WORD *)k.values)[prans_place(k, ((const uint32_t *)(k.front + k.f.exception))[i])] =
            ((const WORD *)(k.front + k.f.exact))[i];
}

#endif
