/* SPDX-License-Identifier: MIT
 * Segments of prans' bins, written: a warp codes a segment's words backwards, then all is put in its place.
 */
#ifndef FPGZ_CUDA_PRANS_SEGMENTS_CUH
#define FPGZ_CUDA_PRANS_SEGMENTS_CUH

#include "machine.cuh"
#include "prans_coding.cuh"

enum {
    PRANS_WORDS_WARPS = 4, /* segments that share a copy of the tables */
    PRANS_SCAN_WARPS = 32,
    PRANS_STEPS = MIDDLE_BLOCK / 32,
};

/* Where raw bits of blocks begin in their segment, and how many bytes they are: by a whole warp. */
static __device__ __forceinline__ uint32_t prans_sum_bits(uint32_t *bits, uint32_t blocks)
{
    const unsigned lane = threadIdx.x % 32;
    uint32_t before = 0;
    for (uint32_t block = lane; block - lane < blocks; block += 32) {
        const uint32_t mine = block < blocks ? bits[block] : 0, sum = warp_scan(mine);
        if (block < blocks)
            bits[block] = before + sum - mine;
        before += __shfl_sync(0xFFFFFFFF, sum, 31);
    }
    return (before + 7) / 8;
}

/* States and words of segments, each at the end of its room. Lane i has the values i, i + 32, ... */
static __global__ void __launch_bounds__(32 * PRANS_WORDS_WARPS)
    prans_write_words(const __grid_constant__ prans_coding k)
{
    __shared__ uint2 code[MIDDLE_TABLES * PRANS_SYMBOLS];
    __shared__ uint8_t number[MIDDLE_TABLES];
    const unsigned lane = threadIdx.x % 32, all = 0xFFFFFFFF;
    const uint32_t segment = blockIdx.x * PRANS_WORDS_WARPS + threadIdx.x / 32,
                   per_segment = k.segment_bits - 7;
    for (uint32_t i = threadIdx.x; i < k.result->tables * PRANS_SYMBOLS; i += blockDim.x)
        code[i] = k.code[i];
    if (threadIdx.x < MIDDLE_TABLES)
        number[threadIdx.x] = k.number[threadIdx.x];
    __syncthreads();
    if (segment >= k.segments)
        return;
    const uint32_t first = segment << per_segment, blocks = min(k.blocks - first, 1u << per_segment);
    const uint8_t *const symbol = k.symbol + (size_t)first * MIDDLE_BLOCK + lane;
    uint16_t *const room = k.words + (size_t)segment * prans_coding_room(k.segment_bits);
    uint32_t at = prans_coding_room(k.segment_bits), x = PRANS_STATE, next[PRANS_STEPS];
    uint32_t next_id = k.id[first + blocks - 1];
    for (unsigned i = 0; i < PRANS_STEPS; i++)
        next[i] = symbol[(blocks - 1) * MIDDLE_BLOCK + 32 * i];
    for (uint32_t block = blocks; block-- > 0;) {
        uint32_t mine[PRANS_STEPS];
        const uint2 *const table = code + number[next_id] * PRANS_SYMBOLS;
#pragma unroll
        for (unsigned i = 0; i < PRANS_STEPS; i++) {
            mine[i] = next[i];
            next[i] = block ? symbol[(block - 1) * MIDDLE_BLOCK + 32 * i] : 0;
        }
        next_id = block ? k.id[first + block - 1] : 0;
#pragma unroll
        for (unsigned i = PRANS_STEPS; i-- > 0;) {
            const uint2 of = table[mine[i]];
            const uint32_t frequency = of.y & 0xFFFF;
            const bool is_full = x >> (32 - PRANS_SCALE_BITS) >= frequency;
            const uint32_t full = __ballot_sync(all, is_full);
            if (is_full)
                room[at - __popc(full >> lane)] = (uint16_t)x;
            x = is_full ? x >> 16 : x;
            at -= __popc(full);
            uint32_t quotient = __umulhi(x, of.x), rest = x - quotient * frequency;
            quotient += rest >= frequency;
            rest -= rest >= frequency ? frequency : 0;
            x = (quotient << PRANS_SCALE_BITS) + rest + (of.y >> 16);
        }
    }
    if (lane == 0 && at > 2 * MIDDLE_LANES) /* it is read with the next one, and dropped */
        room[at - 2 * MIDDLE_LANES - 1] = 0;
    room[at - 2 * MIDDLE_LANES + 2 * lane] = (uint16_t)x;
    room[at - 2 * MIDDLE_LANES + 2 * lane + 1] = (uint16_t)(x >> 16);
    const uint32_t raw = prans_sum_bits(k.bits + first, blocks);
    if (lane == 0)
        k.length[segment] = make_uint2(2 * (prans_coding_room(k.segment_bits) - at), raw);
}

