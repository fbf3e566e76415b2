/* SPDX-License-Identifier: MIT
 * The second half of ndzip's decompression: sums along all axes, from lines of residuals to the grid. */
#ifndef FPGZ_CUDA_NDZIP_SUM_CUH
#define FPGZ_CUDA_NDZIP_SUM_CUH

#include "ndzip.cuh"
#include "ndzip_border.cuh"
#include "scan.cuh"

/* Where a piece of a line lies in the tile. Threads that read the same piece of lines one or eight apart
 * (rows and planes) use other banks each, and so do those that read half a row of 32-bit words of four rows.
 */
template <int WORDS> static __device__ __forceinline__ uint32_t ndzip_tiled(uint32_t line, uint32_t piece)
{
    if (WORDS == 2)
        return ndzip_swizzled(line, piece);
    return line * 128 + ((piece ^ (line << 1 & 6) ^ (line >> 2 & 1) ^ (line >> 3 & 1) << 2) << 4);
}

/* Byte x of row y of plane z of three dimensions in the tile, less z planes. As y and z change bits by XOR
 * alone, there is one operation for each constant y, and one place for all even and all odd planes. */
template <int WORDS>
static __device__ __forceinline__ uint32_t ndzip_tiled_row(uint32_t z, uint32_t y, uint32_t x)
{
    return ndzip_tiled<WORDS>(y * WORDS / 2, y * (4 * WORDS) % 8) ^ x ^ (WORDS == 1 ? z % 2 * 64 : 0);
}

/* Two words of 32 bits or one of 64: what a thread sums down a column. */
template <int WORDS> struct ndzip_column {
    typedef uint2 words;
    uint2 bits;

    __device__ __forceinline__ void add(uint2 other)
    {
        if (WORDS == 1) {
            bits.x += other.x;
            bits.y += other.y;
        } else {
            const uint64_t sum = (bits.x | (uint64_t)bits.y << 32) + (other.x | (uint64_t)other.y << 32);
            bits = make_uint2((uint32_t)sum, (uint32_t)(sum >> 32));
        }
    }

    __device__ __forceinline__ uint2 values() const
    {
        const uint32_t x = WORDS == 1 ? bits.x : bits.y, y = WORDS == 1 ? bits.y : bits.x;
        return make_uint2(__funnelshift_r(bits.x, x, 1), __funnelshift_r(bits.y, y, 1));
    }

    /* To the grid. ALIGNED: to 8 bytes. */
    template <bool ALIGNED> __device__ __forceinline__ void store(uint8_t *to) const
    {
        const uint2 v = values();
        if (ALIGNED || WORDS == 2) {
            *(uint2 *)to = v;
        } else {
            ((uint32_t *)to)[0] = v.x;
            ((uint32_t *)to)[1] = v.y;
        }
    }
};

/* One word of 32 bits. */
struct ndzip_single {
    typedef uint32_t words;
    uint32_t bits;

    __device__ __forceinline__ void add(uint32_t other)
    {
        bits += other;
    }

    __device__ __forceinline__ uint32_t values() const
    {
        return ndzip_rotate_right<1>(bits);
    }
};

/* Sums along the fastest axis within the line, to which `carry` sums over the lines of its row are added. */
template <int WORDS, int DIMS>
static __device__ __forceinline__ void ndzip_sum_line(typename ndzip_type<WORDS>::value (&v)[32 / WORDS],
                                                      typename ndzip_type<WORDS>::value *totals)
{
    typedef typename ndzip_type<WORDS>::value value;
    const int COUNT = 32 / WORDS, ROW = 2 * WORDS; /* lines of a row of 64 */
    const uint32_t thread = threadIdx.x, lane = thread % 32;
#pragma unroll
    for (int i = 1; i < COUNT; i++)
        if (DIMS < 3 || i % 16)
            v[i] += v[i - 1];
    value carry = 0;
    if (DIMS == 2) {
        value sum = v[COUNT - 1];
#pragma unroll
        for (int distance = 1; distance < ROW; distance *= 2) {
            const value before = __shfl_up_sync(0xFFFFFFFF, sum, distance);
            sum += lane % ROW >= distance ? before : 0;
        }
        carry = sum - v[COUNT - 1];
    } else if (DIMS == 1) {
        value all;
        const value sum = warp_scan(v[COUNT - 1]);
        if (lane == 31)
            totals[thread / 32] = sum;
        __syncthreads();
        carry = sum - v[COUNT - 1] + warps_before<ndzip_size<WORDS>::WARPS>(totals, thread / 32, &all);
    }
    if (DIMS < 3)
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            v[i] += carry;
}

