/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CORE_MEMORY_H
#define FPGZ_CORE_MEMORY_H

#include <stdint.h>

/* Bytes of memory that the machine has or, where that is less, that the control group (version 1 or 2) of
 * this process and those above it allow. They are looked for in the file system below `root`, which is "" but
 * for tests. 0: it cannot be told. */
uint64_t fpgz_memory_allowed(const char *root);

#endif
