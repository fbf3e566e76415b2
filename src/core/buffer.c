/* SPDX-License-Identifier: MIT
 * Aligned buffers that grow, on huge pages where the system has them. */
#include "core/buffer.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "core/bytes.h"

/* WORTH: bytes that take as long to fault in as small pages (0.3 to 1 us each) as a huge page does (50 to 100
 * us, most of it to clear 2 MiB). */
enum { HUGE_PAGE = 2 << 20, SMALL_PAGE = 4096, WORTH = 512 << 10, ALIGNMENT = 64 };

size_t fpgz_buffer_rounded(size_t capacity)
{
    return fpgz_round_up(capacity, capacity >= WORTH ? HUGE_PAGE : SMALL_PAGE);
}

/* Memory of a rounded size; NULL when there is none. */
static uint8_t *map(size_t capacity, size_t size)
{
    void *const data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED)
        return NULL;
    /* A hint: where it fails, only speed is lost. */
    const size_t huge = (capacity + HUGE_PAGE - WORTH) / HUGE_PAGE * HUGE_PAGE;
    if (huge)
        madvise(data, huge, MADV_HUGEPAGE);
    return data;
}

bool fpgz_buffer_reserve(struct fpgz_buffer *buffer, size_t capacity)
{
    if (capacity <= buffer->capacity)
        return true;
    fpgz_buffer_free(buffer);
    if (capacity > SIZE_MAX - HUGE_PAGE)
        return false;
    const size_t size = fpgz_buffer_rounded(capacity);
    buffer->data = size < FPGZ_BUFFER_MAPPED ? aligned_alloc(ALIGNMENT, size) : map(capacity, size);
    buffer->capacity = buffer->data ? size : 0;
    return buffer->data;
}

/* What a buffer takes of a mapping that it shares. */
static size_t mapped_size(size_t capacity)
{
    return fpgz_round_up(fpgz_max(capacity, FPGZ_BUFFER_MAPPED), SMALL_PAGE);
}

void fpgz_buffer_reserve_together(struct fpgz_buffer *const buffer[], const size_t capacity[], unsigned count)
{
    size_t whole = 0, size;
    for (unsigned i = 0; i < count; i++, whole += size) {
        if (buffer[i]->data || !capacity[i] || capacity[i] > SIZE_MAX / 2 / count)
            return;
        size = mapped_size(capacity[i]);
    }
    uint8_t *data = map(whole, fpgz_buffer_rounded(whole));
    for (unsigned i = 0; i < count && data; i++, data += size) {
        size = mapped_size(capacity[i]);
        if (i + 1 == count)
            size += fpgz_buffer_rounded(whole) - whole;
        *buffer[i] = (struct fpgz_buffer){.data = data, .capacity = size};
    }
}

void fpgz_buffer_free(struct fpgz_buffer *buffer)
{
    if (buffer->unpin)
        buffer->unpin(buffer->data);
    buffer->unpin = NULL;
    buffer->pinned = 0;
    if (buffer->free_far)
        buffer->free_far(buffer->far);
    buffer->free_far = NULL;
    buffer->far = NULL;
    buffer->far_capacity = 0;
    buffer->beyond = 0;
    if (buffer->capacity >= FPGZ_BUFFER_MAPPED)
        munmap(buffer->data, buffer->capacity);
    else
        free(buffer->data);
    buffer->data = NULL;
    buffer->capacity = 0;
}

void fpgz_buffer_swap(struct fpgz_buffer *a, struct fpgz_buffer *b)
{
    const struct fpgz_buffer first = *a;
    *a = *b;
    *b = first;
}
