/* SPDX-License-Identifier: MIT
 * Attributes, NumPy headers and the helper, without any library. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../checks.h"
#include "core/io.h"
#include "source/arrays.h"
#include "source/formats.h"
#include "source/helper.h"

static void expect(bool holds, const char *what)
{
    check_that(holds, "%s", what);
}

static void test_attributes(void)
{
    struct fpgz_attributes list = {0};
    const struct fpgz_attribute number = {"range", 5, FPGZ_SIGNED, 2, 1, {3}, (const uint8_t *)"\1\0\2\0\3\0",
                                          6},
                                text = {"units", 5, FPGZ_STRING, 0, 0, {0}, (const uint8_t *)"\1\0\0\0K", 5};
    struct fpgz_attribute got;
    size_t at = 0;
    expect(fpgz_attributes_valid(&list) && !fpgz_attribute_next(&list, &at, &got), "no attributes");
    expect(fpgz_attributes_add(&list, &number) && fpgz_attributes_add(&list, &text), "attributes are added");
    expect(fpgz_attribute_next(&list, &at, &got) && got.name_length == 5 && !memcmp(got.name, "range", 5) &&
               got.type == FPGZ_SIGNED && got.size == 2 && got.dims == 1 && got.extent[0] == 3 &&
               got.length == 6 && !memcmp(got.values, number.values, 6),
           "an attribute of numbers");
    expect(fpgz_attribute_next(&list, &at, &got) && got.type == FPGZ_STRING && got.length == 5 &&
               !memcmp(got.values, text.values, 5),
           "an attribute of text");
    expect(!fpgz_attribute_next(&list, &at, &got) && at == list.length, "the end of the attributes");
    const size_t first = 5 + number.name_length + 8 + number.length;
    for (list.length--; list.length; list.length--)
        expect(fpgz_attributes_valid(&list) == (list.length == first), "attributes that are cut off");
    fpgz_attributes_free(&list);
    uint8_t wrong[] = {1, 0, 'a', FPGZ_FLOAT, 2, 0, 0, 0};
    list = (struct fpgz_attributes){wrong, sizeof wrong};
    expect(!fpgz_attributes_valid(&list), "a float of two bytes");
    uint8_t large[] = {1, 0, 'a', FPGZ_UNSIGNED, 8, 1, 0, 0, 0, 0, 0, 0, 0, 0x20};
    list = (struct fpgz_attributes){large, sizeof large};
    expect(!fpgz_attributes_valid(&list), "an attribute larger than all memory");
}

static const struct {
    const char *text; /* of the header's dictionary */
    int version;
    uint64_t bytes; /* behind the header */
    enum fpgz_status remark;
    const char *found; /* dtype, order, "column" where it is column-major, shape; NULL: no numbers */
} headers[] = {
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 1, 24, FPGZ_OK, "f32 little 2x3"},
    {"{'descr': '>f8', 'fortran_order': True, 'shape': (2, 3), }", 1, 48, FPGZ_OK, "f64 big column 3x2"},
    {"{'descr': '<f8', 'fortran_order': True, 'shape': (6,), }", 2, 48, FPGZ_OK, "f64 little 6"},
    {"{\"shape\":(),\"fortran_order\":False,\"descr\":\"<f4\"}", 3, 4, FPGZ_OK, "f32 little 1"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }  \n", 1, 24, FPGZ_OK, "f32 little 2x3"},
    {"{'descr': '>c16', 'fortran_order': False, 'shape': (2,), }", 1, 32, FPGZ_OK, "f64 big 2x2"},
    {"{'descr': '<c8', 'fortran_order': True, 'shape': (2, 3), }", 1, 48, FPGZ_OK, NULL},
    {"{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }", 1, 8, FPGZ_OK, "i32 little 2"},
    {"{'descr': '>u2', 'fortran_order': True, 'shape': (2, 3), }", 1, 12, FPGZ_OK, "u16 big column 3x2"},
    {"{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }", 1, 4, FPGZ_OK, "f16 little 2"},
    {"{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }", 1, 2, FPGZ_OK, "i8 little 2"},
    {"{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", 1, 2, FPGZ_OK, "u8 little 2"},
    {"{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (2,), }", 1, 16, FPGZ_OK, "i64 little 2"},
    {"{'descr': '<M8', 'fortran_order': False, 'shape': (2,), }", 1, 16, FPGZ_OK, NULL},
    {"{'descr': '|i2', 'fortran_order': False, 'shape': (2,), }", 1, 4, FPGZ_OK, NULL},
    {"{'descr': '<f16', 'fortran_order': False, 'shape': (2,), }", 1, 32, FPGZ_OK, NULL},
    {"{'descr': '<f104', 'fortran_order': False, 'shape': (2,), }", 1, 208, FPGZ_OK, NULL},
    {"{'descr': '<c4', 'fortran_order': False, 'shape': (2,), }", 1, 8, FPGZ_OK, "f16 little 2x2"},
    {"{'descr': '<V2', 'fortran_order': False, 'shape': (2,), }", 1, 4, FPGZ_OK, NULL},
    {"{'descr': '<U2', 'fortran_order': False, 'shape': (2,), }", 1, 16, FPGZ_OK, NULL},
    {"{'descr': '<', 'fortran_order': False, 'shape': (2,), }", 1, 8, FPGZ_OK, NULL},
    {"{'descr': '|S5', 'fortran_order': False, 'shape': (2,), }", 1, 10, FPGZ_OK, NULL},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }", 1, 0, FPGZ_OK, NULL},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 1, 30, FPGZ_OK, "f32 little 2x3"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 1, 23, FPGZ_CORRUPT, NULL},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 2), }", 1, 8, FPGZ_OK, NULL},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999, ), }", 1, 8,
     FPGZ_UNSUPPORTED, NULL},
    {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", 1, 8, FPGZ_OK,
     "2x4; a f32 little "},
    {"{'descr': [('a', '|u1'), ('', '|V3'), ('b', '>i2', (2, 3)), ('s', '|S5'), ('c', '<c8'), ], "
     "'fortran_order': False, 'shape': (2, 3), }",
     1, 174, FPGZ_OK,
     "2x3x29; a u8 little ; (padding 1) u8 little 3; b i16 big 2x3; s u8 little 5; c f32 little 2"},
    {"{'descr': [(('a title', 'a'), '<f8'), ('n', [('x', '<f4'), ('', '|V2'), ('y', '<U2')]), ('t', "
     "'<M8[ns]')], "
     "'fortran_order': True, 'shape': (), }",
     1, 30, FPGZ_OK,
     "1x30; a f64 little ; n.x f32 little ; (padding 12) u8 little 2; n.y u8 little 8; t i64 little "},
    {"{'descr': [('a', '<f4')], 'fortran_order': True, 'shape': (2, 3), }", 1, 24, FPGZ_OK, NULL},
    {"{'descr': [('a', '<f4'), ('b', '|O')], 'fortran_order': False, 'shape': (2,), }", 1, 24,
     FPGZ_UNSUPPORTED, NULL},
    {"{'descr': [('a', [('b', '<f4')], (2,))], 'fortran_order': False, 'shape': (1,), }", 1, 8,
     FPGZ_UNSUPPORTED, NULL},
    {"{'descr': [('a', '<f4'), ('b', '<f4'], 'fortran_order': False, 'shape': (1,), }", 1, 8,
     FPGZ_UNSUPPORTED, NULL},
    {"{'descr': [('a', '<f4', (2305843009213693952, 4))], 'fortran_order': False, 'shape': (1,), }", 1, 8,
     FPGZ_UNSUPPORTED, NULL},
    {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,), }", 1, 15, FPGZ_CORRUPT, NULL},
    {"{'descr': [('a\\'', '<f8')], 'fortran_order': False, 'shape': (2,), }", 1, 16, FPGZ_UNSUPPORTED, NULL},
    {"{'descr': [[[[[[[[[[[[('a', '<f8')]", 1, 16, FPGZ_UNSUPPORTED, NULL},
    {"{'descr': [], 'fortran_order': False, 'shape': (2,), }", 1, 16, FPGZ_OK, NULL},
    {"{'descr': '<f4', 'fortran_order': False, }", 1, 8, FPGZ_UNSUPPORTED, NULL},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2", 1, 8, FPGZ_UNSUPPORTED, NULL},
    {"", 1, 0, FPGZ_UNSUPPORTED, NULL},
};

