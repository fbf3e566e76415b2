/* SPDX-License-Identifier: MIT
 * Chunks whose values are on the device already. A batch of them is enqueued on several queues, without a
 * wait between; checksums and copies are launches for all chunks of a batch. */
#include <string.h>

#include "resident.cuh"

extern "C" {
#include "codec/codecs.h"
}

bool fpgz_resident_codes(const struct fpgz_codec *codec, bool decoding)
{
    return codec->id == FPGZ_CODEC_STORE || fpgz_device_has(codec, decoding);
}

bool fpgz_resident_reads(const struct fpgz_codec *codec)
{
    const struct fpgz_cuda_codec *const kernels = fpgz_cuda_codec_by_id(codec->id);
    return kernels && kernels->open;
}

static bool is_stored(const struct fpgz_coded *coded)
{
    return coded->codec->id == FPGZ_CODEC_STORE;
}

/* Whether kernels can have the values where they are: at an aligned address, with bytes behind them. */
static bool stays(const struct fpgz_resident_chunk *c, const void *end)
{
    const size_t bytes = fpgz_grid_bytes(&c->coded.grid);
    return (uintptr_t)c->values % FPGZ_CUDA_ALIGN == 0 &&
           c->values + bytes + FPGZ_CUDA_ALIGN <= (const uint8_t *)end;
}

/* Whether what it becomes is decoded again, for its errors and the checksum of what is restored. */
static bool is_lossy(const struct fpgz_resident *r, const struct fpgz_coded *coded)
{
    return !r->decoding && !coded->codec->lossless;
}

/* Bytes that the stream has, or may get. */
static size_t stream_bytes(const struct fpgz_resident *r, const struct fpgz_coded *coded)
{
    if (r->decoding)
        return coded->length;
    return is_stored(coded) ? 0 : coded->codec->bound(&coded->grid, &coded->params);
}

static uint8_t *behind(uint8_t *memory, size_t bytes)
{
    return memory ? memory + bytes : NULL;
}

/* Places everything of the batch behind each other, from `memory` on, which may be NULL. Returns what it
 * takes.
 */
static size_t place(struct fpgz_resident *r, uint8_t *memory, const void *end)
{
    size_t at = 0;
    uint64_t blocks = 0;
    for (size_t i = 0; i < r->count; i++) {
        struct fpgz_resident_chunk *const c = &r->chunk[i];
        const struct fpgz_coded *const coded = &c->coded;
        const size_t raw = fpgz_grid_bytes(&coded->grid), stream = stream_bytes(r, coded);
        c->copy = stays(c, end) ? c->values : behind(memory, at);
        at += stays(c, end) ? 0 : fpgz_cuda_align(raw + FPGZ_CUDA_ALIGN);
        c->place = behind(memory, at);
        at += fpgz_cuda_align(stream + FPGZ_CUDA_ALIGN);
        c->restored = behind(memory, at);
        at += is_lossy(r, coded) ? fpgz_cuda_align(raw + FPGZ_CUDA_ALIGN) : 0;
        blocks += checksum_blocks(raw) + checksum_blocks(stream);
    }
    r->sums = (uint64_t *)behind(memory, at);
    at += fpgz_cuda_align(blocks * CHECKSUM_WORDS * sizeof(uint64_t));
    return at;
}

/* Streams that kernels are to decode, and what the host reads of them before. */
static cudaError_t bring_streams(struct fpgz_resident *r)
{
    bool reads = false;
    for (size_t i = 0; i < r->count; i++) {
        struct fpgz_resident_chunk *const c = &r->chunk[i];
        c->front = c->stream;
        if (!fpgz_resident_has(r, c->stream))
            continue;
        TRY(fpgz_moves_add(r, c->place, c->stream, c->coded.length, FPGZ_CUDA_ALIGN));
        if (!fpgz_resident_reads(c->coded.codec))
            continue;
        TRY(fpgz_moves_add(r, r->fronts + i * FRONT, c->stream, fpgz_min(c->coded.length, FRONT), 0));
        c->front = r->fronts + i * FRONT;
        reads = true;
    }
    TRY(fpgz_moves_enqueue(r));
    return reads ? fpgz_resident_wait(r) : cudaSuccess;
}

