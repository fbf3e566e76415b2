/* SPDX-License-Identifier: MIT
 * Decoding of the high setting, and what listings tell of its streams. */
#include <stdio.h>
#include <string.h>

#include "codec/prans/format.h"
#include "codec/prans/high/bands.h"
#include "codec/prans/high/high.h"
#include "codec/prans/high/stream.h"
#include "core/bytes.h"

/* The values from the field. */
static void leave(const struct prans_work *w, const struct prans_domain_kernels *k, size_t size,
                  uint8_t *values)
{
    const struct prans_field *const field = &w->field;
    for (unsigned b = 0; b < field->bands; b++)
        k->leave(&w->domain, field->real[b], field->special[b], field->first[b + 1] - field->first[b],
                 values + field->first[b] * size);
    fpgz_prans_put_exceptions(&w->domain, field->is_f64, 0, field->first[field->bands], values);
}

/* Whether the stream's first bytes are right, with how it refines predictions, if it does. */
static bool read_start(const uint8_t *stream, struct prans_refinement *refinement)
{
    const bool lifted = stream[0] == PRANS_FORMAT_LIFTED, any = stream[1] || stream[2];
    if (stream[3] && !lifted)
        return false;
    if (stream[0] == PRANS_FORMAT_REFINED || (lifted && any))
        return fpgz_prans_refinement_set(stream[1], stream[2], refinement);
    return !any;
}

/* Lays the work out and reads what stands before the bands; false when it is none. */
static bool read_head(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                      struct prans_work *w)
{
    const size_t count = (size_t)fpgz_grid_values(&coding->grid);
    if (length < PRANS_HEAD_BYTES || fpgz_load32(stream + 4) > length - PRANS_HEAD_BYTES)
        return false;
    struct prans_arrays a;
    struct prans_range r;
    fpgz_prans_high_lay_out(&coding->grid, false, coding->scratch, w, &a);
    memset(w->description, 0, sizeof *w->description);
    if (!read_start(stream, &w->field.model.refinement))
        return false;
    fpgz_prans_range_read(&r, stream + PRANS_HEAD_BYTES, fpgz_load32(stream + 4));
    fpgz_prans_code_head(&r, w, prans_domain_of(w->field.is_f64), count, &a, w->description);
    return fpgz_prans_range_done(&r);
}

/* The stencils by the parts of the tiles that chose them, the most frequent first, and whether there are
 * matches. */
static void tell_bank(const struct prans_field *field, const struct prans_description *description,
                      struct fpgz_traits *traits)
{
    enum { KINDS = PRANS_FIXED + PRANS_SHAPES, MOST = 5 };
    size_t tiles[KINDS] = {0}, used = 0;
    char *const text = traits->predictors;
    *text = 0;
    for (size_t tile = 0; tile < field->tiles; tile++)
        tiles[description->entry[field->tile[tile]].id]++;
    for (unsigned told = 0; told < MOST; told++) {
        unsigned most = 0;
        for (unsigned kind = 1; kind < KINDS; kind++)
            most = tiles[kind] > tiles[most] ? kind : most;
        if (!tiles[most])
            break;
        used += (size_t)snprintf(text + used, sizeof traits->predictors - used, "%s%s %zu%%",
                                 told ? ", " : "", fpgz_prans_stencil_name(most),
                                 (100 * tiles[most] + field->tiles / 2) / field->tiles);
        tiles[most] = 0;
    }
    snprintf(text + used, sizeof traits->predictors - used, "%s%s", description->matches ? ", matches" : "",
             field->model.refinement.memory ? ", refined" : "");
}

bool fpgz_prans_high_describe(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                              struct fpgz_traits *traits)
{
    struct prans_work w;
    if (!read_head(coding, front, length, &w))
        return false;
    fpgz_prans_domain_traits(&w.domain, traits);
    tell_bank(&w.field, w.description, traits);
    return true;
}

enum fpgz_status fpgz_prans_high_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                        size_t length, void *values)
{
    const size_t size = fpgz_dtype_size(coding->grid.dtype);
    struct prans_work w;
    if (!read_head(coding, stream, length, &w))
        return FPGZ_CORRUPT;
    const struct prans_domain_kernels *const k = prans_domain_of(w.field.is_f64);
    const uint8_t *bands = stream + PRANS_HEAD_BYTES + fpgz_load32(stream + 4);
    const bool split = w.domain.id == PRANS_DOMAIN_SPLIT;
    struct prans_range r;
    if (split) {
        const size_t left = (size_t)(stream + length - bands);
        if (left < 4 || fpgz_load32(bands) > left - 4)
            return FPGZ_CORRUPT;
        fpgz_prans_range_read(&r, bands + 4, fpgz_load32(bands));
        bands += 4 + fpgz_load32(bands);
    }
    fpgz_prans_clear_padding(&w.field);
    if (!fpgz_prans_decode_field(&w.field, w.description, bands, (size_t)(stream + length - bands),
                                 w.decoding))
        return FPGZ_CORRUPT;
    leave(&w, k, size, values);
    if (!split)
        return FPGZ_OK;
    fpgz_prans_code_field_low_bits(&w, &r, values, NULL);
    return fpgz_prans_range_done(&r) ? FPGZ_OK : FPGZ_CORRUPT;
}
