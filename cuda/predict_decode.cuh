/* SPDX-License-Identifier: MIT
 * The predictive decoder. Where rows begin is known (predict_locate.cuh), so that kernels may take them in
 * any order. With the predictor `previous` a value is the XOR of all differences up to it: a warp takes a row
 * of many slices at once, and waits for the slice before only when it knows what to XOR that with. With the
 * others it takes its row of all slices, one after another. */
#ifndef FPGZ_CUDA_PREDICT_DECODE_CUH
#define FPGZ_CUDA_PREDICT_DECODE_CUH

#include "predict_locate.cuh"

enum {
    WALK_WARPS = 4,
    WALK_THREADS = 32 * WALK_WARPS,
    CHAIN_CTAS = 4,    /* of a multiprocessor */
    CHAIN_SLICES = 16, /* whose differences a warp holds */
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

/* A lane's place in all slices. */
struct predict_lane {
    uint32_t chunk, value, count; /* the first value, and how many there are: perhaps none */
};

template <typename Word>
static __device__ __forceinline__ struct predict_lane predict_lane_of(const struct predict_task &task,
                                                                      uint32_t chunk)
{
    enum { VALUES = 16 / sizeof(Word) };
    const uint32_t value = (chunk * 32 + threadIdx.x % 32) * VALUES;
    return {chunk, value, value < task.values ? min(task.values - value, (uint32_t)VALUES) : 0};
}

/* A lane's differences of SLICES slices, from coded slice `first` on; none from the last slice on. */
template <typename Word, bool LARGE, unsigned SLICES>
static __device__ __forceinline__ void predict_differences(const struct predict_task &task, uint32_t first,
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
    const uint32_t lane = threadIdx.x % 32, left = task.slices - first, bit = lane * WIDTH;
    const uint32_t *const words =
        task.prefixes + (size_t)first * task.slice_words + own.chunk * WIDTH + bit / 32;
    uint32_t starts[(SLICES + GROUP - 1) / GROUP], prefixes[SLICES];
#pragma unroll
    for (unsigned k = 0; k < SLICES; k += GROUP) {
        const uint32_t slice = k + lane / ROWS, row = own.chunk * ROWS + lane % ROWS;
        starts[k / GROUP] = 0;
        if (slice < left && slice < SLICES && row < task.rows)
            starts[k / GROUP] = task.row_starts[(size_t)(first + slice) * task.rows + row];
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

static __device__ __forceinline__ void predict_store_vector(uint32_t *at, const uint32_t value[4])
{
    *(uint4 *)at = make_uint4(value[0], value[1], value[2], value[3]);
}

static __device__ __forceinline__ void predict_store_vector(uint64_t *at, const uint64_t value[2])
{
    *(ulonglong2 *)at = make_ulonglong2(value[0], value[1]);
}

/* The last slice of a span goes to the next span's warp in words of 64 bits, that span's number above half a
 * word or a whole one: each tells for itself that it has come, and stands where the one before was read. */
static __device__ __forceinline__ void predict_pass_on(uint64_t *last, uint32_t span, const uint32_t word[4])
{
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
        lookback_store(last + 32 * i, span, word[i]);
}

static __device__ __forceinline__ void predict_receive(const uint64_t *last, uint32_t span, uint32_t word[4])
{
#pragma unroll
    for (unsigned i = 0; i < 4; i++) {
        uint64_t got;
        do
            got = load_relaxed(last + 32 * i);
        while (__any_sync(~0u, got >> 32 != span)); /* together, so that they ask for whole lines */
        word[i] = (uint32_t)got;
    }
}

static __device__ __forceinline__ void predict_halves(const uint32_t value[4], uint32_t word[4])
{
    for (unsigned i = 0; i < 4; i++)
        word[i] = value[i];
}

static __device__ __forceinline__ void predict_halves(const uint64_t value[2], uint32_t word[4])
{
    for (unsigned i = 0; i < 4; i++)
        word[i] = (uint32_t)(value[i / 2] >> 32 * (i % 2));
}

static __device__ __forceinline__ void predict_wholes(const uint32_t word[4], uint32_t value[4])
{
    for (unsigned i = 0; i < 4; i++)
        value[i] = word[i];
}

static __device__ __forceinline__ void predict_wholes(const uint32_t word[4], uint64_t value[2])
{
    for (unsigned i = 0; i < 2; i++)
        value[i] = (uint64_t)word[2 * i + 1] << 32 | word[2 * i];
}

/* For `previous`. A warp takes a span of slices of one chunk; a CTA has neighbours. */
template <typename Word, bool LARGE>
__global__ void __launch_bounds__(WALK_THREADS, CHAIN_CTAS) predict_chain(const struct predict_task task)
{
    enum { VALUES = 16 / sizeof(Word) };
    __shared__ uint32_t ticket;
    if (task.result->status)
        return;
    if (threadIdx.x == 0)
        ticket = atomicAdd(task.ticket, 1);
    __syncthreads();
    const uint32_t chunks = (task.values + 32 * VALUES - 1) / (32 * VALUES),
                   ctas = (chunks + WALK_WARPS - 1) / WALK_WARPS, span = ticket / ctas,
                   first = span * CHAIN_SLICES;
    const struct predict_lane own =
        predict_lane_of<Word>(task, ticket % ctas * WALK_WARPS + threadIdx.x / 32);
    if (own.chunk >= chunks || first >= task.slices)
        return;
    Word value[CHAIN_SLICES][VALUES], carry[VALUES];
    predict_differences<Word, LARGE, CHAIN_SLICES>(task, first, own, value);
#pragma unroll
    for (unsigned k = 1; k < CHAIN_SLICES; k++)
#pragma unroll
        for (unsigned i = 0; i < VALUES; i++)
            value[k][i] ^= value[k - 1][i];

    Word *const grid = (Word *)task.grid + (size_t)first * task.values + own.value;
    uint64_t *const last = task.last + (size_t)own.chunk * 128 + threadIdx.x % 32;
    uint32_t words[4];
    if (span) {
        predict_receive(last, span, words);
        predict_wholes(words, carry);
    } else {
#pragma unroll
        for (unsigned i = 0; i < VALUES; i++)
            carry[i] = i < own.count ? grid[i] : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < CHAIN_SLICES; k++)
#pragma unroll
        for (unsigned i = 0; i < VALUES; i++)
            value[k][i] ^= carry[i];
    if (first + CHAIN_SLICES < task.slices) {
        predict_halves(value[CHAIN_SLICES - 1], words);
        predict_pass_on(last, span + 1, words);
    }
    if (task.values % VALUES == 0) { /* the lane has no values, or all */
#pragma unroll
        for (unsigned k = 0; k < CHAIN_SLICES; k++)
            if (own.count && first + k < task.slices)
                predict_store_vector(grid + (size_t)(k + 1) * task.values, value[k]);
        return;
    }
#pragma unroll
    for (unsigned k = 0; k < CHAIN_SLICES; k++)
#pragma unroll
        for (unsigned i = 0; i < VALUES; i++)
            if (i < own.count && first + k < task.slices)
                grid[(size_t)(k + 1) * task.values + i] = value[k][i];
}

/* For the others. */
template <typename Word, bool LARGE>
__global__ void __launch_bounds__(WALK_THREADS) predict_walk(const struct predict_task task)
{
    enum { VALUES = 16 / sizeof(Word) };
    const struct predict_lane own = predict_lane_of<Word>(task, blockIdx.x * WALK_WARPS + threadIdx.x / 32);
    if (own.chunk * 32 * VALUES >= task.values || task.result->status)
        return;
    Word *grid = (Word *)task.grid + own.value;
    for (uint32_t first = 0; first < task.slices; first += WALK_SLICES) {
        Word difference[WALK_SLICES][VALUES];
        predict_differences<Word, LARGE, WALK_SLICES>(task, first, own, difference);
#pragma unroll
        for (unsigned k = 0; k < WALK_SLICES; k++) {
            grid += task.values;
#pragma unroll
            for (unsigned i = 0; i < VALUES; i++)
                if (first + k < task.slices && i < own.count)
                    grid[i] = difference[k][i] ^ predict_value(task, grid + i, first + k + 1);
        }
    }
}

#endif
