/* SPDX-License-Identifier: MIT
 * What the engine on a GPU holds, how it gets it, and how it gives it back. */
#ifndef CB_GMRES_ENGINE_STATE_CUH
#define CB_GMRES_ENGINE_STATE_CUH

#include <stdlib.h>

#include "engine_kernels.cuh"

extern "C" {
#include "core/status.h"
#include "engine.h"
}

enum { BLOCKS_MAX = 32 }; /* of a multiprocessor */

struct kernels {
    void (*project)(struct basis, const double *, unsigned, struct sums);
    void (*combine)(struct basis, double *, unsigned, const double *, double, struct sums);
    void (*append)(struct basis, const double *, double, const double *, double *, unsigned, unsigned *);
};

/* What is begun: a pass's dot products; a vector and its product; the product, when the vector has been asked
 * for. */
enum begun { NOTHING, PROJECTION, VECTOR, PRODUCT };

struct gpu {
    cudaStream_t queue;
    struct kernels kernels;
    unsigned multiprocessors;
    unsigned projecting, combining; /* blocks of threads that the device holds at once */
    struct basis basis;
    struct slices a;
    uint64_t *start;
    uint32_t *column;
    double *value;
    double *b, *x, *v, *w, *other_w; /* whole pieces; zeros behind the last row */
    double *partial, *factor, *square;
    unsigned *ticket;
    /* In the host's memory, where kernels write. */
    double *answer, *other_answer; /* factors */
    double *was, *is;              /* w's norm squared, behind a product and behind a pass */
    double *staged;                /* factors on their way to the device */
    unsigned *bad, *maybe_bad;     /* of what is asked for, and of what is begun */
    cudaEvent_t passed;
    enum begun begun;
    unsigned begun_count; /* of vectors before it */
    unsigned stored;      /* vectors */
    bool is_product;      /* w is, and no pass has been */
    double norm;          /* of w behind the last pass */
};

static struct gpu *gpu_of(struct engine *engine)
{
    return (struct gpu *)engine->state;
}

/* False, and the engine's error, where CUDA failed. */
static bool good(struct engine *engine, cudaError_t status, const char *what)
{
    if (status != cudaSuccess && !engine->error.status)
        fpgz_fail(&engine->error, status == cudaErrorMemoryAllocation ? FPGZ_MEMORY : FPGZ_UNSUPPORTED,
                  "the GPU: %s: %s", what, cudaGetErrorString(status));
    return !engine->error.status;
}

/* Waits for what was enqueued. */
static bool finish(struct engine *engine, const char *what)
{
    return good(engine, cudaGetLastError(), what) &&
           good(engine, cudaStreamSynchronize(gpu_of(engine)->queue), what);
}

static void end(struct engine *engine)
{
    struct gpu *const gpu = gpu_of(engine);
    if (!gpu)
        return;
    void *const memory[] = {
        gpu->basis.vectors, gpu->start,   gpu->column, gpu->value,  gpu->b,     gpu->x, gpu->v, gpu->w,
        gpu->other_w,       gpu->partial, gpu->factor, gpu->square, gpu->ticket};
    void *const host_memory[] = {gpu->answer, gpu->other_answer, gpu->was,      gpu->is,
                                 gpu->staged, gpu->bad,          gpu->maybe_bad};
    for (void *part : memory)
        cudaFree(part); /* waits for the device */
    for (void *part : host_memory)
        cudaFreeHost(part);
    if (gpu->passed)
        cudaEventDestroy(gpu->passed);
    if (gpu->queue)
        cudaStreamDestroy(gpu->queue);
    cudaGetLastError(); /* of a begin that failed */
    free(gpu);
    engine->state = NULL;
}

/* Zeros on the device. */
template <typename T> static bool room_for(struct engine *engine, T **memory, uint64_t count)
{
    return good(engine, cudaMalloc((void **)memory, count * sizeof **memory), "memory") &&
           good(engine, cudaMemsetAsync(*memory, 0, count * sizeof **memory, gpu_of(engine)->queue),
                "memory");
}

/* In the host's memory, where the device writes. */
template <typename T> static bool room_on_host(struct engine *engine, T **memory, uint64_t count)
{
    return good(engine, cudaHostAlloc((void **)memory, count * sizeof **memory, cudaHostAllocMapped),
                "memory");
}

template <typename T> static bool copy(struct engine *engine, T **to, const T *from, uint64_t count)
{
    return room_for(engine, to, count) &&
           good(engine,
                cudaMemcpyAsync(*to, from, count * sizeof *from, cudaMemcpyHostToDevice,
                                gpu_of(engine)->queue),
                "a copy") &&
           good(engine, cudaStreamSynchronize(gpu_of(engine)->queue), "a copy");
}

