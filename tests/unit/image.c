/* SPDX-License-Identifier: MIT
 * Images of files: places on both sides, by comparison with a list of bytes, and tables of filtered pieces.
 * usage: unit_image   prints what failed, then "N passed, N failed". */
#include "core/image.h"

#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "container/table.h"
#include "core/content.h"

enum { PIECES = 12, RAW = 24, MOST = 2000 };

static unsigned below(unsigned limit)
{
    return (unsigned)((random_bits() >> 16) % limit);
}

/* Random pieces of a file and its image: every byte of the image that is in no piece knows its place in the
 * file. */
static void test_places(unsigned round)
{
    struct fpgz_image forward = {0}, back = {0};
    uint64_t file = below(40), image = file, place[MOST], ends[2], start[PIECES][3];
    const unsigned pieces = below(PIECES + 1);
    memset(place, 0xFF, sizeof place);
    for (uint64_t i = 0; i < file; i++)
        place[i] = i;
    for (unsigned i = 0; i < pieces; i++) {
        const unsigned stored = 1 + below(60), gap = below(3) ? 0 : below(40);
        start[i][0] = file;
        start[i][1] = image;
        start[i][2] = stored;
        place[image] = file;
        file += stored;
        image += RAW;
        for (unsigned j = 0; j < gap; j++)
            place[image++] = file++;
    }
    for (unsigned i = pieces; i-- > 0;) /* the order in which they are added does not matter */
        check_that(fpgz_image_add(&forward, start[i][0], start[i][2], RAW) &&
                       fpgz_image_add(&back, start[i][1], RAW, start[i][2]),
                   "memory (round %u)", round);
    check_that(fpgz_image_end(&forward, file, &ends[1]) && ends[1] == image, "the image's size (round %u)",
               round);
    check_that(fpgz_image_end(&back, image, &ends[0]) && ends[0] == file, "the file's size (round %u)",
               round);
    bool same = true;
    for (uint64_t i = 0; i < image; i++)
        same = same && (place[i] == UINT64_MAX || (fpgz_image_place(&back, i) == place[i] &&
                                                   fpgz_image_place(&forward, place[i]) == i));
    check_that(same, "places on both sides (round %u)", round);
    fpgz_image_free(&forward);
    fpgz_image_free(&back);
}

static void test_refused(void)
{
    static const uint64_t wrong[][4] = {
        {0, 10, 5, 10}, {90, 11, 0, 1}, {UINT64_MAX - 2, 10, 0, 1}, {40, 0, 0, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fpgz_image image = {0};
        uint64_t other;
        check_that(fpgz_image_add(&image, wrong[i][0], wrong[i][1], 7) &&
                       fpgz_image_add(&image, wrong[i][2], wrong[i][3], 7) &&
                       !fpgz_image_end(&image, 100, &other),
                   "pieces that cannot be (%zu)", i);
        fpgz_image_free(&image);
    }
}

/* An array of filtered pieces, some of which are kept. */
static void make_part(struct fpgz_part *part)
{
    uint64_t offset = below(50), number = 0;
    *part = (struct fpgz_part){
        .array = {FPGZ_F32, FPGZ_LITTLE, 2, {600, 3}}, .layout = FPGZ_PIECES, .piece = {2, 3}};
    part->filters =
        (struct fpgz_filters){.count = 2, .step = {{FPGZ_FILTER_SHUFFLE, 4}, {FPGZ_FILTER_DEFLATE, 0}}};
    part->stored = calloc(PIECES, sizeof *part->stored);
    part->kept = calloc(PIECES, sizeof *part->kept);
    for (unsigned i = 0; i < PIECES; i++, number += 1 + below(3) / 2) {
        offset += below(3) ? 0 : below(1000);
        if (i && !below(4)) {
            part->kept[part->kepts++] = (struct fpgz_kept){number, offset, 1 + below(300), (uint8_t)below(4)};
            offset += part->kept[part->kepts - 1].length;
            continue;
        }
        struct fpgz_stored *const stored = &part->stored[part->place.bytes / RAW];
        const unsigned level = below(10);
        stored->length = 1 + below(30);
        stored->how =
            level ? (struct fpgz_refiltering){(uint8_t)below(2), (uint8_t)level, (uint8_t)(8 + below(2))}
                  : (struct fpgz_refiltering){2, 0, 0};
        check_that(fpgz_place_add(&part->place, offset, RAW, number), "a piece");
        offset += RAW;
    }
}

/* Reads the table of one array. */
static bool read_back(const uint8_t *bytes, size_t length, struct fpgz_part *part)
{
    static struct fpgz_table table; /* too large for the stack */
    struct fpgz_array_head head;
    struct fpgz_error error = {0};
    memset(&table, 0, sizeof table);
    table.view = (struct fpgz_number_view){bytes, bytes + length, false};
    const bool ok = !fpgz_table_next(&table, &head, &error);
    *part = head.part;
    return ok && fpgz_part_valid(part, 1 << 20);
}

static void test_table(unsigned round)
{
    struct fpgz_part part, read;
    struct fpgz_numbers table = {0};
    const uint64_t largest = 1000;
    char name[] = "array";
    make_part(&part);
    part.name = name;
    fpgz_table_write(&part, 1, &largest, &table);
    uint8_t *const bytes = table.bytes.data;
    check_that(!table.failed && read_back(bytes, table.length, &read) &&
                   read.place.bytes == part.place.bytes && read.kepts == part.kepts &&
                   !memcmp(&read.filters, &part.filters, sizeof part.filters),
               "a table is read (%u)", round);
    bool same = true;
    for (size_t i = 0; i < part.place.bytes / RAW && same; i++)
        same = read.stored[i].length == part.stored[i].length &&
               !memcmp(&read.stored[i].how, &part.stored[i].how, sizeof part.stored[i].how);
    for (size_t i = 0; i < part.kepts && same; i++)
        same = read.kept[i].number == part.kept[i].number && read.kept[i].offset == part.kept[i].offset &&
               read.kept[i].length == part.kept[i].length && read.kept[i].skipped == part.kept[i].skipped;
    check_that(same, "a table holds how pieces are filtered (%u)", round);
    fpgz_part_free(&read);
    for (size_t i = 0; i < table.length;
         i++) { /* cut off, and with a bit that is wrong, whatever that means */
        check_that(!read_back(bytes, i, &read), "a table is cut off (%u)", round);
        fpgz_part_free(&read);
        bytes[i] ^= (uint8_t)(1 << below(8));
        if (read_back(bytes, table.length, &read))
            check_that(read.place.count > 0, "a part without pieces (%u)", round);
        fpgz_part_free(&read);
    }
    part.name = NULL;
    fpgz_part_free(&part);
    fpgz_numbers_free(&table);
}

int main(void)
{
    for (unsigned round = 0; round < 300; round++) {
        test_places(round);
        test_table(round);
    }
    test_refused();
    return checks_end();
}
