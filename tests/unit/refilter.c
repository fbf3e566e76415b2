/* SPDX-License-Identifier: MIT
 * Filters undone and done again: all pipelines, and all that cannot be.
 * usage: unit_refilter   prints what failed, then "N passed, N failed". */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "../checks.h"
#include "core/bytes.h"
#include "core/fletcher32.h"
#include "core/refilter.h"

enum { MOST = 70000 };

static const struct fpgz_filters shuffled = {.count = 2,
                                             .step = {{FPGZ_FILTER_SHUFFLE, 4}, {FPGZ_FILTER_DEFLATE, 0}}};
static const struct fpgz_filters deflated = {.count = 1, .step = {{FPGZ_FILTER_DEFLATE, 0}}};
static uint8_t raw[MOST], stored[2 * MOST], again[2 * MOST], back[MOST];
static void *scratch;

static void fill(size_t bytes)
{
    uint32_t value = 0x40000000;
    for (size_t i = 0; i < bytes; i++) {
        value += i % 4 == 0 ? (uint32_t)(random_bits() % 5000) : 0;
        raw[i] = (uint8_t)(value >> 8 * (i % 4));
    }
}

/* Undoes what is stored, with buffers of just the lengths that are needed. */
static enum fpgz_status undo(const struct fpgz_filters *pipeline, size_t length, size_t bytes,
                             struct fpgz_refiltering *how)
{
    uint8_t *const exact = malloc(length + 1), *const values = malloc(bytes + 1);
    void *const memory = malloc(fpgz_refilter_memory(pipeline, bytes));
    if (!exact || !values || !memory)
        abort();
    memcpy(exact + 1, stored, length);
    const enum fpgz_status status =
        fpgz_unfilter(pipeline, exact + 1, length, memory, values + 1, bytes, how);
    memcpy(back, values + 1, bytes);
    free(memory);
    free(values);
    free(exact);
    return status;
}

static bool comes_back(const struct fpgz_filters *pipeline, const struct fpgz_refiltering *given,
                       size_t bytes)
{
    struct fpgz_refiltering how = {.skipped = given->skipped};
    size_t length, restored;
    if (fpgz_refilter(pipeline, given, raw, bytes, scratch, stored, fpgz_refilter_bound(pipeline, bytes),
                      &length) ||
        undo(pipeline, length, bytes, &how) || memcmp(back, raw, bytes) != 0)
        return false;
    return !fpgz_refilter(pipeline, &how, back, bytes, scratch, again, length, &restored) &&
           restored == length && memcmp(again, stored, length) == 0;
}

/* Every order of filters, with every choice of which a piece skips. */
static void test_pipelines(void)
{
    static const size_t sizes[] = {0, 1, 3, 4, 7, 100, 5000, MOST};
    for (unsigned code = 0; code < 64; code++) {
        struct fpgz_filters pipeline = {0};
        for (unsigned rest = code; rest > 0 && pipeline.count < 3; rest /= 4)
            pipeline.step[pipeline.count++] =
                (struct fpgz_filter_step){rest % 4, rest % 4 == FPGZ_FILTER_SHUFFLE ? 1 + code % 9 : 0};
        if (!fpgz_filters_valid(&pipeline))
            continue;
        for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            for (unsigned skipped = 0; skipped < 1u << pipeline.count; skipped++) {
                const struct fpgz_refiltering how = {
                    (uint8_t)skipped, (uint8_t)(1 + (code + i + skipped) % 9), (uint8_t)(8 + i % 2)};
                fill(sizes[i]);
                check_that(comes_back(&pipeline, &how, sizes[i]), "pipeline %u, skipped %u, %zu bytes", code,
                           skipped, sizes[i]);
            }
    }
}