/* Enqueues the checksums of so many spans from number `first` on. */
static cudaError_t sum(struct fpgz_resident *r, size_t first, size_t count)
{
    struct checksum_span *const span = r->host_desk->span + first;
    uint64_t blocks = 0;
    for (size_t i = 0; i < count; i++) {
        span[i].before = blocks;
        blocks += checksum_blocks(span[i].length);
    }
    TRY(fpgz_desk_bring(r, r->desk->span + first, span, count));
    return checksum_enqueue(r->desk->span + first, (unsigned)count, blocks, r->sums,
                            r->desk->checksum + first, r->queue);
}

/* The spans of streams and of values. */
static void set_span(struct fpgz_resident *r, size_t number, const uint8_t *at, uint64_t length)
{
    r->host_desk->span[number] = {at, length, 0};
}

static cudaError_t begin(struct fpgz_resident *r, const void *end)
{
    bool sampled = false;
    TRY(fpgz_resident_rest(r)); /* a batch that had too little memory may have left some */
    TRY(fpgz_batch_reserve(r, place(r, NULL, end), r->count * FRONT));
    place(r, r->memory, end);
    TRY(cudaMemsetAsync(r->desk->result, 0, r->count * sizeof *r->desk->result, r->queue));
    TRY(cudaMemsetAsync(r->desk->error, 0, r->count * sizeof *r->desk->error, r->queue));
    for (size_t i = 0; i < r->count; i++) {
        struct fpgz_resident_chunk *const c = &r->chunk[i];
        const size_t bytes = fpgz_grid_bytes(&c->coded.grid);
        const bool odd = r->decoding && is_stored(&c->coded) && c->coded.length != bytes;
        c->status = odd ? FPGZ_CORRUPT : FPGZ_OK;
        set_span(r, r->count + i, c->copy, bytes);
        if (!r->decoding && c->copy != c->values)
            TRY(fpgz_moves_add(r, c->copy, c->values, bytes, FPGZ_CUDA_ALIGN));
        if (!r->decoding && fpgz_sample_is_taken(&c->coded)) {
            c->front = r->fronts + i * FRONT;
            TRY(fpgz_sample_bring(r, c, r->fronts + i * FRONT));
            sampled = true;
        }
    }
    TRY(r->decoding ? bring_streams(r) : fpgz_moves_enqueue(r));
    if (sampled)
        TRY(fpgz_resident_wait(r));
    for (struct seat &seat : r->seat)
        TRY(fpgz_resident_follow(r, seat.queue, r->queue));
    return r->decoding ? cudaSuccess : sum(r, r->count, r->count); /* beside the kernels */
}

enum fpgz_status fpgz_resident_begin(struct fpgz_resident *r, struct fpgz_resident_chunk *chunk, size_t count,
                                     const void *end, bool decoding, struct fpgz_error *error)
{
    r->chunk = chunk;
    r->count = count;
    r->decoding = decoding;
    return fpgz_resident_fail(r, begin(r, end), error);
}

/* Reads on the host what kernels cannot: from the stream's first bytes, of which more are brought where these
 * end too early. *scratch is what kernels take then. */
static cudaError_t open_stream(struct fpgz_resident_chunk *c, struct seat *seat, size_t *scratch)
{
    const struct fpgz_coded *const coded = &c->coded;
    const struct fpgz_cuda_codec *const kernels = fpgz_cuda_codec_by_id(coded->codec->id);
    const size_t memory =
        fpgz_cuda_align(fpgz_codec_decode_memory(coded->codec, &coded->grid, &coded->params));
    const size_t reach = kernels->reach(&coded->grid, c->front, coded->length);
    const uint8_t *front = c->front;
    if (!fpgz_buffer_reserve(&seat->buffer, memory + reach))
        return cudaErrorMemoryAllocation;
    if (front != c->stream && reach > FRONT) {
        front = seat->buffer.data + memory;
        TRY(cudaMemcpyAsync((void *)front, c->stream, reach, cudaMemcpyDeviceToHost, seat->queue));
        TRY(cudaEventRecord(seat->taken, seat->queue));
    }
    TRY(cudaEventSynchronize(seat->taken));
    const struct fpgz_coding coding = {coded->grid, coded->params, seat->buffer.data};
    TRY(fpgz_seat_reserve_front(seat, kernels->front(&coding, front, coded->length)));
    c->status = kernels->open(&coding, front, coded->length, seat->front, scratch);
    return cudaSuccess;
}

