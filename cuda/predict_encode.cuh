/* SPDX-License-Identifier: MIT
 * The predictive encoder, one kernel. A CTA's eight warps find the differences of a tile, whose rows' bytes
 * the ninth adds up; while that looks back for the tile's place in the stream, they pack its residuals in
 * shared memory and go on with the next tile's differences, and copy them out when its place is known. */
#ifndef FPGZ_CUDA_PREDICT_ENCODE_CUH
#define FPGZ_CUDA_PREDICT_ENCODE_CUH

#include "move.cuh"
#include "predict_rule.cuh"

enum {
    PACK_WARPS = 8,
    PACK_THREADS = 32 * PACK_WARPS,
    PACK_CTAS = 4, /* of a multiprocessor */
    TILE_CHUNKS = 32,
    WARP_CHUNKS = TILE_CHUNKS / PACK_WARPS,
    TILE_BYTES = TILE_CHUNKS * 512,
    RESIDUAL_WORDS = TILE_BYTES / 4 + 8, /* as far as a lane without values would store */
};

/* What the warps of a CTA tell each other. */
template <typename Word> struct predict_shared {
    enum { lane_rows = 16 / sizeof(Word), rows = 32 * lane_rows };
    uint32_t residuals[2][RESIDUAL_WORDS]; /* of two tiles; zeros where none are */
    uint32_t row_bytes[rows], row_starts[rows + 1];
    uint32_t pads[rows];  /* of the blocks before one of the tile's */
    uint32_t next, bytes; /* the tile that follows, and the bytes of the one at hand */
    uint32_t start;       /* of the tile before */
};

/* Where a tile begins: at a coded slice's value, or with slice_tiles = 0 with as many slices as it takes. */
struct predict_origin {
    uint32_t t, value, end; /* of its values, in the slice */
    uint32_t block, blocks; /* the first one, of all slices, and how many there are */
};

/* A warp's part of a tile: a lane's differences, their prefixes, and where in its row the residuals lie. */
template <typename Word> struct predict_part {
    Word difference[WARP_CHUNKS][16 / sizeof(Word)];
    uint32_t prefixes[WARP_CHUNKS], at[WARP_CHUNKS];
};

static __device__ __forceinline__ struct predict_origin predict_find(const struct predict_task &task,
                                                                     uint32_t tile)
{
    struct predict_origin o = {0, 0, task.values, tile * task.tile_blocks, task.tile_blocks};
    if (!task.slice_tiles) {
        o.t = o.block;
        o.blocks = min(o.blocks, task.slices - o.t);
        return o;
    }
    o.t = tile / task.slice_tiles;
    const uint32_t part = tile - o.t * task.slice_tiles,
                   block = task.parts > 1 ? part / task.parts : part * task.tile_blocks;
    o.value = block * task.block;
    o.block = o.t * task.blocks + block;
    o.blocks = min(o.blocks, task.blocks - block);
    o.end = min(o.value + o.blocks * task.block, task.values);
    if (task.parts > 1)
        o.value += part % task.parts * (task.slot_rows * 32);
    return o;
}

static __device__ __forceinline__ void predict_load_vector(const uint32_t *at, uint32_t value[4])
{
    const uint4 v = *(const uint4 *)at;
    value[0] = v.x, value[1] = v.y, value[2] = v.z, value[3] = v.w;
}

static __device__ __forceinline__ void predict_load_vector(const uint64_t *at, uint64_t value[2])
{
    const ulonglong2 v = *(const ulonglong2 *)at;
    value[0] = v.x, value[1] = v.y;
}

/* The first `count` values of those that a lane has from the one at `at` on. `vector` when they are all or
 * none. */
template <typename Word>
static __device__ __forceinline__ void predict_take(const Word *at, uint32_t count, bool vector,
                                                    Word value[16 / sizeof(Word)])
{
    enum { VALUES = 16 / sizeof(Word) };
    if (vector) {
        if (count)
            predict_load_vector(at, value);
        return;
    }
#pragma unroll
    for (unsigned i = 0; i < VALUES; i++)
        if (i < count)
            value[i] = at[i];
}

/* The place of the highest byte that is not zero, and -1 without one. */
static __device__ __forceinline__ int32_t predict_highest(uint32_t word)
{
    int32_t bit;
    asm("bfind.u32 %0, %1;" : "=r"(bit) : "r"(word));
    return bit >> 3;
}

static __device__ __forceinline__ int32_t predict_highest(uint64_t word)
{
    const uint32_t high = (uint32_t)(word >> 32);
    return predict_highest(high ? high : (uint32_t)word) + (high ? 4 : 0);
}

/* Stores a chunk's prefixes, of which each lane has VALUES: as whole bytes, which one to four lanes make.
 * They go to where those of the slice's value `value` belong, but not to `end` and behind it. */
template <unsigned BITS, unsigned VALUES>
static __device__ __forceinline__ void predict_store_prefixes(uint32_t prefixes, uint8_t *slice,
                                                              uint32_t value, uint32_t end)
{
    enum { WIDTH = BITS * VALUES, LANES = WIDTH == 8 ? 1 : WIDTH == 12 ? 2 : 4, BYTES = WIDTH * LANES / 8 };
    const uint32_t part = threadIdx.x % LANES, first = value / (VALUES * LANES) * BYTES;
    prefixes <<= part * WIDTH;
#pragma unroll
    for (unsigned step = 1; step < LANES; step *= 2)
        prefixes |= __shfl_xor_sync(~0u, prefixes, step);
#pragma unroll
    for (unsigned i = part; i < BYTES + part; i += LANES)
        if (i < BYTES && first + i < end)
            slice[first + i] = (uint8_t)(prefixes >> 8 * i);
}

