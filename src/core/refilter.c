/* SPDX-License-Identifier: MIT
 * Filters that are undone so that they can be done again: shuffle, zlib's deflate, LZF, fletcher32 and
 * others. Of these only deflate leaves something to find out, the level that was used; and whether it was
 * zlib's. */
#include "core/refilter.h"

#include <stdlib.h>

#include "core/bytes.h"
#include "core/deflate/deflate.h"
#include "core/encoded.h"
#include "core/fletcher32.h"
#include "core/lzf.h"
#include "core/packed.h"
#include "core/shuffle.h"

enum { CHECK_BYTES = 4, DEFLATE_HEADER = 2, LEVELS = 9 };

/* What steps are done with: the piece as it is before or behind one, and two buffers for it. */
struct bench {
    const uint8_t *at;
    size_t length;
    uint8_t *buffer[2];
    unsigned next; /* buffer that is free */
    size_t room;   /* of a buffer */
    uint8_t *work; /* another buffer, which also has room for what a stream of deflate says */
    void *tools;   /* memory of coders */
};

size_t fpgz_refilter_bound(const struct fpgz_filters *filters, size_t bytes)
{
    uint64_t before, bound = 0;
    if (fpgz_filter_is_encoded(filters->step))
        return fpgz_encoded_bound(filters->step[0].value, bytes);
    if (filters->step[0].filter == FPGZ_FILTER_PACKED)
        return bytes;
    /* A checksum is before deflate or behind it. */
    if (fpgz_add(bytes, CHECK_BYTES + fpgz_filters_front(filters), &before))
        bound = fpgz_deflate_bound(before);
    return bound > 0 && fpgz_add(bound, CHECK_BYTES, &bound) ? bound : 0;
}

static size_t tools_bytes(void)
{
    return fpgz_round_up(fpgz_max(fpgz_deflate_memory(), fpgz_lzf_memory()), 64);
}

size_t fpgz_refilter_memory(const struct fpgz_filters *filters, size_t bytes)
{
    uint64_t memory, buffer = fpgz_refilter_bound(filters, bytes);
    const uint64_t story = fpgz_deflate_story_memory(buffer);
    return buffer > 0 && story > 0 && buffer < SIZE_MAX / 8 &&
                   fpgz_mul(2, fpgz_round_up(buffer, 64), &memory) &&
                   fpgz_add(memory, fpgz_round_up(fpgz_max(buffer, story), 64), &memory) &&
                   fpgz_add(memory, tools_bytes(), &memory)
               ? memory
               : 0;
}

static struct bench bench_begin(const struct fpgz_filters *filters, const uint8_t *piece, size_t length,
                                size_t bytes, void *scratch)
{
    const size_t room = fpgz_round_up(fpgz_refilter_bound(filters, bytes), 64);
    uint8_t *const buffers = (uint8_t *)scratch + tools_bytes();
    return (struct bench){.at = piece,
                          .length = length,
                          .buffer = {buffers, buffers + room},
                          .room = room,
                          .work = buffers + 2 * room,
                          .tools = scratch};
}

/* The piece is now what the free buffer holds. */
static void move_on(struct bench *bench, size_t length)
{
    bench->at = bench->buffer[bench->next];
    bench->length = length;
    bench->next ^= 1;
}

/* Bytes of a piece before step `until`, if that is deflate, or before the first deflate. */
static size_t bytes_before(const struct fpgz_filters *filters, const struct fpgz_refiltering *how,
                           unsigned until, size_t bytes)
{
    for (unsigned i = 0; i < until; i++)
        if (filters->step[i].filter == FPGZ_FILTER_FLETCHER32 && !fpgz_filter_skipped(how, i))
            bytes += CHECK_BYTES;
    return bytes + (until && !fpgz_filter_skipped(how, 0) ? fpgz_filters_front(filters) : 0);
}

/* The levels that streams with the header of `stream` are made at: bit i is level i. */
static unsigned possible_levels(bool bare, const uint8_t *stream, size_t length)
{
    static const uint16_t levels[] = {1 << 1, 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5, 1 << 6,
                                      1 << 7 | 1 << 8 | 1 << 9};
    return bare ? 0x3FE : length < 2 ? 0 : levels[stream[1] >> 6];
}

/* Finds how the piece, inflated to `bytes` bytes in the free buffer, was deflated. */
static bool find_level(struct bench *bench, bool bare, size_t bytes, const struct fpgz_deflate_story *story,
                       struct fpgz_refiltering *how)
{
    const uint8_t *const data = bench->buffer[bench->next];
    const unsigned possible = possible_levels(bare, bench->at, bench->length);
    const unsigned first =
        (how->memory_level == 9 ? 10 : 0) + (how->level >= 1 && how->level <= LEVELS ? how->level : 0);
    /* The one to try first, then all others, memory level 8 before 9. */
    for (unsigned turn = 0; turn < 20; turn++) {
        const unsigned tried = turn == 0 ? first : turn;
        const struct fpgz_deflate guess = {.level = tried % 10, .memory_level = 8 + tried / 10, .bare = bare};
        if ((turn > 0 && tried == first) || !(possible >> guess.level & 1) ||
            !fpgz_deflate_makes(&guess, data, bytes, bench->tools, bench->at, bench->length, story))
            continue;
        how->level = (uint8_t)guess.level;
        how->memory_level = (uint8_t)guess.memory_level;
        return true;
    }
    return false;
}