/* Enqueues the kernels, which have `scratch` bytes. */
static cudaError_t run(struct fpgz_resident *r, struct fpgz_resident_chunk *c, struct seat *seat,
                       bool decoding, void *values, const void *host_values, size_t scratch)
{
    const struct fpgz_cuda_codec *const kernels = fpgz_cuda_codec_by_id(c->coded.codec->id);
    struct fpgz_cuda_task task = {};
    TRY(fpgz_seat_reserve_scratch(seat, scratch));
    task.grid = c->coded.grid;
    task.params = c->coded.params;
    task.values = values;
    task.stream = c->place;
    task.length = decoding ? c->coded.length : 0;
    task.scratch = seat->scratch;
    task.scratch_bytes = scratch;
    task.result = &r->desk->result[c - r->chunk];
    task.host_values = host_values;
    task.front = seat->front;
    task.queue = seat->queue;
    task.multiprocessors = r->gpu->multiprocessors;
    return (decoding ? kernels->decode : kernels->encode)(&task);
}

static cudaError_t code_on(struct fpgz_resident *r, struct fpgz_resident_chunk *c, struct seat *seat)
{
    const struct fpgz_coded *const coded = &c->coded;
    const struct fpgz_cuda_codec *const kernels = fpgz_cuda_codec_by_id(coded->codec->id);
    const bool opens = r->decoding && fpgz_resident_reads(coded->codec);
    const uint8_t *sample = NULL;
    size_t scratch = 0;
    TRY(cudaSetDevice(r->gpu->index));
    if (opens)
        TRY(open_stream(c, seat, &scratch));
    else if (kernels)
        scratch = kernels->scratch(&coded->grid, &coded->params, r->decoding);
    if (c->status)
        return cudaSuccess;
    if (r->decoding && !fpgz_resident_has(r, c->stream)) {
        TRY(cudaMemcpyAsync(c->place, c->stream, coded->length, cudaMemcpyHostToDevice, seat->queue));
        TRY(cudaMemsetAsync(c->place + coded->length, 0, FPGZ_CUDA_ALIGN, seat->queue));
    }
    if (!kernels)
        return cudaSuccess;
    if (!r->decoding && fpgz_sample_is_taken(coded) &&
        !(sample = fpgz_sample_spread(coded, c->front, &seat->buffer)))
        return cudaErrorMemoryAllocation;
    TRY(run(r, c, seat, r->decoding, c->copy, sample, scratch));
    return opens ? cudaEventRecord(seat->taken, seat->queue) : cudaSuccess;
}

enum fpgz_status fpgz_resident_code(struct fpgz_resident *r, struct fpgz_resident_chunk *chunk,
                                    struct fpgz_error *error)
{
    struct seat *const seat = &r->seat[(chunk - r->chunk) % SEATS];
    pthread_mutex_lock(&seat->mutex);
    const cudaError_t status = code_on(r, chunk, seat);
    pthread_mutex_unlock(&seat->mutex);
    return fpgz_resident_fail(r, status, error);
}

