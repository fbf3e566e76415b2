/* SPDX-License-Identifier: MIT */
#include "codec/prans/high/model.h"

#include "core/bytes.h"
#include "core/cpu.h"

const struct prans_kernels *fpgz_prans_high_kernels(bool is_f64)
{
    return &FPGZ_BY_LEVEL(fpgz_prans_high_c, fpgz_prans_high_avx2, fpgz_prans_high_avx512)[is_f64];
}

/* Neighbours that are near but for W and WW would lie in the run itself: they do not count. */
static void add_energy(struct prans_model *model, uint64_t offset)
{
    if (offset > PRANS_NEAR)
        model->energy[model->energies++] = offset;
}

/* The run shrinks until no far offset lies in it. */
static void limit_run(struct prans_model *model, uint64_t offset)
{
    while (offset > PRANS_NEAR && offset < model->run)
        model->run /= 2;
}

void fpgz_prans_model(struct prans_model *model)
{
    const uint64_t x = model->axes.step[0], y = model->axes.step[1], z = model->axes.step[2];
    fpgz_prans_refinement_inputs(&model->axes, &model->refinement);
    model->energies = 0;
    if (y)
        add_energy(model, y);
    if (z)
        add_energy(model, z);
    model->signs = model->energies;
    unsigned flag = 2u << model->signs;
    model->sign_before = model->axes.phases > 1 && flag < 8 ? flag : 0;
    flag <<= model->sign_before != 0;
    model->sign_ww = flag < 8 ? flag : 0;
    if (y) {
        add_energy(model, y + x);
        add_energy(model, y - x);
    }
    model->run = PRANS_RUN;
    for (unsigned i = 0; i < model->energies; i++)
        limit_run(model, model->energy[i]);
    struct prans_stencil stencil;
    for (unsigned id = 0; id < PRANS_FIXED; id++)
        if (fpgz_prans_stencil_fixed(&model->axes, id, &stencil))
            for (unsigned tap = 0; tap < stencil.far; tap++)
                limit_run(model, stencil.offset[tap]);
    for (unsigned shape = 0; shape < PRANS_SHAPES; shape++) {
        uint64_t offset[PRANS_TAPS];
        const unsigned taps = fpgz_prans_shape(&model->axes, shape, offset);
        for (unsigned tap = 0; tap < taps; tap++)
            limit_run(model, offset[tap]);
    }
}

unsigned fpgz_prans_symbols(unsigned fine, unsigned octaves, struct prans_symbol symbol[PRANS_SYMBOLS])
{
    unsigned count = PRANS_EXACT;
    for (unsigned i = 0; i < PRANS_EXACT; i++)
        symbol[i] = (struct prans_symbol){0, 0, 0};
    for (int residual = -7; residual <= 7; residual++)
        symbol[count++] = (struct prans_symbol){(uint64_t)(int64_t)residual, 0, 0};
    for (unsigned octave = 3; octave < octaves; octave++) {
        const unsigned bits = fpgz_prans_fine(fine, octaves, octave) ? 2 : 0;
        for (uint64_t lead = 0; lead < 1u << bits; lead++) {
            const uint64_t base = ((uint64_t)1 << bits | lead) << (octave - bits);
            symbol[count++] = (struct prans_symbol){base, octave - bits, 0};
            symbol[count++] = (struct prans_symbol){-base, octave - bits, UINT32_MAX};
        }
    }
    for (unsigned i = count; i < PRANS_SYMBOLS; i++)
        symbol[i] = (struct prans_symbol){0, 0, 0};
    return count;
}

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
