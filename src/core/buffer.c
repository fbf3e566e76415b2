/* SPDX-License-Identifier: MIT
 * Aligned buffers that grow, on huge pages where the system has them. */
#include "core/buffer.h"

#include <sys/mman.h>

#include "core/bytes.h"

/* WORTH: bytes that take as long to fault in as small pages (0.3 to 1 us each) as a huge page does (50 to 100
 * us, most of it to clear 2 MiB). */
enum { HUGE_PAGE = 2 << 20, SMALL_PAGE = 4096, WORTH = 512 << 10 };

size_t fpgz_buffer_rounded(size_t capacity)
{
    return fpgz_round_up(capacity, capacity >= WORTH ? HUGE_PAGE : SMALL_PAGE);
}

bool fpgz_buffer_reserve(struct fpgz_buffer *buffer, size_t capacity)
{
    if (capacity <= buffer->capacity)
        return true;
    fpgz_buffer_free(buffer);
    if (capacity > SIZE_MAX - HUGE_PAGE)
        return false;
    const size_t size = fpgz_buffer_rounded(capacity);
    void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED)
        return false;
    /* A hint: where it fails, only speed is lost. */
    const size_t huge = (capacity + HUGE_PAGE - WORTH) / HUGE_PAGE * HUGE_PAGE;
    if (huge)
        madvise(data, huge, MADV_HUGEPAGE);
    buffer->data = data;
    buffer->capacity = size;
    return true;
}

void fpgz_buffer_free(struct fpgz_buffer *buffer)
{
    if (buffer->unpin)
        buffer->unpin(buffer->data);
    buffer->unpin = NULL;
    if (buffer->data)
        munmap(buffer->data, buffer->capacity);
    buffer->data = NULL;
    buffer->capacity = 0;
}
