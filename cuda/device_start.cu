/* SPDX-License-Identifier: MIT
 * The GPUs are found and started. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device.cuh"

/* The driver's version, as CUDART_VERSION is written; 0 when there is none. The runtime would start the
 * driver to tell. */
static int driver_version(void)
{
    void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL); /* the runtime opens it, too */
    int (*const get)(int *) = library ? (int (*)(int *))dlsym(library, "cuDriverGetVersion") : NULL;
    int version = 0;
    return get && get(&version) == 0 ? version : 0;
}

/* Whether GPU 0, and with it one of all, can be taken for granted: counting them starts the driver, which
 * takes 0.1 to 0.4 seconds. */
static bool is_there(int number, bool sole)
{
    return number <= 0 && (sole || !getenv("CUDA_VISIBLE_DEVICES")) &&
           access("/dev/nvidiactl", R_OK | W_OK) == 0 && access("/dev/nvidia0", R_OK | W_OK) == 0;
}

/* Counts the GPUs and takes those that were asked for. */
static enum fpgz_status find_gpus(struct fpgz_device *device, struct fpgz_error *error)
{
    const int number = device->number;
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
        device->gpu[i].device = device;
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
    d->number = number;
    d->sole = sole;
    snprintf(d->name, sizeof d->name, number < 0 ? "GPUs" : "GPU %d", number); /* until it is asked */
    pthread_mutex_init(&d->mutex, NULL);
    pthread_cond_init(&d->change, NULL);
    if (!is_there(number, sole) && find_gpus(d, error))
        fpgz_device_close(d);
    else
        *device = d;
    return error->status;
}

static cudaError_t start_gpu(struct gpu *gpu)
{
    cudaError_t status = cudaSetDevice(gpu->index);
    if (!status)
        __atomic_store_n(&gpu->device->near, true, __ATOMIC_RELAXED);
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
        find_gpus(device, &device->failure);
    if (device->gpu_count > 1)
        snprintf(device->name, sizeof device->name, "%u GPUs", device->gpu_count);
    else if (device->gpu_count && cudaGetDeviceProperties(&properties, device->gpu[0].index) == cudaSuccess)
        snprintf(device->name, sizeof device->name, "GPU %d (%s)", device->gpu[0].number, properties.name);
}

static void *start(void *argument)
{
    struct gpu *const gpu = (struct gpu *)argument;
    struct fpgz_device *const device = gpu->device;
    const cudaError_t status = start_gpu(gpu);
    pthread_mutex_lock(&device->mutex);
    gpu->ready = status == cudaSuccess;
    device->open_lanes += LANES;
    pthread_mutex_unlock(&device->mutex);
    if (status)
        fpgz_gpu_fail(device, gpu, status);
    pthread_mutex_lock(&device->mutex);
    device->starting--;
    pthread_cond_broadcast(&device->change);
    pthread_mutex_unlock(&device->mutex);
    return NULL;
}

/* Pages are pinned by way of the first GPU, which is the runtime's where a thread has chosen none. */
bool fpgz_device_start(struct fpgz_device *device)
{
    fpgz_device_wake(device);
    device->failed = !device->gpu_count;
    device->starting = device->gpu_count;
    for (unsigned i = 0; i < device->gpu_count; i++) {
        struct gpu *const gpu = &device->gpu[i];
        gpu->beside = device->gpu_count > 1 && pthread_create(&gpu->starter, NULL, start, gpu) == 0;
        if (!gpu->beside)
            start(gpu);
    }
    pthread_mutex_lock(&device->mutex);
    while (device->starting && !device->gpu[0].ready)
        pthread_cond_wait(&device->change, &device->mutex);
    const bool ready = device->open_lanes;
    pthread_mutex_unlock(&device->mutex);
    return ready;
}

bool fpgz_device_is_near(const struct fpgz_device *device)
{
    return __atomic_load_n(&device->near, __ATOMIC_RELAXED);
}

void fpgz_device_settle(struct fpgz_device *device)
{
    for (unsigned i = 0; i < device->gpu_count; i++) {
        if (device->gpu[i].beside)
            pthread_join(device->gpu[i].starter, NULL);
        device->gpu[i].beside = false;
    }
}
