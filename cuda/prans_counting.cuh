/* SPDX-License-Identifier: MIT
 * Encoding with prans' bins on a GPU: residuals, and what is counted of them. */
#ifndef FPGZ_CUDA_PRANS_COUNTING_CUH
#define FPGZ_CUDA_PRANS_COUNTING_CUH

#include "prans_coding.cuh"
#include "prans_survey.cuh"

enum {
    PRANS_COUNT_WARPS = 32,
    PRANS_FIND_WARPS = 8,
    PRANS_FIND_BITS = 7,  /* slots of the table of words that are sought, as a power of two */
    PRANS_LOOKED_AT = 16, /* words of a block, for its level */
};

struct prans_counting {
    uint32_t values, blocks;
    uint32_t row, axes, extent[MIDDLE_AXES], selected, order;
    uint32_t distance[1 << MIDDLE_AXES]; /* to the value that is one row before along some axes: a set */
    uint32_t per_row, per_extent[MIDDLE_AXES]; /* prans_inverse() of them */
    int32_t weight[BINS_ORDERS - 1]; /* of the errors before in a difference, the nearest one first */
    struct prans_classes of;
    uint32_t classes, levels, unit, per_unit, zero, least; /* per_unit: prans_inverse() of it */
    void *y;
    const uint8_t *flag; /* NULL if there are no special values */
    uint32_t *last;      /* of each block: where the last ordinary value before it stands, plus 1 */
    void *residual;
    uint32_t *counts;      /* of classes, by levels; then each level's words, and special values */
    uint32_t counters;     /* all of them, behind which blocks of threads are counted that are done */
    void *sample;          /* in pinned memory, where counts */
    uint32_t *told_counts; /* are told, too */
};

static inline uint32_t prans_inverse(uint32_t divisor)
{
    return UINT32_MAX / divisor;
}

/* The quotient of numbers and what is left of them. The product is one too little at most. */
static __device__ __forceinline__ uint32_t prans_divide(uint32_t number, uint32_t divisor, uint32_t inverse,
                                                        uint32_t *rest)
{
    const uint32_t quotient = __umulhi(number, inverse), left = number - quotient * divisor;
    *rest = left < divisor ? left : left - divisor;
    return quotient + (left >= divisor);
}

/* The axes of those selected along which there is a row before. */
static __device__ __forceinline__ uint32_t prans_usable(const prans_counting &k, uint32_t row)
{
    uint32_t usable = 0;
    if (!k.selected)
        return 0;
#pragma unroll
    for (int a = MIDDLE_AXES - 1; a >= 0; a--)
        if ((uint32_t)a < k.axes) {
            uint32_t place;
            row = prans_divide(row, k.extent[a], k.per_extent[a], &place);
            usable |= (uint32_t)(place != 0) << a;
        }
    return usable & k.selected;
}

/* What the rows before leave of words side by side, where only each `step`th word of them stands there. */
template <int EACH, typename WORD>
static __device__ __forceinline__ void prans_errors(const prans_counting &k, const WORD *y, uint32_t usable,
                                                    uint32_t step, WORD error[EACH])
{
    typedef prans_some<WORD, EACH> SOME;
    const SOME mine = *(const SOME *)y;
#pragma unroll
    for (int i = 0; i < EACH; i++)
        error[i] = mine.word[i];
#pragma unroll
    for (uint32_t some = 1; some < 1u << MIDDLE_AXES; some++) {
        if (some & ~usable)
            continue;
        const uint32_t distance = k.distance[some];
        const WORD *const from = y - distance / step;
        SOME before;
        if (distance % EACH == 0)
            before = *(const SOME *)from;
        else
            for (int i = 0; i < EACH; i++)
                before.word[i] = from[i];
#pragma unroll
        for (int i = 0; i < EACH; i++)
            error[i] = (WORD)(some == 1 || some == 2 || some == 4 || some == 7 ? error[i] - before.word[i]
                                                                               : error[i] + before.word[i]);
    }
}

