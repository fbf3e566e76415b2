/* SPDX-License-Identifier: MIT
 * The predictive coder on a GPU: which kernels a grid takes, and where they find what. */
#include "predict_chain.cuh"
#include "predict_encode.cuh"

extern "C" {
#include "core/bytes.h"
}

/* What the kernels need to know of a grid, and the scratch's length; the first `cleared` bytes must be zero.
 */
struct plan {
    struct predict_layout layout;
    struct predict_task task;
    struct predict_chain_shape chain; /* decoding with the predictor `previous` */
    size_t cleared, scratch;
};

static void plan_tiles(struct predict_task *t, uint32_t rows)
{
    const uint32_t block_rows = (uint32_t)(fpgz_min(t->block, t->values) + 31) / 32;
    t->parts = (block_rows + rows - 1) / rows;
    t->slot_rows = t->parts > 1 ? rows : block_rows;
    t->tile_blocks = t->parts > 1 || !block_rows ? 1 : rows / block_rows;
    t->slot_inverse = block_rows ? UINT32_MAX / (t->slot_rows * 32) + 1 : 0;
    if (t->parts > 1)
        t->slice_tiles = t->blocks * t->parts;
    else if (t->blocks > 1)
        t->slice_tiles = (t->blocks + t->tile_blocks - 1) / t->tile_blocks;
    t->tiles =
        t->slice_tiles ? t->slices * t->slice_tiles : (t->slices + t->tile_blocks - 1) / t->tile_blocks;
}

static bool is_previous(const struct plan *p)
{
    return p->task.rule.points[PREDICT_POINTS] == 1;
}

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

static struct predict_chain_shape shape_chain(const struct predict_task *t, uint32_t chunk_rows)
{
    struct predict_chain_shape s = {chunk_rows, 1, predict_chain_size<false>::warps, 0, 0, false};
    while (s.columns > 1 && s.columns / 2 >= t->rows)
        s.columns /= 2;
    s.parts = chunk_rows / s.columns;
    s.chunks = divide_up(t->rows, s.columns);
    s.alone = s.chunks >= CHAIN_WIDE;
    while (s.spans > 1 && (s.alone || s.spans / 2 * s.parts * CHAIN_SLICES >= t->slices))
        s.spans /= 2;
    s.groups = divide_up(t->slices, s.spans * s.parts * CHAIN_SLICES);
    return s;
}

static void plan_locating(struct predict_task *t)
{
    if (!t->coded_blocks)
        return;
    t->block_rows = divide_up((uint32_t)fpgz_min(t->block, t->values), 32);
    t->block_lanes = 32;
    while (t->block_lanes / 2 >= t->block_rows)
        t->block_lanes /= 2;
    const uint32_t blocks = 32 / t->block_lanes;
    t->step_slices = blocks / t->blocks;
    t->step_blocks = blocks % t->blocks;
    t->tiles = divide_up(t->coded_blocks, LOCATE_WARPS * LOCATE_STEPS * blocks);
}

static struct plan make_plan(const struct fpgz_grid *grid, const struct fpgz_params *params, bool decoding,
                             uint8_t *scratch)
{
    struct plan p = {};
    struct predict_task *const t = &p.task;
    fpgz_predict_lay_out(grid, params, &p.layout);
    fpgz_predict_header(&p.layout, params, (uint8_t *)t->header);
    t->values = (uint32_t)p.layout.values;
    t->slices = p.layout.slices ? (uint32_t)p.layout.slices - 1 : 0;
    t->block = (uint32_t)p.layout.block;
    t->blocks = (uint32_t)p.layout.blocks;
    t->coded_blocks = t->slices * t->blocks;
    t->rows = (t->values + 31) / 32;
    t->slice_words = t->slices ? (uint32_t)(p.layout.prefixes_bytes / t->slices / 4) : 0;
    for (unsigned i = 1; i <= PREDICT_POINTS; i++) {
        const struct predict_rule rule = fpgz_predict_rule(params, i);
        t->rule.kind = rule.kind;
        t->rule.points[i] = rule.points;
        memcpy(t->rule.weights[i], rule.weights, sizeof rule.weights);
    }
    t->ticket = (uint32_t *)fpgz_cuda_take(sizeof(uint32_t), scratch, &p.scratch);
    if (decoding) {
        plan_locating(t);
        t->descriptors = (uint64_t *)fpgz_cuda_take(t->tiles * sizeof(uint64_t), scratch, &p.scratch);
        p.chain = shape_chain(t, 16 / (uint32_t)p.layout.word);
        const size_t passing = !is_previous(&p) || p.chain.groups < 2 ? 0
                               : p.chain.alone                        ? 1
                                                                      : p.chain.groups - 1;
        t->last = (uint64_t *)fpgz_cuda_take(passing * p.chain.chunks * 128 * sizeof(uint64_t), scratch,
                                             &p.scratch);
        p.cleared = p.scratch;
        t->row_starts = (uint32_t *)fpgz_cuda_take((size_t)t->slices * t->rows * 4, scratch, &p.scratch);
    } else {
        plan_tiles(t, TILE_BYTES / 32 / (uint32_t)p.layout.word);
        t->descriptors = (uint64_t *)fpgz_cuda_take(t->tiles * sizeof(uint64_t), scratch, &p.scratch);
        t->part_bytes =
            (uint32_t *)fpgz_cuda_take(t->parts > 1 ? t->tiles * sizeof(uint32_t) : 0, scratch, &p.scratch);
        p.cleared = p.scratch;
    }
    return p;
}

static size_t scratch(const struct fpgz_grid *grid, const struct fpgz_params *params, bool decoding)
{
    return make_plan(grid, params, decoding, NULL).scratch;
}

