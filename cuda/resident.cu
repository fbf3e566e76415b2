/* SPDX-License-Identifier: MIT
 * What is kept between calls for arrays in a GPU's memory: it is made, entered and left; and bytes are copied
 * between the host, the caller's memory and chunks. */
#include <stdlib.h>
#include <string.h>

#include "move.cuh"
#include "resident.cuh"

enum { AT_ONCE = 64 << 10 /* bytes that take less time than falling asleep */ };

enum fpgz_status fpgz_resident_fail(const struct fpgz_resident *r, cudaError_t status,
                                    struct fpgz_error *error)
{
    if (!status)
        return FPGZ_OK;
    cudaGetLastError(); /* the next call is not to report it again */
    return status == cudaErrorMemoryAllocation
               ? fpgz_fail(error, FPGZ_MEMORY, "GPU %d has too little memory free", r->gpu->number)
               : fpgz_fail(error, FPGZ_UNSUPPORTED, "GPU %d failed: %s", r->gpu->number,
                           cudaGetErrorString(status));
}

static __global__ void make_moves(const struct move *moves, unsigned parts)
{
    const struct move move = moves[blockIdx.x / parts];
    const uint32_t thread = blockIdx.x % parts * blockDim.x + threadIdx.x;
    fpgz_move_any(move.from, move.to, move.bytes, thread, parts * blockDim.x);
    if (thread < move.zeros)
        move.to[move.bytes + thread] = 0;
}

cudaError_t fpgz_moves_enqueue(struct fpgz_resident *r)
{
    enum { THREADS = 256, BYTES = 16 << 10 /* for a block of them */, BLOCKS = 4096 };
    if (!r->moves)
        return cudaSuccess;
    const unsigned parts = (unsigned)fpgz_min(r->most / BYTES + 1, BLOCKS / r->moves + 1);
    TRY(fpgz_desk_bring(r, r->desk->move, r->host_desk->move, r->moves));
    if (r->staged)
        TRY(fpgz_desk_bring(r, r->desk->staged, r->host_desk->staged, r->staged));
    TRY(cudaEventRecord(r->read, r->queue));
    make_moves<<<r->moves * parts, THREADS, 0, r->queue>>>(r->desk->move, parts);
    r->moves = 0;
    r->most = 0;
    r->staged = 0;
    return cudaGetLastError();
}

cudaError_t fpgz_moves_add(struct fpgz_resident *r, void *to, const void *from, size_t bytes, unsigned zeros)
{
    if (r->moves == MOVES)
        TRY(fpgz_moves_enqueue(r));
    if (!r->moves)
        TRY(cudaEventSynchronize(r->read));
    r->host_desk->move[r->moves++] = {(const uint8_t *)from, (uint8_t *)to, (uint32_t)bytes, zeros};
    r->most = fpgz_max(r->most, bytes);
    return cudaSuccess;
}

/* Bytes of the host, to the device. */
static cudaError_t stage(struct fpgz_resident *r, uint8_t *to, const uint8_t *from, size_t bytes)
{
    while (bytes) {
        if (r->staged == STAGED || r->moves == MOVES)
            TRY(fpgz_moves_enqueue(r));
        const size_t some = fpgz_min(bytes, STAGED - r->staged);
        TRY(fpgz_moves_add(r, to, r->desk->staged + r->staged, some, 0));
        memcpy(r->host_desk->staged + r->staged, from, some);
        r->staged += some;
        to += some;
        from += some;
        bytes -= some;
    }
    return cudaSuccess;
}

/* The same of many bytes, at once. */
static cudaError_t bring(struct fpgz_resident *r, void *to, const void *from, size_t bytes)
{
    TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, r->queue));
    return fpgz_resident_wait(r);
}

cudaError_t fpgz_resident_wait(struct fpgz_resident *r)
{
    TRY(cudaEventRecord(r->event, r->queue));
    return cudaEventSynchronize(r->event);
}

cudaError_t fpgz_resident_rest(struct fpgz_resident *r)
{
    for (struct seat &seat : r->seat)
        TRY(cudaStreamSynchronize(seat.queue));
    return cudaSuccess;
}

cudaError_t fpgz_resident_follow(struct fpgz_resident *r, cudaStream_t queue, cudaStream_t other)
{
    TRY(cudaEventRecord(r->event, other));
    return cudaStreamWaitEvent(queue, r->event, 0);
}

