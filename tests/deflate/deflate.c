/* SPDX-License-Identifier: MIT
 * The encoder of deflate beside zlib's own.
 * usage: deflate compare BUFFERS SEED           many buffers at every level with the zlib that is installed;
 * exits 77 where that writes other streams than zlib 1.2, as zlib-ng does deflate digests a line a stream,
 * which digests.json has deflate encode LEVEL MEMORY-LEVEL BARE standard input to standard output */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "../checks.h"
#include "buffers.h"
#include "core/deflate/deflate.h"

enum { LARGEST = 1 << 20, LEVELS = 9, SKIPPED = 77 };

static uint8_t data[LARGEST], ours[LARGEST + (1 << 16)], theirs[LARGEST + (1 << 16)];
static void *scratch;

static size_t by_zlib(const struct fpgz_deflate *how, const uint8_t *input, size_t bytes)
{
    z_stream z = {0};
    if (deflateInit2(&z, (int)how->level, Z_DEFLATED, how->bare ? -15 : 15, (int)how->memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    z.next_in = (Bytef *)input;
    z.avail_in = (uInt)bytes;
    z.next_out = theirs;
    z.avail_out = sizeof theirs;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    deflateEnd(&z);
    return sizeof theirs - z.avail_out;
}

/* In a place of the input's own size, so that sanitizers see what is read outside it, and room for the least
 * that must do. */
static size_t by_us(const struct fpgz_deflate *how, const uint8_t *input, size_t bytes)
{
    uint8_t *const exact = malloc(bytes ? bytes : 1);
    size_t length = 0;
    if (!exact)
        abort();
    memcpy(exact, input, bytes);
    const enum fpgz_status status =
        fpgz_deflate_encode(how, exact, bytes, scratch, ours, fpgz_deflate_bound(bytes), &length);
    free(exact);
    return status ? 0 : length;
}

static bool compare(const struct fpgz_deflate *how, const uint8_t *input, size_t bytes)
{
    const size_t length = by_us(how, input, bytes);
    return length == by_zlib(how, input, bytes) && memcmp(ours, theirs, length) == 0;
}

static const char *describe(const struct fpgz_deflate *how)
{
    static char text[60];
    snprintf(text, sizeof text, "level %u, memory level %u%s", how->level, how->memory_level,
             how->bare ? ", bare" : "");
    return text;
}

/* Most are small; others are about as long as blocks and windows are. */
static size_t choose_size(const struct buffer_kind *kind)
{
    static const size_t edges[] = {16383, 32767, 65274, 65536, 98042, 131072};
    if (kind->span > 0)
        return kind->least + buffer_below(kind->span) + 32768 * buffer_below(kind->halves + 1);
    switch (buffer_below(16)) {
    case 0:
        return buffer_below(200000);
    case 1:
        return edges[buffer_below(6)] + buffer_below(300) - 5;
    case 2:
        return 16383 * (1 + buffer_below(9)) + buffer_below(3);
    case 3:
    case 4:
        return buffer_below(30000);
    default:
        return buffer_below(600);
    }
}

/* All that zlib 1.2 makes of one buffer. */
static bool zlib_is_the_one(void)
{
    XXH3_state_t *const state = XXH3_createState();
    XXH3_64bits_reset(state);
    buffer_fill(&buffer_kinds[4], 1, data, 100000);
    for (unsigned level = 1; level <= LEVELS; level++)
        XXH3_64bits_update(state, theirs, by_zlib(&(struct fpgz_deflate){level, 8, false}, data, 100000));
    const uint64_t digest = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    if (digest != 0x3EF03FEB6A5212D6)
        printf("zlib %s writes other streams (%016llx)\n", zlibVersion(), (unsigned long long)digest);
    return digest == 0x3EF03FEB6A5212D6;
}

static int compare_many(uint64_t buffers, uint64_t seed)
{
    if (!zlib_is_the_one())
        return SKIPPED;
    for (uint64_t i = 0; i < buffers; i++, seed++) {
        for (const struct buffer_kind *kind = buffer_kinds; kind->name; kind++) {
            struct fpgz_deflate how = {.level = 1};
            buffer_fill(kind, seed, data, 0);
            const size_t bytes = choose_size(kind);
            buffer_fill(kind, seed, data, bytes);
            for (; how.level <= LEVELS; how.level++) {
                how.memory_level = buffer_below(3) ? 8 : 9;
                how.bare = buffer_below(2);
                check_that(compare(&how, data, bytes), "%s, seed %llu, %zu bytes, %s", kind->name,
                           (unsigned long long)seed, bytes, describe(&how));
            }
        }
    }
    return checks_end();
}

static int print_digests(void)
{
    static const size_t sizes[] = {0, 1, 2, 3, 5, 300, 4100, 16383, 16384, 65280, 98050};
    XXH3_state_t *const state = XXH3_createState();
    for (const struct buffer_kind *kind = buffer_kinds; kind->name; kind++)
        for (unsigned size = 0; size < sizeof sizes / sizeof sizes[0]; size++) {
            size_t total = 0;
            XXH3_64bits_reset(state);
            buffer_fill(kind, size, data, sizes[size]);
            for (unsigned level = 1; level <= LEVELS; level++) {
                const struct fpgz_deflate how = {level, 8 + (size + level) % 2, size % 2};
                const size_t length = by_us(&how, data, sizes[size]);
                XXH3_64bits_update(state, ours, length);
                total += length;
            }
            printf("%s %zu %zu %016llx\n", kind->name, sizes[size], total,
                   (unsigned long long)XXH3_64bits_digest(state));
        }
    XXH3_freeState(state);
    return 0;
}

static int print_buffer(const char *name, const char *seed, const char *size)
{
    const size_t bytes = strtoul(size, NULL, 10);
    for (const struct buffer_kind *kind = buffer_kinds; kind->name; kind++)
        if (!strcmp(kind->name, name) && bytes <= sizeof data) {
            buffer_fill(kind, strtoull(seed, NULL, 10), data, bytes);
            return fwrite(data, 1, bytes, stdout) != bytes;
        }
    return 1;
}

static int encode(const char *level, const char *memory_level, const char *bare)
{
    const struct fpgz_deflate how = {(unsigned)atoi(level), (unsigned)atoi(memory_level), atoi(bare)};
    const size_t bytes = fread(data, 1, sizeof data, stdin);
    const size_t length = by_us(&how, data, bytes);
    return length == 0 || fwrite(ours, 1, length, stdout) != length;
}

int main(int argc, char **argv)
{
    const char *const command = argc > 1 ? argv[1] : "";
    scratch = malloc(fpgz_deflate_memory());
    if (!scratch)
        return 1;
    int status = 1;
    if (!strcmp(command, "compare") && argc == 4)
        status = compare_many(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    else if (!strcmp(command, "digests") && argc == 2)
        status = print_digests();
    else if (!strcmp(command, "buffer") && argc == 5)
        status = print_buffer(argv[2], argv[3], argv[4]);
    else if (!strcmp(command, "encode") && argc == 5)
        status = encode(argv[2], argv[3], argv[4]);
    free(scratch);
    return status;
}
