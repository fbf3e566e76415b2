/* SPDX-License-Identifier: MIT
 * Encoding with prans' bins on a GPU: what values have in common, and their integers in a domain. */
#ifndef FPGZ_CUDA_PRANS_SURVEY_CUH
#define FPGZ_CUDA_PRANS_SURVEY_CUH

#include "move.cuh"
#include "prans_word.cuh"
#include "scan.cuh"

extern "C" {
#include "codec/prans/bins/aide.h"
}

enum {
    PRANS_SURVEY_THREADS = 256,
    PRANS_SURVEY_BLOCKS = 128, /* at most; each has values that stand behind each other */
    PRANS_LEVELS = 64,         /* of sizes of words, at most */
};

/* What a block's values have in common, as struct bins_common has it. */
struct prans_common {
    uint64_t least, most, step, all;
    uint32_t exceptions, pad;
};

struct prans_survey {
    uint32_t values, each; /* each: of a block */
    struct bins_line line;
    double per_scale; /* 1 / line.scale */
    uint32_t most;    /* exceptions that are listed */
    const void *value;
    void *y;
    uint8_t *flag;               /* of whole blocks */
    struct prans_common *common; /* of each block, */
    uint32_t *exception;
    struct prans_common *told; /* and in pinned memory */
    uint32_t *told_exception;
    /* That integers will be counted by: they are cleared as these are found, which is as values are entered
     * where there are any then. */
    uint32_t *counts, counters;
};

/* A value's place, in as few bits as kernels can have it: those of the lattice of f32 count from 2^31 on,
 * which all fit. False if it is none of the lattice. Steps are those of the CPU, rounded one by one. */
template <bool LATTICE, typename WORD>
static __device__ __forceinline__ bool prans_place_of(const prans_survey &k, WORD word,
                                                      typename prans_types<WORD>::wide *place)
{
    typedef typename prans_types<WORD>::wide WIDE;
    const struct bins_line &line = k.line;
    if (!LATTICE) {
        *place = line.number == PRANS_REAL     ? prans_placed(word)
                 : line.number == PRANS_SIGNED ? (WORD)(word ^ (WORD)1 << (8 * sizeof(WORD) - 1))
                                               : word;
        return true;
    }
    const double magic = 6755399441055744.0, largest = sizeof(WORD) == 8 ? 2251799813685248.0 : 16777216.0;
    const double real =
        sizeof(WORD) == 8 ? __longlong_as_double((long long)word) : (double)__uint_as_float((uint32_t)word);
    const double product = __dmul_rn(real, line.scale), moved = __dadd_rn(product, magic),
                 back = prans_quotient(__dadd_rn(moved, -magic), line.scale, k.per_scale);
    *place = (WIDE)__double_as_longlong(moved) - (WIDE)__double_as_longlong(magic) +
             ((WIDE)1 << (8 * sizeof(WIDE) - 1));
    return (prans_bits_of<WORD>(back) == word) & (fabs(product) < largest);
}

/* The place as the host has it. */
template <bool LATTICE, typename WORD>
static __device__ __forceinline__ uint64_t prans_far(typename prans_types<WORD>::wide place)
{
    return LATTICE && sizeof(WORD) < 8 ? place + ((uint64_t)1 << 63) - ((uint64_t)1 << 31) : place;
}

/* The integers of places. Where nothing is shifted, which is mostly so, low bits and that of place 0 will do.
 */
template <bool LATTICE, int COUNT, typename WORD>
static __device__ __forceinline__ void prans_integers_of(const struct bins_line &line,
                                                         const typename prans_types<WORD>::wide place[COUNT],
                                                         WORD integer[COUNT])
{
    typedef typename prans_types<WORD>::wide WIDE;
    const WIDE inverse = (WIDE)line.inverse,
               zero = (WIDE)((prans_far<LATTICE, WORD>(0) - line.base) * line.inverse - line.below);
    if (!line.shift) {
#pragma unroll
        for (unsigned i = 0; i < COUNT; i++)
            integer[i] = (WORD)(place[i] * inverse + zero);
        return;
    }
#pragma unroll
    for (unsigned i = 0; i < COUNT; i++)
        integer[i] = (WORD)(((prans_far<LATTICE, WORD>(place[i]) - line.base) >> line.shift) * line.inverse -
                            line.below);
}

/* The number of the special value that a word is, from 1 on; 0 if it is none. */
template <typename WORD>
static __device__ __forceinline__ uint32_t prans_special_of(const struct bins_line &line, WORD word)
{
    uint32_t flag = 0;
    if (!line.specials)
        return 0;
#pragma unroll
    for (uint32_t s = 0; s < PRANS_SPECIALS; s++)
        flag = s < line.specials && word == (WORD)line.special[s] ? s + 1 : flag;
    return flag;
}

