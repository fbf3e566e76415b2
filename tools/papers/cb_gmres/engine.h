/* SPDX-License-Identifier: MIT
 * What GMRES asks of a machine that holds the matrix A, the right side b, the solution x, a vector w, and the
 * basis: vectors v in their storage, and the newest one also as f64. gmres.c has the method, and a CPU or a
 * GPU these calls. A machine that fails sets `error` and gives NaNs. */
#ifndef CB_GMRES_ENGINE_H
#define CB_GMRES_ENGINE_H

#include "matrix.h"
#include "storage.h"

struct engine {
    /* w = b - A x; its norm. */
    double (*residual)(struct engine *engine);
    /* w = A v of the newest v. */
    void (*product)(struct engine *engine);
    /* factor[j] = v_j . w of the first `count` vectors as they are stored, then w -= sum of factor[j] v_j.
     * w's norm, and in *before what it was. */
    double (*pass)(struct engine *engine, unsigned count, double *factor, double *before);
    /* The newest v becomes w / norm, and is stored as v_number. False where it cannot be, at once or from the
     * next call. */
    bool (*append)(struct engine *engine, unsigned number, double norm);
    /* x += sum of factor[j] v_j. */
    void (*update)(struct engine *engine, unsigned count, const double *factor);
    /* x and a stored vector, in bytes of the storage, to the host's memory. */
    void (*read_solution)(struct engine *engine, double *x);
    void (*read_vector)(struct engine *engine, unsigned number, uint8_t *vector);
    void (*end)(struct engine *engine);

    const struct matrix *matrix;
    struct storage storage;
    unsigned vectors; /* of the basis */
    struct fpgz_error error;
    void *state;
};

/* For A x = b with x = 0 at first; `b` has matrix->rows values, and `vectors` is the basis's room. The matrix
 * must stay. FPGZ_MEMORY. */
enum fpgz_status engine_begin_cpu(struct engine *engine, const struct matrix *matrix, const double *b,
                                  const struct storage *storage, unsigned vectors, unsigned threads);

/* The same on the first GPU. FPGZ_UNSUPPORTED: none can be used, or this is a build without CUDA. */
enum fpgz_status engine_begin_cuda(struct engine *engine, const struct matrix *matrix, const double *b,
                                   const struct storage *storage, unsigned vectors);

#endif
