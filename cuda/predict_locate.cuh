/* SPDX-License-Identifier: MIT
 * Before the predictive decoder: one kernel finds where every row's residuals begin, and that all the stream
 * says fits together. */
#ifndef FPGZ_CUDA_PREDICT_LOCATE_CUH
#define FPGZ_CUDA_PREDICT_LOCATE_CUH

#include "predict_rule.cuh"

enum {
    LOCATE_WARPS = 8,
    LOCATE_THREADS = 32 * LOCATE_WARPS,
    LOCATE_STEPS = 4, /* in which a warp takes its blocks */
};

/* Every third bit, beginning with bit 0, 1 or 2. */
static __device__ __forceinline__ uint32_t predict_thirds(unsigned first)
{
    return first == 0 ? 0x49249249 : first == 1 ? 0x92492492 : 0x24924924;
}

/* The zero bytes that the prefixes of `count` values tell; *wrong is set by one that is none. */
template <typename Word, bool LARGE>
static __device__ __forceinline__ uint32_t predict_row_zeros(const uint32_t *words, uint32_t count,
                                                             bool *wrong)
{
    enum { BITS = predict_format<Word, LARGE>::bits };
    uint32_t word[BITS + 1], sum = 0;
#pragma unroll
    for (unsigned i = 0; i < BITS; i++) {
        const uint32_t bits = count * BITS > 32 * i ? count * BITS - 32 * i : 0; /* behind the word's start */
        word[i] = bits ? words[i] & fpgz_shift_right(~0u, 32 - min(bits, 32u)) : 0;
    }
    word[BITS] = 0;
#pragma unroll
    for (unsigned i = 0; i < BITS; i++) {
        const uint32_t ones = BITS == 2 ? 0x55555555 : BITS == 4 ? 0x11111111 : predict_thirds(i % 3);
#pragma unroll
        for (unsigned p = 0; p < BITS; p++) {
            const uint32_t plane = BITS == 3 ? predict_thirds((i + p) % 3) : ones << p;
            sum += (uint32_t)__popc(word[i] & plane) << p;
        }
        if (LARGE) { /* at most the word's bytes: 4, or 8 */
            const uint32_t next = word[i + 1], second = __funnelshift_r(word[i], next, 1),
                           third = __funnelshift_r(word[i], next, 2),
                           last = __funnelshift_r(word[i], next, 3);
            const uint32_t above = BITS == 3 ? third & (word[i] | second) : last & (word[i] | second | third);
            *wrong |= (above & ones) != 0;
        }
    }
    return sum;
}

/* A block's rows: the first one, of all slices, and where its prefixes are. */
struct predict_block {
    uint32_t values, row, prefixes;
};

/* Block `b` of slice `t`, if there is such a slice. */
static __device__ __forceinline__ struct predict_block predict_block_at(const struct predict_task &task,
                                                                        uint32_t t, uint32_t b, unsigned bits)
{
    const uint32_t row = b * (task.block / 32);
    if (t >= task.slices)
        return {0, 0, 0};
    return {predict_block_values(task, b), t * task.rows + row, t * task.slice_words + row * bits};
}

/* The bytes of the block's row `row`, if there is such a row. */
template <typename Word, bool LARGE>
static __device__ __forceinline__ uint32_t predict_row_bytes(const struct predict_task &task,
                                                             const struct predict_block &block, uint32_t row,
                                                             bool *wrong)
{
    if (row * 32 >= block.values)
        return 0;
    const uint32_t count = min(block.values - row * 32, 32u);
    const uint32_t *const words = task.prefixes + block.prefixes + row * predict_format<Word, LARGE>::bits;
    return count * (uint32_t)sizeof(Word) - predict_row_zeros<Word, LARGE>(words, count, wrong);
}

