/* SPDX-License-Identifier: MIT
 * The choice of a codec by a sample: which are tried at a level, what is sampled, what counts. */
#include "codec/auto.h"

#include <stdlib.h>
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "core/bytes.h"

/* A codec that may be chosen from a level on. Its slowness makes its ratio worse by that part for each level
 * below 9. Codecs that move tens of megabytes a second wait for the levels that ask for size: even their
 * samples would cost the others, which move thousands, more time than they take themselves. */
static const struct {
    enum fpgz_codec_id id;
    int from_level;
    double slowness;
} candidates[] = {
    {FPGZ_CODEC_NDZIP, 1, 0},
    {FPGZ_CODEC_GFC, 1, 0},
    {FPGZ_CODEC_PREDICT, 1, 0},
    {FPGZ_CODEC_MPC, 2, 0.005},
    {FPGZ_CODEC_ARITH, 6, 0.04},
    {FPGZ_CODEC_DEFLATE, 6, 0.05},
    {FPGZ_CODEC_PRANS, FPGZ_AUTO_MIDDLE, 0.01},
};
enum { CANDIDATES = sizeof candidates / sizeof *candidates };

enum { LEAST_VALUES = 32 << 10, LEAST_BOX = 8 << 10, MAX_PIECES = 8 };

/* What the high setting of prans may make of what its middle setting made of the sample: where another codec
 * is still close, both code the chunk. */
#define HIGH_GAIN 0.7

/* The sample: boxes of the grid, all of one shape. */
struct sample {
    struct fpgz_grid box;
    unsigned pieces;
};

/* A part of the grid's values that the level can afford: 1/32 up to the default, 1/4 where only size counts.
 */
static uint64_t sample_values(const struct fpgz_grid *grid, int level)
{
    const uint64_t part = fpgz_grid_values(grid) / (level < 6 ? 32 : level < FPGZ_AUTO_SMALL ? 16 : 4);
    const uint64_t least = level == 1 ? LEAST_VALUES / 4 : LEAST_VALUES;
    return part < least ? least : part;
}

/* Boxes keep the fastest axis, whose runs all codecs live on, and blocks (fpgz_block_side()), as far as
 * there are any. An axis is shortened from the slowest but one (coders along time want all slices) to the
 * slowest, then the fastest. */
static struct sample plan_sample(const struct fpgz_grid *grid, int level)
{
    struct sample s = {.box = *grid, .pieces = 1};
    const uint64_t wanted = sample_values(grid, level);
    const uint64_t box = wanted / MAX_PIECES > LEAST_BOX ? wanted / MAX_PIECES : LEAST_BOX;
    for (unsigned i = 0; i < grid->dims; i++) {
        /* For example axes 2, 1, 0, 3 of four, 1, 0, 2 of three, 0, 1 of two. */
        const unsigned d = i + 1 == grid->dims ? i : grid->dims - 2 - i;
        const uint64_t unit = fpgz_block_side(d + 1 == grid->dims ? 1 : grid->dims);
        const uint64_t others = fpgz_grid_values(&s.box) / s.box.extent[d];
        s.box.extent[d] = fpgz_min(s.box.extent[d], fpgz_round_up((box + others - 1) / others, unit));
    }
    const uint64_t pieces = fpgz_min(wanted, fpgz_grid_values(grid)) / fpgz_grid_values(&s.box);
    s.pieces = pieces ? (unsigned)fpgz_min(pieces, MAX_PIECES) : 1;
    return s;
}

/* Where box number `piece` begins along axis d: spread evenly over all axes, in steps of the box where it was
 * cut from more. The first one lies in the middle. */
static uint64_t piece_start(const struct fpgz_grid *grid, const struct sample *s, unsigned piece, unsigned d)
{
    /* Powers of the inverse of a generalised golden ratio, as parts of 2^32: a sequence without clusters. */
    static const uint32_t steps[] = {3518319155, 2882110345, 2360945575, 1934019973};
    const uint64_t places = grid->extent[d] / s->box.extent[d];
    const uint32_t fraction = 0x80000000u + piece * steps[d];
    return (fraction * places >> 32) * s->box.extent[d];
}

/* Copies box number `piece` out of the grid. */
static void copy_piece(const struct fpgz_grid *grid, const struct sample *s, unsigned piece,
                       const uint8_t *values, uint8_t *out)
{
    /* Axes that are kept whole, and the one above them, make up one run in memory. */
    unsigned split = grid->dims - 1;
    uint64_t stride[FPGZ_MAX_CODING_DIMS], start = 0, run = s->box.extent[split];
    while (split && s->box.extent[split] == grid->extent[split])
        run *= s->box.extent[--split];
    for (unsigned d = grid->dims; d-- > 0;) {
        stride[d] = d + 1 == grid->dims ? 1 : stride[d + 1] * grid->extent[d + 1];
        start += piece_start(grid, s, piece, d) * stride[d];
    }
    const size_t size = fpgz_dtype_size(grid->dtype);
    const uint64_t runs = fpgz_grid_values(&s->box) / run;
    for (uint64_t r = 0; r < runs; r++, out += run * size) {
        uint64_t left = r, offset = start;
        for (unsigned d = split; d-- > 0; left /= s->box.extent[d])
            offset += left % s->box.extent[d] * stride[d];
        memcpy(out, values + offset * size, run * size);
    }
}

