/* SPDX-License-Identifier: MIT
 * The predictive decoder for the predictor `previous`, with which a value is the XOR of all differences up to
 * it. A lane takes a span of CHAIN_SLICES slices, a warp its rows, or where a slice has few rows, several
 * spans of them; and warps of a CTA take spans behind each other. XORs of all before come by looking back
 * (lookback.cuh), each word of 32 bits by itself: as many CTAs before at once as warps can ask for. */
#ifndef FPGZ_CUDA_PREDICT_CHAIN_CUH
#define FPGZ_CUDA_PREDICT_CHAIN_CUH

#include "predict_decode.cuh"

enum {
    CHAIN_SLICES = 16, /* whose differences a lane holds */
    CHAIN_WIDE = 256,  /* chunks of a slice from which on warps are faster alone */
};

/* Warps of a CTA, which work ALONE or together, and CTAs of a multiprocessor. */
template <bool ALONE> struct predict_chain_size {
    enum { warps = ALONE ? 4 : 8, threads = 32 * warps, ctas = ALONE ? 4 : 2 };
};

/* How the work is shared. A group is what warps of one CTA take of a chunk: spans x parts x CHAIN_SLICES
 * slices. */
struct predict_chain_shape {
    uint32_t columns; /* rows of a slice that a warp takes: a power of two */
    uint32_t parts;   /* spans that a warp takes, behind each other: chunk_rows / columns */
    uint32_t spans;   /* warps behind each other: 1, 2, 4 or 8 */
    uint32_t chunks;  /* of a slice, each of `columns` rows */
    uint32_t groups;  /* behind each other, for all slices */
    bool alone;       /* a group is one warp's, with all lanes in one span */
};

/* Words that a lane has of a slice. */
struct predict_piece {
    uint32_t word[4];

    __device__ __forceinline__ void change(const struct predict_piece &other)
    {
#pragma unroll
        for (unsigned i = 0; i < 4; i++)
            word[i] ^= other.word[i];
    }
};

static __device__ __forceinline__ struct predict_piece predict_piece_of(const uint32_t value[4])
{
    return {{value[0], value[1], value[2], value[3]}};
}

static __device__ __forceinline__ struct predict_piece predict_piece_of(const uint64_t value[2])
{
    return {{(uint32_t)value[0], (uint32_t)(value[0] >> 32), (uint32_t)value[1], (uint32_t)(value[1] >> 32)}};
}

static __device__ __forceinline__ void predict_change(const struct predict_piece &piece, uint32_t value[4])
{
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
        value[i] ^= piece.word[i];
}

static __device__ __forceinline__ void predict_change(const struct predict_piece &piece, uint64_t value[2])
{
#pragma unroll
    for (unsigned i = 0; i < 2; i++)
        value[i] ^= (uint64_t)piece.word[2 * i + 1] << 32 | piece.word[2 * i];
}

static __device__ __forceinline__ void predict_store_vector(uint32_t *at, const uint32_t value[4])
{
    *(uint4 *)at = make_uint4(value[0], value[1], value[2], value[3]);
}

static __device__ __forceinline__ void predict_store_vector(uint64_t *at, const uint64_t value[2])
{
    *(ulonglong2 *)at = make_ulonglong2(value[0], value[1]);
}

struct predict_chain_shared {
    enum { warps = predict_chain_size<false>::warps };
    struct predict_piece total[warps][32]; /* of a warp's spans */
    uint64_t seen[warps][4][32];           /* descriptors of a group before, each by another warp */
    uint32_t ticket, open[2];              /* whether there is a lane that has to look further back */
};

/* What a warp's lanes have from all its parts, and in *before from those before the own one. */
static __device__ __forceinline__ struct predict_piece predict_warp_total(uint32_t parts,
                                                                          struct predict_piece piece,
                                                                          struct predict_piece *before)
{
    *before = {{0, 0, 0, 0}};
    if (parts == 1)
        return piece;
    const uint32_t lane = threadIdx.x % 32, lanes = 32 / parts;
#pragma unroll
    for (unsigned i = 0; i < 4; i++) {
        uint32_t word = piece.word[i];
        for (uint32_t step = lanes; step < 32; step *= 2) {
            const uint32_t other = __shfl_up_sync(~0u, word, step);
            word ^= lane >= step ? other : 0;
        }
        const uint32_t other = __shfl_up_sync(~0u, word, lanes);
        before->word[i] = lane >= lanes ? other : 0;
        piece.word[i] = __shfl_sync(~0u, word, 32 - lanes + lane % lanes);
    }
    return piece;
}

