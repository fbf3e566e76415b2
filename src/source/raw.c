/* SPDX-License-Identifier: MIT
 * Parses shapes, and describes a raw grid by options, by its name and by its length. */
#include "source/raw.h"

#include <inttypes.h>
#include <string.h>

#include "core/bytes.h"

bool fpgz_shape_parse(const char *text, size_t length, struct fpgz_array *array)
{
    const char *const end = text + length;
    unsigned dims = 0;
    while (dims < FPGZ_MAX_DIMS) {
        uint64_t extent = 0;
        const char *const first = text;
        if (dims == 0 && text < end && *text == '*') {
            extent = FPGZ_UNKNOWN;
            text++;
        }
        for (; text < end && *text >= '0' && *text <= '9'; text++)
            if (!fpgz_mul(extent, 10, &extent) || !fpgz_add(extent, (uint64_t)(*text - '0'), &extent))
                return false;
        if (text == first || extent == 0)
            return false;
        array->extent[dims++] = extent;
        if (text == end) {
            array->dims = dims;
            return true;
        }
        if (*text++ != 'x')
            return false;
    }
    return false;
}

/* The suffix of a name, with its dot; empty where there is none. */
static const char *suffix_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot : name + strlen(name);
}

bool fpgz_raw_dtype(const char *name, enum fpgz_dtype *dtype)
{
    static const struct {
        const char *suffix;
        enum fpgz_dtype dtype;
    } others[] = {{".sp", FPGZ_F32}, {".d64", FPGZ_F64}, {".dp", FPGZ_F64}};
    const char *const suffix = suffix_of(name);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(suffix, others[i].suffix)) {
            *dtype = others[i].dtype;
            return true;
        }
    return *suffix && fpgz_dtype_parse(suffix + 1, dtype);
}

/* The shape at the end of a name's stem. A character that is neither letter nor digit must stand before
 * it. */
static bool shape_of_name(const char *name, size_t stem, struct fpgz_array *array)
{
    size_t first = stem;
    while (first && ((name[first - 1] >= '0' && name[first - 1] <= '9') || name[first - 1] == 'x'))
        first--;
    if (first == stem || (first && !strchr("_-.+, ", name[first - 1])))
        return false;
    return fpgz_shape_parse(name + first, stem - first, array);
}

/* Fits the shape to the size: fills in an unknown slowest extent, stacks several grids. */
static enum fpgz_status fit(struct fpgz_array *array, uint64_t size, const char *origin,
                            struct fpgz_error *error)
{
    char shape[FPGZ_SHAPE_TEXT];
    const bool open = array->extent[0] == FPGZ_UNKNOWN;
    uint64_t bytes = fpgz_dtype_size(array->dtype);
    bool fits = true;
    fpgz_shape_text(array->extent, array->dims, shape, sizeof shape);
    for (unsigned d = open; d < array->dims && fits; d++)
        fits = fpgz_mul(bytes, array->extent[d], &bytes);
    if (!fits || bytes > INT64_MAX)
        return fpgz_fail(error, FPGZ_USAGE, "a grid of shape %s is larger than any file", shape);
    if (size == FPGZ_UNKNOWN)
        return FPGZ_OK;
    if (size % bytes)
        return fpgz_fail(
            error, FPGZ_USAGE,
            "its %" PRIu64 " bytes are no multiple of the %" PRIu64 " of %s of shape %s of %s (%s); "
            "give the right --shape or --dtype",
            size, bytes, open ? "one row" : "one grid", shape, fpgz_dtype_name(array->dtype), origin);
    if (open) {
        array->extent[0] = size / bytes;
    } else if (size != bytes) {
        if (array->dims == FPGZ_MAX_DIMS)
            return fpgz_fail(error, FPGZ_USAGE, "a stack of grids of %u dimensions has too many",
                             array->dims);
        memmove(array->extent + 1, array->extent, array->dims * sizeof *array->extent);
        array->extent[0] = size / bytes;
        array->dims++;
    }
    return FPGZ_OK;
}

enum fpgz_status fpgz_raw_describe(const struct fpgz_raw_request *request, const char *name, uint64_t size,
                                   struct fpgz_array *array, struct fpgz_error *error)
{
    struct fpgz_array named = {0};
    const bool has_dtype = fpgz_raw_dtype(name, &named.dtype);
    *array = request->array;
    /* Without a dtype the values are bytes; a shape for them would be a guess. */
    if (!request->has_dtype && !has_dtype && request->has_shape)
        return fpgz_fail(error, FPGZ_USAGE,
                         "a shape of values needs their type; give --dtype, as in --dtype f32");
    if (!request->has_dtype)
        array->dtype = has_dtype ? named.dtype : FPGZ_U8;
    const size_t value = fpgz_dtype_size(array->dtype);
    if (size != FPGZ_UNKNOWN && size % value)
        return fpgz_fail(error, FPGZ_USAGE,
                         "its %" PRIu64 " bytes are no multiple of %zu, the size of a value of type %s", size,
                         value, fpgz_dtype_name(array->dtype));
    if (request->has_shape)
        return fit(array, size, "from --shape", error);
    /* A single number in a name may count anything, and as a shape it says no more than the size does. */
    const bool numbers = has_dtype || array->dtype != FPGZ_U8;
    if (numbers && shape_of_name(name, (size_t)(suffix_of(name) - name), &named) && named.dims > 1) {
        array->dims = named.dims;
        memcpy(array->extent, named.extent, sizeof named.extent);
        return fit(array, size, "from its name", error);
    }
    array->dims = 1;
    array->extent[0] = size == FPGZ_UNKNOWN ? FPGZ_UNKNOWN : size / value;
    return FPGZ_OK;
}
