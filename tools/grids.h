/* SPDX-License-Identifier: MIT
 * Grids made from a kind, a shape and a seed, for tests and benchmarks. The bytes are the same on every
 * machine, compiler and optimisation level: integers, and floating point in a fixed order without libm. */
#ifndef FPGZ_TOOLS_GRIDS_H
#define FPGZ_TOOLS_GRIDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/grid.h"
#include "core/status.h"

struct grids_source;

struct grids_kind {
    const char *name;
    const char *help;
    uint32_t dtypes; /* that there are grids of */
    unsigned min_dims, max_dims;

    /* Takes the state that `segment` needs; NULL when it needs none. FPGZ_OK or FPGZ_MEMORY. */
    enum fpgz_status (*open)(struct grids_source *source);

    /* Writes the next values in row-major order: a row, or a part of a long one. */
    void (*segment)(struct grids_source *source, void *out);
};

/* The kinds, ended by one without a name. */
extern const struct grids_kind grids_kinds[];

/* Whether there is such a kind of the dtype. */
bool grids_fit(const char *kind, enum fpgz_dtype dtype);

/* The kind's dtypes in a word. */
const char *grids_dtypes(const struct grids_kind *kind);

/* NULL, with the reason in *error, when kind and grid do not fit or there is no memory. */
struct grids_source *grids_open(const char *kind, const struct fpgz_grid *grid, uint64_t seed,
                                struct fpgz_error *error);

/* Writes up to `values` values to `out` (aligned to the dtype) and returns how many: fewer only at the end.
 */
size_t grids_read(struct grids_source *source, void *out, size_t values);

void grids_close(struct grids_source *source);

/* The whole grid at once. */
enum fpgz_status grids_fill(const char *kind, const struct fpgz_grid *grid, uint64_t seed, void *out,
                            struct fpgz_error *error);

/* Reads a dtype, and "20x180x360" (extents may be 0), into *grid. */
enum fpgz_status grids_parse(const char *dtype, const char *shape, struct fpgz_grid *grid,
                             struct fpgz_error *error);

/* Reads a seed: decimal, or hexadecimal after 0x. */
bool grids_parse_seed(const char *text, uint64_t *seed);

#endif
