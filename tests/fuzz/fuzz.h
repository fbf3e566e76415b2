/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* The target that libFuzzer, or replay.c, calls. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
