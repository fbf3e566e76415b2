/* SPDX-License-Identifier: MIT
 * The calls of GMRES on a GPU. The host waits for residual() and for each pass, whose sums the method needs.
 * So that the device need not wait for the host, it begins what the method will most likely ask for next:
 * behind a product's first pass the second one's dot products, behind that the new vector and its product.
 * What the method then does not ask for is forgotten: it has touched nothing that counts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_state.cuh"

static unsigned at_most(uint64_t count, unsigned most)
{
    return count < most ? (unsigned)count : most;
}

template <typename T> static void exchange(T *a, T *b)
{
    const T was = *a;
    *a = *b;
    *b = was;
}

/* Forgets what is begun. */
static void forget(struct engine *engine)
{
    struct gpu *const gpu = gpu_of(engine);
    if (gpu->begun == VECTOR && finish(engine, "what is begun"))
        *gpu->maybe_bad = 0;
    gpu->begun = NOTHING;
}

static void enqueue_product(struct gpu *gpu, const double *from, const double *b, double *to)
{
    const unsigned blocks = at_most((gpu->a.count + WARPS - 1) / WARPS, gpu->multiprocessors * BLOCKS_MAX);
    multiply<<<blocks, THREADS, 0, gpu->queue>>>(gpu->a, from, b, to,
                                                 {gpu->partial, gpu->ticket, gpu->square, gpu->was});
}

static double residual(struct engine *engine)
{
    struct gpu *const gpu = gpu_of(engine);
    forget(engine);
    enqueue_product(gpu, gpu->x, gpu->b, gpu->w);
    return finish(engine, "the residual") ? sqrt(*gpu->was) : NAN;
}

static void product(struct engine *engine)
{
    struct gpu *const gpu = gpu_of(engine);
    if (gpu->begun == PRODUCT) {
        exchange(&gpu->w, &gpu->other_w);
        gpu->begun = NOTHING;
    } else {
        forget(engine);
        enqueue_product(gpu, gpu->v, NULL, gpu->w);
    }
    gpu->is_product = true;
}

/* Blocks of threads, at most `held`, whose warps take as many pieces each: one more than fits would take as
 * long as all others. */
static unsigned even(const struct gpu *gpu, unsigned held)
{
    const uint64_t pieces = gpu->basis.blocks / PIECE, rounds = (pieces + held * WARPS - 1) / (held * WARPS);
    return (unsigned)((pieces + rounds * WARPS - 1) / (rounds * WARPS));
}

static void enqueue_projection(struct gpu *gpu, unsigned count)
{
    const unsigned groups = (count + GROUP - 1) / GROUP;
    const unsigned held = groups < gpu->projecting ? gpu->projecting / groups : 1;
    const dim3 blocks(even(gpu, held), groups);
    exchange(&gpu->answer, &gpu->other_answer);
    gpu->kernels.project<<<blocks, THREADS, 0, gpu->queue>>>(
        gpu->basis, gpu->w, count, {gpu->partial, gpu->ticket, gpu->factor, gpu->answer});
}

static void enqueue_sum(struct gpu *gpu, double *to, unsigned count, double sign)
{
    gpu->kernels.combine<<<even(gpu, gpu->combining), THREADS, 0, gpu->queue>>>(
        gpu->basis, to, count, gpu->factor, sign, {gpu->partial, gpu->ticket, gpu->square, gpu->is});
}

/* v = w / norm, or divided by the root of *square. */
static void enqueue_vector(struct gpu *gpu, unsigned number, double norm, const double *square, unsigned *bad)
{
    const unsigned blocks =
        at_most((gpu->basis.blocks + WARPS - 1) / WARPS, gpu->multiprocessors * BLOCKS_MAX);
    gpu->kernels.append<<<blocks, THREADS, 0, gpu->queue>>>(gpu->basis, gpu->w, norm, square, gpu->v, number,
                                                            bad);
}