/* Inflates what is between header and checksum: whether these are right is seen where they are made again. */
static enum fpgz_status undo_deflate(struct bench *bench, bool bare, uint8_t *target, size_t bytes,
                                     struct fpgz_refiltering *found)
{
    const size_t header = bare ? 0 : DEFLATE_HEADER, check = bare ? 0 : CHECK_BYTES;
    struct fpgz_deflate_story story;
    if (bench->length < header + check)
        return FPGZ_CORRUPT;
    const enum fpgz_status status = fpgz_deflate_read(bench->at + header, bench->length - header - check,
                                                      target, bytes, found ? bench->work : NULL, &story);
    return status || (found && !find_level(bench, bare, bytes, &story, found)) ? FPGZ_CORRUPT : FPGZ_OK;
}

/* The step is alone, so that the other buffer is free, too. */
static enum fpgz_status undo_encoded(const struct bench *bench, uint64_t value, uint8_t *target, size_t bytes,
                                     struct fpgz_refiltering *found)
{
    struct fpgz_deflate how = {.level = 0};
    const enum fpgz_status status =
        fpgz_encoded_undo(value, bench->at, bench->length, bench->buffer[bench->next ^ 1], bench->work,
                          bench->tools, target, bytes, found ? &how : NULL);
    if (found) {
        found->level = (uint8_t)how.level;
        found->memory_level = (uint8_t)how.memory_level;
    }
    return status;
}

/* `makes`: fails where encoding would not make the same again. */
static enum fpgz_status undo_lzf(const struct bench *bench, uint8_t *target, size_t bytes, bool makes)
{
    size_t length;
    if (!fpgz_lzf_decode(bench->at, bench->length, target, bytes))
        return FPGZ_CORRUPT;
    if (makes && (fpgz_lzf_encode(target, bytes, bench->tools, bench->work, bench->length, &length) ||
                  length != bench->length || memcmp(bench->work, bench->at, length) != 0))
        return FPGZ_CORRUPT;
    return FPGZ_OK;
}

/* Takes away what is in front of the piece. */
static enum fpgz_status undo_front(struct bench *bench, const uint8_t *front, size_t bytes)
{
    if (bench->length < bytes || memcmp(bench->at, front, bytes) != 0)
        return FPGZ_CORRUPT;
    bench->at += bytes;
    bench->length -= bytes;
    return FPGZ_OK;
}

/* Undoes one step, before which the piece had `bytes` bytes. `found` receives how it was deflated, unless it
 * is NULL. */
static enum fpgz_status undo(struct bench *bench, const struct fpgz_filters *filters, unsigned number,
                             size_t bytes, struct fpgz_refiltering *found)
{
    const struct fpgz_filter_step *const step = &filters->step[number];
    uint8_t *const target = bench->buffer[bench->next];
    enum fpgz_status status = FPGZ_OK;
    switch (step->filter) {
    case FPGZ_FILTER_SHUFFLE:
        fpgz_from_planes(bench->at, target, bench->length, step->value);
        move_on(bench, bench->length);
        break;
    case FPGZ_FILTER_DEFLATE:
        status = undo_deflate(bench, step->value, target, bytes, found);
        move_on(bench, bytes);
        break;
    case FPGZ_FILTER_FLETCHER32:
        if (bench->length < CHECK_BYTES)
            return FPGZ_CORRUPT;
        bench->length -= CHECK_BYTES;
        if (fpgz_load32(bench->at + bench->length) != fpgz_fletcher32(bench->at, bench->length))
            status = FPGZ_CORRUPT;
        break;
    case FPGZ_FILTER_ENCODED:
    case FPGZ_FILTER_ENCODED_LAST:
        status = undo_encoded(bench, fpgz_filter_encoding(step), target, bytes, found);
        move_on(bench, bytes);
        break;
    case FPGZ_FILTER_PACKED:
        if (!fpgz_packed_undo(step->value, bench->at, bench->length, target, bytes))
            status = FPGZ_CORRUPT;
        move_on(bench, bytes);
        break;
    case FPGZ_FILTER_LZF:
        status = undo_lzf(bench, target, bytes, found);
        move_on(bench, bytes);
        break;
    case FPGZ_FILTER_FRONT:
        status = undo_front(bench, filters->front, step->value);
        break;
    default:
        status = FPGZ_CORRUPT;
    }
    return status;
}

