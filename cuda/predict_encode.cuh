/* SPDX-License-Identifier: MIT
 * The predictive encoder, one kernel. A CTA's eight warps find the differences of a tile, whose rows' bytes
 * the ninth adds up; while that looks back for the tile's place in the stream, they pack its residuals in
 * shared memory and go on with the next tile's differences, and copy them out when its place is known. */
#ifndef FPGZ_CUDA_PREDICT_ENCODE_CUH
#define FPGZ_CUDA_PREDICT_ENCODE_CUH

#include "move.cuh"
#include "predict_measure.cuh"

/* Packs them: words that lanes share come together bit by bit. What a lane has no values for it takes for
 * zeros of all their bytes, which change nothing. */
template <typename Word, bool LARGE>
static __device__ __forceinline__ void predict_pack_part(const struct predict_part<Word> &part,
                                                         const struct predict_shared<Word> &shared,
                                                         uint32_t *residuals)
{
    typedef predict_format<Word, LARGE> format;
    enum { VALUES = format::lane_values, ROWS = WARP_CHUNKS * format::chunk_rows };
    const uint32_t row = threadIdx.x / 32 * ROWS + threadIdx.x % 32 / format::row_lanes;
#pragma unroll
    for (unsigned k = 0; k < WARP_CHUNKS; k++) {
        uint32_t bits[VALUES];
#pragma unroll
        for (unsigned i = 0; i < VALUES; i++) {
            const uint32_t zeros = part.prefixes[k] >> format::bits * i & ((1u << format::bits) - 1);
            bits[i] = format::word_bits - 8 * zeros;
        }
        const struct predict_bytes bytes = predict_gather(part.difference[k], bits);
        const uint32_t at = shared.row_starts[row + k * format::chunk_rows] + part.at[k], shift = at % 4 * 8;
        uint32_t *const to = residuals + at / 4;
#pragma unroll
        for (unsigned i = 0; i < 5; i++)
            or_shared(&to[i], __funnelshift_l(i ? bytes.word[i - 1] : 0, i < 4 ? bytes.word[i] : 0, shift));
    }
}

/* The bytes of the parts of a block before its last one, which have all been begun. */
static __device__ uint32_t predict_parts_before(const struct predict_task &task, uint32_t tile)
{
    const uint32_t lane = threadIdx.x % 32;
    uint32_t sum = 0;
    if (lane < task.parts - 1) {
        while (!(sum = load_relaxed(&task.part_bytes[tile - 1 - lane])))
            ;
        sum--;
    }
    return __reduce_add_sync(~0u, sum);
}

/* The bytes of a tile of whole blocks, whose lengths go into the stream and move the rows behind them. */
template <typename Word>
static __device__ __forceinline__ uint32_t predict_add_blocks(const struct predict_task &task, uint32_t tile,
                                                              struct predict_shared<Word> *shared)
{
    enum { LANE_ROWS = predict_shared<Word>::lane_rows };
    const uint32_t lane = threadIdx.x % 32;
    const struct predict_origin origin = predict_find(task, tile);
    uint32_t pad[LANE_ROWS], pads = 0;
#pragma unroll
    for (unsigned k = 0; k < LANE_ROWS; k++) {
        const uint32_t block = lane * LANE_ROWS + k, row = block * task.slot_rows;
        uint32_t length = 0;
        if (block < origin.blocks) {
            length = shared->row_starts[row + task.slot_rows] - shared->row_starts[row];
            task.lengths[origin.block + block] = length;
        }
        pad[k] = -length & 3;
        pads += pad[k];
    }
    const uint32_t all = warp_scan(pads);
    uint32_t before = all - pads;
#pragma unroll
    for (unsigned k = 0; k < LANE_ROWS; k++) {
        shared->pads[lane * LANE_ROWS + k] = before;
        before += pad[k];
    }
    const uint32_t bytes = shared->row_starts[predict_shared<Word>::rows] + __shfl_sync(~0u, all, 31);
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < LANE_ROWS; k++) {
        const uint32_t row = lane + 32 * k;
        shared->row_starts[row] += shared->pads[row / task.slot_rows];
    }
    return bytes;
}