/* A group's descriptors: a lane's four words stand 32 apart. */
static __device__ __forceinline__ void predict_publish(uint64_t *descriptors, uint32_t state,
                                                       const struct predict_piece &piece)
{
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
        lookback_store(descriptors + 32 * i, state, piece.word[i]);
}

/* Where each warp is a group, groups of a chunk follow each other: one waits for the one before, and puts its
 * own number and words where it has read those. */
static __device__ __forceinline__ struct predict_piece predict_receive(const uint64_t *descriptors,
                                                                       uint32_t group)
{
    uint64_t descriptor[4];
    bool missing;
    do {
        missing = false;
#pragma unroll
        for (unsigned i = 0; i < 4; i++) {
            descriptor[i] = load_relaxed(descriptors + 32 * i);
            missing |= descriptor[i] >> 32 != group;
        }
    } while (__any_sync(~0u, missing)); /* together, so that they ask for whole lines */
    return {
        {(uint32_t)descriptor[0], (uint32_t)descriptor[1], (uint32_t)descriptor[2], (uint32_t)descriptor[3]}};
}

/* Waits until a group before has published something, and leaves it where the other warps find it. */
static __device__ __forceinline__ void predict_look(const uint64_t *descriptors, bool exists,
                                                    uint64_t seen[4][32])
{
    uint64_t descriptor[4];
    bool missing;
    do {
        missing = false;
#pragma unroll
        for (unsigned i = 0; i < 4; i++) {
            descriptor[i] = exists ? load_relaxed(descriptors + 32 * i) : (uint64_t)LOOKBACK_ALL << 32;
            missing |= descriptor[i] >> 32 == LOOKBACK_NOTHING;
        }
    } while (__any_sync(~0u, missing)); /* together, so that they ask for whole lines */
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
        seen[i][threadIdx.x % 32] = descriptor[i];
}

/* What all groups before have, for all threads of the CTA. `exists`: the warp has a chunk. */
static __device__ __forceinline__ struct predict_piece predict_look_back(
    const struct predict_chain_shape &shape, const uint64_t *descriptors, uint32_t group, bool exists,
    struct predict_chain_shared *shared)
{
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, span = warp % shape.spans;
    const size_t stride = (size_t)shape.chunks * 128;
    struct predict_piece before = {{0, 0, 0, 0}};
    bool ended[4] = {false, false, false, false};
    for (uint32_t turn = 0, nearest = group;; turn ^= 1) { /* the one behind the nearest of this turn */
        const bool one = exists && span < nearest;
        predict_look(descriptors + (one ? (nearest - 1 - span) * stride : 0), one, shared->seen[warp]);
        __syncthreads();
        if (threadIdx.x == 0)
            shared->open[turn ^ 1] = 0;
        for (uint32_t other = warp - span; other < warp - span + shape.spans; other++)
#pragma unroll
            for (unsigned i = 0; i < 4; i++) {
                const uint64_t descriptor = shared->seen[other][i][lane];
                before.word[i] ^= ended[i] ? 0 : (uint32_t)descriptor;
                ended[i] |= descriptor >> 32 == LOOKBACK_ALL;
            }
        or_shared(&shared->open[turn], !(ended[0] && ended[1] && ended[2] && ended[3]));
        __syncthreads();
        if (!shared->open[turn])
            return before;
        nearest -= min(nearest, shape.spans);
    }
}

/* To the grid, whose slices begin anywhere. A row goes through shared memory, so that lanes next to each
 * other store values next to each other. */
template <typename Word>
static __device__ __forceinline__ void predict_store_rows(const struct predict_task &task,
                                                          const struct predict_lane &own,
                                                          const Word value[CHAIN_SLICES][16 / sizeof(Word)],
                                                          Word *staged)
{
    enum { ROWS = 16 / sizeof(Word), LANES = 32 / ROWS };
    const uint32_t lane = threadIdx.x % 32;
    Word *grid[ROWS];
    uint32_t slices[ROWS];
#pragma unroll
    for (unsigned i = 0; i < ROWS; i++) {
        const uint32_t first = __shfl_sync(~0u, own.first, i * LANES),
                       at = __shfl_sync(~0u, own.row, i * LANES) * 32 + lane;
        grid[i] = (Word *)task.grid + ((size_t)first + 1) * task.values + at;
        slices[i] = at < task.values && first < task.slices ? task.slices - first : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < CHAIN_SLICES; k++) {
        predict_store_vector(staged + lane * ROWS, value[k]);
        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < ROWS; i++) {
            if (k < slices[i])
                *grid[i] = staged[i * 32 + lane];
            grid[i] += task.values;
        }
        __syncwarp();
    }
}