/* Brings results and checksums to the host, and waits for them. */
static cudaError_t read_desk(struct fpgz_resident *r)
{
    struct desk *const host = r->host_desk;
    TRY(cudaMemcpyAsync(host->result, r->desk->result, r->count * sizeof *host->result,
                        cudaMemcpyDeviceToHost, r->queue));
    TRY(cudaMemcpyAsync(host->error, r->desk->error, r->count * sizeof *host->error, cudaMemcpyDeviceToHost,
                        r->queue));
    TRY(cudaMemcpyAsync(host->checksum, r->desk->checksum, 2 * r->count * sizeof *host->checksum,
                        cudaMemcpyDeviceToHost, r->queue));
    return fpgz_resident_wait(r);
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
    const struct fpgz_coded *const coded = &c->coded;
    struct seat *const seat = &r->seat[(c - r->chunk) % SEATS];
    TRY(cudaMemsetAsync(c->place + coded->length, 0, FPGZ_CUDA_ALIGN, seat->queue));
    TRY(run(r, c, seat, true, c->restored, NULL,
            fpgz_cuda_codec_by_id(coded->codec->id)->scratch(&coded->grid, &coded->params, true)));
    TRY(fpgz_errors_measure(r, c, seat->queue));
    return fpgz_resident_follow(r, r->queue, seat->queue);
}

static cudaError_t end_encoding(struct fpgz_resident *r)
{
    bool lossy = false;
    TRY(read_desk(r));
    for (size_t i = 0; i < r->count; i++) {
        struct fpgz_resident_chunk *const c = &r->chunk[i];
        const struct fpgz_cuda_result *const result = &r->host_desk->result[i];
        if (result->status || result->length > stream_bytes(r, &c->coded))
            return cudaErrorUnknown;
        c->coded.length = result->length;
        c->coded.stream = c->place;
        c->coded.raw_checksum = r->host_desk->checksum[r->count + i];
        if (is_stored(&c->coded) || c->coded.length >= fpgz_grid_bytes(&c->coded.grid))
            store(c);
        set_span(r, i, c->coded.stream, is_stored(&c->coded) ? 0 : c->coded.length);
        set_span(r, r->count + i, c->restored, is_lossy(r, &c->coded) ? fpgz_grid_bytes(&c->coded.grid) : 0);
        if (is_lossy(r, &c->coded))
            TRY(restore(r, c));
        lossy |= is_lossy(r, &c->coded);
    }
    TRY(sum(r, 0, lossy ? 2 * r->count : r->count));
    TRY(read_desk(r));
    for (size_t i = 0; i < r->count; i++) {
        struct fpgz_coded *const coded = &r->chunk[i].coded;
        coded->stream_checksum = is_stored(coded) ? coded->raw_checksum : r->host_desk->checksum[i];
        if (is_lossy(r, coded)) {
            coded->raw_checksum = r->host_desk->checksum[r->count + i];
            memcpy(&coded->errors, r->host_desk->error[i], sizeof coded->errors);
        }
    }
    return cudaSuccess;
}

static cudaError_t end_decoding(struct fpgz_resident *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct fpgz_resident_chunk *const c = &r->chunk[i];
        const size_t bytes = fpgz_grid_bytes(&c->coded.grid);
        const uint8_t *const values = is_stored(&c->coded) ? c->place : c->copy;
        set_span(r, i, c->place, c->status ? 0 : c->coded.length);
        set_span(r, r->count + i, values, c->status ? 0 : bytes);
        if (values != c->values && !c->status)
            TRY(fpgz_moves_add(r, c->values, values, bytes, 0));
    }
    TRY(fpgz_moves_enqueue(r));
    TRY(sum(r, 0, 2 * r->count));
    TRY(read_desk(r));
    for (size_t i = 0; i < r->count; i++) {
        struct fpgz_resident_chunk *const c = &r->chunk[i];
        if (c->status == FPGZ_OK &&
            (r->host_desk->result[i].status || r->host_desk->checksum[i] != c->coded.stream_checksum ||
             r->host_desk->checksum[r->count + i] != c->coded.raw_checksum))
            c->status = FPGZ_CORRUPT;
    }
    return cudaSuccess;
}

static cudaError_t end(struct fpgz_resident *r)
{
    for (struct seat &seat : r->seat)
        TRY(fpgz_resident_follow(r, r->queue, seat.queue));
    return r->decoding ? end_decoding(r) : end_encoding(r);
}

enum fpgz_status fpgz_resident_end(struct fpgz_resident *r, struct fpgz_error *error)
{
    return fpgz_resident_fail(r, end(r), error);
}
