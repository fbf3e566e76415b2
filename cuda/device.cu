/* SPDX-License-Identifier: MIT
 * The GPUs: they are found, started and closed, and their lanes are taken and given back. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device.cuh"

extern "C" {
#include "core/bytes.h"
}

/* The driver's version, as CUDART_VERSION is written; 0 when there is none. The runtime would start the
 * driver to tell. */
static int driver_version(void)
{
    void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL); /* the runtime opens it, too */
    int (*const get)(int *) = library ? (int (*)(int *))dlsym(library, "cuDriverGetVersion") : NULL;
    int version = 0;
    return get && get(&version) == 0 ? version : 0;
}

/* Whether a GPU can be taken for granted: counting them starts the driver, which takes 0.1 to 0.2 seconds. */
static bool is_there(int number, bool sole)
{
    return number == 0 && (sole || !getenv("CUDA_VISIBLE_DEVICES")) &&
           access("/dev/nvidiactl", R_OK | W_OK) == 0 && access("/dev/nvidia0", R_OK | W_OK) == 0;
}

/* Counts the GPUs and takes those of `number`. */
static enum fpgz_status find_gpus(int number, struct fpgz_device *device, struct fpgz_error *error)
{
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    const char *const why = status != cudaSuccess ? cudaGetErrorString(status) : "there is none";
    if ((status != cudaSuccess || count == 0) && device->sole)
        return fpgz_fail(error, FPGZ_UNSUPPORTED, "GPU %d cannot be used: %s", number, why);
    if (status != cudaSuccess || count == 0)
        return fpgz_fail(error, FPGZ_UNSUPPORTED, "no GPU can be used: %s", why);
    count = count < MAX_GPUS ? count : MAX_GPUS;
    if (number >= count && !device->sole)
        return fpgz_fail(error, FPGZ_USAGE, "there is no GPU %d: %d can be used, from 0 on", number, count);
    device->gpu_count = number < 0 ? (unsigned)count : 1;
    for (unsigned i = 0; i < device->gpu_count; i++) {
        device->gpu[i].number = number < 0 ? (int)i : number;
        device->gpu[i].index = device->sole ? 0 : device->gpu[i].number;
    }
    return FPGZ_OK;
}

enum fpgz_status fpgz_device_open(int number, bool sole, struct fpgz_device **device,
                                  struct fpgz_error *error)
{
    const int driver = driver_version();
    *device = NULL;
    if (driver == 0)
        return fpgz_fail(error, FPGZ_UNSUPPORTED, "there is no CUDA driver");
    if (driver / 1000 < CUDART_VERSION / 1000)
        return fpgz_fail(error, FPGZ_UNSUPPORTED, "the CUDA driver is for version %d.%d: %d.%d is needed",
                         driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000,
                         CUDART_VERSION % 1000 / 10);
    struct fpgz_device *d = (struct fpgz_device *)calloc(1, sizeof *d);
    if (!d)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    d->sole = sole;
    snprintf(d->name, sizeof d->name, "GPU %d", number); /* until it is asked */
    pthread_mutex_init(&d->mutex, NULL);
    pthread_cond_init(&d->change, NULL);
    if (!is_there(number, sole) && find_gpus(number, d, error))
        fpgz_device_close(d);
    else
        *device = d;
    return error->status;
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

static cudaError_t start_gpu(struct gpu *gpu)
{
    cudaError_t status = cudaSetDevice(gpu->index);
    if (!status)
        status = cudaDeviceGetAttribute(&gpu->multiprocessors, cudaDevAttrMultiProcessorCount, gpu->index);
    for (unsigned i = 0; fpgz_cuda_codecs[i] && !status; i++)
        if (fpgz_cuda_codecs[i]->prepare)
            status = fpgz_cuda_codecs[i]->prepare();
    for (unsigned i = 0; i < LANES && !status; i++) {
        struct lane *lane = &gpu->lane[i];
        lane->gpu = gpu;
        status = cudaStreamCreateWithFlags(&lane->queue, cudaStreamNonBlocking);
        if (!status)
            status = cudaEventCreateWithFlags(&lane->event, cudaEventBlockingSync | cudaEventDisableTiming);
        if (!status)
            status = cudaHostAlloc((void **)&lane->result, sizeof *lane->result, cudaHostAllocPortable);
    }
    return status;
}

void fpgz_device_wake(struct fpgz_device *device)
{
    struct cudaDeviceProp properties;
    if (device->awake)
        return;
    device->awake = true;
    if (!device->gpu_count)
        find_gpus(0, device, &device->failure);
    if (device->gpu_count > 1)
        snprintf(device->name, sizeof device->name, "%u GPUs", device->gpu_count);
    else if (device->gpu_count && cudaGetDeviceProperties(&properties, device->gpu[0].index) == cudaSuccess)
        snprintf(device->name, sizeof device->name, "GPU %d (%s)", device->gpu[0].number, properties.name);
}

bool fpgz_device_start(struct fpgz_device *device)
{
    fpgz_device_wake(device);
    device->failed = !device->gpu_count;
    for (unsigned i = 0; i < device->gpu_count; i++) {
        struct gpu *gpu = &device->gpu[i];
        const cudaError_t status = start_gpu(gpu);
        pthread_mutex_lock(&device->mutex);
        gpu->ready = status == cudaSuccess;
        device->open_lanes += LANES;
        pthread_mutex_unlock(&device->mutex);
        if (status)
            fpgz_gpu_fail(device, gpu, status);
    }
    return device->open_lanes;
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

void fpgz_device_pin(struct fpgz_buffer *buffer, size_t bytes)
{
    if (buffer->pinned >= bytes || !buffer->data)
        return;
    if (buffer->unpin)
        unpin(buffer->data);
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

cudaError_t fpgz_lane_reserve(struct lane *lane, size_t bytes)
{
    return lane->capacity >= bytes
               ? cudaSuccess
               : fpgz_memory_replace((void **)&lane->memory, &lane->capacity, grown(bytes), false);
}

cudaError_t fpgz_lane_reserve_front(struct lane *lane, size_t bytes)
{
    return lane->front_capacity >= bytes
               ? cudaSuccess
               : fpgz_memory_replace(&lane->front, &lane->front_capacity, grown(bytes), true);
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
            cudaFree(gpu->lane[i].memory);
            cudaFreeHost(gpu->lane[i].result);
            cudaFreeHost(gpu->lane[i].front);
            cudaEventDestroy(gpu->lane[i].event);
            cudaStreamDestroy(gpu->lane[i].queue);
        }
    }
    pthread_cond_destroy(&device->change);
    pthread_mutex_destroy(&device->mutex);
    free(device);
}
