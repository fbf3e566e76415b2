/* SPDX-License-Identifier: MIT
 * The parts of the scratch of the format of bins. */
#include "codec/prans/bins/work.h"
#include "codec/prans/bins/bins.h"
#include "codec/prans/format.h"
#include "core/bytes.h"

/* SLACK: kernels of words read and write as much behind what there is. */
enum { SLACK = 2 * MIDDLE_BLOCK + BINS_RAW_SLACK + 64 };

size_t fpgz_prans_bins_segment_bound(size_t size)
{
    return MIDDLE_STATE_BYTES + ((size_t)1 << BINS_SEGMENT_MOST) * (2 + size) + 16;
}

size_t fpgz_prans_bins_bound(const struct fpgz_grid *grid)
{
    const struct middle_layout layout = fpgz_prans_middle_layout(grid);
    const size_t size = fpgz_dtype_size(grid->dtype);
    const size_t segments = bins_segments_most(layout.values, BINS_SEGMENT_USUAL);
    return PRANS_HEAD_BYTES + 32768 + layout.values / 2 * size + layout.blocks + 8 * segments +
           layout.blocks * MIDDLE_BLOCK * (2 + size) + segments * (MIDDLE_STATE_BYTES + 16) + BINS_ALIGNMENT +
           fpgz_prans_bins_segment_bound(size);
}

void fpgz_prans_bins_number(enum fpgz_dtype dtype, struct prans_domain *domain)
{
    const struct fpgz_dtype_row *const row = &fpgz_dtypes[dtype];
    domain->number = prans_number_of(dtype);
    if (row->size == 2 && row->kind == 'f')
        domain->infinity = (uint16_t)(((1u << row->exponent) - 1) << (row->mantissa + 1));
}

static void choose_kernels(const struct fpgz_grid *grid, struct bins_work *w)
{
    w->size = fpgz_dtype_size(grid->dtype);
    w->bits = 8 * (unsigned)w->size;
    w->is_wide = FPGZ_FLOATS_32_64 >> grid->dtype & 1;
    w->kernels = fpgz_cpu_choose_word(fpgz_prans_bins_kernels, w->size);
    w->rans = fpgz_cpu_choose_word(fpgz_prans_middle_kernels, w->size < 4 ? 4 : w->size);
    w->words = fpgz_cpu_choose_word(fpgz_prans_words_kernels, w->size);
    w->domains = w->is_wide ? prans_domain_of(grid->dtype == FPGZ_F64) : &w->words->domain;
}

static void take_room(const struct bins_work *w, void *scratch, size_t *at, struct prans_domain_room *room)
{
    const size_t exceptions = w->is_wide ? w->layout.values / PRANS_EXCEPTION_PART + 1 : 0;
    room->exception = fpgz_carve(scratch, at, exceptions * sizeof(uint32_t));
    room->exact = fpgz_carve(scratch, at, exceptions * w->size);
    room->dictionary = fpgz_carve(scratch, at, (w->layout.values / PRANS_DISTINCT_PART + 1) * w->size);
    room->slab = fpgz_prans_middle_slab(&w->layout);
    room->lattice =
        fpgz_carve(scratch, at, w->is_wide ? w->layout.values / room->slab * sizeof *room->lattice : 0);
    room->slot_bits = prans_slot_bits(w->layout.values);
}

size_t fpgz_prans_bins_work(const struct fpgz_grid *grid, bool encoding, void *scratch, struct bins_work *w)
{
    const struct middle_layout layout = fpgz_prans_middle_layout(grid);
    size_t at = fpgz_round_up(sizeof *w, 64);
    w->layout = layout;
    choose_kernels(grid, w);
    const size_t padded = layout.blocks * MIDDLE_BLOCK, bytes = padded * w->size;
    /* What every stream takes stands together, on few huge pages. */
    if (encoding) {
        w->learning = fpgz_carve(scratch, &at, sizeof *w->learning);
        w->pieces = fpgz_carve(scratch, &at, sizeof *w->pieces);
        w->widths = fpgz_carve(scratch, &at, 16 * (size_t)w->bits);
        w->histogram = fpgz_carve(scratch, &at, BINS_CLASSES * sizeof *w->histogram);
        w->levels = fpgz_carve(scratch, &at, 2 * BINS_CLASSES * sizeof *w->levels);
        w->map = fpgz_carve(scratch, &at, BINS_CLASSES);
        w->codes = fpgz_carve(scratch, &at, MIDDLE_TABLES * sizeof *w->codes);
    } else {
        w->slots = fpgz_carve(scratch, &at, MIDDLE_TABLES * sizeof *w->slots);
        w->symbol = fpgz_carve(scratch, &at, (size_t)MIDDLE_TOGETHER << BINS_SEGMENT_MOST);
        w->tail = fpgz_carve(scratch, &at, fpgz_prans_bins_segment_bound(w->size) + SLACK);
    }
    w->ids = fpgz_carve(scratch, &at, layout.blocks);
    w->planes = layout.components > 1 ? fpgz_carve(scratch, &at, bytes) : NULL;
    /* What few streams need, or only some of the values, comes last. */
    take_room(w, scratch, &at, &w->room);
    w->flag = fpgz_carve(scratch, &at, padded);
    w->y = fpgz_carve(scratch, &at, bytes);
    if (!encoding)
        return at;
    w->residual = fpgz_carve(scratch, &at, bytes);
    w->symbol = fpgz_carve(scratch, &at, padded);
    w->room.slots = fpgz_carve(scratch, &at, sizeof *w->room.slots << w->room.slot_bits);
    return at;
}

size_t fpgz_prans_bins_memory(const struct fpgz_grid *grid, bool encoding)
{
    struct bins_work work;
    return fpgz_prans_bins_work(grid, encoding, NULL, &work);
}
