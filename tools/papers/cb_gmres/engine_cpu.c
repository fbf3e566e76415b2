/* SPDX-License-Identifier: MIT
 * The calls of GMRES on the CPU. All go through the vectors a tile at a time, so that what is decoded stays
 * in the first-level cache. Sums are kept a tile, and added in order: results do not depend on the threads.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "crew.h"
#include "engine.h"

struct cpu {
    struct crew *crew;
    unsigned threads;
    const struct gmres_loops_kernels *loops;
    uint64_t tiles;
    double *b, *x, *w, *v; /* whole tiles; zeros behind the last row */
    double *sum;           /* tiles x vectors */
    double norm;           /* of w */
    uint8_t *basis;
    bool *bad; /* a thread: its part of a vector could not be stored */
};

/* One call: its arguments, for all threads. */
struct task {
    struct engine *engine;
    const double *from; /* product: x or v */
    double *to;         /* combine: x or w */
    const double *factor;
    double sign, scale;
    unsigned count;
};

static struct cpu *cpu_of(const struct task *task)
{
    return task->engine->state;
}

static uint8_t *stored_vector(const struct engine *engine, unsigned number)
{
    return ((struct cpu *)engine->state)->basis + number * engine->storage.room;
}

/* The tiles of a thread, [*first, *end). */
static void share(const struct cpu *cpu, unsigned thread, uint64_t *first, uint64_t *end)
{
    *first = cpu->tiles * thread / cpu->threads;
    *end = cpu->tiles * (thread + 1) / cpu->threads;
}

/* w = A from, or b - A from. */
static void multiply(void *what, unsigned thread)
{
    const struct task *const task = what;
    const struct matrix *const a = task->engine->matrix;
    struct cpu *const cpu = cpu_of(task);
    uint64_t tile, end;
    for (share(cpu, thread, &tile, &end); tile < end; tile++) {
        const uint64_t first = tile * STORAGE_TILE;
        double *const w = cpu->w + first;
        for (uint64_t row = first; row < fpgz_min(first + STORAGE_TILE, a->rows); row++) {
            double sum = 0;
            for (uint64_t i = a->start[row]; i < a->start[row + 1]; i++)
                sum += a->value[i] * task->from[a->column[i]];
            w[row - first] = task->from == cpu->x ? cpu->b[row] - sum : sum;
        }
        cpu->sum[tile] = cpu->loops->dot(w, w, STORAGE_TILE);
    }
}

static void project_tiles(void *what, unsigned thread)
{
    const struct task *const task = what;
    struct cpu *const cpu = cpu_of(task);
    _Alignas(64) double values[STORAGE_TILE];
    uint64_t tile, end;
    for (share(cpu, thread, &tile, &end); tile < end; tile++)
        for (unsigned j = 0; j < task->count; j++) {
            const struct storage_tile v =
                storage_get(&task->engine->storage, cpu->loops, stored_vector(task->engine, j),
                            tile * STORAGE_TILE, values);
            cpu->sum[tile * task->count + j] =
                cpu->loops->dot(v.value, cpu->w + tile * STORAGE_TILE, v.count);
        }
}

static void combine_tiles(void *what, unsigned thread)
{
    const struct task *const task = what;
    struct cpu *const cpu = cpu_of(task);
    _Alignas(64) double values[STORAGE_TILE];
    uint64_t tile, end;
    for (share(cpu, thread, &tile, &end); tile < end; tile++) {
        double *const to = task->to + tile * STORAGE_TILE;
        for (unsigned j = 0; j < task->count; j++) {
            const struct storage_tile v =
                storage_get(&task->engine->storage, cpu->loops, stored_vector(task->engine, j),
                            tile * STORAGE_TILE, values);
            cpu->loops->add(task->sign * task->factor[j], v.value, to, v.count);
        }
        cpu->sum[tile] = cpu->loops->dot(to, to, STORAGE_TILE);
    }
}

static void append_tiles(void *what, unsigned thread)
{
    const struct task *const task = what;
    struct cpu *const cpu = cpu_of(task);
    uint64_t tile, end;
    cpu->bad[thread] = false;
    for (share(cpu, thread, &tile, &end); tile < end; tile++) {
        const uint64_t first = tile * STORAGE_TILE;
        for (uint64_t i = first; i < first + STORAGE_TILE; i++)
            cpu->v[i] = cpu->w[i] / task->scale;
        cpu->bad[thread] |= !storage_put(&task->engine->storage, first, cpu->v + first,
                                         stored_vector(task->engine, task->count));
    }
}

/* The sums of `count` columns over all tiles. */
static void add_up(const struct cpu *cpu, unsigned count, double *sum)
{
    memset(sum, 0, count * sizeof *sum);
    for (uint64_t tile = 0; tile < cpu->tiles; tile++)
        for (unsigned j = 0; j < count; j++)
            sum[j] += cpu->sum[tile * count + j];
}

