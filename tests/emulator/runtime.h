/* SPDX-License-Identifier: MIT
 * Of the runtime, what the fences of tasks need. */
#ifndef TESTS_EMULATOR_RUNTIME_H
#define TESTS_EMULATOR_RUNTIME_H

#include "emulator.h"

namespace emulator
{
/* Enqueues what the host does between kernels. */
void enqueue(cudaStream_t queue, std::function<void()> work);

/* Of the device's memory that holds `at`; NULL if none does. */
uint8_t *end_of_allocation(const void *at);

/* Whether lanes may share an allocation: then fences are narrow. */
bool shares();
} // namespace emulator

#endif
