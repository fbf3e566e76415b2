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
#include "archive/pieces.h"
#include "codec/auto.h"
#include "codec/codecs.h"
#include "container/format.h"
#include "container/runs.h"
#include "core/band.h"
#include "core/bytes.h"
#include "core/text.h"
#include "engine/plan.h"

enum {
    AUTO_LEVEL = 4, /* the first one that filters are undone at */
    SAMPLES = 3,
    SAMPLE_BYTES = 256 << 10,
    LOOK_BYTES = 16 << 10,
    LOOK_MOST = 2 * LOOK_BYTES, /* of rows that are whole */
    PLAIN_BYTES = 64 << 10,     /* of a sample for two settings */
    PLAIN_PART = 16,            /* of an array so many times as large, at least */
    DOUBT = 4,    /* an estimate is trusted where it promises so many times what the array costs */
    FAR = 1,      /* a sample that takes so many times more than in the file is the last */
    HOPELESS = 2, /* and none is coded where a little of one takes so many times as much as in the file */
    LITTLE_OF_RAW = 64,                    /* an array of which the file has so small a part is little, ... */
    LITTLE_OF_FILE = 64,                   /* ... as long as all such ones are no larger part of the file */
    FRONT_BYTES = 100,                     /* of a stream, which count for nothing in the array's */
    TABLE_MOST = FPGZ_MAX_TABLE_BYTES / 4, /* of the tables of all these arrays; as much again is for gaps */
    TABLE_PIECE = 12,                      /* bytes of a piece in them, at most but for odd files */
};

/* What the level for few arrays makes of a sample, by what prans makes by default, is above this where it is
 * not worth its time. Samples tell half of what it would gain. */
#define PLAIN 0.985

/* What samples become, by what the file has of them, is below this where gain is beyond doubt. */
#define CLEAR 0.95

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

/* A part of an array that is coded to see what coding all of it may gain. */
struct sample {
    struct fpgz_cut cut;
    struct fpgz_grid grid;
    size_t bytes;
    double stored; /* bytes that the file has of it */
};

/* Loads rows from about `first` on. */
static bool load_sample(const struct fpgz_imaging *r, const struct fpgz_part *part, uint64_t first,
                        struct sample *sample, struct fpgz_chunk_buffers *buffers)
{
    const struct fpgz_area area = {r->input->fd, r->input->start, &r->image};
    const struct fpgz_cut *const cut = &sample->cut;
    const uint64_t at = first / cut->align * cut->align * cut->row_bytes;
    uint64_t stopped, checksum;
    sample->grid = fpgz_cut_grid(cut, fpgz_min(cut->rows, cut->shape.extent[0]));
    sample->bytes = fpgz_grid_bytes(&sample->grid);
    sample->stored = (double)fpgz_part_stored(part, at, sample->bytes);
    return fpgz_buffer_reserve(&buffers->raw, sample->bytes) &&
           !fpgz_pieces_load(&area, part, at, buffers->raw.data, sample->bytes, buffers, false, &stopped,
                             &checksum);
}

/* Leaves, of the rows of a loaded sample, few from three places, and of rows that are long their middle.
 * Returns what is left. */
static struct fpgz_grid take_rows(const struct sample *sample, uint8_t *raw)
{
    struct fpgz_grid grid = sample->grid;
    const uint64_t rows = grid.extent[0], row = sample->cut.row_bytes;
    const uint64_t each = fpgz_min(rows / SAMPLES, LOOK_BYTES / SAMPLES / row + 1),
                   first = each ? each : rows, step = each ? (rows - each) / (SAMPLES - 1) : 0;
    uint64_t piece = row, skipped = 0;
    grid.extent[0] = each ? SAMPLES * each : rows;
    for (unsigned d = 1;
         d < grid.dims && (d == 1 || grid.extent[d - 1] == 1) && grid.extent[0] * piece > LOOK_MOST; d++) {
        const uint64_t extent = grid.extent[d], unit = piece / extent;
        grid.extent[d] = fpgz_min(extent, LOOK_BYTES / grid.extent[0] / unit + 1);
        skipped += (extent - grid.extent[d]) / 2 * unit;
        piece = grid.extent[d] * unit;
    }
    for (uint64_t i = 0; i < grid.extent[0]; i++)
        memmove(raw + i * piece, raw + (i / first * step + i % first) * row + skipped, piece);
    return grid;
}

