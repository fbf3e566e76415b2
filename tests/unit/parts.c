/* SPDX-License-Identifier: MIT
 * Parts of files: what covers a file, its tables, its plans, and slices of arrays, by comparison with what is
 * plain and slow. usage: unit_parts   prints what failed, then "N passed, N failed". */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "archive/slice.h"
#include "container/runs.h"
#include "core/bytes.h"
#include "core/cover.h"
#include "engine/plan.h"

enum { FILE_BYTES = 6000, MAX_VALUES = 5000 };

static void check(bool holds, const char *what, unsigned round)
{
    check_that(holds, "%s (round %u)", what, round);
}

static unsigned below(unsigned limit)
{
    return (unsigned)((random_bits() >> 16) % limit);
}

/* Adds a part of some pieces with gaps, which may run over others and the file's end. */
static void add_part(struct fpgz_content *content)
{
    struct fpgz_part *part = fpgz_content_add(content);
    const unsigned pieces = 1 + below(12), values = 1 + below(9), every = below(3) * 8;
    uint64_t offset = below(FILE_BYTES), number = below(3);
    part->name = strdup("part");
    part->layout = FPGZ_PIECES;
    part->array = (struct fpgz_array){FPGZ_F32, FPGZ_LITTLE, 2, {20, 3 * values}};
    part->piece[0] = 1;
    part->piece[1] = values;
    for (unsigned i = 0; i < pieces; i++) {
        fpgz_place_add(&part->place, offset, 4 * values, number);
        offset += 4 * values + every + (below(4) ? 0 : below(50));
        number += 1 + (below(4) ? 0 : below(3));
    }
}

/* The bytes of a part's sequence, one by one: adds 1 to each of the file's in `count`. */
static void mark(const struct fpgz_place *place, uint64_t at, uint64_t bytes, unsigned char *count)
{
    while (bytes) {
        const struct fpgz_span span = fpgz_place_span(place, at, bytes);
        for (uint64_t i = 0; i < span.bytes && span.offset + i < FILE_BYTES; i++)
            count[span.offset + i]++;
        at += span.bytes;
        bytes -= span.bytes;
    }
}

static bool all_once(const unsigned char *count)
{
    for (unsigned i = 0; i < FILE_BYTES; i++)
        if (count[i] != 1)
            return false;
    return true;
}

/* A table of runs that is written and read again. */
static void test_table(const struct fpgz_part *part, unsigned round)
{
    struct fpgz_numbers table = {0};
    struct fpgz_part read = *part;
    struct fpgz_error error = {0};
    read.place = (struct fpgz_place){0};
    fpgz_runs_add(part, &table);
    check(!table.failed && table.length == fpgz_runs_bytes(part), "a table is written", round);
    const uint8_t *const bytes = table.bytes.data;
    struct fpgz_number_view view = {bytes, bytes + table.length, false};
    check(!fpgz_runs_take(&view, part->place.count, &read, &error) && view.at == view.end &&
              fpgz_part_valid(&read, FILE_BYTES) && read.place.count == part->place.count &&
              read.place.bytes == part->place.bytes,
          "a table is read", round);
    bool same = read.place.count == part->place.count;
    for (size_t i = 0; i < read.place.count && same; i++) {
        const struct fpgz_run *a = &read.place.run[i], *b = &part->place.run[i];
        same = a->at == b->at && a->count == b->count && a->bytes == b->bytes && a->offset == b->offset &&
               (a->count == 1 || a->step == b->step) &&
               (part->layout == FPGZ_BYTES || a->number == b->number);
    }
    check(same, "a table holds the runs", round);
    for (size_t cut = 0; cut < table.length; cut++) {
        struct fpgz_part some = *part;
        some.place = (struct fpgz_place){0};
        view = (struct fpgz_number_view){bytes, bytes + cut, false};
        fpgz_runs_take(&view, UINT64_MAX, &some, &error);
        check(some.place.bytes < part->place.bytes || error.status, "a table is cut off", round);
        free(some.place.run);
    }
    free(read.place.run);
    fpgz_numbers_free(&table);
}

