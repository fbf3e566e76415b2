/* SPDX-License-Identifier: MIT
 * The parts of the middle setting's stream and scratch. */
#include "codec/prans/middle/work.h"

#include <stdio.h>

#include "codec/prans/entropy/frequencies.h"
#include "codec/prans/format.h"
#include "codec/prans/middle/middle.h"
#include "core/bytes.h"
#include "core/cpu.h"

size_t fpgz_prans_middle_segment_bound(size_t size)
{
    return MIDDLE_STATE_BYTES + (size_t)MIDDLE_SEGMENT * (2 + size) + 16;
}

/* The description: a dictionary takes less than its values would. */
static size_t description_bound(const struct middle_layout *layout, size_t size)
{
    return 32768 + 2 * layout->segments * sizeof(struct middle_lengths) + layout->values / 2 * size;
}

size_t fpgz_prans_middle_bound(const struct fpgz_grid *grid)
{
    const struct middle_layout layout = fpgz_prans_middle_layout(grid);
    const size_t size = fpgz_dtype_size(grid->dtype);
    return PRANS_HEAD_BYTES + description_bound(&layout, size) + layout.blocks +
           layout.segments * fpgz_prans_middle_segment_bound(size);
}

/* `bytes` of the scratch from *at on. */
size_t fpgz_prans_middle_work(const struct fpgz_grid *grid, void *scratch, struct middle_work *w)
{
    const struct middle_layout layout = fpgz_prans_middle_layout(grid);
    size_t at = fpgz_round_up(sizeof *w, 64);
    w->layout = layout;
    w->is_f64 = grid->dtype == FPGZ_F64;
    w->size = fpgz_dtype_size(grid->dtype);
    w->kernels = fpgz_cpu_choose_word(fpgz_prans_middle_kernels, w->size);
    const size_t padded = layout.blocks * MIDDLE_BLOCK, bytes = padded * w->size;
    w->room.exception =
        fpgz_carve(scratch, &at, (layout.values / PRANS_EXCEPTION_PART + 1) * sizeof(uint32_t));
    w->room.exact = fpgz_carve(scratch, &at, (layout.values / PRANS_EXCEPTION_PART + 1) * w->size);
    w->room.dictionary = fpgz_carve(scratch, &at, (layout.values / PRANS_DISTINCT_PART + 1) * w->size);
    w->room.slab = fpgz_prans_middle_slab(&layout);
    w->room.lattice = fpgz_carve(scratch, &at, layout.values / w->room.slab * sizeof *w->room.lattice);
    w->room.slot_bits = prans_slot_bits(layout.values);
    w->lengths = fpgz_carve(scratch, &at, layout.segments * sizeof *w->lengths);
    w->flag = fpgz_carve(scratch, &at, padded);
    w->ids = fpgz_carve(scratch, &at, layout.blocks);
    w->y = fpgz_carve(scratch, &at, bytes);
    w->planes = layout.components > 1 ? fpgz_carve(scratch, &at, bytes) : NULL;
    /* Encoder and decoder share the rest. */
    size_t encoder = at, decoder = at;
    w->room.slots = fpgz_carve(scratch, &encoder, sizeof *w->room.slots << w->room.slot_bits);
    w->residual = fpgz_carve(scratch, &encoder, bytes);
    w->symbol = fpgz_carve(scratch, &encoder, padded);
    w->codes = fpgz_carve(scratch, &encoder, MIDDLE_TABLES * sizeof *w->codes);
    w->slots = fpgz_carve(scratch, &decoder, MIDDLE_TABLES * sizeof *w->slots);
    w->tail = fpgz_carve(scratch, &decoder, fpgz_prans_middle_segment_bound(w->size) + MIDDLE_SLACK);
    return encoder > decoder ? encoder : decoder;
}

size_t fpgz_prans_middle_memory(const struct fpgz_grid *grid)
{
    struct middle_work work;
    return fpgz_prans_middle_work(grid, NULL, &work);
}

/* Symbols that no residual of the dtype, or no special value, has. */
static bool are_possible(const struct middle_work *w)
{
    const unsigned symbols = 4 * (8 * (unsigned)w->size - 3) + 8;
    bool possible = true;
    for (unsigned t = 0; t < w->description.tables; t++)
        for (unsigned s = symbols; s < PRANS_SYMBOLS; s++)
            possible &= !w->description.frequency[t][s] ||
                        (s >= MIDDLE_SPECIAL && s - MIDDLE_SPECIAL < w->description.domain.specials);
    return possible;
}

void fpgz_prans_middle_code_description(struct prans_range *r, struct middle_work *w)
{
    struct middle_description *const description = &w->description;
    uint16_t chances[2][PRANS_NUMBER_CHANCES];
    prans_domain_of(w->is_f64)->code(r, w->layout.values, &w->room, &description->domain);
    r->failed |= description->domain.id >= PRANS_DOMAIN_SPLIT;
    description->mode.axes = (unsigned)fpgz_prans_range_bits(r, MIDDLE_AXES, description->mode.axes);
    description->mode.order = (unsigned)fpgz_prans_range_bits(r, 2, description->mode.order);
    description->tables = 1 + (unsigned)fpgz_prans_range_bits(r, 4, description->tables - 1);
    r->failed |= description->mode.axes >> w->layout.axes ||
                 description->mode.order > (description->domain.specials ? 1 : 2);
    if (r->failed)
        return;
    fpgz_prans_code_frequencies(r, description->frequency, description->tables);
    r->failed |= !are_possible(w);
    fpgz_prans_chances(chances[0], PRANS_NUMBER_CHANCES);
    fpgz_prans_chances(chances[1], PRANS_NUMBER_CHANCES);
    for (size_t s = 0; s < w->layout.segments && !r->failed; s++) {
        const uint64_t words = fpgz_prans_range_number(r, chances[0], w->lengths[s].words / 2);
        const uint64_t raw = fpgz_prans_range_number(r, chances[1], w->lengths[s].raw);
        r->failed |= words > MIDDLE_SEGMENT || raw > MIDDLE_SEGMENT * (uint64_t)w->size;
        w->lengths[s] = (struct middle_lengths){2 * (uint32_t)words, (uint32_t)raw};
    }
}

void fpgz_prans_middle_mode_traits(const struct middle_layout *layout, const struct middle_mode *mode,
                                   struct fpgz_traits *traits)
{
    const size_t room = sizeof traits->predictors;
    size_t used = (size_t)snprintf(traits->predictors, room, "order %u", mode->order);
    if (mode->joined)
        used += (size_t)snprintf(traits->predictors + used, room - used, " joined");
    for (unsigned a = 0; a < layout->axes; a++)
        if (mode->axes >> a & 1)
            used += (size_t)snprintf(traits->predictors + used, room - used, " axis %u", a);
}