/* The same of one word. */
template <typename WORD>
static __device__ __forceinline__ WORD prans_error(const prans_counting &k, const WORD *y, uint32_t usable,
                                                   uint32_t step = 1)
{
    WORD error;
    prans_errors<1>(k, y, usable, step, &error);
    return error;
}

/* The four residuals from value `at` on, as difference() of the CPU's kernels; 0 behind the last one. */
template <typename WORD>
static __device__ __forceinline__ void prans_differ(const prans_counting &k, uint32_t at, WORD residual[4])
{
    enum { BEFORE = BINS_ORDERS - 1 };
    typedef typename prans_types<WORD>::wide WIDE; /* products of 16 bits would be signed */
    const uint32_t first = at < k.order ? 0 : at - k.order;
    WORD error[BEFORE + 4];
    uint32_t in_row[4], place, row = prans_divide(first, k.row, k.per_row, &place),
                               usable = prans_usable(k, row);
#pragma unroll
    for (int j = 0; j < BEFORE + 4; j++) {
        error[j] = 0;
        if (at + j < first + BEFORE || at + j - BEFORE >= k.values)
            continue;
        error[j] = prans_error(k, (const WORD *)k.y + (at + j - BEFORE), usable);
        if (j >= BEFORE)
            in_row[j - BEFORE] = place;
        if (++place == k.row) {
            place = 0;
            usable = prans_usable(k, ++row);
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        residual[i] = error[BEFORE + i];
        if (at + i >= k.values)
            continue;
#pragma unroll
        for (uint32_t b = 1; b <= BEFORE; b++)
            if (b <= k.order && b <= in_row[i])
                residual[i] = (WORD)(residual[i] + (WIDE)k.weight[b - 1] * error[BEFORE + i - b]);
    }
}

/* Values of a row that warps have by 128, one after the other. */
template <typename WORD> struct prans_stretch_of_row {
    uint32_t place, usable; /* of the first one of 128 in the row; axes along which there is a row before */
    bool follows;           /* the 128 before it were the warp's, and */
    WORD error[4];          /* this is what the rows before left of the lane's values */
};

/* The same, of orders up to BEFORE, of a lane of a warp whose 128 values from value `begin` on stand in one
 * row: lanes tell each other what the rows before leave. */
template <int BEFORE, typename WORD>
static __device__ __forceinline__ void prans_differ_together(const prans_counting &k, uint32_t begin,
                                                             prans_stretch_of_row<WORD> *row,
                                                             WORD residual[4])
{
    typedef typename prans_types<WORD>::wide WIDE;
    const uint32_t lane = threadIdx.x % 32;
    const WORD *const y = (const WORD *)k.y + begin;
    WORD error[BEFORE + 4], edge = 0; /* edge: of the value so many before the first one */
    prans_errors<4>(k, y + 4 * lane, row->usable, 1, error + BEFORE);
    if (row->follows) {
#pragma unroll
        for (unsigned i = BEFORE < 4 ? 4 - BEFORE : 0; i < 4; i++) {
            const WORD its = (WORD)__shfl_sync(0xFFFFFFFF, (WIDE)row->error[i], 31 - lane / 4);
            edge = lane % 4 == 3 - i ? its : edge;
        }
    } else if (lane < min(k.order, row->place)) {
        edge = prans_error(k, y - 1 - lane, row->usable);
    }
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
        row->error[i] = error[BEFORE + i];
#pragma unroll
    for (uint32_t b = 1; b <= (uint32_t)BEFORE; b++) {
        const uint32_t lanes = (b + 3) / 4;
        error[BEFORE - b] = 0;
        if (b > k.order)
            continue;
        const WIDE own = __shfl_up_sync(0xFFFFFFFF, (WIDE)error[BEFORE + 4 * lanes - b], lanes),
                   before = __shfl_sync(0xFFFFFFFF, (WIDE)edge, (int)((b - 1 - 4 * lane) % 32));
        error[BEFORE - b] = (WORD)(4 * lane < b ? before : own);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        residual[i] = error[BEFORE + i];
#pragma unroll
        for (uint32_t b = 1; b <= (uint32_t)BEFORE; b++)
            if (b <= k.order)
                residual[i] = (WORD)(residual[i] + (WIDE)k.weight[b - 1] * error[BEFORE + i - b]);
    }
}

/* How far the words of a block that are looked at lie from 0, on average: of `count` words, four a lane. */
static __device__ __forceinline__ uint32_t prans_size_of(const prans_counting &k, uint32_t count,
                                                         const uint32_t number[4])
{
    const uint32_t lane = threadIdx.x % 32, looked_at = min(count, (uint32_t)PRANS_LOOKED_AT);
    uint32_t mine = number[0];
    bool looks = lane % (32 / PRANS_LOOKED_AT) == 0; /* at the first one of each other lane, mostly */
    if (count < MIDDLE_BLOCK) {
        const uint32_t from = count < PRANS_LOOKED_AT ? lane : lane * count / PRANS_LOOKED_AT;
        looks = lane < looked_at;
#pragma unroll
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t its = __shfl_sync(0xFFFFFFFF, number[i], (int)(from / 4 % 32));
            mine = from % 4 == i ? its : mine;
        }
    }
    const uint32_t sum = __reduce_add_sync(0xFFFFFFFF, looks ? prans_distance(mine, k.zero) : 0);
    return count < PRANS_LOOKED_AT ? sum / looked_at : sum / PRANS_LOOKED_AT;
}

