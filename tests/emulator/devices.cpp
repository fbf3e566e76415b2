/* SPDX-License-Identifier: MIT
 * The runtime: GPUs, as the environment tells them, and errors. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"
#include "shared.h"

namespace
{
enum { MULTIPROCESSORS = 1 };

thread_local int current;
thread_local cudaError_t last;

cudaError_t check_device(int device)
{
    int count;
    const cudaError_t error = cudaGetDeviceCount(&count);
    return emulator::report(error                           ? error
                            : device < 0 || device >= count ? cudaErrorInvalidDevice
                                                            : cudaSuccess);
}

int version(int *number)
{
    *number = (int)emulator::setting("driver=", CUDART_VERSION);
    return 0;
}
} // namespace

size_t emulator::setting(const char *name, size_t otherwise)
{
    const char *const all = getenv("FPGZ_EMULATOR"), *const found = all ? strstr(all, name) : nullptr;
    return found ? strtoull(found + strlen(name), nullptr, 10) : otherwise;
}

cudaError_t emulator::report(cudaError_t error)
{
    if (error)
        last = error;
    return error;
}

int emulator::current_device()
{
    return current;
}

void *emulator_driver(const char *, int)
{
    return emulator::setting("driver=", CUDART_VERSION) ? (void *)&current : nullptr;
}

/* Whether there are files of GPUs, which then are taken for granted. */
int emulator_access(const char *, int)
{
    return emulator::setting("files=", 0) ? 0 : -1;
}

void *emulator_driver_function(void *, const char *)
{
    return (void *)version;
}

size_t emulator::shared_limit()
{
    return emulator::setting("shared=", 227 << 10);
}

bool emulator::shares()
{
    return emulator::setting("shares=", 0);
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorInvalidConfiguration:
        return "invalid configuration argument";
    case cudaErrorNoDevice:
        return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
        return "invalid device ordinal";
    case cudaErrorLaunchFailure:
        return "unspecified launch failure";
    default:
        return "unknown error";
    }
}

cudaError_t cudaGetLastError()
{
    const cudaError_t error = last;
    last = cudaSuccess;
    return error;
}

/* CUDA_VISIBLE_DEVICES ends with the first that there is not. */
cudaError_t cudaGetDeviceCount(int *count)
{
    const int all = (int)emulator::setting("gpus=", 1);
    const char *at = getenv("CUDA_VISIBLE_DEVICES");
    *count = at ? 0 : all;
    for (char *end; at && *at; at = end + (*end == ',')) {
        const long number = strtol(at, &end, 10);
        if (end == at || number < 0 || number >= all || (*end && *end != ','))
            break;
        ++*count;
    }
    return *count ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = current;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    current = device;
    return check_device(device);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    snprintf(properties->name, sizeof properties->name, "emulator");
    return check_device(device);
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device)
{
    *value = attribute == cudaDevAttrMultiProcessorCount ? MULTIPROCESSORS : (int)emulator::shared_limit();
    return check_device(device);
}

cudaError_t emulator_ask_for_shared(int bytes)
{
    return emulator::report(bytes < 0 || (size_t)bytes > emulator::shared_limit() ? cudaErrorInvalidValue
                                                                                  : cudaSuccess);
}
