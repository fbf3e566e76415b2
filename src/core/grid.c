/* SPDX-License-Identifier: MIT
 * Types and shapes: their names, sizes and limits, and the order of bytes in values. */
#include "core/grid.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/bytes.h"

static const char *const dtype_names[] = {[FPGZ_F32] = "f32", [FPGZ_F64] = "f64", [FPGZ_U8] = "u8"};

const char *fpgz_dtype_name(enum fpgz_dtype dtype)
{
    return dtype_names[dtype];
}

bool fpgz_dtype_parse(const char *name, enum fpgz_dtype *dtype)
{
    for (*dtype = FPGZ_F32; *dtype <= FPGZ_U8; ++*dtype)
        if (!strcmp(name, dtype_names[*dtype]))
            return true;
    return false;
}

bool fpgz_dtype_known(unsigned dtype)
{
    return dtype >= FPGZ_F32 && dtype <= FPGZ_U8;
}

uint64_t fpgz_grid_values(const struct fpgz_grid *grid)
{
    uint64_t values = 1;
    for (unsigned d = 0; d < grid->dims; d++)
        values *= grid->extent[d];
    return values;
}

size_t fpgz_grid_bytes(const struct fpgz_grid *grid)
{
    return (size_t)fpgz_grid_values(grid) * fpgz_dtype_size(grid->dtype);
}

bool fpgz_grid_valid(const struct fpgz_grid *grid)
{
    if (!fpgz_dtype_known(grid->dtype))
        return false;
    if (grid->dims < 1 || grid->dims > FPGZ_MAX_CODING_DIMS)
        return false;
    /* Zero extents count as one here, so that 0 x 2^60 x 2^60 is refused: elsewhere the extents may be
     * multiplied in another order, and overflow. */
    uint64_t bytes = fpgz_dtype_size(grid->dtype);
    for (unsigned d = 0; d < grid->dims; d++)
        if (grid->extent[d] && !fpgz_mul(bytes, grid->extent[d], &bytes))
            return false;
    return bytes <= INT64_MAX && bytes <= SIZE_MAX;
}

char *fpgz_shape_text(const uint64_t *extent, unsigned dims, char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned d = 0; d < dims && used < capacity; d++)
        used += extent[d] == FPGZ_UNKNOWN
                    ? (size_t)snprintf(text + used, capacity - used, d ? "x*" : "*")
                    : (size_t)snprintf(text + used, capacity - used, d ? "x%" PRIu64 : "%" PRIu64, extent[d]);
    return text;
}

void fpgz_grid_swap(const struct fpgz_grid *grid, uint8_t *data)
{
    const uint64_t values = fpgz_grid_values(grid);
    if (grid->dtype == FPGZ_F64)
        for (uint64_t i = 0; i < values; i++)
            fpgz_store64(data + 8 * i, __builtin_bswap64(fpgz_load64(data + 8 * i)));
    else if (grid->dtype == FPGZ_F32)
        for (uint64_t i = 0; i < values; i++)
            fpgz_store32(data + 4 * i, __builtin_bswap32(fpgz_load32(data + 4 * i)));
}
