/* SPDX-License-Identifier: MIT
 * prans on a GPU: decoding of streams of the middle format and of bins, some at once. */
#include "prans_columns.cuh"
#include "prans_states.cuh"
#include "prans_tiles.cuh"

enum { STATES_WARPS = 8, STATES_WARPS_MOST = 16, MANY_SEGMENTS = 512 };

static uint32_t blocks_of(uint64_t values)
{
    return (uint32_t)((values + MIDDLE_BLOCK - 1) / MIDDLE_BLOCK);
}

/* Where things lie in the scratch, in bytes from its begin; `end` is its size. */
struct places {
    size_t image, bit, symbol, carry, turn, above, y, end;
};

static struct places place(const struct fpgz_grid *grid)
{
    const size_t size = fpgz_dtype_size(grid->dtype), wide = fpgz_max(size, sizeof(uint32_t));
    const uint64_t values = fpgz_grid_values(grid), blocks = blocks_of(values);
    const struct middle_layout layout = fpgz_prans_middle_layout(grid);
    /* Tiles that have others below them. */
    const size_t tiles = layout.row < PRANS_TILE_ROW_LEAST || layout.row > PRANS_TILE_ROW_MOST
                             ? 0
                             : values / layout.row / PRANS_TILE_ROWS;
    struct places p = {};
    p.image = fpgz_cuda_align(fpgz_prans_leaf_front(grid));
    p.bit = p.image + MIDDLE_TABLES * PRANS_TABLE;
    p.symbol = p.bit + fpgz_cuda_align(blocks * sizeof(uint64_t));
    p.carry = p.symbol + fpgz_cuda_align(blocks * MIDDLE_BLOCK);
    /* Rows of one piece need no carries: at most two pieces for as many values. */
    p.turn = p.carry + fpgz_cuda_align((2 * values / PRANS_PIECE + 2) * PRANS_ORDERS * sizeof(uint64_t));
    p.above = p.turn + fpgz_cuda_align((1 + tiles) * sizeof(uint32_t));
    p.y = p.above + fpgz_cuda_align(2 * tiles * fpgz_round_up(layout.row, 4) * wide);
    p.end = p.y;
    if (layout.components > 1)
        p.end += fpgz_cuda_align(blocks * MIDDLE_BLOCK * size) + FPGZ_CUDA_ALIGN;
    return p;
}

size_t fpgz_prans_leaf_scratch(const struct fpgz_grid *grid)
{
    return place(grid).end;
}

/* Gives each chunk the blocks that it needs. Returns those of all. */
template <typename BLOCKS> static uint32_t share(prans_batch *batch, BLOCKS blocks)
{
    uint32_t end = 0;
    for (unsigned i = 0; i < batch->count; i++)
        batch->end[i] = end += blocks(batch->work[i]);
    return end;
}

/* Special values make what rows before a row predict depend on the row itself. */
static bool has_gaps(const prans_work &k)
{
    return k.f.selected && k.f.special < PRANS_SYMBOLS && k.f.order == 1;
}

static bool has_decimals(const prans_work &k)
{
    return k.f.domain == PRANS_DOMAIN_DECIMAL;
}

/* Whether rows, or some of their orders, are summed up behind all axes. */
static bool has_late_rows(const prans_work &k)
{
    return has_gaps(k) || k.f.order > PRANS_ORDERS;
}

/* What comes last makes values, but of decimals. */
static void leave_last(prans_work *k, bool last)
{
    k->leave = last && !has_decimals(*k);
}

static bool is_long(const prans_work &k)
{
    return k.order && k.f.row > PRANS_PIECE;
}

static uint32_t row_blocks(const prans_work &k)
{
    return (prans_cut(k).all + PRANS_ROW_WARPS - 1) / PRANS_ROW_WARPS;
}

/* Along rows, of chunks that `some` holds for. */
template <typename WORD, bool CODED, typename SOME>
static void sum_rows(prans_batch *batch, cudaStream_t queue, SOME some)
{
    const auto long_ones = [=](const prans_work &k) { return some(k) && is_long(k) ? row_blocks(k) : 0; };
    if (const uint32_t blocks = share(batch, long_ones)) {
        prans_rows<WORD, CODED, true><<<blocks, 32 * PRANS_ROW_WARPS, 0, queue>>>(*batch);
        const uint32_t rows = share(batch, [=](const prans_work &k) {
            return some(k) && is_long(k) ? prans_cut(k).all / prans_cut(k).each : 0;
        });
        prans_carries<<<rows, 32, 0, queue>>>(*batch);
    }
    if (const uint32_t blocks =
            share(batch, [=](const prans_work &k) { return some(k) ? row_blocks(k) : 0; }))
        prans_rows<WORD, CODED, false><<<blocks, 32 * PRANS_ROW_WARPS, 0, queue>>>(*batch);
}