/* Integers of so many bits. */
static void test_packed(void)
{
    static const size_t counts[] = {0, 1, 7, 8, 1000};
    const struct fpgz_refiltering how = {0};
    for (uint32_t bits = 0; bits < 34; bits++) {
        const struct fpgz_filters packed = {.count = 1, .step = {{FPGZ_FILTER_PACKED, bits}}};
        const size_t width = bits < 8 ? 1 : bits < 16 ? 2 : 4;
        if (!fpgz_filters_valid(&packed)) {
            check_that(!bits || bits == 8 || bits == 16 || bits > 31, "%u bits are no filter", bits);
            continue;
        }
        for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
            struct fpgz_refiltering found = {0};
            size_t length;
            for (size_t j = 0; j < counts[i]; j++) {
                const uint32_t value = (uint32_t)random_bits() & ((1u << bits) - 1);
                memcpy(raw + j * width, &value, width);
            }
            check_that(comes_back(&packed, &how, counts[i] * width), "%zu integers of %u bits", counts[i],
                       bits);
            if (!counts[i] ||
                fpgz_refilter(&packed, &how, raw, counts[i] * width, scratch, stored, sizeof stored, &length))
                continue;
            check_that(length == (counts[i] * bits + 7) / 8, "%u bits: %zu bytes", bits, length);
            CHECK(undo(&packed, length + 1, counts[i] * width, &found) == FPGZ_CORRUPT);
            stored[length - 1] |= 1; /* of those that fill up the last byte */
            CHECK(counts[i] * bits % 8 == 0 ||
                  undo(&packed, length, counts[i] * width, &found) == FPGZ_CORRUPT);
            raw[counts[i] * width - 1] |= 0x80;
            CHECK(fpgz_refilter(&packed, &how, raw, counts[i] * width, scratch, stored, sizeof stored,
                                &length) == FPGZ_CORRUPT);
            CHECK(width == 1 || fpgz_refilter(&packed, &how, raw, counts[i] * width - 1, scratch, stored,
                                              sizeof stored, &length) == FPGZ_CORRUPT);
        }
    }
}

/* Bytes in front of pieces. */
static void test_front(void)
{
    uint8_t text[] = "a text in front";
    const struct fpgz_filters front = {
        .count = 2, .step = {{FPGZ_FILTER_FRONT, sizeof text}, {FPGZ_FILTER_DEFLATE, 1}}, .front = text};
    struct fpgz_filters copy, other = front;
    struct fpgz_refiltering made = {0, 6, 8}, how = {0};
    size_t length;
    CHECK(fpgz_filters_copy(&front, &copy) && fpgz_filters_alike(&front, &copy) && copy.front != text);
    for (made.skipped = 0; made.skipped < 2; made.skipped++) {
        fill(5000);
        CHECK(comes_back(&front, &made, 5000));
    }
    made.skipped = 0;
    CHECK(!fpgz_refilter(&front, &made, raw, 5000, scratch, stored, sizeof stored, &length));
    copy.front[3] ^= 1;
    CHECK(!fpgz_filters_alike(&front, &copy));
    CHECK(undo(&copy, length, 5000, &how) == FPGZ_CORRUPT);
    free(copy.front);
    other.front = NULL;
    CHECK(!fpgz_filters_valid(&other));
    other = (struct fpgz_filters){
        .count = 2, .step = {{FPGZ_FILTER_DEFLATE, 1}, {FPGZ_FILTER_FRONT, 3}}, .front = text};
    CHECK(!fpgz_filters_valid(&other));
}

static void test_validity(void)
{
    CHECK(fpgz_filters_valid(&(struct fpgz_filters){0}));
    CHECK(fpgz_filters_valid(&shuffled));
    CHECK(!fpgz_filters_valid(&(struct fpgz_filters){.count = 4, .step = {{FPGZ_FILTER_DEFLATE, 0}}}));
    CHECK(!fpgz_filters_valid(&(struct fpgz_filters){.count = 1, .step = {{FPGZ_FILTER_SHUFFLE, 0}}}));
    CHECK(!fpgz_filters_valid(&(struct fpgz_filters){.count = 1, .step = {{FPGZ_FILTER_DEFLATE, 2}}}));
    CHECK(!fpgz_filters_valid(&(struct fpgz_filters){.count = 1, .step = {{FPGZ_FILTERS + 1, 0}}}));
    CHECK(!fpgz_filters_valid(
        &(struct fpgz_filters){.count = 2, .step = {{FPGZ_FILTER_DEFLATE, 0}, {FPGZ_FILTER_DEFLATE, 0}}}));
    CHECK(fpgz_refilter_bound(&shuffled, SIZE_MAX - 2) == 0 &&
          fpgz_refilter_memory(&shuffled, SIZE_MAX - 2) == 0);
    CHECK(fpgz_refilter_memory(&shuffled, SIZE_MAX / 2) == 0);
}

/* As the HDF5 library stored them. */
static void test_fletcher32(void)
{
    uint8_t data[1000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * i >> 3);
    CHECK(fpgz_fletcher32(data, 0) == 0);
    CHECK(fpgz_fletcher32(data, 1000) == 0xADB6BCC2);
    CHECK(fpgz_fletcher32(data + 10, 1) == 0x0C000C00);
    CHECK(fpgz_fletcher32(data + 10, 9) == 0x353C7E64);
    CHECK(fpgz_fletcher32(data + 10, 979) == 0xCE607601);
    memset(data, 255, sizeof data);
    CHECK(fpgz_fletcher32(data, 1000) == 0xFFFFFFFF);
    memset(data, 0, sizeof data);
    CHECK(fpgz_fletcher32(data, 1000) == 0);
}

