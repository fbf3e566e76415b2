/* SPDX-License-Identifier: MIT
 * The table of levels, the passes that are planned by it, and that chunks take no more memory than they need.
 * usage: unit_levels   prints what failed. */
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/codecs.h"
#include "codec/level.h"
#include "core/bytes.h"
#include "engine/chunk.h"
#include "engine/need.h"
#include "engine/passes.h"

static bool is_effort(uint32_t effort)
{
    return effort >= 1 && effort <= 9;
}

static void test_table(void)
{
    for (int number = FPGZ_LEVEL_FIRST; number <= FPGZ_LEVEL_FEW; number++) {
        const struct fpgz_level *const level = fpgz_level(number);
        const struct fpgz_level *const faster = fpgz_level(number > FPGZ_LEVEL_FIRST ? number - 1 : number);
        CHECK(level->candidates && (level->candidates & faster->candidates) == faster->candidates);
        CHECK(level->sample.one_in && level->sample.one_in <= faster->sample.one_in);
        CHECK(level->haste <= faster->haste);
        CHECK(level->gfc_dim <= fpgz_gfc.params[GFC_DIM].max);
        CHECK(level->prans_setting >= fpgz_prans.params[PRANS_SETTING].min &&
              level->prans_setting <= fpgz_prans.params[PRANS_SETTING].max);
        CHECK(is_effort(level->deflate) && is_effort(level->bytes.deflate) && level->bytes.zstd &&
              level->bytes.zstd <= 19 && level->bytes.lzma <= 9);
        CHECK(level->chunk.usual <= level->chunk.learning && level->chunk.learning <= level->slab);
        CHECK(number == FPGZ_LEVEL_FEW || (level->few.level >= number && level->few.level <= FPGZ_LEVELS));
        /* Another level weighs the candidates of this one, and can have no others. */
        CHECK(level->also.weighed_as >= 0 && level->also.weighed_as < number);
        CHECK(!level->also.weighed_as || fpgz_level(level->also.weighed_as)->candidates == level->candidates);
        CHECK(level->also.sampled_as[0] >= 0 && level->also.sampled_as[0] < number);
        CHECK(fpgz_auto_learns(level) == (level->candidates >> FPGZ_CODEC_PRANS & 1));
        CHECK(fpgz_auto_verifies(level, FPGZ_I16) == level->numbers);
        CHECK(fpgz_auto_verifies(level, FPGZ_F32) == (level->candidates >> FPGZ_CODEC_PRANS & 1));
    }
}

static void test_plan(void)
{
    struct fpgz_passes passes = fpgz_passes_plan(&(struct fpgz_coder){.codec = &fpgz_mpc}, FPGZ_F32);
    CHECK(passes.count == 1 && !passes.pass[0].sampled && !passes.restores);
    passes = fpgz_passes_plan(&(struct fpgz_coder){.codec = &fpgz_frsz2, .unverified = true}, FPGZ_F32);
    CHECK(passes.count == 1 && passes.restores);
    passes = fpgz_passes_plan(&(struct fpgz_coder){.codec = &fpgz_prans}, FPGZ_F32);
    CHECK(passes.count == 1 && passes.restores);
    passes = fpgz_passes_plan(&(struct fpgz_coder){.level = FPGZ_LEVEL_FIRST}, FPGZ_F32);
    CHECK(passes.count == 1 && passes.pass[0].sampled == fpgz_level(FPGZ_LEVEL_FIRST) && !passes.restores);
    passes = fpgz_passes_plan(&(struct fpgz_coder){.level = FPGZ_LEVEL_LAST}, FPGZ_F32);
    CHECK(passes.count == FPGZ_MAX_PASSES - 4 && passes.pass[1].runner_up && passes.restores);
    CHECK(passes.pass[passes.count - 2].presumed);
    passes = fpgz_passes_plan(&(struct fpgz_coder){.level = FPGZ_LEVEL_FEW}, FPGZ_F32);
    CHECK(passes.count == FPGZ_MAX_PASSES && passes.pass[FPGZ_MAX_PASSES - 4].runner_up &&
          passes.pass[FPGZ_MAX_PASSES - 1].runner_up);
    passes = fpgz_passes_plan(&(struct fpgz_coder){.level = FPGZ_LEVEL_FEW}, FPGZ_F16);
    CHECK(passes.count == FPGZ_MAX_PASSES - 1); /* of other dtypes no level presumes anything */
    passes = fpgz_passes_plan(&(struct fpgz_coder){.level = FPGZ_LEVEL_LAST, .unverified = true}, FPGZ_F32);
    CHECK(passes.count == FPGZ_MAX_PASSES - 4 && !passes.restores);
    for (int level = FPGZ_LEVEL_FIRST; level <= FPGZ_LEVELS; level++)
        for (unsigned dtype = 1; dtype < FPGZ_DTYPES; dtype++)
            CHECK(!fpgz_dtypes[dtype].size ||
                  fpgz_passes_plan(&(struct fpgz_coder){.level = level}, dtype).count <= FPGZ_MAX_PASSES);
}

