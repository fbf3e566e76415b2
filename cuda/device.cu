/* SPDX-License-Identifier: MIT
 * The device layer: lanes that chunks take side by side. A lane is a CUDA stream with memory of its own, so
 * that one chunk's transfers run beside the kernels of others, and nothing ever waits for all. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec.cuh"

extern "C" {
#include "core/bytes.h"
#include "engine/device.h"
}

/* Three would do to keep both directions of the bus and the kernels busy; more hide the waits of the host. */
enum { LANES = FPGZ_DEVICE_LANES, MAX_GPUS = 64, ALIGN = 256 };

struct lane {
    struct gpu *gpu;
    cudaStream_t queue;
    cudaEvent_t event;
    struct fpgz_cuda_result *result; /* pinned */
    uint8_t *memory;                 /* on the device */
    size_t capacity;
    void *front; /* pinned, of codecs that read streams' fronts on the host */
    size_t front_capacity;
    bool taken, closed;
};

struct gpu {
    int number; /* as users say */
    int index;  /* as CUDA says */
    int multiprocessors;
    unsigned taken; /* lanes */
    bool ready;
    struct lane lane[LANES];
};

struct fpgz_device {
    struct gpu gpu[MAX_GPUS];
    unsigned gpu_count; /* 0 before they are counted */
    bool sole;          /* no other can be seen */
    char name[300];
    pthread_mutex_t mutex;
    pthread_cond_t change;
    unsigned open_lanes;       /* that are not closed */
    bool failed;               /* and nobody was told */
    struct fpgz_error failure; /* the first one */
};

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

/* No more chunks for the GPU, which is told about once. */
static void fail(struct fpgz_device *device, struct gpu *gpu, cudaError_t status)
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

