/* SPDX-License-Identifier: MIT
 * The aide of prans' encoder: from residuals and bins to segments. The host's encoder chooses these before,
 * and writes what stands before segments behind. */
#include <string.h>

#include "codec.cuh"
#include "prans_grouping.cuh"
#include "prans_segments.cuh"

extern "C" {
#include "codec/prans/middle/tables.h"
#include "core/bytes.h"
}

enum { ALIGN = 256, BLOCKS_MOST = 1024, ASSIGN_BLOCKS_MOST = 64 };

static size_t align(size_t bytes)
{
    return fpgz_round_up(bytes, ALIGN);
}

/* Where things lie in the device's memory, in bytes from its begin; `end` is its size. Ids and lengths stand
 * behind the result, which is copied to the host with them. */
struct places {
    size_t front, result, ids, length, residual, flag, symbol, bits, id, cost, histogram, code, number, words,
        at, body, end;
};

static size_t front_bytes(const struct bins_task *task)
{
    return offsetof(struct prans_coding_front, map) + task->classes;
}

/* Bytes of all segments, at most. */
static size_t body_bytes(const struct bins_task *task)
{
    return task->segments * (MIDDLE_STATE_BYTES + 1) +
           task->blocks * MIDDLE_BLOCK * (sizeof(uint16_t) + task->size) + sizeof(uint64_t);
}

static size_t take(size_t *end, size_t bytes)
{
    const size_t at = *end;
    *end += align(bytes);
    return at;
}

static struct places place(const struct bins_task *task)
{
    const size_t padded = task->blocks * MIDDLE_BLOCK, symbols = MIDDLE_TABLES * PRANS_SYMBOLS;
    struct places p = {};
    p.front = take(&p.end, front_bytes(task));
    p.result = take(&p.end, sizeof(struct prans_coding_result));
    p.ids = take(&p.end, (task->blocks + 1) / 2);
    p.length = take(&p.end, task->segments * sizeof(uint2));
    p.residual = take(&p.end, padded * task->size);
    p.flag = take(&p.end, task->flag ? padded : 0);
    p.symbol = take(&p.end, padded);
    p.bits = take(&p.end, task->blocks * sizeof(uint32_t));
    p.id = take(&p.end, task->blocks);
    p.cost = take(&p.end, symbols * sizeof(uint16_t));
    p.histogram = take(&p.end, symbols * sizeof(uint32_t));
    p.code = take(&p.end, symbols * sizeof(uint2));
    p.number = take(&p.end, MIDDLE_TABLES);
    p.words = take(&p.end, task->segments * prans_coding_room(task->segment_bits) * sizeof(uint16_t) + 4);
    p.at = take(&p.end, task->segments * sizeof(uint64_t));
    p.body = take(&p.end, body_bytes(task));
    return p;
}

static size_t memory(const struct bins_task *task)
{
    return place(task).end;
}

/* The front on its way to the device, then the result on its way back. */
static size_t pinned(const struct bins_task *task)
{
    const struct places p = place(task);
    return fpgz_max(front_bytes(task), p.residual - p.result);
}

static void fill_front(const struct bins_task *task, struct prans_coding_front *front)
{
    memcpy(front->low, task->symbols->low, sizeof front->low);
    memcpy(front->width, task->symbols->width, sizeof front->width);
    memcpy(front->heavy, task->heavy, task->heavies * sizeof *front->heavy);
    memcpy(front->key, task->key, sizeof front->key);
    memcpy(front->map, task->map, task->classes);
}

static struct prans_coding work_of(const struct bins_task *task, uint8_t *memory)
{
    const struct places p = place(task);
    struct prans_coding k = {};
    k.values = (uint32_t)task->values;
    k.blocks = (uint32_t)task->blocks;
    k.segments = (uint32_t)task->segments;
    k.segment_bits = task->segment_bits;
    k.step = (k.blocks + PRANS_LEARNT_BLOCKS - 1) / PRANS_LEARNT_BLOCKS;
    k.count = fpgz_prans_middle_table_count(task->blocks);
    k.equal = task->grid.equal;
    k.shift = task->grid.shift;
    k.first = task->grid.first;
    k.last = task->grid.count - 1;
    k.zero = (uint32_t)task->classes / 2;
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

static cudaError_t bring(const struct bins_task *task, uint8_t *memory, uint8_t *pinned, cudaStream_t queue)
{
    const struct places p = place(task);
    cudaError_t status;
    fill_front(task, (struct prans_coding_front *)pinned);
    status = cudaMemcpyAsync(memory + p.front, pinned, front_bytes(task), cudaMemcpyHostToDevice, queue);
    if (!status)
        status = cudaMemcpyAsync(memory + p.residual, task->residual, task->values * task->size,
                                 cudaMemcpyHostToDevice, queue);
    if (!status && task->flag)
        status = cudaMemcpyAsync(memory + p.flag, task->flag, task->values, cudaMemcpyHostToDevice, queue);
    return status;
}

static cudaError_t code(const struct bins_task *task, uint8_t *memory, uint8_t *pinned, cudaStream_t queue)
{
    const struct places p = place(task);
    const struct prans_coding k = work_of(task, memory);
    cudaError_t status = cudaMemsetAsync(memory + p.body, 0, p.end - p.body, queue);
    if (status)
        return status;
    switch (task->size) {
    case 1:
        launch<uint8_t>(k, queue);
        break;
    case 2:
        launch<uint16_t>(k, queue);
        break;
    case 4:
        launch<uint32_t>(k, queue);
        break;
    default:
        launch<uint64_t>(k, queue);
    }
    status = cudaGetLastError();
    return status ? status
                  : cudaMemcpyAsync(pinned, memory + p.result, p.residual - p.result, cudaMemcpyDeviceToHost,
                                    queue);
}

static void outcome(const struct bins_task *task, const uint8_t *pinned, struct bins_outcome *outcome)
{
    const struct places p = place(task);
    const struct prans_coding_result *const result = (const struct prans_coding_result *)pinned;
    outcome->tables = result->tables;
    outcome->frequency = result->frequency;
    outcome->ids = pinned + (p.ids - p.result);
    outcome->lengths = (const uint32_t *)(pinned + (p.length - p.result));
    outcome->bytes = result->bytes;
}

static const uint8_t *body(const struct bins_task *task, const uint8_t *memory)
{
    return memory + place(task).body;
}

/* clang-format off */
const struct fpgz_cuda_aide fpgz_cuda_prans_aide = {memory, pinned, bring, code, outcome, body};
/* clang-format on */
