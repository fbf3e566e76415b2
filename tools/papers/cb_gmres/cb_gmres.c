/* SPDX-License-Identifier: MIT
 * cb_gmres: solves A x = b by GMRES whose basis is stored compressed, once a storage, and compares. b = A s
 * with s_i = sin i, scaled to norm 1. Exits 1 where a storage does not converge, 77 without the device. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "report.h"

enum { STORAGES_MAX = 16, SKIPPED = 77, RESTART_MAX = 4096, ITERATIONS_MAX = 10000000 };

static const char usage[] =
    "usage: cb_gmres [OPTION]... MATRIX\n"
    "\n"
    "Solves A x = b by restarted GMRES with its basis in each storage, and compares them.\n"
    "MATRIX is a Matrix Market file, or generated, with extents where others are wanted "
    "(atmosmodd:29x74x74):\n";
static const char help[] =
    "  --storage LIST     f64, f32, f16, bf16, frsz2_2 to frsz2_64 (default "
    "f64,f32,f16,frsz2_32,frsz2_21,frsz2_16)\n"
    "  --rrn NUMBER       the relative residual norm to reach (default 1e-12)\n"
    "  --restart N        iterations of a cycle (default 100)\n"
    "  --iterations N     at most (default 20000)\n"
    "  --device cpu|cuda  where (default cpu)\n"
    "  --threads N        of the CPU (default: all)\n"
    "  --cpu-level LEVEL  c, avx2, ... (default: the best)\n"
    "  --json             a line of JSON a storage\n"
    "  --exponents N      in JSON: how often each exponent comes up in vector N of the last basis\n";

struct solver {
    struct request request;
    struct storage storage[STORAGES_MAX];
    unsigned storages;
    struct matrix matrix;
    double *s, *b;
};

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "cb_gmres: %s%s%s\n", what, *why ? ": " : "", why);
    return EXIT_FAILURE;
}

static bool parse_storages(char *list, struct solver *solver)
{
    solver->storages = 0;
    for (char *rest, *name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
        if (solver->storages == STORAGES_MAX || !storage_parse(name, &solver->storage[solver->storages++]))
            return false;
    return solver->storages > 0;
}

static bool parse_count(const char *text, unsigned long most, unsigned long *value)
{
    char *end;
    *value = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && *value <= most;
}

static bool parse_level(const char *name)
{
    for (unsigned level = 0; level < FPGZ_CPU_LEVELS; level++)
        if (!strcmp(name, fpgz_cpu_name(level)))
            return fpgz_cpu_set(level);
    return false;
}

static bool parse_option(int option, char *value, struct solver *solver)
{
    struct request *const request = &solver->request;
    unsigned long number = 0;
    char *end;
    switch (option) {
    case 's':
        return parse_storages(value, solver);
    case 'r':
        request->settings.target = strtod(value, &end);
        return end != value && !*end && request->settings.target > 0 && request->settings.target < 1;
    case 'm':
        request->settings.restart = parse_count(value, RESTART_MAX, &number) ? (unsigned)number : 0;
        return number > 0;
    case 'i':
        request->settings.iterations = parse_count(value, ITERATIONS_MAX, &number) ? number : 0;
        return number > 0;
    case 'd':
        request->device = value;
        return !strcmp(value, "cpu") || !strcmp(value, "cuda");
    case 't':
        request->threads = parse_count(value, 1024, &number) ? (unsigned)number : 0;
        return number > 0;
    case 'l':
        return parse_level(value);
    case 'e':
        if (!parse_count(value, RESTART_MAX, &number))
            return false;
        request->exponents_of = (int)number;
        return true;
    default:
        request->json = true;
        return true;
    }
}

/* EXIT_SUCCESS with a matrix's name, or what to exit with; *go says which. */
static int parse(int argc, char **argv, struct solver *solver, bool *go)
{
    static const struct option options[] = {
        {"storage", 1, NULL, 's'},    {"rrn", 1, NULL, 'r'},       {"restart", 1, NULL, 'm'},
        {"iterations", 1, NULL, 'i'}, {"device", 1, NULL, 'd'},    {"threads", 1, NULL, 't'},
        {"cpu-level", 1, NULL, 'l'},  {"exponents", 1, NULL, 'e'}, {"json", 0, NULL, 'j'},
        {"help", 0, NULL, 'h'},       {NULL, 0, NULL, 0},
    };
    char storages[] = "f64,f32,f16,frsz2_32,frsz2_21,frsz2_16";
    parse_storages(storages, solver);
    *go = false;
    for (int option, place; (option = getopt_long(argc, argv, "", options, &place)) != -1;) {
        if (option == '?')
            return EXIT_FAILURE;
        if (option == 'h') {
            fputs(usage, stdout);
            matrix_list();
            fputs(help, stdout);
            return EXIT_SUCCESS;
        }
        if (!parse_option(option, optarg, solver))
            return fail(options[place].name, "does not take this value; see --help");
    }
    if (optind + 1 != argc)
        return fail("one matrix is wanted", "see --help");
    if (!strcmp(solver->request.device, "cuda"))
        solver->request.threads = 0;
    solver->request.matrix = argv[optind];
    *go = true;
    return EXIT_SUCCESS;
}

