/* SPDX-License-Identifier: MIT
 * MPC: its launches. */
#include "codec.cuh"

extern "C" {
#include "codec/mpc/mpc.h"
}
#include "mpc_decode.cuh"
#include "mpc_encode.cuh"

static size_t tiles_of(const struct mpc_layout *l)
{
    return (l->values * l->word + MPC_TILE - 1) / MPC_TILE;
}

static size_t counting_blocks(const struct mpc_layout *l)
{
    return (tiles_of(l) + MPC_COUNTED - 1) / MPC_COUNTED;
}

static size_t scratch(const struct fpgz_grid *grid, const struct fpgz_params *params, bool decoding)
{
    (void)params;
    const struct mpc_layout l = fpgz_mpc_layout(grid);
    if (decoding)
        return (counting_blocks(&l) + 1) * sizeof(uint64_t) + (tiles_of(&l) + 1) * sizeof(uint32_t);
    return tiles_scratch(tiles_of(&l));
}

static cudaError_t encode(const struct fpgz_cuda_task *task)
{
    const struct mpc_layout l = fpgz_mpc_layout(&task->grid);
    struct mpc_encoding e;
    e.values = (const uint8_t *)task->values;
    e.count = l.values;
    e.dim = fpgz_mpc_dim(&l, &task->params, task->host_values);
    e.header = fpgz_mpc_header(&l, e.dim);
    e.stream = task->stream;
    e.groups = (uint32_t)l.groups;
    e.words_at = l.header_bytes + l.bitmap_bytes;
    e.result = task->result;
    const cudaError_t status = tiles_start(&e.tiles, tiles_of(&l), task->scratch, task->queue);
    if (status)
        return status;
    if (l.is_f64)
        return e.dim == 1 ? tiles_encode<mpc_coder<2, true>>(e, task)
                          : tiles_encode<mpc_coder<2, false>>(e, task);
    return e.dim == 1 ? tiles_encode<mpc_coder<1, true>>(e, task)
                      : tiles_encode<mpc_coder<1, false>>(e, task);
}

static cudaError_t decode(const struct fpgz_cuda_task *task)
{
    const struct mpc_layout l = fpgz_mpc_layout(&task->grid);
    const size_t words_at = l.header_bytes + l.bitmap_bytes, blocks = counting_blocks(&l);
    if (task->length < words_at)
        return cudaMemsetAsync(&task->result->status, FPGZ_CORRUPT, 1, task->queue); /* its lowest byte */
    struct mpc_decoding d;
    d.stream = task->stream;
    d.header = fpgz_mpc_header(&l, 1);
    d.groups = (uint32_t)l.groups;
    d.tiles = (uint32_t)tiles_of(&l);
    d.bitmap_bytes = l.bitmap_bytes;
    d.words_at = words_at;
    d.left = task->length - words_at;
    d.may_stray = fpgz_mpc_may_stray(&l);
    d.values = (uint8_t *)task->values;
    d.count = l.values;
    d.ticket = (uint32_t *)task->scratch;
    d.descriptors = (uint64_t *)task->scratch + 1;
    d.start = (uint32_t *)(d.descriptors + blocks);
    d.result = task->result;
    const cudaError_t status =
        cudaMemsetAsync(task->scratch, 0, (blocks + 1) * sizeof(uint64_t), task->queue);
    if (status)
        return status;
    if (l.is_f64) {
        mpc_count_kernel<2><<<(unsigned)blocks, MPC_COUNTED, 0, task->queue>>>(d);
        mpc_decode_kernel<2><<<d.tiles, MPC_THREADS, 0, task->queue>>>(d);
    } else {
        mpc_count_kernel<1><<<(unsigned)blocks, MPC_COUNTED, 0, task->queue>>>(d);
        mpc_decode_kernel<1><<<d.tiles, MPC_THREADS, 0, task->queue>>>(d);
    }
    return cudaGetLastError();
}

static cudaError_t prepare(void)
{
    cudaError_t status = tiles_prepare<mpc_coder<1, true>>();
    if (!status)
        status = tiles_prepare<mpc_coder<1, false>>();
    if (!status)
        status = tiles_prepare<mpc_coder<2, true>>();
    if (!status)
        status = tiles_prepare<mpc_coder<2, false>>();
    return status;
}

const struct fpgz_cuda_codec fpgz_cuda_mpc = {FPGZ_CODEC_MPC, scratch, encode, decode, prepare};
