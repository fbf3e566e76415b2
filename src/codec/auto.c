/* SPDX-License-Identifier: MIT
 * The choice of a codec by a sample: the candidates of a level, and the cost by which they are ranked. */
#include "codec/auto.h"

#include <stdlib.h>
#include <string.h>

#include "codec/auto_length.h"
#include "codec/auto_sample.h"
#include "codec/codecs.h"
#include "codec/distinct.h"
#include "codec/prans/format.h"
#include "codec/prans/scaled/scaled.h"
#include "core/bytes.h"

/* Codecs that may be chosen at levels that have them. The sample of a slow codec counts as larger by this
 * part, times the level's haste. */
/* clang-format off */
static const struct {
    enum fpgz_codec_id id;
    double slowness;
    bool plain; /* without the shuffle that is its default: repeated values match, where planes would not */
} candidates[] = {
    {FPGZ_CODEC_NDZIP, 0, false},
    {FPGZ_CODEC_GFC, 0, false},
    {FPGZ_CODEC_PREDICT, 0, false},
    {FPGZ_CODEC_MPC, 0.005, false},
    {FPGZ_CODEC_PRANS, 0.01, false},
    {FPGZ_CODEC_ARITH, 0.04, false},
    {FPGZ_CODEC_DEFLATE, 0.05, false},
    {FPGZ_CODEC_ZSTD, 0.01, false},
    {FPGZ_CODEC_ZSTD, 0.01, true},
    {FPGZ_CODEC_LZMA, 0.05, false},
    {FPGZ_CODEC_LZMA, 0.05, true},
};
/* clang-format on */
enum { CANDIDATES = sizeof candidates / sizeof *candidates };
_Static_assert((int)CANDIDATES <= (int)FPGZ_AUTO_CANDIDATES, "a choice has room for all candidates");

/* The high setting of prans may shrink the sample's stream to this part of what the middle setting made.
 * If another codec is still close to that, both code the chunk. */
#define HIGH_GAIN 0.7

/* A sample without a shuffle must be smaller by this. The planes of a sample may share a block of the codec,
 * and its code, but those of a chunk do not. */
#define PLAIN_LOSS 1.005

/* Counted with the sample of lzma, which makes a byte of thousands that repeat, where others make none. */
#define LZMA_REPEATS 0.002

static bool has_fast(enum fpgz_dtype dtype)
{
    return FPGZ_FLOATS_32_64 >> dtype & 1;
}

const struct fpgz_codec *fpgz_auto_opaque(const struct fpgz_level *level, struct fpgz_params *params)
{
    const struct fpgz_codec *const codec = level->bytes.lzma && !fpgz_lzma.missing ? &fpgz_lzma
                                           : fpgz_zstd.missing                     ? &fpgz_deflate
                                                                                   : &fpgz_zstd;
    fpgz_codec_defaults(codec, params);
    if (codec == &fpgz_lzma)
        params->value[LZMA_LEVEL] = level->bytes.lzma;
    else if (codec == &fpgz_zstd)
        params->value[ZSTD_LEVEL] = level->bytes.zstd;
    else
        params->value[DEFLATE_LEVEL] = level->bytes.deflate;
    return codec;
}

enum { SHUFFLE = DEFLATE_SHUFFLE };
_Static_assert((int)SHUFFLE == (int)ZSTD_SHUFFLE && (int)SHUFFLE == (int)LZMA_SHUFFLE, "one place for all");

/* Whether the codec knows nothing of numbers. */
static bool is_general(const struct fpgz_codec *codec)
{
    return codec == &fpgz_deflate || codec == &fpgz_zstd || codec == &fpgz_lzma;
}