template <typename WIDE> static __host__ __device__ __forceinline__ WIDE prans_common_divisor(WIDE a, WIDE b)
{
    if (a == 1 || b == 1) /* mostly */
        return 1;
    while (b) {
        const WIDE rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

template <typename WIDE> static __host__ __device__ __forceinline__ WIDE prans_distance(WIDE a, WIDE b)
{
    return a < b ? b - a : a - b;
}

/* What two have in common. Steps of floating-point numbers are not asked for. */
static __host__ __device__ __forceinline__ void prans_join(bool stepped, struct prans_common *a,
                                                           const prans_common &b)
{
    a->all |= b.all;
    a->exceptions += b.exceptions;
    if (b.least > b.most)
        return;
    if (stepped && a->least <= a->most)
        a->step =
            prans_common_divisor(prans_common_divisor(a->step, b.step), prans_distance(a->least, b.least));
    else
        a->step = b.step;
    a->least = b.least < a->least ? b.least : a->least;
    a->most = b.most > a->most ? b.most : a->most;
}

static __device__ __forceinline__ prans_common prans_common_of(const prans_common &mine, unsigned distance)
{
    prans_common other;
    other.least = __shfl_xor_sync(0xFFFFFFFF, mine.least, distance);
    other.most = __shfl_xor_sync(0xFFFFFFFF, mine.most, distance);
    other.step = __shfl_xor_sync(0xFFFFFFFF, mine.step, distance);
    other.all = __shfl_xor_sync(0xFFFFFFFF, mine.all, distance);
    other.exceptions = __shfl_xor_sync(0xFFFFFFFF, mine.exceptions, distance);
    return other;
}

/* What a thread's values have in common. */
template <typename WIDE> struct prans_few {
    WIDE least, most, step, all;
    uint32_t exceptions;
};

/* Whether the common step of places is asked for. */
template <bool LATTICE> static __device__ __forceinline__ bool prans_is_stepped(const prans_survey &k)
{
    return LATTICE || k.line.id != PRANS_DOMAIN_FLOAT;
}

/* Adds the steps from one place to those of the four that fit: the least one so far or, first, one of these.
 */
template <typename WIDE>
static __device__ __forceinline__ void prans_add_steps(const WIDE place[4], const bool fits[4],
                                                       prans_few<WIDE> *few)
{
    WIDE from = few->least;
    bool any = few->least <= few->most;
#pragma unroll
    for (unsigned i = 0; i < 4; i++) {
        const WIDE distance = any && fits[i] ? prans_distance(place[i], from) : 0;
        if (distance && (!few->step || distance % few->step))
            few->step = prans_common_divisor(few->step, distance);
        from = any || !fits[i] ? from : place[i];
        any |= fits[i];
    }
}

/* Adds the four values from `at` on, and stores their integers where they are to be counted. PLAIN: all stand
 * before the end, and none is special. */
template <typename WORD, bool LATTICE, bool PLAIN>
static __device__ __forceinline__ void prans_enter_four(const prans_survey &k, uint32_t at, uint32_t end,
                                                        prans_few<typename prans_types<WORD>::wide> *few)
{
    typedef typename prans_types<WORD>::wide WIDE;
    enum { EACH = 4 };
    WORD word[EACH], integer[EACH];
    WIDE place[EACH];
    bool there[EACH], fits[EACH];
    prans_load_four((const WORD *)k.value, at, end, word);
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        there[i] = PLAIN || (at + i < end && !prans_special_of(k.line, word[i]));
        fits[i] = prans_place_of<LATTICE>(k, word[i], &place[i]) & there[i];
    }
    if (prans_is_stepped<LATTICE>(k) && few->step != 1)
        prans_add_steps(place, fits, few);
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        few->all |= there[i] ? (WIDE)word[i] : 0;
        few->exceptions += there[i] & !fits[i];
        few->least = min(few->least, fits[i] ? place[i] : (WIDE)-1);
        few->most = max(few->most, fits[i] ? place[i] : 0);
    }
    if (!k.counters)
        return;
    prans_integers_of<LATTICE, EACH>(k.line, place, integer);
    if (PLAIN || at + EACH <= end)
        prans_store_four((WORD *)k.y + at, integer);
    else
        for (unsigned i = 0; at + i < end; i++)
            ((WORD *)k.y)[at + i] = integer[i];
}

