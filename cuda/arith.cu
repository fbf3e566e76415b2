/* SPDX-License-Identifier: MIT
 * The arithmetic coder on a GPU: a thread a block, as the paper has it. Encoding counts bytes, makes the
 * table of frequencies, codes every block into a place of its own and moves the codes together. */
#include "arith_coder.cuh"
#include "codec.cuh"
#include "lookback.cuh"
#include "move.cuh"
#include "scan.cuh"

extern "C" {
#include "codec/arith/arith.h"
#include "codec/codecs.h"
#include "core/bytes.h"
}

enum {
    COUNT_THREADS = 256,
    COUNT_COPIES = 8, /* of a counter: equal bytes in a warp wait for each other */
    ENCODE_THREADS = 128,
    MOVE_THREADS = 256,
    DECODE_THREADS = 256,
    LENGTHS_AT = 8 + 4 + 2 * ARITH_SYMBOLS, /* in the stream */
};

struct arith_task {
    uint64_t bytes;
    uint32_t block, blocks;
    uint8_t *values, *stream;
    uint64_t length; /* decoding: of the stream */
    struct fpgz_cuda_result *result;
    uint64_t *descriptors; /* of 32 blocks each */
    uint32_t *ticket;
    uint32_t *counts; /* of bytes */
    uint32_t *shares; /* of the total, as narrow() takes them */
    uint32_t *slots;  /* where blocks are coded, slot_words each */
    uint32_t slot_words;
};

static __device__ __forceinline__ uint32_t block_bytes(const struct arith_task &task, uint32_t block)
{
    return (uint32_t)min(task.bytes - (uint64_t)block * task.block, (uint64_t)task.block);
}

__global__ void __launch_bounds__(COUNT_THREADS) arith_count(const struct arith_task task)
{
    __shared__ uint32_t counts[ARITH_SYMBOLS][COUNT_COPIES];
    const uint32_t copy = threadIdx.x % COUNT_COPIES;
    for (uint32_t i = threadIdx.x; i < ARITH_SYMBOLS * COUNT_COPIES; i += COUNT_THREADS)
        ((uint32_t *)counts)[i] = 0;
    __syncthreads();
    const uint64_t stride = (uint64_t)gridDim.x * COUNT_THREADS, whole = task.bytes / 16;
    for (uint64_t i = (uint64_t)blockIdx.x * COUNT_THREADS + threadIdx.x; i < whole; i += stride) {
        const uint4 line = ((const uint4 *)task.values)[i];
        const uint32_t words[4] = {line.x, line.y, line.z, line.w};
#pragma unroll
        for (uint32_t k = 0; k < 16; k++)
            atomicAdd(&counts[words[k / 4] >> k % 4 * 8 & 0xff][copy], 1);
    }
    if (blockIdx.x == 0 && threadIdx.x < task.bytes % 16)
        atomicAdd(&counts[task.values[whole * 16 + threadIdx.x]][copy], 1);
    __syncthreads();
    uint32_t sum = 0;
    for (uint32_t k = 0; k < COUNT_COPIES; k++)
        sum += counts[threadIdx.x][k];
    if (sum)
        atomicAdd(&task.counts[threadIdx.x], sum);
}

/* The sum of all threads' numbers. */
static __device__ uint32_t sum_threads(uint32_t number)
{
    __shared__ uint32_t parts[ARITH_SYMBOLS / 32];
    number = __reduce_add_sync(~0u, number);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = number;
    __syncthreads();
    uint32_t sum = 0;
    for (uint32_t i = 0; i < ARITH_SYMBOLS / 32; i++)
        sum += parts[i];
    return sum;
}

/* A symbol's start: the sum of the frequencies before it, of which each thread has one. */
static __device__ uint32_t start_of(uint32_t frequency)
{
    __shared__ uint32_t parts[ARITH_SYMBOLS / 32];
    const uint32_t sum = warp_scan(frequency);
    if (threadIdx.x % 32 == 31)
        parts[threadIdx.x / 32] = sum;
    __syncthreads();
    uint32_t before = 0;
    for (uint32_t i = 0; i < threadIdx.x / 32; i++)
        before += parts[i];
    return before + sum - frequency;
}

