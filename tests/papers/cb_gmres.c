/* SPDX-License-Identifier: MIT
 * The parts of cb_gmres: what the basis stores is the codec's stream, every storage solves what a dense
 * solver solves, and neither threads nor CPU levels change a bit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/codecs.h"
#include "gmres.h"

enum { VALUES = 3 * STORAGE_TILE + 5 * FRSZ2_BLOCK + 7, PADDED = 4 * STORAGE_TILE, ROWS_MAX = 300 };

static double values[PADDED], decoded[PADDED];

/* Values as a basis has them: of many exponents, some zeros; and some subnormals. */
static void fill_values(void)
{
    for (unsigned i = 0; i < VALUES; i++) {
        const double fraction = (double)(random_bits() % 200001) / 1e5 - 1;
        const int exponent = i / 32 % 50 == 49 ? -1060 : -(int)(random_bits() % 40);
        values[i] = i % 97 == 0 ? 0 : ldexp(fraction, exponent);
    }
}

/* Stored vectors of `bits` against the codec's stream, which is what fpgz --codec frsz2 --bare writes. */
static void check_accessor(unsigned bits)
{
    static uint8_t stream[16 * PADDED], vector[16 * PADDED];
    static double restored[VALUES];
    char name[STORAGE_NAME];
    struct storage storage;
    struct fpgz_coding coding = {.grid = {FPGZ_F64, 1, {VALUES}}};
    size_t length = 0;
    snprintf(name, sizeof name, "frsz2_%u", bits);
    checking = name;
    if (!CHECK(storage_parse(name, &storage)))
        return;
    storage_lay_out(&storage, VALUES);
    coding.params.value[FRSZ2_BITS] = bits;
    memset(vector, 0, sizeof vector);
    for (uint64_t first = 0; first < VALUES; first += STORAGE_TILE)
        CHECK(storage_put(&storage, first, values + first, vector));
    CHECK(!fpgz_frsz2.encode(&coding, values, stream, &length));
    CHECK(length == storage.bytes && storage.room >= length && !memcmp(stream, vector, length));
    CHECK(!fpgz_frsz2.decode(&coding, stream, length, restored));
    for (uint64_t first = 0; first < VALUES; first += STORAGE_TILE) {
        const struct storage_tile tile =
            storage_get(&storage, fpgz_cpu_choose(fpgz_gmres_loops_kernels), vector, first, decoded + first);
        CHECK(tile.count == (first + STORAGE_TILE <= VALUES ? STORAGE_TILE : 6 * FRSZ2_BLOCK));
    }
    CHECK(!memcmp(decoded, restored, sizeof restored));
    for (unsigned i = VALUES; i < 3 * STORAGE_TILE + 6 * FRSZ2_BLOCK; i++)
        CHECK(decoded[i] == 0);
}

/* f32, f16 and bf16: the nearest value of the type, found by another way. */
static void check_rounding(const char *name, int mantissa_bits, int least_exponent)
{
    static uint8_t vector[16 * PADDED];
    struct storage storage;
    checking = name;
    if (!CHECK(storage_parse(name, &storage)))
        return;
    storage_lay_out(&storage, VALUES);
    for (uint64_t first = 0; first < VALUES; first += STORAGE_TILE) {
        CHECK(storage_put(&storage, first, values + first, vector));
        storage_get(&storage, fpgz_cpu_choose(fpgz_gmres_loops_kernels), vector, first, decoded + first);
    }
    unsigned wrong = 0;
    for (unsigned i = 0; i < VALUES; i++) {
        const int exponent = values[i] == 0 ? 0 : ilogb(values[i]);
        const int last = (exponent < least_exponent ? least_exponent : exponent) - mantissa_bits;
        wrong += decoded[i] != ldexp(rint(ldexp(values[i], -last)), last);
    }
    CHECK(wrong == 0);
}