template <typename WORD, bool LATTICE>
static __global__ void __launch_bounds__(PRANS_SURVEY_THREADS)
    prans_enter(const __grid_constant__ prans_survey k)
{
    typedef typename prans_types<WORD>::wide WIDE;
    enum { EACH = 4, WARPS = PRANS_SURVEY_THREADS / 32 };
    __shared__ prans_common of[WARPS];
    const uint32_t first = blockIdx.x * k.each, end = min(k.values, first + k.each);
    uint32_t at = first + EACH * threadIdx.x;
    prans_few<WIDE> few = {(WIDE)-1, 0, 0, 0, 0};
    fpgz_clear(k.counts, k.counters * sizeof *k.counts);
    if (!k.line.specials)
#pragma unroll 2
        for (; at + EACH <= end; at += EACH * PRANS_SURVEY_THREADS)
            prans_enter_four<WORD, LATTICE, true>(k, at, end, &few);
#pragma unroll 1
    for (; at < end; at += EACH * PRANS_SURVEY_THREADS)
        prans_enter_four<WORD, LATTICE, false>(k, at, end, &few);
    prans_common mine = {UINT64_MAX, 0, few.step, few.all, few.exceptions, 0};
    if (few.least <= few.most) {
        mine.least = prans_far<LATTICE, WORD>(few.least);
        mine.most = prans_far<LATTICE, WORD>(few.most);
    }
#pragma unroll 1
    for (unsigned distance = 16; distance; distance /= 2)
        prans_join(prans_is_stepped<LATTICE>(k), &mine, prans_common_of(mine, distance));
    if (threadIdx.x % 32 == 0)
        of[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x)
        return;
#pragma unroll 1
    for (unsigned warp = 1; warp < WARPS; warp++)
        prans_join(prans_is_stepped<LATTICE>(k), &mine, of[warp]);
    k.told[blockIdx.x] = k.common[blockIdx.x] = mine;
}

/* Lists exceptions, if they are not too many. */
template <typename WORD>
static __global__ void __launch_bounds__(PRANS_SURVEY_THREADS)
    prans_list(const __grid_constant__ prans_survey k)
{
    enum { WARPS = PRANS_SURVEY_THREADS / 32 };
    __shared__ uint32_t count[2][WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const WORD *const value = (const WORD *)k.value;
    const uint32_t first = blockIdx.x * k.each, end = min(k.values, first + k.each);
    uint32_t before = 0, all = 0;
    for (uint32_t b = lane; b < gridDim.x; b += 32) {
        before += b < blockIdx.x ? k.common[b].exceptions : 0;
        all += k.common[b].exceptions;
    }
    before = __reduce_add_sync(0xFFFFFFFF, before);
    all = __reduce_add_sync(0xFFFFFFFF, all);
    if (all > k.most || !k.common[blockIdx.x].exceptions)
        return;
    for (uint32_t begin = first, odd = 0; begin < end; begin += PRANS_SURVEY_THREADS, odd ^= 1) {
        const uint32_t at = begin + threadIdx.x;
        typename prans_types<WORD>::wide place;
        const bool misfits =
            at < end && !prans_special_of(k.line, value[at]) && !prans_place_of<true>(k, value[at], &place);
        const uint32_t those = __ballot_sync(0xFFFFFFFF, misfits);
        if (lane == 0)
            count[odd][warp] = __popc(those);
        __syncthreads();
        uint32_t sum;
        const uint32_t mine = warps_before<WARPS>(count[odd], warp, &sum);
        if (misfits) {
            const uint32_t number = before + mine + __popc(those & ((1u << lane) - 1));
            k.told_exception[number] = k.exception[number] = at;
        }
        before += sum;
    }
}

/* Integers of a domain; of exceptions anything. */
template <typename WORD, bool LATTICE>
static __global__ void __launch_bounds__(PRANS_SURVEY_THREADS)
    prans_integers(const __grid_constant__ prans_survey k)
{
    fpgz_clear(k.counts, k.counters * sizeof *k.counts);
    for (uint32_t at = blockIdx.x * PRANS_SURVEY_THREADS + threadIdx.x; at < k.values;
         at += gridDim.x * PRANS_SURVEY_THREADS) {
        const WORD word = ((const WORD *)k.value)[at];
        const uint32_t flag = prans_special_of(k.line, word);
        typename prans_types<WORD>::wide place;
        WORD integer;
        prans_place_of<LATTICE>(k, word, &place);
        prans_integers_of<LATTICE, 1>(k.line, &place, &integer);
        ((WORD *)k.y)[at] = flag ? (WORD)k.line.absent : integer;
        if (k.line.specials)
            k.flag[at] = (uint8_t)flag;
    }
}

/* Exceptions get the integer before their run, or as aide.h says. Those that stand behind each other have the
 * same distance from their place in the list. */
template <typename WORD> static __global__ void prans_give_way(const __grid_constant__ prans_survey k)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= k.line.exceptions)
        return;
    const uint32_t distance = k.exception[i] - i;
    uint32_t low = 0, high = i;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (k.exception[middle] - middle < distance)
            low = middle + 1;
        else
            high = middle;
    }
    const uint32_t begin = k.exception[low], last = begin > PRANS_LOOKED_BACK ? begin - PRANS_LOOKED_BACK : 0;
    uint32_t from = begin;
    if (begin && k.line.specials && k.flag[begin - 1]) {
        for (uint32_t e = low; from > last; from--) {
            const bool apart = e && k.exception[e - 1] == from - 1;
            if (!apart && !k.flag[from - 1])
                break;
            e -= apart;
        }
        from = from > last ? from : 0;
    }
    WORD *const y = (WORD *)k.y;
    y[k.exception[i]] = from ? y[from - 1] : (WORD)k.line.absent;
}

#endif