/* The level of a block. */
static __device__ __forceinline__ uint32_t prans_level(const prans_counting &k, uint32_t count,
                                                       const uint32_t number[4])
{
    const uint32_t size = prans_size_of(k, count, number);
    uint32_t rest;
    return size < k.least ? 0 : min(prans_divide(size - k.least, k.unit, k.per_unit, &rest), k.levels - 1);
}

/* Tells residuals at the places of fpgz_sample_place(), and counts: by a block of threads. */
template <typename WORD> static __device__ __forceinline__ void prans_tell(const prans_counting &k)
{
    for (uint32_t i = threadIdx.x; i < BINS_SAMPLES; i += blockDim.x) {
        const uint32_t at =
            k.values <= BINS_SAMPLES ? i : (uint32_t)((uint64_t)(i * 0x9e3779b9u) * k.values >> 32);
        if (at < k.values)
            ((WORD *)k.sample)[i] = ((const WORD *)k.residual)[at];
    }
    for (uint32_t i = threadIdx.x; i < k.counters; i += blockDim.x)
        k.told_counts[i] = k.counts[i];
}

/* Residuals of orders up to MOST, and their classes' counts, in shared memory where these fit. A warp some
 * blocks behind each other. */
template <typename WORD, bool SHARED, int MOST>
static __global__ void __launch_bounds__(32 * PRANS_COUNT_WARPS)
    prans_count(const __grid_constant__ prans_counting k)
{
    extern __shared__ uint32_t prans_counters[];
    const uint32_t lane = threadIdx.x % 32;
    uint32_t *const counts = SHARED ? prans_counters : k.counts;
    if (SHARED) {
        for (uint32_t i = threadIdx.x; i < k.counters; i += blockDim.x)
            counts[i] = 0;
        __syncthreads();
    }
    const uint32_t warps = gridDim.x * PRANS_COUNT_WARPS, each = (k.blocks + warps - 1) / warps,
                   first = (blockIdx.x * PRANS_COUNT_WARPS + threadIdx.x / 32) * each;
    prans_stretch_of_row<WORD> stretch = {};
    for (uint32_t block = first; block < min(k.blocks, first + each); block++) {
        const uint32_t begin = block * MIDDLE_BLOCK, at = begin + 4 * lane,
                       count = min(k.values - begin, (uint32_t)MIDDLE_BLOCK);
        WORD residual[4];
        uint32_t number[4], special = 0;
        if (stretch.follows)
            stretch.place += MIDDLE_BLOCK;
        else
            stretch.usable = prans_usable(k, prans_divide(begin, k.row, k.per_row, &stretch.place));
        if (stretch.place + MIDDLE_BLOCK <= k.row)
            prans_differ_together<MOST>(k, begin, &stretch, residual);
        else
            prans_differ(k, min(at, k.values - 1), residual);
        stretch.follows = stretch.place + 2 * MIDDLE_BLOCK <= k.row;
        for (uint32_t i = 0; i < 4 && k.flag; i++)
            if (at + i < k.values && k.flag[at + i]) {
                residual[i] = 0;
                special++;
            }
        prans_find_classes(k.of, residual, number);
        const uint32_t level = k.levels > 1 ? prans_level(k, count, number) : 0;
        uint32_t *const mine = counts + level * k.classes;
        if (count == MIDDLE_BLOCK) {
            prans_store_four((WORD *)k.residual + at, residual);
#pragma unroll
            for (uint32_t i = 0; i < 4; i++)
                atomicAdd(&mine[number[i]], 1u);
        } else {
            for (uint32_t i = 0; i < 4 && at + i < k.values; i++) {
                ((WORD *)k.residual)[at + i] = residual[i];
                atomicAdd(&mine[number[i]], 1u);
            }
        }
        if (k.flag)
            special = __reduce_add_sync(0xFFFFFFFF, special);
        if (lane == 0)
            atomicAdd(&counts[k.levels * k.classes + level], count);
        if (lane == 0 && special)
            atomicAdd(&counts[k.levels * k.classes + k.levels + level], special);
    }
    if (SHARED) {
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < k.counters; i += blockDim.x)
            if (counts[i])
                atomicAdd(&k.counts[i], counts[i]);
    }
    if (is_last_block(&k.counts[k.counters], prans_counters))
        prans_tell<WORD>(k);
}

