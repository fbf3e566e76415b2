/* SPDX-License-Identifier: MIT
 * Inflating by zlib, with memory that the caller has. */
#include "core/inflate.h"

#include <limits.h>

static voidpf take(voidpf opaque, uInt items, uInt size)
{
    return fpgz_arena_take(opaque, items, size);
}

/* Does nothing: the whole arena is given back at once. */
static void give(voidpf opaque, voidpf address)
{
    (void)opaque, (void)address;
}

z_stream fpgz_zlib_stream(struct fpgz_arena *arena)
{
    return (z_stream){.zalloc = take, .zfree = give, .opaque = arena};
}

enum fpgz_status fpgz_inflate(bool bare, const uint8_t *stream, size_t length, void *data, size_t bytes,
                              void *scratch)
{
    uint8_t nothing;                           /* zlib wants an address */
    if (bytes > UINT_MAX || length > UINT_MAX) /* zlib counts in unsigned int */
        return FPGZ_CORRUPT;
    struct fpgz_arena arena = {scratch, FPGZ_ZLIB_MEMORY};
    z_stream z = fpgz_zlib_stream(&arena);
    if (inflateInit2(&z, bare ? -MAX_WBITS : MAX_WBITS) != Z_OK)
        return FPGZ_MEMORY;
    z.next_in = (Bytef *)stream;
    z.avail_in = (uInt)length;
    z.next_out = bytes > 0 ? data : &nothing;
    z.avail_out = (uInt)bytes;
    const int result = inflate(&z, Z_FINISH);
    const bool whole = result == Z_STREAM_END && z.avail_in == 0 && z.avail_out == 0;
    inflateEnd(&z);
    return whole ? FPGZ_OK : result == Z_MEM_ERROR ? FPGZ_MEMORY : FPGZ_CORRUPT;
}

size_t fpgz_inflate_front(const uint8_t *stream, size_t length, void *data, size_t room, void *scratch)
{
    struct fpgz_arena arena = {scratch, FPGZ_ZLIB_MEMORY};
    z_stream z = fpgz_zlib_stream(&arena);
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK)
        return 0;
    z.next_in = (Bytef *)stream;
    z.avail_in = (uInt)fpgz_min(length, UINT_MAX);
    z.next_out = data;
    z.avail_out = (uInt)fpgz_min(room, UINT_MAX);
    inflate(&z, Z_SYNC_FLUSH);
    const size_t got = (size_t)(z.next_out - (Bytef *)data);
    inflateEnd(&z);
    return got;
}