/* What is picked for a chunk of so many bytes, of halves. */
static const struct fpgz_auto_candidate *pick(const struct fpgz_pass *pass, uint64_t bytes,
                                              const struct fpgz_auto_choice *choice)
{
    return fpgz_pass_pick(pass, &(struct fpgz_grid){FPGZ_F16, 1, {(bytes + 1) / 2}}, choice);
}

/* Which sample counts as close to the best one; of bytes one does that is further away. */
static void test_pick(void)
{
    const struct fpgz_auto_choice choice = {
        2, {{.codec = &fpgz_prans, .ratio = 0.5}, {.codec = &fpgz_lzma, .ratio = 0.54}}};
    const struct fpgz_level *const last = fpgz_level(FPGZ_LEVEL_LAST);
    const struct fpgz_level *const hasty = fpgz_level(fpgz_level(FPGZ_LEVEL_DEFAULT)->few.level);
    const struct fpgz_pass pass = {last, last, 1, false}, fast = {hasty, hasty, 1, false};
    CHECK(pick(&pass, 1 << 20, &choice) == &choice.candidate[1]);
    CHECK(!pick(&pass, (1 << 20) + 1, &choice));
    CHECK(!pick(&fast, 1 << 20, &choice));
    CHECK(fpgz_pass_pick(&pass, &(struct fpgz_grid){FPGZ_U8, 1, {4 << 20}}, &choice) == &choice.candidate[1]);
    CHECK(!fpgz_pass_pick(&fast, &(struct fpgz_grid){FPGZ_U8, 1, {4 << 20}}, &choice));
}

/* The last level counts more samples as close where they are small, and several where they are tiny. */
static void test_pick_of_small(void)
{
    const struct fpgz_auto_choice small = {2,
                                           {{.codec = &fpgz_prans, .ratio = 0.16},
                                            {.codec = &fpgz_lzma, .ratio = 0.175}}},
                                  tiny = {3,
                                          {{.codec = &fpgz_deflate, .ratio = 0.001},
                                           {.codec = &fpgz_lzma, .ratio = 0.006},
                                           {.codec = &fpgz_prans, .ratio = 0.005}}};
    const struct fpgz_level *const last = fpgz_level(FPGZ_LEVEL_LAST), *const seventh = fpgz_level(7);
    const struct fpgz_pass first = {last, last, 1, false}, second = {last, last, 2, false},
                           other = {seventh, seventh, 1, false};
    CHECK(pick(&first, 4 << 20, &small) == &small.candidate[1]);
    CHECK(!pick(&other, 4 << 20, &small));
    CHECK(pick(&first, 4 << 20, &tiny) == &tiny.candidate[2]);
    CHECK(!pick(&second, 4 << 20, &tiny) && !pick(&other, 4 << 20, &tiny));
}

/* Some bits of each value are at random, so that codecs are close and all passes are taken. */
static void fill(const struct fpgz_grid *grid, uint8_t *bytes)
{
    const size_t size = fpgz_dtype_size(grid->dtype);
    uint32_t state = 1;
    for (uint64_t i = 0; i < fpgz_grid_values(grid); i++) {
        state = state * 1664525 + 1013904223;
        const double d = 1 + (double)(i % 61) / 64 + (state >> 24) * 0x1p-20;
        const float f = (float)d;
        if (size == 1)
            bytes[i] = (uint8_t)(state >> 28);
        else
            memcpy(bytes + i * size, size == 8 ? (const void *)&d : (const void *)&f, size);
    }
}

