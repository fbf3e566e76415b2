/* SPDX-License-Identifier: MIT
 * Compression: blocks stay and take hypercubes by tickets. While the computing warps transform one, the next
 * is on its way into the tile, and a warp of its own looks back for the place of the one before and copies it
 * out. */
#ifndef FPGZ_CUDA_NDZIP_ENCODE_CUH
#define FPGZ_CUDA_NDZIP_ENCODE_CUH

#include "lookback.cuh"
#include "machine.cuh"
#include "ndzip.cuh"
#include "scan.cuh"
#include "transpose.cuh"

enum {
    NDZIP_STAGES = 2,
    NDZIP_COUNTS = NDZIP_STAGES + 1,
    NDZIP_NO_CUBE = 0xFFFFFFFF,
    NDZIP_COMPUTING = 1 /* the barrier's id */
};

struct ndzip_encoding {
    struct ndzip_cubes cubes;
    const uint8_t *values;
    uint32_t *table;       /* in the stream */
    uint8_t *words;        /* behind it */
    uint32_t *ticket;      /* zero at first, as the descriptors are */
    uint64_t *descriptors; /* one a hypercube */
    uint32_t stages;       /* hypercubes that may wait to be copied out: 1 or NDZIP_STAGES */
    uint64_t border_bytes;
    struct fpgz_cuda_result *result;
};

template <int WORDS> struct ndzip_shared {
    /* Hand-overs: of lengths, with which looking back can begin, and of staged words, there and back. The
     * computing warps are never ahead by more than NDZIP_COUNTS. */
    uint64_t counted[NDZIP_COUNTS], full[NDZIP_STAGES], empty[NDZIP_STAGES];
    uint32_t cube[NDZIP_COUNTS], length[NDZIP_COUNTS];
    uint64_t origin; /* of the next hypercube */
    uint32_t next;   /* its number */
    uint32_t totals[ndzip_size<WORDS>::WARPS];
    uint4 zero[8]; /* the line before the first */
};

/* Sends for the hypercube at `cube`, into the tile. */
template <int WORDS, int DIMS, bool ALIGNED>
static __device__ __forceinline__ void ndzip_fetch(const struct ndzip_cubes &cubes, const uint8_t *cube,
                                                   uint32_t tile)
{
    typedef ndzip_size<WORDS> size;
    const int BYTES = ALIGNED ? 16 : 4 * WORDS, PIECES = 128 / BYTES, STEP = size::THREADS / PIECES;
    const int PLANE = 8 * WORDS;                           /* lines of a plane of 16 x 16 */
    const int AHEAD = DIMS == 3 && WORDS == 2 ? 256 : 128; /* worth 3 % there, and costs 2 % elsewhere */
    const uint32_t line = threadIdx.x / PIECES, at = threadIdx.x % PIECES * BYTES;
    const uint8_t *const from = cube + ndzip_place<WORDS, DIMS>(cubes, line, at);
#pragma unroll
    for (int k = 0; k < PIECES; k++) {
        const int lines = k * STEP;
        const uint64_t further = DIMS == 1 ? (uint64_t)lines * 128
                                 : DIMS == 2
                                     ? lines / (2 * WORDS) * cubes.row
                                     : lines / PLANE * cubes.plane + lines % PLANE * 2 / WORDS * cubes.row;
        copy_async<BYTES, AHEAD>(tile + ndzip_swizzled(line + lines, at / 16) + at % 16, from + further);
    }
}

/* The thread's line from the tile, as differences along the slowest axis of two or three. Returns the value
 * before the line, where it is another warp's (in one dimension), else 0. */
