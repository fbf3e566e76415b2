/* SPDX-License-Identifier: MIT
 * Decoding: a thread a block, whose start is what the lengths before it add up to. */
#ifndef FPGZ_CUDA_ARITH_DECODE_CUH
#define FPGZ_CUDA_ARITH_DECODE_CUH

#include "arith_task.cuh"

enum { DECODE_THREADS = 256 };

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

#endif