/* Sums up to and including the own lane's, within each `lanes` lanes, a power of two. */
static __device__ __forceinline__ uint32_t predict_scan_lanes(uint32_t sum, uint32_t lanes)
{
    for (uint32_t step = 1; step < lanes; step *= 2) {
        const uint32_t other = __shfl_up_sync(~0u, sum, step);
        sum += threadIdx.x % lanes >= step ? other : 0;
    }
    return sum;
}

/* A warp takes as many blocks at a step as it has lanes for their rows; of a block with more than 32 rows,
 * those one after another. Blocks are summed up first. While the first warp looks back for what is before
 * them all, the others sum up their first rows. */
template <typename Word, bool LARGE>
__global__ void __launch_bounds__(LOCATE_THREADS) predict_locate_all(const struct predict_task task)
{
    enum { BITS = predict_format<Word, LARGE>::bits };
    __shared__ uint32_t totals[LOCATE_WARPS], ticket, before;
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, lanes = task.block_lanes,
                   step_blocks = 32 / lanes, lane_row = lane % lanes;
    if (threadIdx.x == 0)
        ticket = atomicAdd(task.ticket, 1);
    __syncthreads();
    struct predict_block block[LOCATE_STEPS];
    uint32_t length[LOCATE_STEPS], start[LOCATE_STEPS], bytes[LOCATE_STEPS],
        sum = 0, index = (ticket * LOCATE_WARPS + warp) * LOCATE_STEPS * step_blocks + lane / lanes,
        t = index / task.blocks, b = index - t * task.blocks;
#pragma unroll
    for (unsigned k = 0; k < LOCATE_STEPS; k++) {
        block[k] = predict_block_at(task, t, b, BITS);
        length[k] = block[k].values ? task.lengths[index] : 0;
        index += step_blocks;
        t += task.step_slices;
        b += task.step_blocks;
        if (b >= task.blocks) {
            b -= task.blocks;
            t++;
        }
    }
    bool wrong = false;
#pragma unroll
    for (unsigned k = 0; k < LOCATE_STEPS; k++) {
        const uint32_t most = block[k].values * (uint32_t)sizeof(Word),
                       padded = (min(length[k], most) + 3) / 4 * 4;
        uint32_t all = padded;
        start[k] = sum;
        if (lanes < 32) {
            const uint32_t scanned = warp_scan(lane_row ? 0 : padded);
            start[k] += scanned - padded;
            all = __shfl_sync(~0u, scanned, 31);
        }
        sum += all;
        wrong |= length[k] > most;
    }
    if (lane == 0)
        totals[warp] = sum;
    __syncthreads();
    uint32_t all;
    const uint32_t warps = warps_before<LOCATE_WARPS>(totals, warp, &all);
    if (warp == 0) {
        const uint32_t sum = lookback_sum_now(task.descriptors, ticket, all);
        const uint64_t end = (uint64_t)sum + all;
        const uint32_t *const header = (const uint32_t *)task.stream;
        wrong |= end > task.residuals_length || header[0] != task.header[0] || header[1] != task.header[1] ||
                 (ticket == task.tiles - 1 && end != task.residuals_length);
        before = sum;
    }
#pragma unroll
    for (unsigned k = 0; k < LOCATE_STEPS; k++)
        bytes[k] = predict_row_bytes<Word, LARGE>(task, block[k], lane_row, &wrong);
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < LOCATE_STEPS; k++) {
        uint32_t at = before + warps + start[k], end = at;
        for (uint32_t row = lane_row; row - lane_row < task.block_rows; row += 32) {
            const uint32_t own = row == lane_row
                                     ? bytes[k]
                                     : predict_row_bytes<Word, LARGE>(task, block[k], row, &wrong),
                           sum = predict_scan_lanes(own, lanes);
            if (row * 32 < block[k].values)
                task.row_starts[block[k].row + row] = end + sum - own;
            end += __shfl_sync(~0u, sum, lane | (lanes - 1));
        }
        wrong |= end - at != length[k];
    }
    if (wrong)
        task.result->status = FPGZ_CORRUPT;
}

#endif