/* The defaults, but for what the level says. */
static void choose_params(unsigned candidate, enum fpgz_dtype dtype, const struct fpgz_level *level,
                          struct fpgz_params *params)
{
    const struct fpgz_codec *const codec = fpgz_codec_by_id(candidates[candidate].id);
    fpgz_codec_defaults(codec, params);
    if (is_general(codec) && !has_fast(dtype))
        fpgz_auto_opaque(level, params);
    else if (codec->id == FPGZ_CODEC_DEFLATE)
        params->value[DEFLATE_LEVEL] = level->deflate;
    else if (codec->id == FPGZ_CODEC_LZMA)
        params->value[LZMA_LEVEL] = level->bytes.lzma;
    if (is_general(codec))
        params->value[SHUFFLE] = !candidates[candidate].plain;
    if (codec->id == FPGZ_CODEC_GFC)
        params->value[GFC_DIM] = level->gfc_dim;
    if (codec->id == FPGZ_CODEC_PRANS) {
        params->value[PRANS_SETTING] = level->prans_setting;
        params->value[PRANS_EFFORT] = fpgz_dtype_size(dtype) >= sizeof(float) ? level->prans_effort : 0;
    }
}

static bool has_candidate(const struct fpgz_level *level, unsigned candidate)
{
    return level->candidates >> candidates[candidate].id & 1;
}

/* Whether the level tries a candidate on values of the dtype. Of dtypes that none of the fast codecs takes,
 * all levels try what there is, but of the codecs for bytes the level's alone, and prans where the level
 * says. */
static bool is_tried(unsigned candidate, enum fpgz_dtype dtype, const struct fpgz_level *level)
{
    const struct fpgz_codec *const codec = fpgz_codec_by_id(candidates[candidate].id);
    struct fpgz_params params;
    if (!fpgz_codec_takes(codec, dtype) || (candidates[candidate].plain && fpgz_dtype_size(dtype) == 1))
        return false;
    if (has_fast(dtype))
        return has_candidate(level, candidate);
    if (codec->id == FPGZ_CODEC_PRANS)
        return level->numbers;
    return !is_general(codec) || codec == fpgz_auto_opaque(level, &params);
}

/* How a candidate would code the grid; false where the level or the grid rules it out. */
static bool way_of(unsigned candidate, const struct fpgz_grid *grid, const struct fpgz_level *level,
                   struct fpgz_auto_way *way)
{
    if (!is_tried(candidate, grid->dtype, level))
        return false;
    way->codec = fpgz_codec_by_id(candidates[candidate].id);
    choose_params(candidate, grid->dtype, level, &way->params);
    way->codec->fold(grid, &way->grid);
    /* A single slice has no earlier one to predict it from. */
    return way->codec->id != FPGZ_CODEC_PREDICT || way->grid.extent[0] >= 2;
}

/* The same for a box of the sample. There prans' high setting gives way to the middle one: it would take
 * too long, and learn too little. */
static bool sampling_of(unsigned candidate, const struct fpgz_grid *box, const struct fpgz_level *level,
                        struct fpgz_auto_way *way)
{
    if (!way_of(candidate, box, level, way))
        return false;
    if (way->codec->id == FPGZ_CODEC_PRANS) {
        way->params.value[PRANS_SETTING] = PRANS_FORMAT_MIDDLE;
        way->params.value[PRANS_EFFORT] = 0;
    }
    return true;
}

unsigned fpgz_auto_ways(const struct fpgz_grid *grid, const struct fpgz_level *level,
                        struct fpgz_auto_way way[FPGZ_AUTO_CANDIDATES])
{
    unsigned count = 0;
    for (unsigned i = 0; i < CANDIDATES; i++)
        count += way_of(i, grid, level, &way[count]);
    return count;
}

bool fpgz_auto_learns(const struct fpgz_level *level)
{
    bool learns = false;
    for (unsigned i = 0; i < CANDIDATES; i++)
        learns |= has_candidate(level, i) && fpgz_codec_by_id(candidates[i].id)->learns;
    return learns;
}

bool fpgz_auto_presumes(const struct fpgz_level *level, enum fpgz_dtype dtype)
{
    const uint32_t faster = 1u << FPGZ_CODEC_NDZIP | 1u << FPGZ_CODEC_GFC | 1u << FPGZ_CODEC_PREDICT |
                            1u << FPGZ_CODEC_MPC,
                   prans = 1u << FPGZ_CODEC_PRANS;
    return has_fast(dtype) && level->candidates & prans && !(level->candidates & ~(faster | prans)) &&
           level->prans_setting == PRANS_FORMAT_MIDDLE && !level->also.sampled_as[0];
}

