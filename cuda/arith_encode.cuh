/* SPDX-License-Identifier: MIT
 * Encoding counts bytes, makes the table of frequencies, codes every block into a place of its own and moves
 * the codes together. */
#ifndef FPGZ_CUDA_ARITH_ENCODE_CUH
#define FPGZ_CUDA_ARITH_ENCODE_CUH

#include "arith_task.cuh"
#include "move.cuh"

enum {
    COUNT_THREADS = 256,
    COUNT_COPIES = 8, /* of a counter: equal bytes in a warp wait for each other */
    ENCODE_THREADS = 128,
    MOVE_THREADS = 256,
};

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

#endif
