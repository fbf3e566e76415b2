/* SPDX-License-Identifier: MIT
 * The table, and JSON for tools/papers/frsz2.py. */
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOWEST_EXPONENT = -1100, EXPONENTS = 2200 };

/* Bytes of the basis that were read in a second of the passes that read it. */
static double read_rate(const struct solved *solved)
{
    const struct gmres_report *const report = solved->report;
    const struct storage *const storage = &solved->engine->storage;
    const double seconds = report->part[GMRES_PASS] + report->part[GMRES_UPDATE];
    return seconds > 0 ? (double)report->read * (double)storage->bytes / (double)storage->values / seconds
                       : 0;
}

void report_head(const struct request *request, const struct matrix *matrix)
{
    if (request->json)
        return;
    printf("%s: %" PRIu64 " rows, %" PRIu64 " entries; GMRES(%u) on %s", request->matrix, matrix->rows,
           matrix->entries, request->settings.restart, request->device);
    if (request->threads)
        printf(", %u threads", request->threads);
    printf("; to a relative residual of %.3g\n", request->settings.target);
    printf("%-9s %8s %10s %6s %6s %10s %10s %9s %8s %10s\n", "storage", "bits", "iterations", "cycles",
           "passes", "residual", "error", "seconds", "speed-up", "read, GB/s");
}

/* How many of a stored vector's values have each exponent, as JSON. */
static void print_exponents(struct engine *engine, unsigned number)
{
    const struct storage *const storage = &engine->storage;
    uint64_t count[EXPONENTS] = {0}, zeros = 0;
    _Alignas(64) double tile[STORAGE_TILE];
    uint8_t *const vector = aligned_alloc(64, storage->room);
    if (!vector)
        return;
    memset(vector, 0, storage->room);
    engine->read_vector(engine, number, vector);
    for (uint64_t first = 0; first < storage->values; first += STORAGE_TILE) {
        const struct storage_tile t =
            storage_get(storage, fpgz_cpu_choose(fpgz_gmres_loops_kernels), vector, first, tile);
        for (uint64_t i = 0; i < t.count && first + i < storage->values; i++)
            if (t.value[i] == 0)
                zeros++;
            else
                count[ilogb(t.value[i]) - LOWEST_EXPONENT]++;
    }
    free(vector);
    printf(", \"zeros\": %" PRIu64 ", \"exponents\": {", zeros);
    const char *comma = "";
    for (unsigned i = 0; i < EXPONENTS; i++)
        if (count[i]) {
            printf("%s\"%d\": %" PRIu64, comma, (int)i + LOWEST_EXPONENT, count[i]);
            comma = ", ";
        }
    printf("}");
}

static void print_json(const struct solved *solved)
{
    static const char *const part[GMRES_PARTS] = {"product", "pass", "append", "update"};
    const struct request *const request = solved->request;
    const struct gmres_report *const report = solved->report;
    const struct matrix *const matrix = solved->engine->matrix;
    printf("{\"matrix\": \"%s\", \"rows\": %" PRIu64 ", \"entries\": %" PRIu64
           ", \"device\": \"%s\", \"threads\": %u, ",
           strrchr(request->matrix, '/') ? strrchr(request->matrix, '/') + 1 : request->matrix, matrix->rows,
           matrix->entries, request->device, request->threads);
    printf("\"restart\": %u, \"target\": %g, \"storage\": \"%s\", \"bits\": %.4f, \"end\": \"%s\", "
           "\"converged\": %s, ",
           request->settings.restart, request->settings.target, solved->engine->storage.name,
           8.0 * (double)solved->engine->storage.bytes / (double)matrix->rows, gmres_end_text(report->end),
           report->end == GMRES_CONVERGED ? "true" : "false");
    printf("\"iterations\": %" PRIu64 ", \"cycles\": %" PRIu64 ", \"passes\": %" PRIu64 ", ",
           report->iterations, report->cycles, report->passes);
    if (isfinite(report->rrn) && isfinite(solved->error)) /* JSON has no other numbers */
        printf("\"rrn\": %.6g, \"error\": %.6g, ", report->rrn, solved->error);
    printf("\"seconds\": %.6g, \"read_gbps\": %.4g", report->seconds, read_rate(solved) / 1e9);
    for (unsigned i = 0; i < GMRES_PARTS; i++)
        printf(", \"seconds_%s\": %.6g", part[i], report->part[i]);
    if (request->exponents_of >= 0)
        print_exponents(solved->engine, (unsigned)request->exponents_of);
    printf(", \"history\": [");
    for (uint64_t i = 0; report->history && i < report->iterations; i++)
        printf("%s%.4g", i ? ", " : "", isfinite(report->history[i]) ? report->history[i] : -1);
    printf("]}\n");
}

void report_row(const struct solved *solved, const struct gmres_report *first)
{
    const struct gmres_report *const report = solved->report;
    const struct storage *const storage = &solved->engine->storage;
    if (solved->request->json)
        print_json(solved);
    else
        printf("%-9s %8.3f %10" PRIu64 " %6" PRIu64 " %6" PRIu64 " %10.3e %10.3e %9.3f %8.3f %10.2f%s%s\n",
               storage->name, 8.0 * (double)storage->bytes / (double)storage->values, report->iterations,
               report->cycles, report->passes, report->rrn, solved->error, report->seconds,
               first->seconds / report->seconds, read_rate(solved) / 1e9,
               report->end == GMRES_CONVERGED ? "" : "  ",
               report->end == GMRES_CONVERGED ? "" : gmres_end_text(report->end));
    fflush(stdout);
}