bool fpgz_auto_verifies(const struct fpgz_level *level, enum fpgz_dtype dtype)
{
    bool verifies = false;
    for (unsigned i = 0; i < CANDIDATES; i++)
        verifies |= (has_candidate(level, i) || is_tried(i, dtype, level)) &&
                    fpgz_codec_by_id(candidates[i].id)->verified;
    return verifies;
}

/* Where the parts of the scratch begin. */
struct workspace {
    size_t stream, codec_scratch, total;
};

static struct workspace lay_out(const struct fpgz_auto_sample *s, const struct fpgz_level *level)
{
    struct workspace w = {.stream = fpgz_round_up(fpgz_grid_bytes(&s->box), 64)};
    size_t bound = 0, memory = 0;
    for (unsigned i = 0; i < CANDIDATES; i++) {
        struct fpgz_auto_way way;
        if (!sampling_of(i, &s->box, level, &way))
            continue;
        bound = fpgz_max(bound, way.codec->bound(&way.grid, &way.params));
        memory = fpgz_max(memory, way.codec->memory(&way.grid, &way.params));
        struct fpgz_params params; /* of one that is tried before it */
        const struct fpgz_codec *const herald =
            level->estimates ? fpgz_auto_herald(way.codec, &way.params, &params) : NULL;
        bound = herald ? fpgz_max(bound, herald->bound(&way.grid, &params)) : bound;
        memory = herald ? fpgz_max(memory, herald->memory(&way.grid, &params)) : memory;
    }
    w.codec_scratch = fpgz_round_up(w.stream + bound, 64);
    w.total = w.codec_scratch + fpgz_round_up(fpgz_max(memory, FPGZ_DISTINCT_MEMORY), 64);
    return w;
}

size_t fpgz_auto_memory(const struct fpgz_grid *grid, const struct fpgz_level *level)
{
    const struct fpgz_auto_sample s = fpgz_auto_plan_sample(grid, level);
    return lay_out(&s, level).total;
}

static double cost_of(const struct fpgz_auto_candidate *candidate, const struct fpgz_level *level)
{
    double cost = candidate->ratio;
    unsigned row = 0;
    while (candidates[row].id != candidate->codec->id)
        row++;
    cost *= 1 + candidates[row].slowness * level->haste;
    if (candidate->codec->id == FPGZ_CODEC_LZMA)
        cost += LZMA_REPEATS;
    if (is_general(candidate->codec) && !candidate->params.value[SHUFFLE])
        cost *= PLAIN_LOSS;
    const bool high = candidate->params.value[PRANS_SETTING] == PRANS_FORMAT_HIGH;
    return candidate->codec->id == FPGZ_CODEC_PRANS && high ? cost * HIGH_GAIN : cost;
}

const struct fpgz_auto_candidate *fpgz_auto_prefer(const struct fpgz_auto_choice *choice,
                                                   const struct fpgz_level *level)
{
    const struct fpgz_auto_candidate *best = choice->candidate;
    for (unsigned i = 1; i < choice->count; i++)
        if (cost_of(&choice->candidate[i], level) < cost_of(best, level))
            best = &choice->candidate[i];
    return best;
}

/* Ties go to the lower id, so that the order does not depend on qsort(). */
static int by_cost(const void *a, const void *b)
{
    const struct fpgz_auto_candidate *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return x->codec != y->codec ? (int)x->codec->id - (int)y->codec->id
                                : memcmp(&x->params, &y->params, sizeof x->params);
}

/* Whether a slow codec for bytes is so far behind after some boxes that the others would not change it. */
static bool is_far_behind(unsigned candidate, const uint64_t stored[CANDIDATES], unsigned pieces)
{
    enum { MARGIN_PART = 5 /* of one box */ };
    const enum fpgz_codec_id id = candidates[candidate].id;
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < CANDIDATES; i++)
        least = stored[i] ? fpgz_min(least, stored[i]) : least;
    return (id == FPGZ_CODEC_LZMA || id == FPGZ_CODEC_DEFLATE) && pieces &&
           stored[candidate] > least + least / (MARGIN_PART * pieces);
}

