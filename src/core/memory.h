/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CORE_MEMORY_H
#define FPGZ_CORE_MEMORY_H

#include <stdint.h>

/* Bytes of memory that this process may use: those of the machine or, where that is less, the limit of its
 * control group (version 1 or 2) and of those above it. 0: unknown. The files that tell are looked for below
 * `root`, which is "" except in tests. */
uint64_t fpgz_memory_allowed(const char *root);

#endif
