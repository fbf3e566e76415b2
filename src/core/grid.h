/* SPDX-License-Identifier: MIT
 * The shape of what is compressed: dense, row-major, slowest extent first. */
#ifndef FPGZ_CORE_GRID_H
#define FPGZ_CORE_GRID_H

#include <string.h>

#include "fpgz.h"

/* What is to know of a dtype. */
struct fpgz_dtype_row {
    const char *name;           /* "f32" */
    char kind;                  /* 'f', floating-point; 'i', signed; 'u', unsigned */
    uint8_t size;               /* bytes of a value; 0: no dtype has this number */
    uint8_t exponent, mantissa; /* bits of a floating-point number, besides its sign */
};

enum { FPGZ_DTYPES = FPGZ_I8 + 1 }; /* above all of them */

/* By the dtype's number in containers. */
extern const struct fpgz_dtype_row fpgz_dtypes[FPGZ_DTYPES];

/* Sets of dtypes, as a codec takes them: a bit each. */
#define FPGZ_DTYPE_BIT(dtype) (1u << (dtype))
#define FPGZ_FLOATS_32_64 (FPGZ_DTYPE_BIT(FPGZ_F32) | FPGZ_DTYPE_BIT(FPGZ_F64))
#define FPGZ_ALL_DTYPES ((FPGZ_DTYPE_BIT(FPGZ_DTYPES) - 1) & ~(FPGZ_DTYPE_BIT(0) | FPGZ_DTYPE_BIT(4)))

/* Some of a grid's words of 32 bits, from number `first` on. */
struct fpgz_looked {
    uint32_t first, count;
};

/* Bytes of one value. */
static inline size_t fpgz_dtype_size(enum fpgz_dtype dtype)
{
    return fpgz_dtypes[dtype].size;
}

static inline const char *fpgz_dtype_name(enum fpgz_dtype dtype)
{
    return fpgz_dtypes[dtype].name;
}

/* Whether the number stands for a dtype, as in a container. */
static inline bool fpgz_dtype_known(unsigned dtype)
{
    return dtype < FPGZ_DTYPES && fpgz_dtypes[dtype].size;
}

/* Reads a name, as "f32"; false when no dtype has it. */
bool fpgz_dtype_parse(const char *name, enum fpgz_dtype *dtype);

enum { FPGZ_MAX_CODING_DIMS = 4 }; /* of the grid that a codec sees */

#define FPGZ_CHUNK_LIMIT ((uint64_t)1 << 30) /* raw bytes that no chunk may exceed, in any container */

/* What a codec sees: extent[0] is the slowest, extent[dims - 1] is contiguous. */
struct fpgz_grid {
    enum fpgz_dtype dtype;
    unsigned dims; /* 1 to FPGZ_MAX_CODING_DIMS */
    uint64_t extent[FPGZ_MAX_CODING_DIMS];
};

/* Whether grids have the same dtype and extents. */
static inline bool fpgz_grid_same(const struct fpgz_grid *a, const struct fpgz_grid *b)
{
    return a->dtype == b->dtype && a->dims == b->dims &&
           !memcmp(a->extent, b->extent, a->dims * sizeof *a->extent);
}

/* Values in the grid, which must be one that fpgz_grid_valid() accepts. */
uint64_t fpgz_grid_values(const struct fpgz_grid *grid);

/* Bytes of such a grid. */
size_t fpgz_grid_bytes(const struct fpgz_grid *grid);

/* Whether dtype and dims are known and the size in bytes fits in 63 bits. */
bool fpgz_grid_valid(const struct fpgz_grid *grid);

enum { FPGZ_SHAPE_TEXT = FPGZ_MAX_DIMS * 21 }; /* bytes that the text of any shape fits in */

/* Reverses the bytes of each value of the grid at `data`. */
void fpgz_grid_swap(const struct fpgz_grid *grid, uint8_t *data);

/* Writes `rows` rows of `columns` values of `size` bytes to `to` as columns: the rows of what it then holds.
 */
void fpgz_turn(const uint8_t *from, uint64_t rows, uint64_t columns, size_t size, uint8_t *to);

/* The grid with its slowest axis last. */
struct fpgz_grid fpgz_grid_turned(const struct fpgz_grid *grid);

/* "20x180x360" ("*" for FPGZ_UNKNOWN) into text (capacity bytes, always terminated); returns text. */
char *fpgz_shape_text(const uint64_t *extent, unsigned dims, char *text, size_t capacity);

#endif
