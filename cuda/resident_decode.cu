/* SPDX-License-Identifier: MIT
 * Chunks are decoded to where the caller has their values on the device. What the host has to read of a
 * stream is read by many threads; the last one of a group enqueues the kernels of all its chunks. */
#include <string.h>

#include "resident.cuh"

static const struct fpgz_cuda_codec *kernels_of(const struct fpgz_resident_chunk *c)
{
    return fpgz_cuda_codec_by_id(c->coded.codec->id);
}

/* Streams' first bytes, which the host waits for. */
static cudaError_t bring_heads(struct fpgz_resident *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct fpgz_resident_chunk *const c = &r->chunk[i];
        c->head = c->stream;
        if (!r->far || !fpgz_resident_reads(c->coded.codec))
            continue;
        c->head = r->heads + i * HEAD;
        TRY(fpgz_moves_add(r, r->heads + i * HEAD, c->stream, fpgz_min(c->coded.length, HEAD), 0));
    }
    TRY(fpgz_moves_enqueue(r));
    return cudaEventRecord(r->headed, r->queue);
}

static cudaError_t bring_streams(struct fpgz_resident *r)
{
    for (size_t i = 0; i < r->count; i++)
        TRY(fpgz_moves_add(r, r->chunk[i].place, r->chunk[i].stream, r->chunk[i].coded.length,
                           FPGZ_CUDA_ALIGN));
    return fpgz_moves_enqueue(r);
}

cudaError_t fpgz_decoding_begin(struct fpgz_resident *r)
{
    bool reads = false;
    r->far = fpgz_resident_has(r, r->chunk->stream);
    TRY(bring_heads(r));
    for (size_t i = 0; i < r->count; i++) {
        struct fpgz_resident_chunk *const c = &r->chunk[i];
        const bool stored = fpgz_is_stored(&c->coded);
        const size_t bytes = fpgz_grid_bytes(&c->coded.grid);
        c->status = stored && c->coded.length != bytes ? FPGZ_CORRUPT : FPGZ_OK;
        r->host_desk->span[i] = {c->place, c->coded.length, 0};
        r->host_desk->span[r->count + i] = {stored ? c->place : c->copy, c->status ? 0 : bytes, 0};
        reads |= fpgz_resident_reads(c->coded.codec);
    }
    r->together = reads ? TOGETHER : 1;
    for (size_t i = 0; i < r->count; i += r->together)
        r->left[i / r->together] = (unsigned)fpgz_min(r->count - i, r->together);
    TRY(cudaMemsetAsync(r->desk->result, 0, r->count * sizeof *r->desk->result, r->queue));
    TRY(fpgz_spans_bring(r, 0, 2 * r->count));
    if (r->far)
        TRY(bring_streams(r));
    TRY(fpgz_seats_follow(r));
    if (r->far)
        TRY(fpgz_spans_sum(r, 0, r->count, r->queue)); /* while the host reads, and beside the kernels */
    return cudaEventSynchronize(r->headed);
}

/* Reads on the host what kernels cannot: from the stream's first bytes, of which more are brought where these
 * end too early. */
static cudaError_t open_stream(struct fpgz_resident *r, struct fpgz_resident_chunk *c, struct reader *reader)
{
    const struct fpgz_coded *const coded = &c->coded;
    const struct fpgz_cuda_codec *const kernels = kernels_of(c);
    const size_t memory =
        fpgz_cuda_align(fpgz_codec_decode_memory(coded->codec, &coded->grid, &coded->params));
    const size_t reach = kernels->reach(&coded->grid, c->head, coded->length);
    const uint8_t *head = c->head;
    if (!fpgz_buffer_reserve(&reader->buffer, memory + reach))
        return cudaErrorMemoryAllocation;
    if (head != c->stream && reach > HEAD) {
        head = reader->buffer.data + memory;
        TRY(fpgz_reader_copy(r, reader, (void *)head, c->stream, reach, NULL));
    }
    const struct fpgz_coding coding = {coded->grid, coded->params, reader->buffer.data, NULL};
    if (!fpgz_buffer_reserve(&reader->front, kernels->front(&coding, head, coded->length)))
        return cudaErrorMemoryAllocation;
    c->status = kernels->open(&coding, head, coded->length, reader->front.data, &c->scratch);
    if (c->status)
        return cudaSuccess;
    const size_t bytes = kernels->opened(reader->front.data);
    TRY(fpgz_front_take(r, bytes, &c->front));
    memcpy(c->front, reader->front.data, bytes);
    return cudaSuccess;
}

static cudaError_t prepare(struct fpgz_resident *r, struct fpgz_resident_chunk *c, struct reader *reader)
{
    c->scratch = 0;
    if (fpgz_resident_reads(c->coded.codec))
        return open_stream(r, c, reader);
    if (!fpgz_is_stored(&c->coded))
        c->scratch = kernels_of(c)->scratch(&c->coded.grid, &c->coded.params, true);
    return cudaSuccess;
}

