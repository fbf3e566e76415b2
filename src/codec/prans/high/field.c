/* SPDX-License-Identifier: MIT
 * Where tiles and runs lie. */
#include "codec/prans/high/field.h"

#include "core/bytes.h"

size_t fpgz_prans_tiles(const struct prans_field *field)
{
    size_t tiles = 0;
    for (unsigned b = 0; b < field->bands; b++)
        tiles += (field->first[b + 1] - field->first[b] + PRANS_TILE - 1) / PRANS_TILE;
    return tiles;
}

struct prans_place fpgz_prans_place(const struct prans_field *field, size_t tile)
{
    struct prans_place place = {.band = 0};
    size_t values = field->first[1] - field->first[0];
    const size_t tiles = (values + PRANS_TILE - 1) / PRANS_TILE;
    if (tile >= tiles) {
        place.band = 1;
        tile -= tiles;
        values = field->first[2] - field->first[1];
    }
    place.at = tile * PRANS_TILE;
    place.end = (size_t)fpgz_min(place.at + PRANS_TILE, values);
    return place;
}

struct prans_run fpgz_prans_run(const struct prans_field *field, unsigned band, size_t at, size_t end,
                                const struct prans_stencil *stencil)
{
    const struct prans_model *model = &field->model;
    struct prans_run run = {
        .stencil = stencil, .lattice = {0, 1}, .phase = (unsigned)(at % model->axes.phases)};
    run.direct = model->kind == PRANS_FLOAT && !stencil->reach;
    run.room = at + PRANS_PAD;
    run.count = (size_t)fpgz_min(model->run, end - at);
    if (model->kind == PRANS_SLAB) {
        const size_t value = field->first[band] + at, slab = value / field->slab;
        run.lattice = field->lattice[slab];
        run.count = (size_t)fpgz_min(run.count, (slab + 1) * field->slab - value);
    }
    for (unsigned n = 0; n < model->energies; n++)
        run.energies |= (unsigned)(run.room >= model->energy[n]) << n;
    return run;
}