/* The header and the table of frequencies, which codec/arith/arith.c describes; a thread a symbol. */
__global__ void __launch_bounds__(ARITH_SYMBOLS) arith_model(const struct arith_task task)
{
    __shared__ uint64_t ranked[ARITH_SYMBOLS];
    const uint32_t symbol = threadIdx.x, count = task.counts[symbol];
    const uint64_t exact = (uint64_t)count << TOTAL_BITS, remainder = exact % task.bytes;
    uint32_t frequency = (uint32_t)(exact / task.bytes);
    frequency += count && !frequency;
    ranked[symbol] = remainder;
    const uint32_t sum = sum_threads(frequency);
    if (sum < TOTAL) { /* to the largest remainders, of equal ones to the first */
        uint32_t rank = 0;
        for (uint32_t i = 0; i < ARITH_SYMBOLS; i++)
            rank += ranked[i] > remainder || (ranked[i] == remainder && i < symbol);
        frequency += rank < TOTAL - sum;
    }
    for (uint32_t excess = sum > TOTAL ? sum - TOTAL : 0; excess;
         excess--) { /* from the first of the largest */
        const uint32_t key = frequency << 8 | (ARITH_SYMBOLS - 1 - symbol);
        const uint32_t greatest = __reduce_max_sync(~0u, key);
        __syncthreads();
        if (symbol % 32 == 0)
            ranked[symbol / 32] = greatest;
        __syncthreads();
        uint64_t most = 0;
        for (uint32_t i = 0; i < ARITH_SYMBOLS / 32; i++)
            most = max(most, ranked[i]);
        frequency -= key == most;
    }
    const uint32_t start = start_of(frequency);
    task.shares[symbol] = start | (start + frequency) << 16;
    ((uint16_t *)(task.stream + 12))[symbol] = (uint16_t)frequency;
    if (symbol == 0) {
        *(uint64_t *)task.stream = task.bytes;
        ((uint32_t *)task.stream)[2] = task.block;
    }
}

/* `WIDE` when blocks begin at multiples of 16 bytes. */
template <bool WIDE>
__global__ void __launch_bounds__(ENCODE_THREADS, 8) arith_encode(const struct arith_task task)
{
    __shared__ uint32_t shares[ARITH_SYMBOLS];
    for (uint32_t i = threadIdx.x; i < ARITH_SYMBOLS; i += ENCODE_THREADS)
        shares[i] = task.shares[i];
    __syncthreads();
    const uint32_t block = blockIdx.x * ENCODE_THREADS + threadIdx.x;
    if (block >= task.blocks)
        return;
    const uint8_t *const bytes = task.values + (uint64_t)block * task.block;
    uint32_t *const slot = task.slots + (uint64_t)block * task.slot_words;
    const uint32_t count = block_bytes(task, block);
    struct interval interval = {0, (uint32_t)1 << VALUE_BITS};
    struct bit_writer writer = {slot, 0, 0, 0, 0};
    uint32_t done = 0;
    if (WIDE) {
        uint4 next = *(const uint4 *)bytes;
        for (; done + 16 <= count; done += 16) {
            const uint4 line = next;
            next = *(const uint4 *)(bytes + done + 16);
#pragma unroll 1
            for (uint32_t k = 0; k < 4; k++) {
                uint32_t word = k == 0 ? line.x : k == 1 ? line.y : k == 2 ? line.z : line.w;
#pragma unroll
                for (uint32_t i = 0; i < 4; i++, word >>= 8)
                    encode_symbol(&writer, &interval, shares[word & 0xff]);
            }
        }
    }
    for (; done < count; done++)
        encode_symbol(&writer, &interval, shares[bytes[done]]);
    ((uint32_t *)(task.stream + LENGTHS_AT))[block] = close_block(&writer, interval, slot);
}

/* Moves the codes of 32 blocks a CTA to where those before them end. */
__global__ void __launch_bounds__(MOVE_THREADS) arith_move(const struct arith_task task)
{
    __shared__ uint64_t starts[32];
    __shared__ uint32_t lengths[32], tile;
    const uint32_t *const table = (const uint32_t *)(task.stream + LENGTHS_AT);
    uint8_t *const codes = (uint8_t *)(table + task.blocks);
    const uint32_t lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        const uint32_t own = lookback_ticket(task.ticket), block = own * 32 + lane;
        const uint32_t length = block < task.blocks ? table[block] : 0, sum = warp_scan(length);
        const uint64_t before = lookback_sum_now(task.descriptors, own, __shfl_sync(~0u, sum, 31));
        starts[lane] = before + sum - length;
        lengths[lane] = length;
        if (lane == 0)
            tile = own;
        if (block == task.blocks - 1)
            task.result->length = LENGTHS_AT + 4 * (uint64_t)task.blocks + before + sum;
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x / 32; i < 32 && tile * 32 + i < task.blocks; i += MOVE_THREADS / 32)
        fpgz_move(task.slots + (uint64_t)(tile * 32 + i) * task.slot_words + 1, codes + starts[i], lengths[i],
                  lane, 32);
}