/* Adds up the tile's rows, stores the lengths of its blocks, and publishes its bytes; for one warp. */
template <typename Word>
static __device__ void predict_add_up(const struct predict_task &task, uint32_t tile,
                                      struct predict_shared<Word> *shared)
{
    enum { LANE_ROWS = predict_shared<Word>::lane_rows };
    const uint32_t lane = threadIdx.x % 32;
    uint32_t bytes[LANE_ROWS], sum = 0;
#pragma unroll
    for (unsigned k = 0; k < LANE_ROWS; k++) {
        bytes[k] = shared->row_bytes[lane * LANE_ROWS + k];
        sum += bytes[k];
    }
    const uint32_t all = warp_scan(sum);
    uint32_t at = all - sum, total = __shfl_sync(~0u, all, 31);
#pragma unroll
    for (unsigned k = 0; k < LANE_ROWS; k++) {
        shared->row_starts[lane * LANE_ROWS + k] = at;
        at += bytes[k];
    }
    if (lane == 31)
        shared->row_starts[predict_shared<Word>::rows] = at;
    __syncwarp();
    if (task.parts == 1) {
        total = predict_add_blocks(task, tile, shared);
    } else if (tile % task.parts < task.parts - 1) {
        if (lane == 0)
            store_relaxed(&task.part_bytes[tile], total + 1);
    } else {
        const uint32_t length = predict_parts_before(task, tile) + total;
        if (lane == 0)
            task.lengths[tile / task.parts] = length;
        total += -length & 3;
    }
    if (lane == 0) {
        shared->bytes = total;
        lookback_publish(task.descriptors, tile, total);
    }
}

/* What the ninth warp does while the others pack a tile of `bytes` bytes. */
template <typename Word>
static __device__ void predict_place(const struct predict_task &task, uint32_t tile, uint32_t bytes,
                                     struct predict_shared<Word> *shared, uint32_t *free)
{
    for (uint32_t i = threadIdx.x % 32 * 4; i < RESIDUAL_WORDS; i += 128)
        *(uint4 *)(free + i) = make_uint4(0, 0, 0, 0);
    const uint32_t before = lookback_sum(task.descriptors, tile, bytes);
    if (threadIdx.x % 32)
        return;
    if (tile == task.tiles - 1)
        task.result->length = (uint64_t)(task.residuals - task.stream) + before + bytes;
    shared->start = before;
}

template <typename Word, bool LARGE, bool PREVIOUS>
__global__ void __launch_bounds__(PACK_THREADS + 32, PREVIOUS ? PACK_CTAS : 2)
    predict_encode(const struct predict_task task)
{
    __shared__ __align__(16) struct predict_shared<Word> shared;
    const bool packs = threadIdx.x < PACK_THREADS;
    struct predict_part<Word> part;
    uint32_t staged = 0; /* bytes of the tile before */
    if (blockIdx.x == 0 && threadIdx.x < PREDICT_HEADER / 4)
        ((uint32_t *)task.stream)[threadIdx.x] = task.header[threadIdx.x];
    for (uint32_t i = threadIdx.x; i < RESIDUAL_WORDS; i += blockDim.x)
        shared.residuals[0][i] = 0;
    if (threadIdx.x == 0)
        shared.next = atomicAdd(task.ticket, 1);
    __syncthreads();
    uint32_t tile = shared.next;
    for (uint32_t turn = 0;; turn ^= 1) {
        uint32_t *const filled = shared.residuals[turn ^ 1], *const filling = shared.residuals[turn];
        if (packs && tile < task.tiles)
            predict_measure_tile<Word, LARGE, PREVIOUS>(task, tile, &part, &shared);
        __syncthreads(); /* rows are measured, and the place of those that are packed is known */
        if (packs) {
            fpgz_move(filled, task.residuals + shared.start, staged, threadIdx.x, PACK_THREADS);
        } else if (tile < task.tiles) {
            predict_add_up(task, tile, &shared);
            if (threadIdx.x == PACK_THREADS)
                shared.next = atomicAdd(task.ticket, 1);
        }
        if (tile >= task.tiles)
            break;
        __syncthreads(); /* rows have their starts, and what was packed is copied */
        staged = shared.bytes;
        if (packs)
            predict_pack_part<Word, LARGE>(part, shared, filling);
        else
            predict_place(task, tile, staged, &shared, filled);
        tile = shared.next;
    }
}

#endif
