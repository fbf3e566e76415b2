/* SPDX-License-Identifier: MIT
 * MPC's coder of tiles. NEAR: dim is 1, and only a line's first value needs another line. */
#ifndef FPGZ_CUDA_MPC_ENCODE_CUH
#define FPGZ_CUDA_MPC_ENCODE_CUH

#include "mpc.cuh"
#include "scan.cuh"
#include "tiles.cuh"

struct mpc_encoding {
    struct tiles tiles;
    const uint8_t *values;
    uint64_t count; /* of values */
    uint32_t dim;
    uint64_t header;
    uint8_t *stream;
    uint32_t groups;   /* of the grid */
    uint64_t words_at; /* where the words begin in the stream */
    struct fpgz_cuda_result *result;
};

template <int WORDS, bool NEAR> struct mpc_coder {
    typedef struct mpc_encoding task;
    typedef mpc_size<WORDS> size;
    typedef typename mpc_type<WORDS>::value value;
    typedef typename mpc_type<WORDS>::bitmap bitmap_part;

    /* Lines of zeros stand before each segment: what its first values are predicted by. */
    static const int LINES = size::SEGMENT + WORDS;
    static const int WARPS = MPC_THREADS / 32, BLOCKS = 4;
    static const int TILE = MPC_THREADS / size::SEGMENT * LINES * MPC_LINE;
    static const int IMAGE = size::PADDED * sizeof(value);
    static const bool APART = WORDS == 1;

    value word[size::COUNT]; /* residuals, then what LNV1 makes of the planes */
    value last_plane;        /* 64 bits, first lane: of the group before */
    uint32_t stored;         /* bits of the words that are not zero */
    uint32_t place;          /* of the first of them in the warp's image */

    static __device__ __forceinline__ uint32_t line_place(uint32_t line)
    {
        return line / size::SEGMENT * LINES + WORDS + line % size::SEGMENT;
    }

    static __device__ __forceinline__ value load(const uint8_t *tile, uint32_t line, uint32_t at)
    {
        return *(const value *)(tile + mpc_place(line, at));
    }

    static __device__ __forceinline__ void clear(uint8_t *tile)
    {
        const uint32_t PIECES = 8 * WORDS, segment = threadIdx.x / PIECES;
        if (segment < MPC_THREADS / size::SEGMENT)
            *(uint4 *)(tile + segment * LINES * MPC_LINE + threadIdx.x % PIECES * 16) =
                make_uint4(0, 0, 0, 0);
    }

    static __device__ __forceinline__ void fetch(const task &e, uint32_t tile, uint8_t *memory)
    {
        const uint64_t first = (uint64_t)tile * MPC_TILE;
        const uint64_t bytes = e.count * sizeof(value) - first;
        const uint32_t limit = bytes < MPC_TILE ? (uint32_t)bytes : MPC_TILE;
        const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const uint32_t shared = shared_address(memory);
#pragma unroll
        for (uint32_t k = 0; k < 8; k++) {
            const uint32_t line = warp * 32 + k * 4 + lane / 8, at = lane % 8 * 16;
            if (line * MPC_LINE + at + 16 <= limit)
                copy_async<16>(shared + mpc_place(line_place(line), at),
                               e.values + first + line * MPC_LINE + at);
        }
        const uint32_t at = limit / 16 * 16 + lane * sizeof(value), line = at / MPC_LINE;
        if (at < limit && line / 32 == warp) /* the grid's end */
            copy_async<sizeof(value)>(shared + mpc_place(line_place(line), at % MPC_LINE),
                                      e.values + first + at);
    }

    /* The value `dim` before value i of the line at `place`. */
    static __device__ __forceinline__ value before(const uint8_t *tile, uint32_t place, uint32_t i,
                                                   uint32_t dim)
    {
        const uint32_t at = i + 32 - dim; /* from the line that is WORDS lines back */
        return load(tile, place - WORDS + at / size::COUNT, at % size::COUNT * sizeof(value));
    }

    __device__ __forceinline__ void read(const task &e, uint32_t tile, const uint8_t *memory)
    {
        const uint32_t line = mpc_line_of<WORDS>(threadIdx.x), place = line_place(line);
        alignas(16) value v[size::COUNT];
#pragma unroll
        for (uint32_t piece = 0; piece < 8; piece++)
            *(uint4 *)&v[piece * (4 / WORDS)] = *(const uint4 *)(memory + mpc_place(place, piece * 16));
        word[0] = v[0] - before(memory, place, 0, NEAR ? 1 : e.dim);
#pragma unroll
        for (int i = 1; i < size::COUNT; i++)
            if (NEAR)
                word[i] = v[i] - v[i - 1];
            else
                word[i] = v[i] - before(memory, place, i, e.dim);

        const uint64_t first = (uint64_t)tile * size::VALUES, left = e.count - first;
        const uint32_t begin = line * size::COUNT;
        if (left < size::VALUES)
#pragma unroll
            for (int i = 0; i < size::COUNT; i++)
                if (begin + i >= left)
                    word[i] = 0;
        if (WORDS == 2)
            last_plane = plane_before(e, left, memory);
    }

    /* 64 bits: a warp has half a segment. The signs of the residuals of the group before, which is another
     * warp's; 0 for the first half. */
    static __device__ __forceinline__ value plane_before(const task &e, uint64_t left, const uint8_t *memory)
    {
        const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        uint64_t plane = 0;
        if (warp % 2)
#pragma unroll
            for (uint32_t half = 0; half < 2; half++) {
                const uint32_t value_in_tile = warp * 512 - 64 + half * 32 + lane;
                const uint32_t line = line_place(value_in_tile / 16), i = value_in_tile % 16;
                const value residual = load(memory, line, i * sizeof(value)) - before(memory, line, i, e.dim);
                const bool negative = value_in_tile < left && residual >> (32 * WORDS - 1);
                plane |= (uint64_t)__ballot_sync(0xFFFFFFFF, negative) << half * 32;
            }
        return (value)plane;
    }

    __device__ __forceinline__ uint32_t measure(const task &e, uint32_t tile)
    {
        const uint32_t lane = threadIdx.x % 32;
        mpc_words(word, word);
        value carry = __shfl_up_sync(0xFFFFFFFF, word[size::COUNT - 1], 1);
        if (lane == 0)
            carry = WORDS == 2 ? last_plane : 0;
        stored = 0;
#pragma unroll
        for (int i = size::COUNT - 1; i >= 0; i--) {
            word[i] -= i ? word[i ? i - 1 : 0] : carry;
            stored |= word[i] ? 1u << i : 0;
        }
        const uint32_t part = tile * MPC_THREADS + threadIdx.x; /* of all bitmaps */
        if (part / (WORDS * WORDS) < e.groups)
            ((bitmap_part *)(e.stream + 8))[part] = (bitmap_part)stored;
        const uint32_t words = __popc(stored), scanned = warp_scan(words);
        place = scanned - words;
        return __shfl_sync(0xFFFFFFFF, scanned, 31);
    }

    __device__ __forceinline__ void write(const task &, uint32_t, uint8_t *image)
    {
        uint32_t at = place;
#pragma unroll
        for (int i = 0; i < size::COUNT; i++)
            if (word[i])
                ((value *)image)[mpc_padded<WORDS>(at++)] = word[i];
    }

    struct source {
        const value *image;
        __device__ __forceinline__ const value *from(uint32_t i) const
        {
            return image + mpc_padded<WORDS>(i);
        }
        __device__ __forceinline__ value unit(const value *from, uint32_t k) const
        {
            return from[k * mpc_padded<WORDS>(32)];
        }
    };

    static __device__ __forceinline__ void copy_out(const task &e, uint32_t tile, const uint8_t *images,
                                                    const uint32_t (&length)[WARPS], uint32_t start)
    {
#pragma unroll
        for (int w = 0; w < WARPS; w++, images += IMAGE) {
            const struct source source = {(const value *)images};
            tiles_copy(source, length[w], (value *)(e.stream + e.words_at) + start);
            start += length[w];
        }
        if (threadIdx.x % 32 == 0 && tile + 1 == e.tiles.count) {
            *(uint64_t *)e.stream = e.header;
            e.result->length = e.words_at + (uint64_t)start * sizeof(value);
        }
    }
};

#endif
