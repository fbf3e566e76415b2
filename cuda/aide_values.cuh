/* SPDX-License-Identifier: MIT
 * Which values an aide's lane has: those of the call, or those and one of their parts. */
#ifndef FPGZ_CUDA_AIDE_VALUES_CUH
#define FPGZ_CUDA_AIDE_VALUES_CUH

#include "device.cuh"

static const struct fpgz_cuda_aide *kernels_of(const struct fpgz_device_aide *aide)
{
    return ((const struct fpgz_cuda_codec *)aide->codec)->aide;
}

/* Enqueues values on their way to the lane, unless they can stay where they are on the device: *place is set
 * to where kernels have them. */
static cudaError_t bring_from(const struct fpgz_device_aide *a, const void *values, bool whole,
                              const uint8_t **place)
{
    const struct fpgz_cuda_aide *const kernels = kernels_of(a);
    struct lane *const lane = (struct lane *)a->lane;
    const uintptr_t at = (uintptr_t)values - (uintptr_t)a->host;
    const uint8_t *const there = a->there && at < a->length ? a->there + at : NULL;
    uint8_t *const room = lane->memory + kernels->place(&a->shape, whole);
    *place = room;
    if (there && (uintptr_t)there % FPGZ_CUDA_ALIGN == 0) {
        *place = there;
        return cudaSuccess;
    }
    return kernels->bring(&a->shape, there ? there : values, there != NULL, room, lane->queue);
}

static void part(struct fpgz_aide *aide, const struct prans_parts *parts, bool second, const void *values,
                 const void *at)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    a->parts = *parts;
    a->second = second;
    a->part = values == a->whole ? at : NULL;
}

/* Whether the lane has the values of the call, and where. */
static bool has_whole(const struct fpgz_device_aide *a)
{
    return a->lane && (a->apart || a->values == a->whole);
}

static const uint8_t *place_of_whole(const struct fpgz_device_aide *a)
{
    return a->apart ? a->whole_at : a->at;
}

/* Where the lane's memory is free once segments were taken, in bytes from its begin: behind the whole, if
 * that is there. */
static size_t free_behind(const struct fpgz_device_aide *a)
{
    const size_t place = kernels_of(a)->place(&a->shape, a->apart);
    const bool there = ((const struct lane *)a->lane)->memory + place == place_of_whole(a);
    return place + (there ? fpgz_cuda_align(a->shape.values * a->shape.size) : 0);
}

/* Enqueues values on their way to the lane, or what makes parts there. */
static cudaError_t bring(struct fpgz_device_aide *a, const void *values)
{
    const struct lane *const lane = (struct lane *)a->lane;
    const struct fpgz_cuda_aide *const kernels = kernels_of(a);
    cudaError_t status = cudaSuccess;
    if (values != a->part)
        return bring_from(a, values, false, &a->at);
    if (!a->apart)
        status = bring_from(a, a->whole, true, &a->whole_at);
    a->apart = true;
    a->at = lane->memory + kernels->place(&a->shape, false);
    return status ? status
                  : kernels->part(&a->shape, &a->parts, a->second, a->whole_at, lane->memory, lane->queue);
}

#endif
