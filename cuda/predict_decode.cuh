/* SPDX-License-Identifier: MIT
 * The predictive decoder. One kernel finds where every row's residuals begin, and that all the stream says
 * fits together, so that the next ones may take rows in any order. With the predictor `previous` a value is
 * the XOR of all differences up to it: a warp takes a row of many slices at once, and waits for the slice
 * before only when it knows what to XOR that with. With the others it takes its row of all slices, one after
 * another. */
#ifndef FPGZ_CUDA_PREDICT_DECODE_CUH
#define FPGZ_CUDA_PREDICT_DECODE_CUH

#include "predict_rule.cuh"

enum {
    LOCATE_THREADS = 256,
    LOCATE_BLOCKS = 32,
    WALK_WARPS = 4,
    WALK_THREADS = 32 * WALK_WARPS,
    CHAIN_CTAS = 4,    /* of a multiprocessor */
    CHAIN_SLICES = 16, /* whose differences a warp holds */
    WALK_SLICES = 4,
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
            got = lookback_load(last + 32 * i);
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