/* Along rows and one axis at once. */
template <typename WORD> static void sum_tiles(prans_batch *batch, cudaStream_t queue)
{
    uint32_t most = 0;
    size_t shared = 0;
    for (unsigned i = 0; i < batch->count; i++) {
        const prans_tiling &t = batch->work[i].tiling;
        most = (uint32_t)fpgz_max(most, t.strips * t.beside);
        shared = fpgz_max(shared, prans_tile_shared<WORD>(t));
    }
    if (most)
        prans_tiles<WORD><<<most * batch->count, PRANS_TILE_THREADS, shared, queue>>>(*batch);
}

template <typename WORD, int EACH, int GROUPS> static void sum_columns(prans_batch *batch, cudaStream_t queue)
{
    const uint32_t blocks = share(batch, [](const prans_work &k) -> uint32_t {
        const uint32_t extent = k.axis.extent,
                       groups = extent <= PRANS_COLUMN_ROWS       ? 1
                                : extent <= 4 * PRANS_COLUMN_ROWS ? 4
                                                                  : PRANS_COLUMN_WARPS,
                       each = k.axis.width % prans_beside<WORD>() ? 1 : prans_beside<WORD>();
        if (!extent || groups != GROUPS || each != EACH)
            return 0;
        const uint32_t sets = (k.axis.width + 32 * EACH - 1) / (32 * EACH),
                       of_block = PRANS_COLUMN_WARPS / GROUPS;
        return (sets * k.axis.parts + of_block - 1) / of_block;
    });
    if (blocks)
        prans_columns<WORD, EACH, GROUPS><<<blocks, 32 * PRANS_COLUMN_WARPS, 0, queue>>>(*batch);
}

template <typename WORD, int EACH> static void sum_columns(prans_batch *batch, cudaStream_t queue)
{
    sum_columns<WORD, EACH, 1>(batch, queue);
    sum_columns<WORD, EACH, 4>(batch, queue);
    sum_columns<WORD, EACH, PRANS_COLUMN_WARPS>(batch, queue);
}

/* The fastest axis that is left, which it takes. */
static void take_axis(prans_work *k)
{
    uint32_t width = k->f.row;
    k->axis.extent = 0;
    for (unsigned a = k->f.axes; a-- > 0; width *= k->f.extent[a])
        if (k->left >> a & 1) {
            k->axis = {width, k->f.extent[a], k->f.values / width / k->f.extent[a]};
            k->left &= ~(1u << a);
            leave_last(k, !k->left && !has_late_rows(*k));
            return;
        }
}

/* Along all axes that are left; the last one makes values. */
template <typename WORD> static void sum_axes(prans_batch *batch, cudaStream_t queue)
{
    for (unsigned a = 0; a < MIDDLE_AXES; a++) {
        for (unsigned i = 0; i < batch->count; i++)
            take_axis(&batch->work[i]);
        sum_columns<WORD, 1>(batch, queue);
        if (prans_beside<WORD>() > 1)
            sum_columns<WORD, prans_beside<WORD>()>(batch, queue);
    }
}

template <typename WORD, int GROUPS> static void sum_differences(prans_batch *batch, cudaStream_t queue)
{
    const uint32_t blocks = share(batch, [](const prans_work &k) -> uint32_t {
        const prans_planes planes = prans_planes_of(k);
        const int groups = planes.axis.extent <= PRANS_COLUMN_ROWS ? 1 : PRANS_COLUMN_WARPS;
        const uint32_t each = PRANS_COLUMN_WARPS / GROUPS,
                       sets = (planes.axis.width + 31) / 32 * planes.axis.parts;
        return has_gaps(k) && groups == GROUPS ? (sets + each - 1) / each : 0;
    });
    if (blocks)
        prans_specials<WORD, GROUPS><<<blocks, 32 * PRANS_COLUMN_WARPS, 0, queue>>>(*batch);
}

/* Symbols of all chunks. */
static void decode_states(prans_batch *batch, cudaStream_t queue)
{
    size_t limit;
    fpgz_cuda_shared_limit(&limit); /* an error is told by the launch */
    uint32_t segments = 0, tables = 0;
    for (unsigned i = 0; i < batch->count; i++) {
        segments += batch->work[i].f.segments;
        tables = (uint32_t)fpgz_max(tables, batch->work[i].f.tables);
    }
    /* Segments that share a copy of the tables. */
    unsigned warps = segments < MANY_SEGMENTS ? STATES_WARPS : STATES_WARPS_MOST;
    while (warps > 1 && prans_states_shared(tables, warps) > limit)
        warps /= 2;
    prans_tables<<<share(batch, [](const prans_work &k) { return k.f.tables; }), PRANS_SYMBOLS, 0, queue>>>(
        *batch);
    const uint32_t blocks =
        share(batch, [=](const prans_work &k) { return (k.f.segments + warps - 1) / warps; });
    prans_states<<<blocks, 32 * warps, prans_states_shared(tables, warps), queue>>>(*batch);
}