/* Words of which it is counted how often they are among the residuals. */
struct prans_finding {
    uint64_t heavy[BINS_HEAVY];
    uint32_t heavies, values;
    const void *residual;
    const uint8_t *flag; /* NULL if there are no special values */
    uint32_t *times;
};

enum { PRANS_FIND_SLOTS = 1 << PRANS_FIND_BITS };

/* The slot of the table of those that has the word, or that is free for it. */
template <typename WORD>
static __device__ __forceinline__ uint32_t prans_find_slot(const WORD heavy[PRANS_FIND_SLOTS],
                                                           const uint32_t number[PRANS_FIND_SLOTS], WORD word)
{
    uint32_t slot = (uint32_t)((uint64_t)word * UINT64_C(0x9E3779B97F4A7C15) >> (64 - PRANS_FIND_BITS));
    while (number[slot] && heavy[slot] != word)
        slot = (slot + 1) % PRANS_FIND_SLOTS;
    return slot;
}

template <typename WORD>
static __global__ void __launch_bounds__(32 * PRANS_FIND_WARPS)
    prans_find(const __grid_constant__ prans_finding k)
{
    __shared__ WORD heavy[PRANS_FIND_SLOTS];
    __shared__ uint32_t number[PRANS_FIND_SLOTS], times[BINS_HEAVY]; /* number: plus 1; 0: there is none */
    for (uint32_t i = threadIdx.x; i < PRANS_FIND_SLOTS; i += blockDim.x)
        number[i] = 0;
    if (threadIdx.x < k.heavies)
        times[threadIdx.x] = 0;
    __syncthreads();
    for (uint32_t h = 0; h < k.heavies && threadIdx.x == 0; h++) {
        const uint32_t slot = prans_find_slot(heavy, number, (WORD)k.heavy[h]);
        heavy[slot] = (WORD)k.heavy[h];
        number[slot] = h + 1;
    }
    __syncthreads();
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < k.values; i += gridDim.x * blockDim.x) {
        if (k.flag && k.flag[i])
            continue;
        const uint32_t found = number[prans_find_slot(heavy, number, ((const WORD *)k.residual)[i])];
        if (found)
            atomicAdd(&times[found - 1], 1u);
    }
    __syncthreads();
    if (threadIdx.x < k.heavies && times[threadIdx.x])
        atomicAdd(&k.times[threadIdx.x], times[threadIdx.x]);
}

#endif