/* Whether undoing the first step of all makes `bytes` bytes, and no other number, where the raw ones go. */
static bool is_exact(const struct bench *bench, const struct fpgz_filters *filters, size_t bytes)
{
    const enum fpgz_filter filter = filters->step[0].filter;
    return filter == FPGZ_FILTER_DEFLATE || (filter == FPGZ_FILTER_SHUFFLE && bench->length == bytes);
}

/* `found` is as in undo(). */
static enum fpgz_status unfilter(const struct fpgz_filters *filters, const struct fpgz_refiltering *how,
                                 struct bench *bench, uint8_t *raw, size_t bytes,
                                 struct fpgz_refiltering *found)
{
    if (bench->length > fpgz_refilter_bound(filters, bytes)) /* no encoder of ours writes so much */
        return FPGZ_CORRUPT;
    for (unsigned i = filters->count; i-- > 0;) {
        if (i == 0 && is_exact(bench, filters, bytes))
            bench->buffer[bench->next] = raw;
        const enum fpgz_status status =
            fpgz_filter_skipped(how, i)
                ? FPGZ_OK
                : undo(bench, filters, i, bytes_before(filters, how, i, bytes), found);
        if (status)
            return status;
    }
    if (bench->length != bytes)
        return FPGZ_CORRUPT;
    if (bench->at != raw)
        memcpy(raw, bench->at, bytes);
    return FPGZ_OK;
}

enum fpgz_status fpgz_unfilter(const struct fpgz_filters *filters, const uint8_t *stored, size_t length,
                               void *scratch, uint8_t *raw, size_t bytes, struct fpgz_refiltering *how)
{
    struct bench bench = bench_begin(filters, stored, length, bytes, scratch);
    const enum fpgz_status status = unfilter(filters, how, &bench, raw, bytes, how);
    if (!status && !fpgz_filters_deflate(filters, how))
        how->level = how->memory_level = 0;
    return status;
}

enum fpgz_status fpgz_unfilter_again(const struct fpgz_filters *filters, const struct fpgz_refiltering *how,
                                     const uint8_t *stored, size_t length, void *scratch, uint8_t *raw,
                                     size_t bytes)
{
    struct bench bench = bench_begin(filters, stored, length, bytes, scratch);
    return unfilter(filters, how, &bench, raw, bytes, NULL);
}

static enum fpgz_status redo(struct bench *bench, const struct fpgz_filters *filters, unsigned number,
                             const struct fpgz_refiltering *how)
{
    const struct fpgz_filter_step *const step = &filters->step[number];
    uint8_t *const target = bench->buffer[bench->next];
    const struct fpgz_deflate whole = {.level = how->level, .memory_level = how->memory_level},
                              deflate = {.level = how->level,
                                         .memory_level = how->memory_level,
                                         .bare = step->value};
    enum fpgz_status status = FPGZ_OK;
    size_t length = bench->length;
    switch (step->filter) {
    case FPGZ_FILTER_SHUFFLE:
        fpgz_to_planes(bench->at, target, length, step->value);
        break;
    case FPGZ_FILTER_DEFLATE:
        status = fpgz_deflate_encode(&deflate, bench->at, length, bench->tools, target, bench->room, &length);
        break;
    case FPGZ_FILTER_FLETCHER32:
        memcpy(target, bench->at, length);
        fpgz_store32(target + length, fpgz_fletcher32(target, length));
        length += CHECK_BYTES;
        break;
    case FPGZ_FILTER_ENCODED:
    case FPGZ_FILTER_ENCODED_LAST:
        status = fpgz_encoded_make(fpgz_filter_encoding(step), &whole, bench->at, length, bench->work,
                                   bench->tools, target, bench->room, &length);
        break;
    case FPGZ_FILTER_PACKED:
        if (!fpgz_packed_make(step->value, bench->at, length, target, &length))
            return FPGZ_CORRUPT;
        break;
    case FPGZ_FILTER_LZF:
        status = fpgz_lzf_encode(bench->at, length, bench->tools, target, bench->room, &length);
        break;
    case FPGZ_FILTER_FRONT:
        memcpy(target, filters->front, step->value);
        memcpy(target + step->value, bench->at, length);
        length += step->value;
        break;
    default:
        status = FPGZ_CORRUPT;
    }
    move_on(bench, length);
    return status == FPGZ_USAGE ? FPGZ_CORRUPT : status;
}

enum fpgz_status fpgz_refilter(const struct fpgz_filters *filters, const struct fpgz_refiltering *how,
                               const uint8_t *raw, size_t bytes, void *scratch, uint8_t *stored, size_t room,
                               size_t *length)
{
    struct bench bench = bench_begin(filters, raw, bytes, bytes, scratch);
    for (unsigned i = 0; i < filters->count; i++) {
        const enum fpgz_status status = fpgz_filter_skipped(how, i) ? FPGZ_OK : redo(&bench, filters, i, how);
        if (status)
            return status;
    }
    if (bench.length > room)
        return FPGZ_LIMIT;
    memcpy(stored, bench.at, bench.length);
    *length = bench.length;
    return FPGZ_OK;
}