template <typename Word, bool LARGE, bool ALONE>
__global__ void __launch_bounds__(predict_chain_size<ALONE>::threads, predict_chain_size<ALONE>::ctas)
    predict_chain(const struct predict_task task, const struct predict_chain_shape shape)
{
    enum { VALUES = 16 / sizeof(Word), LANES = 32 / VALUES };
    __shared__ __align__(16) struct predict_chain_shared shared;
    if (task.result->status)
        return;
    if (threadIdx.x == 0) {
        shared.ticket = atomicAdd(task.ticket, 1);
        shared.open[0] = 0;
    }
    __syncthreads();
    const uint32_t spans = ALONE ? 1 : shape.spans, parts = ALONE ? 1 : shape.parts,
                   columns = ALONE ? (uint32_t)VALUES : shape.columns;
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, span = warp % spans, slot = lane / LANES,
                   cta_chunks = predict_chain_size<ALONE>::warps / spans,
                   ctas = (shape.chunks + cta_chunks - 1) / cta_chunks, group = shared.ticket / ctas,
                   chunk = shared.ticket % ctas * cta_chunks + warp / spans,
                   part = (group * spans + span) * parts + slot / columns;
    const bool exists = chunk < shape.chunks, passes = exists && span == 0 && group + 1 < shape.groups;
    if (ALONE && !exists)
        return;
    const struct predict_lane own =
        predict_lane_of<Word>(task, part * CHAIN_SLICES, chunk * columns + slot % columns);
    Word value[CHAIN_SLICES][VALUES];
    predict_differences<Word, LARGE, CHAIN_SLICES>(task, own, value);
#pragma unroll
    for (unsigned k = 1; k < CHAIN_SLICES; k++)
#pragma unroll
        for (unsigned i = 0; i < VALUES; i++)
            value[k][i] ^= value[k - 1][i];

    struct predict_piece carry,
        all = predict_warp_total(parts, predict_piece_of(value[CHAIN_SLICES - 1]), &carry);
    if (!ALONE) {
        shared.total[warp][lane] = all;
        __syncthreads();
        all = {{0, 0, 0, 0}};
        for (uint32_t i = 0; i < spans; i++) {
            const struct predict_piece other = shared.total[warp - span + i][lane];
            all.change(other);
            if (i < span)
                carry.change(other);
        }
    }
    uint64_t *const descriptors = task.last + (size_t)chunk * 128 + lane;
    uint64_t *const mine = descriptors + (ALONE ? 0 : (size_t)group * shape.chunks * 128);
    struct predict_piece before;
    if (group && ALONE) {
        before = predict_receive(descriptors, group);
    } else if (group) {
        if (passes)
            predict_publish(mine, LOOKBACK_OWN, all);
        before = predict_look_back(shape, descriptors, group, exists, &shared);
    } else {
        Word first[VALUES];
#pragma unroll
        for (unsigned i = 0; i < VALUES; i++)
            first[i] = i < own.count ? ((const Word *)task.grid)[own.value + i] : 0;
        before = predict_piece_of(first);
    }
    all.change(before);
    if (passes)
        predict_publish(mine, ALONE ? group + 1 : LOOKBACK_ALL, all);
    carry.change(before);
#pragma unroll
    for (unsigned k = 0; k < CHAIN_SLICES; k++)
        predict_change(carry, value[k]);
    if (task.values % VALUES) {
        predict_store_rows(task, own, value, (Word *)shared.seen[warp]);
        return;
    }
    Word *const grid = (Word *)task.grid + ((size_t)own.first + 1) * task.values + own.value;
#pragma unroll
    for (unsigned k = 0; k < CHAIN_SLICES; k++) /* the lane has no values, or all */
        if (own.count && own.first + k < task.slices)
            predict_store_vector(grid + (size_t)k * task.values, value[k]);
}

#endif
