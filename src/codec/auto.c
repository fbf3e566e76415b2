/* SPDX-License-Identifier: MIT */
#include "codec/auto.h"

#include <stdlib.h>
#include <string.h>

#include "codec/codecs.h"
#include "core/bytes.h"

/* A codec that may be chosen from a level on. Its slowness makes its ratio worse by that part for each level
 * below 9: a codec of a tenth of ndzip's speed must make the grid a fifth smaller to be the default's choice.
 */
static const struct {
    enum fpgz_codec_id id;
    int from_level;
    double slowness;
} candidates[] = {
    {FPGZ_CODEC_NDZIP, 1, 0},   {FPGZ_CODEC_GFC, 1, 0},      {FPGZ_CODEC_PREDICT, 1, 0},
    {FPGZ_CODEC_MPC, 2, 0.005}, {FPGZ_CODEC_ARITH, 4, 0.04}, {FPGZ_CODEC_DEFLATE, 4, 0.05},
};
enum { CANDIDATES = sizeof candidates / sizeof *candidates };

enum { PIECE_VALUES = 32 << 10, MAX_PIECES = 8 };

/* The sample: boxes of the grid at even distances, the same in all. */
struct sample {
    struct fpgz_grid box;
    unsigned pieces;
    unsigned axis; /* along which the boxes lie */
};

/* A part of the grid's values that the level can afford: 1/32 at level 1, 1/4 from 7 on. */
static uint64_t sample_values(const struct fpgz_grid *grid, int level)
{
    const uint64_t values = fpgz_grid_values(grid);
    return values / (level == 1 ? 32 : level < 7 ? 16 : 4);
}

/* Boxes keep the fastest axis, whose runs all codecs live on, and blocks of 64 rows or 16 planes, as far as
 * there are any. An axis is shortened from the slowest but one (coders along time want all slices) to the
 * slowest, then the fastest. */
static struct sample plan_sample(const struct fpgz_grid *grid, int level)
{
    struct sample s = {.box = *grid, .pieces = 1};
    uint64_t wanted = sample_values(grid, level);
    if (wanted < PIECE_VALUES)
        wanted = PIECE_VALUES;
    const uint64_t block = grid->dims > 2 ? 16 : grid->dims == 2 ? 64 : 4096;
    for (unsigned i = 0; i < grid->dims; i++) {
        /* For example axes 2, 1, 0, 3 of four, 1, 0, 2 of three, 0, 1 of two. */
        const unsigned d = i + 1 == grid->dims ? i : grid->dims - 2 - i;
        const uint64_t unit = d + 1 == grid->dims ? 4096 : block,
                       others = fpgz_grid_values(&s.box) / s.box.extent[d];
        uint64_t length = wanted / MAX_PIECES / others / unit * unit;
        length = length < unit ? unit : length;
        if (length < s.box.extent[d]) {
            s.box.extent[d] = length;
            s.axis = d;
        }
    }
    const uint64_t box = fpgz_grid_values(&s.box), most = grid->extent[s.axis] / s.box.extent[s.axis];
    const uint64_t pieces = fpgz_min(fpgz_min((wanted + box - 1) / box, most), MAX_PIECES);
    s.pieces = pieces ? (unsigned)pieces : 1;
    return s;
}

/* Copies box number `piece` out of the grid. */
static void copy_piece(const struct fpgz_grid *grid, const struct sample *s, unsigned piece,
                       const uint8_t *values, uint8_t *out)
{
    const size_t size = fpgz_dtype_size(grid->dtype), run = s->box.extent[grid->dims - 1];
    const uint64_t runs = fpgz_grid_values(&s->box) / run;
    /* Evenly spread: the middle of each part of the axis, pulled back to whole blocks where it was cut in
     * such. */
    const uint64_t room = grid->extent[s->axis] - s->box.extent[s->axis];
    const uint64_t at = s->pieces > 1 ? room * piece / (s->pieces - 1) : room / 2;
    const uint64_t start = at / s->box.extent[s->axis] * s->box.extent[s->axis];
    for (uint64_t r = 0; r < runs; r++, out += run * size) {
        uint64_t left = r, offset = 0, stride = grid->extent[grid->dims - 1];
        if (s->axis == grid->dims - 1)
            offset = start;
        for (unsigned d = grid->dims - 1; d-- > 0; stride *= grid->extent[d]) {
            offset += (left % s->box.extent[d] + (d == s->axis ? start : 0)) * stride;
            left /= s->box.extent[d];
        }
        memcpy(out, values + offset * size, run * size);
    }
}