/* Along the middle axis of three, in the tile. A thread has eight bytes of each row of a plane. */
template <int WORDS> static __device__ __forceinline__ void ndzip_sum_planes(uint8_t *tile)
{
    const uint32_t COLUMNS = 8 * WORDS, column = threadIdx.x % COLUMNS, z = threadIdx.x / COLUMNS;
    struct ndzip_column<WORDS> sum = {
        make_uint2(0, 0)
    };
#pragma unroll
    for (uint32_t y = 0; y < 16; y++) {
        uint2 *const place =
            (uint2 *)(tile + (z * (1024 * WORDS) ^ ndzip_tiled_row<WORDS>(z, y, column * 8)));
        sum.add(*place);
        *place = sum.bits;
    }
    __syncthreads();
}

/* Along the slowest axis of three, from the tile to the grid. A thread has eight bytes of each plane. WHOLE
 * where rows begin with sectors of memory. Elsewhere lanes exchange what they have, so that each stores eight
 * bytes of a sector that begin on a multiple of eight: `skip` words of 32 bits of the first sector are not
 * the hypercube's, and as many of its own are left behind the last. */
template <bool WHOLE, int WORDS>
static __device__ __forceinline__ void ndzip_sum_3d(const uint8_t *tile, const struct ndzip_cubes &cubes,
                                                    uint8_t *cube)
{
    const uint32_t COLUMNS = 8 * WORDS, column = threadIdx.x % COLUMNS, y = threadIdx.x / COLUMNS;
    struct ndzip_column<WORDS> sum = {
        make_uint2(0, 0)
    };
    const uint32_t places[] = {ndzip_tiled_row<WORDS>(0, y, column * 8),
                               ndzip_tiled_row<WORDS>(1, y, column * 8)};
    cube += y * cubes.row;
#pragma unroll
    for (uint32_t z = 0; z < 16; z++, cube += cubes.plane) {
        sum.add(*(const uint2 *)(tile + z * (1024 * WORDS) + places[z % 2]));
        if (WHOLE) {
            sum.template store<true>(cube + column * 8);
            continue;
        }
        const uint32_t skip = (uint32_t)(uintptr_t)cube / 4 % 8;
        const uint2 own = sum.values();
        const uint32_t x = skip % 2 ? own.y : own.x, other = skip % 2 ? own.x : own.y;
        const uint2 turned =
            make_uint2(__shfl_sync(0xFFFFFFFF, x, (column - (skip + 1) / 2) % COLUMNS, COLUMNS),
                       __shfl_sync(0xFFFFFFFF, other, (column - skip / 2) % COLUMNS, COLUMNS));
        uint2 *const to = (uint2 *)(cube - 4 * skip) + column;
        if (2 * column >= skip) {
            *to = turned;
        } else if (2 * column + 1 < skip) {
            to[COLUMNS] = turned;
        } else {
            to->y = turned.y;
            to[COLUMNS].x = turned.x;
        }
    }
}

/* As ndzip_sum_3d() where rows do not begin with sectors of memory, but all planes of a row alike. All
 * hypercubes of a row are one block's, and it writes windows that begin with sectors, `skip` values before
 * the hypercube. So a thread sums the values that are so far before its own, and each sector is written once:
 * parts of one cost the L2 cache twice as much, and where they come far apart, it reads the sector from
 * memory. Values behind the window's end wait in shared memory for the next hypercube; the row's first ones,
 * up to a sector's end, for the end of the row before. A thread has eight bytes of each window, or, where
 * rows are no multiples of that, a word of each half. */
template <int WORDS, typename UNIT>
static __device__ __forceinline__ void ndzip_sum_window(bool is_first, const uint8_t *tile,
                                                        const struct ndzip_cubes &cubes, uint8_t *cube,
                                                        uint8_t *rests)
{
    typedef typename UNIT::words words;
    const uint32_t SIZE = sizeof(words), SECTOR = 32 / SIZE, COLUMNS = 8 * WORDS, HALVES = 8 / SIZE,
                   column = threadIdx.x % COLUMNS, y = threadIdx.x / COLUMNS;
    cube += y * cubes.row;
    const uint32_t skip = (uint32_t)(uintptr_t)cube / SIZE % SECTOR;
    uint32_t places[2][HALVES];
#pragma unroll
    for (uint32_t i = 0; i < 2 * HALVES; i++)
        places[i % 2][i / 2] =
            ndzip_tiled_row<WORDS>(i % 2, y, (column + i / 2 * COLUMNS - skip) % (HALVES * COLUMNS) * SIZE);
    words own[16][HALVES]; /* all are read before rests are written, which for the compiler may be the same */
    UNIT sum[HALVES] = {};
#pragma unroll
    for (uint32_t i = 0; i < 16 * HALVES; i++) {
        const uint32_t z = i / HALVES, h = i % HALVES;
        sum[h].add(*(const words *)(tile + z * (1024 * WORDS) + places[z % 2][h]));
        own[z][h] = sum[h].values();
    }
    const bool has_rest = column < skip, gives = has_rest && !is_first,
               keeps = has_rest || (is_first && y && skip && column < SECTOR);
    words *to = (words *)cube - skip + column, *const rest = (words *)rests + y * SECTOR + column;
#pragma unroll
    for (uint32_t z = 0; z < 16; z++, to = (words *)((uint8_t *)to + cubes.plane)) {
        words out = own[z][0];
        if (gives)
            out = rest[z * (16 * SECTOR)];
        if (keeps)
            rest[z * (16 * SECTOR)] = own[z][0];
        if (gives || !keeps)
            *to = out;
        if (HALVES == 2)
            to[COLUMNS] = own[z][HALVES - 1];
    }
}

