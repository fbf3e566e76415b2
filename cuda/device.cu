/* SPDX-License-Identifier: MIT
 * The GPUs' lanes are taken and given back, closed where they fail, and all freed at the end. */
#include <stdlib.h>
#include <sys/mman.h>

#include "device.cuh"

extern "C" {
#include "core/bytes.h"
}

/* No more chunks for the lane. With the mutex held. */
static void close_lane(struct fpgz_device *device, struct lane *lane)
{
    if (!lane->closed)
        device->open_lanes--;
    lane->closed = true;
}

void fpgz_gpu_fail(struct fpgz_device *device, struct gpu *gpu, cudaError_t status)
{
    pthread_mutex_lock(&device->mutex);
    for (unsigned i = 0; i < LANES; i++)
        close_lane(device, &gpu->lane[i]);
    if (!device->failure.status) {
        device->failed = true;
        fpgz_fail(&device->failure, FPGZ_UNSUPPORTED, "GPU %d failed and is used no more: %s", gpu->number,
                  cudaGetErrorString(status));
    }
    pthread_cond_broadcast(&device->change);
    pthread_mutex_unlock(&device->mutex);
}

const char *fpgz_device_name(const struct fpgz_device *device)
{
    return device->name;
}

unsigned fpgz_device_lanes(const struct fpgz_device *device)
{
    return device->gpu_count * LANES;
}

bool fpgz_device_has(const struct fpgz_codec *codec, bool decoding)
{
    const struct fpgz_cuda_codec *const kernels = fpgz_cuda_codec_by_id(codec->id);
    return kernels && (decoding || kernels->encode);
}

static void unpin(void *data)
{
    cudaHostUnregister(data);
}

/* Only pages that hold nothing else; they are there before they are pinned: then other threads would wait
 * until they are cleared. */
void fpgz_device_pin(struct fpgz_buffer *buffer, size_t bytes)
{
    enum { POPULATE_WRITE = 23 /* of Linux 5.14 and later, a hint */ };
    if (buffer->pinned >= bytes || buffer->capacity < FPGZ_BUFFER_MAPPED)
        return;
    if (buffer->unpin)
        unpin(buffer->data);
    madvise(buffer->data, bytes, POPULATE_WRITE);
    const bool pinned = cudaHostRegister(buffer->data, bytes, cudaHostRegisterPortable) == cudaSuccess;
    buffer->unpin = pinned ? unpin : NULL;
    buffer->pinned = pinned ? bytes : 0;
    if (!pinned)
        cudaGetLastError(); /* transfers work without */
}

/* A free lane of the GPU that has most of them; NULL when there is none. With the mutex held. */
static struct lane *free_lane(struct fpgz_device *device)
{
    struct lane *found = NULL;
    for (unsigned g = 0; g < device->gpu_count; g++) {
        struct gpu *gpu = &device->gpu[g];
        if (!gpu->ready || (found && gpu->taken >= found->gpu->taken))
            continue;
        for (unsigned i = 0; i < LANES; i++)
            if (!gpu->lane[i].taken && !gpu->lane[i].closed) {
                found = &gpu->lane[i];
                break;
            }
    }
    return found;
}

struct lane *fpgz_lane_take(struct fpgz_device *device, bool wait)
{
    struct lane *lane;
    pthread_mutex_lock(&device->mutex);
    while (!(lane = free_lane(device)) && wait && device->open_lanes) {
        fpgz_seat_leave();
        pthread_cond_wait(&device->change, &device->mutex);
        pthread_mutex_unlock(&device->mutex);
        fpgz_seat_return();
        pthread_mutex_lock(&device->mutex);
    }
    if (lane) {
        lane->taken = true;
        lane->gpu->taken++;
    }
    pthread_mutex_unlock(&device->mutex);
    return lane;
}

void fpgz_lane_give(struct fpgz_device *device, struct lane *lane)
{
    pthread_mutex_lock(&device->mutex);
    lane->taken = false;
    lane->gpu->taken--;
    pthread_cond_broadcast(&device->change);
    pthread_mutex_unlock(&device->mutex);
}

/* Up to an eighth more, as each chunk takes a little more or less than the one before, and growing takes
 * long.
 */
static size_t grown(size_t bytes)
{
    size_t step = 1;
    while (step < bytes / 16)
        step *= 2;
    return fpgz_round_up(bytes, step);
}

cudaError_t fpgz_memory_replace(void **memory, size_t *capacity, size_t bytes, bool pinned)
{
    *capacity = 0;
    TRY(pinned ? cudaFreeHost(*memory) : cudaFree(*memory));
    *memory = NULL;
    TRY(pinned ? cudaHostAlloc(memory, bytes, cudaHostAllocPortable) : cudaMalloc(memory, bytes));
    *capacity = bytes;
    return cudaSuccess;
}

