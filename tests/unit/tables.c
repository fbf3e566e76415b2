/* SPDX-License-Identifier: MIT
 * Tables of records: their fields as parts, and how these are read and written, by comparison with what is
 * plain and slow. usage: unit_tables   prints what failed, then "N passed, N failed". */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../checks.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "core/gather.h"
#include "core/io.h"
#include "core/table.h"

enum { FILE_BYTES = 300000 };

static void check(bool holds, const char *what, unsigned round)
{
    check_that(holds, "%s (round %u)", what, round);
}

static unsigned below(unsigned limit)
{
    return (unsigned)((random_bits() >> 16) % limit);
}

/* A table of some fields with gaps between them, in runs with gaps between these. */
static struct fpgz_part make_table(void)
{
    static const enum fpgz_dtype dtypes[] = {FPGZ_F64, FPGZ_F32, FPGZ_I16, FPGZ_U8};
    struct fpgz_part table = {.name = strdup("t"), .layout = FPGZ_PIECES};
    uint64_t end = 0, at = below(100), records = 0;
    const unsigned count = 1 + below(6);
    for (unsigned i = 0; i < count; i++) {
        const unsigned several = below(3);
        const struct fpgz_array array = {dtypes[below(4)], FPGZ_LITTLE, several > 0, {several}};
        end += below(2) * below(below(20) ? 9 : 6000);
        check(fpgz_table_add(&table, "field", &array, end), "a field is added", i);
        end += fpgz_dtype_size(array.dtype) * (several ? several : 1);
    }
    end += below(2) * below(5);
    for (unsigned runs = 1 + below(4); runs--;) {
        struct fpgz_run run = {.bytes = end, .step = end, .offset = at, .number = records};
        run.count = 1 + below((unsigned)fpgz_min(2000, FILE_BYTES / 5 / end));
        check(fpgz_place_add_run(&table.place, &run), "a run is added", runs);
        at += run.count * end + below(2) * below(1000);
        records += run.count;
    }
    table.array = (struct fpgz_array){FPGZ_U8, FPGZ_LITTLE, 2, {records, end}};
    table.piece[0] = 1;
    table.piece[1] = end;
    return table;
}

/* Reads and writes pieces of a part's sequence. */
static void test_part(const struct fpgz_part *part, const uint8_t *file, int fd, int copy, unsigned round)
{
    static uint8_t got[FILE_BYTES], wanted[FILE_BYTES];
    const struct fpgz_place *place = &part->place;
    for (uint64_t at = 0, some; at < place->bytes; at += some) {
        uint64_t stopped, sum = 0;
        some = fpgz_min(1 + (below(4) ? below(200000) : below(30)), place->bytes - at);
        for (uint64_t i = 0; i < some; i++)
            wanted[i] = file[fpgz_place_span(place, at + i, 1).offset];
        check(fpgz_gather(&(struct fpgz_area){fd, 0, NULL}, place, at, got, some, &stopped, &sum) &&
                  !memcmp(got, wanted, some) && sum == fpgz_checksum(wanted, some),
              "a field is read", round);
        check(fpgz_scatter(&(struct fpgz_area){copy, 0, NULL}, below(8) ? copy : -1, place, at, got, some,
                           below(2)),
              "a field is written", round);
    }
}

static void test_table(unsigned round)
{
    static uint8_t file[FILE_BYTES], copied[FILE_BYTES];
    struct fpgz_content content = {.kind = 1, .size = FILE_BYTES};
    const struct fpgz_part table = make_table();
    const uint64_t bytes = table.place.bytes;
    const int fd = memfd_create("file", 0), copy = memfd_create("copy", 0);
    size_t got;
    uint64_t sum = 0;
    for (size_t i = 0; i < FILE_BYTES; i++)
        file[i] = below(3) ? (uint8_t)below(256) : 0;
    check(fpgz_write(fd, file, FILE_BYTES) && ftruncate(copy, FILE_BYTES) == 0, "files are made", round);
    *fpgz_content_add(&content) = table;
    check(fpgz_part_valid(content.part, FILE_BYTES) && !fpgz_table_complete(content.part), "a table", round);
    uint8_t *inside = calloc(1, FILE_BYTES);
    for (uint64_t at = 0; at < bytes; at++)
        inside[fpgz_place_span(&content.part->place, at, 1).offset] = 1;
    check(fpgz_content_split(&content), "a table is split", round);
    for (size_t i = 0; i < content.count; i++) {
        const struct fpgz_part *part = &content.part[i];
        check(fpgz_part_valid(part, FILE_BYTES) && fpgz_part_in_order(part) && !part->fields,
              "a field is a part", round);
        sum += part->place.bytes;
        test_part(part, file, fd, copy, round);
    }
    check(sum == bytes, "fields cover the records", round);
    for (size_t i = 0; i < FILE_BYTES; i++)
        file[i] = inside[i] ? file[i] : 0;
    check(fpgz_read_at(copy, copied, FILE_BYTES, 0, &got) && !memcmp(copied, file, FILE_BYTES),
          "fields write the records, and nothing else", round);
    uint64_t stopped;
    check(ftruncate(fd,
                    (off_t)fpgz_place_span(&content.part->place, content.part->place.bytes - 1, 1).offset) ==
                  0 &&
              !fpgz_gather(&(struct fpgz_area){fd, 0, NULL}, &content.part->place, 0, copied,
                           content.part->place.bytes, &stopped, &sum),
          "a file that has become shorter", round);
    close(fd);
    close(copy);
    free(inside);
    fpgz_content_free(&content);
}

static void test_wrong(void)
{
    const struct fpgz_array f32 = {FPGZ_F32, FPGZ_LITTLE, 0, {0}}, none = {FPGZ_F32, FPGZ_LITTLE, 1, {0}},
                            huge = {FPGZ_F64, FPGZ_LITTLE, 2, {UINT64_MAX / 4, 4}};
    const struct {
        const struct fpgz_array *array;
        uint64_t offset;
    } wrong[] = {{&f32, 2}, {&f32, 13}, {&f32, 16}, {&f32, UINT64_MAX}, {&none, 8}, {&huge, 8}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fpgz_part table = {.array = {FPGZ_U8, FPGZ_LITTLE, 2, {10, 16}}};
        check(fpgz_table_add(&table, "a", &f32, 4) &&
                  fpgz_table_add(&table, "b", wrong[i].array, wrong[i].offset) &&
                  fpgz_table_complete(&table) == FPGZ_CORRUPT,
              "fields that cannot be", i);
        fpgz_part_free(&table);
    }
}

int main(void)
{
    for (unsigned round = 0; round < 60; round++)
        test_table(round);
    test_wrong();
    return checks_end();
}
