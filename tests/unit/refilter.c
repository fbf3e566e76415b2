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

/* LZF, as h5py wrote it. */
static void test_lzf(void)
{
    static const uint8_t theirs[] = {
        1,  0,   0,  192, 0,  0,  1,   32, 0,   0,   2,   32, 0,   31,  3,   3,   4,   4,   4,  5,   5,
        6,  6,   7,  8,   8,  9,  9,   10, 11,  11,  12,  13, 14,  14,  15,  16,  17,  18,  19, 19,  20,
        21, 22,  0,  1,   5,  2,  3,   4,  5,   7,   8,   32, 24,  0,   12,  192, 57,  224, 23, 0,   14,
        11, 13,  15, 17,  19, 21, 0,   3,  5,   7,   9,   12, 14,  16,  18,  96,  9,   22,  10, 12,  15,
        17, 20,  0,  2,   5,  7,  10,  13, 15,  18,  21,  1,  3,   6,   9,   12,  15,  18,  20, 0,   128,
        7,  10,  21, 1,   5,  8,  11,  14, 17,  20,  1,   4,  7,   224, 23,  91,  192, 0,   20, 21,  2,
        6,  10,  15, 19,  0,  4,  9,   13, 17,  21,  3,   7,  12,  16,  20,  2,   6,   11,  15, 224, 0,
        4,  13,  16, 21,  2,  7,  12,  17, 22,  4,   8,   13, 18,  0,   5,   10,  32,  23,  0,  7,   128,
        8,  5,   21, 3,   8,  13, 19,  1,  192, 67,  224, 23, 0,   16,  7,   14,  20,  3,   9,  16,  22,
        5,  11,  18, 1,   8,  14, 20,  4,  10,  17,  64,  17, 32,  6,   3,   1,   7,   14,  21, 32,  20,
        8,  2,   9,  16,  0,  6,  13,  20, 4,   11,  96,  9,  2,   8,   15,  22,  32,  12,  3,  5,   12,
        19, 3,   32, 15,  32, 42, 224, 30, 0,   10,  16,  1,  10,  18,  3,   11,  20,  5,   14, 22,  7,
        64, 10,  4,  4,   13, 21, 7,   15, 32,  18,  1,   4,  13,  32,  15,  6,   2,   11,  20, 6,   14,
        0,  9,   64, 12,  3,  8,  17,  3,  13,  64,  4,   0,  12,  64,  4,   32,  9,   1,   18, 4,   32,
        24, 224, 30, 98,  26, 0,  1,   11, 21,  9,   19,  7,  17,  4,   15,  2,   13,  0,   11, 22,  9,
        20, 7,   18, 6,   16, 4,  15,  3,  13,  1,   12,  96, 14,  1,   8,   19,  32,  16,  3,  17,  5,
        16, 5,   64, 20,  7,  14, 3,   14, 2,   13,  2,   13, 1,   64,  1,   0,   12,  32,  1,  224, 31,
        99, 21,  8,  20,  10, 22, 11,  1,  13,  3,   15,  5,  18,  7,   20,  9,   22,  12,  1,  14,  4,
        17, 6,   19, 32,  8,  0,  2,   32, 8,   6,   7,   20, 10,  0,   13,  3,   16,  128, 6,  64,  13,
        32, 29,  10, 18,  8,  22, 12,  2,  16,  6,   20,  10, 1,   15,  224, 31,  99,  23,  14, 5,   20,
        11, 3,   17, 9,   1,  15, 7,   21, 13,  5,   19,  11, 3,   18,  9,   1,   16,  8,   0,  15,  6,
        32, 13,  2,  20,  12, 4,  32,  16, 32,  2,   2,   18, 10,  2,   32,  2,   1,   17,  10, 64,  2,
        32, 8,   8,  18,  10, 3,  18,  11, 4,   19,  12,  4,  224, 31,  99,  24,  19,  13,  6,  0,   17,
        10, 4,   20, 14,  8,  1,  18,  12, 6,   22,  16,  10, 4,   21,  15,  8,   2,   19,  13, 7,   64,
        14, 0,   0,  32,  18, 2,  0,   17, 11,  160, 3,   1,  12,  6,   32,  19,  11,  7,   1,  19,  13,
        8,  3,   20, 15,  9,  4,  22,  17, 224, 31,  99,  17, 1,   20,  15,  11,  6,   2,   21, 16,  12,
        8,  4,   22, 18,  14, 10, 6,   2,  20,  64,  10,  4,  0,   19,  15,  11,  7,   224, 1,  5,   32,
        28, 8,   1,  20,  17, 13, 9,   6,  2,   22,  18,  32, 12,  7,   5,   1,   21,  18,  15, 11,  8,
        5,  224, 31, 99,  18, 5,  2,   0,  21,  18,  16,  14, 12,  9,   7,   5,   3,   1,   22, 19,  17,
        15, 13,  11, 96,  10, 1,  0,   21, 64,  11,  3,   12, 10,  8,   6,   32,  23,  5,   0,  21,  20,
        18, 16,  15, 32,  13, 0,  9,   64, 14,  0,   2,   64, 15,  0,   19,  32,  16,  224, 31, 99,  1,
        8,  7,   32, 0,   0,  6,  96,  0,  0,   5,   224, 0,  0,   96,  14,  0,   6,   32,  24, 36,  78,
        68, 79,  0,  10,  68, 81, 100, 82, 68,  83,  0,   18, 36,  83,  100, 84,  224, 29,  99, 1,   0,
        0};
    const struct fpgz_filters lzf = {.count = 1, .step = {{FPGZ_FILTER_LZF, 0}}};
    const struct fpgz_filters summed = {
        .count = 3, .step = {{FPGZ_FILTER_SHUFFLE, 4}, {FPGZ_FILTER_LZF, 0}, {FPGZ_FILTER_FLETCHER32, 0}}};
    const struct fpgz_filters both = {.count = 2, .step = {{FPGZ_FILTER_LZF, 0}, {FPGZ_FILTER_DEFLATE, 0}}};
    static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 6, 33, 300, 5000, MOST};
    const struct fpgz_refiltering how = {0};
    struct fpgz_refiltering found = {0};
    size_t length;
    CHECK(!fpgz_filters_valid(&both));
    for (unsigned repeat = 1; repeat < 4000; repeat *= 5)
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            fill(sizes[i]);
            for (size_t j = repeat; j < sizes[i]; j++)
                raw[j] = random_bits() % 50 ? raw[j - repeat] : raw[j];
            check_that(comes_back(&lzf, &how, sizes[i]) && comes_back(&summed, &how, sizes[i]),
                       "LZF, %zu bytes, repeated after %u", sizes[i], repeat);
        }
    for (size_t i = 0; i < 1200; i++)
        raw[i] = (uint8_t)(i * i / 97 % 23 * (i % 100 < 60));
    CHECK(!fpgz_refilter(&lzf, &how, raw, 1200, scratch, stored, sizeof stored, &length) &&
          length == sizeof theirs && memcmp(stored, theirs, length) == 0);
    CHECK(!undo(&lzf, length, 1200, &found) && memcmp(back, raw, 1200) == 0);
    CHECK(undo(&lzf, length, 1201, &found) && undo(&lzf, length, 1199, &found) &&
          undo(&lzf, length - 1, 1200, &found));
    CHECK(fpgz_refilter(&lzf, &how, raw, 1200, scratch, stored, length - 1, &length) == FPGZ_LIMIT);
    memset(raw, 0, 40); /* other runs of literals than ours, and a match behind the first byte */
    memset(stored, 0, 42);
    stored[0] = 19;
    stored[21] = 19;
    CHECK(undo(&lzf, 42, 40, &found) == FPGZ_CORRUPT);
    memcpy(stored, (const uint8_t[]){0, 0, 32, 0}, 4);
    CHECK(undo(&lzf, 4, 4, &found) == FPGZ_CORRUPT);
    stored[3] = 1; /* further back than there is */
    CHECK(undo(&lzf, 4, 4, &found) == FPGZ_CORRUPT);
    CHECK(fpgz_unfilter_again(&lzf, &how, stored, 4, scratch, back, 4) == FPGZ_CORRUPT);
}

