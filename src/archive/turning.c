/* SPDX-License-Identifier: MIT
 * Codes a sample of an array both ways. */
#include "archive/turning.h"

#include <string.h>

#include "archive/coder.h"
#include "core/bytes.h"
#include "core/gather.h"

enum {
    LEAST_LEVEL = 4,
    LEAST_BYTES = 64 << 10,
    LEAST_ROWS = 8, /* along an axis that values are to be predicted along */
    MOST_ROWS = 64,
    SAMPLE_BYTES = 512 << 10,
    LONG_STRETCH = 1 << 20, /* chunks end where such ones do, and would have a row or two */
};

static bool is_tried(const struct fpgz_setup *setup, const struct fpgz_part *part)
{
    const uint64_t bytes = part->place.bytes, chunk = fpgz_max(setup->chunk, fpgz_setup_slab(setup));
    return fpgz_part_turns(part) && bytes >= LEAST_BYTES && fpgz_part_rows(part) >= LEAST_ROWS &&
           bytes / fpgz_part_rows(part) <= chunk / LEAST_ROWS &&
           (part->layout == FPGZ_DENSE || bytes / fpgz_place_spans(&part->place) < LONG_STRETCH);
}

/* What the sample takes of the array: as many columns of so many rows, in whole rows of the last axis where
 * these are short. */
static struct fpgz_grid plan_sample(const struct fpgz_part *part)
{
    const struct fpgz_array *const array = &part->array;
    const uint64_t row = fpgz_part_row(part), rows = fpgz_min(fpgz_part_rows(part), MOST_ROWS);
    const uint64_t most = fpgz_min(row, SAMPLE_BYTES / rows / fpgz_dtype_size(array->dtype));
    const unsigned dims = part->axes ? part->axes + 1 : array->dims;
    const uint64_t last = part->axes ? part->axis[part->axes - 1] : array->extent[array->dims - 1];
    if (dims > 2 && last > 1 && last <= most / 2)
        return (struct fpgz_grid){array->dtype, 3, {rows, most / last, last, 1}};
    return (struct fpgz_grid){array->dtype, 2, {rows, most, 1, 1}};
}

/* Bytes that the coder makes of the sample; SIZE_MAX where it cannot. */
static size_t coded(const struct fpgz_coder *coder, const struct fpgz_area *area,
                    const struct fpgz_part *part, struct fpgz_chunk_buffers *buffers)
{
    const struct fpgz_grid grid = plan_sample(part);
    const uint64_t size = fpgz_dtype_size(grid.dtype), row = fpgz_part_row(part) * size;
    const uint64_t bytes = fpgz_grid_bytes(&grid), piece = bytes / grid.extent[0];
    const uint64_t first = (row - piece) / 2 / size * size;
    struct fpgz_coder own = *coder;
    struct fpgz_coded result;
    uint64_t stopped;
    if (own.turn)
        own.turn = piece / size;
    if (!fpgz_buffer_reserve(&buffers->raw, bytes))
        return SIZE_MAX;
    for (uint64_t i = 0; i < grid.extent[0]; i++)
        if (!fpgz_gather(area, &part->place, i * row + first, buffers->raw.data + i * piece, piece, &stopped,
                         &result.raw_checksum))
            return SIZE_MAX;
    return fpgz_chunk_encode(&own, &grid, buffers, &result) ? SIZE_MAX : result.length;
}

void fpgz_turn_parts(const struct fpgz_setup *setup, const struct fpgz_input *input,
                     struct fpgz_content *content)
{
    const struct fpgz_area area = {input->fd, input->start, &content->image};
    struct fpgz_setup usual = *setup; /* slower levels take the same arrays, and so make no more of them */
    usual.level = setup->level < FPGZ_LEVEL_DEFAULT ? setup->level : FPGZ_LEVEL_DEFAULT;
    const int level = fpgz_coder_level(&usual, input, content);
    struct fpgz_chunk_buffers buffers = {0};
    for (size_t i = 0; i < content->count && level >= LEAST_LEVEL && !setup->codec; i++) {
        struct fpgz_part *const part = &content->part[i];
        if (!is_tried(setup, part))
            continue;
        struct fpgz_coder coder = fpgz_coder_of(&usual, level, part);
        coder.unverified = true;
        const double straight = (double)coded(&coder, &area, part, &buffers);
        coder.turn = 1;
        part->turned = (double)coded(&coder, &area, part, &buffers) < 0.99 * straight;
    }
    fpgz_chunk_buffers_free(&buffers);
}