/* Finds the differences, stores their prefixes and tells how many bytes each row has. FULL when the tile has
 * all values that it can have, in one slice, of which lanes can load vectors. */
template <typename Word, bool LARGE, bool PREVIOUS, bool FULL>
static __device__ __forceinline__ void predict_measure(const struct predict_task &task,
                                                       const struct predict_origin &origin,
                                                       struct predict_part<Word> *part,
                                                       struct predict_shared<Word> *shared)
{
    typedef predict_format<Word, LARGE> format;
    enum { VALUES = format::lane_values, BITS = format::bits };
    const uint32_t lane = threadIdx.x % 32, first = threadIdx.x / 32 * WARP_CHUNKS;
    uint32_t t[WARP_CHUNKS], value[WARP_CHUNKS], end[WARP_CHUNKS], count[WARP_CHUNKS];
    Word before[WARP_CHUNKS][VALUES];
    const bool vectors = FULL || task.values % VALUES == 0;
#pragma unroll
    for (unsigned k = 0; k < WARP_CHUNKS; k++) {
        const uint32_t at = ((first + k) * 32 + lane) * VALUES,
                       slot = FULL || task.slice_tiles ? 0 : __umulhi(at, task.slot_inverse);
        t[k] = origin.t + slot;
        value[k] = origin.value + at - slot * (task.slot_rows * 32);
        end[k] = FULL || task.slice_tiles || slot < origin.blocks ? origin.end : 0;
        count[k] = FULL ? (uint32_t)VALUES : value[k] < end[k] ? min(end[k] - value[k], (uint32_t)VALUES) : 0;
#pragma unroll
        for (unsigned i = 0; i < VALUES; i++)
            part->difference[k][i] = before[k][i] = 0;
    }
#pragma unroll
    for (unsigned k = 0; k < WARP_CHUNKS; k++) {
        const Word *const at = (const Word *)task.grid + ((t[k] + 1) * task.values + value[k]);
        predict_take(at, count[k], vectors, part->difference[k]);
        if (PREVIOUS) {
            predict_take(at - task.values, count[k], vectors, before[k]);
        } else {
#pragma unroll
            for (unsigned i = 0; i < VALUES; i++)
                if (i < count[k])
                    before[k][i] = predict_value(task, at + i, t[k] + 1);
        }
    }
#pragma unroll
    for (unsigned k = 0; k < WARP_CHUNKS; k++) {
        uint32_t bytes = 0, prefixes = 0;
#pragma unroll
        for (unsigned i = 0; i < VALUES; i++) {
            const Word least = !LARGE && i < count[k]; /* small prefixes leave a byte of zero */
            part->difference[k][i] ^= before[k][i];
            const uint32_t kept = (uint32_t)predict_highest(part->difference[k][i] | least) + 1;
            bytes += kept;
            prefixes += ((uint32_t)sizeof(Word) - kept) << BITS * i;
        }
        part->prefixes[k] = prefixes & ((1u << BITS * count[k]) - 1);
        const uint32_t sum = predict_scan_row<format::row_lanes>(bytes);
        part->at[k] = sum - bytes;
        if (lane % format::row_lanes == format::row_lanes - 1)
            shared->row_bytes[(first + k) * format::chunk_rows + lane / format::row_lanes] = sum;
        const uint32_t row = value[k] / 32 * 32, in_row = row < end[k] ? min(end[k] - row, 32u) : 0;
        const uint32_t row_end = row / 8 * BITS + (in_row * BITS + 31) / 32 * 4;
        predict_store_prefixes<BITS, VALUES>(part->prefixes[k],
                                             (uint8_t *)(task.prefixes + (size_t)t[k] * task.slice_words),
                                             value[k], FULL ? ~0u : row_end);
    }
}

template <typename Word, bool LARGE, bool PREVIOUS>
static __device__ __forceinline__ void predict_measure_tile(const struct predict_task &task, uint32_t tile,
                                                            struct predict_part<Word> *part,
                                                            struct predict_shared<Word> *shared)
{
    const struct predict_origin origin = predict_find(task, tile);
    const bool full = task.slice_tiles && origin.value + TILE_BYTES / sizeof(Word) <= origin.end &&
                      task.values % (16 / sizeof(Word)) == 0;
    if (PREVIOUS && full)
        predict_measure<Word, LARGE, PREVIOUS, true>(task, origin, part, shared);
    else
        predict_measure<Word, LARGE, PREVIOUS, false>(task, origin, part, shared);
}

/* atomicOr() of a word in shared memory, unless it changes nothing, and without a jump. */
static __device__ __forceinline__ void predict_or(uint32_t *at, uint32_t word)
{
    asm volatile(
        "{\n\t.reg .pred some;\n\tsetp.ne.u32 some, %1, 0;\n\t@some red.shared.or.b32 [%0], %1;\n\t}" ::"r"(
            (uint32_t)__cvta_generic_to_shared(at)),
        "r"(word)
        : "memory");
}

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
            predict_or(&to[i], __funnelshift_l(i ? bytes.word[i - 1] : 0, i < 4 ? bytes.word[i] : 0, shift));
    }
}

/* The bytes of the parts of a block before its last one, which have all been begun. */
static __device__ uint32_t predict_parts_before(const struct predict_task &task, uint32_t tile)
{
    const uint32_t lane = threadIdx.x % 32;
    uint32_t sum = 0;
    if (lane < task.parts - 1) {
        const volatile uint32_t *const bytes = &task.part_bytes[tile - 1 - lane];
        while (!*bytes)
            ;
        sum = *bytes - 1;
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
            *(volatile uint32_t *)&task.part_bytes[tile] = total + 1;
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