/* Restores the block; false when the code has another length. */
template <bool WIDE>
static __device__ bool decode_block(struct bit_reader *r, const uint32_t *shares, const uint8_t *symbols,
                                    uint8_t *bytes, uint32_t count, uint32_t length)
{
    uint32_t done = 0;
    if (WIDE)
        for (; done + 16 <= count; done += 16) {
            uint32_t words[4];
#pragma unroll
            for (uint32_t k = 0; k < 4; k++) {
                words[k] = 0;
#pragma unroll
                for (uint32_t i = 0; i < 4; i++)
                    words[k] |= decode_symbol(r, shares, symbols) << 8 * i;
            }
            *(uint4 *)(bytes + done) = make_uint4(words[0], words[1], words[2], words[3]);
        }
    for (; done < count; done++)
        bytes[done] = (uint8_t)decode_symbol(r, shares, symbols);
    return (r->doublings + 2 + 7) / 8 == length;
}

/* A block's start is what the lengths before it add up to. */
template <bool WIDE>
__global__ void __launch_bounds__(DECODE_THREADS) arith_decode(const struct arith_task task)
{
    __shared__ uint32_t shares[ARITH_SYMBOLS + 1];
    __shared__ uint32_t symbols[TOTAL / 4];
    const uint32_t frequency = ((const uint16_t *)(task.stream + 12))[threadIdx.x],
                   start = start_of(frequency);
    shares[threadIdx.x] = start;
    if (threadIdx.x == ARITH_SYMBOLS - 1)
        shares[ARITH_SYMBOLS] = start + frequency;
    __syncthreads();
    if (shares[ARITH_SYMBOLS] != TOTAL || *(const uint64_t *)task.stream != task.bytes ||
        ((const uint32_t *)task.stream)[2] != task.block) {
        task.result->status = FPGZ_CORRUPT;
        return;
    }
    /* The last symbol that starts at or before a part has it. */
    const uint32_t share = TOTAL / DECODE_THREADS;
    uint32_t symbol = 0;
    for (uint32_t step = ARITH_SYMBOLS / 2; step; step /= 2)
        symbol += shares[symbol + step] <= threadIdx.x * share ? step : 0;
    for (uint32_t part = threadIdx.x * share; part < (threadIdx.x + 1) * share; part += 4) {
        uint32_t word = 0;
        for (uint32_t i = 0; i < 4; i++) {
            while (shares[symbol + 1] <= part + i)
                symbol++;
            word |= symbol << 8 * i;
        }
        symbols[part / 4] = word;
    }
    __syncthreads();
    shares[threadIdx.x] = start | (start + frequency) << 16;
    __syncthreads();

    const uint32_t tile = lookback_ticket(task.ticket), block = tile * 32 + threadIdx.x % 32;
    if (tile >= (task.blocks + 31) / 32)
        return;
    const uint32_t *const lengths = (const uint32_t *)(task.stream + LENGTHS_AT);
    const uint32_t length = block < task.blocks ? lengths[block] : 0, limit = 2 * task.block;
    const uint32_t sum = warp_scan(min(length, limit));
    const uint64_t end = (uint64_t)lookback_sum_now(task.descriptors, tile, __shfl_sync(~0u, sum, 31)) + sum;
    const uint64_t all = task.length - LENGTHS_AT - 4 * (uint64_t)task.blocks; /* bytes of codes */
    if (block >= task.blocks)
        return;
    if (length > limit || end > all || (block == task.blocks - 1 && end != all)) {
        task.result->status = FPGZ_CORRUPT;
        return;
    }
    struct bit_reader reader;
    open_block(&reader, (const uint8_t *)(lengths + task.blocks) + (end - length), length);
    if (!decode_block<WIDE>(&reader, shares, (const uint8_t *)symbols,
                            task.values + (uint64_t)block * task.block, block_bytes(task, block), length))
        task.result->status = FPGZ_CORRUPT;
}

