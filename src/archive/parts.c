/* SPDX-License-Identifier: MIT
 * The parts of a source: which of them are worth coding as arrays. */
#include "archive/parts.h"

#include <stdlib.h>
#include <string.h>

#include "archive/budget.h"
#include "archive/coder.h"
#include "codec/codecs.h"
#include "container/filters.h"
#include "container/format.h"
#include "container/runs.h"
#include "core/bytes.h"
#include "core/cover.h"
#include "core/gather.h"
#include "core/group.h"
#include "core/table.h"
#include "engine/plan.h"

enum {
    SURE_BYTES = 2 << 20, /* larger arrays are not sampled: at worst their sections cost 0.05 % */
    SAMPLE_BYTES = 64 << 10,
    /* A file grows by at most 0.1 % and 4 KiB. A part of this may be spent on arrays that gain nothing, so
     * that they can be listed and restored alone. */
    SPENT_BYTES = 2 << 10,
    SPENT_PART = 4096,
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

/* Bytes that its codec would save for the part, estimated from a sample in its middle. */
static double expected_gain(const struct fpgz_setup *setup, int level, const struct fpgz_area *area,
                            const struct fpgz_part *part, struct fpgz_chunk_buffers *buffers)
{
    const struct fpgz_coder coder = fpgz_coder_of(setup, level, part);
    struct fpgz_coded coded;
    struct fpgz_cut cut;
    struct fpgz_error none = {0};
    uint64_t stopped, target = SAMPLE_BYTES, slab = fpgz_setup_slab(setup);
    if (fpgz_budget_cut(setup, level, part, 1, &target, &slab, &none) ||
        !fpgz_plan_cut(part, target, slab, &cut))
        return 0;
    const uint64_t rows = cut.shape.extent[0], middle = rows > cut.rows ? (rows - cut.rows) / 2 : 0;
    const uint64_t first = middle / cut.align * cut.align;
    const struct fpgz_grid grid = fpgz_cut_grid(&cut, fpgz_cut_next(&cut, rows - first));
    const size_t bytes = fpgz_grid_bytes(&grid);
    if (!fpgz_buffer_reserve(&buffers->raw, bytes) ||
        !fpgz_gather(area, &part->place, first * cut.row_bytes, buffers->raw.data, bytes, &stopped,
                     &coded.raw_checksum) ||
        fpgz_chunk_encode(&coder, &grid, buffers, &coded))
        return 0;
    return (double)(bytes - coded.length) / (double)bytes * (double)part->place.bytes;
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
    return cost - expected_gain(setup, level, area, part, buffers);
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

/* Turns the small arrays of these kinds, which would be grouped, into bytes where a group would not pay.
 * False without memory. */
static bool judge_groups(const struct fpgz_setup *setup, int level, const struct fpgz_area *area,
                         struct fpgz_content *content, uint64_t kinds, struct fpgz_chunk_buffers *buffers,
                         bool *merged)
{
    size_t *const member = calloc(content->count + 1, sizeof *member);
    bool ok = member != NULL;
    for (unsigned kind = 0; kind < FPGZ_GROUP_KINDS && ok; kind++) {
        struct fpgz_part group;
        double cost = 150;
        if (!(kinds >> kind & 1))
            continue;
        ok = fpgz_group_of(content, kind, &group, member);
        for (size_t i = 0; ok && i < group.members; i++) /* in the table, behind zlib */
            cost += 4 + (double)strlen(content->part[member[i]].name) / 8;
        const bool poor = ok && group.members && expected_gain(setup, level, area, &group, buffers) < cost;
        for (size_t i = 0; poor && i < group.members; i++)
            content->part[member[i]].layout = FPGZ_BYTES;
        *merged |= poor;
        if (ok)
            fpgz_part_free(&group);
    }
    free(member);
    return ok;
}

bool fpgz_parts_merge(const struct fpgz_setup *setup, const struct fpgz_input *input,
                      struct fpgz_content *content)
{
    struct fpgz_chunk_buffers buffers = {0};
    struct poor *poor = calloc(content->count + 1, sizeof *poor);
    size_t count = 0;
    double left = (double)SPENT_BYTES + (double)content->size / SPENT_PART;
    const int level = fpgz_coder_level(setup, content);
    const struct fpgz_area places = {input->fd, input->start, &content->image}, *const area = &places;
    bool merged = false, ok = poor != NULL;
    for (size_t i = 0; i < content->count; i++)
        if (strlen(content->part[i].name) > FPGZ_MAX_NAME_BYTES) {
            content->part[i].layout = FPGZ_BYTES;
            merged = true;
        }
    const uint64_t kinds = fpgz_group_kinds(content);
    ok = ok && judge_groups(setup, level, area, content, kinds, &buffers, &merged);
    for (size_t i = 0; i < content->count && ok; i++) {
        struct fpgz_part *part = &content->part[i];
        if (part->layout == FPGZ_BYTES || part->filters.count || /* fpgz_recode() has looked at those */
            (fpgz_part_is_small(part) && kinds >> fpgz_group_kind(part) & 1))
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
