/* SPDX-License-Identifier: MIT
 * GFC's coder of tiles: a thread codes a sub-chunk, 32 values, to a string of bytes, and those of a warp
 * follow each other in its image. A stream's chunks are nothing but runs of sub-chunks, the first of which is
 * predicted by zeros: only their lengths are gathered behind. NEAR: dim is 1, and one value predicts all 32.
 */
#ifndef FPGZ_CUDA_GFC_ENCODE_CUH
#define FPGZ_CUDA_GFC_ENCODE_CUH

#include "scan.cuh"
#include "tiles.cuh"

struct gfc_encoding {
    struct tiles tiles;
    const uint8_t *values;
    uint32_t count;    /* of values */
    uint32_t runs;     /* sub-chunks of the grid */
    uint32_t per_part; /* of a chunk */
    uint32_t parts;    /* chunks */
    uint32_t blocks, warps, dim;
    uint8_t *stream, *strings; /* the strings begin behind the chunks' lengths */
    /* Scratch: where each image begins in the strings, and where each chunk ends in its last image. */
    uint32_t *image_start, *part_end;
    struct fpgz_cuda_result *result;
};

template <bool NEAR> struct gfc_coder {
    typedef struct gfc_encoding task;

    static const int LINE = GFC_LANES * 8, LINES = 33; /* the first one is the sub-chunk before */
    static const int WARPS = 4, BLOCKS = 2;
    static const int TILE = WARPS * LINES * LINE;
    static const int IMAGE = 32 * GFC_LONGEST + 16;
    static const bool APART = true;

    uint64_t magnitude[GFC_LANES];
    uint32_t codes[4], bytes[4]; /* four bits for each value: its code, and how many bytes it takes */
    uint32_t length, place;      /* of the string, in the warp's image */

    static __device__ __forceinline__ void clear(uint8_t *)
    {
    }

    /* The number of a thread's sub-chunk. */
    static __device__ __forceinline__ uint32_t run_of(uint32_t tile)
    {
        return tile * (WARPS * 32) + threadIdx.x;
    }

    /* Byte `at` of a line. Its 16-byte pieces change their places with the line, so that threads can read
     * lines of their own at once. */
    static __device__ __forceinline__ uint32_t place_of(uint32_t line, uint32_t at)
    {
        return line * LINE + (at ^ (line & 7) << 4);
    }

    static __device__ __forceinline__ uint64_t *value_at(uint8_t *lines, uint32_t line, uint32_t i)
    {
        return (uint64_t *)(lines + place_of(line, i * 8));
    }

    static __device__ __forceinline__ void fetch(const task &e, uint32_t tile, uint8_t *memory)
    {
        const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const uint32_t run = run_of(tile) - lane; /* the warp's first one, which is the second line */
        if (run >= e.runs)
            return;
        const uint64_t left = ((uint64_t)e.count - run * GFC_LANES) * 8 + LINE;
        const uint32_t bytes = left < LINES * LINE ? (uint32_t)left : LINES * LINE, first = run ? 0 : LINE;
        const uint8_t *const from = e.values + (size_t)run * LINE - LINE;
        const uint32_t shared = shared_address(memory) + warp * (LINES * LINE);
#pragma unroll
        for (uint32_t k = 0; k < (LINES * LINE + 511) / 512; k++) {
            const uint32_t at = k * 512 + lane * 16;
            if (at >= first && at + 16 <= bytes)
                copy_async<16>(shared + place_of(at / LINE, at % LINE), from + at);
        }
        if (bytes % 16 && lane == 0) /* the grid's end */
            copy_async<8>(shared + place_of(bytes / LINE, bytes % LINE - 8), from + bytes - 8);
    }

    /* The last sub-chunk is filled up from the one before in its chunk: by the place in the grid, not in the
     * sub-chunk. */
    static __device__ __forceinline__ void fill_up(const task &e, uint32_t run, bool first, uint8_t *lines,
                                                   uint32_t line)
    {
        for (uint32_t i = e.count % GFC_LANES; i < GFC_LANES; i++)
            *value_at(lines, line, i) =
                first ? 0 : *value_at(lines, line - 1, GFC_LANES - e.dim + (run * GFC_LANES + i) % e.dim);
    }

    __device__ __forceinline__ void read(const task &e, uint32_t tile, uint8_t *memory)
    {
        const uint32_t line = threadIdx.x % 32 + 1, run = run_of(tile);
        uint8_t *const lines = memory + threadIdx.x / 32 * (LINES * LINE);
        /* Nor do those beyond the end look at a line that is being filled up. */
        const bool first = run >= e.runs || run % e.per_part == 0;
        if (run + 1 == e.runs && e.count % GFC_LANES)
            fill_up(e, run, first, lines, line);
        uint64_t predicted = first ? 0 : *value_at(lines, line - 1, GFC_LANES - 1);
        uint32_t source = GFC_LANES - e.dim;
#pragma unroll
        for (int word = 0; word < 4; word++)
            codes[word] = bytes[word] = 0;
#pragma unroll
        for (int i = 0; i < GFC_LANES; i++) {
            if (!NEAR) {
                predicted = first ? 0 : *value_at(lines, line - 1, source);
                source = source + 1 < GFC_LANES ? source + 1 : GFC_LANES - e.dim;
            }
            code(i, *value_at(lines, line, i) - predicted);
        }
    }

    __device__ __forceinline__ void code(int i, uint64_t difference)
    {
        const bool negative = difference >> 63;
        magnitude[i] = negative ? -difference : difference;
        const uint32_t low = (uint32_t)magnitude[i], high = (uint32_t)(magnitude[i] >> 32);
        /* Two bytes are stored as three. */
        const uint32_t top = high ? high : low > 0xFF ? low | 0x10000 : low;
        const uint32_t stored = ((39 - __clz((int)top)) >> 3) + (high ? 4 : 0);
        const uint32_t bits = stored - (stored > 2) + (negative ? 8 : 0);
        codes[i / 8] |= bits << i % 8 * 4;
        bytes[i / 8] |= stored << i % 8 * 4;
    }

    __device__ __forceinline__ uint32_t measure(const task &e, uint32_t tile)
    {
        const uint32_t run = run_of(tile), ones = 0x01010101, nibbles = 0x0F0F0F0F;
        length = GFC_CODES;
#pragma unroll
        for (int word = 0; word < 4; word++)
            length = __dp4a((bytes[word] & nibbles) + (bytes[word] >> 4 & nibbles), ones, length);
        length = run < e.runs ? length : 0;
        const uint32_t scanned = warp_scan(length);
        place = scanned - length;
        if (run + 1 == e.runs || (run < e.runs && (run + 1) % e.per_part == 0))
            e.part_end[run / e.per_part] = scanned;
        return __shfl_sync(0xFFFFFFFF, scanned, 31);
    }

    /* Words of the image that two strings share are stored by the thread of the second: its string always
     * reaches beyond its first word. */
    __device__ __forceinline__ void write(const task &e, uint32_t tile, uint8_t *image)
    {
        uint64_t *word = (uint64_t *)image + place / 8;
        uint64_t first = 0, rest = 0;
        uint32_t bits = place % 8 * 8; /* of `rest` that are taken */
        if (length) {
            const uint64_t codes0 = (uint64_t)codes[1] << 32 | codes[0],
                           codes1 = (uint64_t)codes[3] << 32 | codes[2];
            first = codes0 << bits;
            word[1] = behind(codes0, bits) | codes1 << bits;
            rest = behind(codes1, bits);
            uint64_t *at = word + 2;
#pragma unroll
            for (int i = 0; i < GFC_LANES; i++) {
                const uint32_t end = bits + (bytes[i / 8] >> i % 8 * 4 & 15) * 8;
                rest |= magnitude[i] << bits;
                if (end >= 64) {
                    *at++ = rest;
                    rest = behind(magnitude[i], bits);
                }
                bits = end % 64;
            }
            if (threadIdx.x % 32 == 31 || run_of(tile) + 1 == e.runs)
                *at = rest;
        }
        const uint64_t shared = __shfl_up_sync(0xFFFFFFFF, rest, 1);
        if (length)
            *word = first | (threadIdx.x % 32 ? shared : 0);
    }

    /* What of `value` lies beyond a word of 64 bits of which `bits` (less than 64) were taken. */
    static __device__ __forceinline__ uint64_t behind(uint64_t value, uint32_t bits)
    {
        return value >> 1 >> (63 - bits);
    }

    static __device__ __forceinline__ void copy_out(const task &e, uint32_t tile, const uint8_t *images,
                                                    const uint32_t (&length)[WARPS], uint32_t start)
    {
#pragma unroll
        for (int w = 0; w < WARPS; w++, images += IMAGE) {
            copy_image(images, length[w], e.strings + start);
            if (threadIdx.x % 32 == 0)
                e.image_start[tile * WARPS + w] = start;
            start += length[w];
        }
    }

    /* Eight bytes of an image from any place on. */
    struct source {
        const uint32_t *words;
        uint32_t bits; /* of the first word that are not wanted */
        __device__ __forceinline__ const uint32_t *from(uint32_t i) const
        {
            return words + 2 * i;
        }
        __device__ __forceinline__ uint2 unit(const uint32_t *from, uint32_t k) const
        {
            const uint32_t *const at = from + 64 * k;
            return make_uint2(__funnelshift_r(at[0], at[1], bits), __funnelshift_r(at[1], at[2], bits));
        }
    };

    static __device__ __forceinline__ void copy_image(const uint8_t *image, uint32_t length, uint8_t *to)
    {
        const uint32_t lane = threadIdx.x % 32, ahead = (0 - (uint32_t)(uintptr_t)to) % 8;
        if (!length)
            return;
        const struct source source = {(const uint32_t *)image + ahead / 4, ahead % 4 * 8};
        const uint32_t units = (length - ahead) / 8, behind = (length - ahead) % 8;
        tiles_copy(source, units, (uint2 *)(to + ahead));
        if (lane < ahead)
            to[lane] = image[lane];
        if (lane < behind)
            to[length - behind + lane] = image[length - behind + lane];
    }
};

