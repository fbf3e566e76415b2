/* SPDX-License-Identifier: MIT
 * SEG-Y: headers of the file, then traces, each with a header of 240 bytes. The traces are a table: samples,
 * and those fields of the headers that follow each other and have one type. */
#include <stdio.h>
#include <string.h>

#include "core/bytes.h"
#include "core/io.h"
#include "core/table.h"
#include "source/source.h"
#include "source/stored.h"

/* Offsets in the file's headers and in that of a trace, and what they hold. */
enum {
    TEXT = 3200,
    HEADERS = 3600,
    SAMPLES = 3220,
    FORMAT = 3224,
    WIDE_SAMPLES = 3268,
    ORDER = 3296,
    REVISION = 3500,
    MORE_TEXTS = 3504,
    TRACE = 240,
    TRACE_SAMPLES = 114,
    REVISION_2 = 0x200, /* since then there are numbers of 32 bits, and an order of bytes */
    TRACES_TRIED = 64,
};

static const uint32_t order_word = 0x01020304;

/* How a file is laid out. */
struct layout {
    enum fpgz_order order;
    enum fpgz_dtype dtype; /* of the samples */
    uint64_t first;        /* byte of the first trace */
    uint64_t samples;      /* of each trace */
    uint64_t record;       /* bytes of a trace with its header */
    uint64_t traces;
};

static unsigned read16(const struct layout *layout, const uint8_t *at)
{
    const uint16_t word = fpgz_load16(at);
    return layout->order == FPGZ_BIG ? __builtin_bswap16(word) : word;
}

static uint32_t read32(const struct layout *layout, const uint8_t *at)
{
    const uint32_t word = fpgz_load32(at);
    return layout->order == FPGZ_BIG ? __builtin_bswap32(word) : word;
}

/* The type of samples by its code. Numbers of IBM's have no type here: their words are integers. */
static enum fpgz_dtype sample_type(unsigned code)
{
    static const uint8_t types[] = {
        [1] = FPGZ_U32, [2] = FPGZ_I32, [3] = FPGZ_I16,  [4] = FPGZ_U32,  [5] = FPGZ_F32,  [6] = FPGZ_F64,
        [8] = FPGZ_I8,  [9] = FPGZ_I64, [10] = FPGZ_U32, [11] = FPGZ_U16, [12] = FPGZ_U64, [16] = FPGZ_U8};
    return code < sizeof types ? types[code] : 0;
}

/* Whether traces from all over the file tell of as many samples as the first, which tells of `own`. */
static bool traces_alike(int fd, const struct layout *layout, unsigned own)
{
    const uint64_t tried = fpgz_min(layout->traces, TRACES_TRIED);
    uint8_t samples[2];
    size_t got;
    for (uint64_t i = 0; i < tried; i++) {
        const uint64_t trace = tried > 1 ? (layout->traces - 1) / (tried - 1) * i : 0;
        const uint64_t at = layout->first + trace * layout->record + TRACE_SAMPLES;
        if (!fpgz_read_at(fd, samples, sizeof samples, at, &got) || got < sizeof samples ||
            read16(layout, samples) != own)
            return false;
    }
    return true;
}

/* Sets the length of traces. False where they do not have it. */
static bool set_samples(int fd, uint64_t size, uint64_t samples, unsigned own, struct layout *layout)
{
    layout->samples = samples;
    layout->record = TRACE + samples * fpgz_dtype_size(layout->dtype);
    layout->traces = (size - layout->first) / layout->record;
    const bool whole = layout->traces * layout->record == size - layout->first;
    return samples && layout->traces && (own || whole) && traces_alike(fd, layout, own);
}

/* Reads the headers of the file and of its first trace, of which one may be wrong about samples. False where
 * these cannot be, or traces differ in length. */
