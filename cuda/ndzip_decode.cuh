/* SPDX-License-Identifier: MIT
 * Decompression: a block restores one hypercube, or some of the border. Its columns become lines in
 * registers; sums along the slower axes go through shared memory, where a thread reads a column of the
 * hypercube as easily as a line. */
#ifndef FPGZ_CUDA_NDZIP_DECODE_CUH
#define FPGZ_CUDA_NDZIP_DECODE_CUH

#include "machine.cuh"
#include "ndzip_border.cuh"
#include "ndzip_sum.cuh"
#include "transpose.cuh"

struct ndzip_decoding {
    struct ndzip_cubes cubes;
    struct ndzip_slabs slabs;
    struct ndzip_border border;
    uint8_t *values;
    const uint32_t *table; /* of the stream */
    const uint8_t *words;  /* behind it */
    uint64_t length;       /* bytes of the words of all hypercubes */
    struct fpgz_cuda_result *result;
};

/* Sends for a hypercube's words: `length` of them. A step of all threads begins where a line of 128 bytes
 * does; in the staged words it is 33 for 32. */
template <int WORDS>
static __device__ __forceinline__ void ndzip_fetch_words(uint32_t thread, const uint8_t *words,
                                                         uint32_t length, uint32_t staged)
{
    const uint32_t THREADS = ndzip_size<WORDS>::THREADS, SIZE = 4 * WORDS, STEPS = 8; /* at once */
    const uint32_t before = (uint32_t)((uintptr_t)words / SIZE) % (32 / WORDS);
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

/* From the stream's words `start` to `end` to sums along all axes but the slower ones of two or three, in
 * `memory`. False where the stream is damaged. */
template <int WORDS, int DIMS, bool TEAMS>
static __device__ __forceinline__ bool ndzip_restore_lines(const struct ndzip_decoding &d, uint32_t cube,
                                                           uint8_t *memory, uint32_t *counts, uint2 *totals)
{
    typedef ndzip_size<WORDS> size;
    typedef ndzip_team<WORDS, TEAMS> team;
    typedef typename ndzip_type<WORDS>::value value;
    const uint32_t thread = team::thread(), lane = thread % 32, warp = thread / 32;
    const uint32_t start = cube ? d.table[cube - 1] : 0, end = d.table[cube], length = end - start;
    if (end < start || length < size::HEADS || length > size::LONGEST ||
        (uint64_t)end * (4 * WORDS) > d.length ||
        (cube + 1 == d.cubes.count && (uint64_t)end * (4 * WORDS) != d.length)) {
        d.result->status = FPGZ_CORRUPT;
        return false;
    }
    ndzip_fetch_words<WORDS>(thread, d.words + (uint64_t)start * (4 * WORDS), length, shared_address(memory));
    copy_async_wait();
    team::sync();

    const uint32_t *const staged = (const uint32_t *)memory;
    const bool counting = WORDS == 1 || !(lane & 2);
    const uint32_t head =
        WORDS == 1 ? staged[ndzip_staged(thread)] : staged[ndzip_staged(thread / 4) * 2 + (lane & 1 ? 0 : 1)];
    const uint32_t columns = counting ? __popc(head) : 0, scanned = warp_scan(columns);
    if (lane == 31)
        counts[warp] = scanned;
    team::sync();
    uint32_t all;
    uint32_t word = size::HEADS + scanned - columns + warps_before<size::WARPS>(counts, warp, &all);
    if (size::HEADS + all != length) {
        d.result->status = FPGZ_CORRUPT;
        return false;
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
    alignas(16) value v[size::LINE_VALUES];
    ndzip_residuals(u, v);
    ndzip_sum_line<WORDS, DIMS>(v, (value *)totals);
    if (DIMS == 1) {
#pragma unroll
        for (int i = 0; i < size::LINE_VALUES; i++)
            v[i] = ndzip_rotate_right<WORDS>(v[i]);
    } else {
        team::sync(); /* all words are read */
    }
#pragma unroll
    for (uint32_t piece = 0; piece < 8; piece++)
        *(uint4 *)(memory + ndzip_tiled<WORDS>(thread, piece)) = *(const uint4 *)&v[piece * (4 / WORDS)];
    team::sync();
    return true;
}

/* Where rows begin: anywhere; each aligned to 16 bytes, or where there are three dimensions, to 32; in three
 * dimensions, anywhere but in all planes alike. */
enum { NDZIP_ANYWHERE, NDZIP_ALIGNED, NDZIP_ALIKE };

template <int WORDS, int DIMS, int ROWS>
__global__ void __launch_bounds__(128 * WORDS, (DIMS == 3 && ROWS != NDZIP_ALIGNED ? 8 : 10) / WORDS)
    ndzip_decode_kernel(const struct ndzip_decoding d)
{
    typedef ndzip_size<WORDS> size;
    typedef typename ndzip_type<WORDS>::value value;
    __shared__ __align__(16)
        uint8_t memory[size::STAGED]; /* the hypercube's words, then the tile of its values */
    __shared__ uint32_t counts[size::WARPS];
    __shared__ uint2 totals[DIMS == 3 ? 1 : size::THREADS];
    const struct ndzip_share share = ndzip_share(d.slabs, d.border, blockIdx.x);
    if (share.first < share.end) {
        ndzip_restore_border<false, size::THREADS>(d.border, share, (const value *)(d.words + d.length),
                                                   (value *)d.values);
        return;
    }
    const uint32_t first = share.slab * d.slabs.runs + share.run, stop = first + 1;
    /* A loop of one step: without it nvcc makes other code, with which two dimensions were 2.5 % slower, and
     * three whose rows begin anywhere 3 %. */
    for (uint32_t cube = first; cube != stop; cube++) {
        if (!ndzip_restore_lines<WORDS, DIMS, false>(d, cube, memory, counts, totals))
            return;
        uint8_t *const to = d.values + ndzip_origin<WORDS, DIMS>(d.cubes, cube);
        if (DIMS == 3) {
            ndzip_sum_planes<WORDS, false>(memory);
            __syncthreads();
            ndzip_sum_3d<ROWS == NDZIP_ALIGNED, WORDS>(memory, d.cubes, to);
        } else if (DIMS == 2) {
            ndzip_sum_2d<ROWS == NDZIP_ALIGNED, WORDS>(memory, totals, d.cubes, to);
        } else {
            ndzip_store_1d<WORDS>(memory, to);
        }
    }
}

/* Three dimensions whose rows begin anywhere, but in all planes alike: teams of a block restore hypercubes
 * side by side, and the block writes their rows, and what is behind a row's last hypercube, in memory's
 * order. So nearly each sector of memory is written once: parts of one cost the L2 cache twice as much, and
 * where they come far apart, it reads the sector from memory. */
template <int WORDS>
__global__ void __launch_bounds__(ndzip_size<WORDS>::TEAMS *ndzip_size<WORDS>::THREADS,
                                  ndzip_size<WORDS>::TEAMS_BLOCKS)
    ndzip_decode_rows(const struct ndzip_decoding d)
{
    typedef ndzip_size<WORDS> size;
    typedef typename ndzip_type<WORDS>::value value;
    extern __shared__ uint4 dynamic[];
    __shared__ uint32_t counts[size::TEAMS * size::WARPS];
    const struct ndzip_share share = ndzip_share(d.slabs, d.border, blockIdx.x);
    const value *words = (const value *)(d.words + d.length); /* of the border */
    if (share.first < share.end) {
        ndzip_restore_border<true, size::THREADS>(d.border, share, words, (value *)d.values);
        return;
    }
    const uint32_t team = threadIdx.x / size::THREADS, y = share.run / d.slabs.segments,
                   x = (share.run - y * d.slabs.segments) * d.slabs.run,
                   cubes = min(d.slabs.run, d.cubes.across - x);
    const struct ndzip_part part = {cubes, x + cubes == d.cubes.across ? d.border.tail : 0};
    uint8_t *const tiles = (uint8_t *)dynamic, *const memory = tiles + team * size::STAGED;
    value *const ends = (value *)(tiles + cubes * size::STAGED);
    words += share.slab * 16 * d.border.of_plane + y * 16 * d.border.tail;
    ndzip_fetch_ends(part, words, d.border.of_plane, ends);
    const uint32_t cube = (share.slab * d.cubes.down + y) * d.cubes.across + x + team;
    if (team < cubes &&
        ndzip_restore_lines<WORDS, 3, true>(d, cube, memory, counts + team * size::WARPS, NULL))
        ndzip_sum_planes<WORDS, true>(memory);
    copy_async_wait(); /* teams without a hypercube have not yet */
    ndzip_turn_ends<WORDS>(part, ends);
    __syncthreads();
    uint8_t *const to = d.values + share.slab * 16 * d.cubes.plane + y * 16 * d.cubes.row + x * (64 * WORDS);
    if (WORDS == 1 && d.cubes.row % 16 == 0)
        ndzip_sum_rows<WORDS, struct ndzip_quad>(d.cubes, part, tiles, to);
    else if (WORDS == 2 || d.cubes.row % 8 == 0)
        ndzip_sum_rows<WORDS, struct ndzip_column<WORDS>>(d.cubes, part, tiles, to);
    else
        ndzip_sum_rows<WORDS, struct ndzip_single>(d.cubes, part, tiles, to);
}

#endif