static void test_content(unsigned round)
{
    struct fpgz_content content = {.kind = FPGZ_KIND_RAW + 1, .size = FILE_BYTES};
    unsigned char count[FILE_BYTES] = {0};
    for (unsigned parts = below(8); parts--;)
        add_part(&content);
    check(fpgz_content_complete(&content), "a file is covered", round);
    for (size_t i = 0; i < content.count; i++) {
        check(fpgz_part_valid(&content.part[i], FILE_BYTES), "a part is valid", round);
        mark(&content.part[i].place, 0, content.part[i].place.bytes, count);
        test_table(&content.part[i], round);
    }
    check(all_once(count), "each byte is in one part", round);

    struct fpgz_plan plan;
    struct fpgz_planned chunk;
    uint64_t last = 0, position = 0, done[16] = {0}; /* there are fewer parts */
    bool ascending = true, follow = true, ordered = true;
    memset(count, 0, sizeof count);
    check(fpgz_plan_begin(&plan, &content, 64 + below(600), 1 << 20), "a plan is made", round);
    const bool scattered = fpgz_plan_scattered(&plan);
    while (fpgz_plan_next(&plan, &chunk)) {
        const struct fpgz_place *place = &content.part[chunk.part].place;
        const uint64_t bytes = fpgz_grid_bytes(&chunk.grid);
        const struct fpgz_span span = fpgz_place_span(place, chunk.at, bytes);
        follow = follow && chunk.at == done[chunk.part] && bytes <= fpgz_plan_largest(&plan, chunk.part);
        ascending = ascending && span.offset >= last;
        ordered = ordered && span.offset == position && span.bytes == bytes;
        last = span.offset;
        position += bytes;
        done[chunk.part] += bytes;
        mark(place, chunk.at, bytes, count);
    }
    check(follow && ascending, "chunks follow each other", round);
    check(all_once(count), "each byte is in one chunk", round);
    check(ordered == !scattered, "a plan tells whether it is scattered", round);
    fpgz_plan_free(&plan);
    fpgz_content_free(&content);
}

/* A region's text, as NumPy would read it, and its bounds. */
static void random_region(const uint64_t *extent, unsigned dims, char *text, struct fpgz_box *box)
{
    *text = '\0';
    box->dims = dims;
    for (unsigned d = 0; d < dims; d++) {
        const unsigned e = (unsigned)extent[d], a = below(e + 1), b = below(e + 1);
        char *end = text + strlen(text);
        if (d)
            *end++ = ',';
        box->first[d] = 0;
        box->end[d] = e;
        switch (below(6)) {
        case 0:
            strcpy(end, ":");
            break;
        case 1:
            sprintf(end, "%u:", a);
            box->first[d] = a;
            break;
        case 2:
            sprintf(end, ":-%u", a);
            box->end[d] = e - a;
            break;
        case 3:
            sprintf(end, below(2) ? "%u" : "-%u", a % e + 1);
            box->first[d] = *end == '-' ? e - (a % e + 1) : a % e + 1;
            if (box->first[d] == e)
                sprintf(end, "%u", (unsigned)--box->first[d]);
            box->end[d] = box->first[d] + 1;
            break;
        default:
            sprintf(end, "%u:%u", a, b);
            box->first[d] = a;
            box->end[d] = b < a ? a : b;
        }
    }
}

/* The value at an index of the array, by its axes in the file; -1 where its piece is missing. */
static float value_at(const uint64_t *index, const struct fpgz_part *part, const uint8_t *there)
{
    uint64_t number = 0, value = 0;
    for (unsigned d = 0; d < part->array.dims; d++) {
        if (part->layout == FPGZ_PIECES)
            number = number * fpgz_part_pieces(part, d) + index[d] / part->piece[d];
        value = value * part->array.extent[d] + index[d];
    }
    return there[number] ? (float)value : -1;
}

/* Makes the sequence of a part: dense, or of pieces of which some are missing. */
static uint64_t make_sequence(struct fpgz_part *part, uint8_t *there, float *sequence)
{
    const struct fpgz_array *array = &part->array;
    uint64_t pieces = 1, values = 1, count = 0;
    for (unsigned d = 0; d < array->dims; d++) {
        part->piece[d] =
            part->layout == FPGZ_PIECES ? 1 + below((unsigned)array->extent[d] + 1) : array->extent[d];
        pieces *= fpgz_part_pieces(part, d);
        values *= part->piece[d];
    }
    for (uint64_t number = 0; number < pieces; number++) {
        there[number] = part->layout != FPGZ_PIECES || below(4) || number + 1 == pieces;
        if (!there[number])
            continue;
        fpgz_place_add(&part->place, 4 * count + 100 * number, 4 * values, number);
        for (uint64_t v = 0; v < values; v++) {
            uint64_t piece = number, within = v, index[FPGZ_MAX_DIMS];
            bool inside = true;
            for (unsigned d = array->dims; d-- > 0;) {
                index[d] = piece % fpgz_part_pieces(part, d) * part->piece[d] + within % part->piece[d];
                inside = inside && index[d] < array->extent[d];
                piece /= fpgz_part_pieces(part, d);
                within /= part->piece[d];
            }
            sequence[count++] = inside ? value_at(index, part, there) : -2;
        }
    }
    return count;
}