/* What a little of a loaded sample becomes, coded in a fast way, by what the file has of it. It is coded only
 * where an estimate leaves doubt, which it does if it is not below `sure`. *hopeless: all of it would be more
 * by what the level has. */
static double look(const struct fpgz_imaging *r, const struct fpgz_part *part, const struct sample *sample,
                   double sure, struct fpgz_chunk_buffers *buffers, bool *hopeless)
{
    struct fpgz_coder coder = fpgz_coder_of(r->setup, FPGZ_LEVEL_DEFAULT, part);
    const struct fpgz_grid grid = take_rows(sample, buffers->raw.data);
    const double part_of_stored = (double)sample->bytes / (double)fpgz_grid_bytes(&grid) / sample->stored;
    struct fpgz_coded coded;
    fpgz_coder_presume(&coder);
    coder.unverified = true;
    const double about = (double)fpgz_chunk_estimate(&coder, &grid, buffers) * part_of_stored;
    *hopeless = false;
    if (about < sure)
        return about;
    if (fpgz_chunk_encode(&coder, &grid, buffers, &coded))
        return 1;
    *hopeless = fpgz_auto_presumes(fpgz_level(r->setup->level), part->array.dtype) &&
                ((double)coded.length - FRONT_BYTES) * part_of_stored > HOPELESS;
    return (double)coded.length * part_of_stored;
}

/* Whether prans' setting of the level for few arrays, by a sample, makes hardly less than its default: it
 * takes five times as long. It is not looked at where the arrays are not few, small, or rows are long. */
static bool is_plain(const struct fpgz_imaging *r, const struct fpgz_part *part,
                     struct fpgz_chunk_buffers *buffers)
{
    const struct fpgz_level *const level = fpgz_level(r->setup->level), *const few =
                                                                            fpgz_level(level->few.level);
    struct fpgz_coder coder = fpgz_coder_of(r->setup, FPGZ_LEVEL_DEFAULT, part);
    struct fpgz_coded plain, other;
    struct sample sample;
    uint64_t bytes = 0;
    for (size_t i = 0; i < r->trials; i++)
        bytes += r->part[i].place.bytes;
    fpgz_coder_presume(&coder);
    coder.unverified = true;
    if (part->place.bytes < PLAIN_PART * PLAIN_BYTES || bytes > level->few.most ||
        few->prans_setting == coder.params.value[PRANS_SETTING] ||
        !fpgz_plan_cut(part, PLAIN_BYTES, fpgz_setup_slab(r->setup), &sample.cut) ||
        sample.cut.row_bytes > PLAIN_BYTES)
        return false;
    const uint64_t rows = sample.cut.shape.extent[0], most = fpgz_min(sample.cut.rows, rows);
    struct fpgz_grid grid = fpgz_cut_grid(&sample.cut, fpgz_min(most, PLAIN_BYTES / sample.cut.row_bytes));
    if (!load_sample(r, part, (rows - most) / 2, &sample, buffers) ||
        fpgz_chunk_encode(&coder, &grid, buffers, &plain))
        return false;
    coder.params.value[PRANS_SETTING] = few->prans_setting;
    return load_sample(r, part, (rows - most) / 2, &sample, buffers) &&
           !fpgz_chunk_encode(&coder, &grid, buffers, &other) &&
           (double)other.length > PLAIN * (double)plain.length;
}

