/* SPDX-License-Identifier: MIT
 * Encoding in the high setting: a domain, a bank of stencils, symbols in contexts, in one or two bands; with
 * effort=max a second time with refined predictions. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/domain/low_bits.h"
#include "codec/prans/format.h"
#include "codec/prans/high/choose_domain.h"
#include "codec/prans/high/high.h"
#include "codec/prans/high/match.h"
#include "codec/prans/high/plan.h"
#include "codec/prans/high/stream.h"
#include "codec/prans/high/token.h"
#include "codec/prans/high/write.h"
#include "core/bytes.h"

enum {
    DESCRIPTION_BYTES = 1 << 16, /* that the description may take besides domain and tiles */
    ROOM_PART = 8,               /* of the values, by which a stream may be longer: then it is of no use */
};

/* Two bands where that costs little: they share the slowest axis that has enough of them, by whole planes or
 * rows. */
static size_t second_band(const struct prans_axes *axes, size_t values)
{
    enum { LEAST_PARTS = 16, LINE = 4096 };
    const uint64_t unit =
        axes->dims == 1 ? (uint64_t)LINE * axes->step[0] : axes->step[axes->dims == 2 ? 1 : 2];
    const uint64_t parts = values / unit;
    return parts < LEAST_PARTS ? 0 : (size_t)(parts / 2 * unit);
}

size_t fpgz_prans_high_bound(const struct fpgz_grid *grid)
{
    const size_t bytes = (size_t)fpgz_grid_bytes(grid);
    return PRANS_HEAD_BYTES + DESCRIPTION_BYTES + PRANS_TILE_RAW + bytes + bytes / ROOM_PART;
}

size_t fpgz_prans_high_memory(const struct fpgz_grid *grid, bool encoding)
{
    struct prans_work w;
    struct prans_arrays a;
    return fpgz_prans_high_lay_out(grid, encoding, NULL, &w, &a);
}

/* Gives the bands their place, with the marks of special values. */
static void open_bands(struct prans_work *w, const struct prans_arrays *a, size_t second, size_t values)
{
    struct prans_field *const field = &w->field;
    fpgz_prans_place_bands(field, a, second, values);
    fpgz_prans_clear_padding(field);
    for (unsigned b = 0; b < field->bands; b++)
        memcpy(field->special[b], w->flag + field->first[b], field->first[b + 1] - field->first[b]);
}

/* The stream's room, and what is written to it. */
struct target {
    uint8_t *stream, *end;
};

/* How predictions are refined (refinement.h). */
struct prans_way {
    uint8_t memory, parts;
};

/* Returns the stream's length; SIZE_MAX where it has no room. */
static size_t write_stream(struct prans_work *w, const struct prans_domain_kernels *k,
                           const struct fpgz_grid *grid, struct prans_arrays *a, const void *values,
                           const struct target *target)
{
    uint8_t *const stream = target->stream;
    const struct prans_refinement *const refinement = &w->field.model.refinement;
    struct prans_range r;
    uint8_t *const description = stream + PRANS_HEAD_BYTES;
    fpgz_prans_range_write(&r, description, (size_t)(target->end - description));
    fpgz_prans_code_head(&r, w, k, (size_t)fpgz_grid_values(grid), a, &w->encoding->description);
    uint8_t *bands = fpgz_prans_range_flush(&r);
    stream[0] = refinement->memory ? PRANS_FORMAT_REFINED : PRANS_FORMAT_HIGH;
    stream[1] = (uint8_t)refinement->memory;
    stream[2] = (uint8_t)refinement->parts;
    stream[3] = 0;
    fpgz_store32(stream + 4, (uint32_t)(bands - description));
    if (w->domain.id == PRANS_DOMAIN_SPLIT && target->end - bands >= 4) {
        uint8_t *const low = bands + 4;
        uint32_t *const slots = w->encoding->matcher->last[0];
        memset(slots, 0, sizeof *slots << PRANS_LOW_BITS_SLOT_BITS);
        fpgz_prans_range_write(&r, low, low < target->end ? (size_t)(target->end - low) : 0);
        fpgz_prans_code_field_low_bits(w, &r, (void *)values, slots);
        bands = fpgz_prans_range_flush(&r);
        fpgz_store32(low - 4, (uint32_t)(bands - low));
    }
    uint8_t *const end = r.failed ? NULL : fpgz_prans_write_field(&w->field, w->encoding, bands, target->end);
    return end ? (size_t)(end - stream) : SIZE_MAX;
}

/* Whether any tile has predictions that could be refined. */
static bool has_predictions(const struct prans_field *field)
{
    for (size_t tile = 0; tile < field->tiles; tile++)
        if (!prans_is_direct(field, tile))
            return true;
    return false;
}