/* The fields of a table in one line. */
static void fields_text(const struct fpgz_part *table, char *text, size_t capacity)
{
    char shape[FPGZ_SHAPE_TEXT];
    size_t used = (size_t)snprintf(
        text, capacity, "%s", fpgz_shape_text(table->array.extent, table->array.dims, shape, sizeof shape));
    for (size_t i = 0; i < table->fields && used < capacity; i++) {
        const struct fpgz_field *field = &table->field[i];
        used += (size_t)snprintf(
            text + used, capacity - used, "; %s %s %s %s", field->name, fpgz_dtype_name(field->array.dtype),
            field->array.order == FPGZ_BIG ? "big" : "little",
            fpgz_shape_text(field->array.extent, field->array.dims, shape, sizeof shape));
    }
}

static void test_npy(void)
{
    static const char zeros[208];
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        const int fd = memfd_create("npy", 0), wide = headers[i].version > 1;
        const uint32_t length = (uint32_t)strlen(headers[i].text);
        const uint8_t start[12] = {0x93,           'N', 'U', 'M', 'P', 'Y', (uint8_t)headers[i].version, 0,
                                   (uint8_t)length};
        const size_t prefix = wide ? 12 : 10;
        const uint64_t size = prefix + length + headers[i].bytes;
        struct fpgz_content content;
        struct fpgz_error remark, error = {0};
        expect(fpgz_write(fd, start, prefix) && fpgz_write(fd, headers[i].text, length) &&
                   fpgz_write(fd, zeros, headers[i].bytes),
               "a NumPy file is written");
        const struct fpgz_source *source = fpgz_source_probe(fd, size);
        expect(source && !strcmp(source->name, "npy") &&
                   !fpgz_source_describe(source, fd, size, &content, &remark, &error),
               headers[i].text);
        char found[2 * FPGZ_SHAPE_TEXT] = "", shape[FPGZ_SHAPE_TEXT];
        uint64_t covered = 0;
        for (size_t j = 0; j < content.count; j++) {
            const struct fpgz_part *part = &content.part[j];
            covered += part->place.bytes;
            if (part->fields)
                fields_text(part, found, sizeof found);
            else if (part->layout == FPGZ_DENSE)
                snprintf(found, sizeof found, "%s %s%s %s", fpgz_dtype_name(part->array.dtype),
                         part->array.order == FPGZ_BIG ? "big" : "little",
                         part->column_major ? " column" : "",
                         fpgz_shape_text(part->array.extent, part->array.dims, shape, sizeof shape));
            if (part->layout == FPGZ_DENSE)
                expect(part->place.run->offset == prefix + length, "its values begin behind the header");
        }
        expect(!strcmp(found, headers[i].found ? headers[i].found : ""), headers[i].text);
        expect(remark.status == headers[i].remark && covered == size, headers[i].text);
        fpgz_content_free(&content);
        close(fd);
    }
}