bool fpgz_device_start(struct fpgz_device *device)
{
    struct fpgz_error error = {};
    if (!device->gpu_count && find_gpus(0, device, &error)) {
        device->failed = true;
        device->failure = error;
        return false;
    }
    struct cudaDeviceProp properties;
    if (device->gpu_count > 1)
        snprintf(device->name, sizeof device->name, "%u GPUs", device->gpu_count);
    else if (cudaGetDeviceProperties(&properties, device->gpu[0].index) == cudaSuccess)
        snprintf(device->name, sizeof device->name, "GPU %d (%s)", device->gpu[0].number, properties.name);
    for (unsigned i = 0; i < device->gpu_count; i++) {
        struct gpu *gpu = &device->gpu[i];
        const cudaError_t status = start_gpu(gpu);
        pthread_mutex_lock(&device->mutex);
        gpu->ready = status == cudaSuccess;
        device->open_lanes += LANES;
        pthread_mutex_unlock(&device->mutex);
        if (status)
            fail(device, gpu, status);
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

void fpgz_device_pin(struct fpgz_buffer *buffer)
{
    if (buffer->unpin || !buffer->data)
        return;
    if (cudaHostRegister(buffer->data, buffer->capacity, cudaHostRegisterPortable) == cudaSuccess)
        buffer->unpin = unpin;
    else
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

/* NULL when there is none, or none soon enough. */
static struct lane *take_lane(struct fpgz_device *device, bool wait)
{
    struct lane *lane;
    pthread_mutex_lock(&device->mutex);
    while (!(lane = free_lane(device)) && wait && device->open_lanes)
        pthread_cond_wait(&device->change, &device->mutex);
    if (lane) {
        lane->taken = true;
        lane->gpu->taken++;
    }
    pthread_mutex_unlock(&device->mutex);
    return lane;
}

static void give_lane(struct fpgz_device *device, struct lane *lane)
{
    pthread_mutex_lock(&device->mutex);
    lane->taken = false;
    lane->gpu->taken--;
    pthread_cond_broadcast(&device->change);
    pthread_mutex_unlock(&device->mutex);
}

/* Fewer lanes have to do; that none is left is a failure. */
static void out_of_memory(struct fpgz_device *device, struct lane *lane, size_t bytes)
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

/* One chunk, either way. */
struct call {
    const struct fpgz_cuda_codec *codec;
    const struct fpgz_coding *coding;
    bool decoding;
    const void *from; /* in host memory */
    void *to;
    size_t from_bytes, to_bytes; /* to_bytes of an encoder's stream: its bound, then its length */
    enum fpgz_status verdict;
};

static size_t align(size_t bytes)
{
    return fpgz_round_up(bytes, ALIGN);
}

/* Where things lie in a lane's memory, in bytes from its begin; `end` is its size. */
struct places {
    size_t result, values, stream, scratch, end;
};

static struct places place(const struct call *call)
{
    const struct fpgz_coding *coding = call->coding;
    const size_t raw = fpgz_grid_bytes(&coding->grid),
                 stream = call->decoding ? call->from_bytes : call->to_bytes;
    struct places p = {};
    p.values = p.result + align(sizeof(struct fpgz_cuda_result));
    p.stream = p.values + align(raw) + ALIGN;
    p.scratch = p.stream + align(stream) + ALIGN;
    p.end = p.scratch + align(call->codec->scratch(&coding->grid, &coding->params, call->decoding));
    return p;
}

static cudaError_t reserve(struct lane *lane, size_t bytes)
{
    if (lane->capacity >= bytes)
        return cudaSuccess;
    lane->capacity = 0;
    cudaError_t status = cudaFree(lane->memory);
    lane->memory = NULL;
    if (!status)
        status = cudaMalloc((void **)&lane->memory, bytes);
    lane->capacity = status ? 0 : bytes;
    return status;
}

/* Reads what kernels cannot; call->verdict tells whether they can do the rest. */
static cudaError_t open_stream(struct lane *lane, struct call *call)
{
    const size_t bytes = call->codec->front(&call->coding->grid, &call->coding->params);
    cudaError_t status = cudaSuccess;
    if (lane->front_capacity < bytes) {
        lane->front_capacity = 0;
        status = cudaFreeHost(lane->front);
        lane->front = NULL;
        if (!status)
            status = cudaHostAlloc(&lane->front, bytes, cudaHostAllocPortable);
        lane->front_capacity = status ? 0 : bytes;
    }
    if (!status)
        call->verdict =
            call->codec->open(call->coding, (const uint8_t *)call->from, call->from_bytes, lane->front);
    if (call->verdict == FPGZ_UNSUPPORTED)
        call->verdict = FPGZ_LIMIT;
    return status;
}

/* Sleeps until everything enqueued so far is done. */
static cudaError_t wait_for(struct lane *lane)
{
    const cudaError_t status = cudaEventRecord(lane->event, lane->queue);
    return status ? status : cudaEventSynchronize(lane->event);
}

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        const cudaError_t status_ = (call);                                                                  \
        if (status_)                                                                                         \
            return status_;                                                                                  \
    } while (0)

static cudaError_t run_on(struct lane *lane, struct call *call)
{
    const struct places at = place(call);
    TRY(cudaSetDevice(lane->gpu->index));
    if (call->decoding && call->codec->open) {
        TRY(open_stream(lane, call));
        if (call->verdict)
            return cudaSuccess;
    }
    TRY(reserve(lane, at.end));
    uint8_t *const memory = lane->memory;
    struct fpgz_cuda_task task = {};
    task.grid = call->coding->grid;
    task.params = call->coding->params;
    task.values = memory + at.values;
    task.stream = memory + at.stream;
    task.length = call->decoding ? call->from_bytes : 0;
    task.scratch = memory + at.scratch;
    task.result = (struct fpgz_cuda_result *)(memory + at.result);
    task.host_values = call->decoding ? NULL : call->from;
    task.front = lane->front;
    task.queue = lane->queue;
    task.multiprocessors = lane->gpu->multiprocessors;

    void *const from = call->decoding ? task.stream : task.values, *const to = call->decoding ? task.values
                                                                                              : task.stream;
    TRY(cudaMemcpyAsync(from, call->from, call->from_bytes, cudaMemcpyHostToDevice, lane->queue));
    TRY(cudaMemsetAsync((uint8_t *)from + call->from_bytes, 0, ALIGN,
                        lane->queue)); /* wide loads reach there */
    TRY(cudaMemsetAsync(task.result, 0, sizeof *task.result, lane->queue));
    TRY((call->decoding ? call->codec->decode : call->codec->encode)(&task));
    TRY(cudaMemcpyAsync(lane->result, task.result, sizeof *lane->result, cudaMemcpyDeviceToHost,
                        lane->queue));
    if (!call->decoding) {
        TRY(wait_for(lane));
        if (lane->result->status || lane->result->length > call->to_bytes)
            return cudaErrorUnknown;
        call->to_bytes = lane->result->length;
    }
    TRY(cudaMemcpyAsync(call->to, to, call->to_bytes, cudaMemcpyDeviceToHost, lane->queue));
    TRY(wait_for(lane));
    call->verdict = lane->result->status ? FPGZ_CORRUPT : FPGZ_OK;
    return cudaSuccess;
}

static enum fpgz_status run(struct fpgz_device *device, bool wait, struct call *call)
{
    for (struct lane *lane; (lane = take_lane(device, wait)) != NULL;) {
        const cudaError_t status = run_on(lane, call);
        if (status == cudaErrorMemoryAllocation)
            out_of_memory(device, lane, place(call).end);
        else if (status)
            fail(device, lane->gpu, status);
        give_lane(device, lane);
        if (!status)
            return call->verdict;
        if (status != cudaErrorMemoryAllocation)
            break;
    }
    return FPGZ_UNSUPPORTED;
}

enum fpgz_status fpgz_device_encode(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                                    size_t *length)
{
    struct call call = {};
    call.codec = fpgz_cuda_codec_by_id(codec->id);
    if (!call.codec || !call.codec->encode || !fpgz_grid_bytes(&coding->grid))
        return FPGZ_UNSUPPORTED;
    call.coding = coding;
    call.from = values;
    call.from_bytes = fpgz_grid_bytes(&coding->grid);
    call.to = stream;
    call.to_bytes = codec->bound(&coding->grid, &coding->params);
    const enum fpgz_status status = run(device, wait, &call);
    *length = call.to_bytes;
    return status;
}

enum fpgz_status fpgz_device_decode(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                    void *values)
{
    struct call call = {};
    call.codec = fpgz_cuda_codec_by_id(codec->id);
    if (!call.codec || !fpgz_grid_bytes(&coding->grid))
        return FPGZ_UNSUPPORTED;
    call.coding = coding;
    call.decoding = true;
    call.from = stream;
    call.from_bytes = length;
    call.to = values;
    call.to_bytes = fpgz_grid_bytes(&coding->grid);
    return run(device, wait, &call);
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
