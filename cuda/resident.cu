/* SPDX-License-Identifier: MIT
 * What is kept between calls for arrays in a GPU's memory: it is made, entered and left; and bytes are copied
 * between the host, the caller's memory and chunks. */
#include <stdlib.h>
#include <string.h>

#include "move.cuh"
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
    TRY(cudaEventCreateWithFlags(&r->read, cudaEventDisableTiming));
    TRY(cudaMalloc((void **)&r->desk, sizeof *r->desk));
    TRY(cudaHostAlloc((void **)&r->host_desk, sizeof *r->host_desk, cudaHostAllocPortable));
    for (struct seat &seat : r->seat) {
        TRY(cudaStreamCreateWithFlags(&seat.queue, cudaStreamNonBlocking));
        TRY(cudaEventCreateWithFlags(&seat.taken, cudaEventBlockingSync | cudaEventDisableTiming));
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
        if (seat.taken)
            cudaEventDestroy(seat.taken);
        cudaFree(seat.scratch);
        cudaFreeHost(seat.front);
        fpgz_buffer_free(&seat.buffer);
        pthread_mutex_destroy(&seat.mutex);
    }
    if (r->queue)
        cudaStreamDestroy(r->queue);
    if (r->event)
        cudaEventDestroy(r->event);
    if (r->read)
        cudaEventDestroy(r->read);
    cudaFree(r->desk);
    cudaFree(r->memory);
    cudaFreeHost(r->host_desk);
    cudaFreeHost(r->fronts);
    cudaSetDevice(r->others);
    free(r);
}

enum fpgz_status fpgz_resident_enter(struct fpgz_resident *r, void *stream, struct fpgz_error *error)
{
    swap_device(r);
    cudaError_t status = fpgz_resident_follow(r, r->queue, (cudaStream_t)stream);
    for (unsigned i = 0; i < SEATS && !status; i++)
        status = cudaStreamWaitEvent(r->seat[i].queue, r->event, 0);
    return fpgz_resident_fail(r, status, error);
}

void fpgz_resident_leave(struct fpgz_resident *r)
{
    fpgz_resident_rest(r);
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

enum fpgz_status fpgz_resident_copy(struct fpgz_resident *r, void *to, const void *from, size_t bytes,
                                    struct fpgz_error *error)
{
    struct seat *const seat = &r->seat[(uintptr_t)to / FPGZ_CUDA_ALIGN % SEATS];
    pthread_mutex_lock(&seat->mutex);
    cudaError_t status = cudaSetDevice(r->gpu->index);
    if (!status)
        status = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, seat->queue);
    if (!status)
        status = cudaEventRecord(seat->taken, seat->queue);
    if (!status)
        status = cudaEventSynchronize(seat->taken);
    pthread_mutex_unlock(&seat->mutex);
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

/* At least so many bytes, on the device or pinned. */
static cudaError_t grow(void **memory, size_t *capacity, size_t bytes, bool pinned)
{
    return *capacity >= bytes ? cudaSuccess : fpgz_memory_replace(memory, capacity, bytes, pinned);
}

cudaError_t fpgz_batch_reserve(struct fpgz_resident *r, size_t bytes, size_t fronts)
{
    TRY(grow((void **)&r->memory, &r->capacity, bytes, false));
    return grow((void **)&r->fronts, &r->fronts_capacity, fronts, true);
}

cudaError_t fpgz_seat_reserve_front(struct seat *seat, size_t bytes)
{
    return grow(&seat->front, &seat->front_capacity, bytes, true);
}

cudaError_t fpgz_seat_reserve_scratch(struct seat *seat, size_t bytes)
{
    if (seat->capacity < bytes)
        TRY(cudaStreamSynchronize(seat->queue));
    return grow((void **)&seat->scratch, &seat->capacity, bytes, false);
}