/* s of norm 1, and b = A s. */
static enum fpgz_status make_right_side(struct solver *solver, struct fpgz_error *error)
{
    const struct matrix *const a = &solver->matrix;
    double norm = 0, b_norm = 0;
    solver->s = malloc(a->rows * sizeof *solver->s);
    solver->b = calloc(a->rows, sizeof *solver->b);
    if (!solver->s || !solver->b)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for two vectors");
    for (uint64_t i = 0; i < a->rows; i++) {
        solver->s[i] = sin((double)i);
        norm += solver->s[i] * solver->s[i];
    }
    for (uint64_t i = 0; i < a->rows; i++)
        solver->s[i] /= norm > 0 ? sqrt(norm) : 1; /* one row has s = sin 0 */
    for (uint64_t row = 0; row < a->rows; row++) {
        for (uint64_t i = a->start[row]; i < a->start[row + 1]; i++)
            solver->b[row] += a->value[i] * solver->s[a->column[i]];
        b_norm += fabs(solver->b[row]);
    }
    if (b_norm == 0)
        return fpgz_fail(error, FPGZ_UNSUPPORTED, "A s is zero: the matrix is singular, or has one row");
    return FPGZ_OK;
}

static double distance(const double *x, const double *s, uint64_t count)
{
    double sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += (x[i] - s[i]) * (x[i] - s[i]);
    return sqrt(sum);
}

/* With one storage; whether it converged. *status tells where the engine could not begin. */
static bool solve(struct solver *solver, unsigned number, struct gmres_report *first, double *x,
                  struct fpgz_error *error)
{
    const struct request *const request = &solver->request;
    const unsigned vectors = request->settings.restart;
    struct engine engine;
    struct gmres_report report;
    const enum fpgz_status status =
        request->threads
            ? engine_begin_cpu(&engine, &solver->matrix, solver->b, &solver->storage[number], vectors,
                               request->threads)
            : engine_begin_cuda(&engine, &solver->matrix, solver->b, &solver->storage[number], vectors);
    if (status) {
        *error = engine.error;
        return false;
    }
    gmres(&engine, &request->settings, &report);
    engine.read_solution(&engine, x);
    *first = number ? *first : report;
    *error = engine.error;
    const struct solved solved = {request, &engine, &report, distance(x, solver->s, solver->matrix.rows)};
    report_row(&solved, first);
    engine.end(&engine);
    free(report.history);
    return report.end == GMRES_CONVERGED;
}

static int solve_all(struct solver *solver)
{
    struct fpgz_error error = {0};
    struct gmres_report first = {0};
    double *x = NULL;
    bool converged = true;
    if (matrix_make(solver->request.matrix, &solver->matrix, &error) || make_right_side(solver, &error))
        return fail(solver->request.matrix, error.text);
    if (!(x = malloc(solver->matrix.rows * sizeof *x)))
        return fail("no memory", "");
    report_head(&solver->request, &solver->matrix);
    for (unsigned i = 0; i < solver->storages && !error.status; i++)
        converged &= solve(solver, i, &first, x, &error);
    free(x);
    if (error.status == FPGZ_UNSUPPORTED && !solver->request.threads) {
        fail(error.text, "");
        return SKIPPED;
    }
    return error.status ? fail(error.text, "") : converged ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct solver solver = {.request = {.device = "cpu",
                                        .settings = {100, 20000, 1e-12},
                                        .threads = fpgz_cpu_count(),
                                        .exponents_of = -1}};
    bool go;
    int status = parse(argc, argv, &solver, &go);
    if (go)
        status = solve_all(&solver);
    matrix_free(&solver.matrix);
    free(solver.s);
    free(solver.b);
    return status;
}