/* Parameters for the whole chunk, or for a piece of it: gfc cuts either into parts of about the same length.
 */
static void choose_params(const struct fpgz_codec *codec, int level, double part, struct fpgz_params *params)
{
    fpgz_codec_defaults(codec, params);
    if (codec->id == FPGZ_CODEC_GFC && part < 1) {
        params->value[0] = 1;
        params->value[1] = (uint32_t)(1 + 31 * part);
    }
    if (codec->id == FPGZ_CODEC_DEFLATE && level == 9)
        params->value[0] = 9;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Where the parts of the scratch begin. */
struct workspace {
    size_t stream, codec_scratch, total;
};

static struct workspace lay_out(const struct sample *s, int level)
{
    struct workspace w = {.stream = fpgz_round_up(fpgz_grid_bytes(&s->box), 64)};
    size_t bound = 0, memory = 0;
    for (unsigned i = 0; i < CANDIDATES; i++) {
        const struct fpgz_codec *codec = fpgz_codec_by_id(candidates[i].id);
        struct fpgz_params params;
        struct fpgz_grid coded;
        if (!codec || !fpgz_codec_takes(codec, s->box.dtype) || level < candidates[i].from_level)
            continue;
        choose_params(codec, level, 0, &params);
        codec->fold(&s->box, &coded);
        bound = larger(bound, codec->bound(&coded, &params));
        memory = larger(memory, codec->memory(&coded, &params));
    }
    w.codec_scratch = fpgz_round_up(w.stream + bound, 64);
    w.total = w.codec_scratch + fpgz_round_up(memory, 64);
    return w;
}

size_t fpgz_auto_memory(const struct fpgz_grid *grid, int level)
{
    const struct sample s = plan_sample(grid, level);
    return lay_out(&s, level).total;
}

/* Ties go to the lower id, so that the order does not hang on qsort(). */
static int by_cost(const void *a, const void *b)
{
    const struct fpgz_auto_candidate *x = a, *y = b;
    return x->cost != y->cost ? (x->cost > y->cost) - (x->cost < y->cost)
                              : (int)x->codec->id - (int)y->codec->id;
}

void fpgz_auto_choose(const struct fpgz_grid *grid, const void *values, int level, void *scratch,
                      struct fpgz_auto_choice *choice)
{
    const struct sample s = plan_sample(grid, level);
    const struct workspace w = lay_out(&s, level);
    const size_t raw = fpgz_grid_bytes(&s.box) * s.pieces;
    uint8_t *const box = scratch;
    uint64_t stored[CANDIDATES] = {0};
    for (unsigned piece = 0; piece < s.pieces; piece++) {
        copy_piece(grid, &s, piece, values, box);
        for (unsigned i = 0; i < CANDIDATES; i++) {
            const struct fpgz_codec *codec = fpgz_codec_by_id(candidates[i].id);
            struct fpgz_coding coding = {.scratch = box + w.codec_scratch};
            size_t length = fpgz_grid_bytes(&s.box);
            if (!codec || !fpgz_codec_takes(codec, grid->dtype) || level < candidates[i].from_level)
                continue;
            choose_params(codec, level, (double)raw / (double)s.pieces / (double)fpgz_grid_bytes(grid),
                          &coding.params);
            codec->fold(&s.box, &coding.grid);
            codec->encode(&coding, box, box + w.stream, &length);
            stored[i] += length;
        }
    }
    choice->count = 0;
    for (unsigned i = 0; i < CANDIDATES; i++) {
        if (!stored[i])
            continue;
        struct fpgz_auto_candidate *c = &choice->candidate[choice->count++];
        c->codec = fpgz_codec_by_id(candidates[i].id);
        choose_params(c->codec, level, 1, &c->params);
        c->ratio = (double)stored[i] / (double)raw;
        c->cost = c->ratio * (1 + candidates[i].slowness * (9 - level));
    }
    qsort(choice->candidate, choice->count, sizeof *choice->candidate, by_cost);
}
