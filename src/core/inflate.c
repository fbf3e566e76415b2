/* SPDX-License-Identifier: MIT
 * zlib's streams, whole ones by our own reader, with memory that the caller has. */
#include "core/inflate.h"

#include <limits.h>

#include "core/bytes.h"
#include "core/checksum.h"
#include "core/deflate/story.h"

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

/* RFC 1950's two bytes: deflate, a window of at most 32 KiB, no dictionary. */
static bool is_header(const uint8_t *at)
{
    return (at[0] & 0xF) == Z_DEFLATED && at[0] >> 4 <= MAX_WBITS - 8 && (at[0] << 8 | at[1]) % 31 == 0 &&
           !(at[1] & 0x20);
}

enum fpgz_status fpgz_inflate(const uint8_t *stream, size_t length, void *data, size_t bytes)
{
    enum { HEADER = 2, CHECK = 4 };
    if (length < HEADER + CHECK || !is_header(stream))
        return FPGZ_CORRUPT;
    const enum fpgz_status status =
        fpgz_deflate_read(stream + HEADER, length - HEADER - CHECK, data, bytes, NULL, NULL);
    const uint32_t check = __builtin_bswap32(fpgz_load32(stream + length - CHECK));
    return status ? status : fpgz_adler32(data, bytes) == check ? FPGZ_OK : FPGZ_CORRUPT;
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
