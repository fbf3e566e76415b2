/* SPDX-License-Identifier: MIT
 * Streams of many kinds, right, odd and wrong ones, read beside zlib; and whether the encoder makes them,
 * which the proof says without writing, beside what it writes. usage: proof BUFFERS SEED */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "../checks.h"
#include "buffers.h"
#include "core/deflate/deflate.h"
#include "core/deflate/parse.h"

enum { LARGEST = 200000, ROOM = LARGEST * 2, LEVELS = 9 };

static uint8_t data[LARGEST], stream[ROOM], made[ROOM];
static void *scratch, *memory;

/* A bare stream by zlib, in any of its ways. Returns its length. */
static size_t by_zlib(size_t bytes)
{
    z_stream z = {.next_in = data, .next_out = stream, .avail_out = ROOM};
    if (deflateInit2(&z, (int)buffer_below(LEVELS + 1), Z_DEFLATED, -9 - (int)buffer_below(7),
                     1 + (int)buffer_below(9),
                     buffer_below(2) ? Z_DEFAULT_STRATEGY : (int)buffer_below(5)) != Z_OK)
        abort();
    for (int flush = Z_NO_FLUSH; flush != Z_FINISH;) {
        const size_t left = bytes - (size_t)(z.next_in - data);
        z.avail_in = (uInt)(buffer_below(2) ? left : buffer_below(left + 1));
        flush = z.avail_in == left ? Z_FINISH : (int)buffer_below(Z_FULL_FLUSH + 1);
        if (deflate(&z, flush) == Z_STREAM_ERROR)
            abort();
    }
    deflateEnd(&z);
    return ROOM - z.avail_out;
}

static size_t by_us(const struct fpgz_deflate *how, size_t bytes)
{
    size_t length = 0;
    return fpgz_deflate_encode(how, data, bytes, scratch, stream, ROOM, &length) ? 0 : length;
}

/* Takes the literals up to `end`. */
static void take_literals(struct fpgz_deflate_block *block, const uint8_t *at, const uint8_t *end)
{
    while (at < end)
        fpgz_deflate_take_literal(block, *at++);
}

/* Another place with the bytes of a match, or the same. */
static unsigned other_distance(const uint8_t *at, unsigned length, unsigned distance)
{
    const size_t most = fpgz_min((size_t)(at - data), WINDOW);
    for (unsigned tries = 0; tries < 3000 && most; tries++) {
        const unsigned other = 1 + (unsigned)buffer_below(most);
        if (other != distance && !memcmp(at - other, at, length))
            return other;
    }
    return distance;
}

/* Writes what a stream says once more, but for one thing: a match that is shorter, or none, or from another
 * place, or a block that ends elsewhere. */
static size_t distort(const struct fpgz_deflate_story *story)
{
    struct fpgz_deflate_coder *const coder = scratch;
    struct fpgz_deflate_block *const block = &coder->block;
    struct fpgz_bits out = {.at = made, .end = made + ROOM};
    const uint8_t *at = data, *run = data;
    size_t entry = 0;
    const size_t odd = buffer_below(story->matches + 1),
                 odd_block = buffer_below(4) ? SIZE_MAX : buffer_below(story->blocks);
    const unsigned way = (unsigned)buffer_below(4);
    block->most = 1 << 15;
    for (size_t i = 0; i < story->blocks; i++) {
        const uint8_t *end = data + story->block[i].end;
        fpgz_deflate_block_begin(block, at);
        block->run = at;
        while (entry < story->matches) {
            const uint32_t told = story->match[entry], literals = told >> STORY_LITERALS_SHIFT;
            unsigned length = DEFLATE_MIN_MATCH + (told >> STORY_LENGTH_SHIFT & STORY_LENGTH),
                     distance = 1 + (told & STORY_DISTANCE);
            const uint8_t *const match = run + literals;
            if (match + (literals < STORY_LITERALS_MOST) > end)
                break;
            entry++;
            run = match;
            if (literals == STORY_LITERALS_MOST)
                continue;
            run += length;
            if (entry == odd && way == 0)
                continue;
            if (entry == odd && way == 1 && length > DEFLATE_MIN_MATCH)
                length--;
            if (entry == odd && way == 2)
                distance = other_distance(match, length, distance);
            take_literals(block, at, match);
            fpgz_deflate_take_match(block, match, length, distance);
            at = match + length;
        }
        if (i == odd_block && end - at > 1 && i + 1 < story->blocks)
            end--;
        if (end < at)
            return 0;
        take_literals(block, at, end);
        struct fpgz_deflate_written written;
        fpgz_deflate_block_settle(block, end, true, &written);
        if (fpgz_deflate_block_write(block, end, i + 1 == story->blocks, &written, &out))
            return 0;
        at = end;
    }
    fpgz_bits_align(&out);
    return (size_t)(out.at - made);
}

/* Whether reader and zlib take the stream for the same. */
static bool read_both(const uint8_t *bare, size_t length, uint8_t *restored, size_t bytes,
                      struct fpgz_deflate_story *story, bool *whole)
{
    static uint8_t theirs[LARGEST + 1];
    z_stream z = {
        .next_in = (Bytef *)bare, .avail_in = (uInt)length, .next_out = theirs, .avail_out = (uInt)bytes};
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK)
        abort();
    *whole = inflate(&z, Z_FINISH) == Z_STREAM_END && !z.avail_in && !z.avail_out;
    inflateEnd(&z);
    const bool ours = !fpgz_deflate_read(bare, length, restored, bytes, memory, story);
    return ours == *whole && (!ours || !memcmp(restored, theirs, bytes));
}

