/* SPDX-License-Identifier: MIT
 * Which filters go together, and how pieces can have gone through them. */
#include "core/filters.h"

#include <stdlib.h>
#include <string.h>

#include "core/encoded.h"
#include "core/packed.h"

enum { LEVELS = 9 }; /* of deflate */

uint64_t fpgz_filter_encoding(const struct fpgz_filter_step *step)
{
    return step->value | (step->filter == FPGZ_FILTER_ENCODED_LAST ? FPGZ_ENCODED_LAST : 0);
}

static bool is_valid(const struct fpgz_filters *filters, unsigned number)
{
    const uint32_t value = filters->step[number].value;
    switch (filters->step[number].filter) {
    case FPGZ_FILTER_SHUFFLE:
        return value > 0;
    case FPGZ_FILTER_DEFLATE:
        return value <= 1;
    case FPGZ_FILTER_FLETCHER32:
    case FPGZ_FILTER_LZF:
        return !value;
    case FPGZ_FILTER_ENCODED:
    case FPGZ_FILTER_ENCODED_LAST:
        return filters->count == 1 && fpgz_encoded_valid(fpgz_filter_encoding(&filters->step[number]));
    case FPGZ_FILTER_PACKED:
        return filters->count == 1 && fpgz_packed_valid(value);
    case FPGZ_FILTER_FRONT:
        return !number && filters->front && value > 0 && value <= FPGZ_FRONT_MOST;
    default:
        return false;
    }
}

bool fpgz_filters_valid(const struct fpgz_filters *filters)
{
    const unsigned both = 1u << FPGZ_FILTER_DEFLATE | 1u << FPGZ_FILTER_LZF;
    unsigned seen = 0;
    if (filters->count > FPGZ_FILTERS)
        return false;
    for (unsigned i = 0; i < filters->count; i++) {
        if (!is_valid(filters, i) || seen >> filters->step[i].filter & 1)
            return false;
        seen |= 1u << filters->step[i].filter;
    }
    return (seen & both) != both;
}

bool fpgz_filters_alike(const struct fpgz_filters *x, const struct fpgz_filters *y)
{
    return x->count == y->count && !memcmp(x->step, y->step, sizeof x->step) &&
           (!fpgz_filters_front(x) || !memcmp(x->front, y->front, fpgz_filters_front(x)));
}

bool fpgz_filters_copy(const struct fpgz_filters *filters, struct fpgz_filters *copy)
{
    *copy = *filters;
    copy->front = NULL;
    if (!fpgz_filters_front(filters))
        return true;
    copy->front = malloc(fpgz_filters_front(filters));
    if (copy->front)
        memcpy(copy->front, filters->front, fpgz_filters_front(filters));
    return copy->front;
}

bool fpgz_filters_deflate(const struct fpgz_filters *filters, const struct fpgz_refiltering *how)
{
    for (unsigned i = 0; i < filters->count; i++)
        if (!fpgz_filter_skipped(how, i) &&
            (filters->step[i].filter == FPGZ_FILTER_DEFLATE ||
             (fpgz_filter_is_encoded(&filters->step[i]) && filters->step[i].value >> FPGZ_ENCODED_SHIFT)))
            return true;
    return false;
}

bool fpgz_refiltering_valid(const struct fpgz_filters *filters, const struct fpgz_refiltering *how)
{
    return !(how->skipped >> filters->count) &&
           (fpgz_filters_deflate(filters, how)
                ? how->level >= 1 && how->level <= LEVELS && how->memory_level >= 8 && how->memory_level <= 9
                : !how->level && !how->memory_level);
}