/* More tensors than a file may have arrays: the rest are bytes. */
static void test_many(void)
{
    enum { MANY = FPGZ_ARRAYS_LIMIT + 100, EACH = 70 };
    const int fd = memfd_create("tensors", 0);
    char *const text = malloc((size_t)MANY * EACH + 10);
    size_t length = 8;
    struct fpgz_content content;
    struct fpgz_error remark, error = {0};
    for (int i = 0; i < MANY; i++)
        length += (size_t)sprintf(text + length,
                                  "%c\"%d\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[%d,%d]}",
                                  i ? ',' : '{', i, i, i + 1);
    text[length++] = '}';
    const uint64_t header = length - 8;
    memcpy(text, &header, sizeof header);
    expect(fpgz_write(fd, text, length) && fpgz_write(fd, text, MANY), "a file of many tensors");
    const struct fpgz_source *source = fpgz_source_probe(fd, length + MANY);
    expect(source && !fpgz_source_describe(source, fd, length + MANY, &content, &remark, &error) &&
               remark.status == FPGZ_UNSUPPORTED && content.count == FPGZ_ARRAYS_LIMIT + 1 &&
               content.part[FPGZ_ARRAYS_LIMIT].place.bytes == length + 100,
           "no more arrays than the limit");
    fpgz_content_free(&content);
    free(text);
    close(fd);
}

