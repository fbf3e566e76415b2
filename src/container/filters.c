/* SPDX-License-Identifier: MIT
 * Writes and reads how pieces are filtered: the filters, runs of pieces that are filtered alike, lengths, and
 * the pieces that are kept as they are. */
#include "container/filters.h"

#include <stdlib.h>

#include "core/bytes.h"

enum {
    BARE_DEFLATE = FPGZ_FILTERS + 1,
    NO_FILTER
}; /* numbers of filters: FPGZ_FILTER_DEFLATE otherwise, and none */

/* How a piece is filtered, as one number. */
static uint64_t pack_how(const struct fpgz_refiltering *how)
{
    return how->skipped | (uint64_t)how->level << 3 | (uint64_t)(how->memory_level == 9) << 7;
}

static bool unpack_how(uint64_t number, struct fpgz_refiltering *how)
{
    how->skipped = number & 7;
    how->level = number >> 3 & 15;
    how->memory_level = number >> 7 ? 9 : how->level ? 8 : 0;
    return number < 256;
}

static bool has_value(enum fpgz_filter filter)
{
    return filter == FPGZ_FILTER_SHUFFLE || (filter >= FPGZ_FILTER_ENCODED && filter < FPGZ_FILTER_LZF);
}

static void add_filters(const struct fpgz_filters *filters, struct fpgz_numbers *numbers)
{
    fpgz_numbers_add(numbers, filters->count);
    for (unsigned i = 0; i < filters->count; i++) {
        const struct fpgz_filter_step *const step = &filters->step[i];
        const bool bare = step->filter == FPGZ_FILTER_DEFLATE && step->value;
        fpgz_numbers_add(numbers, bare ? BARE_DEFLATE : step->filter);
        if (has_value(step->filter))
            fpgz_numbers_add(numbers, step->value);
        if (step->filter == FPGZ_FILTER_FRONT)
            fpgz_numbers_add_bytes(numbers, filters->front, step->value);
    }
}

static void add_stored(const struct fpgz_part *part, struct fpgz_numbers *numbers)
{
    const uint64_t pieces = part->place.bytes / fpgz_part_piece_bytes(part);
    for (uint64_t i = 0, end; i < pieces; i = end) {
        const uint64_t how = pack_how(&part->stored[i].how);
        for (end = i + 1; end < pieces && pack_how(&part->stored[end].how) == how;)
            end++;
        fpgz_numbers_add(numbers, end - i);
        fpgz_numbers_add(numbers, how);
    }
    for (uint64_t i = 0; i < pieces; i++)
        fpgz_numbers_add(numbers, part->stored[i].length);
}

void fpgz_filters_add(const struct fpgz_part *part, struct fpgz_numbers *numbers)
{
    uint64_t end = 0, due = 0;
    add_filters(&part->filters, numbers);
    add_stored(part, numbers);
    fpgz_numbers_add(numbers, part->kepts);
    for (size_t i = 0; i < part->kepts; i++) {
        const struct fpgz_kept *const kept = &part->kept[i];
        fpgz_numbers_add(numbers, kept->offset - end);
        fpgz_numbers_add(numbers, kept->length);
        fpgz_numbers_add(numbers, fpgz_zigzag(kept->number - due));
        fpgz_numbers_add(numbers, kept->skipped);
        end = kept->offset + kept->length;
        due = kept->number + 1;
    }
}

size_t fpgz_filters_bytes(const struct fpgz_part *part)
{
    struct fpgz_numbers numbers = {0};
    if (part->filters.count)
        fpgz_filters_add(part, &numbers);
    const size_t length = numbers.failed ? SIZE_MAX / 4 : numbers.length;
    fpgz_numbers_free(&numbers);
    return length;
}