/* The solution by Gaussian elimination with pivots. */
static void solve_dense(const struct matrix *matrix, const double *b, double *x)
{
    static double a[ROWS_MAX][ROWS_MAX + 1];
    const unsigned n = (unsigned)matrix->rows;
    memset(a, 0, sizeof a);
    for (unsigned row = 0; row < n; row++) {
        for (uint64_t i = matrix->start[row]; i < matrix->start[row + 1]; i++)
            a[row][matrix->column[i]] = matrix->value[i];
        a[row][n] = b[row];
    }
    for (unsigned k = 0; k < n; k++) {
        unsigned pivot = k;
        for (unsigned row = k + 1; row < n; row++)
            pivot = fabs(a[row][k]) > fabs(a[pivot][k]) ? row : pivot;
        for (unsigned j = 0; j <= n; j++) {
            const double upper = a[pivot][j];
            a[pivot][j] = a[k][j];
            a[k][j] = upper;
        }
        for (unsigned row = k + 1; row < n; row++) {
            const double factor = a[row][k] / a[k][k];
            for (unsigned j = k; j <= n; j++)
                a[row][j] -= factor * a[k][j];
        }
    }
    for (unsigned k = n; k-- > 0;) {
        x[k] = a[k][n];
        for (unsigned j = k + 1; j < n; j++)
            x[k] -= a[k][j] * x[j];
        x[k] /= a[k][k];
    }
}

/* The solution with a storage, and how many iterations it took; 0 where it did not converge. */
static uint64_t solve(const struct matrix *matrix, const double *b, const char *name, unsigned restart,
                      unsigned threads, double *x)
{
    const struct gmres_settings settings = {restart, 5000, 1e-13};
    struct storage storage;
    struct engine engine;
    struct gmres_report report;
    if (!storage_parse(name, &storage) ||
        engine_begin_cpu(&engine, matrix, b, &storage, settings.restart, threads))
        return 0;
    gmres(&engine, &settings, &report);
    engine.read_solution(&engine, x);
    CHECK(report.rrn <= settings.target && report.end == GMRES_CONVERGED);
    engine.end(&engine);
    free(report.history);
    return report.end == GMRES_CONVERGED ? report.iterations : 0;
}

static void check_solver(const char *matrix_name)
{
    static const char *const storages[] = {"f64",      "f32",      "f16",      "bf16",
                                           "frsz2_64", "frsz2_32", "frsz2_21", "frsz2_16"};
    static double b[ROWS_MAX], x[ROWS_MAX], dense[ROWS_MAX], other[ROWS_MAX];
    struct matrix matrix;
    struct fpgz_error error = {0};
    checking = matrix_name;
    if (!CHECK(!matrix_make(matrix_name, &matrix, &error) && matrix.rows <= ROWS_MAX))
        return;
    for (unsigned i = 0; i < matrix.rows; i++)
        b[i] = cos(i);
    solve_dense(&matrix, b, dense);
    for (unsigned k = 0; k < sizeof storages / sizeof storages[0]; k++) {
        double norm = 0, difference = 0;
        checking = storages[k];
        const uint64_t iterations = solve(&matrix, b, storages[k], 20, 1, x);
        for (unsigned i = 0; i < matrix.rows; i++) {
            norm += dense[i] * dense[i];
            difference += (x[i] - dense[i]) * (x[i] - dense[i]);
        }
        CHECK(iterations > 0 && sqrt(difference / norm) < 1e-11);
        for (unsigned level = 0; level <= fpgz_cpu_best(); level++) {
            fpgz_cpu_set(level);
            CHECK(solve(&matrix, b, storages[k], 20, 1, other) == iterations &&
                  !memcmp(x, other, matrix.rows * sizeof *x));
        }
    }
    matrix_free(&matrix);
}

/* Several threads, on what has several tiles. */
static void check_threads(void)
{
    struct matrix matrix;
    struct fpgz_error error = {0};
    static double b[5 * STORAGE_TILE], x[5 * STORAGE_TILE], other[5 * STORAGE_TILE];
    checking = "threads";
    if (!CHECK(!matrix_make("parabolic_fem:65x66", &matrix, &error)))
        return;
    for (unsigned i = 0; i < matrix.rows; i++)
        b[i] = cos(i);
    const uint64_t iterations = solve(&matrix, b, "frsz2_21", 30, 1, x);
    CHECK(solve(&matrix, b, "frsz2_21", 30, 3, other) == iterations);
    CHECK(!memcmp(x, other, matrix.rows * sizeof *x));
    matrix_free(&matrix);
}

int main(void)
{
    fill_values();
    for (unsigned level = 0; level <= fpgz_cpu_best(); level++) {
        CHECK(fpgz_cpu_set(level));
        for (unsigned bits = 2; bits <= 64; bits++)
            check_accessor(bits);
        check_rounding("f32", 23, -126);
        check_rounding("bf16", 7, -126);
        check_rounding("f16", 10, -14);
    }
    check_solver("atmosmodd:3x8x9");
    check_solver("parabolic_fem:12x13");
    check_threads();
    return checks_end();
}
