/* SPDX-License-Identifier: MIT
 * Buffers between pages that cannot be accessed, so that a byte too far ends the test. */
#include "guarded.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

struct guarded guarded_new(size_t capacity)
{
    struct guarded guarded = {.size = (capacity + PAGE - 1) / PAGE * PAGE + PAGE};
    uint8_t *all = mmap(NULL, guarded.size + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + PAGE, guarded.size, PROT_READ | PROT_WRITE) != 0)
        abort();
    guarded.pages = all + PAGE;
    return guarded;
}

uint8_t *guarded_place(const struct guarded *guarded, size_t length, int front)
{
    return front ? guarded->pages : guarded->pages + guarded->size - length;
}
