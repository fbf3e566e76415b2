/* SPDX-License-Identifier: MIT
 * Lists that grow by one: their room doubles when it is used up, which is at powers of two, so that nothing
 * but their count need be kept. */
#ifndef FPGZ_CORE_ROOM_H
#define FPGZ_CORE_ROOM_H

#include <stdlib.h>

/* The list, with room for one more than its `count` entries of `size` bytes. NULL without memory: then it is
 * as it was. */
static inline void *fpgz_room(void *list, size_t count, size_t size)
{
    return count & (count - 1) ? list : reallocarray(list, count ? 2 * count : 1, size);
}

#endif
