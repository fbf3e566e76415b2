/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CUDA_SCAN_CUH
#define FPGZ_CUDA_SCAN_CUH

#include "machine.cuh"

/* Inclusive sums over the lanes of a warp, all of which take part. */
template <typename T> static __device__ __forceinline__ T warp_scan(T value)
{
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2)
        value = add_below(value, distance);
    return value;
}

/* The sum of `totals` (one a warp of the scan, in shared memory) before this warp, and in *all of all of
 * them. */
template <int WARPS, typename T>
static __device__ __forceinline__ T warps_before(const T *totals, unsigned warp, T *all)
{
    T before = 0, sum = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        const T total = totals[w];
        before += (unsigned)w < warp ? total : 0;
        sum += total;
    }
    *all = sum;
    return before;
}

/* Whether all other blocks of threads of the kernel have been here: then this one sees what they have
 * written. `arrived` is 0 at first, `last` in shared memory. */
static __device__ __forceinline__ bool is_last_block(uint32_t *arrived, uint32_t *last)
{
    __syncthreads();
    if (threadIdx.x == 0)
        *last = add_in_order(arrived, 1) + 1 == gridDim.x;
    __syncthreads();
    return *last != 0;
}

#endif
