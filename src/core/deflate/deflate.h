/* SPDX-License-Identifier: MIT
 * Deflate, byte for byte as zlib 1.2 writes it: one call over the whole input, window of 32 KiB, default
 * strategy (fpgz.5, DEFLATE). What an archive inflated it can thus give back, whatever library is installed.
 */
#ifndef FPGZ_CORE_DEFLATE_DEFLATE_H
#define FPGZ_CORE_DEFLATE_DEFLATE_H

#include "core/deflate/story.h"
#include "core/status.h"

struct fpgz_deflate {
    unsigned level;        /* 1 to 9 */
    unsigned memory_level; /* 8, which is zlib's default, or 9 */
    bool bare;             /* without the zlib header and checksum (RFC 1951 instead of 1950) */
};

/* Bytes of scratch memory, at an address for any type, that an encoder needs, whatever the input. */
size_t fpgz_deflate_memory(void);

/* Bytes that no stream of `bytes` bytes exceeds; 0 where they do not fit into a size_t. */
size_t fpgz_deflate_bound(size_t bytes);

/* Writes the stream of `data`, of *length bytes, to `stream`, which has room for `room` bytes. FPGZ_USAGE
 * where `how` is none of the above; FPGZ_LIMIT where the stream does not fit, or where the input is made to
 * take far longer than any other: such streams are not made. The same input always has the same result. */
enum fpgz_status fpgz_deflate_encode(const struct fpgz_deflate *how, const void *data, size_t bytes,
                                     void *scratch, uint8_t *stream, size_t room, size_t *length);

/* Whether fpgz_deflate_encode() makes `stream` of the data, the story of which is told: the search stops at
 * the first thing that it would have said in another way. */
bool fpgz_deflate_makes(const struct fpgz_deflate *how, const void *data, size_t bytes, void *scratch,
                        const uint8_t *stream, size_t length, const struct fpgz_deflate_story *story);

#endif
