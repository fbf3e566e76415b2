/* SPDX-License-Identifier: MIT
 * What follows from the axes and the domain: which neighbours count, how long runs are, what symbols mean. */
#include "codec/prans/high/model.h"

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