static cudaError_t make(struct fpgz_resident *r)
{
    TRY(cudaStreamCreateWithFlags(&r->queue, cudaStreamNonBlocking));
    TRY(cudaEventCreateWithFlags(&r->event, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&r->entered, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&r->read, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&r->headed, cudaEventDisableTiming));
    TRY(cudaMalloc((void **)&r->desk, sizeof *r->desk));
    TRY(cudaHostAlloc((void **)&r->host_desk, sizeof *r->host_desk, cudaHostAllocPortable));
    for (struct seat &seat : r->seat)
        TRY(cudaStreamCreateWithFlags(&seat.queue, cudaStreamNonBlocking));
    for (struct reader &reader : r->reader) {
        TRY(cudaStreamCreateWithFlags(&reader.queue, cudaStreamNonBlocking));
        TRY(cudaEventCreateWithFlags(&reader.taken, cudaEventBlockingSync | cudaEventDisableTiming));
    }
    return cudaSuccess;
}

static void swap_device(struct fpgz_resident *r)
{
    cudaGetDevice(&r->others);
    cudaSetDevice(r->gpu->index);
}

enum fpgz_status fpgz_resident_open(struct fpgz_device *device, struct fpgz_resident **resident,
                                    struct fpgz_error *error)
{
    struct fpgz_resident *const r = *resident = (struct fpgz_resident *)calloc(1, sizeof *r);
    if (!r)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    r->gpu = &device->gpu[0];
    for (struct seat &seat : r->seat)
        pthread_mutex_init(&seat.mutex, NULL);
    for (struct reader &reader : r->reader)
        pthread_mutex_init(&reader.mutex, NULL);
    pthread_mutex_init(&r->mutex, NULL);
    swap_device(r);
    const cudaError_t status = make(r);
    cudaSetDevice(r->others);
    return fpgz_resident_fail(r, status, error);
}

void fpgz_resident_close(struct fpgz_resident *r)
{
    if (!r)
        return;
    swap_device(r);
    for (struct seat &seat : r->seat) {
        if (seat.queue)
            cudaStreamDestroy(seat.queue);
        cudaFree(seat.scratch);
        pthread_mutex_destroy(&seat.mutex);
    }
    for (struct reader &reader : r->reader) {
        if (reader.queue)
            cudaStreamDestroy(reader.queue);
        if (reader.taken)
            cudaEventDestroy(reader.taken);
        fpgz_buffer_free(&reader.buffer);
        fpgz_buffer_free(&reader.front);
        pthread_mutex_destroy(&reader.mutex);
    }
    if (r->queue)
        cudaStreamDestroy(r->queue);
    if (r->event)
        cudaEventDestroy(r->event);
    if (r->entered)
        cudaEventDestroy(r->entered);
    if (r->read)
        cudaEventDestroy(r->read);
    if (r->headed)
        cudaEventDestroy(r->headed);
    for (unsigned i = 0; i < r->blocks; i++)
        cudaFreeHost(r->block[i].at);
    pthread_mutex_destroy(&r->mutex);
    cudaFree(r->desk);
    cudaFree(r->memory);
    cudaFreeHost(r->host_desk);
    cudaFreeHost(r->heads);
    cudaSetDevice(r->others);
    free(r);
}

enum fpgz_status fpgz_resident_enter(struct fpgz_resident *r, void *stream, struct fpgz_error *error)
{
    swap_device(r);
    cudaError_t status = cudaEventRecord(r->entered, (cudaStream_t)stream);
    if (!status)
        status = cudaStreamWaitEvent(r->queue, r->entered, 0);
    return fpgz_resident_fail(r, status, error);
}

void fpgz_resident_leave(struct fpgz_resident *r)
{
    if (r->begun)
        fpgz_resident_rest(r);
    r->begun = false;
    cudaStreamSynchronize(r->queue);
    r->moves = 0;
    r->most = 0;
    r->staged = 0;
    cudaSetDevice(r->others);
}

bool fpgz_resident_has(const struct fpgz_resident *r, const void *memory)
{
    struct cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, memory)) {
        cudaGetLastError();
        return false;
    }
    return attributes.type == cudaMemoryTypeManaged ||
           (attributes.type == cudaMemoryTypeDevice && attributes.device == r->gpu->index);
}

cudaError_t fpgz_reader_copy(struct fpgz_resident *r, struct reader *reader, void *to, const void *from,
                             size_t bytes)
{
    pthread_mutex_lock(&reader->mutex);
    cudaError_t status = cudaStreamWaitEvent(reader->queue, r->entered, 0);
    if (!status)
        status = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, reader->queue);
    if (!status && bytes > AT_ONCE)
        status = cudaEventRecord(reader->taken, reader->queue);
    if (!status)
        status = bytes > AT_ONCE ? cudaEventSynchronize(reader->taken) : cudaStreamSynchronize(reader->queue);
    pthread_mutex_unlock(&reader->mutex);
    return status;
}

