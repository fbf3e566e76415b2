/* SPDX-License-Identifier: MIT
 * Of the runtime, what its files share, and what the fences of tasks need. */
#ifndef TESTS_EMULATOR_RUNTIME_H
#define TESTS_EMULATOR_RUNTIME_H

#include <cuda_runtime.h>

#include "emulator.h"

namespace emulator
{
/* A number of the environment's FPGZ_EMULATOR: "gpus=2 memory=100000 shared=101376 fails=3". */
size_t setting(const char *name, size_t otherwise);

/* What cudaGetLastError() will tell the calling thread, unless it is none. Returns it. */
cudaError_t report(cudaError_t error);

/* Of the calling thread. */
int current_device();

/* Enqueues what the host does between kernels. */
void enqueue(cudaStream_t queue, std::function<void()> work);

/* Of the device's memory that holds `at`; NULL if none does. */
uint8_t *end_of_allocation(const void *at);

/* Whether lanes may share an allocation: then fences are narrow. */
bool shares();
} // namespace emulator

#endif
