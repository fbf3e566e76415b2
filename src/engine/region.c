/* SPDX-License-Identifier: MIT
 * Parses --region, and copies the values of chunks that lie in its box. */
#include "engine/region.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/text.h"

enum { SHOWN = 20 }; /* bytes shown of a text that is not understood */

/* A bound at *text, from -extent to extent; moves behind it. */
static enum fpgz_status parse_bound(const char **text, unsigned axis, uint64_t extent, uint64_t *bound,
                                    struct fpgz_error *error)
{
    const char *at = *text;
    const bool negative = *at == '-';
    uint64_t number = 0;
    bool fits = true;
    at += negative;
    const char *const digits = at;
    for (; *at >= '0' && *at <= '9'; at++)
        fits = fits && fpgz_mul(number, 10, &number) && fpgz_add(number, (uint64_t)(*at - '0'), &number);
    if (at == digits)
        return fpgz_fail(error, FPGZ_USAGE, "--region: '%.*s' is no index; it is written as in 10:20,:,-5:,7",
                         fpgz_text_fit(*text, SHOWN), *text);
    if (!fits || number > extent)
        return fpgz_fail(error, FPGZ_USAGE,
                         "--region: index %.*s of axis %u is outside its extent of %" PRIu64,
                         (int)(at - *text), *text, axis, extent);
    *bound = negative ? extent - number : number;
    *text = at;
    return FPGZ_OK;
}

/* The bounds along one axis, which end at a comma or the text's end. */
static enum fpgz_status parse_axis(const char **text, unsigned axis, uint64_t extent, uint64_t *first,
                                   uint64_t *end, struct fpgz_error *error)
{
    const char *const start = *text;
    *first = 0;
    *end = extent;
    if (**text != ':' && parse_bound(text, axis, extent, first, error))
        return error->status;
    if (**text != ':') {
        if (*first >= extent)
            return fpgz_fail(error, FPGZ_USAGE,
                             "--region: index %.*s of axis %u is outside its extent of %" PRIu64,
                             (int)(*text - start), start, axis, extent);
        *end = *first + 1;
        return FPGZ_OK;
    }
    ++*text;
    if (**text && **text != ',' && parse_bound(text, axis, extent, end, error))
        return error->status;
    *end = *end < *first ? *first : *end;
    return FPGZ_OK;
}

enum fpgz_status fpgz_region_parse(const char *text, const uint64_t *extent, unsigned dims,
                                   struct fpgz_box *box, struct fpgz_error *error)
{
    box->dims = dims;
    for (unsigned d = 0; d < dims; d++) {
        box->first[d] = 0;
        box->end[d] = extent[d];
    }
    for (unsigned d = 0; text; d++) {
        if (d == dims)
            return fpgz_fail(error, FPGZ_USAGE, "--region names more axes than the %u of the array", dims);
        if (parse_axis(&text, d, extent[d], &box->first[d], &box->end[d], error))
            return error->status;
        if (*text && *text != ',')
            return fpgz_fail(error, FPGZ_USAGE,
                             "--region: '%.*s' is not understood; it is written as in 10:20,:,-5:,7",
                             fpgz_text_fit(text, SHOWN), text);
        text = *text ? text + 1 : NULL;
    }
    return FPGZ_OK;
}

uint64_t fpgz_box_values(const struct fpgz_box *box)
{
    uint64_t values = 1;
    for (unsigned d = 0; d < box->dims; d++)
        values *= box->end[d] - box->first[d];
    return values;
}

void fpgz_box_merge(struct fpgz_box *box, uint64_t *extent)
{
    unsigned last = box->dims - 1;
    for (; last && box->first[last] == 0 && box->end[last] == extent[last]; last--) {
        box->first[last - 1] *= extent[last];
        box->end[last - 1] *= extent[last];
        extent[last - 1] *= extent[last];
    }
    box->dims = last + 1;
}