/* The defaults, but for the ends of the scale. */
static void choose_params(const struct fpgz_codec *codec, enum fpgz_dtype dtype, int level,
                          struct fpgz_params *params)
{
    fpgz_codec_defaults(codec, params);
    if (codec->id == FPGZ_CODEC_GFC && level == 1)
        params->value[GFC_DIM] = 1; /* guessing it takes a part of the time that ndzip would need */
    if (codec->id == FPGZ_CODEC_PRANS && level >= FPGZ_AUTO_SMALL)
        params->value[PRANS_SETTING] = PRANS_FORMAT_HIGH;
    if (codec->id == FPGZ_CODEC_DEFLATE && (level == 9 || dtype == FPGZ_U8))
        params->value[DEFLATE_LEVEL] = (uint32_t)level;
}

/* The codec of a candidate, with *coding as it would code the grid; NULL where it is none for the level and
 * the grid. */
static const struct fpgz_codec *candidate_for(unsigned candidate, const struct fpgz_grid *grid, int level,
                                              struct fpgz_coding *coding)
{
    const struct fpgz_codec *codec = fpgz_codec_by_id(candidates[candidate].id);
    /* Of bytes, which none of the fast codecs takes, all levels try what there is. */
    if (!fpgz_codec_takes(codec, grid->dtype) ||
        (level < candidates[candidate].from_level && grid->dtype != FPGZ_U8))
        return NULL;
    choose_params(codec, grid->dtype, level, &coding->params);
    /* The high setting would take too long, and learn too little from a sample. */
    if (codec->id == FPGZ_CODEC_PRANS)
        coding->params.value[PRANS_SETTING] = PRANS_FORMAT_MIDDLE;
    codec->fold(grid, &coding->grid);
    /* One slice has nothing to be predicted from. */
    return codec->id == FPGZ_CODEC_PREDICT && coding->grid.extent[0] < 2 ? NULL : codec;
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
        struct fpgz_coding coding;
        const struct fpgz_codec *codec = candidate_for(i, &s->box, level, &coding);
        if (!codec)
            continue;
        bound = larger(bound, codec->bound(&coding.grid, &coding.params));
        memory = larger(memory, codec->memory(&coding.grid, &coding.params));
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

void fpgz_auto_chosen_memory(const struct fpgz_grid *grid, int level, size_t *scratch, size_t *stream)
{
    *scratch = *stream = 0;
    for (unsigned i = 0; i < CANDIDATES; i++) {
        struct fpgz_coding coding;
        const struct fpgz_codec *codec = candidate_for(i, grid, level, &coding);
        if (!codec)
            continue;
        choose_params(codec, grid->dtype, level, &coding.params);
        *scratch = larger(*scratch, codec->memory(&coding.grid, &coding.params));
        *stream = larger(*stream, codec->bound(&coding.grid, &coding.params));
    }
}

static double cost_of(const struct fpgz_auto_candidate *candidate, int level)
{
    double cost = candidate->ratio;
    for (unsigned i = 0; i < CANDIDATES; i++)
        if (candidates[i].id == candidate->codec->id)
            cost *= 1 + candidates[i].slowness * (9 - level);
    return candidate->codec->id == FPGZ_CODEC_PRANS && level >= FPGZ_AUTO_SMALL ? cost * HIGH_GAIN : cost;
}

const struct fpgz_auto_candidate *fpgz_auto_prefer(const struct fpgz_auto_choice *choice, int level)
{
    const struct fpgz_auto_candidate *best = choice->candidate;
    for (unsigned i = 1; i < choice->count; i++)
        if (cost_of(&choice->candidate[i], level) < cost_of(best, level))
            best = &choice->candidate[i];
    return best;
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
            struct fpgz_coding coding = {.scratch = box + w.codec_scratch};
            const struct fpgz_codec *codec = candidate_for(i, &s.box, level, &coding);
            size_t length = fpgz_grid_bytes(&s.box); /* where it cannot code the box */
            if (!codec)
                continue;
            if (codec->encode(&coding, box, box + w.stream, &length) != FPGZ_UNSUPPORTED)
                stored[i] += length;
        }
    }
    choice->count = 0;
    for (unsigned i = 0; i < CANDIDATES; i++) {
        if (!stored[i])
            continue;
        struct fpgz_auto_candidate *c = &choice->candidate[choice->count++];
        c->codec = fpgz_codec_by_id(candidates[i].id);
        choose_params(c->codec, grid->dtype, level, &c->params);
        c->ratio = (double)stored[i] / (double)raw;
        c->cost = cost_of(c, level);
    }
    qsort(choice->candidate, choice->count, sizeof *choice->candidate, by_cost);
}
