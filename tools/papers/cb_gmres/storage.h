/* SPDX-License-Identifier: MIT
 * The accessor of the basis: vectors of f64 stored in a format, and read back a tile at a time. A vector in
 * FRSZ2 is the stream that fpgz --codec frsz2 --bare writes, bit for bit: the codec's own kernels make it. */
#ifndef CB_GMRES_STORAGE_H
#define CB_GMRES_STORAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/frsz2/frsz2.h"
#include "loops.h"

enum { STORAGE_TILE = 32 * FRSZ2_BLOCK, STORAGE_NAME = 12 };

enum storage_kind { STORAGE_F64, STORAGE_F32, STORAGE_F16, STORAGE_BF16, STORAGE_FRSZ2 };

struct storage {
    enum storage_kind kind;
    unsigned bits; /* of a value, without FRSZ2's exponents */
    char name[STORAGE_NAME];
    uint64_t values;            /* of a vector */
    struct frsz2_layout layout; /* FRSZ2 */
    size_t bytes;               /* of a vector: what is read when all of it is */
    size_t room;                /* with what kernels may touch behind it, in units of 64 */
};

/* "f64", "f32", "f16", "bf16", "frsz2_2" to "frsz2_64"; false for other names. */
bool storage_parse(const char *name, struct storage *storage);

/* For vectors of so many values. */
void storage_lay_out(struct storage *storage, uint64_t values);

/* The values from `first`, a multiple of a tile, to that tile's end or the vector's. Behind the vector's end
 * `values` has zeros to the tile's end. False when one is not finite in FRSZ2. `vector` begins as zeros. */
bool storage_put(const struct storage *storage, uint64_t first, const double *values, uint8_t *vector);

/* The reverse: the tile from `first`, in `tile` or where it lies. Behind the vector's end are zeros to the
 * end of a block of 32; the return's `count` is in whole blocks. */
struct storage_tile {
    const double *value;
    size_t count;
};
struct storage_tile storage_get(const struct storage *storage, const struct gmres_loops_kernels *loops,
                                const uint8_t *vector, uint64_t first, double *tile);

#endif
