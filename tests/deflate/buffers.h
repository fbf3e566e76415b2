/* SPDX-License-Identifier: MIT
 * Inputs for the encoder of deflate: the same bytes on every machine. */
#ifndef FPGZ_TESTS_DEFLATE_BUFFERS_H
#define FPGZ_TESTS_DEFLATE_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

struct buffer_kind {
    const char *name;
    void (*fill)(uint8_t *data, size_t bytes);
    uint32_t least, span; /* sizes that it is for, from `least` on; 0: any */
    uint32_t halves;      /* and how many half windows more, at most */
};

/* Ended by one without a name. */
extern const struct buffer_kind buffer_kinds[];

/* Fills `data` with what a kind makes of a seed. */
void buffer_fill(const struct buffer_kind *kind, uint64_t seed, uint8_t *data, size_t bytes);

/* A number below `limit`, of the sequence that the last buffer_fill() began. */
uint64_t buffer_below(uint64_t limit);

#endif
