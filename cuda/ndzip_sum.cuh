/* SPDX-License-Identifier: MIT
 * The second half of ndzip's decompression: sums along all axes, from lines of residuals to the grid. */
#ifndef FPGZ_CUDA_NDZIP_SUM_CUH
#define FPGZ_CUDA_NDZIP_SUM_CUH

#include "ndzip.cuh"
#include "ndzip_border.cuh"
#include "scan.cuh"

/* Where a piece of a line lies in the tile. Threads that read the same piece of lines one or eight apart
 * (rows and planes) use other banks each. */
template <int WORDS> static __device__ __forceinline__ uint32_t ndzip_tiled(uint32_t line, uint32_t piece)
{
    return ndzip_swizzled(line, WORDS == 1 ? piece ^ (line >> 3 & 1) << 2 : piece);
}

/* Two words of 32 bits or one of 64: what a thread sums down a column. */
template <int WORDS> struct ndzip_column {
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
        const uint32_t at = z * (1024 * WORDS) + y * (64 * WORDS) + column * 8;
        uint2 *const place = (uint2 *)(tile + ndzip_tiled<WORDS>(at / 128, at / 16 % 8) + at % 16);
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
    cube += y * cubes.row;
#pragma unroll
    for (uint32_t z = 0; z < 16; z++, cube += cubes.plane) {
        const uint32_t at = z * (1024 * WORDS) + y * (64 * WORDS) + column * 8;
        sum.add(*(const uint2 *)(tile + ndzip_tiled<WORDS>(at / 128, at / 16 % 8) + at % 16));
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
 * hypercubes of a row are one block's, and it writes windows that begin with sectors, `skip` words of 32 bits
 * before the hypercube. So a thread sums the words that are so far before its own, and each sector is written
 * once: parts of one that come far apart make the L2 cache read it from memory, which delays all loads. Words
 * behind the window's end wait in shared memory for the next hypercube; the row's first words, up to a
 * sector's end, for the end of the row before. */
template <int WORDS> struct ndzip_window {
    static const uint32_t SIZE = 16 * WORDS; /* words */
    uint32_t column, y, skip;
    bool has_rest, is_mixed; /* whether the thread has words of the hypercube before; one of each */

    __device__ __forceinline__ explicit ndzip_window(const uint8_t *cube, const struct ndzip_cubes &cubes)
        : column(threadIdx.x % (SIZE / 2)), y(threadIdx.x / (SIZE / 2)),
          skip((uint32_t)((uintptr_t)cube + y * cubes.row) / 4 % 8), has_rest(2 * column < skip),
          is_mixed(2 * column + 1 == skip)
    {
    }

    __device__ __forceinline__ uint2 *place(uint8_t *cube, const struct ndzip_cubes &cubes) const
    {
        return (uint2 *)(cube + y * cubes.row - 4 * skip) + column;
    }

    /* Where words of plane z wait: for each thread that has some. */
    __device__ __forceinline__ uint2 *rest(uint2 *rests, uint32_t z) const
    {
        return rests + (z * 16 + y) * 4 + column;
    }
};

enum { NDZIP_RESTS = 16 * 16 * 4 };

template <bool FIRST, int WORDS>
static __device__ __forceinline__ void ndzip_sum_window(const uint8_t *tile, const struct ndzip_cubes &cubes,
                                                        uint8_t *cube, uint2 *rests)
{
    typedef ndzip_window<WORDS> window;
    const window w(cube, cubes);
    const uint32_t PLANE = 1024 * WORDS, x = (2 * w.column - w.skip) % window::SIZE * 4,
                   next = (x + 4) % (4 * window::SIZE);
    uint32_t a[2], b[2]; /* places in the tile repeat themselves in every other plane */
#pragma unroll
    for (uint32_t z = 0; z < 2; z++) {
        const uint32_t row = z * PLANE + w.y * (64 * WORDS);
        a[z] = ndzip_tiled<WORDS>((row + x) / 128, (row + x) / 16 % 8) + x % 16 - z * PLANE;
        b[z] = ndzip_tiled<WORDS>((row + next) / 128, (row + next) / 16 % 8) + next % 16 - z * PLANE;
    }
    uint2 own[16]; /* all are read before rests are written, which for the compiler may be the same */
    struct ndzip_column<WORDS> sum = {
        make_uint2(0, 0)
    };
#pragma unroll
    for (uint32_t z = 0; z < 16; z++) {
        sum.add(make_uint2(*(const uint32_t *)(tile + z * PLANE + a[z % 2]),
                           *(const uint32_t *)(tile + z * PLANE + b[z % 2])));
        own[z] = sum.values();
    }
    const bool waits = FIRST && w.y && w.skip && w.column < 4;
    uint2 *to = w.place(cube, cubes);
#pragma unroll
    for (uint32_t z = 0; z < 16; z++, to = (uint2 *)((uint8_t *)to + cubes.plane)) {
        uint2 *const rest = w.rest(rests, z);
        uint2 out = own[z];
        if (!FIRST && w.has_rest)
            out = *rest;
        if (w.is_mixed && !FIRST)
            rest->x = own[z].x;
        else if (w.has_rest || waits)
            *rest = own[z];
        if (w.is_mixed)
            out.y = own[z].y;
        if (!FIRST || !(w.has_rest || waits))
            *to = out;
        if (FIRST && w.is_mixed && !waits)
            to->y = out.y;
    }
}

/* The ends of rows behind their last hypercube: words that wait, those of the border, and the first ones of
 * the row behind. `words`: of the border. */
template <int WORDS>
static __device__ __forceinline__ void ndzip_end_rows(const struct ndzip_cubes &cubes,
                                                      const struct ndzip_border &border, uint32_t cube,
                                                      const uint32_t *words, uint8_t *grid, uint2 *rests)
{
    typedef ndzip_window<WORDS> window;
    uint8_t *const end = grid + ndzip_origin<WORDS, 3>(cubes, cube) + 64 * WORDS;
    const window w(end, cubes);
    uint2 *to = w.place(end, cubes);
    const uint32_t row = cube / cubes.across, tail = border.tail * WORDS, plane = border.of_plane * WORDS;
    const int32_t all = (int32_t)(w.skip + tail), stop = w.y < 15 ? (all + 7) / 8 * 8 : all;
    words += row / cubes.down * 16 * plane + (row % cubes.down * 16 + w.y) * tail;
    for (int32_t at = 2 * (int32_t)w.column; at < stop; at += window::SIZE, to += window::SIZE / 2) {
        const int32_t x = at - (int32_t)w.skip, next = x + 1;
#pragma unroll
        for (uint32_t z = 0; z < 16; z++) {
            uint2 out = make_uint2(0, 0), behind = out;
            if (at + 1 >= all && at + 1 < stop)
                behind = rests[(z * 16 + w.y + 1) * 4 + at / 2 % 4];
            if (x < 0)
                out = *w.rest(rests, z);
            else
                out.x = at < all ? words[z * plane + x] : behind.x;
            if (next >= 0)
                out.y = at + 1 < all ? words[z * plane + next] : behind.y;
            uint2 *const there = (uint2 *)((uint8_t *)to + z * cubes.plane);
            if (at + 1 < stop)
                *there = out;
            else
                there->x = out.x;
        }
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
