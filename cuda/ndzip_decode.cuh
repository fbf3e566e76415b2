/* SPDX-License-Identifier: MIT
 * Decompression: a block restores one hypercube. Its columns become lines in registers; sums along the slower
 * axes go through shared memory, where a thread reads a column of the hypercube as easily as a line. */
#ifndef FPGZ_CUDA_NDZIP_DECODE_CUH
#define FPGZ_CUDA_NDZIP_DECODE_CUH

#include "machine.cuh"
#include "ndzip.cuh"
#include "scan.cuh"
#include "transpose.cuh"

struct ndzip_decoding {
    struct ndzip_cubes cubes;
    uint8_t *values;
    const uint32_t *table; /* of the stream */
    const uint8_t *words;  /* behind it */
    uint64_t length;       /* bytes of the words of all hypercubes */
    struct fpgz_cuda_result *result;
};

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

    /* To the grid, as values. ALIGNED: to 8 bytes. */
    template <bool ALIGNED> __device__ __forceinline__ void store(uint8_t *to) const
    {
        const uint32_t x = WORDS == 1 ? bits.x : bits.y, y = WORDS == 1 ? bits.y : bits.x;
        const uint2 v = make_uint2(__funnelshift_r(bits.x, x, 1), __funnelshift_r(bits.y, y, 1));
        if (ALIGNED || WORDS == 2) {
            __stcs((uint2 *)to, v);
        } else {
            ((uint32_t *)to)[0] = v.x;
            ((uint32_t *)to)[1] = v.y;
        }
    }
};

/* Sends for a hypercube's words: `length` of them. A step of all threads begins where a line of 128 bytes
 * does; in the staged words it is 33 for 32. */
template <int WORDS>
static __device__ __forceinline__ void ndzip_fetch_words(const uint8_t *words, uint32_t length,
                                                         uint32_t staged)
{
    const uint32_t THREADS = ndzip_size<WORDS>::THREADS, SIZE = 4 * WORDS, STEPS = 8; /* at once */
    const uint32_t thread = threadIdx.x, before = (uint32_t)((uintptr_t)words / SIZE) % (32 / WORDS);
    uint32_t at = thread - before; /* wraps before the first */
    if (at < length)
        copy_async<SIZE>(staged + ndzip_staged(at) * SIZE, words + at * SIZE);
    at += THREADS;
    staged += ndzip_staged(at) * SIZE;
    words += at * SIZE;
    int32_t left = (int32_t)(length + before - THREADS); /* of all threads */
    for (; left >= (int32_t)(THREADS * STEPS); left -= THREADS * STEPS) {
#pragma unroll
        for (uint32_t k = 0; k < STEPS; k++)
            copy_async<SIZE>(staged + k * (THREADS / 32 * 33 * SIZE), words + k * (THREADS * SIZE));
        staged += STEPS * (THREADS / 32 * 33 * SIZE);
        words += STEPS * (THREADS * SIZE);
    }
#pragma unroll
    for (uint32_t k = 0; k < STEPS; k++)
        if ((int32_t)(thread + k * THREADS) < left)
            copy_async<SIZE>(staged + k * (THREADS / 32 * 33 * SIZE), words + k * (THREADS * SIZE));
}

/* The thread's quadrant of columns becomes its line of residuals. */
static __device__ __forceinline__ void ndzip_residuals(uint32_t (&u)[32], uint32_t (&v)[32])
{
#pragma unroll
    for (int k = 1; k < 32; k++)
        u[k] ^= u[0]; /* the column of signs: the complement undone */
    transpose32(u);
#pragma unroll
    for (int i = 0; i < 32; i++)
        v[i] = u[i];
}

static __device__ __forceinline__ void ndzip_residuals(uint32_t (&u)[32], uint64_t (&v)[16])
{
    const bool odd = threadIdx.x & 1;
    const uint32_t signs = __shfl_sync(0xFFFFFFFF, u[0], threadIdx.x % 32 & ~1);
    u[0] ^= odd ? signs : 0;
#pragma unroll
    for (int k = 1; k < 32; k++)
        u[k] ^= signs;
    transpose32(u);
#pragma unroll
    for (int i = 0; i < 16; i++) {
        const uint32_t other = __shfl_xor_sync(0xFFFFFFFF, odd ? u[i] : u[i + 16], 1);
        const uint32_t high = odd ? other : u[i], low = odd ? u[i + 16] : other;
        v[i] = (uint64_t)high << 32 | low;
    }
}

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

