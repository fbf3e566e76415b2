/* SPDX-License-Identifier: MIT
 * Before the predictive decoder: one kernel finds where every row's residuals begin, and that all the stream
 * says fits together. */
#ifndef FPGZ_CUDA_PREDICT_LOCATE_CUH
#define FPGZ_CUDA_PREDICT_LOCATE_CUH

#include "predict_rule.cuh"

enum {
    LOCATE_THREADS = 256,
    LOCATE_BLOCKS = 32,
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

static __device__ __forceinline__ struct predict_block predict_block_at(const struct predict_task &task,
                                                                        uint32_t block, unsigned bits)
{
    if (block >= task.coded_blocks)
        return {0, 0, 0};
    const uint32_t t = block / task.blocks, b = block - t * task.blocks, row = b * (task.block / 32);
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

/* Each warp takes some of the tile's blocks, and sums up their first 32 rows while the first warp looks back.
 */
template <typename Word, bool LARGE>
__global__ void __launch_bounds__(LOCATE_THREADS) predict_locate_all(const struct predict_task task)
{
    enum {
        WARPS = LOCATE_THREADS / 32,
        OWN = LOCATE_BLOCKS / WARPS,
        BITS = predict_format<Word, LARGE>::bits
    };
    __shared__ uint32_t starts[LOCATE_BLOCKS], lengths[LOCATE_BLOCKS], ticket;
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        ticket = atomicAdd(task.ticket, 1);
    __syncthreads();
    const uint32_t tile = ticket;
    if (warp == 0) {
        const uint32_t block = tile * LOCATE_BLOCKS + lane,
                       most = predict_block_at(task, block, BITS).values * (uint32_t)sizeof(Word),
                       length = most ? task.lengths[block] : 0, bytes = (min(length, most) + 3) / 4 * 4;
        const uint32_t sum = warp_scan(bytes), *const header = (const uint32_t *)task.stream;
        const uint64_t end =
            (uint64_t)lookback_sum_now(task.descriptors, tile, __shfl_sync(~0u, sum, 31)) + sum;
        if (length > most || end > task.residuals_length || header[0] != task.header[0] ||
            header[1] != task.header[1] || (block == task.coded_blocks - 1 && end != task.residuals_length))
            task.result->status = FPGZ_CORRUPT;
        starts[lane] = (uint32_t)(end - bytes);
        lengths[lane] = length;
    }
    struct predict_block mine = {0, 0, 0}, block[OWN];
    if (lane < OWN)
        mine = predict_block_at(task, tile * LOCATE_BLOCKS + warp * OWN + lane, BITS);
    uint32_t bytes[OWN];
    bool wrong = false;
#pragma unroll
    for (unsigned i = 0; i < OWN; i++) {
        block[i] = {__shfl_sync(~0u, mine.values, i), __shfl_sync(~0u, mine.row, i),
                    __shfl_sync(~0u, mine.prefixes, i)};
        bytes[i] = predict_row_bytes<Word, LARGE>(task, block[i], lane, &wrong);
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < OWN; i++) {
        uint32_t at = starts[warp * OWN + i];
        for (uint32_t row = lane; row - lane < (block[i].values + 31) / 32; row += 32) {
            const uint32_t own = row == lane ? bytes[i]
                                             : predict_row_bytes<Word, LARGE>(task, block[i], row, &wrong),
                           sum = warp_scan(own);
            if (row * 32 < block[i].values)
                task.row_starts[block[i].row + row] = at + sum - own;
            at += __shfl_sync(~0u, sum, 31);
        }
        wrong |= at - starts[warp * OWN + i] != lengths[warp * OWN + i];
    }
    if (wrong)
        task.result->status = FPGZ_CORRUPT;
}

#endif
