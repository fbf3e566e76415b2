/* SPDX-License-Identifier: MIT
 * prans on a GPU: decoding of a stream of the middle format or of bins. What stands before the segments is
 * coded in sequence: the host reads it. */
#include <string.h>

#include "prans_columns.cuh"
#include "prans_leaf.cuh"
#include "prans_rows.cuh"

extern "C" {
#include "core/bytes.h"
}

enum { ALIGN = 256, STATES_WARPS = 8, STATES_WARPS_MOST = 16, MANY_SEGMENTS = 2048 };

static uint32_t blocks_of(uint64_t values)
{
    return (uint32_t)((values + MIDDLE_BLOCK - 1) / MIDDLE_BLOCK);
}

static size_t align(size_t bytes)
{
    return fpgz_round_up(bytes, ALIGN);
}

/* A domain has a dictionary, or lattices and exceptions. */
size_t fpgz_prans_leaf_front(const struct fpgz_grid *grid)
{
    const size_t size = fpgz_dtype_size(grid->dtype);
    const uint64_t values = fpgz_grid_values(grid);
    const struct middle_layout layout = fpgz_prans_middle_layout(grid);
    const size_t dictionary = (values / PRANS_DISTINCT_PART + 1) * size,
                 exceptions = (values / PRANS_EXCEPTION_PART + 1) * (size + sizeof(uint32_t)),
                 lattices = values / fpgz_prans_middle_slab(&layout) * sizeof(struct prans_lattice);
    return align(sizeof(struct prans_front)) + align(PRANS_SYMBOLS * (sizeof(uint64_t) + 1)) +
           align(MIDDLE_TABLES * PRANS_SYMBOLS * sizeof(uint16_t)) +
           align(fpgz_prans_segments_most(values) * sizeof(struct prans_segment)) + 4 * ALIGN +
           align(fpgz_max(dictionary, exceptions + lattices));
}

/* Where things lie in the scratch, in bytes from its begin; `end` is its size. */
struct places {
    size_t image, bit, symbol, carry, y, end;
};

static struct places place(const struct fpgz_grid *grid)
{
    const uint64_t values = fpgz_grid_values(grid), blocks = blocks_of(values);
    struct places p = {};
    p.image = align(fpgz_prans_leaf_front(grid));
    p.bit = p.image + MIDDLE_TABLES * PRANS_TABLE;
    p.symbol = p.bit + align(blocks * sizeof(uint64_t));
    p.carry = p.symbol + align(blocks * MIDDLE_BLOCK);
    /* Rows of one piece need no carries: at most two pieces for as many values. */
    p.y = p.carry + align((2 * values / PRANS_PIECE + 2) * PRANS_ORDERS * sizeof(uint64_t));
    p.end = p.y;
    if (fpgz_prans_middle_layout(grid).components > 1)
        p.end += align(blocks * MIDDLE_BLOCK * fpgz_dtype_size(grid->dtype)) + ALIGN;
    return p;
}

size_t fpgz_prans_leaf_scratch(const struct fpgz_grid *grid)
{
    return place(grid).end;
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
        f->scale = fpgz_prans_scale_of(domain->scale);
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
    f->segment = (uint32_t)align(sizeof *f);
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
    f->bytes = f->segment + (uint32_t)align(f->segments * sizeof(struct prans_segment));
    f->low = append(f, o.low, sizeof o.low);
    f->width = append(f, o.width, sizeof o.width);
    f->frequency = append(f, o.frequency, o.tables * sizeof *o.frequency);
    append_domain(f, o.domain, fpgz_dtype_size(coding->grid.dtype));
    return FPGZ_OK;
}

template <typename WORD, bool CODED> static void sum_rows(const prans_work &k, bool leave, cudaStream_t queue)
{
    prans_pieces pieces = {k.f.order ? k.f.row : k.f.values, 1, 0};
    pieces.each = (pieces.row + PRANS_PIECE - 1) / PRANS_PIECE;
    pieces.all = k.f.values / pieces.row * pieces.each;
    const uint32_t blocks = (pieces.all + PRANS_ROW_WARPS - 1) / PRANS_ROW_WARPS;
    if (k.f.order && pieces.each > 1) {
        prans_rows<WORD, CODED, true><<<blocks, 32 * PRANS_ROW_WARPS, 0, queue>>>(k, pieces, false);
        prans_carries<<<pieces.all / pieces.each, 32, 0, queue>>>(k, pieces);
    }
    prans_rows<WORD, CODED, false><<<blocks, 32 * PRANS_ROW_WARPS, 0, queue>>>(k, pieces, leave);
}

template <typename WORD, int EACH, int GROUPS>
static void sum_columns(const prans_work &k, const prans_axis &axis, bool leave, cudaStream_t queue)
{
    const uint32_t sets = (axis.width + 32 * EACH - 1) / (32 * EACH), each = PRANS_COLUMN_WARPS / GROUPS;
    prans_columns<WORD, EACH, GROUPS>
        <<<(sets * axis.parts + each - 1) / each, 32 * PRANS_COLUMN_WARPS, 0, queue>>>(k, axis, leave);
}

template <typename WORD, int EACH>
static void sum_columns(const prans_work &k, const prans_axis &axis, bool leave, cudaStream_t queue)
{
    if (axis.extent <= PRANS_COLUMN_ROWS)
        sum_columns<WORD, EACH, 1>(k, axis, leave, queue);
    else if (axis.extent <= 4 * PRANS_COLUMN_ROWS)
        sum_columns<WORD, EACH, 4>(k, axis, leave, queue);
    else
        sum_columns<WORD, EACH, PRANS_COLUMN_WARPS>(k, axis, leave, queue);
}

