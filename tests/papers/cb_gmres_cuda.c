/* SPDX-License-Identifier: MIT
 * cb_gmres' engine for GPUs against that of the CPU: stored vectors are the same to the bit, what is read of
 * them is too, and solves take as many iterations, within 2 %. Exits 77 without a GPU. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "gmres.h"

enum { SKIPPED = 77, VECTORS = 3, WIDTH = 41, HEIGHT = 79, ROWS = WIDTH * HEIGHT };

static double b[ROWS];

/* The same system on both; false where there is no such storage or no GPU. */
static bool begin(struct engine *cpu, struct engine *gpu, const struct matrix *matrix, const char *name,
                  unsigned vectors)
{
    struct storage storage;
    checking = name;
    return CHECK(storage_parse(name, &storage)) &&
           CHECK(!engine_begin_cpu(cpu, matrix, b, &storage, vectors, 1)) &&
           CHECK(!engine_begin_cuda(gpu, matrix, b, &storage, vectors));
}

static bool near(double a, double b_, double scale)
{
    return fabs(a - b_) <= 1e-12 * scale;
}

static bool same_vector(struct engine *cpu, struct engine *gpu, unsigned number)
{
    static uint8_t stored[2][16 * ROWS];
    cpu->read_vector(cpu, number, stored[0]);
    gpu->read_vector(gpu, number, stored[1]);
    return cpu->storage.bytes <= sizeof stored[0] && !memcmp(stored[0], stored[1], cpu->storage.bytes);
}

/* One call after the other, on values as a basis has them: of many exponents, some zeros, some subnormals. */
static void check_calls(const struct matrix *matrix, const char *name)
{
    static double x[2][ROWS];
    double factor[2][2], norm[2], before[2], after[2];
    const double exact[] = {1, -2}; /* products with them are */
    struct engine cpu, gpu;
    if (!begin(&cpu, &gpu, matrix, name, VECTORS))
        return;
    norm[0] = cpu.residual(&cpu);
    norm[1] = gpu.residual(&gpu);
    CHECK(near(norm[0], norm[1], norm[0]));
    CHECK(cpu.append(&cpu, 0, 3) && gpu.append(&gpu, 0, 3));
    CHECK(cpu.append(&cpu, 1, 0.7) && gpu.append(&gpu, 1, 0.7));
    CHECK(same_vector(&cpu, &gpu, 0) && same_vector(&cpu, &gpu, 1));
    cpu.product(&cpu);
    gpu.product(&gpu);
    after[0] = cpu.pass(&cpu, 2, factor[0], &before[0]);
    after[1] = gpu.pass(&gpu, 2, factor[1], &before[1]);
    CHECK(near(before[0], before[1], before[0]) && near(after[0], after[1], before[0]));
    CHECK(near(factor[0][0], factor[1][0], before[0] * norm[0]));
    CHECK(near(factor[0][1], factor[1][1], before[0] * norm[0]));
    after[0] = cpu.pass(&cpu, 1, factor[0], &before[0]);
    after[1] = gpu.pass(&gpu, 1, factor[1], &before[1]);
    CHECK(near(before[0], before[1], before[0]) && near(after[0], after[1], before[0]));
    cpu.update(&cpu, 2, exact);
    gpu.update(&gpu, 2, exact);
    cpu.read_solution(&cpu, x[0]);
    gpu.read_solution(&gpu, x[1]);
    CHECK(!memcmp(x[0], x[1], sizeof x[0]));
    norm[0] = cpu.residual(&cpu);
    norm[1] = gpu.residual(&gpu);
    CHECK(near(norm[0], norm[1], norm[0]));
    CHECK(!cpu.error.status && !gpu.error.status);
    cpu.end(&cpu);
    gpu.end(&gpu);
}

/* What FRSZ2 cannot store comes up as a NaN, at once or with the next product. */
static void check_not_finite(const struct matrix *matrix)
{
    struct engine cpu, gpu;
    double factor, before;
    b[77] = INFINITY;
    if (begin(&cpu, &gpu, matrix, "frsz2_32", VECTORS)) {
        CHECK(!isfinite(gpu.residual(&gpu)));
        const bool stored = gpu.append(&gpu, 0, 1);
        gpu.product(&gpu);
        CHECK(!stored || isnan(gpu.pass(&gpu, 1, &factor, &before)));
        cpu.end(&cpu);
        gpu.end(&gpu);
    }
    b[77] = 0;
}