template <int WORDS, int DIMS>
static __device__ __forceinline__ typename ndzip_type<WORDS>::value ndzip_read(
    const uint8_t *tile, const uint4 *zero,
    typename ndzip_type<WORDS>::value (&v)[ndzip_size<WORDS>::LINE_VALUES])
{
    typedef typename ndzip_type<WORDS>::value value;
    const int PIECE = 4 / WORDS;                                           /* values of 16 bytes */
    const uint32_t line = threadIdx.x, back = (DIMS == 3 ? 8 : 2) * WORDS; /* lines to the neighbour */
    const uint8_t *const slower = line < back ? (const uint8_t *)zero : tile + (line - back) * 128;
#pragma unroll
    for (uint32_t piece = 0; piece < 8; piece++) {
        alignas(16) value own[PIECE], other[PIECE];
        *(uint4 *)own = *(const uint4 *)(tile + ndzip_swizzled(line, piece));
        if (DIMS > 1)
            *(uint4 *)other = *(const uint4 *)(slower + ((piece ^ ((line - back) & 7)) << 4));
#pragma unroll
        for (int i = 0; i < PIECE; i++)
            v[piece * PIECE + i] =
                ndzip_rotate_left<WORDS>(own[i]) - (DIMS > 1 ? ndzip_rotate_left<WORDS>(other[i]) : 0);
    }
    if (DIMS > 1 || line == 0 || line % 32)
        return 0;
    return ndzip_rotate_left<WORDS>(*(const value *)(tile + ndzip_swizzled(line - 1, 7) + 16 - 4 * WORDS));
}

/* Differences along the other axes: the thread's line of residuals. */
template <int WORDS, int DIMS>
static __device__ __forceinline__ void ndzip_differences(
    typename ndzip_type<WORDS>::value (&v)[ndzip_size<WORDS>::LINE_VALUES],
    typename ndzip_type<WORDS>::value before)
{
    typedef typename ndzip_type<WORDS>::value value;
    const int COUNT = 32 / WORDS;
    const unsigned all = 0xFFFFFFFF;
    const uint32_t line = threadIdx.x;
    if (DIMS == 3) { /* rows of 16: one or two a line */
        const bool first_row = line % (8 * WORDS) == 0;
#pragma unroll
        for (int i = 0; i < 16; i++) {
            const value above = __shfl_up_sync(all, v[COUNT - 16 + i], 1);
            if (WORDS == 1)
                v[COUNT - 16 + i] -= v[i];
            v[i] -= first_row ? 0 : above;
        }
#pragma unroll
        for (int i = COUNT - 1; i > 0; i--)
            if (i % 16)
                v[i] -= v[i - 1];
    } else {
        value left = __shfl_up_sync(all, v[COUNT - 1], 1);
        if (line % (DIMS == 2 ? 2 * WORDS : 32) == 0)
            left = before;
#pragma unroll
        for (int i = COUNT - 1; i > 0; i--)
            v[i] -= v[i - 1];
        v[0] -= left;
    }
}

/* Inverts the magnitudes of negative residuals and makes 32 x 32 bits of them. Of four threads with a group
 * of 64 values of 64 bits, the even ones get the upper words of their own line and the next, the odd ones the
 * lower of the line before and their own. */
static __device__ __forceinline__ void ndzip_quadrant(uint32_t (&v)[32], uint32_t (&u)[32])
{
#pragma unroll
    for (int i = 0; i < 32; i++)
        u[i] = v[i] ^ ((uint32_t)((int32_t)v[i] >> 31) & 0x7FFFFFFF);
}

static __device__ __forceinline__ void ndzip_quadrant(uint64_t (&v)[16], uint32_t (&u)[32])
{
    const bool odd = threadIdx.x & 1;
#pragma unroll
    for (int i = 0; i < 16; i++) {
        uint32_t low = (uint32_t)v[i], high = (uint32_t)(v[i] >> 32);
        const uint32_t sign = (uint32_t)((int32_t)high >> 31);
        low ^= sign;
        high ^= sign & 0x7FFFFFFF;
        const uint32_t other = __shfl_xor_sync(0xFFFFFFFF, odd ? high : low, 1);
        u[i] = odd ? other : high;
        u[i + 16] = odd ? low : other;
    }
}

/* Copies `length` staged words (32 at least) to word `start` of `words`. By one warp, in steps of 32 words
 * that begin where a line of 128 bytes does; in the staged words a step is 33. */
