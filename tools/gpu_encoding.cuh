/* SPDX-License-Identifier: MIT
 * What prans' encoder has its aide do for a chunk is remembered, so that its kernels can be launched again
 * without the host. */
#pragma once

#include <string.h>

#include "checksum.cuh"
#include "codec.cuh"
#include "gpu_timing.cuh"

extern "C" {
#include "codec/prans/bins/bins.h"
#include "codec/prans/lead.h"
#include "codec/prans/matched/matched.h"
#include "engine/device.h"
}

struct recording {
    struct fpgz_aide aide; /* has another one do it, but for the segments */
    struct fpgz_device_aide real;
    struct bins_entry entry;
    struct bins_counting counting;
    struct bins_task task;
    bool entered, foreseen; /* foreseen: counting is what entering was told */
    uint64_t heavy[BINS_HEAVY];
    unsigned heavies; /* that were sought */
    uint8_t key[PRANS_SYMBOLS];
    enum matched_roughness roughness;
    uint64_t bits; /* of the stream */
    /* Of the chunk's own, values, memory and sums on the device, the segments' span and checksum in pinned
     * memory. */
    uint8_t *values, *memory, *pinned;
    uint64_t *sums, *checksum;
    struct checksum_span *span;
};

static bool recording_enter(struct fpgz_aide *aide, const struct bins_entry *entry,
                            const struct bins_counting *next, struct bins_common *common)
{
    struct recording *const r = (struct recording *)aide;
    r->entry = *entry;
    r->entered = true;
    r->foreseen = next != NULL;
    if (next)
        r->counting = *next;
    return r->real.aide.enter(&r->real.aide, entry, next, common);
}

static bool recording_distinct(struct fpgz_aide *aide, const struct bins_entry *entry,
                               struct bins_returns *returns)
{
    struct recording *const r = (struct recording *)aide;
    return r->real.aide.distinct(&r->real.aide, entry, returns);
}

static bool recording_count(struct fpgz_aide *aide, const struct bins_counting *counting, bool is_next)
{
    struct recording *const r = (struct recording *)aide;
    r->counting = *counting;
    r->foreseen &= is_next;
    return r->real.aide.count(&r->real.aide, counting, is_next);
}

static bool recording_find(struct fpgz_aide *aide, const uint64_t *heavy, unsigned heavies, uint32_t *times)
{
    struct recording *const r = (struct recording *)aide;
    memcpy(r->heavy, heavy, heavies * sizeof *heavy);
    r->heavies = heavies;
    return r->real.aide.find(&r->real.aide, heavy, heavies, times);
}

static bool recording_code(struct fpgz_aide *aide, const struct bins_task *task, struct bins_outcome *)
{
    struct recording *const r = (struct recording *)aide;
    r->task = *task;
    memcpy(r->key, task->key, sizeof r->key);
    r->task.key = r->key;
    return false; /* the CPU codes it: that is what kernels are compared with */
}

static void recording_drop(struct fpgz_aide *aide)
{
    struct recording *const r = (struct recording *)aide;
    r->real.aide.drop(&r->real.aide);
}

/* Encodes a chunk as bins, by the lead if it is like it; what it takes of the device is in coding->scratch
 * until that is used again. */
static enum fpgz_status recording_make(struct recording *r, struct fpgz_device *device,
                                       const struct fpgz_codec *codec, const struct fpgz_coding *coding,
                                       const void *values, uint8_t *stream, size_t *length)
{
    *r = (struct recording){};
    fpgz_device_aide(device, codec, values, &r->real);
    r->real.coding = coding;
    r->aide.enter = recording_enter;
    r->aide.distinct = recording_distinct;
    r->aide.count = recording_count;
    r->aide.find = recording_find;
    r->aide.code = recording_code;
    r->aide.drop = recording_drop;
    r->roughness = matched_roughest(coding->lead);
    const enum fpgz_status status = fpgz_prans_bins_try(coding, &r->aide, values, stream, length, NULL);
    fpgz_device_aide_end(&r->real);
    r->bits = 8 * (uint64_t)*length;
    return status;
}

/* Enqueues the kernels of the chunk's encoder: from values to segments and their checksum, and the probe for
 * matches or what is chosen for it. */
static cudaError_t recording_encode(struct recording *r, const struct fpgz_cuda_aide *kernels,
                                    cudaStream_t queue)
{
    const struct fpgz_cuda_survey *const survey = kernels->survey;
    const struct fpgz_cuda_probe *const probe = kernels->probe;
    const struct bins_shape *const shape = &r->task.shape;
    const bool counts = r->entered && !r->task.residual;
    cudaError_t status = cudaSuccess;
    if (counts)
        status = survey->enter(&r->entry, r->foreseen ? &r->counting : NULL, r->values, r->memory, r->pinned,
                               queue);
    if (counts && !status && !r->foreseen)
        status = survey->count(shape, &r->counting, r->values, r->memory, r->pinned, queue);
    if (counts && !status && r->heavies)
        status = survey->find(shape, r->counting.line.specials > 0, r->heavy, r->heavies, r->memory,
                              r->pinned, queue);
    if (!status)
        status = probe->choose(shape, r->values, PRANS_REAL, r->roughness, r->memory, r->pinned, queue);
    if (!status)
        status = kernels->code(&r->task, r->memory, r->pinned, queue);
    if (!status && r->roughness == MATCHED_ROUGHEST)
        status = probe->look(shape, r->values, PRANS_REAL, r->bits, r->memory, r->pinned, queue);
    return status
               ? status
               : checksum_enqueue(r->span, 1, checksum_blocks(r->span->length), r->sums, r->checksum, queue);
}

/* Gets what launches need, with the values on the device. */
static void recording_prepare(struct recording *r, const struct fpgz_cuda_aide *kernels, const void *values,
                              cudaStream_t queue)
{
    const struct bins_shape *const shape = &r->task.shape;
    const size_t bytes = shape->values * shape->size;
    struct bins_outcome outcome;
    must(cudaMalloc((void **)&r->values, bytes + FPGZ_CUDA_ALIGN), "device memory");
    must(cudaMalloc((void **)&r->memory, kernels->memory(shape)), "device memory");
    must(cudaMalloc((void **)&r->sums, checksum_blocks(2 * bytes) * CHECKSUM_WORDS * sizeof *r->sums),
         "device memory");
    must(cudaHostAlloc((void **)&r->pinned, kernels->pinned(shape), cudaHostAllocDefault), "host memory");
    must(cudaHostAlloc((void **)&r->span, sizeof *r->span, cudaHostAllocDefault), "host memory");
    must(cudaHostAlloc((void **)&r->checksum, sizeof *r->checksum, cudaHostAllocDefault), "host memory");
    must(cudaMemcpy(r->values, values, bytes, cudaMemcpyHostToDevice), "copy");
    *r->span = {kernels->body(&r->task, r->memory), 0, 0};
    must(kernels->bring_task(&r->task, r->memory, r->pinned, queue), "copy");
    must(recording_encode(r, kernels, queue), "kernels");
    must(cudaStreamSynchronize(queue), "kernels");
    kernels->outcome(&r->task, r->pinned, &outcome);
    r->span->length = outcome.bytes;
}

static void recording_free(struct recording *r)
{
    cudaFree(r->values);
    cudaFree(r->memory);
    cudaFree(r->sums);
    cudaFreeHost(r->pinned);
    cudaFreeHost(r->span);
    cudaFreeHost(r->checksum);
}
