/* SPDX-License-Identifier: MIT
 * Inflating by zlib, whichever: all versions and their likes give the same bytes. */
#ifndef FPGZ_CORE_INFLATE_H
#define FPGZ_CORE_INFLATE_H

#include <zlib.h>

#include "core/arena.h"
#include "core/status.h"

/* Of scratch, from which zlib allocates: it takes 268 KiB to deflate and 40 KiB to inflate (zconf.h); other
 * versions may take more. */
enum { FPGZ_ZLIB_MEMORY = 512 << 10 };

/* A stream that allocates from `arena`. */
z_stream fpgz_zlib_stream(struct fpgz_arena *arena);

/* Inflates all of a stream (RFC 1950, or RFC 1951 if `bare`) to `bytes` bytes with FPGZ_ZLIB_MEMORY bytes of
 * scratch. FPGZ_CORRUPT where the stream does not end with its last byte, holds other than so many bytes, or
 * wants a dictionary. */
enum fpgz_status fpgz_inflate(bool bare, const uint8_t *stream, size_t length, void *data, size_t bytes,
                              void *scratch);

/* Inflates the beginning of a stream of RFC 1951 with the same scratch, up to `room` bytes. Returns how many
 * there were. */
size_t fpgz_inflate_front(const uint8_t *stream, size_t length, void *data, size_t room, void *scratch);

#endif
