/* SPDX-License-Identifier: MIT
 * Merges ascending sequences of numbers: the sequence with the least next number comes first. */
#ifndef FPGZ_CORE_HEAP_H
#define FPGZ_CORE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fpgz_heap {
    struct fpgz_heap_entry {
        uint64_t key;
        size_t sequence;
    } * entry; /* [0] is the least */
    size_t count;
};

/* Makes room for `sequences` entries; false without memory. */
bool fpgz_heap_begin(struct fpgz_heap *heap, size_t sequences);

/* Adds the first number of a sequence. */
void fpgz_heap_add(struct fpgz_heap *heap, uint64_t key, size_t sequence);

/* Gives the entry at the front the next number of its sequence, or takes it away. */
void fpgz_heap_next(struct fpgz_heap *heap, uint64_t key);
void fpgz_heap_drop(struct fpgz_heap *heap);

void fpgz_heap_free(struct fpgz_heap *heap);

#endif