/* Where segments begin, and the numbers of the blocks' tables: one block of threads. */
static __global__ void __launch_bounds__(32 * PRANS_SCAN_WARPS)
    prans_place_segments(const __grid_constant__ prans_coding k)
{
    __shared__ uint64_t total[PRANS_SCAN_WARPS];
    const unsigned threads = 32 * PRANS_SCAN_WARPS, warp = threadIdx.x / 32;
    uint64_t before = 0;
    for (uint32_t begin = 0; begin < k.segments; begin += threads) {
        const uint32_t segment = begin + threadIdx.x;
        const uint2 length = segment < k.segments ? k.length[segment] : make_uint2(0, 0);
        const uint64_t mine = segment < k.segments ? (uint64_t)MIDDLE_STATE_BYTES + length.x + length.y : 0;
        const uint64_t sum = warp_scan(mine);
        uint64_t all;
        if (threadIdx.x % 32 == 31)
            total[warp] = sum;
        __syncthreads();
        const uint64_t others = warps_before<PRANS_SCAN_WARPS>(total, warp, &all);
        if (segment < k.segments)
            k.at[segment] = before + others + sum - mine;
        before += all;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        k.result->bytes = before;
    for (uint32_t pair = threadIdx.x; pair < (k.blocks + 1) / 2; pair += threads) {
        const uint32_t high = 2 * pair + 1 < k.blocks ? k.number[k.id[2 * pair + 1]] : 0;
        k.ids[pair] = (uint8_t)(k.number[k.id[2 * pair]] | high << 4);
    }
}

/* Clears what is raw bits in the word that has bit number `bit`: such bits stand from byte `begin` on, to
 * `end`. */
static __device__ __forceinline__ void prans_clear_word(uint8_t *body, uint64_t bit, uint64_t begin,
                                                        uint64_t end)
{
    const uint64_t first = bit / 32 * 4;
    for (uint64_t at = max(first, begin); at < min(first + 4, end); at++)
        body[at] = 0;
}

/* Puts states and words where they belong, and clears those words of raw bits that blocks share: a block of
 * threads a segment. */
static __global__ void __launch_bounds__(32 * PRANS_CODING_WARPS)
    prans_move_words(const __grid_constant__ prans_coding k)
{
    const uint32_t segment = blockIdx.x, bytes = MIDDLE_STATE_BYTES + k.length[segment].x;
    const uint16_t *const end = k.words + (size_t)(segment + 1) * prans_coding_room(k.segment_bits);
    const uint8_t *const from = (const uint8_t *)end - bytes;
    uint8_t *const to = (uint8_t *)k.body + k.at[segment];
    const uint32_t head = (uint32_t) - (uintptr_t)to & 3, whole = (bytes - head) / 4, tail = head + 4 * whole;
    if (threadIdx.x < head)
        to[threadIdx.x] = from[threadIdx.x];
    if (threadIdx.x < bytes - tail)
        to[tail + threadIdx.x] = from[tail + threadIdx.x];
    const uintptr_t source = (uintptr_t)from + head;
    const uint32_t *const words = (const uint32_t *)(source & ~(uintptr_t)3);
    const uint32_t shift = 8 * (uint32_t)(source & 3), next = shift != 0; /* else it may be behind the room */
    for (uint32_t i = threadIdx.x; i < whole; i += blockDim.x)
        ((uint32_t *)(to + head))[i] = __funnelshift_r(words[i], words[i + next], shift);
    const uint32_t first = segment << (k.segment_bits - 7),
                   blocks = min(k.blocks - first, 1u << (k.segment_bits - 7));
    const uint64_t begin = k.at[segment] + bytes, last = begin + k.length[segment].y,
                   cleared = segment + 1 < k.segments ? last : (last + 3) / 4 * 4;
    for (uint32_t b = threadIdx.x; b <= blocks; b += blockDim.x) {
        const uint64_t bit = b < blocks ? 8 * begin + k.bits[first + b] : 8 * last;
        prans_clear_word((uint8_t *)k.body, bit, begin, cleared);
        prans_clear_word((uint8_t *)k.body, bit - 1, begin, cleared);
    }
}

/* Adds up to 64 bits to words in shared memory that lanes share, from a bit on. */
static __device__ __forceinline__ void prans_add_bits(uint32_t *words, uint32_t bit, uint64_t bits,
                                                      uint32_t length)
{
    const uint64_t placed = bits << bit % 32;
    const uint32_t end = bit % 32 + length;
    uint32_t *const at = words + bit / 32;
    if (length)
        atomicOr(&at[0], (uint32_t)placed);
    if (end > 32)
        atomicOr(&at[1], (uint32_t)(placed >> 32));
    if (end > 64)
        atomicOr(&at[2], (uint32_t)fpgz_shift_right(bits, 64 - bit % 32));
}

/* Raw bits of blocks, a warp a block. Words that blocks share are put together by atomics. The result, which
 * is complete, is told. */
template <typename WORD>
static __global__ void __launch_bounds__(32 * PRANS_CODING_WARPS)
    prans_write_raw(const __grid_constant__ prans_coding k)
{
    enum { ROOM = MIDDLE_BLOCK * 8 * sizeof(WORD) / 32 + 2 };
    __shared__ uint32_t rooms[PRANS_CODING_WARPS][ROOM];
    __shared__ uint64_t low[PRANS_SYMBOLS];
    __shared__ uint8_t width[PRANS_SYMBOLS];
    const unsigned lane = threadIdx.x % 32;
    fpgz_move_any((const uint8_t *)k.result, k.told, k.tells, blockIdx.x * blockDim.x + threadIdx.x,
                  gridDim.x * blockDim.x);
    width[threadIdx.x] = k.front->width[threadIdx.x];
    low[threadIdx.x] = k.front->low[threadIdx.x];
    uint32_t *const room = rooms[threadIdx.x / 32];
    for (uint32_t i = lane; i < ROOM; i += 32)
        room[i] = 0;
    __syncthreads();
    for (uint32_t block = blockIdx.x * PRANS_CODING_WARPS + threadIdx.x / 32; block < k.blocks;
         block += gridDim.x * PRANS_CODING_WARPS) {
        const uint32_t segment = block >> (k.segment_bits - 7), at = block * MIDDLE_BLOCK + 4 * lane,
                       symbols = ((const uint32_t *)k.symbol)[at / 4];
        const uint64_t begin = 8 * (k.at[segment] + MIDDLE_STATE_BYTES + k.length[segment].x) + k.bits[block];
        uint32_t widths[4], sum = 0, length = 0;
        uint64_t rest = 0;
        WORD word[4];
        prans_load_four((const WORD *)k.residual, at, k.values, word);
#pragma unroll
        for (unsigned i = 0; i < 4; i++) {
            widths[i] = at + i < k.values ? width[symbols >> 8 * i & 255] : 0;
            sum += widths[i];
        }
        const uint32_t behind = warp_scan(sum),
                       bits = (uint32_t)begin % 32 + __shfl_sync(0xFFFFFFFF, behind, 31),
                       words = (bits + 31) / 32;
        uint32_t bit = (uint32_t)begin % 32 + behind - sum;
#pragma unroll
        for (unsigned i = 0; i < 4; i++) { /* as many values together as have room */
            if (length + widths[i] > 64) {
                prans_add_bits(room, bit, rest, length);
                bit += length;
                rest = length = 0;
            }
            rest |= widths[i] ? (uint64_t)(WORD)(word[i] - (WORD)low[symbols >> 8 * i & 255]) << length : 0;
            length += widths[i];
        }
        prans_add_bits(room, bit, rest, length);
        __syncwarp();
        uint32_t *const to = k.body + begin / 32;
#pragma unroll 1
        for (uint32_t i = lane; i < words; i += 32) {
            const uint32_t all = room[i];
            room[i] = 0;
            if (i == 0 || i + 1 == words)
                atomicOr(&to[i], all);
            else
                to[i] = all;
        }
        __syncwarp();
    }
}

#endif