template <int WORDS>
static __device__ __forceinline__ void ndzip_copy_out(const uint8_t *staged, uint32_t length, uint8_t *words,
                                                      uint32_t start)
{
    typedef typename ndzip_type<WORDS>::value value;
    const uint32_t STEPS = 8; /* at once */
    value *to = (value *)words + start;
    const uint32_t lane = threadIdx.x % 32, before = (uint32_t)((uintptr_t)to / sizeof(value)) % (32 / WORDS);
    const value *from = (const value *)staged;
    if (lane >= before)
        to[lane - before] = from[ndzip_staged(lane - before)];
    uint32_t at = lane + 32 - before, left = length + before - 32; /* of all lanes */
    from += ndzip_staged(at);
    to += at;
    for (; left >= 32 * STEPS; left -= 32 * STEPS, from += 33 * STEPS, to += 32 * STEPS) {
        value word[STEPS];
#pragma unroll
        for (uint32_t k = 0; k < STEPS; k++)
            word[k] = from[33 * k];
#pragma unroll
        for (uint32_t k = 0; k < STEPS; k++)
            to[32 * k] = word[k];
    }
#pragma unroll
    for (uint32_t k = 0; k < STEPS; k++)
        if (lane + 32 * k < left)
            to[32 * k] = from[33 * k];
}

template <int WORDS>
static __device__ __forceinline__ void ndzip_copying_warp(const struct ndzip_encoding &e,
                                                          struct ndzip_shared<WORDS> &shared,
                                                          const uint8_t *stages)
{
    const uint32_t lane = threadIdx.x % 32;
    for (uint32_t count = 0, counted = 0, stage = 0, parity = 0;;) {
        handover_wait(&shared.counted[count], counted);
        const uint32_t cube = shared.cube[count], length = shared.length[count];
        if (cube == NDZIP_NO_CUBE)
            return;
        count = count + 1 == NDZIP_COUNTS ? 0 : count + 1;
        counted ^= count == 0;
        const uint32_t start = lookback_sum(e.descriptors, cube, length);
        if (lane == 0) {
            e.table[cube] = start + length;
            if (cube + 1 == e.cubes.count) {
                if (WORDS == 2 && e.cubes.count % 2)
                    e.table[cube + 1] = 0; /* fills the last word of the table */
                e.result->length = (uint64_t)(e.words - (uint8_t *)e.table) +
                                   (uint64_t)(start + length) * (4 * WORDS) + e.border_bytes;
            }
        }
        handover_wait(&shared.full[stage], parity);
        ndzip_copy_out<WORDS>(stages + stage * ndzip_size<WORDS>::STAGED, length, e.words, start);
        handover_arrive(&shared.empty[stage]);
        stage = stage + 1 == e.stages ? 0 : stage + 1;
        parity ^= stage == 0;
    }
}

/* Thread 0: the next hypercube, for all. */
template <int WORDS, int DIMS>
static __device__ __forceinline__ void ndzip_announce(const struct ndzip_encoding &e,
                                                      struct ndzip_shared<WORDS> &shared, uint32_t cube)
{
    shared.next = cube < e.cubes.count ? cube : NDZIP_NO_CUBE;
    if (cube < e.cubes.count)
        shared.origin = ndzip_origin<WORDS, DIMS>(e.cubes, cube);
}

