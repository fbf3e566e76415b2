/* SPDX-License-Identifier: MIT
 * GGUF files: keys with their values, a list of tensors, and the tensors. Those of plain numbers become
 * arrays; quantised ones are bytes. */
#include <string.h>

#include "core/bytes.h"
#include "core/io.h"
#include "source/arrays.h"
#include "source/cursor.h"
#include "source/source.h"
#include "source/stored.h"

enum { NAME_BYTES = 1024, AXES = 8, DEPTH = 4, ALIGNMENT = 32 };

/* Types of values. */
enum { TYPE_STRING = 8, TYPE_LIST = 9, TYPE_U32 = 4 };

struct tensor {
    char name[NAME_BYTES + 1];
    uint32_t axes, type;
    uint64_t extent[AXES]; /* the fastest first */
    uint64_t offset;       /* in what is behind the lists */
};

static bool take32(struct fpgz_cursor *cursor, uint32_t *number)
{
    *number = (uint32_t)fpgz_cursor_number(cursor, sizeof *number);
    return !cursor->failed;
}

static bool take64(struct fpgz_cursor *cursor, uint64_t *number)
{
    *number = fpgz_cursor_number(cursor, sizeof *number);
    return !cursor->failed;
}

static bool skip_value(struct fpgz_cursor *cursor, uint32_t type, unsigned depth)
{
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    uint64_t count = 1, bytes;
    uint32_t inner = type;
    if (type == TYPE_LIST && (!take32(cursor, &inner) || !take64(cursor, &count) || depth == DEPTH))
        return false;
    if (inner >= sizeof sizes)
        return false;
    if (sizes[inner])
        return fpgz_mul(count, sizes[inner], &bytes) && fpgz_cursor_skip(cursor, bytes);
    for (; count; count--)
        if (inner == TYPE_STRING ? !take64(cursor, &bytes) || !fpgz_cursor_skip(cursor, bytes)
                                 : !skip_value(cursor, inner, depth + 1))
            return false;
    return true;
}

/* Passes over keys and their values, of which one is the alignment of tensors. */
static bool read_keys(struct fpgz_cursor *cursor, uint64_t count, uint32_t *alignment)
{
    static const char wanted[] = "general.alignment";
    char key[sizeof wanted - 1];
    for (; count; count--) {
        uint64_t length;
        uint32_t type;
        bool found = false;
        if (!take64(cursor, &length))
            return false;
        if (length == sizeof key) {
            if (!fpgz_cursor_take(cursor, key, sizeof key))
                return false;
            found = !memcmp(key, wanted, sizeof key);
        } else if (!fpgz_cursor_skip(cursor, length)) {
            return false;
        }
        if (!take32(cursor, &type) ||
            !(found && type == TYPE_U32 ? take32(cursor, alignment) : skip_value(cursor, type, 0)))
            return false;
    }
    return true;
}

static bool read_tensor(struct fpgz_cursor *cursor, struct tensor *tensor)
{
    uint64_t length;
    if (!take64(cursor, &length) || length > NAME_BYTES ||
        !fpgz_cursor_take(cursor, tensor->name, (size_t)length) || !take32(cursor, &tensor->axes) ||
        tensor->axes > AXES)
        return false;
    tensor->name[length] = '\0';
    for (uint32_t d = 0; d < tensor->axes; d++)
        if (!take64(cursor, &tensor->extent[d]))
            return false;
    return take32(cursor, &tensor->type) && take64(cursor, &tensor->offset);
}

/* The dtype of tensors that are not quantised. */
static bool read_type(uint32_t type, enum fpgz_dtype *dtype)
{
    static const uint8_t types[] = {[0] = FPGZ_F32,  [1] = FPGZ_F16,  [24] = FPGZ_I8,  [25] = FPGZ_I16,
                                    [26] = FPGZ_I32, [27] = FPGZ_I64, [28] = FPGZ_F64, [30] = FPGZ_BF16};
    *dtype = type < sizeof types ? types[type] : 0;
    return *dtype != 0;
}

/* Reads the list of tensors twice: where it ends tells where they are. */
static bool add_tensors(struct fpgz_cursor *cursor, uint64_t count, uint32_t alignment,
                        struct fpgz_content *content, struct fpgz_error *remark, struct fpgz_error *error)
{
    const uint64_t list = cursor->at;
    struct tensor tensor;
    for (uint64_t i = 0; i < count; i++)
        if (!read_tensor(cursor, &tensor))
            return false;
    const uint64_t base = fpgz_round_up(cursor->at, alignment);
    cursor->at = list;
    for (uint64_t i = 0; i < count && !error->status; i++) {
        struct fpgz_array array = {0};
        uint64_t offset;
        if (!read_tensor(cursor, &tensor))
            return false;
        if (!read_type(tensor.type, &array.dtype))
            continue;
        for (uint32_t d = tensor.axes; d-- > 0;)
            array.extent[array.dims++] = tensor.extent[d];
        if (!fpgz_add(base, tensor.offset, &offset))
            offset = UINT64_MAX; /* nothing lies there */
        fpgz_arrays_add_dense(content, tensor.name, &array, offset, remark, error);
    }
    return true;
}

static bool gguf_probe(int fd, uint64_t size)
{
    uint8_t front[8];
    size_t got;
    return size > 24 && fpgz_read_at(fd, front, sizeof front, 0, &got) && got == sizeof front &&
           !memcmp(front, "GGUF", 4) && (fpgz_load32(front + 4) == 2 || fpgz_load32(front + 4) == 3);
}

static enum fpgz_status gguf_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                      struct fpgz_error *error)
{
    struct fpgz_cursor cursor = {.fd = fd, .size = content->size};
    uint64_t tensors, keys;
    uint32_t alignment = ALIGNMENT;
    const bool told = gguf_probe(fd, content->size) && fpgz_cursor_skip(&cursor, 8) &&
                      take64(&cursor, &tensors) && take64(&cursor, &keys) &&
                      read_keys(&cursor, keys, &alignment) && alignment;
    if ((!told || !add_tensors(&cursor, tensors, alignment, content, remark, error)) && !error->status) {
        fpgz_content_clear(content);
        *remark = (struct fpgz_error){0};
        fpgz_fail(remark, FPGZ_CORRUPT, "its GGUF header is no list of tensors; archived as bytes");
    }
    return error->status;
}

const struct fpgz_source fpgz_source_gguf = {
    .name = "gguf",
    .summary = "GGUF: each tensor that is not quantised",
    .kind = 13,
    .probe = gguf_probe,
    .describe = gguf_describe,
    FPGZ_STORED,
};
