/* SPDX-License-Identifier: MIT
 * The high setting's scratch: what stands where, and what shares its place with what. */
#include "codec/prans/high/work.h"

#include <string.h>

#include "codec/prans/high/bands.h"
#include "codec/prans/high/match.h"
#include "core/bytes.h"

/* Parts of the scratch one behind another, or only their sum. */
struct arena {
    uint8_t *base;
    size_t used;
};

static void *take(struct arena *arena, size_t bytes)
{
    void *const at = arena->base ? arena->base + arena->used : NULL;
    arena->used += fpgz_round_up(bytes, 64);
    return at;
}

static void lay_out_selection(struct arena *arena, size_t tiles, struct prans_selection *s)
{
    const size_t samples = (size_t)fpgz_min(PRANS_FIT_SAMPLES + tiles * (PRANS_FIT_LEAST + PRANS_FIT_LANES),
                                            tiles * PRANS_FIT_MOST);
    struct prans_selection parts;
    struct prans_samples *const p = &parts.samples;
    memset(&parts, 0, sizeof parts);
    parts.cost = take(arena, tiles * sizeof *parts.cost);
    parts.least = take(arena, tiles * sizeof *parts.least);
    parts.group = take(arena, tiles);
    parts.start = take(arena, tiles);
    parts.part = take(arena, tiles);
    p->first = take(arena, (tiles + 1) * sizeof *p->first);
    p->at = take(arena, samples * sizeof *p->at);
    p->phase = take(arena, samples);
    p->target = take(arena, samples * sizeof(double));
    p->quantum = take(arena, samples * sizeof(double));
    p->error = take(arena, samples * sizeof(double));
    p->start = take(arena, samples * sizeof(double));
    p->weight = take(arena, samples * sizeof(double));
    p->column = take(arena, samples / PRANS_FIT_LANES * PRANS_COLUMNS * sizeof *p->column);
    if (s)
        *s = parts;
}

/* Parts that are used at different times share their place: what follows begins where `before` says, and ends
 * no earlier than what stands there. Returns where that ended. */
static size_t share(struct arena *arena, size_t before)
{
    const size_t end = arena->used;
    arena->used = before;
    return end;
}

static void end_share(struct arena *arena, size_t end)
{
    arena->used = arena->used > end ? arena->used : end;
}

static void lay_out_encoding(struct arena *arena, size_t values, size_t size, size_t tiles,
                             struct prans_work *w)
{
    struct prans_encoding *const e = take(arena, sizeof *e);
    w->encoding = e;
    w->flag = take(arena, values);
    struct prans_matcher *const matcher = take(arena, sizeof *matcher);

    /* Integers until they are described, then the words. */
    const size_t words = 5 * values + 64;
    size_t before = arena->used;
    w->y = take(arena, values * size);
    size_t end = share(arena, before);
    uint8_t *const word = take(arena, words);
    end_share(arena, end);

    /* The choice of a domain, then matches. */
    before = arena->used;
    w->room.slot_bits = prans_slot_bits(values);
    w->room.slots = take(arena, sizeof *w->room.slots << w->room.slot_bits);
    end = share(arena, before);
    struct prans_match *const match = take(arena, values * sizeof *match);
    end_share(arena, end);

    /* The choice of stencils, then what comes of it. */
    before = arena->used;
    lay_out_selection(arena, tiles, e ? &e->selection : NULL);
    end = share(arena, before);
    uint8_t *const residual = take(arena, values * size);
    uint16_t *const context = take(arena, 2 * values), *const cost = take(arena, 2 * values);
    uint8_t *const symbol_of = take(arena, values), *const copied = take(arena, values);
    end_share(arena, end);
    if (!e)
        return;
    e->matcher = matcher;
    e->words_end = word + words;
    e->match = match;
    e->residual = residual;
    e->context = context;
    e->cost = cost;
    e->symbol_of = symbol_of;
    e->copied = copied;
}

/* Planes, or what takes their place in grids of few or short axes. */
static size_t slab_of(const struct fpgz_grid *grid)
{
    enum { LEAST_VALUES = 1024 };
    unsigned d = grid->dims - 1;
    uint64_t slab = grid->extent[d];
    for (unsigned axes = 1; d && (axes < 2 || slab < LEAST_VALUES); axes++)
        slab *= grid->extent[--d];
    return (size_t)slab;
}

size_t fpgz_prans_high_lay_out(const struct fpgz_grid *grid, bool encoding, uint8_t *base,
                               struct prans_work *w, struct prans_arrays *a)
{
    struct arena arena = {base, 0};
    const size_t values = (size_t)fpgz_grid_values(grid), size = fpgz_dtype_size(grid->dtype);
    const size_t tiles = values / PRANS_TILE + PRANS_BANDS;
    memset(w, 0, sizeof *w);
    struct prans_field *const field = &w->field;
    field->is_f64 = grid->dtype == FPGZ_F64;
    field->kernels = fpgz_cpu_choose_word(fpgz_prans_high_kernels, size);
    field->model.axes = fpgz_prans_axes(grid);
    a->padded = values + (size_t)PRANS_BANDS * PRANS_PAD;
    a->real = take(&arena, a->padded * size);
    a->error = take(&arena, a->padded * size);
    a->special = take(&arena, a->padded);
    field->tile = take(&arena, tiles);
    field->bank = take(&arena, PRANS_BANK * sizeof *field->bank);
    field->refiner = take(&arena, sizeof *field->refiner * PRANS_BANDS * PRANS_PHASES);
    w->description = take(&arena, sizeof *w->description);
    w->decoding = take(&arena, fpgz_prans_decode_field_memory());
    w->room.exception = take(&arena, values / PRANS_EXCEPTION_PART * sizeof(uint32_t));
    w->room.exact = take(&arena, values / PRANS_EXCEPTION_PART * size);
    w->room.slab = slab_of(grid);
    w->room.lattice = take(&arena, values / w->room.slab * sizeof *w->room.lattice);
    w->room.dictionary = take(&arena, values / PRANS_DISTINCT_PART * size);
    if (encoding)
        lay_out_encoding(&arena, values, size, tiles, w);
    return arena.used;
}

void fpgz_prans_place_bands(struct prans_field *field, const struct prans_arrays *a, size_t second,
                            size_t values)
{
    const size_t size = field->is_f64 ? 8 : 4;
    field->bands = second ? 2 : 1;
    field->first[0] = 0;
    field->first[1] = second ? second : values;
    field->first[2] = values;
    field->tiles = fpgz_prans_tiles(field);
    for (unsigned b = 0; b < field->bands; b++) {
        const size_t at = field->first[b] + (size_t)(b + 1) * PRANS_PAD;
        field->real[b] = a->real + at * size;
        field->error[b] = a->error + at * size;
        field->special[b] = a->special + at;
    }
}

void fpgz_prans_clear_padding(const struct prans_field *field)
{
    const size_t size = field->is_f64 ? 8 : 4;
    for (unsigned b = 0; b < field->bands; b++) {
        memset((uint8_t *)field->real[b] - PRANS_PAD * size, 0, PRANS_PAD * size);
        memset((uint8_t *)field->error[b] - PRANS_PAD * size, 0, PRANS_PAD * size);
        memset(field->special[b] - PRANS_PAD, 0, PRANS_PAD);
    }
}
