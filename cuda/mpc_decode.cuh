/* SPDX-License-Identifier: MIT
 * Decompression: where a tile's words begin is counted from the bitmaps before it, which all stand in front,
 * in a pass of its own over this 32nd or 64th of the grid. Then a block restores one tile. */
#ifndef FPGZ_CUDA_MPC_DECODE_CUH
#define FPGZ_CUDA_MPC_DECODE_CUH

#include "codec.cuh"
#include "lookback.cuh"
#include "machine.cuh"
#include "mpc.cuh"
#include "scan.cuh"

enum {
    MPC_COUNTING_WARPS = 4,
    MPC_COUNTED = 32 * MPC_COUNTING_WARPS, /* tiles that a block counts */
};

struct mpc_decoding {
    const uint8_t *stream;
    uint64_t header; /* as it has to be, for dim 1 */
    uint32_t groups, tiles;
    uint64_t bitmap_bytes, words_at;
    uint64_t left; /* bytes of words */
    bool may_stray;
    uint8_t *values;
    uint64_t count;        /* of values */
    uint32_t *start;       /* scratch: of a tile's words, and the end of the last one's */
    uint32_t *ticket;      /* zero at first, as the descriptors are */
    uint64_t *descriptors; /* one a block that counts */
    struct fpgz_cuda_result *result;
};

/* Bits that are set in 8 bytes of the bitmaps, of which the last ones may be something else. */
static __device__ __forceinline__ uint32_t mpc_count_bits(const struct mpc_decoding &d, uint64_t at)
{
    if (at >= d.bitmap_bytes)
        return 0;
    const uint8_t *const bits = d.stream + 8 + at;
    return at + 8 > d.bitmap_bytes ? __popc(*(const uint32_t *)bits) : __popcll(*(const uint64_t *)bits);
}

template <int WORDS>
__global__ void __launch_bounds__(MPC_COUNTED) mpc_count_kernel(const struct mpc_decoding d)
{
    const uint32_t BYTES = MPC_THREADS * sizeof(typename mpc_type<WORDS>::bitmap); /* of a tile's bitmaps */
    __shared__ uint32_t number, sum_before, totals[MPC_COUNTING_WARPS];
    const uint32_t thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    if (thread == 0)
        number = atomicAdd(d.ticket, 1);
    __syncthreads();
    const uint32_t block = number, first = block * MPC_COUNTED + warp * 32;
    uint32_t mine = 0;
#pragma unroll 8
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t words = 0;
#pragma unroll
        for (uint32_t at = 0; at < BYTES; at += 256)
            words += mpc_count_bits(d, (uint64_t)(first + i) * BYTES + at + lane * 8);
        words = __reduce_add_sync(0xFFFFFFFF, words);
        mine = i == lane ? words : mine;
    }
    const uint32_t scanned = warp_scan(mine);
    if (lane == 31)
        totals[warp] = scanned;
    __syncthreads();
    uint32_t own;
    const uint32_t in_block = warps_before<MPC_COUNTING_WARPS>(totals, warp, &own) + scanned - mine;
    if (thread == 0)
        lookback_publish(d.descriptors, block, own);
    if (warp == 0) {
        const uint32_t before = lookback_sum(d.descriptors, block, own);
        if (lane == 0)
            sum_before = before;
    }
    __syncthreads();
    if (first + lane < d.tiles)
        d.start[first + lane] = sum_before + in_block;
    if (thread == 0 && block + 1 == gridDim.x) {
        const uint64_t word = 4 * WORDS, all = (uint64_t)sum_before + own;
        const bool fits = d.left == all * word || (d.may_stray && d.left == (all + 1) * word);
        if (!fits || d.stream[0] >= 32 || *(const uint64_t *)d.stream != d.header + d.stream[0])
            d.result->status = FPGZ_CORRUPT;
        d.start[d.tiles] = (uint32_t)all;
    }
}

/* Sends for a tile's words: `length` of them, which are not aligned. Whole lines of 128 bytes are best. */
template <int WORDS>
static __device__ __forceinline__ void mpc_fetch_words(const uint8_t *words, uint32_t length, uint32_t shared)
{
    const uint32_t BYTES = 4 * WORDS, unaligned = (uint32_t)((uintptr_t)words / BYTES) % (MPC_LINE / BYTES);
    for (uint32_t i = threadIdx.x; i < length + unaligned; i += MPC_THREADS) {
        const uint32_t at = i - unaligned; /* wraps before the first */
        if (at < length)
            copy_async<BYTES>(shared + mpc_padded<WORDS>(at) * BYTES, words + (size_t)at * BYTES);
    }
}

/* The sum over a segment's lines before this thread's, which are in the order of its threads or, `by_lines`,
 * in that of mpc_line_of(). `totals` is one a warp. */
template <int WORDS, bool BY_LINES, typename VALUE>
static __device__ __forceinline__ VALUE mpc_carry(VALUE total, VALUE *totals)
{
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, place = mpc_line_of<WORDS>(lane);
    if (WORDS == 1)
        return warp_scan(total) - total;
    const VALUE ordered = BY_LINES ? __shfl_sync(0xFFFFFFFF, total, place) : total;
    const VALUE scanned = warp_scan(ordered), before = scanned - ordered;
    if (lane == 31)
        totals[warp] = scanned;
    __syncthreads();
    return (BY_LINES ? __shfl_sync(0xFFFFFFFF, before, place) : before) + (warp % 2 ? totals[warp - 1] : 0);
}

/* The value number i of a segment that begins with a line of the tile. */
template <typename VALUE>
static __device__ __forceinline__ VALUE *mpc_value(uint8_t *tile, uint32_t line, uint32_t i)
{
    const uint32_t byte = i * sizeof(VALUE);
    return (VALUE *)(tile + mpc_place(line + byte / MPC_LINE, byte % MPC_LINE));
}