/* What the scratch holds, first what encode() or decode() clears. */
static size_t lay_out(const struct fpgz_grid *grid, const struct fpgz_params *params, bool decoding,
                      uint8_t *scratch, struct arith_task *task, size_t *cleared)
{
    task->bytes = fpgz_grid_bytes(grid);
    task->block = params->value[ARITH_BLOCK];
    task->blocks = (uint32_t)((task->bytes + task->block - 1) / task->block);
    /* 15.0002 bits a byte at most, two at the end, and the words around the code. */
    task->slot_words = (15 * task->block + task->block / 1024) / 32 + 4;
    size_t at = 0;
    task->descriptors = (uint64_t *)scratch;
    at += (task->blocks + 31) / 32 * sizeof(uint64_t);
    task->ticket = (uint32_t *)(scratch + at);
    at += sizeof(uint32_t);
    task->counts = (uint32_t *)(scratch + at);
    at += decoding ? 0 : ARITH_SYMBOLS * sizeof(uint32_t);
    *cleared = at;
    task->shares = (uint32_t *)(scratch + at);
    at += decoding ? 0 : ARITH_SYMBOLS * sizeof(uint32_t);
    task->slots = (uint32_t *)(scratch + at);
    return at + (decoding ? 0 : (size_t)task->blocks * task->slot_words * sizeof(uint32_t));
}

static size_t scratch(const struct fpgz_grid *grid, const struct fpgz_params *params, bool decoding)
{
    struct arith_task task;
    size_t cleared;
    return lay_out(grid, params, decoding, NULL, &task, &cleared);
}

static cudaError_t begin(const struct fpgz_cuda_task *task, bool decoding, struct arith_task *t)
{
    size_t cleared;
    lay_out(&task->grid, &task->params, decoding, (uint8_t *)task->scratch, t, &cleared);
    t->values = (uint8_t *)task->values;
    t->stream = task->stream;
    t->length = task->length;
    t->result = task->result;
    return cudaMemsetAsync(task->scratch, 0, cleared, task->queue);
}

static unsigned grid_for(uint64_t items, unsigned each)
{
    return (unsigned)((items + each - 1) / each);
}

static cudaError_t encode(const struct fpgz_cuda_task *task)
{
    struct arith_task t;
    const cudaError_t status = begin(task, false, &t);
    if (status != cudaSuccess)
        return status;
    const unsigned counting =
        (unsigned)fpgz_min(grid_for(t.bytes, 64 * COUNT_THREADS), 8 * (unsigned)task->multiprocessors);
    arith_count<<<counting, COUNT_THREADS, 0, task->queue>>>(t);
    arith_model<<<1, ARITH_SYMBOLS, 0, task->queue>>>(t);
    const unsigned grid = grid_for(t.blocks, ENCODE_THREADS);
    if (t.block % 16 == 0)
        arith_encode<true><<<grid, ENCODE_THREADS, 0, task->queue>>>(t);
    else
        arith_encode<false><<<grid, ENCODE_THREADS, 0, task->queue>>>(t);
    arith_move<<<grid_for(t.blocks, 32), MOVE_THREADS, 0, task->queue>>>(t);
    return cudaGetLastError();
}

static cudaError_t decode(const struct fpgz_cuda_task *task)
{
    struct arith_task t;
    const cudaError_t status = begin(task, true, &t);
    if (status != cudaSuccess)
        return status;
    if (task->length < LENGTHS_AT + 4 * (uint64_t)t.blocks)
        return cudaMemsetAsync(&task->result->status, FPGZ_CORRUPT, 1, task->queue);
    const unsigned grid = grid_for(t.blocks, DECODE_THREADS);
    if (t.block % 16 == 0)
        arith_decode<true><<<grid, DECODE_THREADS, 0, task->queue>>>(t);
    else
        arith_decode<false><<<grid, DECODE_THREADS, 0, task->queue>>>(t);
    return cudaGetLastError();
}

extern "C" const struct fpgz_cuda_codec fpgz_cuda_arith = {FPGZ_CODEC_ARITH, scratch, encode, decode, NULL};