/* Bytes that coding the array saves, by samples of it; 0 or less: none. *presumed: a look was enough. */
static double gain_of(const struct fpgz_imaging *r, const struct fpgz_part *part,
                      struct fpgz_chunk_buffers *buffers, bool *presumed)
{
    struct fpgz_coder coder = fpgz_coder_of(r->setup, r->setup->level, part);
    const double all = (double)fpgz_part_stored(part, 0, part->place.bytes), cost = fpgz_parts_cost(part);
    double before = 0, after = 0;
    struct sample sample;
    struct fpgz_coded coded;
    if (all <= cost || !fpgz_plan_cut(part, SAMPLE_BYTES, fpgz_setup_slab(r->setup), &sample.cut))
        return 0;
    coder.unverified = true;
    const uint64_t rows = sample.cut.shape.extent[0], most = fpgz_min(sample.cut.rows, rows);
    const double least = 1 - DOUBT * cost / all, sure = least < CLEAR ? least : CLEAR;
    if (sure > 0) { /* else the file has so little of it that a look would always leave doubt */
        if (!load_sample(r, part, (rows - most) / 2, &sample, buffers))
            return 0;
        bool hopeless;
        const double seen = look(r, part, &sample, sure, buffers, &hopeless);
        if (hopeless)
            return 0;
        *presumed = seen < CLEAR && all > all * seen + cost;
        if (*presumed)
            return all - all * seen - cost;
    }
    for (unsigned i = 0; i < SAMPLES; i++) {
        if (!load_sample(r, part, (rows - most) / (SAMPLES - 1) * i, &sample, buffers) ||
            fpgz_chunk_encode(&coder, &sample.grid, buffers, &coded))
            return 0;
        before += sample.stored;
        after += (double)coded.length;
        const double saved = all - all * (after / before);
        if (most == rows || saved > DOUBT * cost + (1 - CLEAR) * all || saved < -all * FAR)
            break;
    }
    return all - all * (after / before) - cost;
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
                                                gain_of(r, part, &buffers, &trial->presumed) <= 0);
        trial->plain = !trial->skipped && trial->presumed && is_plain(r, part, &buffers);
        part->presumed = trial->presumed;
        part->plain = trial->plain;
        any |= trial->skipped;
    }
    fpgz_chunk_buffers_free(&buffers);
    return any;
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
            if (again || !trial->probed)
                continue;
            recoded->strange += filtered->piece[j].length;
            if (!*recoded->dataset && filtered->part.name)
                snprintf(recoded->dataset, sizeof recoded->dataset, "%.*s",
                         fpgz_text_fit(filtered->part.name, FPGZ_NAME_SHOWN), filtered->part.name);
        }
    }
}

static bool recode(struct fpgz_imaging *r, struct fpgz_recoded *recoded)
{
    struct taken taken = {0};
    bool ok = true;
    for (size_t i = 0; i < r->trials && ok; i++)
        ok = prepare(r, &r->content->filtered[i], &r->trial[i], &taken);
    ok = ok && fpgz_trials_run(r->setup, r->input, r->trial, r->trials, &recoded->seconds) &&
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
    struct fpgz_imaging r = {
        .setup = setup, .input = input, .content = content, .trials = content->filtereds};
    bool ok = true;
    *recoded = (struct fpgz_recoded){0};
    if (!wanted(setup)) {
        for (size_t i = 0; i < content->filtereds; i++)
            for (size_t j = 0; j < content->filtered[i].pieces; j++)
                recoded->kept += content->filtered[i].piece[j].length;
    } else if (content->filtereds) {
        r.trial = calloc(r.trials, sizeof *r.trial);
        r.part = calloc(r.trials, sizeof *r.part);
        ok = r.trial && r.part && recode(&r, recoded);
        for (size_t i = 0; i < r.trials && r.trial; i++) {
            free(r.trial[i].stored);
            free(r.trial[i].unfiltered);
        }
        free(r.trial);
        free(r.part);
    }
    fpgz_filtered_free(content);
    return ok;
}
