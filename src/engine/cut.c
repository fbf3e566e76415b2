/* SPDX-License-Identifier: MIT
 * How an array is cut into chunks. */
#include "engine/cut.h"

#include <string.h>

#include "codec/codec.h"
#include "core/bytes.h"

/* A smaller unaligned rest stays with the aligned rows before it: the head of a section of its own would
 * cost more than the gain. */
enum { REST_BYTES = 64 << 10 };

/* For codecs that learn so does one that is more than a part of so many: what repeats, or is mirrored, in
 * rows before it is worth more than blocks. */
enum { REST_PART = 4 };

/* Chunks above this size are those of codecs that learn: they need no blocks. */
enum { USUAL_BYTES = 4 << 20 };

/* The array's extents without those of 1, as a grid of at most 4 dimensions: the slowest axis and the two
 * fastest stay, those between are merged. False when an extent does not fit. */
static bool squeeze(enum fpgz_dtype dtype, const uint64_t *extent, unsigned dims, struct fpgz_grid *shape)
{
    *shape = (struct fpgz_grid){dtype, 0, {1, 1, 1, 1}};
    unsigned left = 0;
    for (unsigned d = 0; d < dims; d++)
        left += extent[d] != 1;
    for (unsigned d = 0; d < dims; d++) {
        if (extent[d] == 1)
            continue;
        if (shape->dims == 2 && left > 2) {
            if (!fpgz_mul(shape->extent[1], extent[d], &shape->extent[1]))
                return false;
        } else {
            shape->extent[shape->dims++] = extent[d];
        }
        left--;
    }
    shape->dims += shape->dims == 0;
    return true;
}

/* Merges the two slowest axes; an unknown extent stays unknown. */
static bool merge_slowest(struct fpgz_grid *shape)
{
    const bool open = shape->extent[0] == FPGZ_UNKNOWN;
    if (!open && !fpgz_mul(shape->extent[0], shape->extent[1], &shape->extent[0]))
        return false;
    shape->dims--;
    for (unsigned d = 1; d < FPGZ_MAX_CODING_DIMS; d++)
        shape->extent[d] = d + 1 < FPGZ_MAX_CODING_DIMS && d < shape->dims ? shape->extent[d + 1] : 1;
    return true;
}

/* Rows along the slowest axis that make up whole blocks. With four dimensions a row is several planes. */
static uint64_t alignment(const struct fpgz_grid *shape)
{
    const uint64_t side = fpgz_block_side(shape->dims);
    uint64_t rows = side;
    while (shape->dims == 4 && rows > 1 && rows / 2 * (shape->extent[1] % side) % side == 0)
        rows /= 2;
    return rows;
}

bool fpgz_cut_plan(enum fpgz_dtype dtype, const uint64_t *extent, unsigned dims, uint64_t target,
                   uint64_t slab, struct fpgz_cut *cut)
{
    struct fpgz_grid *shape = &cut->shape;
    if (!squeeze(dtype, extent, dims, shape))
        return false;
    for (;;) {
        struct fpgz_grid row = *shape;
        uint64_t unit;
        row.extent[0] = 1;
        if (!fpgz_grid_valid(&row) || (shape->extent[0] != FPGZ_UNKNOWN && !fpgz_grid_valid(shape)))
            return false;
        cut->row_bytes = fpgz_grid_bytes(&row);
        cut->align = alignment(shape);
        const uint64_t most = shape->dims == 4 ? fpgz_min(4 * target, FPGZ_CHUNK_LIMIT)
                              : target > slab  ? target
                                               : slab;
        if (fpgz_mul(cut->align, cut->row_bytes, &unit) && unit <= most) {
            cut->rows = cut->align * (target > unit ? target / unit : 1);
            return true;
        }
        if (target > USUAL_BYTES && shape->extent[0] && fpgz_grid_valid(shape) &&
            fpgz_grid_bytes(shape) <= target) { /* few rows, all in one chunk */
            cut->align = cut->rows = shape->extent[0];
            return true;
        }
        if (shape->dims == 1 || !merge_slowest(shape))
            return false;
    }
}

bool fpgz_cut_pieces(enum fpgz_dtype dtype, const uint64_t *extent, unsigned dims, uint64_t count,
                     uint64_t target, struct fpgz_cut *cut)
{
    struct fpgz_grid *shape = &cut->shape;
    if (!squeeze(dtype, extent, dims, shape) || !fpgz_grid_valid(shape) || fpgz_grid_bytes(shape) > target)
        return false;
    cut->align = shape->extent[0];
    cut->row_bytes = fpgz_grid_bytes(shape) / cut->align;
    cut->rows = target / fpgz_grid_bytes(shape) * cut->align;
    return fpgz_mul(cut->align, count, &shape->extent[0]) && fpgz_grid_valid(shape);
}

bool fpgz_cut_planes(enum fpgz_dtype dtype, const uint64_t *extent, unsigned dims, uint64_t count,
                     uint64_t target, struct fpgz_cut *cut)
{
    uint64_t all[FPGZ_MAX_DIMS];
    memcpy(all, extent, dims * sizeof *all);
    if (!fpgz_mul(extent[0], count, &all[0]) || !squeeze(dtype, all, dims, &cut->shape) ||
        !fpgz_grid_valid(&cut->shape))
        return false;
    const uint64_t piece = fpgz_grid_bytes(&cut->shape) / count;
    cut->align = cut->shape.extent[0] / count;
    cut->row_bytes = piece / cut->align;
    cut->rows = target / piece * cut->align;
    return piece <= target;
}

/* Whether the slowest axis is as long as another one: such a grid may be symmetric. */
static bool is_square(const struct fpgz_grid *shape)
{
    bool square = false;
    for (unsigned axis = 1; axis < shape->dims; axis++)
        square |= shape->extent[axis] == shape->extent[0];
    return square;
}

uint64_t fpgz_cut_next(const struct fpgz_cut *cut, uint64_t left)
{
    if (left >= cut->rows)
        return cut->rows;
    const uint64_t rest = left % cut->align;
    const bool learns = cut->rows * cut->row_bytes > USUAL_BYTES,
               stays = rest > left / REST_PART || is_square(&cut->shape);
    return rest == left || rest * cut->row_bytes < REST_BYTES || (learns && stays) ? left : left - rest;
}

struct fpgz_grid fpgz_cut_grid(const struct fpgz_cut *cut, uint64_t rows)
{
    struct fpgz_grid grid = cut->shape;
    grid.extent[0] = rows;
    return grid;
}
