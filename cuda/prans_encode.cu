/* SPDX-License-Identifier: MIT
 * The aide of prans' encoder: from residuals and bins to segments. The host's encoder chooses these before,
 * and writes what stands before segments behind. */
#include <string.h>

#include "carry.cuh"
#include "prans_joins.cuh"
#include "prans_keeping.cuh"
#include "prans_places.cuh"
#include "prans_segments.cuh"

enum { BLOCKS_MOST = 1024, ASSIGN_BLOCKS_MOST = 128 };

static size_t memory(const struct bins_shape *shape)
{
    return prans_place(shape).end;
}

/* The front on its way to the device, or what comes back. */
static size_t pinned(const struct bins_shape *shape)
{
    return prans_place_pinned(shape).end;
}

static size_t place(const struct bins_shape *shape, bool whole)
{
    const struct prans_places p = prans_place(shape);
    return whole ? p.whole : p.value;
}

/* Within the device by a kernel: the driver's copies would stand in line behind those to the host. */
static cudaError_t bring(const struct bins_shape *shape, const void *values, bool there, uint8_t *place,
                         cudaStream_t queue)
{
    const size_t bytes = shape->values * shape->size;
    return there ? fpgz_carry(place, values, bytes, queue)
                 : cudaMemcpyAsync(place, values, bytes, cudaMemcpyHostToDevice, queue);
}

template <typename WORD>
static cudaError_t launch_parting(const struct bins_shape *shape, const struct prans_parts &parts,
                                  bool second, const uint8_t *whole, uint8_t *memory, cudaStream_t queue)
{
    const struct prans_places p = prans_place(shape);
    const uint32_t count = (uint32_t)shape->values,
                   blocks = (count + PRANS_JOIN_THREADS - 1) / PRANS_JOIN_THREADS;
    prans_part<WORD><<<blocks, PRANS_JOIN_THREADS, 0, queue>>>(parts, second, (const WORD *)whole,
                                                               (WORD *)(memory + p.value), count);
    return cudaGetLastError();
}

static cudaError_t part(const struct bins_shape *shape, const struct prans_parts *parts, bool second,
                        const uint8_t *whole, uint8_t *memory, cudaStream_t queue)
{
    return shape->size == 4 ? launch_parting<uint32_t>(shape, *parts, second, whole, memory, queue)
                            : launch_parting<uint64_t>(shape, *parts, second, whole, memory, queue);
}

static void fill_front(const struct bins_task *task, struct prans_coding_front *front)
{
    memcpy(front->low, task->symbols->low, sizeof front->low);
    memcpy(front->width, task->symbols->width, sizeof front->width);
    memcpy(front->heavy, task->heavy, task->heavies * sizeof *front->heavy);
    memcpy(front->key, task->key, sizeof front->key);
    memcpy(front->map, task->map, task->classes);
}

static struct prans_coding work_of(const struct bins_task *task, uint8_t *memory, uint8_t *pinned)
{
    const struct prans_places p = prans_place(&task->shape);
    struct prans_coding k = {};
    k.values = (uint32_t)task->shape.values;
    k.blocks = (uint32_t)task->shape.blocks;
    k.segments = (uint32_t)task->shape.segments;
    k.segment_bits = task->shape.segment_bits;
    k.step = (k.blocks + PRANS_LEARNT_BLOCKS - 1) / PRANS_LEARNT_BLOCKS;
    k.count = fpgz_prans_middle_table_count(task->shape.blocks);
    k.of = prans_classes_of(&task->grid, task->classes);
    k.bins = task->bins;
    k.heavies = task->heavies;
    k.front = (const struct prans_coding_front *)(memory + p.front);
    k.residual = memory + p.residual;
    k.flag = task->flag ? memory + p.flag : NULL;
    k.symbol = memory + p.symbol;
    k.bits = (uint32_t *)(memory + p.bits);
    k.id = memory + p.id;
    k.cost = (uint16_t *)(memory + p.cost);
    k.histogram = (uint32_t *)(memory + p.histogram);
    k.code = (uint2 *)(memory + p.code);
    k.number = memory + p.number;
    k.words = (uint16_t *)(memory + p.words);
    k.at = (uint64_t *)(memory + p.at);
    k.result = (struct prans_coding_result *)(memory + p.result);
    k.ids = memory + p.ids;
    k.length = (uint2 *)(memory + p.length);
    k.body = (uint32_t *)(memory + p.body);
    k.told = pinned;
    k.tells = (uint32_t)(p.value - p.result);
    return k;
}

