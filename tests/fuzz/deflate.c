/* SPDX-License-Identifier: MIT
 * Any bytes deflated again, as they are and as what a stream of zlib's holds: inflating gives them back, and
 * nothing is touched that may not be. As a stream they are read as zlib reads them, and proven as they are
 * made.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/deflate/deflate.h"
#include "fuzz.h"

enum { HEAD = 2, INFLATED_MOST = 1 << 20 };

/* False where `stream` is no whole stream of at most `room` bytes. */
static bool inflate_whole(bool bare, const uint8_t *stream, size_t length, uint8_t *data, size_t room,
                          size_t *bytes)
{
    z_stream z = {
        .next_in = (Bytef *)stream, .avail_in = (uInt)length, .next_out = data, .avail_out = (uInt)room};
    if (inflateInit2(&z, bare ? -15 : 15) != Z_OK)
        abort();
    const bool whole = inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_in == 0;
    *bytes = room - z.avail_out;
    inflateEnd(&z);
    return whole;
}

static void *take(size_t bytes)
{
    void *const memory = malloc(bytes + 1);
    if (!memory)
        abort();
    return memory;
}

static void check(const struct fpgz_deflate *how, const uint8_t *input, size_t bytes)
{
    const size_t bound = fpgz_deflate_bound(bytes);
    uint8_t *const data = take(bytes), *const stream = take(bound);
    void *const scratch = take(fpgz_deflate_memory());
    size_t length, again, restored;
    memcpy(data, input, bytes);
    const enum fpgz_status status = fpgz_deflate_encode(how, data, bytes, scratch, stream, bound, &length);
    if (status == FPGZ_OK) {
        uint8_t *const back = take(bytes), *const exact = take(length);
        if (!inflate_whole(how->bare, stream, length, back, bytes + 1, &restored) || restored != bytes ||
            memcmp(back, data, bytes) != 0)
            __builtin_trap();
        if (fpgz_deflate_encode(how, data, bytes, scratch, exact, length - 1, &again) != FPGZ_LIMIT ||
            fpgz_deflate_encode(how, data, bytes, scratch, exact, length, &again) != FPGZ_OK ||
            again != length || memcmp(exact, stream, length) != 0)
            __builtin_trap();
        free(exact);
        free(back);
    } else {
        __builtin_trap(); /* inputs are too short to be refused */
    }
    free(scratch);
    free(stream);
    free(data);
}

/* Reads a stream beside zlib, which inflated it to `bytes` bytes, or could not; and compares what the proof
 * says with what is written. */
static void check_read(struct fpgz_deflate how, const uint8_t *input, size_t length, const uint8_t *inflated,
                       size_t bytes, bool whole)
{
    uint8_t *const stream = take(length), *const data = take(bytes),
                   *const again = take(fpgz_deflate_bound(bytes));
    void *const memory = take(fpgz_deflate_story_memory(bytes)), *const scratch = take(fpgz_deflate_memory());
    struct fpgz_deflate_story story;
    size_t made = 0;
    memcpy(stream, input, length);
    how.bare = true;
    if (!fpgz_deflate_read(stream, length, data, bytes, memory, &story) != whole ||
        (whole && memcmp(data, inflated, bytes) != 0))
        __builtin_trap();
    if (whole && fpgz_deflate_encode(&how, data, bytes, scratch, again, fpgz_deflate_bound(bytes), &made))
        __builtin_trap();
    const bool same = whole && made == length && memcmp(again, stream, length) == 0;
    if (whole && fpgz_deflate_makes(&how, data, bytes, scratch, stream, length, &story) != same)
        __builtin_trap();
    free(scratch);
    free(memory);
    free(again);
    free(data);
    free(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD)
        return 0;
    const struct fpgz_deflate how = {
        .level = 1 + data[0] % 9, .memory_level = 8 + data[1] % 2, .bare = data[1] & 2};
    uint8_t *const inflated = take(INFLATED_MOST);
    size_t bytes;
    check(&how, data + HEAD, size - HEAD);
    const bool whole = inflate_whole(true, data + HEAD, size - HEAD, inflated, INFLATED_MOST, &bytes);
    check_read(how, data + HEAD, size - HEAD, inflated, bytes, whole);
    if (inflate_whole(how.bare, data + HEAD, size - HEAD, inflated, INFLATED_MOST, &bytes))
        check(&how, inflated, bytes);
    free(inflated);
    return 0;
}
