/* SPDX-License-Identifier: MIT
 * Chunks whose values are on the device are encoded there. */
#include <string.h>

#include "resident.cuh"

extern "C" {
#include "codec/codecs.h"
}

static void set_span(struct fpgz_resident *r, size_t number, const uint8_t *at, uint64_t length)
{
    r->host_desk->span[number] = {at, length, 0};
}

cudaError_t fpgz_encoding_begin(struct fpgz_resident *r)
{
    bool sampled = false;
    TRY(cudaMemsetAsync(r->desk->result, 0, r->count * sizeof *r->desk->result, r->queue));
    TRY(cudaMemsetAsync(r->desk->error, 0, r->count * sizeof *r->desk->error, r->queue));
    for (size_t i = 0; i < r->count; i++) {
        struct fpgz_resident_chunk *const c = &r->chunk[i];
        const size_t bytes = fpgz_grid_bytes(&c->coded.grid);
        c->head = r->heads + i * HEAD;
        set_span(r, r->count + i, c->copy, bytes);
        if (c->copy != c->values)
            TRY(fpgz_moves_add(r, c->copy, c->values, bytes, FPGZ_CUDA_ALIGN));
        if (fpgz_sample_is_taken(&c->coded)) {
            TRY(fpgz_sample_bring(r, c, r->heads + i * HEAD));
            sampled = true;
        }
    }
    TRY(fpgz_moves_enqueue(r));
    if (sampled)
        TRY(fpgz_resident_wait(r));
    TRY(fpgz_spans_bring(r, r->count, r->count));
    TRY(fpgz_seats_follow(r));
    return fpgz_spans_sum(r, r->count, r->count, r->queue); /* beside the kernels */
}

/* Enqueues the kernels, which have `scratch` bytes. */
static cudaError_t run(struct fpgz_resident *r, struct fpgz_resident_chunk *c, bool decoding, void *values,
                       const void *host_values)
{
    const struct fpgz_cuda_codec *const kernels = fpgz_cuda_codec_by_id(c->coded.codec->id);
    const size_t scratch = kernels->scratch(&c->coded.grid, &c->coded.params, decoding);
    struct seat *const seat = fpgz_seat_of(r, c);
    struct fpgz_cuda_task task = fpgz_task_of(r, c);
    TRY(fpgz_seat_reserve(r, seat, scratch));
    task.values = values;
    task.length = decoding ? c->coded.length : 0;
    task.scratch = seat->scratch;
    task.scratch_bytes = scratch;
    task.host_values = host_values;
    return (decoding ? kernels->decode : kernels->encode)(&task);
}

cudaError_t fpgz_encoding_code(struct fpgz_resident *r, struct fpgz_resident_chunk *c, struct reader *reader)
{
    struct seat *const seat = fpgz_seat_of(r, c);
    const uint8_t *sample = NULL;
    if (fpgz_is_stored(&c->coded))
        return cudaSuccess;
    if (fpgz_sample_is_taken(&c->coded) &&
        !(sample = fpgz_sample_spread(&c->coded, c->head, &reader->buffer)))
        return cudaErrorMemoryAllocation;
    pthread_mutex_lock(&seat->mutex);
    const cudaError_t status = run(r, c, false, c->copy, sample);
    pthread_mutex_unlock(&seat->mutex);
    return status;
}

/* Stores the chunk as it is, as fpgz_chunk_encode() does. */
static void store(struct fpgz_resident_chunk *c)
{
    struct fpgz_coded *const coded = &c->coded;
    const struct fpgz_grid grid = coded->grid;
    coded->codec = &fpgz_store;
    fpgz_codec_defaults(coded->codec, &coded->params);
    coded->codec->fold(&grid, &coded->grid);
    coded->length = fpgz_grid_bytes(&grid);
    coded->stream = c->copy;
}

/* Decodes what a lossy stream has kept, and measures what it has not. */
static cudaError_t restore(struct fpgz_resident *r, struct fpgz_resident_chunk *c)
{
    const cudaStream_t queue = fpgz_seat_of(r, c)->queue;
    TRY(cudaMemsetAsync(c->place + c->coded.length, 0, FPGZ_CUDA_ALIGN, queue));
    TRY(run(r, c, true, c->restored, NULL));
    TRY(fpgz_errors_measure(r, c, queue));
    return fpgz_resident_follow(r, r->queue, queue);
}

/* Takes what became of the chunk. */
static cudaError_t take(struct fpgz_resident *r, size_t i, bool *lossy)
{
    struct fpgz_resident_chunk *const c = &r->chunk[i];
    struct fpgz_coded *const coded = &c->coded;
    const struct fpgz_cuda_result *const result = &r->host_desk->result[i];
    if (result->status ||
        (!fpgz_is_stored(coded) && result->length > coded->codec->bound(&coded->grid, &coded->params)))
        return cudaErrorUnknown;
    coded->length = result->length;
    coded->stream = c->place;
    coded->raw_checksum = r->host_desk->checksum[r->count + i];
    if (fpgz_is_stored(coded) || coded->length >= fpgz_grid_bytes(&coded->grid))
        store(c);
    set_span(r, i, coded->stream, fpgz_is_stored(coded) ? 0 : coded->length);
    set_span(r, r->count + i, c->restored, fpgz_is_lossy(coded) ? fpgz_grid_bytes(&coded->grid) : 0);
    *lossy |= fpgz_is_lossy(coded);
    return fpgz_is_lossy(coded) ? restore(r, c) : cudaSuccess;
}

cudaError_t fpgz_encoding_end(struct fpgz_resident *r)
{
    struct desk *const host = r->host_desk;
    bool lossy = false;
    TRY(fpgz_desk_read(r));
    for (size_t i = 0; i < r->count; i++)
        TRY(take(r, i, &lossy));
    const size_t spans = lossy ? 2 * r->count : r->count;
    TRY(fpgz_spans_bring(r, 0, spans));
    TRY(fpgz_spans_sum(r, 0, spans, r->queue));
    if (lossy)
        TRY(cudaMemcpyAsync(host->error, r->desk->error, r->count * sizeof *host->error,
                            cudaMemcpyDeviceToHost, r->queue));
    TRY(fpgz_desk_read(r));
    for (size_t i = 0; i < r->count; i++) {
        struct fpgz_coded *const coded = &r->chunk[i].coded;
        coded->stream_checksum = fpgz_is_stored(coded) ? coded->raw_checksum : host->checksum[i];
        if (fpgz_is_lossy(coded)) {
            coded->raw_checksum = host->checksum[r->count + i];
            memcpy(&coded->errors, host->error[i], sizeof coded->errors);
        }
    }
    return cudaSuccess;
}
