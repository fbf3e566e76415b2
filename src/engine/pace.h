/* SPDX-License-Identifier: MIT
 * How fast a codec does one work, on the CPU and on a GPU. */
#ifndef FPGZ_ENGINE_PACE_H
#define FPGZ_ENGINE_PACE_H

#include <stdatomic.h>
#include <stdint.h>

/* Moving means, in picoseconds a byte: on a GPU including the time spent waiting for it. 0: unknown. */
struct fpgz_pace {
    atomic_uint_fast64_t cpu, gpu;
};

/* Updates a mean, in which each new chunk weighs an eighth. Threads may overwrite each other's update: the
 * mean is only an estimate, and losing a chunk does not harm it. */
static inline void fpgz_pace_note(atomic_uint_fast64_t *pace, double seconds, uint64_t bytes)
{
    const uint64_t mean = *pace, last = (uint64_t)(1e12 * seconds / (double)bytes);
    *pace = mean ? (7 * mean + last) / 8 : last;
}

#endif