static void test_need(const struct fpgz_coder *coder, const struct fpgz_grid *grid)
{
    struct fpgz_chunk_buffers buffers = {0};
    struct fpgz_coded coded;
    const struct fpgz_need need = fpgz_need_encode(coder, grid);
    CHECK(fpgz_buffer_reserve(&buffers.raw, need.raw));
    fill(grid, buffers.raw.data);
    CHECK(!fpgz_chunk_encode(coder, grid, &buffers, &coded));
    /* A buffer that has grown beyond the need would count with its size. */
    CHECK(fpgz_need_bytes(&need, &buffers) == fpgz_need_bytes(&need, NULL));
    CHECK(!buffers.restored.capacity || need.restored);
    CHECK(!buffers.second.capacity || need.second);
    fpgz_chunk_buffers_free(&buffers);
}

static void test_needs(void)
{
    static const struct fpgz_grid grids[] = {
        {FPGZ_F32, 3, {16, 33, 61, 1}}, {FPGZ_F64, 2, {70, 130, 1, 1}},  {FPGZ_F64, 1, {5, 1, 1, 1}},
        {FPGZ_U8, 1, {70001, 1, 1, 1}}, {FPGZ_F32, 1, {40961, 1, 1, 1}},
    };
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        for (int level = FPGZ_LEVEL_FIRST; level <= FPGZ_LEVELS; level++) {
            struct fpgz_coder coder = {.level = level, .bound = FPGZ_NO_BOUND};
            test_need(&coder, &grids[i]);
            coder.unverified = true;
            test_need(&coder, &grids[i]);
        }
        for (size_t c = 0; fpgz_codecs[c]; c++) {
            struct fpgz_coder coder = {.codec = fpgz_codecs[c], .bound = FPGZ_NO_BOUND};
            struct fpgz_error unfit = {0};
            fpgz_codec_defaults(coder.codec, &coder.params);
            if (!fpgz_codec_check(coder.codec, grids[i].dtype, &coder.params, &unfit))
                test_need(&coder, &grids[i]);
        }
    }
}

/* What gives up does so where the stream is no shorter, and else makes the same one. */
static void test_shorter(void)
{
    const struct fpgz_grid grids[] = {{FPGZ_F64, 1, {9000}}, {FPGZ_U8, 1, {70001}}};
    for (size_t i = 0; i < 2 * sizeof grids / sizeof *grids; i++) {
        struct fpgz_coding coding = {.grid = grids[i / 2]};
        const size_t bytes = fpgz_grid_bytes(&coding.grid);
        size_t length = 0, again = 0;
        fpgz_codec_defaults(&fpgz_lzma, &coding.params);
        coding.params.value[LZMA_LEVEL] = i % 2 ? 9 : 6;
        const size_t bound = fpgz_lzma.bound(&coding.grid, &coding.params);
        uint8_t *const values = malloc(bytes), *const stream = malloc(bound), *const other = malloc(bound);
        coding.scratch = aligned_alloc(64, fpgz_round_up(fpgz_lzma.memory(&coding.grid, &coding.params), 64));
        if (values && stream && other && coding.scratch) {
            fill(&coding.grid, values);
            CHECK(!fpgz_lzma.encode(&coding, values, stream, &length) && length < bytes);
            CHECK(!fpgz_lzma.encode_shorter(&coding, values, length + 1, other, &again) && again == length &&
                  !memcmp(stream, other, length));
            const enum fpgz_status status = fpgz_lzma.encode_shorter(&coding, values, length, other, &again);
            CHECK(status == FPGZ_LIMIT || (!status && again == length));
            CHECK(fpgz_lzma.encode_shorter(&coding, values, length / 2, other, &again) == FPGZ_LIMIT ||
                  coding.grid.dtype == FPGZ_U8);
        }
        free(values);
        free(stream);
        free(other);
        free(coding.scratch);
    }
}

int main(void)
{
    test_table();
    test_plan();
    test_pick();
    test_pick_of_small();
    test_needs();
    if (!fpgz_lzma.missing)
        test_shorter();
    return checks_end();
}