static enum fpgz_status take_filters(struct fpgz_number_view *view, struct fpgz_filters *filters)
{
    const uint64_t count = fpgz_number_take(view);
    *filters = (struct fpgz_filters){0};
    if (!count || count > FPGZ_FILTERS)
        return FPGZ_CORRUPT;
    for (unsigned i = 0; i < count; i++) {
        struct fpgz_filter_step *const step = &filters->step[filters->count++];
        const uint64_t number = fpgz_number_take(view);
        if (number > FPGZ_FILTER_LZF || number == NO_FILTER)
            return FPGZ_UNSUPPORTED;
        const bool bare = number == BARE_DEFLATE;
        step->filter = bare ? FPGZ_FILTER_DEFLATE : (enum fpgz_filter)number;
        const uint64_t value = has_value(step->filter) ? fpgz_number_take(view) : bare;
        if (value > UINT32_MAX)
            return FPGZ_CORRUPT;
        step->value = (uint32_t)value;
        if (step->filter == FPGZ_FILTER_FRONT && !i && value <= FPGZ_FRONT_MOST) {
            const uint8_t *const front = fpgz_number_take_bytes(view, value);
            filters->front = malloc(value + 1);
            if (!filters->front)
                return FPGZ_MEMORY;
            if (front)
                memcpy(filters->front, front, value);
        }
    }
    return !view->bad && fpgz_filters_valid(filters) ? FPGZ_OK : FPGZ_CORRUPT;
}

static enum fpgz_status take_stored(struct fpgz_number_view *view, struct fpgz_part *part)
{
    const uint64_t pieces = part->place.bytes / fpgz_part_piece_bytes(part);
    if (pieces > (uint64_t)(view->end - view->at)) /* each has a byte of length at least */
        return FPGZ_CORRUPT;
    part->stored = calloc(pieces, sizeof *part->stored);
    if (!part->stored)
        return FPGZ_MEMORY;
    for (uint64_t i = 0; i < pieces;) {
        struct fpgz_refiltering same;
        uint64_t alike = fpgz_number_take(view);
        if (!alike || alike > pieces - i || !unpack_how(fpgz_number_take(view), &same))
            return FPGZ_CORRUPT;
        while (alike--)
            part->stored[i++].how = same;
    }
    for (uint64_t i = 0; i < pieces; i++) {
        const uint64_t length = fpgz_number_take(view);
        if (!length || length > UINT32_MAX)
            return FPGZ_CORRUPT;
        part->stored[i].length = (uint32_t)length;
    }
    return FPGZ_OK;
}

static enum fpgz_status take_kept(struct fpgz_number_view *view, struct fpgz_part *part)
{
    const uint64_t count = fpgz_number_take(view);
    uint64_t end = 0, due = 0;
    if (count > (uint64_t)(view->end - view->at) / 4)
        return FPGZ_CORRUPT;
    part->kept = calloc(count + 1, sizeof *part->kept);
    if (!part->kept)
        return FPGZ_MEMORY;
    for (; part->kepts < count; part->kepts++) {
        struct fpgz_kept *const kept = &part->kept[part->kepts];
        const uint64_t gap = fpgz_number_take(view), length = fpgz_number_take(view);
        const uint64_t number = fpgz_number_take(view), skipped = fpgz_number_take(view);
        if (!length || length > UINT32_MAX || skipped >> part->filters.count ||
            !fpgz_add(end, gap, &kept->offset) || !fpgz_add(kept->offset, length, &end))
            return FPGZ_CORRUPT;
        kept->length = (uint32_t)length;
        kept->number = due + fpgz_unzigzag(number);
        kept->skipped = (uint8_t)skipped;
        due = kept->number + 1;
    }
    return view->bad ? FPGZ_CORRUPT : FPGZ_OK;
}

enum fpgz_status fpgz_filters_take(struct fpgz_number_view *view, struct fpgz_part *part,
                                   struct fpgz_error *error)
{
    enum fpgz_status status = part->place.count ? take_filters(view, &part->filters) : FPGZ_CORRUPT;
    if (!status)
        status = take_stored(view, part);
    if (!status)
        status = take_kept(view, part);
    switch (status) {
    case FPGZ_OK:
        return status;
    case FPGZ_MEMORY:
        return fpgz_fail(error, status, "no memory for a table of filtered pieces");
    case FPGZ_UNSUPPORTED:
        return fpgz_fail(error, status,
                         "an array has filters that this fpgz does not know: use a newer fpgz");
    default:
        return fpgz_fail(error, FPGZ_CORRUPT, "its table of filtered pieces is malformed");
    }
}