static double run(crew_work *work, struct task *task)
{
    double sum;
    crew_run(cpu_of(task)->crew, work, task);
    add_up(cpu_of(task), 1, &sum);
    return sqrt(sum);
}

static double residual(struct engine *engine)
{
    struct cpu *const cpu = engine->state;
    return cpu->norm = run(multiply, &(struct task){.engine = engine, .from = cpu->x});
}

static void product(struct engine *engine)
{
    struct cpu *const cpu = engine->state;
    cpu->norm = run(multiply, &(struct task){.engine = engine, .from = cpu->v});
}

static double pass(struct engine *engine, unsigned count, double *factor, double *before)
{
    struct cpu *const cpu = engine->state;
    crew_run(cpu->crew, project_tiles, &(struct task){.engine = engine, .count = count});
    add_up(cpu, count, factor);
    *before = cpu->norm;
    cpu->norm =
        run(combine_tiles,
            &(struct task){.engine = engine, .to = cpu->w, .count = count, .factor = factor, .sign = -1});
    return cpu->norm;
}

static bool append(struct engine *engine, unsigned number, double norm)
{
    struct cpu *const cpu = engine->state;
    crew_run(cpu->crew, append_tiles, &(struct task){.engine = engine, .count = number, .scale = norm});
    for (unsigned i = 0; i < cpu->threads; i++)
        if (cpu->bad[i])
            return false;
    return true;
}

static void update(struct engine *engine, unsigned count, const double *factor)
{
    struct cpu *const cpu = engine->state;
    run(combine_tiles,
        &(struct task){.engine = engine, .to = cpu->x, .count = count, .factor = factor, .sign = 1});
}

static void read_solution(struct engine *engine, double *x)
{
    memcpy(x, ((struct cpu *)engine->state)->x, engine->matrix->rows * sizeof *x);
}

static void read_vector(struct engine *engine, unsigned number, uint8_t *vector)
{
    memcpy(vector, stored_vector(engine, number), engine->storage.bytes);
}

static void end(struct engine *engine)
{
    struct cpu *const cpu = engine->state;
    if (!cpu)
        return;
    if (cpu->crew)
        crew_end(cpu->crew);
    free(cpu->b);
    free(cpu->x);
    free(cpu->w);
    free(cpu->v);
    free(cpu->sum);
    free(cpu->basis);
    free(cpu->bad);
    free(cpu);
    engine->state = NULL;
}

/* Zeros, in units of 64 bytes. */
static void *zeros(uint64_t count, uint64_t size)
{
    uint64_t bytes;
    if (!fpgz_mul(count, size, &bytes) || bytes > SIZE_MAX / 2)
        return NULL;
    void *const memory = aligned_alloc(64, fpgz_round_up(bytes + 1, 64));
    return memory ? memset(memory, 0, bytes) : NULL;
}

enum fpgz_status engine_begin_cpu(struct engine *engine, const struct matrix *matrix, const double *b,
                                  const struct storage *storage, unsigned vectors, unsigned threads)
{
    struct cpu *const cpu = calloc(1, sizeof *cpu);
    *engine = (struct engine){residual, product,  pass,    append, update, read_solution, read_vector, end,
                              matrix,   *storage, vectors, {0},    cpu};
    storage_lay_out(&engine->storage, matrix->rows);
    if (!cpu)
        return fpgz_fail(&engine->error, FPGZ_MEMORY, "no memory");
    cpu->tiles = (matrix->rows + STORAGE_TILE - 1) / STORAGE_TILE;
    cpu->threads = (unsigned)fpgz_min(threads, cpu->tiles);
    cpu->loops = fpgz_cpu_choose(fpgz_gmres_loops_kernels);
    const uint64_t values = cpu->tiles * STORAGE_TILE;
    cpu->b = zeros(values, sizeof *cpu->b);
    cpu->x = zeros(values, sizeof *cpu->x);
    cpu->w = zeros(values, sizeof *cpu->w);
    cpu->v = zeros(values, sizeof *cpu->v);
    cpu->sum = zeros(cpu->tiles, vectors * sizeof *cpu->sum);
    cpu->basis = zeros(vectors, engine->storage.room);
    cpu->bad = zeros(cpu->threads, sizeof *cpu->bad);
    if (cpu->b && cpu->x && cpu->w && cpu->v && cpu->sum && cpu->basis && cpu->bad)
        cpu->crew = crew_begin(cpu->threads);
    if (!cpu->crew) {
        end(engine);
        return fpgz_fail(&engine->error, FPGZ_MEMORY, "no memory for a basis of %u vectors", vectors);
    }
    memcpy(cpu->b, b, matrix->rows * sizeof *b);
    return FPGZ_OK;
}
