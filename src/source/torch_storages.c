/* SPDX-License-Identifier: MIT
 * The list of an archive's storages, and the classes that they have. */
#include "source/torch_storages.h"

#include "core/room.h"

#include <stdlib.h>
#include <string.h>

bool fpgz_storage_class(const char *name, size_t length, struct fpgz_array *value)
{
    static const struct {
        const char *name;
        enum fpgz_dtype dtype;
        unsigned dims;
    } types[] = {{"Float", FPGZ_F32, 0},     {"Double", FPGZ_F64, 0},       {"Half", FPGZ_F16, 0},
                 {"BFloat16", FPGZ_BF16, 0}, {"Long", FPGZ_I64, 0},         {"Int", FPGZ_I32, 0},
                 {"Short", FPGZ_I16, 0},     {"Char", FPGZ_I8, 0},          {"Byte", FPGZ_U8, 0},
                 {"Bool", FPGZ_U8, 0},       {"ComplexFloat", FPGZ_F32, 1}, {"ComplexDouble", FPGZ_F64, 1},
                 {"QInt8", FPGZ_I8, 0},      {"QUInt8", FPGZ_U8, 0},        {"QInt32", FPGZ_I32, 0},
                 {"Untyped", FPGZ_U8, 0}};
    static const char suffix[] = "Storage";
    const size_t end = sizeof suffix - 1;
    if (length < end || memcmp(name + length - end, suffix, end) != 0)
        return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length - end && !memcmp(name, types[i].name, length - end)) {
            *value = (struct fpgz_array){.dtype = types[i].dtype, .dims = types[i].dims, .extent = {2}};
            return true;
        }
    return false;
}

bool fpgz_storages_add(struct fpgz_storages *storages, const struct fpgz_storage *storage)
{
    if (storages->count == FPGZ_STORAGES_LIMIT)
        return false;
    struct fpgz_storage *const list = fpgz_room(storages->list, storages->count, sizeof *list);
    if (!list)
        return false;
    storages->list = list;
    storages->list[storages->count++] = *storage;
    return true;
}

static bool named(const struct fpgz_storage *storage)
{
    return storage->tensor && *storage->tensor;
}

/* Orders storages by their members; of the same member the one that tells most is the first. */
static int by_member(const void *a, const void *b)
{
    const struct fpgz_storage *x = a, *y = b;
    const int order = strcmp(x->member, y->member);
    const int told_x = 2 * (x->array.dims > 0) + named(x);
    const int told_y = 2 * (y->array.dims > 0) + named(y);
    if (order || told_x != told_y)
        return order ? order : told_y - told_x;
    return named(x) && named(y) ? strcmp(x->tensor, y->tensor) : 0;
}

void fpgz_storages_sort(struct fpgz_storages *storages)
{
    if (storages->count)
        qsort(storages->list, storages->count, sizeof *storages->list, by_member);
}

const struct fpgz_storage *fpgz_storages_find(const struct fpgz_storages *storages, const char *member)
{
    size_t first = 0, end = storages->count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (strcmp(storages->list[middle].member, member) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first < storages->count && !strcmp(storages->list[first].member, member) ? &storages->list[first]
                                                                                    : NULL;
}

void fpgz_storages_free(struct fpgz_storages *storages)
{
    for (size_t i = 0; i < storages->count; i++) {
        free(storages->list[i].member);
        free(storages->list[i].tensor);
    }
    free(storages->list);
    *storages = (struct fpgz_storages){0};
}
