/* SPDX-License-Identifier: MIT
 * Chunks whose values are on the device already. A batch of them is enqueued on several queues, without a
 * wait between; checksums and copies are launches for many chunks. resident_encode.cu and resident_decode.cu
 * have what differs by the way. */
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

/* Whether kernels can have the values where they are: at an aligned address, with bytes behind them. */
static bool stays(const struct fpgz_resident_chunk *c, const void *end)
{
    const size_t bytes = fpgz_grid_bytes(&c->coded.grid);
    return (uintptr_t)c->values % FPGZ_CUDA_ALIGN == 0 &&
           c->values + bytes + FPGZ_CUDA_ALIGN <= (const uint8_t *)end;
}

/* Bytes that the stream has, or may get. */
static size_t stream_bytes(const struct fpgz_resident *r, const struct fpgz_coded *coded)
{
    if (r->decoding)
        return coded->length;
    return fpgz_is_stored(coded) ? 0 : coded->codec->bound(&coded->grid, &coded->params);
}

static uint8_t *behind(uint8_t *memory, size_t bytes)
{
    return memory ? memory + bytes : NULL;
}

/* Places everything of the batch behind each other, from `memory` on, which may be NULL. Returns what it
 * takes. */
static size_t place(struct fpgz_resident *r, uint8_t *memory, const void *end)
{
    size_t at = 0;
    uint64_t blocks = 0;
    for (size_t i = 0; i < r->count; i++) {
        struct fpgz_resident_chunk *const c = &r->chunk[i];
        const struct fpgz_coded *const coded = &c->coded;
        const size_t raw = fpgz_grid_bytes(&coded->grid), stream = stream_bytes(r, coded);
        const bool again = !r->decoding && fpgz_is_lossy(coded);
        c->copy = stays(c, end) ? c->values : behind(memory, at);
        at += stays(c, end) ? 0 : fpgz_cuda_align(raw + FPGZ_CUDA_ALIGN);
        c->place = behind(memory, at);
        at += fpgz_cuda_align(stream + FPGZ_CUDA_ALIGN);
        c->restored = behind(memory, at);
        at += again ? fpgz_cuda_align(raw + FPGZ_CUDA_ALIGN) : 0;
        blocks += checksum_blocks(raw) + checksum_blocks(stream);
    }
    r->sums = (uint64_t *)behind(memory, at);
    at += fpgz_cuda_align(blocks * CHECKSUM_WORDS * sizeof(uint64_t));
    return at;
}

cudaError_t fpgz_spans_bring(struct fpgz_resident *r, size_t first, size_t count)
{
    struct checksum_span *const span = r->host_desk->span + first;
    uint64_t blocks = 0;
    for (size_t i = 0; i < count; i++) {
        span[i].before = blocks;
        blocks += checksum_blocks(span[i].length);
    }
    return fpgz_desk_bring(r, r->desk->span + first, span, count);
}

cudaError_t fpgz_spans_sum(struct fpgz_resident *r, size_t first, size_t count, cudaStream_t queue)
{
    const struct checksum_span *const span = r->host_desk->span + first;
    uint64_t blocks = 0;
    for (size_t i = 0; i < count; i++)
        blocks += checksum_blocks(span[i].length);
    return checksum_enqueue(r->desk->span + first, (unsigned)count, blocks, r->sums,
                            r->desk->checksum + first, queue);
}

/* Seats that the batch has. */
static size_t seats_of(const struct fpgz_resident *r)
{
    return fpgz_min((r->count + r->together - 1) / r->together, SEATS);
}

cudaError_t fpgz_seats_follow(struct fpgz_resident *r)
{
    TRY(cudaEventRecord(r->event, r->queue));
    for (size_t i = 0; i < seats_of(r); i++)
        TRY(cudaStreamWaitEvent(r->seat[i].queue, r->event, 0));
    return cudaSuccess;
}

static cudaError_t begin(struct fpgz_resident *r, const void *end)
{
    if (r->begun) /* one that failed, perhaps for want of memory */
        TRY(fpgz_seats_shed(r));
    r->begun = true;
    TRY(fpgz_batch_reserve(r, place(r, NULL, end), r->count * HEAD));
    place(r, r->memory, end);
    return r->decoding ? fpgz_decoding_begin(r) : fpgz_encoding_begin(r);
}

enum fpgz_status fpgz_resident_begin(struct fpgz_resident *r, struct fpgz_resident_chunk *chunk, size_t count,
                                     const void *end, bool decoding, struct fpgz_error *error)
{
    r->chunk = chunk;
    r->count = count;
    r->decoding = decoding;
    r->together = 1;
    return fpgz_resident_fail(r, begin(r, end), error);
}

struct fpgz_cuda_task fpgz_task_of(struct fpgz_resident *r, const struct fpgz_resident_chunk *c)
{
    struct fpgz_cuda_task task = {};
    task.grid = c->coded.grid;
    task.params = c->coded.params;
    task.stream = c->place;
    task.result = &r->desk->result[c - r->chunk];
    task.queue = fpgz_seat_of(r, c)->queue;
    task.multiprocessors = r->gpu->multiprocessors;
    return task;
}

enum fpgz_status fpgz_resident_code(struct fpgz_resident *r, struct fpgz_resident_chunk *chunk,
                                    unsigned thread, struct fpgz_error *error)
{
    struct reader *const reader = &r->reader[thread];
    cudaError_t status = cudaSetDevice(r->gpu->index);
    if (!status)
        status = r->decoding ? fpgz_decoding_code(r, chunk, reader) : fpgz_encoding_code(r, chunk, reader);
    return fpgz_resident_fail(r, status, error);
}

cudaError_t fpgz_desk_read(struct fpgz_resident *r)
{
    struct desk *const host = r->host_desk;
    TRY(cudaMemcpyAsync(host->result, r->desk->result, r->count * sizeof *host->result,
                        cudaMemcpyDeviceToHost, r->queue));
    TRY(cudaMemcpyAsync(host->checksum, r->desk->checksum, 2 * r->count * sizeof *host->checksum,
                        cudaMemcpyDeviceToHost, r->queue));
    return fpgz_resident_wait(r);
}

static cudaError_t end(struct fpgz_resident *r)
{
    for (size_t i = 0; i < seats_of(r); i++)
        TRY(fpgz_resident_follow(r, r->queue, r->seat[i].queue));
    TRY(r->decoding ? fpgz_decoding_end(r) : fpgz_encoding_end(r));
    r->begun = false;
    return cudaSuccess;
}

enum fpgz_status fpgz_resident_end(struct fpgz_resident *r, struct fpgz_error *error)
{
    return fpgz_resident_fail(r, end(r), error);
}