/* Writes the stream with predictions refined as said, or as it was with a memory of 0. Returns its length. */
static size_t write_refined(struct prans_work *w, const struct prans_domain_kernels *k,
                            const struct fpgz_grid *grid, struct prans_arrays *a, const void *values,
                            const struct prans_way *way, const struct target *target)
{
    struct prans_field *const field = &w->field;
    if (!fpgz_prans_refinement_set(way->memory, way->parts, &field->model.refinement))
        field->model.refinement.memory = field->model.refinement.parts = 0;
    /* The last stream's words took the integers' place. */
    const struct prans_model model = field->model;
    fpgz_prans_enter_domain(w, k, w->domain.id, values, (size_t)fpgz_grid_values(grid),
                            fpgz_dtype_size(grid->dtype));
    field->model = model;
    fpgz_prans_plan_symbols(field, w->y, w->encoding);
    return write_stream(w, k, grid, a, values, target);
}

/* Makes the stream, of `length` bytes, that with the predictions that make it shortest. A trial stands behind
 * the shortest so far, or, where there is no room, in its place: then that may have to be written again.
 * Returns the length. */
static size_t refine(struct prans_work *w, const struct prans_domain_kernels *k, const struct fpgz_grid *grid,
                     struct prans_arrays *a, const void *values, const struct target *target, size_t length)
{
    /* None to all of a correction, as it proves itself; a quarter and up to three; always half. 2^12 values
     * are remembered. */
    static const struct prans_way ways[] = {{12, 0}, {12, 4}, {12, 8}};
    enum { WAYS = sizeof ways / sizeof *ways, HOPELESS_PART = 50 /* by which the first is longer */ };
    struct prans_way best = {0, 0};
    size_t least = length;
    bool lost = false;
    for (unsigned i = 0; i < WAYS; i++) {
        const bool behind = !lost && least <= ((size_t)(target->end - target->stream) - PRANS_TILE_RAW) / 2;
        const struct target trial = {target->stream + (behind ? least : 0), target->end};
        length = write_refined(w, k, grid, a, values, &ways[i], &trial);
        const bool shorter = length < least;
        lost = !shorter && (lost || !behind);
        if (shorter) {
            memmove(target->stream, trial.stream, length);
            best = ways[i];
            least = length;
        }
        if (i == 0 && length - least > least / HOPELESS_PART)
            break;
    }
    return lost ? write_refined(w, k, grid, a, values, &best, target) : least;
}

/* Whether special values are mostly what there is besides each other. Then they may as well be classes, which
 * neighbours tell: of special values nothing predicts which one it is. */
static bool are_classes(const struct prans_domain *domain, const uint8_t *flag, size_t count)
{
    enum { OTHERS_PART = 8 };
    size_t others = 0;
    for (size_t i = 0; i < count && domain->specials > 1; i++)
        others += !flag[i];
    return domain->specials > 1 && others <= count / OTHERS_PART;
}

/* Encodes with special values, or without. Returns the stream's length; SIZE_MAX where it has no room. Tells
 * whether the other way is worth a trial. */
static size_t encode_once(const struct fpgz_coding *coding, const void *values, bool specials,
                          const struct target *target, bool *classes)
{
    const size_t count = (size_t)fpgz_grid_values(&coding->grid), size = fpgz_dtype_size(coding->grid.dtype);
    struct prans_work w;
    struct prans_arrays a;
    fpgz_prans_high_lay_out(&coding->grid, true, coding->scratch, &w, &a);
    struct prans_field *const field = &w.field;
    const struct prans_domain_kernels *const k = prans_domain_of(field->is_f64);
    if (specials)
        k->specials(values, count, &w.domain);
    k->flags(values, count, &w.domain, w.flag);
    *classes = are_classes(&w.domain, w.flag, count);
    const size_t second = second_band(&field->model.axes, count);
    const bool one = second && fpgz_prans_matches_across(values, field->is_f64, w.flag, second, count,
                                                         w.encoding->matcher);
    open_bands(&w, &a, one ? 0 : second, count);
    fpgz_prans_choose_domain(&w, k, values, count, size);
    fpgz_prans_plan_field(field, w.y, w.encoding);

    const size_t length = write_stream(&w, k, &coding->grid, &a, values, target);
    return coding->params.value[PRANS_EFFORT] && has_predictions(field)
               ? refine(&w, k, &coding->grid, &a, values, target, length)
               : length;
}

enum fpgz_status fpgz_prans_high_encode_in(const struct fpgz_coding *coding, const void *values,
                                           uint8_t *stream, size_t room, size_t *length)
{
    bool classes;
    *length = encode_once(coding, values, true, &(struct target){stream, stream + room}, &classes);
    if (classes) {
        uint8_t *const behind = *length == SIZE_MAX ? stream : stream + *length;
        const struct target other = {behind, stream + room};
        const size_t plain = encode_once(coding, values, false, &other, &classes);
        if (plain < *length) {
            memmove(stream, behind, plain);
            *length = plain;
        }
    }
    return *length == SIZE_MAX ? FPGZ_LIMIT : FPGZ_OK;
}

enum fpgz_status fpgz_prans_high_encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                                        size_t *length)
{
    return fpgz_prans_high_encode_in(coding, values, stream, fpgz_prans_high_bound(&coding->grid), length);
}
