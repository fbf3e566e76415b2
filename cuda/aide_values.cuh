/* SPDX-License-Identifier: MIT
 * Which values an aide's lane has: those of the call, or those and one of their parts. */
#ifndef FPGZ_CUDA_AIDE_VALUES_CUH
#define FPGZ_CUDA_AIDE_VALUES_CUH

#include "device.cuh"

static const struct fpgz_cuda_aide *kernels_of(const struct fpgz_device_aide *aide)
{
    return ((const struct fpgz_cuda_codec *)aide->codec)->aide;
}

/* Enqueues values on their way to the lane: from the device, if they are there, or from the host. */
static cudaError_t bring_from(const struct fpgz_device_aide *a, const void *values, bool whole)
{
    const struct fpgz_cuda_aide *const kernels = kernels_of(a);
    struct lane *const lane = (struct lane *)a->lane;
    const uintptr_t at = (uintptr_t)values - (uintptr_t)a->host;
    const bool there = a->there && at < a->length;
    return kernels->bring(&a->shape, there ? a->there + at : values, there,
                          lane->memory + kernels->place(&a->shape, whole), lane->queue);
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

static size_t place_of_whole(const struct fpgz_device_aide *a)
{
    return kernels_of(a)->place(&a->shape, a->apart);
}

/* Enqueues values on their way to the lane, or what makes parts there. */
static cudaError_t bring(struct fpgz_device_aide *a, const void *values)
{
    const struct lane *const lane = (struct lane *)a->lane;
    cudaError_t status = cudaSuccess;
    if (values != a->part)
        return bring_from(a, values, false);
    if (!a->apart)
        status = bring_from(a, a->whole, true);
    a->apart = true;
    return status ? status : kernels_of(a)->part(&a->shape, &a->parts, a->second, lane->memory, lane->queue);
}

#endif