/* Undoes LNVdim in a tile: each of dim classes of a segment's values is cut in as many parts as there are
 * threads for, which are summed up, and again from the sum of those before. */
template <int WORDS, typename VALUE>
static __device__ __forceinline__ void mpc_sum_classes(uint8_t *tile, uint32_t dim, VALUE *totals)
{
    const uint32_t SEGMENT = mpc_size<WORDS>::SEGMENT, VALUES = SEGMENT * mpc_size<WORDS>::COUNT;
    const uint32_t thread = threadIdx.x % SEGMENT, line = threadIdx.x - thread;
    const uint32_t parts = SEGMENT / dim, part = thread / dim, from_class = thread % dim;
    const uint32_t step = ((VALUES + dim - 1) / dim + parts - 1) / parts * dim;
    const uint32_t first = part < parts ? part * step + from_class : VALUES;
    const uint32_t end = first + step < VALUES ? first + step : VALUES;
    VALUE sum = 0;
    for (uint32_t i = first; i < end; i += dim)
        sum += *mpc_value<VALUE>(tile, line, i);
    totals[threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
    for (uint32_t p = 0; p < part; p++)
        sum += totals[line + p * dim + from_class];
    for (uint32_t i = first; i < end; i += dim) {
        VALUE *const value = mpc_value<VALUE>(tile, line, i);
        sum += *value;
        *value = sum;
    }
}

template <int WORDS>
static __device__ __forceinline__ void mpc_store(const struct mpc_decoding &d, uint8_t *tile)
{
    typedef typename mpc_type<WORDS>::value value;
    const uint64_t first = (uint64_t)blockIdx.x * MPC_TILE, bytes = d.count * sizeof(value) - first;
    const uint32_t limit = bytes < MPC_TILE ? (uint32_t)bytes : MPC_TILE;
    uint8_t *const to = d.values + first;
#pragma unroll
    for (uint32_t k = 0; k < 8; k++) {
        const uint32_t at = (threadIdx.x + k * MPC_THREADS) * 16;
        const uint8_t *const from = tile + mpc_place(at / MPC_LINE, at % MPC_LINE);
        if (at + 16 <= limit)
            __stcs((uint4 *)(to + at), *(const uint4 *)from);
        else
            for (uint32_t i = 0; at + i < limit; i += sizeof(value))
                *(value *)(to + at + i) = *(const value *)(from + i);
    }
}

template <int WORDS>
__global__ void __launch_bounds__(MPC_THREADS, 10) mpc_decode_kernel(const struct mpc_decoding d)
{
    typedef mpc_size<WORDS> size;
    typedef typename mpc_type<WORDS>::value value;
    typedef typename mpc_type<WORDS>::bitmap bitmap_part;
    const int WARPS = MPC_THREADS / 32;
    __shared__ __align__(16) uint8_t memory[WARPS * size::PADDED * sizeof(value)]; /* words, then values */
    __shared__ uint32_t counts[WARPS];
    __shared__ value totals[2][WARPS], class_totals[MPC_THREADS];
    const uint32_t thread = threadIdx.x, lane = thread % 32, warp = thread / 32;

    const uint32_t start = d.start[blockIdx.x], end = d.start[blockIdx.x + 1], dim = d.stream[0] + 1;
    if ((uint64_t)end * sizeof(value) > d.left || dim > 32)
        return;
    mpc_fetch_words<WORDS>(d.stream + d.words_at + (uint64_t)start * sizeof(value), end - start,
                           shared_address(memory));
    const uint32_t part = blockIdx.x * MPC_THREADS + thread;
    const uint32_t stored =
        part / (WORDS * WORDS) < d.groups ? ((const bitmap_part *)(d.stream + 8))[part] : 0;
    const uint32_t words = __popc(stored), scanned = warp_scan(words);
    if (lane == 31)
        counts[warp] = scanned;
    copy_async_wait();
    __syncthreads();
    uint32_t all;
    uint32_t at = warps_before<WARPS>(counts, warp, &all) + scanned - words;

    value word[size::COUNT];
    alignas(16) value residual[size::COUNT];
#pragma unroll
    for (int i = 0; i < size::COUNT; i++) {
        word[i] = 0;
        if (stored >> i & 1)
            word[i] = ((const value *)memory)[mpc_padded<WORDS>(at++)];
    }
#pragma unroll
    for (int i = 1; i < size::COUNT; i++)
        word[i] += word[i - 1];
    const value words_carry = mpc_carry<WORDS, false>(word[size::COUNT - 1], totals[0]);
    if (WORDS == 1)
        __syncthreads(); /* all words are read */
#pragma unroll
    for (int i = 0; i < size::COUNT; i++)
        word[i] += words_carry;
    mpc_residuals(word, residual);

    if (dim == 1) {
#pragma unroll
        for (int i = 1; i < size::COUNT; i++)
            residual[i] += residual[i - 1];
        const value carry = mpc_carry<WORDS, true>(residual[size::COUNT - 1], totals[1]);
#pragma unroll
        for (int i = 0; i < size::COUNT; i++)
            residual[i] += carry;
    }
    const uint32_t line = mpc_line_of<WORDS>(thread);
#pragma unroll
    for (uint32_t piece = 0; piece < 8; piece++)
        *(uint4 *)(memory + mpc_place(line, piece * 16)) = *(const uint4 *)&residual[piece * (4 / WORDS)];
    __syncthreads();
    if (dim > 1) {
        mpc_sum_classes<WORDS, value>(memory, dim, class_totals);
        __syncthreads();
    }
    mpc_store<WORDS>(d, memory);
}

#endif
