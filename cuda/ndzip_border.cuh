/* SPDX-License-Identifier: MIT
 * ndzip's border: the values that no hypercube covers, which are stored as they are. */
#ifndef FPGZ_CUDA_NDZIP_BORDER_CUH
#define FPGZ_CUDA_NDZIP_BORDER_CUH

#include <stdint.h>

enum { NDZIP_SHARE = 2048 /* values of the border that a block of the decoder restores, for each team */ };

/* The border in the stream's order: for each plane of the part that hypercubes cover, the ends of its rows,
 * then its last rows; then the last planes. In values, as all fit in 32 bits. */
struct ndzip_border {
    uint32_t row, plane;                  /* distances */
    uint32_t covered_x, covered_y;        /* values that hypercubes cover */
    uint32_t tail;                        /* of a covered row */
    uint32_t of_plane, of_planes, of_all; /* of a covered plane, of all those, of the grid */
    uint32_t last_planes;                 /* where they begin */
    uint32_t in_runs;                     /* ends of rows, which runs of hypercubes restore */
};

/* Where in the stream's border value i of those stands that are not in runs: of each covered plane its last
 * rows, then the last planes. */
static __device__ __forceinline__ uint32_t ndzip_border_index(const struct ndzip_border &b, uint32_t i)
{
    const uint32_t tails = b.covered_y * b.tail, rows = b.of_plane - tails, all = b.of_planes - b.in_runs;
    return i < all ? i / rows * b.of_plane + tails + i % rows : i + b.in_runs;
}

/* The place in the grid of value i of the border. */
static __device__ __forceinline__ uint32_t ndzip_border_place(const struct ndzip_border &b, uint32_t i)
{
    if (i >= b.of_planes)
        return b.last_planes + (i - b.of_planes);
    const uint32_t z = i / b.of_plane, rest = i % b.of_plane, tails = b.covered_y * b.tail;
    if (rest >= tails)
        return z * b.plane + b.covered_y * b.row + (rest - tails);
    return z * b.plane + rest / b.tail * b.row + b.covered_x + rest % b.tail;
}

/* How blocks of threads share hypercubes and border. A slab is the hypercubes side by side along all axes but
 * the slowest, in `runs` runs, and the `values` of the border between it and the next, which `blocks` blocks
 * behind its own restore, `share` each: so that lines of memory which both write are whole soon. In one
 * dimension a slab is a hypercube. A run is one hypercube, or up to `run` of a row, which has `segments`
 * runs. What the last slab leaves of the border is for the last blocks. */
struct ndzip_slabs {
    uint32_t count, runs, segments, run, values, blocks, share;
};

/* What one block does: a run of a slab, or with `first` < `end` values of the border. */
struct ndzip_share {
    uint32_t slab, run, first, end;
};

static __device__ __forceinline__ struct ndzip_share ndzip_share(const struct ndzip_slabs &slabs,
                                                                 const struct ndzip_border &border,
                                                                 uint32_t block)
{
    const uint32_t blocks = slabs.runs + slabs.blocks, slab = min(block / blocks, slabs.count),
                   rest = block - slab * blocks;
    if (slab < slabs.count && rest < slabs.runs)
        return {slab, rest, 0, 0};
    const uint32_t before = slab * slabs.values,
                   first = before + (slab < slabs.count ? rest - slabs.runs : rest) * slabs.share,
                   end = slab < slabs.count ? before + slabs.values : border.of_all - border.in_runs;
    return {0, 0, first, min(first + slabs.share, end)};
}

/* Restores a share of the border, from the border's words. TEAM: threads of a team. */
template <bool RUNS, int TEAM, typename VALUE>
static __device__ __forceinline__ void ndzip_restore_border(const struct ndzip_border &border,
                                                            const struct ndzip_share &share,
                                                            const VALUE *words, VALUE *grid)
{
    const uint32_t threads = RUNS ? blockDim.x : TEAM;
#pragma unroll
    for (uint32_t k = 0; k < NDZIP_SHARE / TEAM; k++) {
        const uint32_t i = share.first + k * threads + threadIdx.x;
        if (i < share.end) {
            const uint32_t at = RUNS ? ndzip_border_index(border, i) : i;
            grid[ndzip_border_place(border, at)] = words[at];
        }
    }
}

#endif