/* Where a chunk ends in the strings. */
static __device__ __forceinline__ uint32_t gfc_end(const struct gfc_encoding &e, uint32_t part)
{
    const uint64_t behind = (uint64_t)(part + 1) * e.per_part;
    const uint32_t last = (uint32_t)(behind < e.runs ? behind : e.runs) - 1;
    return e.image_start[last / 32] + e.part_end[part];
}

/* The header with the chunks' lengths, by one block. */
static __global__ void gfc_head_kernel(const struct gfc_encoding e)
{
    const uint32_t filled = (e.runs + e.per_part - 1) / e.per_part;
    for (uint32_t part = threadIdx.x; part < e.parts; part += blockDim.x) {
        uint32_t bytes = 0;
        if (part < filled)
            bytes = gfc_end(e, part) - (part ? gfc_end(e, part - 1) : 0);
        for (uint32_t i = 0; i < 4; i++)
            e.stream[GFC_HEADER + part * 4 + i] = (uint8_t)(bytes >> i * 8);
    }
    if (threadIdx.x == 0) {
        e.stream[0] = (uint8_t)e.blocks;
        e.stream[1] = (uint8_t)e.warps;
        e.stream[2] = (uint8_t)e.dim;
        for (uint32_t i = 0; i < 4; i++)
            e.stream[3 + i] = (uint8_t)(e.count >> i * 8);
        e.result->length = (uint64_t)(e.strings - e.stream) + gfc_end(e, filled - 1);
    }
}

#endif
