/* SPDX-License-Identifier: MIT
 * Inflating, and what those need who use zlib. */
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

/* Inflates all of a stream (RFC 1950) to `bytes` bytes. FPGZ_CORRUPT where the stream does not end with its
 * last byte, holds other than so many bytes, or wants a dictionary. */
enum fpgz_status fpgz_inflate(const uint8_t *stream, size_t length, void *data, size_t bytes);

/* Inflates the beginning of a stream of RFC 1951 by zlib, with FPGZ_ZLIB_MEMORY bytes of scratch, up to
 * `room` bytes. Returns how many there were. */
size_t fpgz_inflate_front(const uint8_t *stream, size_t length, void *data, size_t room, void *scratch);

#endif
