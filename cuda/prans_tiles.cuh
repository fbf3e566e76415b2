/* SPDX-License-Identifier: MIT
 * From symbols to sums along rows and along two axes at once: a block of threads has a tile of whole rows,
 * one below the other, in shared memory, and goes from tile to tile along the second axis. What the rows
 * above sum up to comes from the tiles above, as lookback.cuh has it, but with a sum a column. */
#ifndef FPGZ_CUDA_PRANS_TILES_CUH
#define FPGZ_CUDA_PRANS_TILES_CUH

#include "lookback.cuh"
#include "prans_rows.cuh"

enum {
    PRANS_TILE_WARPS = 8,
    PRANS_TILE_THREADS = 32 * PRANS_TILE_WARPS,
    PRANS_TILE_BLOCKS = 4,       /* of a multiprocessor */
    PRANS_TILE_ROWS = 8,         /* of a thread's part of a tile */
    PRANS_TILE_GROUPS_MOST = 16, /* parts below each other */
    PRANS_TILE_ROW_LEAST = 32,   /* values of a row, so that there are few tiles */
    PRANS_TILE_ROW_MOST = 4 * PRANS_TILE_THREADS,
    PRANS_TILE_STACK_MOST = 16, /* tiles that a block of threads works on one after the other */
};

/* Columns of a thread's part. */
template <typename WORD> struct prans_part {
    enum { EACH = sizeof(WORD) < 8 ? 4 : 2 };
};

/* Which of the axes in `axes` that have at most `most` rows has most of them; k.f.axes if there is none. */
static unsigned prans_longest(const prans_work &k, unsigned axes, uint32_t most)
{
    unsigned found = k.f.axes;
    for (unsigned a = k.f.axes; a-- > 0;)
        if (axes >> a & 1 && k.f.extent[a] <= most &&
            (found == k.f.axes || k.f.extent[a] > k.f.extent[found]))
            found = a;
    return found;
}

/* Values from one row to the next along an axis. */
static uint32_t prans_stride(const prans_work &k, unsigned axis)
{
    uint32_t stride = k.f.row;
    for (unsigned a = k.f.axes; --a > axis;)
        stride *= k.f.extent[a];
    return stride;
}

/* How a chunk is cut, along the axis that has most rows, if there is another one of few rows to stack tiles
 * along. Without one, prans_rows() and prans_columns() are as fast. */
template <typename WORD> static prans_tiling prans_tiling_of(const prans_work &k)
{
    enum { EACH = prans_part<WORD>::EACH, THREADS = PRANS_TILE_THREADS, ROWS = PRANS_TILE_ROWS };
    prans_tiling t = {};
    const unsigned axis = prans_longest(k, k.f.selected, UINT32_MAX),
                   other = prans_longest(k, k.f.selected & ~(1u << axis), PRANS_TILE_STACK_MOST);
    if (axis == k.f.axes || other == k.f.axes || k.f.row < PRANS_TILE_ROW_LEAST || k.f.row > EACH * THREADS)
        return t;
    t.axes = 1u << axis | 1u << other;
    t.extent = k.f.extent[axis];
    t.width = prans_stride(k, axis);
    t.stack = k.f.extent[other];
    t.step = prans_stride(k, other);
    t.vectors = (k.f.row + EACH - 1) / EACH;
    t.groups = (uint32_t)fpgz_min(THREADS / t.vectors,
                                  fpgz_min(PRANS_TILE_GROUPS_MOST, (t.extent + ROWS - 1) / ROWS));
    t.strips = (t.extent + ROWS * t.groups - 1) / (ROWS * t.groups);
    t.beside = k.f.values / k.f.row / t.extent / t.stack;
    return t;
}

/* Values of a row of a tile in shared memory: parts and fours are whole. */
template <typename WORD>
static __host__ __device__ __forceinline__ uint32_t prans_pitch(const prans_tiling &t)
{
    return (t.vectors * prans_part<WORD>::EACH + 3) / 4 * 4;
}

/* Bytes of shared memory of a block: the tile, sums of groups, the sums above, and those before a stack's
 * next tile. */
template <typename WORD>
static __host__ __device__ __forceinline__ size_t prans_tile_shared(const prans_tiling &t)
{
    typedef typename prans_types<WORD>::wide WIDE;
    return prans_pitch<WORD>(t) *
               (t.groups * PRANS_TILE_ROWS * sizeof(WORD) + (t.groups + 1) * sizeof(WIDE)) +
           PRANS_TILE_THREADS * PRANS_TILE_ROWS * prans_part<WORD>::EACH * sizeof(WIDE);
}

/* The first value of row number `number` of those that are in no tile together. */
static __device__ __forceinline__ uint32_t prans_apart(const prans_work &k, uint32_t number)
{
    uint32_t stride = k.f.row, at = 0;
#pragma unroll
    for (int a = MIDDLE_AXES - 1; a >= 0; a--) {
        if (a >= (int)k.f.axes)
            continue;
        if (!(k.tiling.axes >> a & 1)) {
            at += number % k.f.extent[a] * stride;
            number /= k.f.extent[a];
        }
        stride *= k.f.extent[a];
    }
    return at + number * stride;
}