/* Compares what the proof says with what is written, steps and all. */
static bool prove(const struct fpgz_deflate *how, const uint8_t *bare, size_t length, const uint8_t *restored,
                  size_t bytes, const struct fpgz_deflate_story *story, uint64_t *proven)
{
    static uint8_t again[ROOM];
    const struct fpgz_deflate_coder *const coder = scratch;
    size_t got = 0;
    const bool makes = fpgz_deflate_makes(how, restored, bytes, scratch, bare, length, story);
    const uint64_t steps = coder->window.steps;
    const bool same = !fpgz_deflate_encode(how, restored, bytes, scratch, again, ROOM, &got) &&
                      got == length && !memcmp(again, bare, length);
    *proven += makes;
    return makes == same && (!makes || steps == coder->window.steps);
}

/* Reads a stream of `length` bytes, or of a few less or more, and has it proven. */
static void try_stream(const char *kind, uint64_t seed, const uint8_t *bytes_of, size_t length, size_t bytes,
                       unsigned level, uint64_t *proven)
{
    uint8_t *const bare = malloc(length + 1), *const restored = malloc(bytes + 1);
    struct fpgz_deflate_story story;
    bool whole;
    if (!bare || !restored)
        abort();
    memcpy(bare, bytes_of, length);
    bare[length] = 0;
    check_that(read_both(bare, length, restored, bytes, &story, &whole), "%s, seed %llu: read as zlib reads",
               kind, (unsigned long long)seed);
    for (unsigned i = 0; i < 3 && whole; i++) {
        const struct fpgz_deflate how = {i ? 1 + (unsigned)buffer_below(LEVELS) : level, i < 2 ? 8 : 9, true};
        check_that(prove(&how, bare, length, restored, bytes, &story, proven),
                   "%s, seed %llu, level %u: proven", kind, (unsigned long long)seed, how.level);
    }
    if (whole && !story.odd && bytes_of == stream && !memcmp(restored, data, bytes)) {
        const size_t other = distort(&story);
        if (other)
            try_stream(kind, seed, made, other, bytes, level, proven);
    }
    free(restored);
    free(bare);
}

/* Changes some bits, or the length. Returns that. */
static size_t damage(size_t length)
{
    const uint64_t way = buffer_below(8);
    if (way == 0)
        stream[length++] = (uint8_t)buffer_below(2);
    else if (way == 1)
        length -= buffer_below(fpgz_min(length, 4) + 1);
    else if (way == 2)
        stream[length - 1] |= (uint8_t)(1u << buffer_below(8));
    else
        for (uint64_t flips = 1 + buffer_below(3); flips; flips--)
            stream[buffer_below(way < 5 ? fpgz_min(length, 100) : length)] ^=
                (uint8_t)(1u << buffer_below(8));
    return length;
}

/* The longest match may be said in two ways, of which zlib knows one. */
static void try_longest(void)
{
    enum { BYTES = 2 + 258 };                                         /* the first byte is none to match */
    static const unsigned code[2][3] = {{0xC5, 0, 0}, {0xC4, 31, 5}}; /* fixed; extra bits, and how many */
    memset(data, 'a', BYTES);
    for (unsigned way = 0; way < 2; way++) {
        struct fpgz_bits out = {.at = stream, .end = stream + ROOM};
        fpgz_bits_put(&out, DEFLATE_FIXED << 1 | 1, DEFLATE_KIND_BITS);
        for (unsigned bit = 16; bit-- > 0;)
            fpgz_bits_put(&out, (0x30 + 'a') >> bit % 8 & 1, 1);
        fpgz_bits_flush(&out);
        for (unsigned bit = 8; bit-- > 0;)
            fpgz_bits_put(&out, code[way][0] >> bit & 1, 1);
        fpgz_bits_put(&out, code[way][1], code[way][2]);
        fpgz_bits_put(&out, 0, 5 + 7); /* from 1 back; the end */
        fpgz_bits_align(&out);
        uint64_t proven = 0;
        try_stream("longest", way, stream, (size_t)(out.at - stream), BYTES, 6, &proven);
        check_that((proven > 0) == (way == 0), "the longest match, way %u: %llu proven", way,
                   (unsigned long long)proven);
    }
}

int main(int argc, char **argv)
{
    uint64_t buffers = argc == 3 ? strtoull(argv[1], NULL, 10) : 1,
             seed = argc == 3 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t proven = 0, tried = 0;
    scratch = malloc(fpgz_deflate_memory());
    memory = malloc(fpgz_deflate_story_memory(LARGEST));
    if (!scratch || !memory)
        return 1;
    for (; buffers; buffers--, seed++)
        for (const struct buffer_kind *kind = buffer_kinds; kind->name; kind++)
            for (unsigned level = 0; level <= LEVELS; level++, tried++) {
                buffer_fill(kind, seed, data, 0);
                const size_t bytes = buffer_below(buffer_below(8) ? 3000 : LARGEST + 1);
                buffer_fill(kind, seed + level, data, bytes);
                const struct fpgz_deflate how = {level ? level : 1, 8 + (unsigned)buffer_below(4) / 3, true};
                size_t length = level ? by_us(&how, bytes) : by_zlib(bytes);
                try_stream(kind->name, seed, stream, length, bytes, how.level, &proven);
                length = damage(length);
                try_stream(kind->name, seed, stream, length, bytes, how.level, &proven);
            }
    try_longest();
    check_that(proven >= tried / 2, "%llu of %llu proven", (unsigned long long)proven,
               (unsigned long long)tried);
    free(scratch);
    free(memory);
    return checks_end();
}