enum { NDZIP_RESTS = 16 * 16 * 32 /* bytes: a sector for each row */ };

/* The ends of rows behind their last hypercube: values that wait, those of the border, and the first ones of
 * the row behind. `words`: of the border. */
template <int WORDS>
static __device__ __forceinline__ void ndzip_end_rows(const struct ndzip_cubes &cubes,
                                                      const struct ndzip_border &border, uint32_t cube,
                                                      const typename ndzip_type<WORDS>::value *words,
                                                      uint8_t *end,
                                                      const typename ndzip_type<WORDS>::value *rests)
{
    typedef typename ndzip_type<WORDS>::value value;
    const uint32_t SECTOR = 8 / WORDS, COLUMNS = 8 * WORDS, y = threadIdx.x / COLUMNS,
                   row = cube / cubes.across;
    end += y * cubes.row;
    const uint32_t skip = (uint32_t)(uintptr_t)end / sizeof(value) % SECTOR, all = skip + border.tail,
                   stop = y < 15 ? (all + SECTOR - 1) / SECTOR * SECTOR : all;
    words += row / cubes.down * 16 * border.of_plane + (row % cubes.down * 16 + y) * border.tail;
    for (uint32_t at = threadIdx.x % COLUMNS; at < stop; at += COLUMNS) {
        const bool waits = at < skip || at >= all;
        const value *from = waits ? rests + (y + (at >= all)) * SECTOR + at % SECTOR : words + at - skip;
        const uint32_t step = waits ? 16 * SECTOR : border.of_plane;
#pragma unroll
        for (uint32_t z = 0; z < 16; z++)
            ((value *)(end + z * cubes.plane))[(int32_t)(at - skip)] = from[z * step];
    }
}

template <bool ALIGNED, int WORDS>
static __device__ __forceinline__ void ndzip_sum_2d(const uint8_t *tile, uint2 *totals,
                                                    const struct ndzip_cubes &cubes, uint8_t *cube)
{
    const uint32_t COLUMNS = 32 * WORDS, column = threadIdx.x % COLUMNS, part = threadIdx.x / COLUMNS;
    struct ndzip_column<WORDS> sum[16];
#pragma unroll
    for (uint32_t y = 0; y < 16; y++) {
        const uint32_t at = (part * 16 + y) * (256 * WORDS) + column * 8;
        sum[y].bits = *(const uint2 *)(tile + ndzip_tiled<WORDS>(at / 128, at / 16 % 8) + at % 16);
        if (y)
            sum[y].add(sum[y - 1].bits);
    }
    totals[threadIdx.x] = sum[15].bits;
    __syncthreads();
    struct ndzip_column<WORDS> above = {
        make_uint2(0, 0)
    };
#pragma unroll
    for (uint32_t p = 0; p < 3; p++)
        if (p < part)
            above.add(totals[p * COLUMNS + column]);
    cube += part * 16 * cubes.row + column * 8;
#pragma unroll
    for (uint32_t y = 0; y < 16; y++) {
        sum[y].add(above.bits);
        sum[y].template store<ALIGNED>(cube + y * cubes.row);
    }
}

template <int WORDS> static __device__ __forceinline__ void ndzip_store_1d(const uint8_t *tile, uint8_t *cube)
{
#pragma unroll
    for (uint32_t k = 0; k < 8; k++) {
        const uint32_t at = (threadIdx.x + k * ndzip_size<WORDS>::THREADS) * 16;
        __stcs((uint4 *)(cube + at), *(const uint4 *)(tile + ndzip_tiled<WORDS>(at / 128, at / 16 % 8)));
    }
}

#endif
