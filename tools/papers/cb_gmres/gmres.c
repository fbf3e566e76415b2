/* SPDX-License-Identifier: MIT
 * The method, for all machines: what it knows of vectors are dot products and norms. Arnoldi by classical
 * Gram-Schmidt with re-orthogonalisation, least squares by Givens rotations, the true residual at restarts.
 */
#include "gmres.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/status.h"

enum { PASSES_MORE = 2, FRUITLESS_RESTARTS = 10 };

struct run {
    struct engine *engine;
    const struct gmres_settings *settings;
    struct gmres_report *report;
    double *r;             /* the triangle: column j begins at j * restart, and has j + 1 values */
    double *cosine, *sine; /* the rotations */
    double *rhs;           /* of the least squares; its last value is the residual's norm */
    double *column, *more; /* of the Hessenberg matrix; what a further pass adds to it */
    double b_norm;
};

/* Adds the time since *clock to a part, and sets *clock. */
static void clock_in(struct run *run, enum gmres_part part, double *clock)
{
    const double now = fpgz_clock();
    run->report->part[part] += now - *clock;
    *clock = now;
}

/* One pass of Gram-Schmidt against `count` vectors; w's norm before it and after it. */
static double pass(struct run *run, unsigned count, double *factor, double *before)
{
    struct engine *const engine = run->engine;
    double clock = fpgz_clock();
    const double norm = engine->pass(engine, count, factor, before);
    clock_in(run, GMRES_PASS, &clock);
    run->report->passes++;
    run->report->read += 2 * (uint64_t)count * engine->matrix->rows;
    return norm;
}

/* run->column becomes column j of the Hessenberg matrix, w the rest of A v_j, whose norm is returned: 0 where
 * what is left of it is rounding. A pass that takes most of a vector leaves a rest that is not orthogonal
 * enough: it is followed by another. */
static double orthogonalise(struct run *run, unsigned j)
{
    struct engine *const engine = run->engine;
    double clock = fpgz_clock(), whole;
    engine->product(engine);
    clock_in(run, GMRES_PRODUCT, &clock);
    double norm = pass(run, j + 1, run->column, &whole), before = whole;
    for (unsigned more = 0; more < PASSES_MORE && norm < before * M_SQRT1_2; more++) {
        norm = pass(run, j + 1, run->more, &before);
        for (unsigned i = 0; i <= j; i++)
            run->column[i] += run->more[i];
    }
    return norm <= whole * DBL_EPSILON / 2 ? 0 : norm;
}

/* Turns the new column into one of the triangle, and the right side with it. */
static void rotate(struct run *run, unsigned j, double below)
{
    double *const h = run->column;
    for (unsigned i = 0; i < j; i++) {
        const double upper = run->cosine[i] * h[i] + run->sine[i] * h[i + 1];
        h[i + 1] = run->cosine[i] * h[i + 1] - run->sine[i] * h[i];
        h[i] = upper;
    }
    const double length = hypot(h[j], below);
    run->cosine[j] = length > 0 ? h[j] / length : 1;
    run->sine[j] = length > 0 ? below / length : 0;
    h[j] = length;
    memcpy(run->r + (size_t)j * run->settings->restart, h, (j + 1) * sizeof *h);
    run->rhs[j + 1] = -run->sine[j] * run->rhs[j];
    run->rhs[j] *= run->cosine[j];
}

/* x += V y with the least squares' solution y, which takes nothing of directions that A does not reach. */
static void update(struct run *run, unsigned count)
{
    double *const y = run->more, clock = fpgz_clock();
    double greatest = 0;
    for (unsigned i = 0; i < count; i++)
        greatest = fmax(greatest, run->r[(size_t)i * run->settings->restart + i]);
    for (unsigned i = count; i-- > 0;) {
        double sum = run->rhs[i];
        for (unsigned j = i + 1; j < count; j++)
            sum -= run->r[(size_t)j * run->settings->restart + i] * y[j];
        const double diagonal = run->r[(size_t)i * run->settings->restart + i];
        y[i] = diagonal > greatest * DBL_EPSILON ? sum / diagonal : 0;
    }
    run->engine->update(run->engine, count, y);
    run->report->read += (uint64_t)count * run->engine->matrix->rows;
    clock_in(run, GMRES_UPDATE, &clock);
}

