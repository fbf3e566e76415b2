/* SPDX-License-Identifier: MIT
 * The predictive decoder. Where rows begin is known (predict_locate.cuh), so that a warp may take differences
 * of many slices at once. With the predictor `previous` (predict_chain.cuh) all else can be done side by
 * side, too; with the others, here, a warp takes its rows of all slices, one slice after another. */
#ifndef FPGZ_CUDA_PREDICT_DECODE_CUH
#define FPGZ_CUDA_PREDICT_DECODE_CUH

#include "predict_locate.cuh"

enum {
    WALK_WARPS = 4,
    WALK_THREADS = 32 * WALK_WARPS,
    WALK_SLICES = 4,
};

/* The words that 16 bytes at any address lie in. */
struct predict_words {
    uint32_t word[5];
};

static __device__ __forceinline__ struct predict_words predict_load(const uint8_t *residuals, uint32_t at)
{
    const uint32_t *const words = (const uint32_t *)residuals + at / 4;
    return {{words[0], words[1], words[2], words[3], words[4]}};
}

static __device__ __forceinline__ struct predict_bytes predict_shift(const struct predict_words &w,
                                                                     uint32_t at)
{
    struct predict_bytes bytes;
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
        bytes.word[i] = __funnelshift_r(w.word[i], w.word[i + 1], 8 * at);
    return bytes;
}

/* What a lane takes of each of some slices. */
struct predict_lane {
    uint32_t first;             /* coded slice; there may be none from it on */
    uint32_t row, value, count; /* its row, its first value, and how many there are: perhaps none */
};

template <typename Word>
static __device__ __forceinline__ struct predict_lane predict_lane_of(const struct predict_task &task,
                                                                      uint32_t first, uint32_t row)
{
    enum { VALUES = 16 / sizeof(Word), LANES = 32 / VALUES };
    const uint32_t value = row * 32 + threadIdx.x % LANES * VALUES;
    return {first, row, value, value < task.values ? min(task.values - value, (uint32_t)VALUES) : 0};
}

/* A lane's differences of SLICES slices; none from the last slice on. */
template <typename Word, bool LARGE, unsigned SLICES>
static __device__ __forceinline__ void predict_differences(const struct predict_task &task,
                                                           const struct predict_lane &own,
                                                           Word difference[SLICES][16 / sizeof(Word)])
{
    typedef predict_format<Word, LARGE> format;
    enum {
        VALUES = format::lane_values,
        ROWS = format::chunk_rows,
        GROUP = 32 / ROWS, /* slices whose rows' starts the lanes load at once */
        WIDTH = format::bits * VALUES,
        BATCH = 4,
    };
    const auto kept = [](uint32_t zeros,
                         unsigned i) { /* bytes of a value */
                                       return (uint32_t)sizeof(Word) -
                                              (zeros >> format::bits * i & ((1u << format::bits) - 1));
    };
    const uint32_t lane = threadIdx.x % 32, left = own.first < task.slices ? task.slices - own.first : 0,
                   bit = lane % format::row_lanes * WIDTH;
    const uint32_t *const words =
        task.prefixes + (size_t)own.first * task.slice_words + own.row * format::bits + bit / 32;
    uint32_t starts[(SLICES + GROUP - 1) / GROUP], prefixes[SLICES];
    const uint32_t slot = lane % ROWS * format::row_lanes, slot_row = __shfl_sync(~0u, own.row, slot),
                   slot_first = __shfl_sync(~0u, own.first, slot), slot_left = __shfl_sync(~0u, left, slot);
#pragma unroll
    for (unsigned k = 0; k < SLICES; k += GROUP) {
        const uint32_t slice = k + lane / ROWS;
        starts[k / GROUP] = 0;
        if (slice < slot_left && slice < SLICES && slot_row < task.rows)
            starts[k / GROUP] = task.row_starts[(size_t)(slot_first + slice) * task.rows + slot_row];
    }
#pragma unroll
    for (unsigned k = 0; k < SLICES; k++) {
        prefixes[k] = 0;
        if (k < left && own.count) {
            const uint32_t *const word = words + (size_t)k * task.slice_words;
            prefixes[k] = WIDTH == 8 ? word[0] >> bit % 32 : __funnelshift_r(word[0], word[1], bit);
        }
    }
    uint32_t at[SLICES]; /* in the residuals, which begin at a whole word */
#pragma unroll
    for (unsigned k = 0; k < SLICES; k++) {
        uint32_t bytes = 0;
#pragma unroll
        for (unsigned i = 0; i < VALUES; i++)
            bytes += k < left && i < own.count ? kept(prefixes[k], i) : 0;
        at[k] = __shfl_sync(~0u, starts[k / GROUP], k % GROUP * ROWS + lane / format::row_lanes) +
                predict_scan_row<format::row_lanes>(bytes) - bytes;
    }
    struct predict_words words_at[2][BATCH]; /* while some are unpacked, others are on their way */
#pragma unroll
    for (unsigned k = 0; k < SLICES + BATCH; k += BATCH) {
#pragma unroll
        for (unsigned i = 0; i < BATCH; i++)
            if (k < SLICES)
                words_at[k / BATCH % 2][i] = predict_load(task.residuals, at[k + i]);
#pragma unroll
        for (unsigned i = 0; i < BATCH; i++)
            if (k) {
                const unsigned slice = k - BATCH + i;
                uint32_t bits[VALUES];
#pragma unroll
                for (unsigned v = 0; v < VALUES; v++)
                    bits[v] = 8 * kept(prefixes[slice], v);
                predict_scatter(predict_shift(words_at[slice / BATCH % 2][i], at[slice]), bits,
                                difference[slice]);
            }
    }
}

template <typename Word, bool LARGE>
__global__ void __launch_bounds__(WALK_THREADS) predict_walk(const struct predict_task task)
{
    enum { VALUES = 16 / sizeof(Word), LANES = 32 / VALUES, ROWS = VALUES };
    const uint32_t row = (blockIdx.x * WALK_WARPS + threadIdx.x / 32) * ROWS;
    struct predict_lane own = predict_lane_of<Word>(task, 0, row + threadIdx.x % 32 / LANES);
    if (row >= task.rows || task.result->status)
        return;
    Word *grid = (Word *)task.grid + own.value;
    for (; own.first < task.slices; own.first += WALK_SLICES) {
        Word difference[WALK_SLICES][VALUES];
        predict_differences<Word, LARGE, WALK_SLICES>(task, own, difference);
#pragma unroll
        for (unsigned k = 0; k < WALK_SLICES; k++) {
            grid += task.values;
#pragma unroll
            for (unsigned i = 0; i < VALUES; i++)
                if (own.first + k < task.slices && i < own.count)
                    grid[i] = difference[k][i] ^ predict_value(task, grid + i, own.first + k + 1);
        }
    }
}

#endif
