/* SPDX-License-Identifier: MIT
 * GFC: its launches. */
#include "codec.cuh"

extern "C" {
#include "codec/gfc/gfc.h"
}
#include "gfc_decode.cuh"
#include "gfc_encode.cuh"

enum {
    HEAD_THREADS = 512,
    DECODING_BLOCKS = 2, /* a multiprocessor */
    MOST_PARTS = 255 * GFC_MAX_WARPS,
};

static size_t runs_of(uint64_t values)
{
    return (size_t)(values + GFC_LANES - 1) / GFC_LANES;
}

static size_t tiles_of(size_t runs)
{
    const size_t per_tile = gfc_coder<true>::WARPS * 32;
    return (runs + per_tile - 1) / per_tile;
}

static size_t scratch(const struct fpgz_grid *grid, const struct fpgz_params *params, bool decoding)
{
    (void)params;
    const size_t tiles = tiles_of(runs_of(fpgz_grid_values(grid)));
    return decoding ? 0
                    : tiles_scratch(tiles) + (tiles * gfc_coder<true>::WARPS + MOST_PARTS) * sizeof(uint32_t);
}

static cudaError_t encode(const struct fpgz_cuda_task *task)
{
    const size_t count = (size_t)fpgz_grid_values(&task->grid), runs = runs_of(count), tiles = tiles_of(runs);
    const struct gfc_launch l = fpgz_gfc_launch(&task->params, (const uint64_t *)task->host_values, count);
    const struct gfc_chunks chunks = fpgz_gfc_cut(count, l.blocks, l.warps);
    struct gfc_encoding e;
    e.values = (const uint8_t *)task->values;
    e.count = (uint32_t)count;
    e.runs = (uint32_t)runs;
    e.per_part = (uint32_t)(chunks.size / GFC_LANES);
    e.parts = (uint32_t)chunks.count;
    e.blocks = l.blocks;
    e.warps = l.warps;
    e.dim = l.dim;
    e.stream = task->stream;
    e.strings = task->stream + GFC_HEADER + chunks.count * sizeof(uint32_t);
    e.image_start = (uint32_t *)((uint8_t *)task->scratch + tiles_scratch(tiles));
    e.part_end = e.image_start + tiles * gfc_coder<true>::WARPS;
    e.result = task->result;
    cudaError_t status = tiles_start(&e.tiles, tiles, task->scratch, task->queue);
    if (!status)
        status =
            e.dim == 1 ? tiles_encode<gfc_coder<true>>(e, task) : tiles_encode<gfc_coder<false>>(e, task);
    if (status)
        return status;
    gfc_head_kernel<<<1, HEAD_THREADS, 0, task->queue>>>(e);
    return cudaGetLastError();
}

static cudaError_t decode(const struct fpgz_cuda_task *task)
{
    const uint64_t count = fpgz_grid_values(&task->grid);
    const uint64_t runs = runs_of(count), longest = MOST_PARTS * sizeof(uint32_t) + runs * GFC_LONGEST;
    if (task->length < GFC_HEADER || task->length > GFC_HEADER + longest)
        return cudaMemsetAsync(&task->result->status, FPGZ_CORRUPT, 1, task->queue); /* its lowest byte */
    struct gfc_decoding d;
    d.stream = task->stream;
    d.length = task->length;
    d.values = (uint64_t *)task->values;
    d.count = (uint32_t)count;
    d.runs = (uint32_t)runs;
    d.result = task->result;
    /* The stream says how many chunks it has: at most one a sub-chunk that are not empty, so that more blocks
     * than these have nothing to do. */
    const unsigned most = (unsigned)task->multiprocessors * DECODING_BLOCKS;
    const unsigned blocks = d.runs < most ? d.runs : most;
    gfc_decode_kernel<<<blocks, GFC_DECODE_THREADS, sizeof(struct gfc_shared), task->queue>>>(d);
    return cudaGetLastError();
}

static cudaError_t prepare(void)
{
    cudaError_t status = tiles_prepare<gfc_coder<true>>();
    if (!status)
        status = tiles_prepare<gfc_coder<false>>();
    if (!status)
        status = cudaFuncSetAttribute(gfc_decode_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      (int)sizeof(struct gfc_shared));
    return status;
}

const struct fpgz_cuda_codec fpgz_cuda_gfc = {FPGZ_CODEC_GFC, scratch, encode, decode, prepare};
