/* SPDX-License-Identifier: MIT
 * The parts of a source: which of them are worth coding as arrays. */
#include "archive/parts.h"

#include <stdlib.h>
#include <string.h>

#include "archive/coder.h"
#include "archive/gain.h"
#include "archive/kin.h"
#include "codec/codecs.h"
#include "container/filters.h"
#include "container/format.h"
#include "container/runs.h"
#include "core/bytes.h"
#include "core/cover.h"
#include "core/gather.h"
#include "core/group.h"
#include "core/table.h"

enum {
    SURE_BYTES = 2 << 20, /* larger arrays are not sampled: at worst their sections cost 0.05 % */
    /* A file grows by at most 0.1 % and 4 KiB. A part of this may be spent on arrays that gain nothing, so
     * that they can be listed and restored alone. */
    SPENT_BYTES = 2 << 10,
    SPENT_PART = 4096,
    SPENT_SMALL = 64, /* of small files less: one byte of so many */
};

bool fpgz_parts_hopeless(const uint8_t *bytes, size_t length, struct fpgz_chunk_buffers *buffers)
{
    enum { PIECES = 8, PIECE = 4 << 10, SAMPLE = PIECES * PIECE };
    const struct fpgz_grid grid = {FPGZ_U8, 1, {SAMPLE, 1, 1, 1}};
    struct fpgz_coding coding = {.grid = grid, .params = {.value = {[DEFLATE_LEVEL] = 1}}};
    size_t stream;
    if (length < 8 * SAMPLE || !fpgz_buffer_reserve(&buffers->second, SAMPLE) ||
        !fpgz_buffer_reserve(&buffers->stream, fpgz_deflate.bound(&grid, &coding.params)) ||
        !fpgz_buffer_reserve(&buffers->scratch, fpgz_deflate.memory(&grid, &coding.params)))
        return false;
    for (size_t i = 0; i < PIECES; i++)
        memcpy(buffers->second.data + i * PIECE, bytes + (length - PIECE) / (PIECES - 1) * i, PIECE);
    coding.scratch = buffers->scratch.data;
    return !fpgz_deflate.encode(&coding, buffers->second.data, buffers->stream.data, &stream) &&
           stream > SAMPLE - SAMPLE / 64;
}

/* Bytes of the tables of runs: of the part, and of the opaque bytes between its pieces. Between those of a
 * field the other fields are. */
static uint64_t table_bytes(const struct fpgz_part *part, bool field)
{
    uint64_t gaps = 0;
    if (part->layout == FPGZ_DENSE)
        return 0;
    for (size_t i = 0; i < part->place.count && !field; i++)
        gaps += part->place.run[i].step > part->place.run[i].bytes ? part->place.run[i].count : 1;
    return fpgz_runs_bytes(part) + fpgz_filters_bytes(part) + 4 * gaps;
}

/* Bytes of an array in the table, which may stand in the index again, and of its chunk and what the index
 * says of that. */
static double section_bytes(const struct fpgz_part *part, bool field)
{
    return 150 + (double)strlen(part->name) + 16 * (double)part->array.dims +
           (double)table_bytes(part, field);
}

double fpgz_parts_cost(const struct fpgz_part *part)
{
    return section_bytes(part, false);
}

/* Bytes that a part costs more than it gains; 0 or less: none. */
static double loss_of(const struct fpgz_setup *setup, int level, const struct fpgz_area *area,
                      const struct fpgz_part *part, bool field, struct fpgz_chunk_buffers *buffers)
{
    const double cost = section_bytes(part, field);
    if (part->place.bytes >= SURE_BYTES && cost * 2 * SPENT_PART < (double)part->place.bytes)
        return 0;
    return cost - fpgz_gain_expected(setup, level, area, part, buffers);
}

/* The same of all fields of a table. False without memory. */
static bool loss_of_table(const struct fpgz_setup *setup, int level, const struct fpgz_area *area,
                          const struct fpgz_part *table, struct fpgz_chunk_buffers *buffers, double *loss)
{
    *loss = 0;
    for (size_t i = 0; i < table->fields; i++) {
        struct fpgz_part part;
        if (!fpgz_table_field(table, i, &part))
            return false;
        *loss += loss_of(setup, level, area, &part, true, buffers);
        fpgz_part_free(&part);
    }
    return true;
}

/* Whether the table of all arrays is within a reader's limits. */
static bool table_fits(const struct fpgz_content *content)
{
    uint64_t bytes = 0, arrays = 0;
    for (size_t i = 0; i < content->count; i++) {
        const struct fpgz_part *const part = &content->part[i];
        const size_t own = part->fields ? part->fields : 1;
        bytes += own * (fpgz_runs_bytes(part) + fpgz_filters_bytes(part) + 2 * strlen(part->name) +
                        20 * part->array.dims + 100);
        arrays += own;
    }
    return bytes <= FPGZ_MAX_TABLE_BYTES && arrays <= FPGZ_MAX_ARRAYS;
}

/* An array whose sections cost more than it gains. */
struct poor {
    struct fpgz_part *part;
    double cost;
};

/* Orders arrays by the cost of a byte, the lowest first. */
static int by_cost(const void *a, const void *b)
{
    const struct poor *x = a, *y = b;
    const double first = x->cost / (double)x->part->place.bytes,
                 second = y->cost / (double)y->part->place.bytes;
    if (first != second)
        return first < second ? -1 : 1;
    return (x->part > y->part) - (x->part < y->part);
}

bool fpgz_parts_merge(const struct fpgz_setup *setup, const struct fpgz_input *input,
                      struct fpgz_content *content)
{
    struct fpgz_chunk_buffers buffers = {0};
    struct poor *poor = calloc(content->count + 1, sizeof *poor);
    size_t count = 0;
    double left =
        (double)fpgz_min(SPENT_BYTES, content->size / SPENT_SMALL) + (double)content->size / SPENT_PART;
    const int level = fpgz_coder_level(setup, input, content);
    const struct fpgz_area places = {input->fd, input->start, &content->image}, *const area = &places;
    bool merged = false, ok = poor != NULL;
    for (size_t i = 0; i < content->count; i++)
        if (strlen(content->part[i].name) > FPGZ_MAX_NAME_BYTES) {
            content->part[i].layout = FPGZ_BYTES;
            merged = true;
        }
    ok = ok && fpgz_kin_judge(setup, level, area, content, &buffers, &merged);
    for (size_t i = 0; i < content->count && ok; i++) {
        struct fpgz_part *part = &content->part[i];
        if (part->layout == FPGZ_BYTES || part->filters.count || /* fpgz_recode() has looked at those */
            fpgz_part_is_grouped(content, part))
            continue;
        double loss;
        if (part->fields)
            ok = loss_of_table(setup, level, area, part, &buffers, &loss);
        else
            loss = loss_of(setup, level, area, part, false, &buffers);
        if (ok && loss > 0)
            poor[count++] = (struct poor){part, loss};
    }
    fpgz_chunk_buffers_free(&buffers);
    if (!ok) {
        free(poor);
        return false;
    }
    qsort(poor, count, sizeof *poor, by_cost);
    for (size_t i = 0; i < count; i++) {
        left -= poor[i].cost;
        if (left < 0) {
            poor[i].part->layout = FPGZ_BYTES;
            merged = true;
        }
    }
    free(poor);
    if (merged && !fpgz_content_complete(content))
        return false;
    if (table_fits(content))
        return true;
    for (size_t i = 0; i < content->count; i++)
        if (!content->part[i].filters.count)
            content->part[i].layout = FPGZ_BYTES;
    return fpgz_content_complete(content);
}