template <typename WORD> static void launch(const prans_coding &k, cudaStream_t queue)
{
    const uint32_t blocks = (k.blocks + PRANS_CODING_WARPS - 1) / PRANS_CODING_WARPS,
                   few = fpgz_min(blocks, BLOCKS_MOST), fewer = fpgz_min(blocks, ASSIGN_BLOCKS_MOST);
    prans_symbols<WORD><<<few, 32 * PRANS_CODING_WARPS, 0, queue>>>(k);
    prans_learn<<<1, 32 * PRANS_LEARN_WARPS, 0, queue>>>(k);
    prans_assign<<<fewer, 32 * PRANS_CODING_WARPS, 0, queue>>>(k);
    prans_keep_tables<<<1, 32 * MIDDLE_TABLES, 0, queue>>>(k);
    prans_write_words<<<(k.segments + PRANS_WORDS_WARPS - 1) / PRANS_WORDS_WARPS, 32 * PRANS_WORDS_WARPS, 0,
                        queue>>>(k);
    prans_place_segments<<<1, 32 * PRANS_SCAN_WARPS, 0, queue>>>(k);
    prans_move_words<<<k.segments, 32 * PRANS_CODING_WARPS, 0, queue>>>(k);
    prans_write_raw<WORD><<<few, 32 * PRANS_CODING_WARPS, 0, queue>>>(k);
}

static cudaError_t bring_task(const struct bins_task *task, uint8_t *memory, uint8_t *pinned,
                              cudaStream_t queue)
{
    const struct prans_places p = prans_place(&task->shape);
    cudaError_t status;
    fill_front(task, (struct prans_coding_front *)pinned);
    status = fpgz_carry(memory + p.front, pinned, prans_front_bytes(task->classes), queue);
    if (!status && task->residual)
        status = cudaMemcpyAsync(memory + p.residual, task->residual, task->shape.values * task->shape.size,
                                 cudaMemcpyHostToDevice, queue);
    if (!status && task->residual && task->flag)
        status =
            cudaMemcpyAsync(memory + p.flag, task->flag, task->shape.values, cudaMemcpyHostToDevice, queue);
    return status;
}

static cudaError_t code(const struct bins_task *task, uint8_t *memory, uint8_t *pinned, cudaStream_t queue)
{
    const struct prans_coding k = work_of(task, memory, pinned);
    prans_by_size(task->shape.size, [&](auto word) { launch<decltype(word)>(k, queue); });
    return cudaGetLastError();
}

static void outcome(const struct bins_task *task, const uint8_t *pinned, struct bins_outcome *outcome)
{
    const struct prans_places p = prans_place(&task->shape);
    const struct prans_coding_result *const result = (const struct prans_coding_result *)pinned;
    outcome->tables = result->tables;
    outcome->frequency = result->frequency;
    outcome->ids = pinned + (p.ids - p.result);
    outcome->lengths = (const uint32_t *)(pinned + (p.length - p.result));
    outcome->bytes = result->bytes;
}

static const uint8_t *body(const struct bins_task *task, const uint8_t *memory)
{
    return memory + prans_place(&task->shape).body;
}

/* clang-format off */
const struct fpgz_cuda_aide fpgz_cuda_prans_aide = {memory, pinned, place, bring, part, &fpgz_cuda_prans_survey, &fpgz_cuda_prans_probe, bring_task, code, outcome, body};
/* clang-format on */
