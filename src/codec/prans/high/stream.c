/* SPDX-License-Identifier: MIT
 * The parts of a high stream before its bands, written and read by one function each. */
#include "codec/prans/high/stream.h"

#include "codec/prans/domain/low_bits.h"

void fpgz_prans_set_kind(struct prans_work *w)
{
    struct prans_model *const model = &w->field.model;
    const bool is_float = w->domain.id == PRANS_DOMAIN_FLOAT || w->domain.id == PRANS_DOMAIN_SPLIT;
    model->kind = is_float ? PRANS_FLOAT : w->domain.id == PRANS_DOMAIN_SLAB ? PRANS_SLAB : PRANS_INTEGER;
    w->field.lattice = w->domain.lattice;
    w->field.slab = w->domain.slab;
    model->shift = is_float ? w->domain.shift : 0;
    model->specials = w->domain.specials;
    fpgz_prans_model(model);
}

void fpgz_prans_code_head(struct prans_range *r, struct prans_work *w, const struct prans_domain_kernels *k,
                          size_t values, const struct prans_arrays *a, struct prans_description *description)
{
    struct prans_field *const field = &w->field;
    k->code(r, values, &w->room, &w->domain);
    size_t second = field->bands == 2 ? field->first[1] : 0;
    second = (size_t)fpgz_prans_range_bits(r, 28, second);
    r->failed |=
        w->domain.id == PRANS_DOMAIN_DECIMAL || second >= values || second % field->model.axes.phases;
    if (r->failed)
        return;
    if (r->reading) {
        fpgz_prans_place_bands(field, a, second, values);
        fpgz_prans_set_kind(w);
    }
    fpgz_prans_code_description(r, field, description);
}

void fpgz_prans_code_field_low_bits(struct prans_work *w, struct prans_range *r, void *values,
                                    uint32_t *slots)
{
    const struct prans_field *const field = &w->field;
    struct prans_low_bits low;
    fpgz_prans_low_bits_begin(&low, field->is_f64, w->domain.shift);
    for (unsigned b = 0; b < field->bands; b++)
        fpgz_prans_low_bits_code(&low, r, values, field->first[b], field->first[b + 1] - field->first[b],
                                 field->special[b], slots);
}
