/* SPDX-License-Identifier: MIT
 * Types and shapes: their names, sizes and limits, and the order of bytes in values. */
#include "core/grid.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/bytes.h"
#include "core/inline.h"

/* Number 4 is of no dtype, for testdata/containers has a container that no reader may take. */
/* clang-format off */
const struct fpgz_dtype_row fpgz_dtypes[FPGZ_DTYPES] = {
    [FPGZ_F16]  = {"f16",  'f', 2, 5, 10},
    [FPGZ_BF16] = {"bf16", 'f', 2, 8, 7},
    [FPGZ_F32]  = {"f32",  'f', 4, 8, 23},
    [FPGZ_F64]  = {"f64",  'f', 8, 11, 52},
    [FPGZ_I8]   = {"i8",   'i', 1, 0, 0},
    [FPGZ_I16]  = {"i16",  'i', 2, 0, 0},
    [FPGZ_I32]  = {"i32",  'i', 4, 0, 0},
    [FPGZ_I64]  = {"i64",  'i', 8, 0, 0},
    [FPGZ_U8]   = {"u8",   'u', 1, 0, 0},
    [FPGZ_U16]  = {"u16",  'u', 2, 0, 0},
    [FPGZ_U32]  = {"u32",  'u', 4, 0, 0},
    [FPGZ_U64]  = {"u64",  'u', 8, 0, 0},
};
/* clang-format on */

bool fpgz_dtype_parse(const char *name, enum fpgz_dtype *dtype)
{
    for (unsigned i = 0; i < FPGZ_DTYPES; i++)
        if (fpgz_dtype_known(i) && !strcmp(name, fpgz_dtypes[i].name)) {
            *dtype = (enum fpgz_dtype)i;
            return true;
        }
    return false;
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
    /* Zero extents count as one here, so that 0 x 2^60 x 2^60 is refused: other code may multiply the
     * extents in another order, and would overflow. */
    uint64_t bytes = fpgz_dtype_size(grid->dtype);
    for (unsigned d = 0; d < grid->dims; d++)
        if (grid->extent[d] && !fpgz_mul(bytes, grid->extent[d], &bytes))
            return false;
    return bytes <= INT64_MAX && bytes <= SIZE_MAX;
}

/* fpgz_turn() of values whose size compilers know, in tiles that stay in the nearest cache on both sides. */
INLINE void turn(const uint8_t *from, uint64_t rows, uint64_t columns, size_t size, uint8_t *to)
{
    enum { SIDE = 16 };
    for (uint64_t r = 0; r < rows; r += SIDE)
        for (uint64_t c = 0; c < columns; c += SIDE)
            for (uint64_t j = c; j < columns && j < c + SIDE; j++)
                for (uint64_t i = r; i < rows && i < r + SIDE; i++)
                    memcpy(to + (j * rows + i) * size, from + (i * columns + j) * size, size);
}

void fpgz_turn(const uint8_t *from, uint64_t rows, uint64_t columns, size_t size, uint8_t *to)
{
    if (size == 8)
        turn(from, rows, columns, 8, to);
    else if (size == 4)
        turn(from, rows, columns, 4, to);
    else if (size == 2)
        turn(from, rows, columns, 2, to);
    else
        turn(from, rows, columns, size, to);
}

struct fpgz_grid fpgz_grid_turned(const struct fpgz_grid *grid)
{
    struct fpgz_grid turned = *grid;
    memmove(turned.extent, turned.extent + 1, (grid->dims - 1) * sizeof *turned.extent);
    turned.extent[grid->dims - 1] = grid->extent[0];
    return turned;
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
    const size_t size = fpgz_dtype_size(grid->dtype);
    if (size == 8)
        for (uint64_t i = 0; i < values; i++)
            fpgz_store64(data + 8 * i, __builtin_bswap64(fpgz_load64(data + 8 * i)));
    else if (size == 4)
        for (uint64_t i = 0; i < values; i++)
            fpgz_store32(data + 4 * i, __builtin_bswap32(fpgz_load32(data + 4 * i)));
    else if (size == 2)
        for (uint64_t i = 0; i < values; i++)
            fpgz_store16(data + 2 * i, __builtin_bswap16(fpgz_load16(data + 2 * i)));
}