/* Appends w / norm to the basis. */
static bool append(struct run *run, unsigned number, double norm)
{
    double clock = fpgz_clock();
    const bool good = run->engine->append(run->engine, number, norm);
    clock_in(run, GMRES_APPEND, &clock);
    return good;
}

/* From w = b - A x of that norm to a better x. False where numbers are not finite. *broke: the space ended.
 */
static bool cycle(struct run *run, double norm, bool *broke)
{
    const struct gmres_settings *const settings = run->settings;
    struct gmres_report *const report = run->report;
    unsigned j = 0;
    *broke = false;
    run->rhs[0] = norm;
    if (!append(run, 0, norm))
        return false;
    while (j < settings->restart && report->iterations < settings->iterations) {
        const double below = orthogonalise(run, j);
        if (!isfinite(below) || !isfinite(run->column[j]))
            return false;
        rotate(run, j, below);
        const double estimate = fabs(run->rhs[++j]) / run->b_norm;
        if (report->history)
            report->history[report->iterations] = estimate;
        report->iterations++;
        *broke = below == 0;
        if (*broke || estimate <= settings->target || j == settings->restart)
            break;
        if (!append(run, j, below))
            return false;
    }
    update(run, j);
    return true;
}

/* Cycles until an end is reached. */
static enum gmres_end iterate(struct run *run)
{
    const struct gmres_settings *const settings = run->settings;
    struct gmres_report *const report = run->report;
    double best = INFINITY; /* what the residual must fall below by 1 % in time */
    unsigned fruitless = 0;
    run->b_norm = run->engine->residual(run->engine);
    double norm = run->b_norm;
    for (bool broke = false;; report->cycles++) {
        const double before = report->rrn;
        report->rrn = norm / run->b_norm;
        if (!isfinite(report->rrn))
            return GMRES_NOT_FINITE;
        if (report->rrn <= settings->target)
            return GMRES_CONVERGED;
        if (broke && report->rrn > 0.5 * before)
            return GMRES_BREAKDOWN;
        if (report->iterations >= settings->iterations)
            return GMRES_LIMIT;
        fruitless = report->rrn < 0.99 * best ? 0 : fruitless + 1;
        best = fruitless ? best : report->rrn;
        if (fruitless == FRUITLESS_RESTARTS)
            return GMRES_STAGNATION;
        if (!cycle(run, norm, &broke))
            return GMRES_NOT_FINITE;
        double clock = fpgz_clock();
        norm = run->engine->residual(run->engine);
        clock_in(run, GMRES_PRODUCT, &clock);
    }
}

void gmres(struct engine *engine, const struct gmres_settings *settings, struct gmres_report *report)
{
    const size_t m = settings->restart, values = m * m + 2 * m + 3 * (m + 1);
    double *const memory = calloc(values, sizeof *memory), *free_values = memory;
    *report = (struct gmres_report){.end = GMRES_FAILED, .rrn = INFINITY};
    if (!memory) {
        fpgz_fail(&engine->error, FPGZ_MEMORY, "no memory for %zu values", values);
        return;
    }
    struct run run = {.engine = engine, .settings = settings, .report = report};
    double **const part[] = {&run.r, &run.cosine, &run.sine, &run.rhs, &run.column, &run.more};
    const size_t length[] = {m * m, m, m, m + 1, m + 1, m + 1};
    for (unsigned i = 0; i < sizeof part / sizeof part[0]; free_values += length[i++])
        *part[i] = free_values;
    report->history = calloc(settings->iterations, sizeof *report->history);
    const double begin = fpgz_clock();
    report->end = iterate(&run);
    report->seconds = fpgz_clock() - begin;
    if (engine->error.status)
        report->end = GMRES_FAILED;
    free(memory);
}

const char *gmres_end_text(enum gmres_end end)
{
    static const char *const text[] = {
        [GMRES_CONVERGED] = "converged",
        [GMRES_LIMIT] = "not converged within the iterations",
        [GMRES_STAGNATION] = "stagnation: ten restarts gained less than 1 %",
        [GMRES_BREAKDOWN] = "breakdown: the Krylov space ended without a solution; the matrix is singular",
        [GMRES_NOT_FINITE] = "a value is not finite",
        [GMRES_FAILED] = "the machine failed",
    };
    return text[end];
}
