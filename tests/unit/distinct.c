/* SPDX-License-Identifier: MIT
 * Distinct values are counted, and tell auto what a sample of boxes does not. */
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/auto.h"
#include "codec/codecs.h"
#include "codec/distinct.h"
#include "core/bytes.h"

enum { VALUES = 400000, SOME = 3000 };

static double value[VALUES];

/* `some` of them, without pattern; as many again at most stand in a box of 8 KiB as it has values. */
static void fill(size_t some)
{
    for (size_t i = 0; i < VALUES; i++)
        value[i] = 1e-3 * (double)(random_bits() % some * 7919 % 1000003) / 1.7;
}

int main(void)
{
    struct fpgz_grid grid = {FPGZ_F64, 1, {VALUES}};
    struct fpgz_auto_choice choice;
    const struct fpgz_level *const level = fpgz_level(7); /* which weighs others against prans */
    void *const map = malloc(FPGZ_DISTINCT_MEMORY), *const scratch = aligned_alloc(
                                                        64,
                                                        fpgz_round_up(fpgz_auto_memory(&grid, level), 64));
    if (!CHECK(map && scratch))
        return 1;
    fill(SOME);
    const size_t found = fpgz_distinct(&grid, value, map);
    CHECK(found > SOME * 98 / 100 && found <= SOME);
    fpgz_auto_choose(&grid, value, level, scratch, &choice);
    CHECK(choice.candidate[0].codec == &fpgz_prans && choice.candidate[0].ratio < 13.0 / 64);
    fill(VALUES / 10);
    CHECK(fpgz_distinct(&grid, value, map) == SIZE_MAX);
    fill(VALUES / 2); /* whose numbers would take less */
    fpgz_auto_choose(&grid, value, level, scratch, &choice);
    CHECK(choice.count > 1 && choice.candidate[0].ratio > 0.3);
    grid = (struct fpgz_grid){FPGZ_F32, 2, {2, VALUES}};
    memset(value, 1, sizeof value);
    CHECK(fpgz_distinct(&grid, value, map) == 1);
    free(map);
    free(scratch);
    return checks_end();
}