static bool read_layout(int fd, uint64_t size, struct layout *layout)
{
    uint8_t head[HEADERS], trace[TRACE];
    size_t got;
    *layout = (struct layout){.order = FPGZ_BIG};
    if (!fpgz_read_at(fd, head, sizeof head, 0, &got) || got < sizeof head)
        return false;
    if (fpgz_load32(head + ORDER) == order_word)
        layout->order = FPGZ_LITTLE;
    const bool wide = read16(layout, head + REVISION) >= REVISION_2;
    const unsigned more = read16(layout, head + MORE_TEXTS);
    const uint32_t many = wide ? read32(layout, head + WIDE_SAMPLES) : 0;
    layout->dtype = sample_type(read16(layout, head + FORMAT));
    layout->first = HEADERS + (uint64_t)TEXT * more;
    if (!layout->dtype || more > INT16_MAX || !fpgz_read_at(fd, trace, sizeof trace, layout->first, &got) ||
        got < sizeof trace)
        return false;
    const unsigned own = read16(layout, trace + TRACE_SAMPLES);
    return set_samples(fd, size, many ? many : read16(layout, head + SAMPLES), own, layout) ||
           set_samples(fd, size, own, own, layout);
}

/* Whether the file begins with a card of text, as in both codes of letters. */
static bool segy_probe(int fd, uint64_t size)
{
    struct layout layout;
    uint8_t letter;
    size_t got;
    return size > HEADERS + TRACE && fpgz_read_at(fd, &letter, 1, 0, &got) &&
           (letter == 'C' || letter == 0xC3) && read_layout(fd, size, &layout);
}

/* Adds the fields of a trace. False without memory. */
static bool add_fields(const struct layout *layout, struct fpgz_part *table)
{
    static const struct {
        enum fpgz_dtype dtype;
        unsigned count;
    } fields[] = {{FPGZ_I32, 7}, {FPGZ_I16, 4},  {FPGZ_I32, 8}, {FPGZ_I16, 2},
                  {FPGZ_I32, 4}, {FPGZ_I16, 46}, {FPGZ_I32, 5}, {FPGZ_I16, 20}};
    uint64_t offset = 0;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const struct fpgz_array array = {fields[i].dtype, layout->order, 1, {fields[i].count}};
        const uint64_t end = offset + fpgz_dtype_size(array.dtype) * fields[i].count;
        char name[40];
        snprintf(name, sizeof name, "header.%u-%u", (unsigned)offset + 1,
                 (unsigned)end); /* as the standard counts */
        if (!fpgz_table_add(table, name, &array, offset))
            return false;
        offset = end;
    }
    const struct fpgz_array samples = {layout->dtype, layout->order, 1, {layout->samples}};
    return fpgz_table_add(table, "samples", &samples, TRACE);
}

static enum fpgz_status segy_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                      struct fpgz_error *error)
{
    struct layout layout;
    if (!read_layout(fd, content->size, &layout)) {
        fpgz_fail(remark, FPGZ_CORRUPT, "it has no SEG-Y traces of one length; archived as bytes");
        return FPGZ_OK;
    }
    struct fpgz_part *const table = fpgz_content_add(content);
    if (!table || !(table->name = strdup("")) || !add_fields(&layout, table) ||
        !fpgz_place_add(&table->place, layout.first, layout.traces * layout.record, 0))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    table->array = (struct fpgz_array){FPGZ_U8, FPGZ_LITTLE, 2, {layout.traces, layout.record}};
    if (fpgz_table_complete(table))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    const uint64_t left = content->size - layout.first - layout.traces * layout.record;
    if (left)
        fpgz_fail(remark, FPGZ_CORRUPT, "its last trace is cut off; archived as bytes");
    return FPGZ_OK;
}

const struct fpgz_source fpgz_source_segy = {
    .name = "segy",
    .summary = "SEG-Y: the samples of all traces, fields of their headers",
    .kind = 10,
    .probe = segy_probe,
    .describe = segy_describe,
    FPGZ_STORED,
};