enum fpgz_status fpgz_resident_copy(struct fpgz_resident *r, void *to, const void *from, size_t bytes,
                                    struct fpgz_error *error)
{
    struct reader *const reader = &r->reader[__atomic_fetch_add(&r->turn, 1, __ATOMIC_RELAXED) % SEATS];
    cudaError_t status = cudaSetDevice(r->gpu->index);
    if (!status)
        status = fpgz_reader_copy(r, reader, to, from, bytes);
    return fpgz_resident_fail(r, status, error);
}

enum fpgz_status fpgz_resident_put(struct fpgz_resident *r, void *to, const void *from, size_t bytes,
                                   struct fpgz_error *error)
{
    const bool from_host = !fpgz_resident_has(r, from), to_host = !fpgz_resident_has(r, to);
    cudaError_t status = cudaSetDevice(r->gpu->index);
    if (status)
        return fpgz_resident_fail(r, status, error);
    if (to_host && from_host)
        memcpy(to, from, bytes);
    else if (to_host)
        status = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, r->queue);
    else if (from_host && bytes > STAGED / 4)
        status = bring(r, to, from, bytes);
    else
        status = from_host ? stage(r, (uint8_t *)to, (const uint8_t *)from, bytes)
                           : fpgz_moves_add(r, to, from, bytes, 0);
    return fpgz_resident_fail(r, status, error);
}

enum fpgz_status fpgz_resident_flush(struct fpgz_resident *r, struct fpgz_error *error)
{
    cudaError_t status = fpgz_moves_enqueue(r);
    if (!status)
        status = fpgz_resident_wait(r);
    return fpgz_resident_fail(r, status, error);
}

static cudaError_t peek(struct fpgz_resident *r, const uint8_t *from, size_t length, uint8_t *ends)
{
    const size_t first = fpgz_min(length, FPGZ_RESIDENT_FIRST), last = fpgz_min(length, FPGZ_RESIDENT_LAST);
    TRY(fpgz_moves_add(r, ends, from, first, 0));
    TRY(fpgz_moves_add(r, ends + first, from + length - last, last, 0));
    TRY(fpgz_moves_enqueue(r));
    return fpgz_resident_wait(r);
}

enum fpgz_status fpgz_resident_peek(struct fpgz_resident *r, const void *from, size_t length,
                                    const uint8_t **ends, struct fpgz_error *error)
{
    *ends = r->host_desk->peeked;
    return fpgz_resident_fail(r, peek(r, (const uint8_t *)from, length, r->host_desk->peeked), error);
}

/* At least so many bytes, on the device or pinned. */
static cudaError_t grow(void **memory, size_t *capacity, size_t bytes, bool pinned)
{
    return *capacity >= bytes ? cudaSuccess : fpgz_memory_replace(memory, capacity, bytes, pinned);
}

cudaError_t fpgz_batch_reserve(struct fpgz_resident *r, size_t bytes, size_t heads)
{
    for (unsigned i = 0; i < r->blocks; i++)
        r->block[i].used = 0;
    TRY(grow((void **)&r->memory, &r->capacity, bytes, false));
    return grow((void **)&r->heads, &r->heads_capacity, heads, true);
}

cudaError_t fpgz_seat_reserve(struct seat *seat, size_t bytes)
{
    if (seat->capacity < bytes)
        TRY(cudaStreamSynchronize(seat->queue));
    return grow((void **)&seat->scratch, &seat->capacity, bytes, false);
}

/* A block with so many bytes left; blocks become larger. */
static cudaError_t find_block(struct fpgz_resident *r, size_t bytes, struct front_block **block)
{
    enum { LEAST = 4 << 20 };
    for (unsigned i = 0; i < r->blocks; i++)
        if (bytes <= r->block[i].capacity - r->block[i].used) {
            *block = &r->block[i];
            return cudaSuccess;
        }
    if (r->blocks == FRONT_BLOCKS)
        return cudaErrorMemoryAllocation;
    struct front_block *const b = *block = &r->block[r->blocks];
    *b = {};
    TRY(grow((void **)&b->at, &b->capacity, fpgz_max(bytes, (size_t)LEAST << r->blocks), true));
    r->blocks++;
    return cudaSuccess;
}

cudaError_t fpgz_front_take(struct fpgz_resident *r, size_t bytes, void **front)
{
    struct front_block *block;
    bytes = fpgz_cuda_align(bytes);
    pthread_mutex_lock(&r->mutex);
    const cudaError_t status = find_block(r, bytes, &block);
    if (!status) {
        *front = block->at + block->used;
        block->used += bytes;
    }
    pthread_mutex_unlock(&r->mutex);
    return status;
}
