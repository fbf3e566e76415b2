/* SPDX-License-Identifier: MIT
 * The recursive least squares of prans' refined format: what they learn, forget, and do about values that are
 * no numbers; and that a chunk is coded with them where that makes it smaller, and only there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/predict/refinement_kernel.h"

enum { VALUES = 1 << 17 };

/* In [-1, 1). */
static double random_number(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)state * 0x1p-63;
}

/* One value's turn: inputs of about `scale`, of which `weight` makes what the stencil's sum misses. Returns
 * what is still missed of it, in units of `scale`. */
static double turn(const struct prans_refinement *how, struct prans_refiner *refiner, const double *weight,
                   double scale)
{
    double missed = 0;
    for (unsigned i = 0; i < PRANS_REFINEMENT_INPUTS; i++) {
        refiner->input[i] = random_number() * scale;
        missed += weight[i] * refiner->input[i];
    }
    const double correction = refiner_correct(refiner, scale, scale * 0x1p-10);
    refiner_learn(how, refiner, missed);
    return fabs(missed - correction) / scale;
}

/* The largest of the last hundred. */
static double turns(const struct prans_refinement *how, struct prans_refiner *refiner, const double *weight,
                    double scale, unsigned count)
{
    double most = 0;
    refiner_run(refiner);
    for (unsigned i = 0; i < count; i++) {
        const double missed = turn(how, refiner, weight, scale);
        if (i + 100 >= count)
            most = missed > most ? missed : most;
        if (i % 512 == 511)
            refiner_run(refiner);
    }
    return most;
}

static void test_learning(void)
{
    struct prans_refinement how;
    CHECK(!fpgz_prans_refinement_set(PRANS_REFINEMENT_MEMORY_LEAST - 1, 0, &how));
    CHECK(!fpgz_prans_refinement_set(PRANS_REFINEMENT_MEMORY_MOST + 1, 0, &how));
    CHECK(!fpgz_prans_refinement_set(PRANS_REFINEMENT_MEMORY_LEAST, PRANS_REFINEMENT_PARTS / 2 + 1, &how));
    CHECK(fpgz_prans_refinement_set(9, 0, &how));
    double weight[PRANS_REFINEMENT_INPUTS], other[PRANS_REFINEMENT_INPUTS];
    for (unsigned i = 0; i < PRANS_REFINEMENT_INPUTS; i++) {
        weight[i] = random_number();
        other[i] = random_number();
    }
    struct prans_refiner refiner;
    prans_refiner_start(&how, &refiner);
    CHECK(turn(&how, &refiner, weight, 1) > 0.01); /* nothing is known yet */
    CHECK(turns(&how, &refiner, weight, 1, 4000) < 0.01);
    CHECK(turns(&how, &refiner, weight, 0x1p-300, 1000) < 0.01); /* units do not matter */
    CHECK(turns(&how, &refiner, other, 1, 100) > 0.01);
    CHECK(turns(&how, &refiner, other, 1, 8000) < 0.01); /* what was true before is forgotten */
}

static void test_what_is_no_number(void)
{
    struct prans_refinement how;
    fpgz_prans_refinement_set(12, 0, &how);
    const double weight[PRANS_REFINEMENT_INPUTS] = {1, -0.5}, bad[] = {NAN, INFINITY, -INFINITY, 1e300, -0.0};
    struct prans_refiner refiner;
    prans_refiner_start(&how, &refiner);
    for (unsigned i = 0; i < 1000; i++) {
        for (unsigned j = 0; j < PRANS_REFINEMENT_INPUTS; j++)
            refiner.input[j] = bad[(i + j) % 5];
        CHECK(isfinite(refiner_correct(&refiner, 1, 0)));
        refiner_learn(&how, &refiner, bad[i % 5]);
    }
    CHECK(turns(&how, &refiner, weight, 1, 8000) < 0.01);
    /* Without a unit there is no correction, and nothing is learnt. */
    const struct prans_refiner before = refiner;
    for (unsigned i = 0; i < 3; i++) {
        CHECK(refiner_correct(&refiner, (double[]){0, INFINITY, NAN}[i], 1) == 0);
        refiner_learn(&how, &refiner, 5);
    }
    CHECK(!memcmp(before.weight, refiner.weight, sizeof refiner.weight));
}

/* The stream's length, or 0 where it does not restore the values. */
static size_t coded(const struct fpgz_grid *grid, const double *values, uint32_t effort, uint8_t *format)
{
    const struct fpgz_params params = {{PRANS_FORMAT_HIGH, effort}};
    struct fpgz_coding coding = {*grid, params, aligned_alloc(64, fpgz_prans.memory(grid, &params)), NULL};
    uint8_t *stream = malloc(fpgz_prans.bound(grid, &params));
    double *restored = malloc(sizeof *restored * VALUES);
    size_t length = 0;
    CHECK(coding.scratch && stream && restored && !fpgz_prans.encode(&coding, values, stream, &length));
    *format = stream[0];
    const bool same = !fpgz_prans.decode(&coding, stream, length, restored) &&
                      !memcmp(values, restored, sizeof *restored * VALUES);
    CHECK(same);
    free(restored);
    free(stream);
    free(coding.scratch);
    return same ? length : 0;
}

static void test_where_it_pays(void)
{
    const struct fpgz_grid grid = {FPGZ_F64, 1, {VALUES, 1, 1, 1}};
    double *values = malloc(sizeof *values * VALUES);
    CHECK(values);
    /* Two tones that swell and sink at their own pace: no stencil holds for long. */
    for (size_t i = 0; i < VALUES; i++) {
        const double t = (double)i;
        values[i] = 3 * sin(t * (0.3 + t * 4e-6)) + sin(t * (1.1 - t * 2e-6)) + 0x1p-20 * random_number();
    }
    uint8_t format;
    const size_t high = coded(&grid, values, 0, &format);
    CHECK(format == PRANS_FORMAT_HIGH);
    const size_t refined = coded(&grid, values, 1, &format);
    CHECK(format == PRANS_FORMAT_REFINED && refined < high - high / 100);
    printf("tones: %zu bytes, %zu refined\n", high, refined);
    for (size_t i = 0; i < VALUES; i++)
        values[i] = random_number();
    const size_t noise = coded(&grid, values, 0, &format);
    CHECK(coded(&grid, values, 1, &format) == noise && format != PRANS_FORMAT_REFINED);
    free(values);
}

int main(void)
{
    test_learning();
    test_what_is_no_number();
    test_where_it_pays();
    return checks_end();
}
