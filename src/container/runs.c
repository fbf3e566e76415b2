/* SPDX-License-Identifier: MIT
 * Packs and unpacks tables of runs, and refuses those that do not fit their array. */
#include "container/runs.h"

#include <stdlib.h>

#include "core/bytes.h"

enum { VARINT_BYTES = 10, FIELDS = 4 }; /* the most bytes of a number; the numbers of a run */

/* Seven bits a byte, the least significant first; bit 7 is set where more bytes follow. */
static size_t put(uint64_t number, uint8_t *at)
{
    size_t length = 0;
    for (; number >= 0x80; number >>= 7)
        at[length++] = (uint8_t)(number | 0x80);
    at[length++] = (uint8_t)number;
    return length;
}

/* False at the table's end, and for numbers of more than 64 bits. */
static bool get(const uint8_t **at, const uint8_t *end, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        const uint8_t byte = *(*at)++;
        if (shift == 63 && byte > 1)
            return false;
        *number |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

/* Signed numbers with the sign in bit 0. */
static uint64_t zigzag(uint64_t number)
{
    return number << 1 ^ -(number >> 63);
}

static uint64_t unzigzag(uint64_t number)
{
    return number >> 1 ^ -(number & 1);
}

/* What the next run's place is told relative to. */
struct cursor {
    uint64_t end;    /* of the run before, in the file */
    uint64_t number; /* the number that would follow */
};

static void move_behind(struct cursor *cursor, const struct fpgz_run *run)
{
    cursor->end = run->offset + (run->count - 1) * run->step + run->bytes;
    cursor->number = run->number + run->count;
}

static size_t pack_run(const struct fpgz_run *run, enum fpgz_layout layout, struct cursor *cursor,
                       uint8_t at[VARINT_BYTES * FIELDS])
{
    size_t length = 0;
    if (layout == FPGZ_PIECES)
        length += put(run->count, at);
    length += put(run->offset - cursor->end, at + length);
    if (layout == FPGZ_PIECES) {
        length += put(run->step - run->bytes, at + length);
        length += put(zigzag(run->number - cursor->number), at + length);
    } else {
        length += put(run->bytes, at + length);
    }
    move_behind(cursor, run);
    return length;
}

size_t fpgz_runs_bytes(const struct fpgz_part *part)
{
    struct cursor cursor = {0};
    uint8_t bytes[VARINT_BYTES * FIELDS];
    size_t length = 0;
    for (size_t i = 0; i < part->place.count; i++)
        length += pack_run(&part->place.run[i], part->layout, &cursor, bytes);
    return length;
}

bool fpgz_runs_pack(const struct fpgz_part *part, struct fpgz_buffer *table, size_t *length)
{
    struct cursor cursor = {0};
    *length = 0;
    if (!fpgz_buffer_reserve(table, fpgz_runs_bytes(part) + VARINT_BYTES * FIELDS))
        return false;
    for (size_t i = 0; i < part->place.count; i++)
        *length += pack_run(&part->place.run[i], part->layout, &cursor, table->data + *length);
    return true;
}

static bool get_run(const uint8_t **at, const uint8_t *end, const struct cursor *cursor, uint64_t piece_bytes,
                    struct fpgz_run *run)
{
    uint64_t gap, more = 0, number = 0;
    run->count = 1;
    run->bytes = piece_bytes;
    if (piece_bytes ? !get(at, end, &run->count) || !get(at, end, &gap) || !get(at, end, &more) ||
                          !get(at, end, &number)
                    : !get(at, end, &gap) || !get(at, end, &run->bytes))
        return false;
    run->number = piece_bytes ? cursor->number + unzigzag(number) : 0;
    return fpgz_add(cursor->end, gap, &run->offset) && fpgz_add(run->bytes, more, &run->step);
}

enum fpgz_status fpgz_runs_unpack(const uint8_t *table, size_t length, struct fpgz_part *part,
                                  struct fpgz_error *error)
{
    struct fpgz_place *place = &part->place;
    struct cursor cursor = {0};
    const uint8_t *const end = length ? table + length : table; /* an empty table may be NULL */
    uint64_t piece_bytes = 0;
    if (part->layout == FPGZ_PIECES &&
        !fpgz_extents_bytes(part->array.dtype, part->piece, part->array.dims, &piece_bytes))
        return fpgz_fail(error, FPGZ_CORRUPT, "the size of its pieces is impossible");
    for (size_t room = 0; table < end; place->count++) {
        if (place->count == room) {
            room = room ? 2 * room : 1;
            struct fpgz_run *larger = reallocarray(place->run, room, sizeof *larger);
            if (!larger)
                return fpgz_fail(error, FPGZ_MEMORY, "no memory for a table of %zu runs", room);
            place->run = larger;
        }
        struct fpgz_run *run = &place->run[place->count];
        uint64_t bytes;
        if (!get_run(&table, end, &cursor, piece_bytes, run) || !fpgz_mul(run->count, run->bytes, &bytes))
            return fpgz_fail(error, FPGZ_CORRUPT, "its table of runs is malformed");
        run->at = place->bytes;
        if (!fpgz_add(place->bytes, bytes, &place->bytes))
            return fpgz_fail(error, FPGZ_CORRUPT, "its table of runs is malformed");
        move_behind(&cursor, run);
    }
    return FPGZ_OK;
}