static void test_npy_sink(void)
{
    const int fd = memfd_create("npy", 0);
    const struct fpgz_array array = {FPGZ_F64, FPGZ_BIG, 3, {2, 0, 5}};
    const struct fpgz_sink_array what = {fd, "", &array, NULL};
    const struct fpgz_sink *sink = fpgz_sink_by_path("some.where/a.npy");
    struct fpgz_error error = {0};
    char text[128] = "";
    void *state;
    size_t got;
    expect(sink == fpgz_sink_by_name("npy") && !fpgz_sink_by_path("some.npy/where") && !fpgz_sink_by_name(""),
           "sinks by name");
    expect(!sink->begin(&what, &state, &error) && !sink->end(state, &error), "an empty array is written");
    expect(fpgz_read_at(fd, text, sizeof text, 0, &got) && got == 128 && text[127] == '\n' &&
               strstr(text + 10, "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 0, 5), }"),
           "the header of an empty array");
    close(fd);
}

/* What a child may do: the context says what. */
static void misbehave(const void *context, int file, int fd, struct fpgz_error *error)
{
    (void)file, (void)fd, (void)error;
    if (*(const char *)context == 'c')
        abort();
    if (*(const char *)context == 'h')
        kill(getppid(), SIGKILL); /* the helper, which this child dies with */
    for (;;)                      /* until the limit */
        ;
}

static void report(const void *context, int file, int fd, struct fpgz_error *error)
{
    static const char zeros[1 << 20]; /* more than a pipe holds */
    char first = 0;
    size_t got;
    if (fpgz_read_at(file, &first, 1, 0, &got) && first == 'x' && fpgz_write(fd, zeros, sizeof zeros))
        fpgz_fail(error, FPGZ_UNSUPPORTED, "%s", (const char *)context);
}

static unsigned prepared; /* in the helper: how often */

static enum fpgz_status prepare(struct fpgz_error *error)
{
    return ++prepared > 2 ? fpgz_fail(error, FPGZ_UNSUPPORTED, "prepared before") : FPGZ_OK;
}

static int open_descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void check_reports(int file)
{
    const struct fpgz_work work = {.reader = "it", .prepare = prepare, .run = report};
    struct fpgz_error error = {0};
    char *all = malloc(1 << 20);
    size_t got;
    int fd;
    expect(!fpgz_helper_ask(&work, "reason", 7, file, &fd, &error) && fpgz_read(fd, all, 1 << 20, &got) &&
               got == 1 << 20 && fpgz_helper_end(fd, &error) == FPGZ_UNSUPPORTED &&
               !strcmp(error.text, "reason"),
           "a child that tells why");
    error.status = FPGZ_OK;
    expect(!fpgz_helper_ask(&work, "reason", 7, file, &fd, &error) && !fpgz_helper_end(fd, &error),
           "a child that nobody listens to");
    expect(!fpgz_helper_ask(&work, "reason", 7, file, &fd, &error) && fpgz_read(fd, all, 1, &got) && !got &&
               fpgz_helper_end(fd, &error) == FPGZ_UNSUPPORTED && !strcmp(error.text, "prepared before"),
           "what the helper does stays with it");
    free(all);
}

