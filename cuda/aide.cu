/* SPDX-License-Identifier: MIT
 * Aides of encoders that run on the host: a task has a lane from its begin until its segments are taken. */
#include "device.cuh"

/* Enqueues the task and waits for its outcome. */
static cudaError_t run_on(struct lane *lane, const struct fpgz_cuda_aide *kernels,
                          const struct bins_task *task)
{
    cudaError_t status = cudaSetDevice(lane->gpu->index);
    if (!status)
        status = fpgz_lane_reserve(lane, kernels->memory(task));
    if (!status)
        status = fpgz_lane_reserve_front(lane, kernels->pinned(task));
    if (!status)
        status = kernels->bring(task, lane->memory, (uint8_t *)lane->front, lane->queue);
    if (!status)
        status = kernels->code(task, lane->memory, (uint8_t *)lane->front, lane->queue);
    return status ? status : fpgz_lane_wait(lane);
}

/* Gives the lane of a task back. False, and no more chunks for its GPU, after an error. */
static bool end(struct fpgz_device_aide *aide, struct lane *lane, cudaError_t status, size_t bytes)
{
    if (status == cudaErrorMemoryAllocation)
        fpgz_lane_out_of_memory(aide->device, lane, bytes);
    else if (status)
        fpgz_gpu_fail(aide->device, lane->gpu, status);
    fpgz_lane_give(aide->device, lane);
    return status == cudaSuccess;
}

static bool code(struct fpgz_aide *aide, const struct bins_task *task, struct bins_outcome *outcome)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    const struct fpgz_cuda_aide *const kernels = (const struct fpgz_cuda_aide *)a->kernels;
    struct lane *const lane = fpgz_lane_take(a->device, true);
    if (!lane)
        return false;
    const cudaError_t status = run_on(lane, kernels, task);
    if (status)
        return end(a, lane, status, kernels->memory(task));
    kernels->outcome(task, (const uint8_t *)lane->front, outcome);
    a->lane = lane;
    a->segments = kernels->body(task, lane->memory);
    a->bytes = outcome->bytes;
    return true;
}

static bool take(struct fpgz_aide *aide, uint8_t *out)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    struct lane *const lane = (struct lane *)a->lane;
    cudaError_t status = cudaMemcpyAsync(out, a->segments, a->bytes, cudaMemcpyDeviceToHost, lane->queue);
    if (!status)
        status = fpgz_lane_wait(lane);
    a->tasks += !status;
    return end(a, lane, status, a->bytes);
}

bool fpgz_device_aids(const struct fpgz_codec *codec)
{
    const struct fpgz_cuda_codec *const kernels = fpgz_cuda_codec_by_id(codec->id);
    return kernels && kernels->aide;
}

void fpgz_device_aide(struct fpgz_device *device, const struct fpgz_codec *codec,
                      struct fpgz_device_aide *aide)
{
    *aide = (struct fpgz_device_aide){};
    aide->aide.code = code;
    aide->aide.take = take;
    aide->device = device;
    aide->kernels = fpgz_cuda_codec_by_id(codec->id)->aide;
}
