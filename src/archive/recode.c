/* SPDX-License-Identifier: MIT
 * From arrays in filtered pieces to parts of the file's image: which pieces can be made again, whether that
 * is worth it, and where everything then is. */
#include "archive/recode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/budget.h"
#include "archive/coder.h"
#include "archive/imaging.h"
#include "archive/parts.h"
#include "archive/worth.h"
#include "container/format.h"
#include "core/band.h"
#include "core/bytes.h"
#include "core/text.h"
#include "engine/plan.h"

enum {
    AUTO_LEVEL = 4,                        /* the first one that filters are undone at */
    LITTLE_OF_RAW = 24,                    /* an array of which the file has so small a part is little, ... */
    LITTLE_OF_FILE = 64,                   /* ... as long as all such ones are no larger part of the file */
    TABLE_MOST = FPGZ_MAX_TABLE_BYTES / 4, /* of the tables of all these arrays; as much again is for gaps */
    TABLE_PIECE = 12,                      /* bytes of a piece in them, at most but for odd files */
};

static int by_offset(const void *a, const void *b)
{
    const struct fpgz_kept *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Whether filters are undone at all. */
static bool wanted(const struct fpgz_setup *setup)
{
    const bool lossless = !setup->codec || setup->codec->lossless;
    return lossless && (setup->refilter == FPGZ_REFILTER_ALWAYS ||
                        (setup->refilter == FPGZ_REFILTER_AUTO && setup->level >= AUTO_LEVEL));
}

/* Memory to code the smallest chunk of the array, which has these extents and bytes. */
static uint64_t least_memory(const struct fpgz_imaging *r, const struct fpgz_part *part,
                             const uint64_t *extent, uint64_t bytes)
{
    const struct fpgz_coder coder = fpgz_coder_of(r->setup, r->setup->level, part);
    struct fpgz_cut cut;
    if (!fpgz_cut_planes(part->array.dtype, extent, part->array.dims, 1, bytes, &cut))
        return UINT64_MAX;
    struct fpgz_need need = fpgz_need_encode(&coder, &cut.shape);
    need.scratch = need.scratch > fpgz_refilter_memory(&part->filters, bytes)
                       ? need.scratch
                       : fpgz_refilter_memory(&part->filters, bytes);
    return fpgz_need_bytes(&need, NULL) + fpgz_refilter_bound(&part->filters, bytes);
}

/* What the arrays before have taken. */
struct taken {
    uint64_t tables; /* bytes of their tables */
    uint64_t little; /* bytes that the file has of those that are not worth a trial */
};

/* Whether the file has so little of an array that a trial is not worth its time. */
static bool is_little(const struct fpgz_imaging *r, const struct fpgz_filtered *filtered, uint64_t raw,
                      struct taken *taken)
{
    struct fpgz_part lone = filtered->part;
    uint64_t stored = 0;
    lone.layout = FPGZ_DENSE; /* the least that it may cost: without a table of pieces */
    if (r->setup->refilter == FPGZ_REFILTER_ALWAYS)
        return false;
    for (size_t i = 0; i < filtered->pieces; i++)
        stored += filtered->piece[i].length;
    if ((double)stored <= fpgz_parts_cost(&lone))
        return true;
    if (r->setup->level > FPGZ_LEVEL_DEFAULT || stored > raw / LITTLE_OF_RAW ||
        stored > r->content->size / LITTLE_OF_FILE - taken->little)
        return false;
    taken->little += stored;
    return true;
}

/* Prepares the trial of an array; it is skipped where fpgz cannot take such pieces, or it is not worth one.
 */
static bool prepare(const struct fpgz_imaging *r, struct fpgz_filtered *filtered, struct fpgz_trial *trial,
                    struct taken *taken)
{
    struct fpgz_part *const part = &filtered->part;
    const struct fpgz_array *array = &part->array;
    uint64_t all, pieces = 1;
    trial->filtered = filtered;
    trial->skipped = !fpgz_dtype_known(array->dtype) || array->dims < 1 || array->dims > FPGZ_MAX_DIMS ||
                     !filtered->pieces || !fpgz_filters_valid(&part->filters) || !part->filters.count ||
                     strlen(part->name) > FPGZ_MAX_NAME_BYTES ||
                     !fpgz_extents_bytes(array->dtype, array->extent, array->dims, &all) ||
                     !fpgz_extents_bytes(array->dtype, part->piece, array->dims, &trial->bytes) ||
                     trial->bytes > FPGZ_CHUNK_LIMIT / 2 ||
                     least_memory(r, part, part->piece, trial->bytes) > fpgz_budget_chunks(r->setup);
    for (unsigned d = 0; d < array->dims && !trial->skipped; d++)
        pieces *= fpgz_part_pieces(part, d);
    trial->skipped = trial->skipped || is_little(r, filtered, trial->bytes * filtered->pieces, taken);
    taken->tables += trial->skipped ? 0 : TABLE_PIECE * filtered->pieces;
    trial->skipped |= taken->tables > TABLE_MOST;
    qsort(filtered->piece, filtered->pieces, sizeof *filtered->piece, by_offset);
    for (size_t i = 0; i < filtered->pieces && !trial->skipped; i++) {
        const struct fpgz_kept *const piece = &filtered->piece[i];
        trial->skipped = !piece->length || piece->number >= pieces || piece->offset > r->content->size ||
                         piece->length > r->content->size - piece->offset ||
                         piece->skipped >> part->filters.count;
    }
    trial->stored = calloc(filtered->pieces + 1, sizeof *trial->stored);
    return trial->stored != NULL;
}

/* Codes arrays in bands where these have several pieces, all of them, and fit into chunks: then values have
 * all their neighbours. */
static void choose_bands(struct fpgz_imaging *r)
{
    for (size_t i = 0; i < r->trials; i++) {
        struct fpgz_part *const part = &r->part[i];
        const unsigned dims = part->array.dims;
        uint64_t extent[FPGZ_MAX_DIMS], bytes;
        if (r->trial[i].skipped || part->kepts || fpgz_band_pieces(part) < 2 || !fpgz_part_has_all(part))
            continue;
        part->banded = true;
        fpgz_part_unit(part, extent);
        part->banded = fpgz_extents_bytes(part->array.dtype, extent, dims, &bytes) &&
                       bytes <= r->setup->chunk &&
                       least_memory(r, part, extent, bytes) <= fpgz_budget_chunks(r->setup);
    }
}

/* The image of all arrays that are not skipped. */
static bool make_image(struct fpgz_imaging *r)
{
    const bool ok = fpgz_imaging_make(r);
    if (ok)
        choose_bands(r);
    return ok;
}

/* Skips the arrays that would not gain. Returns whether there was one. */
static bool skip_poor(struct fpgz_imaging *r)
{
    struct fpgz_chunk_buffers buffers = {0};
    bool any = false;
    for (size_t i = 0; i < r->trials; i++) {
        struct fpgz_trial *const trial = &r->trial[i];
        struct fpgz_part *const part = &r->part[i];
        if (trial->skipped)
            continue;
        trial->skipped = !part->place.count || (r->setup->refilter != FPGZ_REFILTER_ALWAYS &&
                                                fpgz_worth_of(r, part, &buffers, &trial->plain) <= 0);
        part->plain = trial->plain;
        any |= trial->skipped;
    }
    fpgz_chunk_buffers_free(&buffers);
    return any;
}

/* Whether the piece is deflated, but no smaller for it: deflate leaves stored blocks at level 0. How long
 * these are depends on zlib's version, and on the room that it had, so that they are not made again. */
static bool is_unshrunk(const struct fpgz_trial *trial, const struct fpgz_kept *piece)
{
    const struct fpgz_filters *const filters = &trial->filtered->part.filters;
    bool deflated = false;
    for (unsigned i = 0; i < filters->count; i++)
        deflated |= filters->step[i].filter == FPGZ_FILTER_DEFLATE && !(piece->skipped >> i & 1);
    return deflated && piece->length > trial->bytes;
}

static void add(struct fpgz_unmade *unmade, const struct fpgz_kept *piece, const char *dataset)
{
    unmade->bytes += piece->length;
    if (!*unmade->dataset && dataset)
        snprintf(unmade->dataset, sizeof unmade->dataset, "%.*s", fpgz_text_fit(dataset, FPGZ_NAME_SHOWN),
                 dataset);
}

/* Counts what became of the pieces. */
static void count(const struct fpgz_imaging *r, struct fpgz_recoded *recoded)
{
    for (size_t i = 0; i < r->trials; i++) {
        const struct fpgz_trial *const trial = &r->trial[i];
        const struct fpgz_filtered *const filtered = trial->filtered;
        recoded->arrays += !trial->skipped;
        for (size_t j = 0; j < filtered->pieces; j++) {
            const bool again = trial->stored[j].length;
            if (!trial->skipped && again) {
                recoded->pieces++;
                recoded->stored += trial->stored[j].length;
                recoded->raw += trial->bytes;
                continue;
            }
            recoded->kept += filtered->piece[j].length;
            if (!again && trial->probed)
                add(is_unshrunk(trial, &filtered->piece[j]) ? &recoded->unshrunk : &recoded->strange,
                    &filtered->piece[j], filtered->part.name);
        }
    }
}

static bool recode(struct fpgz_imaging *r, struct fpgz_recoded *recoded)
{
    struct taken taken = {0};
    bool ok = true;
    for (size_t i = 0; i < r->trials && ok; i++)
        ok = prepare(r, &r->content->filtered[i], &r->trial[i], &taken);
    ok = ok &&
         fpgz_trials_run(r->setup, r->input, r->trial, r->trials, &r->content->unfiltered,
                         &recoded->seconds) &&
         fpgz_imaging_separate(r) && make_image(r);
    if (ok && skip_poor(r)) {
        fpgz_imaging_undo(r);
        ok = make_image(r);
    }
    if (ok)
        count(r, recoded);
    ok = ok && (!recoded->arrays || fpgz_imaging_commit(r));
    fpgz_imaging_undo(r);
    return ok;
}

bool fpgz_recode(const struct fpgz_setup *setup, const struct fpgz_input *input, struct fpgz_content *content,
                 struct fpgz_recoded *recoded)
{
    struct fpgz_setup own = *setup; /* in which the memory is known: it is asked for with each array */
    struct fpgz_imaging r = {.setup = &own, .input = input, .content = content, .trials = content->filtereds};
    bool ok = true;
    *recoded = (struct fpgz_recoded){0};
    if (!wanted(setup)) {
        for (size_t i = 0; i < content->filtereds; i++)
            for (size_t j = 0; j < content->filtered[i].pieces; j++)
                recoded->kept += content->filtered[i].piece[j].length;
    } else if (content->filtereds) {
        own.memory = fpgz_setup_memory(setup);
        r.trial = calloc(r.trials, sizeof *r.trial);
        r.part = calloc(r.trials, sizeof *r.part);
        ok = r.trial && r.part && recode(&r, recoded);
        for (size_t i = 0; i < r.trials && r.trial; i++)
            free(r.trial[i].stored);
        free(r.trial);
        free(r.part);
    }
    fpgz_filtered_free(content);
    return ok;
}
