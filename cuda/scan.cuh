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

#endif
