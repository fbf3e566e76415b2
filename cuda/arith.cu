/* SPDX-License-Identifier: MIT
 * The arithmetic coder on a GPU: a thread a block, as the paper has it. */
#include "arith_decode.cuh"
#include "arith_encode.cuh"

extern "C" {
#include "codec/codecs.h"
#include "core/bytes.h"
}

/* What the scratch holds, first what encode() or decode() clears. */
static size_t lay_out(const struct fpgz_grid *grid, const struct fpgz_params *params, bool decoding,
                      uint8_t *scratch, struct arith_task *task, size_t *cleared)
{
    task->bytes = fpgz_grid_bytes(grid);
    task->block = params->value[ARITH_BLOCK];
    task->blocks = (uint32_t)((task->bytes + task->block - 1) / task->block);
    /* 15.0002 bits a byte at most, two at the end, and the words around the code. */
    task->slot_words = (15 * task->block + task->block / 1024) / 32 + 4;
    size_t at = 0;
    task->descriptors = (uint64_t *)fpgz_cuda_take((task->blocks + 31) / 32 * sizeof(uint64_t), scratch, &at);
    task->ticket = (uint32_t *)fpgz_cuda_take(sizeof(uint32_t), scratch, &at);
    task->counts = (uint32_t *)fpgz_cuda_take(decoding ? 0 : ARITH_SYMBOLS * sizeof(uint32_t), scratch, &at);
    *cleared = at;
    task->shares = (uint32_t *)fpgz_cuda_take(decoding ? 0 : ARITH_SYMBOLS * sizeof(uint32_t), scratch, &at);
    task->slots = (uint32_t *)fpgz_cuda_take(
        decoding ? 0 : (size_t)task->blocks * task->slot_words * sizeof(uint32_t), scratch, &at);
    return at;
}

static size_t scratch(const struct fpgz_grid *grid, const struct fpgz_params *params, bool decoding)
{
    struct arith_task task;
    size_t cleared;
    return lay_out(grid, params, decoding, NULL, &task, &cleared);
}

static cudaError_t begin(const struct fpgz_cuda_task *task, bool decoding, struct arith_task *t)
{
    size_t cleared;
    lay_out(&task->grid, &task->params, decoding, (uint8_t *)task->scratch, t, &cleared);
    t->values = (uint8_t *)task->values;
    t->stream = task->stream;
    t->length = task->length;
    t->result = task->result;
    return cudaMemsetAsync(task->scratch, 0, cleared, task->queue);
}

static unsigned grid_for(uint64_t items, unsigned each)
{
    return (unsigned)((items + each - 1) / each);
}

static cudaError_t encode(const struct fpgz_cuda_task *task)
{
    struct arith_task t;
    const cudaError_t status = begin(task, false, &t);
    if (status != cudaSuccess)
        return status;
    const unsigned counting =
        (unsigned)fpgz_min(grid_for(t.bytes, 64 * COUNT_THREADS), 8 * (unsigned)task->multiprocessors);
    arith_count<<<counting, COUNT_THREADS, 0, task->queue>>>(t);
    arith_model<<<1, ARITH_SYMBOLS, 0, task->queue>>>(t);
    const unsigned grid = grid_for(t.blocks, ENCODE_THREADS);
    if (t.block % 16 == 0)
        arith_encode<true><<<grid, ENCODE_THREADS, 0, task->queue>>>(t);
    else
        arith_encode<false><<<grid, ENCODE_THREADS, 0, task->queue>>>(t);
    arith_move<<<grid_for(t.blocks, 32), MOVE_THREADS, 0, task->queue>>>(t);
    return cudaGetLastError();
}

static cudaError_t decode(const struct fpgz_cuda_task *task)
{
    struct arith_task t;
    const cudaError_t status = begin(task, true, &t);
    if (status != cudaSuccess)
        return status;
    if (task->length < LENGTHS_AT + 4 * (uint64_t)t.blocks)
        return cudaMemsetAsync(&task->result->status, FPGZ_CORRUPT, 1, task->queue);
    const unsigned grid = grid_for(t.blocks, DECODE_THREADS);
    if (t.block % 16 == 0)
        arith_decode<true><<<grid, DECODE_THREADS, 0, task->queue>>>(t);
    else
        arith_decode<false><<<grid, DECODE_THREADS, 0, task->queue>>>(t);
    return cudaGetLastError();
}

extern "C" const struct fpgz_cuda_codec fpgz_cuda_arith = {FPGZ_CODEC_ARITH, scratch, encode, decode, NULL};
