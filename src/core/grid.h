/* SPDX-License-Identifier: MIT
 * The shape of what is compressed: dense, row-major, slowest extent first. */
#ifndef FPGZ_CORE_GRID_H
#define FPGZ_CORE_GRID_H

#include "fpgz.h"

/* Bytes of one value. */
static inline size_t fpgz_dtype_size(enum fpgz_dtype dtype)
{
    return dtype == FPGZ_F64 ? 8 : dtype == FPGZ_F32 ? 4 : 1;
}

const char *fpgz_dtype_name(enum fpgz_dtype dtype);

/* Reads "f32", "f64" or "u8"; false when it is none of them. */
bool fpgz_dtype_parse(const char *name, enum fpgz_dtype *dtype);

/* Whether the number stands for a dtype, as in a container. */
bool fpgz_dtype_known(unsigned dtype);

enum { FPGZ_MAX_CODING_DIMS = 4 }; /* of the grid that a codec sees */

#define FPGZ_CHUNK_LIMIT ((uint64_t)1 << 30) /* raw bytes that no chunk may exceed, in any container */

/* What a codec sees: extent[0] is the slowest, extent[dims - 1] is contiguous. */
struct fpgz_grid {
    enum fpgz_dtype dtype;
    unsigned dims; /* 1 to FPGZ_MAX_CODING_DIMS */
    uint64_t extent[FPGZ_MAX_CODING_DIMS];
};

/* Values in the grid. The product must be known to fit, as fpgz_grid_valid() finds out. */
uint64_t fpgz_grid_values(const struct fpgz_grid *grid);

/* Bytes of the grid, with the same condition. */
size_t fpgz_grid_bytes(const struct fpgz_grid *grid);

/* Whether dtype and dims are known and the size in bytes fits in 63 bits. */
bool fpgz_grid_valid(const struct fpgz_grid *grid);

enum { FPGZ_SHAPE_TEXT = FPGZ_MAX_DIMS * 21 }; /* bytes that the text of any shape fits in */

/* Reverses the bytes of each value of the grid at `data`. */
void fpgz_grid_swap(const struct fpgz_grid *grid, uint8_t *data);

/* "20x180x360" ("*" for FPGZ_UNKNOWN) into text (capacity bytes, always terminated); returns text. */
char *fpgz_shape_text(const uint64_t *extent, unsigned dims, char *text, size_t capacity);

#endif