/* Stacks of tiles, if there are enough of them. */
template <typename WORD> static void cut_tiles(prans_batch *batch, uint32_t multiprocessors)
{
    uint32_t tiles = 0;
    for (unsigned i = 0; i < batch->count; i++) {
        prans_work &k = batch->work[i];
        k.tiling = has_gaps(k) ? prans_tiling() : prans_tiling_of<WORD>(k);
        tiles += k.tiling.strips * k.tiling.beside;
    }
    for (unsigned i = 0; i < batch->count && tiles < multiprocessors; i++)
        batch->work[i].tiling = {};
}

template <typename WORD> static void launch(prans_batch *batch, const struct fpgz_cuda_task *task)
{
    enum { THREADS = 256 };
    const cudaStream_t queue = task->queue;
    cut_tiles<WORD>(batch, (uint32_t)task->multiprocessors);
    for (unsigned i = 0; i < batch->count; i++) {
        prans_work &k = batch->work[i];
        k.order = has_gaps(k) ? 0 : k.f.order > PRANS_ORDERS ? k.f.order - PRANS_ORDERS : k.f.order;
        k.left = has_gaps(k) ? 0 : k.f.selected;
        k.left &= ~k.tiling.axes;
        leave_last(&k, !k.left && !has_late_rows(k));
    }
    decode_states(batch, queue);
    sum_rows<WORD, true>(batch, queue, [](const prans_work &k) { return !k.tiling.strips; });
    sum_tiles<WORD>(batch, queue);
    sum_axes<WORD>(batch, queue);
    sum_differences<WORD, 1>(batch, queue);
    sum_differences<WORD, PRANS_COLUMN_WARPS>(batch, queue);
    for (unsigned i = 0; i < batch->count; i++) {
        prans_work &k = batch->work[i];
        k.order = (uint32_t)fpgz_min(k.f.order, PRANS_ORDERS);
        leave_last(&k, true);
    }
    sum_rows<WORD, false>(batch, queue, has_late_rows);
    if (const uint32_t blocks = share(batch, [](const prans_work &k) {
            return has_decimals(k) ? (k.f.values + THREADS - 1) / THREADS : 0;
        }))
        prans_decimals<WORD><<<blocks, THREADS, 0, queue>>>(*batch);
    const uint32_t blocks =
        share(batch, [](const prans_work &k) { return (k.f.exceptions + THREADS - 1) / THREADS; });
    if (blocks)
        prans_exceptions<WORD><<<blocks, THREADS, 0, queue>>>(*batch);
}

static void set_up(const struct fpgz_cuda_task *task, prans_work *k)
{
    const struct places at = place(&task->grid);
    uint8_t *const memory = (uint8_t *)task->scratch;
    *k = {};
    k->f = *(const struct prans_front *)task->front;
    k->brought = (const uint8_t *)task->front;
    k->front = memory;
    k->stream = task->stream;
    k->length = task->length;
    k->image = memory + at.image;
    k->bit = (uint64_t *)(memory + at.bit);
    k->symbol = memory + at.symbol;
    k->carry = (uint64_t *)(memory + at.carry);
    k->turn = (uint32_t *)(memory + at.turn);
    k->above = memory + at.above;
    k->values = task->values;
    k->y = k->f.components > 1 ? memory + at.y : task->values;
    k->result = task->result;
}

cudaError_t fpgz_prans_leaf_decode(const struct fpgz_cuda_task *tasks, unsigned count)
{
    prans_batch batch;
    batch.count = count;
    for (unsigned i = 0; i < count; i++)
        set_up(&tasks[i], &batch.work[i]);
    prans_by_size(fpgz_dtype_size(tasks->grid.dtype),
                  [&](auto word) { launch<decltype(word)>(&batch, tasks); });
    return cudaGetLastError();
}

template <typename WORD> static cudaError_t allow_tiles(void)
{
    prans_tiling most = {};
    most.groups = 1;
    most.vectors = PRANS_TILE_THREADS;
    return cudaFuncSetAttribute(prans_tiles<WORD>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)prans_tile_shared<WORD>(most));
}

cudaError_t fpgz_prans_leaf_prepare(void)
{
    size_t limit;
    cudaError_t status = fpgz_cuda_prans_survey.prepare();
    fpgz_cuda_shared_limit(&limit);
    if (!status)
        status =
            cudaFuncSetAttribute(prans_states, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 (int)fpgz_min(limit, prans_states_shared(MIDDLE_TABLES, STATES_WARPS_MOST)));
    status = status ? status : allow_tiles<uint8_t>();
    status = status ? status : allow_tiles<uint16_t>();
    status = status ? status : allow_tiles<uint32_t>();
    return status ? status : allow_tiles<uint64_t>();
}
