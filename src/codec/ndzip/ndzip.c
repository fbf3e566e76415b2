/* SPDX-License-Identifier: MIT
 * ndzip's stream: offset table, hypercubes, border. The kernels in cube_*.c code a hypercube each. */
#include "codec/ndzip/ndzip.h"

#include <string.h>

#include "codec/codecs.h"
#include "core/bytes.h"
#include "core/cpu.h"

static size_t longest_cube(const struct ndzip_layout *l)
{
    return NDZIP_CUBE / (l->word * 8) * (l->word * 8 + 1);
}

struct ndzip_layout fpgz_ndzip_layout(const struct fpgz_grid *grid)
{
    struct ndzip_layout l = {
        .dims = grid->dims, .is_f64 = grid->dtype == FPGZ_F64, .word = fpgz_dtype_size(grid->dtype)};
    const unsigned missing = 3 - grid->dims;
    l.cube_count = 1;
    for (unsigned d = 0; d < 3; d++) {
        l.side[d] = d < missing ? 1 : fpgz_block_side(grid->dims);
        l.extent[d] = d < missing ? 1 : grid->extent[d - missing];
        l.cubes[d] = l.extent[d] / l.side[d];
        l.cube_count *= l.cubes[d];
    }
    for (unsigned d = 0; d < 3; d++) {
        l.cubes[d] = l.cube_count ? l.cubes[d] : 0;
        l.covered[d] = l.cubes[d] * l.side[d];
    }
    l.table_bytes = fpgz_round_up(l.cube_count * sizeof(uint32_t), l.word);
    l.border_bytes = fpgz_grid_bytes(grid) - l.cube_count * NDZIP_CUBE * l.word;
    return l;
}

/* Only complete hypercubes are compressed, so axes are merged with their slower neighbours when that
 * covers more values. Fewer dimensions predict worse, so they must cover an eighth more of the grid. */
static void fold(const struct fpgz_grid *grid, struct fpgz_grid *coded)
{
    struct fpgz_grid from;
    fpgz_fold_slowest(grid, 3, &from);
    *coded = from;
    size_t best = fpgz_ndzip_layout(coded).cube_count;
    const size_t margin = fpgz_grid_values(grid) / NDZIP_CUBE / 8;

    struct fpgz_grid candidates[3];
    unsigned count = 0;
    if (from.dims == 3) {
        candidates[count++] =
            (struct fpgz_grid){from.dtype, 2, {from.extent[0] * from.extent[1], from.extent[2], 1, 1}};
        candidates[count++] =
            (struct fpgz_grid){from.dtype, 2, {from.extent[0], from.extent[1] * from.extent[2], 1, 1}};
    }
    if (from.dims >= 2)
        candidates[count++] = (struct fpgz_grid){from.dtype, 1, {fpgz_grid_values(&from), 1, 1, 1}};
    for (unsigned i = 0; i < count; i++) {
        const size_t cubes = fpgz_ndzip_layout(&candidates[i]).cube_count;
        const bool fewer_dims = candidates[i].dims < coded->dims;
        if (cubes > best + (fewer_dims ? margin : 0)) {
            *coded = candidates[i];
            best = cubes;
        }
    }
}

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    (void)params;
    const struct ndzip_layout l = fpgz_ndzip_layout(grid);
    return l.table_bytes + l.cube_count * longest_cube(&l) * l.word + l.border_bytes + NDZIP_SLACK;
}

/* A copy of the last hypercubes' words, with the slack that kernels may read. */
static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    (void)params;
    const struct ndzip_layout l = fpgz_ndzip_layout(grid);
    return longest_cube(&l) * l.word + NDZIP_SLACK;
}

static const struct ndzip_kernels *kernels(const struct ndzip_layout *l)
{
    return fpgz_cpu_choose_word(fpgz_ndzip_kernels, l->word);
}

/* Byte distance from the grid's first value to that of the hypercube; 0 right behind the last one. */
static size_t cube_offset(const struct ndzip_layout *l, size_t cube)
{
    const size_t x = cube % l->cubes[2], y = cube / l->cubes[2] % l->cubes[1],
                 z = cube / l->cubes[2] / l->cubes[1] % l->cubes[0];
    return ((z * l->side[0] * l->extent[1] + y * l->side[1]) * l->extent[2] + x * l->side[2]) * l->word;
}

/* The border in the order of the stream, which is that of the grid; calls copy for each contiguous run of
 * it. */