static void test_slice(unsigned round)
{
    static float sequence[MAX_VALUES * 64], wanted[MAX_VALUES], got[MAX_VALUES];
    static uint8_t there[MAX_VALUES];
    struct fpgz_part part = {.layout = below(2) ? FPGZ_PIECES : FPGZ_DENSE};
    part.column_major = part.layout == FPGZ_DENSE && below(2);
    part.array = (struct fpgz_array){FPGZ_F32, FPGZ_LITTLE, 1 + below(4), {0}};
    const unsigned dims = part.array.dims;
    uint64_t indexed[FPGZ_MAX_DIMS];
    for (unsigned d = 0; d < dims; d++)
        part.array.extent[d] = 1 + below(8);
    for (unsigned d = 0; d < dims; d++)
        indexed[d] = part.array.extent[part.column_major ? dims - 1 - d : d];
    memcpy(part.fill, &(float){-1}, 4);
    const uint64_t values = make_sequence(&part, there, sequence);

    char text[200];
    struct fpgz_box box;
    struct fpgz_error error = {0};
    struct fpgz_slice slice;
    random_region(indexed, dims, text, &box);
    uint64_t count = 0;
    for (uint64_t v = 0; v < fpgz_box_values(&box); v++) {
        uint64_t left = v, index[FPGZ_MAX_DIMS];
        for (unsigned d = dims; d-- > 0; left /= box.end[d] - box.first[d])
            index[part.column_major ? dims - 1 - d : d] = box.first[d] + left % (box.end[d] - box.first[d]);
        wanted[count++] = value_at(index, &part, there);
    }
    check(!fpgz_slice_begin(&slice, &part, &part.array, text, FPGZ_LITTLE, &error) &&
              !fpgz_slice_open(&slice, &error),
          text, round);
    bool shape = slice.bytes == 4 * count;
    for (unsigned d = 0; d < dims; d++)
        shape = shape && slice.out.extent[d] == box.end[d] - box.first[d];
    check(shape, "a slice has its shape", round);

    struct fpgz_buffer piece = {0};
    size_t written = 0, bytes;
    for (uint64_t at = 0, some; at < values; at += some) {
        some = fpgz_min(1 + below(200), values - at);
        uint64_t first = at, needed = some;
        if (!fpgz_slice_needs(&slice, &first, &needed))
            continue;
        check(first >= at && needed && first + needed <= at + some, "a slice needs what there is", round);
        check(fpgz_slice_take(&slice, (uint8_t *)(sequence + first), first, needed, &piece, &bytes), "memory",
              round);
        if (slice.ordered && written + bytes <= sizeof got) {
            memcpy((uint8_t *)got + written, piece.data, bytes);
            written += bytes;
        }
    }
    check(!slice.ordered || written == slice.bytes, "a slice is whole", round);
    check(!slice.bytes || !memcmp(slice.ordered ? (void *)got : slice.canvas, wanted, slice.bytes), text,
          round);
    fpgz_buffer_free(&piece);
    fpgz_slice_free(&slice);
    free(part.place.run);
}

static void test_wrong_regions(void)
{
    static const uint64_t extent[] = {10, 1, 7};
    static const char *const wrong[] = {"",
                                        ",",
                                        "11",
                                        "10",
                                        "0:11",
                                        "-11:",
                                        "1:2:3",
                                        "a",
                                        "1,0,0,0",
                                        "0,1",
                                        "0,-2",
                                        "--1:",
                                        "1 :2",
                                        ":,:,8",
                                        "0x1",
                                        "1:,",
                                        "-",
                                        "5:-11",
                                        "18446744073709551616",
                                        "-18446744073709551615:",
                                        ":18446744073709551617"};
    struct fpgz_box box;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fpgz_error error = {0};
        check(fpgz_region_parse(wrong[i], extent, 3, &box, &error) == FPGZ_USAGE, wrong[i], 0);
    }
}

int main(void)
{
    for (unsigned round = 0; round < 2000; round++) {
        test_content(round);
        test_slice(round);
    }
    test_wrong_regions();
    return checks_end();
}
