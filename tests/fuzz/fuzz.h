/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* The target that libFuzzer, or replay.c, calls. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Changes an input in place, of a target that has a way of its own (mutate.c); returns its new size. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#endif
