/* SPDX-License-Identifier: MIT
 * Large buffers that are allocated once and reused: the first touch of fresh pages costs more than the codecs
 * do. */
#ifndef FPGZ_CORE_BUFFER_H
#define FPGZ_CORE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer of so many bytes or more is a mapping, which takes 6 us to make and undo: its pages hold nothing
 * else. */
enum { FPGZ_BUFFER_MAPPED = 64 << 10 };

/* Who brings the other bytes of a buffer that has only some of what it is to have. False where he cannot. */
struct fpgz_rest {
    bool (*bring)(struct fpgz_rest *rest);
};

struct fpgz_buffer {
    uint8_t *data; /* aligned to at least 64 bytes */
    size_t capacity;
    void (*unpin)(void *data); /* called before memory that a device pinned is freed; else NULL */
    size_t pinned;             /* of these bytes at the begin; else 0 */
    const void *there;         /* the same bytes in the memory of the GPU; NULL: they are not there */
    struct fpgz_rest *rest;    /* NULL: no byte is missing */
    /* Memory of a GPU that goes with the buffer until that is freed, and who frees it; else NULL. Only where
     * the buffer's reader says that he takes bytes from there, `beyond` of them, unless that is 0, stand
     * there alone: those from byte `near` on. */
    uint8_t *far;
    void (*free_far)(void *far);
    size_t far_capacity, near, beyond;
    bool takes_far;
};

/* Makes at least `capacity` bytes available, on huge pages where the system has them. The content is lost
 * when the buffer has to grow. False when there is no memory; the buffer is then empty. */
bool fpgz_buffer_reserve(struct fpgz_buffer *buffer, size_t capacity);

/* The same for buffers that are all empty, in one mapping: an end of one and the beginning of the next share
 * a huge page. Does nothing where there is no memory, a buffer is not empty or would be. `count` is above 0.
 */
void fpgz_buffer_reserve_together(struct fpgz_buffer *const buffer[], const size_t capacity[],
                                  unsigned count);

/* Makes sure that no byte is missing. False where they do not come. buffer: NULL, or one. */
static inline bool fpgz_buffer_complete(struct fpgz_buffer *buffer)
{
    if (!buffer || !buffer->rest)
        return true;
    const bool brought = buffer->rest->bring(buffer->rest);
    if (brought)
        buffer->rest = NULL;
    return brought;
}

/* The capacity that a buffer of `capacity` bytes gets. */
size_t fpgz_buffer_rounded(size_t capacity);

void fpgz_buffer_free(struct fpgz_buffer *buffer);

/* Each gets what the other one has. */
void fpgz_buffer_swap(struct fpgz_buffer *a, struct fpgz_buffer *b);

#endif
