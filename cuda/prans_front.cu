/* SPDX-License-Identifier: MIT
 * What stands before the segments of prans' middle setting is coded in sequence: the host reads it. */
#include <string.h>

#include "prans.cuh"

/* A domain has a dictionary, or lattices and exceptions. */
size_t fpgz_prans_leaf_front(const struct fpgz_grid *grid)
{
    const size_t size = fpgz_dtype_size(grid->dtype);
    const uint64_t values = fpgz_grid_values(grid);
    const struct middle_layout layout = fpgz_prans_middle_layout(grid);
    const size_t dictionary = (values / PRANS_DISTINCT_PART + 1) * size,
                 exceptions = (values / PRANS_EXCEPTION_PART + 1) * (size + sizeof(uint32_t)),
                 lattices = values / fpgz_prans_middle_slab(&layout) * sizeof(struct prans_lattice);
    return fpgz_cuda_align(sizeof(struct prans_front)) +
           fpgz_cuda_align(PRANS_SYMBOLS * (sizeof(uint64_t) + 1)) +
           fpgz_cuda_align(MIDDLE_TABLES * PRANS_SYMBOLS * sizeof(uint16_t)) +
           fpgz_cuda_align(fpgz_prans_segments_most(values) * sizeof(struct prans_segment)) +
           4 * FPGZ_CUDA_ALIGN + fpgz_cuda_align(fpgz_max(dictionary, exceptions + lattices));
}

/* Puts bytes behind what there is. Returns where, from the begin of all. */
static uint32_t append(struct prans_front *f, const void *from, size_t bytes)
{
    const uint32_t at = f->bytes;
    if (bytes)
        memcpy((uint8_t *)f + at, from, bytes);
    f->bytes = at + (uint32_t)fpgz_round_up(bytes, 16);
    return at;
}

static void append_domain(struct prans_front *f, const struct prans_domain *domain, size_t size)
{
    f->domain = domain->id;
    f->number = domain->number;
    f->shift = domain->shift;
    memcpy(f->special_word, domain->special, sizeof f->special_word);
    if (domain->id == PRANS_DOMAIN_LATTICE)
        f->scale = fpgz_prans_scale_of(domain->scale), f->inverse = 1 / f->scale;
    if (domain->id == PRANS_DOMAIN_DECIMAL) {
        f->first = (int64_t)fpgz_prans_powers[domain->digits - 1];
        f->span = 9 * f->first;
        f->per_span = 1 / (double)f->span;
        f->decade = domain->decade;
        f->nearest = domain->nearest;
    }
    f->origin = (uint64_t)domain->origin;
    f->step = domain->step;
    if (domain->id == PRANS_DOMAIN_RANK) {
        f->last = (uint32_t)domain->distinct - 1;
        f->dictionary = append(f, domain->dictionary, domain->distinct * size);
    }
    if (domain->id == PRANS_DOMAIN_SLAB) {
        f->slab = (uint32_t)domain->slab;
        f->lattice = append(f, domain->lattice, domain->slabs * sizeof *domain->lattice);
    }
    f->exceptions = (uint32_t)domain->exceptions;
    f->exception = append(f, domain->exception, domain->exceptions * sizeof *domain->exception);
    f->exact = append(f, domain->exact, domain->exceptions * size);
}

/* Segments are read to where they stay, before anything else is appended. */
enum fpgz_status fpgz_prans_leaf_open(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                      uint32_t before, void *front)
{
    struct prans_front *const f = (struct prans_front *)front;
    struct prans_outline o;
    memset(f, 0, sizeof *f);
    f->segment = (uint32_t)fpgz_cuda_align(sizeof *f);
    struct prans_segment *const segment = (struct prans_segment *)((uint8_t *)f + f->segment);
    const enum fpgz_status status = fpgz_prans_outline(coding, stream, length, &o, segment);
    if (status)
        return status;
    for (size_t s = 0; s < o.layout.segments; s++)
        segment[s].at += before;
    const struct middle_layout *const l = &o.layout;
    f->values = (uint32_t)l->values;
    f->points = (uint32_t)l->points;
    f->components = l->components;
    f->row = (uint32_t)l->row;
    f->axes = l->axes;
    for (unsigned a = 0; a < l->axes; a++)
        f->extent[a] = (uint32_t)l->extent[a];
    f->selected = o.axes;
    f->order = o.order;
    f->blocks = (uint32_t)l->blocks;
    f->counted = o.padded ? (uint32_t)l->blocks * MIDDLE_BLOCK : (uint32_t)l->values;
    f->segments = (uint32_t)l->segments;
    f->segment_bits = o.segment_bits;
    f->tables = o.tables;
    f->ids = o.ids ? (uint32_t)(o.ids - stream) + before : 0;
    f->special = o.domain->specials ? o.special : (unsigned)PRANS_SYMBOLS;
    f->folded = o.folded;
    f->bytes = f->segment + (uint32_t)fpgz_cuda_align(f->segments * sizeof(struct prans_segment));
    f->low = append(f, o.low, sizeof o.low);
    f->width = append(f, o.width, sizeof o.width);
    f->frequency = append(f, o.frequency, o.tables * sizeof *o.frequency);
    append_domain(f, o.domain, fpgz_dtype_size(coding->grid.dtype));
    return FPGZ_OK;
}

size_t fpgz_prans_leaf_opened(const void *front)
{
    return ((const struct prans_front *)front)->bytes;
}
