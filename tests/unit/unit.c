/* SPDX-License-Identifier: MIT
 * The parts that no other test sees alone. usage: unit   prints what failed, then "N passed, N failed". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "container/format.h"
#include "container/index.h"
#include "core/buffer.h"
#include "core/checksum.h"
#include "core/cpu.h"
#include "core/text.h"
#include "engine/chunk.h"
#include "engine/cut.h"
#include "engine/pipeline.h"
#include "source/raw.h"

static void test_checksum(void)
{
    static uint8_t data[100000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 2654435761u >> 13);
    CHECK(fpgz_checksum("", 0) == 0x2D06800538D394C2);
    for (size_t length = 0; length <= sizeof data; length = length * 5 / 4 + 1) {
        struct fpgz_checksum_stream *stream = fpgz_checksum_begin();
        for (size_t at = 0; at < length; at += 777)
            fpgz_checksum_add(stream, data + at, length - at < 777 ? length - at : 777);
        const uint64_t sum = fpgz_checksum_end(stream);
        for (int level = FPGZ_CPU_C; level <= (int)fpgz_cpu_best(); level++) {
            fpgz_cpu_set((enum fpgz_cpu_level)level);
            CHECK(fpgz_checksum(data, length) == sum);
        }
    }
}

static bool shape_is(const struct fpgz_array *array, const char *text)
{
    char shape[FPGZ_SHAPE_TEXT];
    return !strcmp(fpgz_shape_text(array->extent, array->dims, shape, sizeof shape), text);
}

static void test_shapes(void)
{
    struct fpgz_array array = {0};
    CHECK(fpgz_shape_parse("20x180x360", 10, &array) && shape_is(&array, "20x180x360"));
    CHECK(fpgz_shape_parse("*x3", 3, &array) && shape_is(&array, "*x3"));
    CHECK(fpgz_shape_parse("*", 1, &array) && shape_is(&array, "*"));
    CHECK(fpgz_shape_parse("18446744073709551614", 20, &array));
    static const char *const wrong[] = {"",
                                        "x",
                                        "3x",
                                        "x3",
                                        "3x*",
                                        "0",
                                        "3x0",
                                        "-1",
                                        "3 x4",
                                        "3xx4",
                                        "3y4",
                                        "18446744073709551616",
                                        "99999999999999999999999",
                                        "**"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!fpgz_shape_parse(wrong[i], strlen(wrong[i]), &array));
    char many[100] = "2";
    for (int i = 1; i < 32; i++)
        strcat(many, "x2");
    CHECK(fpgz_shape_parse(many, strlen(many), &array) && array.dims == 32);
    strcat(many, "x2");
    CHECK(!fpgz_shape_parse(many, strlen(many), &array));
}

static void test_names(void)
{
    static const struct {
        const char *name;
        uint64_t size;
        const char *dtype, *shape; /* NULL: refused */
    } cases[] = {
        {"temp_20x180x360.f32", 5184000, "f32", "20x180x360"},
        {"CLOUDf48_100x500x500.f32", 100000000, "f32", "100x500x500"},
        {"a.f64", 80, "f64", "10"},
        {"a.d64", 80, "f64", "10"},
        {"a.dp", 80, "f64", "10"},
        {"a.sp", 80, "f32", "20"},
        {"3x4.f32", 48, "f32", "3x4"},
        {"3x4.f16", 48, "f16", "2x3x4"},
        {"3x4.bf16", 24, "bf16", "3x4"},
        {"image_3x4.u8", 12, "u8", "3x4"},
        {"a.u8", 80, "u8", "80"},
        {"a.i8", 80, "i8", "80"},
        {"a.i16", 80, "i16", "40"},
        {"a.i32", 80, "i32", "20"},
        {"a.i64", 80, "i64", "10"},
        {"a.u16", 80, "u16", "40"},
        {"a.u32", 80, "u32", "20"},
        {"a.u64", 80, "u64", "10"},
        {"a.i16", 81, NULL, NULL},
        {"a.", 80, "u8", "80"},
        {"stack_3x4.f32", 144, "f32", "3x3x4"},
        {"run_42.f32", 80, "f32", "20"},
        {"matrix3x4.f32", 80, "f32", "20"},
        {"empty.f32", 0, "f32", "0"},
        {"temp_20x180x360.f32", 5184004, NULL, NULL},
        {"a.f32", 81, NULL, NULL},
        {"a.f64", 84, NULL, NULL},
        {"a.bin", 80, "u8", "80"},
        {"f32", 81, "u8", "81"},
        {"a_3x4.dat", 48, "u8", "48"},
        {"huge_9999999999x9999999999.f32", 80, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct fpgz_raw_request request = {0};
        struct fpgz_array array;
        struct fpgz_error error = {0};
        fpgz_raw_describe(&request, cases[i].name, cases[i].size, &array, &error);
        CHECK(!error.status == !!cases[i].dtype);
        CHECK(error.status ||
              (!strcmp(fpgz_dtype_name(array.dtype), cases[i].dtype) && shape_is(&array, cases[i].shape)));
    }
}

