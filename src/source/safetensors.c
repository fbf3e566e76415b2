/* SPDX-License-Identifier: MIT
 * safetensors files: the length of a header, a JSON object that tells of each tensor its type, shape and
 * place, and the tensors. */
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/io.h"
#include "core/json.h"
#include "core/text.h"
#include "source/arrays.h"
#include "source/source.h"
#include "source/stored.h"

enum {
    LENGTH_BYTES = 8,
    HEADER_LIMIT = 16 << 20, /* a hundred times what large models have */
    NAME_BYTES = 4096,
};

/* What the header tells of a tensor. */
struct tensor {
    char name[NAME_BYTES];
    struct fpgz_array array;
    bool has_type, has_shape, has_place;
    bool known;          /* the type; else the values are bytes without a shape */
    uint64_t first, end; /* bytes behind the header */
};

static bool safetensors_probe(int fd, uint64_t size)
{
    uint8_t front[LENGTH_BYTES + 2];
    size_t got;
    return size >= sizeof front && fpgz_read_at(fd, front, sizeof front, 0, &got) && got == sizeof front &&
           front[8] == '{' && front[9] && strchr("\"} \t\n\r", front[9]) && fpgz_load64(front) >= 2 &&
           fpgz_load64(front) <= size - LENGTH_BYTES;
}

