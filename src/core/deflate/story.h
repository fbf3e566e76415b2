/* SPDX-License-Identifier: MIT
 * What a stream of deflate says: its matches and its blocks, as one learns them by inflating it. */
#ifndef FPGZ_CORE_DEFLATE_STORY_H
#define FPGZ_CORE_DEFLATE_STORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* An entry is a match and the number of literals before it, or only as many literals as fit. */
enum {
    STORY_LITERALS_MOST = (1 << 9) - 1, /* and no match */
    STORY_LITERALS_SHIFT = 23,
    STORY_LENGTH_SHIFT = 15, /* 8 bits: less DEFLATE_MIN_MATCH */
    STORY_LENGTH = 0xFF,
    STORY_DISTANCE = 0x7FFF, /* less 1 */
};

struct fpgz_deflate_story {
    const uint8_t *stream; /* bare */
    size_t length;
    uint32_t *match;
    size_t matches; /* stored blocks have none */
    struct fpgz_deflate_told {
        uint64_t begin; /* bit of the stream */
        size_t end;     /* byte of the data */
        unsigned kind;
    } * block;
    size_t blocks;
    bool odd; /* something is said as zlib never does */
};

/* Bytes of memory, at an address for any type, for what a stream of `bytes` bytes says; 0 where a size_t does
 * not hold them. */
size_t fpgz_deflate_story_memory(size_t bytes);

/* Inflates a bare stream, RFC 1951, to `bytes` bytes, and tells its story in `memory`, unless `story` is
 * NULL. FPGZ_CORRUPT where the stream does not end with its last byte or holds other than so many bytes, and
 * where zlib refuses it. */
enum fpgz_status fpgz_deflate_read(const uint8_t *stream, size_t length, uint8_t *data, size_t bytes,
                                   void *memory, struct fpgz_deflate_story *story);

#endif