/* All chunks but the last two are of one size and aligned; together they are the array. */
static void check_cut(const uint64_t *extent, unsigned dims, uint64_t target)
{
    struct fpgz_cut cut;
    CHECK(fpgz_cut_plan(FPGZ_F32, extent, dims, target, 16 << 20, &cut));
    uint64_t row = 0, total = 4, chunks = 0;
    for (unsigned d = 0; d < dims; d++)
        total *= extent[d];
    CHECK(cut.rows % cut.align == 0 && cut.rows > 0 && cut.rows * cut.row_bytes <= FPGZ_CHUNK_LIMIT);
    for (uint64_t rows; (rows = fpgz_cut_next(&cut, cut.shape.extent[0] - row)); row += rows, chunks++) {
        struct fpgz_grid grid = fpgz_cut_grid(&cut, rows);
        CHECK(fpgz_grid_bytes(&grid) == rows * cut.row_bytes && rows <= cut.rows);
    }
    CHECK(row * cut.row_bytes == total);
    CHECK(chunks <= 2 + total / (cut.rows * cut.row_bytes));
}

/* What fpgz_text_fit() leaves of the text. */
static bool fits(const char *text, size_t most, const char *expected)
{
    const int length = fpgz_text_fit(text, most);
    return length == (int)strlen(expected) && !strncmp(text, expected, (size_t)length);
}

static void test_text(void)
{
    unsigned code;
    CHECK(fits("", 3, "") && fits("abc", 3, "abc") && fits("abcd", 3, "abc") && fits("abc", 0, ""));
    CHECK(fits("a\u00fc", 3, "a\u00fc") && fits("a\u00fc", 2, "a") && fits("\u00fc", 1, ""));
    CHECK(fits("\u20ac\u20ac", 5, "\u20ac") && fits("\u20ac\u20ac", 4, "\u20ac") &&
          fits("\u20ac\u20ac", 3, "\u20ac"));
    CHECK(fits("a\U0001d11e", 4, "a") && fits("a\U0001d11e", 5, "a\U0001d11e"));
    CHECK(fits("\x80\x80\x80\x80\x80", 4, "\x80\x80\x80\x80")); /* is no UTF-8, and stays so */
    CHECK(fpgz_text_character("\U0001d11e", &code) == 4 && code == 0x1d11e);
    CHECK(fpgz_text_character("\u00fc", &code) == 2 && code == 0xfc && !fpgz_text_steers(code));
    CHECK(fpgz_text_character("\xc2\x9b", &code) == 2 && fpgz_text_steers(code));
    CHECK(!fpgz_text_character("\xc0\x9b", &code) && !fpgz_text_character("\xed\xa0\x80", &code) &&
          !fpgz_text_character("\xe2\x82", &code));
}