/* Begins what most likely follows a pass. */
static void begin_next(struct engine *engine, unsigned count)
{
    struct gpu *const gpu = gpu_of(engine);
    if (gpu->is_product) {
        enqueue_projection(gpu, count);
        gpu->begun = PROJECTION;
    } else if (count == gpu->stored && count < engine->vectors) {
        enqueue_vector(gpu, count, 0, gpu->square, gpu->maybe_bad);
        enqueue_product(gpu, gpu->v, NULL, gpu->other_w);
        gpu->begun = VECTOR;
    }
    gpu->begun_count = count;
}

static double pass(struct engine *engine, unsigned count, double *factor, double *before)
{
    struct gpu *const gpu = gpu_of(engine);
    if (gpu->begun != PROJECTION || gpu->begun_count != count) {
        forget(engine);
        enqueue_projection(gpu, count);
    }
    gpu->begun = NOTHING;
    const double *const answer = gpu->answer;
    enqueue_sum(gpu, gpu->w, count, -1);
    good(engine, cudaEventRecord(gpu->passed, gpu->queue), "an event");
    begin_next(engine, count);
    const bool done = good(engine, cudaGetLastError(), "orthogonalisation") &&
                      good(engine, cudaEventSynchronize(gpu->passed), "orthogonalisation") && !*gpu->bad;
    for (unsigned j = 0; j < count; j++)
        factor[j] = done ? answer[j] : NAN;
    *before = gpu->is_product ? sqrt(*gpu->was) : gpu->norm;
    gpu->is_product = false;
    gpu->norm = done ? sqrt(*gpu->is) : NAN;
    return gpu->norm;
}

/* What cannot be stored, the next pass tells. */
static bool append_next(struct engine *engine, unsigned number, double norm)
{
    struct gpu *const gpu = gpu_of(engine);
    if (gpu->begun == VECTOR && gpu->begun_count == number && gpu->norm == norm) {
        exchange(&gpu->bad, &gpu->maybe_bad);
        gpu->begun = PRODUCT;
    } else {
        forget(engine);
        enqueue_vector(gpu, number, norm, NULL, gpu->bad);
    }
    gpu->stored = number + 1;
    return good(engine, cudaGetLastError(), "a vector");
}

static void update(struct engine *engine, unsigned count, const double *factor)
{
    struct gpu *const gpu = gpu_of(engine);
    forget(engine);
    memcpy(gpu->staged, factor, count * sizeof *factor);
    good(
        engine,
        cudaMemcpyAsync(gpu->factor, gpu->staged, count * sizeof *factor, cudaMemcpyHostToDevice, gpu->queue),
        "factors");
    enqueue_sum(gpu, gpu->x, count, 1);
    finish(engine, "the solution");
}

static void read_solution(struct engine *engine, double *x)
{
    good(engine, cudaMemcpy(x, gpu_of(engine)->x, engine->matrix->rows * sizeof *x, cudaMemcpyDeviceToHost),
         "the solution");
}

static void read_vector(struct engine *engine, unsigned number, uint8_t *vector)
{
    const struct basis *const basis = &gpu_of(engine)->basis;
    if (finish(engine, "a vector"))
        good(engine,
             cudaMemcpy(vector, basis->vectors + number * basis->room, engine->storage.bytes,
                        cudaMemcpyDeviceToHost),
             "a vector");
}

extern "C" enum fpgz_status engine_begin_cuda(struct engine *engine, const struct matrix *matrix,
                                              const double *b, const struct storage *storage,
                                              unsigned vectors)
{
    struct gpu *const gpu = (struct gpu *)calloc(1, sizeof *gpu);
    *engine = {residual, product,  pass,    append_next, update, read_solution, read_vector, end,
               matrix,   *storage, vectors, {},          gpu};
    storage_lay_out(&engine->storage, matrix->rows);
    if (!gpu)
        return fpgz_fail(&engine->error, FPGZ_MEMORY, "no memory");
    if (!start_gpu(engine) || !copy_matrix(engine) || !allocate(engine, b))
        end(engine);
    return engine->error.status;
}