/* Blocks of values of a warp's rows, one after the other. */
struct prans_walk {
    uint32_t row, begin, block;

    __device__ __forceinline__ void go(uint32_t values, uint32_t width)
    {
        block += MIDDLE_BLOCK;
        if (block < begin + values)
            return;
        row += PRANS_TILE_WARPS;
        begin += PRANS_TILE_WARPS * width;
        block = begin / MIDDLE_BLOCK * MIDDLE_BLOCK;
    }
};

/* Sums along rows of a tile: `rows` rows from value number `begin` on, a warp a row. */
template <typename WORD, typename WIDE>
static __device__ __forceinline__ void prans_fill_tile(const prans_work &k, const prans_meanings<WIDE> &of,
                                                       uint32_t begin, uint32_t rows, uint32_t pitch,
                                                       WORD *tile)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const uint32_t values = k.f.row, width = k.tiling.width;
    prans_walk at = {warp, begin + warp * width, 0};
    if (warp >= rows)
        return;
    at.block = at.begin / MIDDLE_BLOCK * MIDDLE_BLOCK;
    prans_walk next = at;
    WIDE run[PRANS_ORDERS] = {};
    prans_residuals<WIDE> residuals;
    residuals.begin(k, at.block);
    residuals.fetch(k, of, at.block);
    next.go(values, width);
    if (next.row < rows)
        residuals.begin(k, next.block);
    while (at.row < rows) {
        const uint32_t x = at.block + 4 * lane - at.begin;
        WIDE v[4];
        residuals.take(k, v);
        if (next.row < rows)
            residuals.fetch(k, of, next.block);
        prans_walk later = next;
        later.go(values, width);
        if (later.row < rows)
            residuals.begin(k, later.block);
        prans_clip(x, values, v);
#pragma unroll
        for (unsigned o = 0; o < PRANS_ORDERS; o++) {
            if (o >= k.order)
                break;
            prans_sum(v, &run[o]);
            run[o] = next.row == at.row ? run[o] : 0;
        }
        WORD *const to = tile + at.row * pitch + (int32_t)x;
        if (at.begin % 4 == 0) {
            if (x < values)
                prans_store_four(to, v);
        } else {
            for (unsigned i = 0; i < 4; i++)
                if (x + i < values)
                    to[i] = (WORD)v[i];
        }
        at = next;
        next = later;
    }
}

/* How many tiles above the one above have not summed up all above them, by a whole warp; once it is known. */
static __device__ __forceinline__ uint32_t prans_depth(const uint32_t *marks, uint32_t strip, uint32_t beside)
{
    const unsigned lane = threadIdx.x % 32, all = 0xFFFFFFFF;
    uint32_t depth = 0, end;
    do {
        const int64_t mine = (int64_t)strip - 1 - depth - lane;
        bool ready;
        do {
            const uint32_t mark = mine >= 0 ? load_acquire(marks + mine * beside) : (uint32_t)LOOKBACK_ALL;
            const uint32_t ends = __ballot_sync(all, mark == LOOKBACK_ALL),
                           missing = __ballot_sync(all, mark == LOOKBACK_NOTHING);
            end = ends ? __ffs(ends) - 1 : 32;
            ready = !(missing & (end < 32 ? (1u << end) - 1 : all));
        } while (!ready);
        depth += end;
    } while (end == 32);
    return depth;
}

/* A tile that is summed up along its rows and columns: what a thread has of it. */
template <typename WORD> struct prans_tile_part {
    typedef typename prans_types<WORD>::wide WIDE;
    enum { EACH = prans_part<WORD>::EACH, ROWS = PRANS_TILE_ROWS };
    typedef prans_some<WIDE, EACH> SUMS;
    uint32_t vector, group, row, rows; /* of the thread's rows, the first and how many */
    WIDE v[ROWS][EACH];

    /* Sums within the part, whose totals it leaves. */
    __device__ __forceinline__ void sum(const prans_tiling &t, const WORD *tile, uint32_t pitch, SUMS *totals)
    {
        SUMS total = {};
#pragma unroll
        for (unsigned r = 0; r < ROWS; r++) {
            prans_some<WORD, EACH> some = {};
            if (r < rows)
                some = *(const prans_some<WORD, EACH> *)(tile + (row + r) * pitch + vector * EACH);
            for (unsigned i = 0; i < EACH; i++)
                v[r][i] = total.word[i] += some.word[i];
        }
        if (group < t.groups)
            totals[threadIdx.x] = total;
    }

    __device__ __forceinline__ void add(const SUMS &before)
    {
#pragma unroll
        for (unsigned r = 0; r < ROWS; r++)
            for (unsigned i = 0; i < EACH; i++)
                v[r][i] += before.word[i];
    }

    /* Adds what the tile before in the stack has, and leaves what there is now. */
    __device__ __forceinline__ void pile(bool is_first, SUMS *stack)
    {
#pragma unroll
        for (unsigned r = 0; r < ROWS; r++) {
            SUMS *const at = stack + r * PRANS_TILE_THREADS + threadIdx.x;
            SUMS sums = is_first ? SUMS() : *at;
            for (unsigned i = 0; i < EACH; i++)
                v[r][i] = sums.word[i] += v[r][i];
            *at = sums;
        }
    }
};