/* Memory of so many bytes for each lane, unless that is much of what is free: the driver takes calls in
 * turns, and one for all takes no longer than one for each does. With the mutex held. */
static void share_out(struct gpu *gpu, size_t bytes)
{
    enum { MOST_PART = 4 };
    size_t left, all;
    gpu->sharing = true;
    if (cudaMemGetInfo(&left, &all) || bytes > left / MOST_PART / LANES)
        return;
    if (cudaMalloc((void **)&gpu->shared, bytes * LANES))
        cudaGetLastError(); /* the next call is not to report it again */
    else
        gpu->share = bytes;
}

static void free_memory(struct lane *lane)
{
    if (!lane->shares)
        cudaFree(lane->memory);
    lane->memory = NULL;
    lane->capacity = 0;
    lane->shares = false;
}

cudaError_t fpgz_lane_reserve(struct lane *lane, size_t bytes)
{
    struct gpu *const gpu = lane->gpu;
    if (lane->capacity >= bytes)
        return cudaSuccess;
    pthread_mutex_lock(&gpu->device->mutex);
    if (!gpu->sharing && gpu->taken > 1)
        share_out(gpu, fpgz_cuda_align(grown(bytes)));
    free_memory(lane);
    if (gpu->share >= bytes) {
        lane->memory = gpu->shared + (lane - gpu->lane) * gpu->share;
        lane->capacity = gpu->share;
        lane->shares = true;
    }
    pthread_mutex_unlock(&gpu->device->mutex);
    return lane->shares ? cudaSuccess
                        : fpgz_memory_replace((void **)&lane->memory, &lane->capacity, grown(bytes), false);
}

void fpgz_lanes_shed(struct gpu *gpu)
{
    bool needed = false;
    pthread_mutex_lock(&gpu->device->mutex);
    for (struct lane &lane : gpu->lane)
        needed |= lane.taken && lane.shares;
    for (struct lane &lane : gpu->lane)
        if (!lane.taken && !(needed && lane.shares))
            free_memory(&lane);
    if (!needed) {
        cudaFree(gpu->shared);
        gpu->shared = NULL;
        gpu->share = 0;
    }
    pthread_mutex_unlock(&gpu->device->mutex);
}

cudaError_t fpgz_pinned_reserve(struct fpgz_buffer *buffer, size_t bytes, size_t pinned)
{
    if (!fpgz_buffer_reserve(buffer, fpgz_max(grown(bytes), FPGZ_BUFFER_MAPPED)))
        return cudaErrorMemoryAllocation;
    if (buffer->pinned < pinned)
        fpgz_device_pin(buffer, fpgz_min(grown(pinned), buffer->capacity));
    return buffer->pinned >= pinned ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t fpgz_lane_wait(struct lane *lane)
{
    cudaError_t status = cudaEventRecord(lane->event, lane->queue);
    if (status)
        return status;
    fpgz_seat_leave();
    status = cudaEventSynchronize(lane->event);
    fpgz_seat_return();
    return status;
}

/* That no lane is left is a failure. */
void fpgz_lane_out_of_memory(struct fpgz_device *device, struct lane *lane, size_t bytes)
{
    cudaGetLastError(); /* the next call is not to report it again */
    pthread_mutex_lock(&device->mutex);
    close_lane(device, lane);
    if (!device->open_lanes && !device->failure.status) {
        device->failed = true;
        fpgz_fail(&device->failure, FPGZ_MEMORY, "GPU %d has no %zu bytes free and is used no more",
                  lane->gpu->number, bytes);
    }
    pthread_mutex_unlock(&device->mutex);
}

bool fpgz_device_failure(struct fpgz_device *device, struct fpgz_error *error)
{
    pthread_mutex_lock(&device->mutex);
    const bool failed = device->failed;
    if (failed)
        *error = device->failure;
    device->failed = false;
    pthread_mutex_unlock(&device->mutex);
    return failed;
}

void fpgz_device_close(struct fpgz_device *device)
{
    if (!device)
        return;
    for (unsigned g = 0; g < device->gpu_count; g++) {
        struct gpu *gpu = &device->gpu[g];
        if (!gpu->ready || cudaSetDevice(gpu->index))
            continue;
        for (unsigned i = 0; i < LANES; i++) {
            free_memory(&gpu->lane[i]);
            cudaFreeHost(gpu->lane[i].result);
            fpgz_buffer_free(&gpu->lane[i].front);
            cudaEventDestroy(gpu->lane[i].event);
            cudaStreamDestroy(gpu->lane[i].queue);
        }
        cudaFree(gpu->shared);
    }
    pthread_cond_destroy(&device->change);
    pthread_mutex_destroy(&device->mutex);
    free(device);
}
