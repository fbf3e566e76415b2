/* SPDX-License-Identifier: MIT
 * Encoding with prans' bins on a GPU: special values get what predicts them, with order 1. That is the value
 * before them in their row; at its begin, what the rows before predict. */
#ifndef FPGZ_CUDA_PRANS_FILLING_CUH
#define FPGZ_CUDA_PRANS_FILLING_CUH

#include "prans_counting.cuh"

enum { PRANS_BEGIN_THREADS = 256, PRANS_FILL_WARPS = 8, PRANS_LAST_WARPS = 32 };

/* Rows' begins, one after the other. */
template <typename WORD>
static __global__ void __launch_bounds__(PRANS_BEGIN_THREADS)
    prans_begins(const __grid_constant__ prans_counting k)
{
    __shared__ WORD begin[BINS_AIDED_ROWS];
    __shared__ uint8_t special[BINS_AIDED_ROWS];
    const uint32_t rows = k.values / k.row;
    WORD *const y = (WORD *)k.y;
    for (uint32_t r = threadIdx.x; r < rows; r += PRANS_BEGIN_THREADS) {
        special[r] = k.flag[r * k.row];
        begin[r] = special[r] ? 0 : y[r * k.row];
    }
    __syncthreads();
    for (uint32_t r = 0; r < rows && threadIdx.x == 0; r++)
        if (special[r]) /* what predicts it is what it lacks */
            begin[r] = (WORD)(0 - prans_error(k, begin + r, prans_usable(k, r), k.row));
    __syncthreads();
    for (uint32_t r = threadIdx.x; r < rows; r += PRANS_BEGIN_THREADS)
        if (special[r])
            y[r * k.row] = begin[r];
}

/* The last ordinary value of each block, plus 1; 0 if there is none. */
static __global__ void __launch_bounds__(32 * PRANS_FILL_WARPS)
    prans_last(const __grid_constant__ prans_counting k)
{
    const uint32_t block = blockIdx.x * PRANS_FILL_WARPS + threadIdx.x / 32,
                   at = block * MIDDLE_BLOCK + 4 * (threadIdx.x % 32);
    if (block >= k.blocks)
        return;
    uint32_t last = 0;
    for (uint32_t i = 0; i < 4; i++)
        last = at + i < k.values && !k.flag[at + i] ? at + i + 1 : last;
    last = __reduce_max_sync(0xFFFFFFFF, last);
    if (threadIdx.x % 32 == 0)
        k.last[block] = last;
}

/* The largest of a lane and of those before it. */
static __device__ __forceinline__ uint32_t prans_most_so_far(uint32_t mine)
{
    const uint32_t lane = threadIdx.x % 32;
#pragma unroll
    for (uint32_t distance = 1; distance < 32; distance *= 2) {
        const uint32_t before = __shfl_up_sync(0xFFFFFFFF, mine, distance);
        mine = lane >= distance ? max(mine, before) : mine;
    }
    return mine;
}

/* Makes that of all blocks before, by a warp. */
static __global__ void prans_last_before(const __grid_constant__ prans_counting k)
{
    uint32_t before = 0;
    for (uint32_t first = 0; first < k.blocks; first += 32) {
        const uint32_t block = first + threadIdx.x;
        const uint32_t so_far = max(before, prans_most_so_far(block < k.blocks ? k.last[block] : 0)),
                       up = __shfl_up_sync(0xFFFFFFFF, so_far, 1);
        if (block < k.blocks)
            k.last[block] = threadIdx.x ? up : before;
        before = __shfl_sync(0xFFFFFFFF, so_far, 31);
    }
}

/* All special values but those at rows' begins that axes predict. */
template <typename WORD>
static __global__ void __launch_bounds__(32 * PRANS_FILL_WARPS)
    prans_fill(const __grid_constant__ prans_counting k)
{
    const uint32_t block = blockIdx.x * PRANS_FILL_WARPS + threadIdx.x / 32, lane = threadIdx.x % 32,
                   at = block * MIDDLE_BLOCK + 4 * lane;
    if (block >= k.blocks)
        return;
    WORD *const y = (WORD *)k.y;
    uint32_t mine = 0;
    bool special[4];
    for (uint32_t i = 0; i < 4; i++) {
        special[i] = at + i < k.values && k.flag[at + i];
        mine = at + i < k.values && !special[i] ? at + i + 1 : mine;
    }
    const uint32_t so_far = prans_most_so_far(mine), up = __shfl_up_sync(0xFFFFFFFF, so_far, 1);
    uint32_t last = max(k.last[block], lane ? up : 0);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t begin = (at + i) / k.row * k.row;
        if (!special[i])
            last = at + i < k.values ? at + i + 1 : last;
        else if (last > begin)
            y[at + i] = y[last - 1];
        else if (at + i > begin || !k.selected)
            y[at + i] = k.selected ? y[begin] : 0;
    }
}

#endif
