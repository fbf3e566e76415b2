/* SPDX-License-Identifier: MIT
 * Reads the numbers and names of a file's header, one behind the other. */
#ifndef FPGZ_SOURCE_CURSOR_H
#define FPGZ_SOURCE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place in a file. All zeros but for the descriptor and what is set of `at`, `size` and `big_endian`. Once
 * something could not be read, nothing can. */
struct fpgz_cursor {
    int fd;
    uint64_t at, size; /* of the next byte, and of the file */
    bool big_endian;   /* the numbers */
    bool failed;
    uint64_t from; /* of the file, that `window` begins with */
    size_t held;
    uint8_t window[4096];
};

/* Reads that many bytes. False at the file's end. */
bool fpgz_cursor_take(struct fpgz_cursor *cursor, void *data, size_t length);

/* Passes over that many bytes. False where the file has less. */
bool fpgz_cursor_skip(struct fpgz_cursor *cursor, uint64_t length);

/* Reads a number of 1 to 8 bytes. 0 where there is none. */
uint64_t fpgz_cursor_number(struct fpgz_cursor *cursor, size_t bytes);

#endif