static void test_cut(void)
{
    static const struct {
        unsigned dims;
        uint64_t extent[5];
    } shapes[] = {{1, {1}},
                  {1, {1000000}},
                  {2, {1000, 1}},
                  {2, {1, 1000}},
                  {2, {721, 1440}},
                  {2, {2, 20000000}},
                  {3, {20, 180, 360}},
                  {3, {40, 3000, 3000}},
                  {4, {3, 50, 100, 100}},
                  {4, {2160, 1, 64, 2}},
                  {5, {2160, 1, 64, 2, 2}},
                  {5, {7, 3, 5, 11, 13}},
                  {5, {1, 1, 1, 1, 1}}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (uint64_t target = 1024; target <= FPGZ_CHUNK_LIMIT; target *= 8)
            check_cut(shapes[i].extent, shapes[i].dims, target);
    struct fpgz_cut cut;
    const uint64_t hera[] = {2160, 1, 64, 2, 2}, open[] = {FPGZ_UNKNOWN, 512, 512},
                   huge[] = {1, UINT64_MAX / 2, 3};
    CHECK(fpgz_cut_plan(FPGZ_F32, hera, 5, 4 << 20, 64 << 20, &cut) && cut.shape.extent[0] == 2160);
    CHECK(fpgz_cut_plan(FPGZ_F32, open, 3, 4 << 20, 64 << 20, &cut) && cut.shape.extent[0] == FPGZ_UNKNOWN);
    CHECK(!fpgz_cut_plan(FPGZ_F32, huge, 3, 4 << 20, 64 << 20, &cut));
    /* A rest of more than a quarter is not cut off where chunks are large. */
    const uint64_t cube[] = {47, 100, 100}, flat[] = {35, 100, 100};
    CHECK(fpgz_cut_plan(FPGZ_F64, cube, 3, 8 << 20, 16 << 20, &cut) && fpgz_cut_next(&cut, 47) == 47);
    CHECK(fpgz_cut_plan(FPGZ_F64, cube, 3, 4 << 20, 16 << 20, &cut) && fpgz_cut_next(&cut, 47) == 32);
    CHECK(fpgz_cut_plan(FPGZ_F64, flat, 3, 8 << 20, 16 << 20, &cut) && fpgz_cut_next(&cut, 35) == 32);
}

/* Jobs carry their turn through work of uneven length; the sum is taken in order. */
struct counting {
    unsigned filled, drained, stop_at;
    bool in_order;
};

struct counted {
    unsigned turn, result;
};

static bool count_fill(void *context, void *job)
{
    struct counting *c = context;
    if (c->filled == 1000)
        return false;
    ((struct counted *)job)->turn = c->filled++;
    return true;
}

static void count_work(void *context, void *slot)
{
    (void)context;
    struct counted *job = slot;
    unsigned x = job->turn;
    for (unsigned i = 0; i < job->turn * 7919 % 5000; i++)
        x = x * 1664525 + 1013904223;
    job->result = x ? job->turn : job->turn;
}

static bool count_drain(void *context, void *slot)
{
    struct counting *c = context;
    const struct counted *job = slot;
    c->in_order &= job->turn == c->drained && job->result == job->turn;
    return ++c->drained != c->stop_at;
}

static void count_release(void *job)
{
    (void)job;
}

static void test_pipeline(void)
{
    for (unsigned threads = 1; threads <= 9; threads += 2)
        for (unsigned stop_at = 0; stop_at < 1000; stop_at += 333) {
            struct counting c = {.in_order = true, .stop_at = stop_at};
            struct fpgz_pipeline pipeline = {.threads = threads,
                                             .job_size = sizeof(struct counted),
                                             .context = &c,
                                             .fill = count_fill,
                                             .work = count_work,
                                             .drain = count_drain,
                                             .release = count_release};
            CHECK(fpgz_pipeline_run(&pipeline));
            CHECK(c.in_order && c.drained == (stop_at ? stop_at : 1000));
        }
}

static void test_codec_names(void)
{
    const struct fpgz_codec *codec;
    struct fpgz_params params;
    struct fpgz_error error = {0};
    CHECK(!fpgz_codec_parse("ndzip", &codec, &params, &error) && codec->id == FPGZ_CODEC_NDZIP);
    static const char *const wrong[] = {
        "", "ndzi", "ndzipp", "ndzip:", "ndzip:x=1", "ndzip:x", "ndzip,", ":"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        error.status = FPGZ_OK;
        CHECK(fpgz_codec_parse(wrong[i], &codec, &params, &error) == FPGZ_USAGE);
    }
    for (unsigned i = 0; fpgz_codecs[i]; i++) {
        CHECK(fpgz_codec_by_id(fpgz_codecs[i]->id) == fpgz_codecs[i]);
        CHECK(fpgz_codec_by_name(fpgz_codecs[i]->name, strlen(fpgz_codecs[i]->name)) == fpgz_codecs[i]);
        fpgz_codec_defaults(fpgz_codecs[i], &params);
        for (unsigned dtype = 0; dtype < FPGZ_DTYPES; dtype++) {
            const bool takes = fpgz_codecs[i]->dtypes >> dtype & 1;
            CHECK(!takes || fpgz_dtype_known(dtype));
            CHECK(!fpgz_dtype_known(dtype) ||
                  !fpgz_codec_check(fpgz_codecs[i], dtype, &params, &error) == takes);
        }
    }
}

static void test_index(void)
{
    static struct fpgz_section section, read;
    struct fpgz_index index = {0};
    struct fpgz_error error = {0};
    for (unsigned i = 0; i < 3000; i++) {
        const struct fpgz_chunk_head head = {
            .number = i, .first = 100 * i, .grid = {FPGZ_F32, 2, {i + 1, 7, 1, 1}}};
        fpgz_pack_chunk(&head, false, &section);
        section.number = i;
        section.offset = 1000 * i;
        section.body_length = i;
        fpgz_pack_section(&section);
        CHECK(fpgz_index_add(&index, &section));
    }
    size_t at = 0;
    for (unsigned i = 0; i < 3000; i++) {
        struct fpgz_chunk_head head;
        CHECK(!fpgz_index_next(&index, &at, &read, &error) && !fpgz_unpack_chunk(&read, &head, &error));
        CHECK(head.number == i && head.first == 100 * i && head.grid.extent[0] == i + 1 &&
              read.offset == 1000 * i);
    }
    CHECK(at == index.length);
    fpgz_index_free(&index);
}

int main(void)
{
    test_checksum();
    test_shapes();
    test_names();
    test_text();
    test_cut();
    test_pipeline();
    test_codec_names();
    test_index();
    return checks_end();
}