/* What boxes do not tell of prans counts where it is not the best by them, or others are weighed, too. */
static void weigh_whole(const struct fpgz_grid *grid, const void *values, const struct fpgz_level *level,
                        void *scratch, struct fpgz_auto_choice *choice)
{
    struct fpgz_auto_candidate *c = choice->candidate;
    if (choice->count && c->codec->id == FPGZ_CODEC_PRANS && !level->also.runner_up.most)
        return;
    while (c < choice->candidate + choice->count && c->codec->id != FPGZ_CODEC_PRANS)
        c++;
    if (c == choice->candidate + choice->count)
        return;
    const double ranks = fpgz_distinct_ratio(grid, values, scratch),
                 scales = fpgz_prans_scaled_ratio(grid, values), told = ranks < scales ? ranks : scales;
    c->ratio = c->ratio < told ? c->ratio : told;
    c->cost = cost_of(c, level);
    qsort(choice->candidate, choice->count, sizeof *choice->candidate, by_cost);
}

/* Whether one way is so much better than all others in one box or some that more would not change it. */
static bool is_settled(const uint64_t stored[CANDIDATES], unsigned pieces)
{
    enum { CLEAR_PART = 4, CLEAR_PART_OF_ONE = 2 };
    uint64_t least = UINT64_MAX, second = UINT64_MAX;
    for (unsigned i = 0; i < CANDIDATES; i++) {
        if (!stored[i])
            continue;
        second = fpgz_min(second, fpgz_max(stored[i], least));
        least = fpgz_min(least, stored[i]);
    }
    return pieces && second - least > least / (pieces > 1 ? CLEAR_PART : CLEAR_PART_OF_ONE);
}

void fpgz_auto_choose(const struct fpgz_grid *grid, const void *values, const struct fpgz_level *level,
                      void *scratch, struct fpgz_auto_choice *choice)
{
    struct fpgz_auto_way only[FPGZ_AUTO_CANDIDATES];
    choice->count = fpgz_auto_ways(grid, level, only);
    if (choice->count == 1) {
        choice->candidate[0] = (struct fpgz_auto_candidate){only->codec, only->params, 0, 0};
        return;
    }
    const struct fpgz_auto_sample s = fpgz_auto_plan_sample(grid, level);
    const struct workspace w = lay_out(&s, level);
    const size_t raw = fpgz_grid_bytes(&s.box) * s.pieces;
    const bool estimates = level->estimates && has_fast(grid->dtype);
    uint8_t *const box = scratch;
    uint64_t stored[CANDIDATES] = {0};
    unsigned tried[CANDIDATES] = {0}; /* boxes */
    for (unsigned piece = 0; piece < s.pieces && !(estimates && is_settled(stored, piece)); piece++) {
        uint64_t before[CANDIDATES];
        memcpy(before, stored, sizeof before);
        fpgz_auto_copy_piece(grid, &s, piece, values, box);
        size_t least = fpgz_grid_bytes(&s.box);
        for (unsigned i = 0; i < CANDIDATES; i++) {
            struct fpgz_auto_way way;
            if (!sampling_of(i, &s.box, level, &way) || tried[i] < piece)
                continue;
            tried[i] += !is_far_behind(i, before, piece);
            if (tried[i] == piece)
                continue;
            const struct fpgz_coding coding = {way.grid, way.params, box + w.codec_scratch, NULL};
            const size_t length =
                fpgz_auto_length(way.codec, &coding, estimates, level->estimates, least, box, box + w.stream);
            least = length ? fpgz_min(least, length) : least;
            stored[i] += length;
        }
    }
    choice->count = 0;
    for (unsigned i = 0; i < CANDIDATES; i++) {
        if (!stored[i])
            continue;
        struct fpgz_auto_candidate *c = &choice->candidate[choice->count++];
        c->codec = fpgz_codec_by_id(candidates[i].id);
        choose_params(i, grid->dtype, level, &c->params);
        c->ratio = (double)stored[i] / (double)raw * s.pieces / tried[i];
        c->cost = cost_of(c, level);
    }
    qsort(choice->candidate, choice->count, sizeof *choice->candidate, by_cost);
    if (fpgz_auto_learns(level) && s.pieces * fpgz_grid_values(&s.box) < fpgz_grid_values(grid))
        weigh_whole(grid, values, level, box + w.codec_scratch, choice);
}
