/* SPDX-License-Identifier: MIT
 * Sparse matrices in compressed rows: read from Matrix Market files, or generated. */
#ifndef CB_GMRES_MATRIX_H
#define CB_GMRES_MATRIX_H

#include <stdint.h>

#include "fpgz.h"

/* Square. Row i has the entries start[i] to start[i + 1]. */
struct matrix {
    uint64_t rows, entries;
    uint64_t *start;
    uint32_t *column;
    double *value;
};

/* Memory for so many rows and entries; matrix_free() frees it. */
enum fpgz_status matrix_allocate(struct matrix *matrix, uint64_t rows, uint64_t entries,
                                 struct fpgz_error *error);
void matrix_free(struct matrix *matrix);

/* A generated matrix by its name, "atmosmodd" or "atmosmodd:29x74x74" with other extents, or else the file of
 * that path. FPGZ_UNSUPPORTED, FPGZ_CORRUPT: the file is no square real matrix; FPGZ_IO; FPGZ_MEMORY. */
enum fpgz_status matrix_make(const char *name, struct matrix *matrix, struct fpgz_error *error);

/* The same for a Matrix Market file: coordinates, real or integer, general, symmetric or skew-symmetric.
 * Entries of one place are added. */
enum fpgz_status matrix_read(const char *path, struct matrix *matrix, struct fpgz_error *error);

/* Lines of help: the names of what is generated. */
void matrix_list(void);

#endif