static void test_helper(void)
{
    const struct fpgz_work bad = {.reader = "the reader", .run = misbehave, .seconds = 1};
    const struct fpgz_work good = {.reader = "the reader", .run = report};
    const int before = open_descriptors(), file = memfd_create("file", 0);
    struct fpgz_error error = {0};
    char byte;
    size_t got;
    int fd;
    expect(fpgz_write(file, "x", 1), "a file is written");
    expect(fpgz_helper_ask(&good, "", 1, file, &fd, &error) == FPGZ_UNSUPPORTED, "there is no helper yet");
    static const char *const ways[] = {"crash", "loop", "helper"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        error.status = FPGZ_OK;
        expect(!fpgz_helper_start(&error) && !fpgz_helper_start(&error) &&
                   !fpgz_helper_ask(&bad, ways[i], 1, file, &fd, &error) && fpgz_read(fd, &byte, 1, &got) &&
                   !got && fpgz_helper_end(fd, &error) == (*ways[i] == 'h' ? FPGZ_IO : FPGZ_CORRUPT),
               ways[i]);
    }
    error.status = FPGZ_OK;
    expect(fpgz_helper_ask(&good, "", 1, file, &fd, &error) == FPGZ_IO, "the helper is gone");
    error.status = FPGZ_OK;
    expect(!fpgz_helper_start(&error), "another one");
    expect(fpgz_helper_ask(&good, NULL, FPGZ_HELPER_MOST + 1, file, &fd, &error) == FPGZ_USAGE, "too much");
    check_reports(file);
    for (int i = 0; i < 1000; i++) {
        error.status = FPGZ_OK;
        if (fpgz_helper_ask(&good, "", 1, file, &fd, &error) || fpgz_helper_end(fd, &error))
            break;
    }
    expect(!error.status, "a thousand files");
    fpgz_helper_stop();
    fpgz_helper_stop();
    expect(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "nobody is left behind");
    close(file);
    expect(open_descriptors() == before, "nothing is left open");
}

/* Whether two sinks have a suffix in common. */
static bool same_suffix(const struct fpgz_sink *a, const struct fpgz_sink *b)
{
    for (const char *const *x = a->suffixes; *x; x++)
        for (const char *const *y = b->suffixes; *y; y++)
            if (!strcmp(*x, *y))
                return true;
    return false;
}

/* What tells formats apart does so for all rows of their tables. */
static void test_tables(void)
{
    for (size_t i = 0; fpgz_source_row(i); i++) {
        const struct fpgz_source *const row = fpgz_source_row(i);
        expect(row->kind != FPGZ_KIND_RAW && row->probe && row->describe, "a source is complete");
        expect(!row->open == !row->close, "a source opens and closes datasets, or does neither");
        for (size_t j = 0; j < i; j++)
            expect(row->kind != fpgz_source_row(j)->kind && strcmp(row->name, fpgz_source_row(j)->name) != 0,
                   "two sources have a kind or name in common");
    }
    for (size_t i = 0; fpgz_sink_row(i); i++) {
        const struct fpgz_sink *const row = fpgz_sink_row(i);
        expect(row->begin && row->write && row->end, "a sink is complete");
        for (size_t j = 0; j < i; j++)
            expect(strcmp(row->name, fpgz_sink_row(j)->name) != 0 && !same_suffix(row, fpgz_sink_row(j)),
                   "two sinks have a name or suffix in common");
    }
}

int main(void)
{
    test_helper(); /* it forks much, which takes longer the more memory there is */
    test_tables();
    test_attributes();
    test_npy();
    test_many();
    test_npy_sink();
    return checks_end();
}
