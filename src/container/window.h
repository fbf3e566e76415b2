/* SPDX-License-Identifier: MIT
 * Looks at bytes of a file, mostly from front to back, in few reads. */
#ifndef FPGZ_CONTAINER_WINDOW_H
#define FPGZ_CONTAINER_WINDOW_H

#include "core/buffer.h"

enum { FPGZ_WINDOW_BYTES = 256 << 10 };

struct fpgz_window {
    int fd;
    uint64_t size; /* of the file */
    struct fpgz_buffer room;
    uint64_t at;  /* byte of the file where `room` begins, ... */
    size_t bytes; /* and how many of its bytes are there */
};

/* False without memory. */
bool fpgz_window_open(struct fpgz_window *window, int fd, uint64_t size);

/* The `length` bytes (half a window at most) from byte `at` of the file on; NULL where they cannot be read.
 * They stay until the next call. */
const uint8_t *fpgz_window_peek(struct fpgz_window *window, uint64_t at, size_t length);

/* The first position from `at` on where `found` accepts the next `length` bytes; the file's size if there
 * is none. A read error ends the search. */
uint64_t fpgz_window_find(struct fpgz_window *window, uint64_t at, bool (*found)(const uint8_t *bytes),
                          size_t length);

void fpgz_window_free(struct fpgz_window *window);

#endif