/* The matrix in slices, by memory of the host. */
static bool slice(struct engine *engine, uint64_t *start, uint32_t **column, double **value)
{
    const struct matrix *const matrix = engine->matrix;
    const uint64_t count = gpu_of(engine)->a.count;
    for (uint64_t s = 0; s < count; s++) {
        uint64_t longest = 0;
        for (uint64_t row = 32 * s; row < fpgz_min(32 * s + 32, matrix->rows); row++)
            longest = fpgz_max(longest, matrix->start[row + 1] - matrix->start[row]);
        start[s + 1] = start[s] + 32 * longest;
    }
    *column = (uint32_t *)calloc(start[count] + 1, sizeof **column);
    *value = (double *)calloc(start[count] + 1, sizeof **value);
    if (!*column || !*value)
        return false;
    for (uint64_t row = 0; row < matrix->rows; row++)
        for (uint64_t i = matrix->start[row], at = start[row / 32] + row % 32; i < matrix->start[row + 1];
             i++, at += 32) {
            (*column)[at] = matrix->column[i];
            (*value)[at] = matrix->value[i];
        }
    return true;
}

static bool copy_matrix(struct engine *engine)
{
    struct gpu *const gpu = gpu_of(engine);
    gpu->a.count = (engine->matrix->rows + 31) / 32;
    uint64_t *const start = (uint64_t *)calloc(gpu->a.count + 1, sizeof *start);
    uint32_t *column = NULL;
    double *value = NULL;
    bool done = start && slice(engine, start, &column, &value);
    if (!done)
        fpgz_fail(&engine->error, FPGZ_MEMORY, "no memory for the matrix");
    done = done && copy(engine, &gpu->start, start, gpu->a.count + 1) &&
           copy(engine, &gpu->column, column, start[gpu->a.count] + 1) &&
           copy(engine, &gpu->value, value, start[gpu->a.count] + 1);
    gpu->a.start = gpu->start;
    gpu->a.column = gpu->column;
    gpu->a.value = gpu->value;
    free(start);
    free(column);
    free(value);
    return done;
}

/* Vectors, the basis, and what sums need. */
static bool allocate(struct engine *engine, const double *b)
{
    struct gpu *const gpu = gpu_of(engine);
    const struct storage *const storage = &engine->storage;
    const uint64_t pieces = (engine->matrix->rows + PIECE * FRSZ2_BLOCK - 1) / (PIECE * FRSZ2_BLOCK),
                   values = pieces * PIECE * FRSZ2_BLOCK;
    struct basis *const basis = &gpu->basis;
    basis->blocks = pieces * PIECE;
    basis->layout = storage->layout;
    basis->room =
        storage->kind == STORAGE_FRSZ2
            ? basis->layout.exponents_bytes + basis->blocks * basis->layout.code.block_bytes + FRSZ2_SLACK
            : values * storage->bits / 8;
    basis->room = fpgz_round_up(basis->room, 256);
    if (!room_for(engine, &basis->vectors, engine->vectors * basis->room) ||
        !room_for(engine, &gpu->b, values) || !room_for(engine, &gpu->x, values) ||
        !room_for(engine, &gpu->w, values) || !room_for(engine, &gpu->other_w, values) ||
        !room_for(engine, &gpu->v, values) || !room_for(engine, &gpu->square, 1) ||
        !room_for(engine, &gpu->partial,
                  (uint64_t)GROUP * gpu->multiprocessors * BLOCKS_MAX + engine->vectors) ||
        !room_for(engine, &gpu->factor, engine->vectors) ||
        !room_for(engine, &gpu->ticket, engine->vectors) ||
        !room_on_host(engine, &gpu->answer, engine->vectors) ||
        !room_on_host(engine, &gpu->other_answer, engine->vectors) ||
        !room_on_host(engine, &gpu->staged, engine->vectors) || !room_on_host(engine, &gpu->was, 1) ||
        !room_on_host(engine, &gpu->is, 1) || !room_on_host(engine, &gpu->bad, 1) ||
        !room_on_host(engine, &gpu->maybe_bad, 1))
        return false;
    *gpu->bad = *gpu->maybe_bad = 0;
    return good(engine,
                cudaMemcpyAsync(gpu->b, b, engine->matrix->rows * sizeof *b, cudaMemcpyHostToDevice,
                                gpu->queue),
                "a copy") &&
           finish(engine, "memory");
}

/* Asking how many blocks a multiprocessor holds also loads a kernel, which is not to count as the method's.
 */
static bool start_gpu(struct engine *engine)
{
    struct gpu *const gpu = gpu_of(engine);
    int count = 0, held[4];
    if (!good(engine, cudaGetDeviceCount(&count), "none can be used") ||
        !good(engine, cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0), "its properties") ||
        !good(engine, cudaStreamCreateWithFlags(&gpu->queue, cudaStreamNonBlocking), "a stream") ||
        !good(engine, cudaEventCreateWithFlags(&gpu->passed, cudaEventDisableTiming), "an event"))
        return false;
    gpu->kernels = with_storage(&engine->storage, [](auto storage) {
        return kernels{project<decltype(storage)>, combine<decltype(storage)>, append<decltype(storage)>};
    });
    const void *const kernel[] = {(const void *)gpu->kernels.project, (const void *)gpu->kernels.combine,
                                  (const void *)gpu->kernels.append, (const void *)multiply};
    for (unsigned i = 0; i < 4; i++)
        if (!good(engine, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held[i], kernel[i], THREADS, 0),
                  "its kernels"))
            return false;
    gpu->multiprocessors = (unsigned)count;
    gpu->projecting = gpu->multiprocessors * (unsigned)held[0];
    gpu->combining = gpu->multiprocessors * (unsigned)held[1];
    return true;
}

#endif
