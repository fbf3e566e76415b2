/* SPDX-License-Identifier: MIT
 * A binary heap of sequences, ordered by their next number. */
#include "core/heap.h"

#include <stdlib.h>

bool fpgz_heap_begin(struct fpgz_heap *heap, size_t sequences)
{
    heap->count = 0;
    heap->entry = calloc(sequences + 1, sizeof *heap->entry);
    return heap->entry != NULL;
}

static bool before(const struct fpgz_heap_entry *a, const struct fpgz_heap_entry *b)
{
    return a->key != b->key ? a->key < b->key : a->sequence < b->sequence;
}

static void swap(struct fpgz_heap_entry *a, struct fpgz_heap_entry *b)
{
    const struct fpgz_heap_entry kept = *a;
    *a = *b;
    *b = kept;
}

static void sink(struct fpgz_heap *heap)
{
    for (size_t at = 0, least; (least = 2 * at + 1) < heap->count; at = least) {
        if (least + 1 < heap->count && before(&heap->entry[least + 1], &heap->entry[least]))
            least++;
        if (!before(&heap->entry[least], &heap->entry[at]))
            return;
        swap(&heap->entry[least], &heap->entry[at]);
    }
}

void fpgz_heap_add(struct fpgz_heap *heap, uint64_t key, size_t sequence)
{
    size_t at = heap->count++;
    heap->entry[at] = (struct fpgz_heap_entry){key, sequence};
    for (; at && before(&heap->entry[at], &heap->entry[(at - 1) / 2]); at = (at - 1) / 2)
        swap(&heap->entry[at], &heap->entry[(at - 1) / 2]);
}

void fpgz_heap_next(struct fpgz_heap *heap, uint64_t key)
{
    heap->entry[0].key = key;
    sink(heap);
}

void fpgz_heap_drop(struct fpgz_heap *heap)
{
    heap->entry[0] = heap->entry[--heap->count];
    sink(heap);
}

void fpgz_heap_free(struct fpgz_heap *heap)
{
    free(heap->entry);
    heap->entry = NULL;
}