bool fpgz_box_of_piece(const struct fpgz_box *box, const struct fpgz_part *part, uint64_t number,
                       const uint64_t *stride, struct fpgz_box *within, uint64_t *offset)
{
    *offset = 0;
    within->dims = box->dims;
    for (unsigned d = box->dims; d-- > 0;) {
        const uint64_t pieces = fpgz_part_pieces(part, d), origin = number % pieces * part->piece[d];
        const uint64_t length = fpgz_min(part->piece[d], part->array.extent[d] - origin);
        if (box->end[d] <= origin || box->first[d] >= origin + length || box->first[d] == box->end[d])
            return false;
        within->first[d] = box->first[d] > origin ? box->first[d] - origin : 0;
        within->end[d] = fpgz_min(box->end[d] - origin, length);
        *offset += (origin + within->first[d] - box->first[d]) * stride[d];
        number /= pieces;
    }
    return true;
}

/* Rows of a box are its values along the last axis. */
static uint64_t row_count(const struct fpgz_box *box)
{
    uint64_t rows = 1;
    for (unsigned d = 0; d + 1 < box->dims; d++)
        rows *= box->end[d] - box->first[d];
    return rows;
}

/* Index in the array of a row's first value, and where that goes. */
static uint64_t row_start(const struct fpgz_box *box, const uint64_t *extent, uint64_t row,
                          const struct fpgz_box_target *target, int64_t *offset)
{
    const unsigned last = box->dims - 1;
    uint64_t index = box->first[last], step = extent[last];
    for (unsigned d = last; d-- > 0; step *= extent[d]) {
        const uint64_t length = box->end[d] - box->first[d], along = row % length;
        index += (box->first[d] + along) * step;
        row /= length;
        if (target)
            *offset += (int64_t)(along * target->stride[d]);
    }
    return index;
}

/* The first row that ends behind index `first` of the array. */
static uint64_t first_row(const struct fpgz_box *box, const uint64_t *extent, uint64_t first)
{
    const unsigned last = box->dims - 1;
    const uint64_t length = box->end[last] - box->first[last];
    uint64_t from = 0, to = row_count(box);
    while (from < to) {
        const uint64_t middle = from + (to - from) / 2;
        if (row_start(box, extent, middle, NULL, NULL) + length > first)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

bool fpgz_box_meets(const struct fpgz_box *box, const uint64_t *extent, uint64_t *first, uint64_t *count)
{
    if (!fpgz_box_values(box))
        return false;
    const unsigned last = box->dims - 1;
    const uint64_t rows = row_count(box), row = first_row(box, extent, *first), stop = *first + *count;
    const uint64_t start = row < rows ? row_start(box, extent, row, NULL, NULL) : stop;
    if (start >= stop)
        return false;
    /* The last row that begins before the run's end is either the first row that ends behind it, or the
     * row before that one. */
    uint64_t final = first_row(box, extent, stop);
    if (final == rows || row_start(box, extent, final, NULL, NULL) >= stop)
        final--;
    const uint64_t end = row_start(box, extent, final, NULL, NULL) + box->end[last] - box->first[last];
    *first = start > *first ? start : *first;
    *count = fpgz_min(end, stop) - *first;
    return true;
}

uint64_t fpgz_box_before(const struct fpgz_box *box, const uint64_t *extent, uint64_t first)
{
    const unsigned last = box->dims - 1;
    const uint64_t length = box->end[last] - box->first[last], row = first_row(box, extent, first);
    if (row == row_count(box))
        return row * length;
    const uint64_t start = row_start(box, extent, row, NULL, NULL);
    return row * length + (first > start ? first - start : 0);
}

void fpgz_box_copy(const struct fpgz_box *box, const uint64_t *extent, const uint8_t *values, uint64_t first,
                   uint64_t count, size_t size, const struct fpgz_box_target *target)
{
    const unsigned last = box->dims - 1;
    const uint64_t rows = row_count(box), stop = first + count, step = target->stride[last];
    for (uint64_t row = first_row(box, extent, first); row < rows; row++) {
        int64_t offset = target->offset;
        const uint64_t index = row_start(box, extent, row, target, &offset);
        if (index >= stop)
            return;
        const uint64_t from = index > first ? index : first;
        const uint64_t to = fpgz_min(index + box->end[last] - box->first[last], stop);
        const uint8_t *source = values + (from - first) * size;
        uint8_t *out = target->data + offset + (int64_t)((from - index) * step);
        if (step == size)
            memcpy(out, source, (to - from) * size);
        else
            for (uint64_t i = from; i < to; i++, source += size, out += step)
                memcpy(out, source, size);
    }
}