/* Brings the sums of all tiles above tile number `number` of a strip into `above`, where there are any, and
 * tells those below. By all threads; behind it they see `above`. */
template <typename SUMS, int EACH>
static __device__ __forceinline__ void prans_add_above(const prans_work &k, uint32_t strip, uint32_t number,
                                                       const SUMS *totals, SUMS *above, uint32_t *depth)
{
    const prans_tiling &t = k.tiling;
    const uint32_t beside = t.beside * t.stack, vector = threadIdx.x;
    const bool has_vector = vector < t.vectors, goes_on = strip + 1 < t.strips;
    uint32_t *const marks = k.turn + 1 + number, *const mark = marks + strip * beside;
    const size_t higher = (size_t)beside * 2 * t.vectors;
    SUMS *const own = (SUMS *)k.above + strip * higher + number * 2 * t.vectors + vector, *const both =
                                                                                              own + t.vectors;
    SUMS sums = {};
    if (has_vector)
        for (unsigned g = 0; g < t.groups; g++)
            for (unsigned i = 0; i < EACH; i++)
                sums.word[i] += totals[g * t.vectors + vector].word[i];
    if (goes_on) {
        if (has_vector)
            *(strip ? own : both) = sums;
        __syncthreads();
        if (threadIdx.x == 0)
            store_release(mark, strip ? LOOKBACK_OWN : LOOKBACK_ALL);
    }
    if (!strip)
        return;
    if (threadIdx.x < 32) {
        const uint32_t found = prans_depth(marks, strip, beside);
        if (threadIdx.x == 0)
            *depth = found;
    }
    __syncthreads();
    if (has_vector) {
        SUMS before = *(both - (*depth + 1) * higher);
        for (uint32_t d = 1; d <= *depth; d++)
            for (unsigned i = 0; i < EACH; i++)
                before.word[i] += (own - d * higher)->word[i];
        above[vector] = before;
        for (unsigned i = 0; i < EACH; i++)
            sums.word[i] += before.word[i];
        if (goes_on)
            *both = sums;
    }
    __syncthreads();
    if (goes_on && threadIdx.x == 0)
        store_release(mark, LOOKBACK_ALL);
}

/* Blocks take stacks of tiles in the order in which they start, so that those above have started:
 * strip by strip, and all chunks at once. */
template <typename WORD>
static __global__ void __launch_bounds__(PRANS_TILE_THREADS, PRANS_TILE_BLOCKS)
    prans_tiles(const __grid_constant__ prans_batch batch)
{
    typedef prans_tile_part<WORD> PART;
    typedef typename PART::SUMS SUMS;
    enum { EACH = PART::EACH, ROWS = PART::ROWS };
    extern __shared__ uint4 prans_shared[];
    __shared__ prans_meanings<typename PART::WIDE> of;
    __shared__ uint32_t ticket, depth;
    const prans_work &k = batch.work[blockIdx.x % batch.count];
    const prans_tiling &t = k.tiling;
    if (k.result->status || blockIdx.x / batch.count >= t.strips * t.beside)
        return;
    if (threadIdx.x == 0)
        ticket = atomicAdd(k.turn, 1u);
    of.load(k);
    const uint32_t strip = ticket / t.beside, column = ticket - strip * t.beside;
    const uint32_t pitch = prans_pitch<WORD>(t), first = strip * t.groups * ROWS, left = t.extent - first;
    WORD *const tile = (WORD *)prans_shared;
    SUMS *const totals = (SUMS *)(tile + pitch * t.groups * ROWS),
                *const above = totals + t.groups * t.vectors, *const stack = above + t.vectors;
    PART part;
    part.vector = threadIdx.x % t.vectors;
    part.group = threadIdx.x / t.vectors;
    part.row = part.group * ROWS;
    part.rows = part.group < t.groups && part.row < left ? min(left - part.row, (uint32_t)ROWS) : 0;
    uint32_t base = prans_apart(k, column) + first * t.width;
    for (uint32_t plane = 0; plane < t.stack; plane++, base += t.step) {
        prans_fill_tile(k, of, base, min(left, t.groups * ROWS), pitch, tile);
        __syncthreads();
        part.sum(t, tile, pitch, totals);
        __syncthreads();
        prans_add_above<SUMS, EACH>(k, strip, plane * t.beside + column, totals, above, &depth);
        SUMS before = strip ? above[part.vector] : SUMS();
        for (unsigned g = 0; g < part.group && g < t.groups; g++)
            for (unsigned i = 0; i < EACH; i++)
                before.word[i] += totals[g * t.vectors + part.vector].word[i];
        part.add(before);
        part.pile(plane == 0, stack);
        const uint32_t begin = base + part.row * t.width;
        prans_put<WORD, ROWS, EACH>(k, begin, begin + k.f.row, begin + part.vector * EACH, t.width, part.rows,
                                    part.v);
    }
}

#endif