/* b = A s with s_i = sin i, as the program has it. */
static void make_right_side(const struct matrix *matrix)
{
    memset(b, 0, sizeof b);
    for (uint64_t row = 0; row < matrix->rows; row++)
        for (uint64_t i = matrix->start[row]; i < matrix->start[row + 1]; i++)
            b[row] += matrix->value[i] * sin(matrix->column[i]);
}

/* Solutions, and iterations within so many percent of each other. */
static void check_solve(const char *matrix_name, const char *const *storages, unsigned count, double percent)
{
    const struct gmres_settings settings = {100, 5000, 1e-12};
    struct matrix matrix;
    struct fpgz_error error = {0};
    static double x[2][ROWS];
    if (!CHECK(!matrix_make(matrix_name, &matrix, &error) && matrix.rows <= ROWS))
        return;
    make_right_side(&matrix);
    for (unsigned k = 0; k < count; k++) {
        struct engine engine[2];
        struct gmres_report report[2];
        double norm = 0, difference = 0;
        if (!begin(&engine[0], &engine[1], &matrix, storages[k], settings.restart))
            continue;
        for (unsigned i = 0; i < 2; i++) {
            gmres(&engine[i], &settings, &report[i]);
            engine[i].read_solution(&engine[i], x[i]);
            engine[i].end(&engine[i]);
            free(report[i].history);
            CHECK(report[i].end == GMRES_CONVERGED);
        }
        for (unsigned i = 0; i < matrix.rows; i++) {
            norm += x[0][i] * x[0][i];
            difference += (x[0][i] - x[1][i]) * (x[0][i] - x[1][i]);
        }
        CHECK(sqrt(difference / norm) < 1e-4);
        check_that(fabs((double)report[0].iterations - (double)report[1].iterations) <=
                       fmax(2, percent / 100 * (double)report[0].iterations),
                   "%s, %s: %llu iterations on the CPU, %llu on the GPU", matrix_name, storages[k],
                   (unsigned long long)report[0].iterations, (unsigned long long)report[1].iterations);
    }
    matrix_free(&matrix);
}

int main(void)
{
    static const char *const plain[] = {"f64", "f32", "f16", "bf16"},
                             *const fine[] = {"f64", "f32", "frsz2_64", "frsz2_32", "frsz2_21"},
                             *const coarse[] = {"f16", "bf16", "frsz2_16"};
    struct matrix matrix;
    struct fpgz_error error = {0};
    struct storage storage;
    struct engine engine;
    if (!CHECK(!matrix_make("parabolic_fem:41x79", &matrix, &error) && matrix.rows == ROWS &&
               storage_parse("f64", &storage)))
        return checks_end();
    if (engine_begin_cuda(&engine, &matrix, b, &storage, 1) == FPGZ_UNSUPPORTED) {
        matrix_free(&matrix);
        return SKIPPED;
    }
    engine.end(&engine);
    for (unsigned i = 0; i < ROWS; i++) {
        const double fraction = (double)(random_bits() % 200001) / 1e5 - 1;
        const int exponent = i / 32 % 50 == 49 ? -1060 : -(int)(random_bits() % 40);
        b[i] = i % 97 == 0 || i / 32 == 60 ? 0 : ldexp(fraction, exponent);
    }
    for (unsigned i = 0; i < sizeof plain / sizeof plain[0]; i++)
        check_calls(&matrix, plain[i]);
    for (unsigned bits = 2; bits <= 64; bits++) {
        char name[STORAGE_NAME];
        snprintf(name, sizeof name, "frsz2_%u", bits);
        check_calls(&matrix, name);
    }
    check_not_finite(&matrix);
    matrix_free(&matrix);
    check_solve("atmosmodd:12x13x14", fine, 5, 2);
    check_solve("parabolic_fem:40x50", fine, 5, 2);
    check_solve("PR02R:20x21", fine, 2, 2);
    /* Where most of a value is cut off, what the sums' order changes in its last bit is soon more. */
    check_solve("atmosmodd:12x13x14", coarse, 3, 5);
    check_solve("parabolic_fem:40x50", coarse, 3, 5);
    return checks_end();
}