template <int WORDS, int DIMS, bool ALIGNED>
__global__ void __launch_bounds__(128 * WORDS + 32, 4 / WORDS)
    ndzip_encode_kernel(const struct ndzip_encoding e)
{
    typedef ndzip_size<WORDS> size;
    typedef typename ndzip_type<WORDS>::value value;
    extern __shared__ uint4 memory[];
    __shared__ struct ndzip_shared<WORDS> shared;
    uint8_t *const tile = (uint8_t *)memory, *const stages = tile + size::TILE;
    const uint32_t thread = threadIdx.x, lane = thread % 32, warp = thread / 32;

    if (thread == 0) {
        for (int i = 0; i < NDZIP_COUNTS; i++)
            handover_make(&shared.counted[i], 1);
        for (int i = 0; i < NDZIP_STAGES; i++) {
            handover_make(&shared.full[i], size::THREADS);
            handover_make(&shared.empty[i], 32);
        }
        ndzip_announce<WORDS, DIMS>(e, shared, atomicAdd(e.ticket, 1));
    }
    if (thread < 8)
        shared.zero[thread] = make_uint4(0, 0, 0, 0);
    __syncthreads();
    if (warp == size::WARPS) {
        ndzip_copying_warp<WORDS>(e, shared, stages);
        return;
    }

    uint32_t cube = shared.next, count = 0, stage = 0, parity = 1;
    if (cube != NDZIP_NO_CUBE)
        ndzip_fetch<WORDS, DIMS, ALIGNED>(e.cubes, e.values + shared.origin, shared_address(tile));
    while (cube != NDZIP_NO_CUBE) {
        uint32_t u[32], ticket = 0;
        if (thread == 0)
            ticket = atomicAdd(e.ticket, 1);
        copy_async_wait();
        barrier<NDZIP_COMPUTING, size::THREADS>();

        value v[size::LINE_VALUES];
        const value before = ndzip_read<WORDS, DIMS>(tile, shared.zero, v);
        if (thread == 0)
            ndzip_announce<WORDS, DIMS>(e, shared, ticket);
        barrier<NDZIP_COMPUTING, size::THREADS>();

        /* The tile is read: the next hypercube may come. */
        const uint32_t next = shared.next;
        if (next != NDZIP_NO_CUBE)
            ndzip_fetch<WORDS, DIMS, ALIGNED>(e.cubes, e.values + shared.origin, shared_address(tile));
        ndzip_differences<WORDS, DIMS>(v, before);
        ndzip_quadrant(v, u);
        uint32_t head = 0;
#pragma unroll
        for (int i = 0; i < 32; i++)
            head |= u[i];
        if (WORDS == 2)
            head |= __shfl_xor_sync(0xFFFFFFFF, head, 2);
        const bool counts =
            WORDS == 1 || !(lane & 2); /* the others' columns are the same words' lower halves */
        const uint32_t columns = counts ? __popc(head) : 0, scanned = warp_scan(columns);
        if (lane == 31)
            shared.totals[warp] = scanned;
        barrier<NDZIP_COMPUTING, size::THREADS>();

        uint32_t all;
        uint32_t word =
            size::HEADS + scanned - columns + warps_before<size::WARPS>(shared.totals, warp, &all);
        const uint32_t length = size::HEADS + all;
        if (thread == 0) {
            lookback_publish(e.descriptors, cube, length);
            shared.cube[count] = cube;
            shared.length[count] = length;
            handover_arrive(&shared.counted[count]);
        }
        count = count + 1 == NDZIP_COUNTS ? 0 : count + 1;
        if (WORDS == 2)
            word = __shfl_sync(0xFFFFFFFF, word, lane & ~2);

        transpose32(u);
        handover_wait(&shared.empty[stage], parity);
        uint32_t *const staged = (uint32_t *)(stages + stage * size::STAGED);
        if (WORDS == 1)
            staged[ndzip_staged(thread)] = head;
        else if (counts)
            staged[ndzip_staged(thread / 4) * 2 + (lane & 1 ? 0 : 1)] = head;
        uint32_t *const half = staged + (counts && WORDS == 2);
#pragma unroll
        for (int k = 0; k < 32; k++)
            if (head & 0x80000000u >> k)
                half[ndzip_staged(word++) * WORDS] = u[k];
        handover_arrive(&shared.full[stage]);
        stage = stage + 1 == e.stages ? 0 : stage + 1;
        parity ^= stage == 0;
        cube = next;
    }
    if (thread == 0) {
        shared.cube[count] = NDZIP_NO_CUBE;
        handover_arrive(&shared.counted[count]);
    }
}

#endif