/* Along all axes that predict; the last one makes values. */
template <typename WORD> static void sum_axes(const prans_work &k, cudaStream_t queue)
{
    enum { EACH = sizeof(WORD) < 8 ? 2 : 1 }; /* registers are scarce */
    uint32_t width = k.f.row;
    for (unsigned a = k.f.axes, left = k.f.selected; a-- > 0; width *= k.f.extent[a]) {
        const prans_axis axis = {width, k.f.extent[a], k.f.values / width / k.f.extent[a]};
        if (!(left >> a & 1))
            continue;
        left &= ~(1u << a);
        if (width % EACH)
            sum_columns<WORD, 1>(k, axis, !left, queue);
        else
            sum_columns<WORD, EACH>(k, axis, !left, queue);
    }
}

/* The same for differences along rows that have special values. */
template <typename WORD> static void sum_differences(const prans_work &k, cudaStream_t queue)
{
    prans_planes planes = {{0, 0, 1}, {1, 1}, {0, 0}};
    uint32_t stride = k.f.row;
    unsigned found = 0;
    for (unsigned a = k.f.axes; a-- > 0; stride *= k.f.extent[a]) {
        if (!(k.f.selected >> a & 1)) {
            planes.axis.parts *= found ? k.f.extent[a] : 1;
        } else if (found++ == 0) {
            planes.axis.width = stride;
            planes.axis.extent = k.f.extent[a];
        } else {
            planes.extent[found - 2] = k.f.extent[a];
            planes.step[found - 2] = stride;
        }
    }
    const uint32_t sets = (planes.axis.width + 31) / 32 * planes.axis.parts;
    if (planes.axis.extent <= PRANS_COLUMN_ROWS)
        prans_specials<WORD, 1>
            <<<(sets + PRANS_COLUMN_WARPS - 1) / PRANS_COLUMN_WARPS, 32 * PRANS_COLUMN_WARPS, 0, queue>>>(
                k, planes);
    else
        prans_specials<WORD, PRANS_COLUMN_WARPS><<<sets, 32 * PRANS_COLUMN_WARPS, 0, queue>>>(k, planes);
}

/* Bytes of shared memory that a block may have on this device: 99 KiB at least. */
static size_t shared_limit(void)
{
    int device = 0, bytes = 0;
    if (cudaGetDevice(&device) ||
        cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device))
        return 0;
    return (size_t)bytes;
}

/* Segments that share a copy of the tables. */
static unsigned states_warps(const prans_work &k)
{
    const size_t limit = shared_limit();
    unsigned warps = k.f.segments < MANY_SEGMENTS ? STATES_WARPS : STATES_WARPS_MOST;
    while (warps > 1 && prans_states_shared(k.f.tables, warps) > limit)
        warps /= 2;
    return warps;
}

template <typename WORD> static void launch(const prans_work &k, cudaStream_t queue)
{
    enum { THREADS = 256 };
    const unsigned warps = states_warps(k);
    prans_tables<<<k.f.tables, PRANS_SYMBOLS, 0, queue>>>(k);
    prans_states<<<(k.f.segments + warps - 1) / warps, 32 * warps, prans_states_shared(k.f.tables, warps),
                   queue>>>(k);
    if (!k.f.selected) {
        sum_rows<WORD, true>(k, true, queue);
    } else if (k.f.special == PRANS_SYMBOLS || k.f.order != 1) {
        sum_rows<WORD, true>(k, false, queue);
        sum_axes<WORD>(k, queue);
    } else {
        prans_work residuals = k;
        residuals.f.order = 0;
        sum_rows<WORD, true>(residuals, false, queue);
        sum_differences<WORD>(k, queue);
        sum_rows<WORD, false>(k, true, queue);
    }
    if (k.f.exceptions)
        prans_exceptions<WORD><<<(k.f.exceptions + THREADS - 1) / THREADS, THREADS, 0, queue>>>(k);
}

static cudaError_t decode(const struct fpgz_cuda_task *task)
{
    const struct places at = place(&task->grid);
    uint8_t *const memory = (uint8_t *)task->scratch;
    prans_work k = {};
    k.f = *(const struct prans_front *)task->front;
    k.front = memory;
    k.stream = task->stream;
    k.length = task->length;
    k.image = memory + at.image;
    k.bit = (uint64_t *)(memory + at.bit);
    k.symbol = memory + at.symbol;
    k.carry = (uint64_t *)(memory + at.carry);
    k.values = task->values;
    k.y = k.f.components > 1 ? memory + at.y : task->values;
    k.result = task->result;
    const cudaError_t status =
        cudaMemcpyAsync(memory, task->front, k.f.bytes, cudaMemcpyHostToDevice, task->queue);
    if (status)
        return status;
    switch (fpgz_dtype_size(task->grid.dtype)) {
    case 1:
        launch<uint8_t>(k, task->queue);
        break;
    case 2:
        launch<uint16_t>(k, task->queue);
        break;
    case 4:
        launch<uint32_t>(k, task->queue);
        break;
    default:
        launch<uint64_t>(k, task->queue);
    }
    return cudaGetLastError();
}

cudaError_t fpgz_prans_leaf_decode(const struct fpgz_cuda_task *tasks, unsigned count)
{
    cudaError_t status = cudaSuccess;
    for (unsigned i = 0; i < count && !status; i++)
        status = decode(&tasks[i]);
    return status;
}

cudaError_t fpgz_prans_leaf_prepare(void)
{
    const cudaError_t status = fpgz_cuda_prans_survey.prepare();
    return status ? status
                  : cudaFuncSetAttribute(
                        prans_states, cudaFuncAttributeMaxDynamicSharedMemorySize,
                        (int)fpgz_min(shared_limit(), prans_states_shared(MIDDLE_TABLES, STATES_WARPS_MOST)));
}