static void for_each_border_run(const struct ndzip_layout *l,
                                void (*copy)(void *grid, void *stream, size_t bytes), uint8_t *grid,
                                uint8_t *stream)
{
    const size_t row = l->extent[2] * l->word, plane = l->extent[1] * row;
    const size_t row_tail = (l->extent[2] - l->covered[2]) * l->word,
                 plane_tail = (l->extent[1] - l->covered[1]) * row;
    for (size_t z = 0; z < l->covered[0]; z++) {
        for (size_t y = 0; y < l->covered[1] && row_tail; y++, stream += row_tail)
            copy(grid + z * plane + (y + 1) * row - row_tail, stream, row_tail);
        copy(grid + (z + 1) * plane - plane_tail, stream, plane_tail);
        stream += plane_tail;
    }
    copy(grid + l->covered[0] * plane, stream, (l->extent[0] - l->covered[0]) * plane);
}

static void to_stream(void *grid, void *stream, size_t bytes)
{
    memcpy(stream, grid, bytes);
}

static void to_grid(void *grid, void *stream, size_t bytes)
{
    memcpy(grid, stream, bytes);
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    const struct ndzip_layout l = fpgz_ndzip_layout(&coding->grid);
    if (fpgz_grid_values(&coding->grid) > UINT32_MAX || l.cube_count * longest_cube(&l) > UINT32_MAX)
        return FPGZ_LIMIT;
    ndzip_encode_cube *const encode_cube = kernels(&l)->encode[l.dims - 1];
    const struct ndzip_strides strides = {l.extent[2], l.extent[1] * l.extent[2]};
    const uint8_t *const grid = values;
    uint8_t *const cubes = stream + l.table_bytes;
    size_t words = 0;

    memset(stream, 0, l.table_bytes); /* an odd f64 table ends in four zero bytes */
    for (size_t i = 0, at = 0, next; i < l.cube_count; i++, at = next) {
        next = cube_offset(&l, i + 1);
        words += encode_cube(grid + at, strides, grid + next, cubes + words * l.word);
        fpgz_store32(stream + i * sizeof(uint32_t), (uint32_t)words);
    }
    for_each_border_run(&l, to_stream, (uint8_t *)values, cubes + words * l.word);
    *length = l.table_bytes + words * l.word + l.border_bytes;
    return FPGZ_OK;
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    const struct ndzip_layout l = fpgz_ndzip_layout(&coding->grid);
    if (length < l.table_bytes + l.border_bytes)
        return FPGZ_CORRUPT;
    ndzip_decode_cube *const decode_cube = kernels(&l)->decode[l.dims - 1];
    const struct ndzip_strides strides = {l.extent[2], l.extent[1] * l.extent[2]};
    const uint8_t *const cubes = stream + l.table_bytes;
    const size_t cubes_bytes = length - l.table_bytes - l.border_bytes;
    uint8_t *const grid = values;

    size_t start = 0;
    for (size_t i = 0, at = 0, next; i < l.cube_count; i++, at = next) {
        next = cube_offset(&l, i + 1);
        const size_t end = fpgz_load32(stream + i * sizeof(uint32_t)) * l.word;
        if (end > cubes_bytes || end < start + NDZIP_CUBE / 8 || end - start > longest_cube(&l) * l.word)
            return FPGZ_CORRUPT;
        const uint8_t *cube = cubes + start;
        if (end + NDZIP_SLACK > cubes_bytes + l.border_bytes)
            cube = memcpy(coding->scratch, cube, end - start);
        if (!decode_cube(cube, (end - start) / l.word, grid + at, strides, grid + next))
            return FPGZ_CORRUPT;
        start = end;
    }
    if (start != cubes_bytes)
        return FPGZ_CORRUPT;
    for_each_border_run(&l, to_grid, grid, (uint8_t *)cubes + start);
    return FPGZ_OK;
}

const struct fpgz_codec fpgz_ndzip = {
    .id = FPGZ_CODEC_NDZIP,
    .name = "ndzip",
    .summary = "hypercubes of 4096: integer Lorenzo transform, bit transposition",
    .dtypes = FPGZ_FLOATS_32_64,
    .max_dims = 3,
    .lossless = true,
    .kernels = &fpgz_ndzip_kernels[FPGZ_WORD_32],
    .fold = fold,
    .bound = bound,
    .memory = memory,
    .encode = encode,
    .decode = decode,
};