static size_t deflate_by(int level, int strategy, const char *dictionary, size_t bytes)
{
    z_stream z = {.next_in = raw, .avail_in = (uInt)bytes, .next_out = stored, .avail_out = sizeof stored};
    if (deflateInit2(&z, level, Z_DEFLATED, 15, 8, strategy) != Z_OK ||
        (dictionary &&
         deflateSetDictionary(&z, (const Bytef *)dictionary, (uInt)strlen(dictionary)) != Z_OK) ||
        deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    deflateEnd(&z);
    return sizeof stored - z.avail_out;
}

static void check_refused(const char *what, size_t length, size_t bytes)
{
    struct fpgz_refiltering how = {0};
    checking = what;
    CHECK(undo(&deflated, length, bytes, &how) == FPGZ_CORRUPT);
    checking = "";
}

/* Streams that inflate, or nearly, but are not made again. */
static void test_refused(void)
{
    struct fpgz_refiltering how = {.level = 6, .memory_level = 8};
    size_t length;
    fill(MOST);
    check_refused("stored only", deflate_by(0, Z_DEFAULT_STRATEGY, NULL, MOST), MOST);
    check_refused("Huffman only", deflate_by(6, Z_HUFFMAN_ONLY, NULL, MOST), MOST);
    check_refused("fixed codes", deflate_by(6, Z_FIXED, NULL, MOST), MOST);
    check_refused("a dictionary", deflate_by(6, Z_DEFAULT_STRATEGY, "dictionary", MOST), MOST);
    CHECK(!fpgz_refilter(&deflated, &how, raw, MOST, scratch, stored, sizeof stored, &length));
    CHECK(fpgz_refilter(&deflated, &how, raw, MOST, scratch, again, length - 1, &length) == FPGZ_LIMIT);
    check_refused("a byte less of data", length, MOST - 1);
    check_refused("cut", length - 1, MOST);
    check_refused("a byte more", length + 1, MOST);
    stored[length - 1] ^= 1;
    check_refused("checksum", length, MOST);
    stored[length - 1] ^= 1;
    stored[1] ^= 1;
    check_refused("header", length, MOST);
    check_refused("nothing", 0, MOST);
    how.level = 77;
    CHECK(fpgz_refilter(&deflated, &how, raw, MOST, scratch, stored, sizeof stored, &length) == FPGZ_CORRUPT);
}

/* The level that a file names may be wrong: it is only tried first. */
static void test_wrong_level(void)
{
    static const uint8_t named[] = {0, 1, 5, 9, 77, 255};
    for (unsigned level = 1; level <= 9; level++)
        for (unsigned i = 0; i < sizeof named; i++) {
            const struct fpgz_refiltering made = {0, (uint8_t)level, 8};
            struct fpgz_refiltering how = {0, named[i], (uint8_t)(7 + i)};
            size_t length, restored;
            fill(20000);
            CHECK(!fpgz_refilter(&shuffled, &made, raw, 20000, scratch, stored, sizeof stored, &length));
            CHECK(!undo(&shuffled, length, 20000, &how) && memcmp(raw, back, 20000) == 0);
            CHECK(!fpgz_refilter(&shuffled, &how, back, 20000, scratch, again, sizeof again, &restored) &&
                  restored == length && memcmp(stored, again, length) == 0);
        }
}

static void test_fletcher_refused(void)
{
    static const struct fpgz_filters checked = {
        .count = 2, .step = {{FPGZ_FILTER_DEFLATE, 0}, {FPGZ_FILTER_FLETCHER32, 0}}};
    const struct fpgz_refiltering made = {0, 4, 8};
    struct fpgz_refiltering how = {0};
    size_t length;
    fill(1000);
    CHECK(!fpgz_refilter(&checked, &made, raw, 1000, scratch, stored, sizeof stored, &length));
    stored[length - 1] ^= 128;
    CHECK(undo(&checked, length, 1000, &how) == FPGZ_CORRUPT);
    CHECK(undo(&checked, 3, 1000, &how) == FPGZ_CORRUPT);
}

int main(void)
{
    scratch = malloc(fpgz_refilter_memory(&shuffled, MOST));
    if (!scratch)
        return 1;
    test_pipelines();
    test_packed();
    test_front();
    test_validity();
    test_fletcher32();
    test_refused();
    test_wrong_level();
    test_fletcher_refused();
    free(scratch);
    return checks_end();
}