/* The type of the values, and the axes that one of them has. False for a type that is none of ours. */
static bool read_type(const struct fpgz_json *json, struct fpgz_array *array)
{
    static const struct {
        const char *theirs;
        enum fpgz_dtype dtype;
        unsigned dims; /* the parts of complex numbers are one more axis */
    } types[] = {{"F16", FPGZ_F16, 0},    {"BF16", FPGZ_BF16, 0}, {"F32", FPGZ_F32, 0},
                 {"F64", FPGZ_F64, 0},    {"I8", FPGZ_I8, 0},     {"I16", FPGZ_I16, 0},
                 {"I32", FPGZ_I32, 0},    {"I64", FPGZ_I64, 0},   {"U8", FPGZ_U8, 0},
                 {"U16", FPGZ_U16, 0},    {"U32", FPGZ_U32, 0},   {"U64", FPGZ_U64, 0},
                 {"BOOL", FPGZ_U8, 0},    {"C64", FPGZ_F32, 1},   {"F8_E4M3", FPGZ_U8, 0},
                 {"F8_E5M2", FPGZ_U8, 0}, {"F8_E8M0", FPGZ_U8, 0}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (fpgz_json_is(json, types[i].theirs)) {
            *array = (struct fpgz_array){.dtype = types[i].dtype, .dims = types[i].dims};
            return true;
        }
    return false;
}

/* Reads a list of `most` numbers at most; false where it is none. */
static bool read_list(struct fpgz_json *json, uint64_t *number, unsigned most, unsigned *count)
{
    *count = 0;
    if (fpgz_json_next(json) != FPGZ_JSON_LIST)
        return false;
    while (*count < most && fpgz_json_count(json, &number[*count]))
        ++*count;
    if (*count == most)
        fpgz_json_next(json);
    return json->kind == FPGZ_JSON_LIST_END;
}

/* Reads the object that is a tensor's value. */
static bool read_tensor(struct fpgz_json *json, struct tensor *tensor)
{
    struct fpgz_array type = {0};
    uint64_t place[2];
    unsigned count = 0;
    if (fpgz_json_next(json) != FPGZ_JSON_OBJECT)
        return false;
    while (fpgz_json_next(json) == FPGZ_JSON_NAME) {
        if (fpgz_json_is(json, "dtype")) {
            tensor->has_type = fpgz_json_next(json) == FPGZ_JSON_STRING;
            tensor->known = read_type(json, &type);
        } else if (fpgz_json_is(json, "shape")) {
            tensor->has_shape = read_list(json, tensor->array.extent, FPGZ_MAX_DIMS - 1, &tensor->array.dims);
        } else if (fpgz_json_is(json, "data_offsets")) {
            tensor->has_place = read_list(json, place, 2, &count) && count == 2;
        } else if (!fpgz_json_skip(json)) {
            return false;
        }
    }
    if (json->kind != FPGZ_JSON_OBJECT_END || !tensor->has_type || !tensor->has_shape || !tensor->has_place)
        return false;
    tensor->first = place[0];
    tensor->end = place[1];
    tensor->array.dtype = type.dtype;
    if (type.dims)
        tensor->array.extent[tensor->array.dims++] = 2;
    return true;
}

/* Adds a tensor whose bytes are behind the file's first `base`. */
static enum fpgz_status add(struct fpgz_content *content, struct tensor *tensor, uint64_t base,
                            struct fpgz_error *remark, struct fpgz_error *error)
{
    struct fpgz_array *const array = &tensor->array;
    const uint64_t stated = tensor->end - tensor->first;
    uint64_t offset, bytes;
    if (!tensor->known)
        *array = (struct fpgz_array){FPGZ_U8, FPGZ_LITTLE, 1, {stated}};
    if (fpgz_extents_bytes(array->dtype, array->extent, array->dims, &bytes) && bytes != stated) {
        fpgz_fail(remark, FPGZ_CORRUPT, "tensor %.*s does not have the bytes of its shape; archived as bytes",
                  fpgz_text_fit(tensor->name, FPGZ_NAME_SHOWN), tensor->name);
        return FPGZ_OK;
    }
    if (tensor->end < tensor->first || !fpgz_add(base, tensor->first, &offset))
        offset = UINT64_MAX; /* nothing lies there */
    return fpgz_arrays_add_dense(content, tensor->name, array, offset, remark, error);
}

/* Reads the whole header. False where it is not one of tensors. */
static bool read_header(const char *text, uint64_t base, struct fpgz_content *content,
                        struct fpgz_error *remark, struct fpgz_error *error)
{
    struct fpgz_json json = {.at = text};
    struct tensor tensor;
    if (fpgz_json_next(&json) != FPGZ_JSON_OBJECT)
        return false;
    while (fpgz_json_next(&json) == FPGZ_JSON_NAME && !error->status) {
        memset(&tensor, 0, sizeof tensor);
        if (fpgz_json_is(&json, "__metadata__")
                ? !fpgz_json_skip(&json)
                : !fpgz_json_text(&json, tensor.name, sizeof tensor.name) || !read_tensor(&json, &tensor))
            return false;
        if (tensor.has_type)
            add(content, &tensor, base, remark, error);
    }
    return json.kind == FPGZ_JSON_OBJECT_END && fpgz_json_next(&json) == FPGZ_JSON_END;
}

static enum fpgz_status safetensors_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                             struct fpgz_error *error)
{
    uint8_t front[LENGTH_BYTES];
    size_t got;
    const bool begins = fpgz_read_at(fd, front, sizeof front, 0, &got) && got == sizeof front;
    const uint64_t length = begins ? fpgz_load64(front) : 0;
    if (length > content->size - fpgz_min(content->size, LENGTH_BYTES) || length > HEADER_LIMIT) {
        fpgz_fail(remark, FPGZ_CORRUPT, "its safetensors header is too long, or cut off; archived as bytes");
        return FPGZ_OK;
    }
    char *const text = malloc(length + 1);
    if (!text)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    if (!fpgz_read_at(fd, text, length, LENGTH_BYTES, &got))
        got = 0;
    text[got] = '\0';
    const bool whole = strlen(text) == length;
    if ((!whole || !read_header(text, LENGTH_BYTES + length, content, remark, error)) && !error->status) {
        fpgz_content_clear(content);
        *remark = (struct fpgz_error){0};
        fpgz_fail(remark, FPGZ_CORRUPT, "its safetensors header is no list of tensors; archived as bytes");
    }
    free(text);
    return error->status;
}

const struct fpgz_source fpgz_source_safetensors = {
    .name = "safetensors",
    .summary = "each tensor",
    .kind = 4,
    .probe = safetensors_probe,
    .describe = safetensors_describe,
    FPGZ_STORED,
};