/* Brings the streams of a group to the device. */
static cudaError_t bring_group(struct fpgz_resident_chunk *c, size_t count, cudaStream_t queue)
{
    for (size_t i = 0; i < count; i++, c++) {
        TRY(cudaMemcpyAsync(c->place, c->stream, c->coded.length, cudaMemcpyHostToDevice, queue));
        TRY(cudaMemsetAsync(c->place + c->coded.length, 0, FPGZ_CUDA_ALIGN, queue));
    }
    return cudaSuccess;
}

/* Enqueues the kernels of tasks of one codec and one size of values. */
static cudaError_t run(const struct fpgz_cuda_codec *kernels, const struct fpgz_cuda_task *const *tasks,
                       unsigned count)
{
    if (kernels->decode_many)
        return kernels->decode_many(tasks, count);
    for (unsigned i = 0; i < count; i++)
        TRY(kernels->decode(tasks[i]));
    return cudaSuccess;
}

/* Enqueues the kernels of a group, whose seat's mutex is held. */
static cudaError_t decode_group(struct fpgz_resident *r, struct fpgz_resident_chunk *c, size_t count,
                                struct seat *seat)
{
    struct fpgz_cuda_task task[TOGETHER];
    size_t scratch = 0, at = 0;
    bool done[TOGETHER];
    for (size_t i = 0; i < count; i++)
        scratch += fpgz_cuda_align(c[i].scratch);
    TRY(fpgz_seat_reserve(r, seat, scratch));
    for (size_t i = 0; i < count; i++) {
        task[i] = fpgz_task_of(r, &c[i]);
        task[i].values = c[i].copy;
        task[i].length = c[i].coded.length;
        task[i].scratch = seat->scratch + at;
        task[i].scratch_bytes = c[i].scratch;
        task[i].front = c[i].front;
        at += fpgz_cuda_align(c[i].scratch);
        done[i] = c[i].status || fpgz_is_stored(&c[i].coded);
    }
    for (size_t i = 0; i < count; i++) {
        const struct fpgz_cuda_task *alike[TOGETHER];
        unsigned some = 0;
        for (size_t k = i; k < count; k++)
            if (!done[k] && !done[i] && c[k].coded.codec == c[i].coded.codec &&
                fpgz_dtype_size(task[k].grid.dtype) == fpgz_dtype_size(task[i].grid.dtype))
                alike[some++] = &task[k];
        for (unsigned k = 0; k < some; k++)
            done[alike[k] - task] = true;
        if (some)
            TRY(run(kernels_of(&c[i]), alike, some));
    }
    return cudaSuccess;
}

/* Brings, decodes and sums up the chunks of a group. */
static cudaError_t finish_group(struct fpgz_resident *r, size_t first, struct seat *seat)
{
    struct fpgz_resident_chunk *const c = &r->chunk[first];
    const size_t count = fpgz_min(r->count - first, r->together);
    if (!r->far)
        TRY(bring_group(c, count, seat->queue));
    TRY(decode_group(r, c, count, seat));
    if (r->together == 1)
        return cudaSuccess;
    if (!r->far)
        TRY(fpgz_spans_sum(r, first, count, seat->queue));
    return fpgz_spans_sum(r, r->count + first, count, seat->queue);
}

cudaError_t fpgz_decoding_code(struct fpgz_resident *r, struct fpgz_resident_chunk *c, struct reader *reader)
{
    const size_t group = (size_t)(c - r->chunk) / r->together;
    struct seat *const seat = fpgz_seat_of(r, c);
    TRY(prepare(r, c, reader));
    if (__atomic_sub_fetch(&r->left[group], 1, __ATOMIC_ACQ_REL))
        return cudaSuccess;
    pthread_mutex_lock(&seat->mutex);
    const cudaError_t status = finish_group(r, group * r->together, seat);
    pthread_mutex_unlock(&seat->mutex);
    return status;
}

cudaError_t fpgz_decoding_end(struct fpgz_resident *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct fpgz_resident_chunk *const c = &r->chunk[i];
        const size_t bytes = fpgz_grid_bytes(&c->coded.grid);
        const uint8_t *const values = fpgz_is_stored(&c->coded) ? c->place : c->copy;
        if (values != c->values && !c->status)
            TRY(fpgz_moves_add(r, c->values, values, bytes, 0));
    }
    TRY(fpgz_moves_enqueue(r));
    if (r->together == 1 && !r->far)
        TRY(fpgz_spans_sum(r, 0, r->count, r->queue));
    if (r->together == 1)
        TRY(fpgz_spans_sum(r, r->count, r->count, r->queue));
    TRY(fpgz_desk_read(r));
    for (size_t i = 0; i < r->count; i++) {
        struct fpgz_resident_chunk *const c = &r->chunk[i];
        if (c->status == FPGZ_OK &&
            (r->host_desk->result[i].status || r->host_desk->checksum[i] != c->coded.stream_checksum ||
             r->host_desk->checksum[r->count + i] != c->coded.raw_checksum))
            c->status = FPGZ_CORRUPT;
    }
    return cudaSuccess;
}