/* LZF of zeros, as h5py wrote it: matches that begin at byte 2 and end at the last bytes. */
static void test_lzf_ends(void)
{
    enum { LEAST = 20, ALL = 5, LITERALS = 2, LONG = 9 };
    static const uint8_t match[ALL] = {16, 19, 19, 19, 20};
    const struct fpgz_filters lzf = {.count = 1, .step = {{FPGZ_FILTER_LZF, 0}}};
    memset(raw, 0, LEAST + ALL);
    for (size_t i = 0; i < ALL; i++) {
        const size_t left = LEAST + i - LITERALS - match[i];
        const uint8_t theirs[] = {1, 0, 0, 224, (uint8_t)(match[i] - LONG), 0, (uint8_t)(left - 1), 0, 0};
        const struct fpgz_refiltering how = {0};
        size_t length;
        CHECK(!fpgz_refilter(&lzf, &how, raw, LEAST + i, scratch, stored, sizeof stored, &length));
        CHECK(length == (left ? 7 + left : 6) && memcmp(stored, theirs, length) == 0);
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
    test_lzf();
    test_lzf_ends();
    test_front();
    test_validity();
    test_fletcher32();
    test_refused();
    test_wrong_level();
    test_fletcher_refused();
    free(scratch);
    return checks_end();
}
