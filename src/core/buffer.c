/* SPDX-License-Identifier: MIT
 * Aligned buffers that grow, on huge pages where the system has them. */
#include "core/buffer.h"

#include <sys/mman.h>

#include "core/bytes.h"

enum { HUGE_PAGE = 2 << 20, SMALL_PAGE = 4096 };

size_t fpgz_buffer_rounded(size_t capacity)
{
    return fpgz_round_up(capacity, capacity >= HUGE_PAGE ? HUGE_PAGE : SMALL_PAGE);
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
    /* A hint: where it fails, only speed is lost. A last huge page of which less than a half is wanted would
     * take longer to clear than small ones. */
    const size_t huge = (capacity + HUGE_PAGE / 2) / HUGE_PAGE * HUGE_PAGE;
    if (huge)
        madvise(data, huge < size ? huge : size, MADV_HUGEPAGE);
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