static struct plan begin(const struct fpgz_cuda_task *task, bool decoding)
{
    struct plan p = make_plan(&task->grid, &task->params, decoding, (uint8_t *)task->scratch);
    p.task.grid = task->values;
    p.task.stream = task->stream;
    p.task.result = task->result;
    uint8_t *const lengths = task->stream + PREDICT_HEADER + p.layout.slice_bytes;
    p.task.lengths = (uint32_t *)lengths;
    p.task.prefixes = (uint32_t *)(lengths + p.layout.lengths_bytes);
    p.task.residuals = lengths + p.layout.lengths_bytes + p.layout.prefixes_bytes;
    return p;
}

typedef void predict_kernel(const struct predict_task);

template <typename Word, bool LARGE> static predict_kernel *pick_encode(bool previous)
{
    return previous ? predict_encode<Word, LARGE, true> : predict_encode<Word, LARGE, false>;
}

/* A grid of one slice has no tiles: the kernel writes the header. */
__global__ void predict_single(const struct predict_task task)
{
    ((uint32_t *)task.stream)[threadIdx.x] = task.header[threadIdx.x];
    task.result->length = (unsigned long long)(task.residuals - task.stream);
}

/* The header of such a grid's stream, when it is decoded. */
__global__ void predict_check(const struct predict_task task)
{
    if (((const uint32_t *)task.stream)[threadIdx.x] != task.header[threadIdx.x])
        task.result->status = FPGZ_CORRUPT;
}

static cudaError_t encode(const struct fpgz_cuda_task *task)
{

    const struct plan p = begin(task, false);
    cudaError_t status = cudaMemsetAsync(task->scratch, 0, p.cleared, task->queue);
    if (status == cudaSuccess)
        status = cudaMemcpyAsync(task->stream + PREDICT_HEADER, task->values, p.layout.slice_bytes,
                                 cudaMemcpyDeviceToDevice, task->queue);
    if (status != cudaSuccess)
        return status;
    const bool large = p.layout.large, previous = is_previous(&p);
    predict_kernel *const kernel =
        p.layout.is_f64
            ? (large ? pick_encode<uint64_t, true>(previous) : pick_encode<uint64_t, false>(previous))
            : (large ? pick_encode<uint32_t, true>(previous) : pick_encode<uint32_t, false>(previous));
    const unsigned most = PACK_CTAS * (unsigned)task->multiprocessors;
    if (!p.task.tiles)
        predict_single<<<1, PREDICT_HEADER / 4, 0, task->queue>>>(p.task);
    else
        kernel<<<(unsigned)fpgz_min(p.task.tiles, most), PACK_THREADS + 32, 0, task->queue>>>(p.task);
    return cudaGetLastError();
}

template <typename Word, bool LARGE, bool ALONE>
static cudaError_t launch_chain(const struct fpgz_cuda_task *task, const struct plan *p)
{
    typedef predict_chain_size<ALONE> size;
    const unsigned ctas = divide_up(p->chain.chunks, size::warps / p->chain.spans) * p->chain.groups;
    predict_chain<Word, LARGE, ALONE><<<ctas, size::threads, 0, task->queue>>>(p->task, p->chain);
    return cudaGetLastError();
}

template <typename Word, bool LARGE>
static cudaError_t decode_as(const struct fpgz_cuda_task *task, const struct plan *p)
{
    const struct predict_task &t = p->task;
    const unsigned walking = divide_up(t.rows, WALK_WARPS * 16 / sizeof(Word));
    predict_locate_all<Word, LARGE><<<t.tiles, LOCATE_THREADS, 0, task->queue>>>(t);
    if (is_previous(p)) {
        const cudaError_t status = cudaMemsetAsync(t.ticket, 0, sizeof *t.ticket, task->queue);
        if (status != cudaSuccess)
            return status;
        return p->chain.alone ? launch_chain<Word, LARGE, true>(task, p)
                              : launch_chain<Word, LARGE, false>(task, p);
    } else {
        predict_walk<Word, LARGE><<<walking, WALK_THREADS, 0, task->queue>>>(t);
    }
    return cudaGetLastError();
}

static cudaError_t decode(const struct fpgz_cuda_task *task)
{
    struct plan p = begin(task, true);
    const uint64_t sections = (uint64_t)(p.task.residuals - task->stream);
    if (task->length < sections || (!p.task.coded_blocks && task->length != sections))
        return cudaMemsetAsync(&task->result->status, FPGZ_CORRUPT, 1, task->queue);
    p.task.residuals_length = task->length - sections;
    cudaError_t status = cudaMemsetAsync(task->scratch, 0, p.cleared, task->queue);
    if (status == cudaSuccess)
        status = cudaMemcpyAsync(task->values, task->stream + PREDICT_HEADER, p.layout.slice_bytes,
                                 cudaMemcpyDeviceToDevice, task->queue);
    if (status != cudaSuccess)
        return status;
    if (!p.task.coded_blocks) {
        predict_check<<<1, PREDICT_HEADER / 4, 0, task->queue>>>(p.task);
        return cudaGetLastError();
    }
    const bool large = p.layout.large;
    return p.layout.is_f64
               ? (large ? decode_as<uint64_t, true>(task, &p) : decode_as<uint64_t, false>(task, &p))
               : (large ? decode_as<uint32_t, true>(task, &p) : decode_as<uint32_t, false>(task, &p));
}

extern "C" const struct fpgz_cuda_codec fpgz_cuda_predict = {FPGZ_CODEC_PREDICT, scratch, encode, decode,
                                                             NULL};
