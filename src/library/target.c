/* SPDX-License-Identifier: MIT
 * A GPU's memory that a container goes to. */
#include "library/target.h"

#include <errno.h>

/* Puts a chunk's stream, the end of which may be on the GPU already. */
static void put_stream(struct fpgz_target *t, const struct fpgz_buffer *stream, size_t length)
{
    uint8_t *const to = t->to + t->length;
    if (!stream->beyond)
        fpgz_resident_put(t->resident, to, stream->data, length, true, &t->error);
    else if (!fpgz_resident_put(t->resident, to, stream->data, stream->near, false, &t->error))
        fpgz_resident_put(t->resident, to + stream->near, stream->far, stream->beyond, true, &t->error);
}

bool fpgz_target_put(void *target, const void *bytes, size_t length)
{
    struct fpgz_target *t = target;
    const struct fpgz_buffer *const leaving = t->packing->leaving;
    const bool fits = t->length <= t->room && length <= t->room - t->length;
    if (fits && length && leaving && bytes == leaving->data)
        put_stream(t, leaving, length);
    else if (fits && length)
        fpgz_resident_put(t->resident, t->to + t->length, bytes, length, false, &t->error);
    t->length += length;
    errno = EIO;
    return !t->error.status;
}
