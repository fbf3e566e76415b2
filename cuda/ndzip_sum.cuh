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

/* Four words of 32 bits. */
struct ndzip_quad {
    typedef uint4 words;
    uint4 bits;

    __device__ __forceinline__ void add(uint4 other)
    {
        bits = make_uint4(bits.x + other.x, bits.y + other.y, bits.z + other.z, bits.w + other.w);
    }

    __device__ __forceinline__ uint4 values() const
    {
        return make_uint4(ndzip_rotate_right<1>(bits.x), ndzip_rotate_right<1>(bits.y),
                          ndzip_rotate_right<1>(bits.z), ndzip_rotate_right<1>(bits.w));
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
template <int WORDS, bool TEAMS> static __device__ __forceinline__ void ndzip_sum_planes(uint8_t *tile)
{
    typedef ndzip_team<WORDS, TEAMS> team;
    const uint32_t COLUMNS = 8 * WORDS, column = team::thread() % COLUMNS, z = team::thread() / COLUMNS;
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

/* A part of a row: hypercubes side by side, and behind the row's last one, `tail` values of each of their
 * rows. */
struct ndzip_part {
    uint32_t cubes, tail;
};

/* Sends for the tails of 16 rows of 16 planes, which lie `step` values apart. Each thread has the same values
 * of all planes. */
template <typename VALUE>
static __device__ __forceinline__ void ndzip_fetch_ends(const struct ndzip_part &part, const VALUE *words,
                                                        uint32_t step, VALUE *ends)
{
    for (uint32_t i = threadIdx.x; i < 16 * part.tail; i += blockDim.x)
#pragma unroll 4
        for (uint32_t z = 0; z < 16; z++)
            copy_async<sizeof(VALUE)>(shared_address(ends + z * 16 * part.tail + i), words + z * step + i);
}

/* The same threads make of them what is summed along the slowest axis, as in tiles. */
template <int WORDS, typename VALUE>
static __device__ __forceinline__ void ndzip_turn_ends(const struct ndzip_part &part, VALUE *ends)
{
    for (uint32_t i = threadIdx.x; i < 16 * part.tail; i += blockDim.x) {
        VALUE before = 0;
#pragma unroll 4
        for (uint32_t z = 0; z < 16; z++) {
            VALUE *const end = ends + z * 16 * part.tail + i;
            const VALUE turned = ndzip_rotate_left<WORDS>(*end);
            *end = turned - before;
            before = turned;
        }
    }
}

/* As ndzip_sum_3d(), of all of a part, whose tails stand behind its tiles. Threads have what lies side by
 * side in memory, beginning with a sector. */
template <int WORDS, typename UNIT>
static __device__ __forceinline__ void ndzip_sum_rows(const struct ndzip_cubes &cubes,
                                                      const struct ndzip_part &part, const uint8_t *tiles,
                                                      uint8_t *first)
{
    typedef typename UNIT::words words;
    const uint32_t SIZE = sizeof(words), SECTOR = 32, ROW = 64 * WORDS, PLANE = 1024 * WORDS,
                   TILE = ndzip_size<WORDS>::STAGED;
    const uint32_t covered = part.cubes * ROW, tail = part.tail * (4 * WORDS), all = covered + tail;
    const bool whole = all == cubes.row; /* then rows follow each other */
    const uint32_t units = (whole ? all : (all + 2 * SECTOR - 2) / SECTOR * SECTOR) / SIZE;
    for (uint32_t i = threadIdx.x; i < 16 * units; i += blockDim.x) {
        const uint32_t y = i / units;
        uint8_t *to = first + y * cubes.row;
        const uint32_t skip = whole ? 0 : (uint32_t)(uintptr_t)to % SECTOR, x = (i - y * units) * SIZE - skip;
        if (x >= all)
            continue;
        to += x;
        const bool ends = x >= covered;
        const uint8_t *const end = tiles + part.cubes * TILE + y * tail + x - covered,
                             *const tile = tiles + x / ROW * TILE,
                             *even = ends ? end : tile + ndzip_tiled_row<WORDS>(0, y, x % ROW),
                             *odd = ends ? end + 16 * tail
                                         : tile + PLANE + ndzip_tiled_row<WORDS>(1, y, x % ROW);
        const uint32_t step = ends ? 32 * tail : 2 * PLANE;
        UNIT sum = {};
#pragma unroll
        for (uint32_t z = 0; z < 16; z++, to += cubes.plane) {
            const uint8_t *&from = z % 2 ? odd : even;
            sum.add(*(const words *)from);
            from += step;
            *(words *)to = sum.values();
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
