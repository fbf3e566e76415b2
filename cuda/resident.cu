/* SPDX-License-Identifier: MIT
 * What is kept between calls for arrays in a GPU's memory: it is made, entered and left. */
#include <stdlib.h>

#include "resident.cuh"

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

cudaError_t fpgz_resident_wait(struct fpgz_resident *r)
{
    TRY(cudaEventRecord(r->event, r->queue));
    return cudaEventSynchronize(r->event);
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
    for (cudaEvent_t &came : r->came)
        TRY(cudaEventCreateWithFlags(&came, cudaEventDisableTiming));
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
    for (cudaEvent_t came : r->came)
        if (came)
            cudaEventDestroy(came);
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
        fpgz_seats_shed(r);
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

/* At least so many bytes, on the device or pinned. Where the device has too few, lanes give up theirs. */
static cudaError_t grow(struct fpgz_resident *r, void **memory, size_t *capacity, size_t bytes, bool pinned)
{
    if (*capacity >= bytes)
        return cudaSuccess;
    const cudaError_t status = fpgz_memory_replace(memory, capacity, bytes, pinned);
    if (status != cudaErrorMemoryAllocation || pinned)
        return status;
    cudaGetLastError(); /* the next call is not to report it again */
    fpgz_lanes_shed(r->gpu);
    return fpgz_memory_replace(memory, capacity, bytes, pinned);
}

cudaError_t fpgz_batch_reserve(struct fpgz_resident *r, size_t bytes, size_t heads)
{
    for (unsigned i = 0; i < r->blocks; i++)
        r->block[i].used = 0;
    TRY(grow(r, (void **)&r->memory, &r->capacity, bytes, false));
    return grow(r, (void **)&r->heads, &r->heads_capacity, heads, true);
}

cudaError_t fpgz_seat_reserve(struct fpgz_resident *r, struct seat *seat, size_t bytes)
{
    if (seat->capacity < bytes)
        TRY(cudaStreamSynchronize(seat->queue));
    return grow(r, (void **)&seat->scratch, &seat->capacity, bytes, false);
}

cudaError_t fpgz_seats_shed(struct fpgz_resident *r)
{
    for (struct seat &seat : r->seat) {
        TRY(cudaStreamSynchronize(seat.queue));
        TRY(cudaFree(seat.scratch));
        seat.scratch = NULL;
        seat.capacity = 0;
    }
    return cudaSuccess;
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
    TRY(grow(r, (void **)&b->at, &b->capacity, fpgz_max(bytes, (size_t)LEAST << r->blocks), true));
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