/* The other axes, from the tile to the grid. A thread has eight bytes of each row or plane. */
template <bool ALIGNED, int WORDS>
static __device__ __forceinline__ void ndzip_sum_3d(uint8_t *tile, const struct ndzip_cubes &cubes,
                                                    uint8_t *cube)
{
    const uint32_t COLUMNS = 8 * WORDS, column = threadIdx.x % COLUMNS, other = threadIdx.x / COLUMNS;
    struct ndzip_column<WORDS> sum = {
        make_uint2(0, 0)
    };
#pragma unroll
    for (uint32_t y = 0; y < 16; y++) { /* `other` is z */
        const uint32_t at = other * (1024 * WORDS) + y * (64 * WORDS) + column * 8;
        uint2 *const place = (uint2 *)(tile + ndzip_tiled<WORDS>(at / 128, at / 16 % 8) + at % 16);
        sum.add(*place);
        *place = sum.bits;
    }
    __syncthreads();
    sum.bits = make_uint2(0, 0);
    cube += other * cubes.row + column * 8;
#pragma unroll
    for (uint32_t z = 0; z < 16; z++) { /* `other` is y */
        const uint32_t at = z * (1024 * WORDS) + other * (64 * WORDS) + column * 8;
        sum.add(*(const uint2 *)(tile + ndzip_tiled<WORDS>(at / 128, at / 16 % 8) + at % 16));
        sum.template store<ALIGNED>(cube + z * cubes.plane);
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

template <int WORDS, int DIMS, bool ALIGNED>
__global__ void __launch_bounds__(128 * WORDS, 10 / WORDS) ndzip_decode_kernel(const struct ndzip_decoding d)
{
    typedef ndzip_size<WORDS> size;
    typedef typename ndzip_type<WORDS>::value value;
    __shared__ __align__(16)
        uint8_t memory[size::STAGED]; /* the hypercube's words, then the tile of its values */
    __shared__ uint32_t counts[size::WARPS];
    __shared__ uint2 totals[DIMS == 3 ? 1 : size::THREADS];
    const uint32_t thread = threadIdx.x, lane = thread % 32, warp = thread / 32, cube = blockIdx.x;

    const uint32_t start = cube ? d.table[cube - 1] : 0, end = d.table[cube], length = end - start;
    if (end < start || length < size::HEADS || length > size::LONGEST ||
        (uint64_t)end * (4 * WORDS) > d.length ||
        (cube + 1 == d.cubes.count && (uint64_t)end * (4 * WORDS) != d.length)) {
        d.result->status = FPGZ_CORRUPT;
        return;
    }
    ndzip_fetch_words<WORDS>(d.words + (uint64_t)start * (4 * WORDS), length, shared_address(memory));
    copy_async_wait();
    __syncthreads();

    const uint32_t *const staged = (const uint32_t *)memory;
    const bool counting = WORDS == 1 || !(lane & 2);
    const uint32_t head =
        WORDS == 1 ? staged[ndzip_staged(thread)] : staged[ndzip_staged(thread / 4) * 2 + (lane & 1 ? 0 : 1)];
    const uint32_t columns = counting ? __popc(head) : 0, scanned = warp_scan(columns);
    if (lane == 31)
        counts[warp] = scanned;
    __syncthreads();
    uint32_t all;
    uint32_t word = size::HEADS + scanned - columns + warps_before<size::WARPS>(counts, warp, &all);
    if (size::HEADS + all != length) {
        d.result->status = FPGZ_CORRUPT;
        return;
    }
    if (WORDS == 2)
        word = __shfl_sync(0xFFFFFFFF, word, lane & ~2);

    uint32_t u[32];
    const uint32_t *const half = staged + (counting && WORDS == 2);
#pragma unroll
    for (int k = 0; k < 32; k++) {
        u[k] = 0;
        if (head & 0x80000000u >> k)
            u[k] = half[ndzip_staged(word++) * WORDS];
    }
    value v[size::LINE_VALUES];
    ndzip_residuals(u, v);
    ndzip_sum_line<WORDS, DIMS>(v, (value *)totals);
    if (DIMS == 1) {
#pragma unroll
        for (int i = 0; i < size::LINE_VALUES; i++)
            v[i] = ndzip_rotate_right<WORDS>(v[i]);
    } else {
        __syncthreads(); /* all words are read */
    }
#pragma unroll
    for (uint32_t piece = 0; piece < 8; piece++)
        *(uint4 *)(memory + ndzip_tiled<WORDS>(thread, piece)) = *(const uint4 *)&v[piece * (4 / WORDS)];
    __syncthreads();
    uint8_t *const to = d.values + ndzip_origin<WORDS, DIMS>(d.cubes, cube);
    if (DIMS == 3)
        ndzip_sum_3d<ALIGNED, WORDS>(memory, d.cubes, to);
    else if (DIMS == 2)
        ndzip_sum_2d<ALIGNED, WORDS>(memory, totals, d.cubes, to);
    else
        ndzip_store_1d<WORDS>(memory, to);
}

#endif
