/* SPDX-License-Identifier: MIT
 * The storages of PyTorch's archives: members that hold the values of tensors. */
#ifndef FPGZ_SOURCE_TORCH_STORAGES_H
#define FPGZ_SOURCE_TORCH_STORAGES_H

#include "core/grid.h"

struct fpgz_storage {
    char *member;            /* its name */
    char *tensor;            /* the name of a tensor in it; NULL or empty: not known */
    struct fpgz_array value; /* one value; a complex number has an axis */
    struct fpgz_array array; /* the tensor that fills the storage; no axes: not known */
    uint64_t values;         /* of the storage */
};

struct fpgz_storages {
    struct fpgz_storage *list;
    size_t count;
};

enum { FPGZ_STORAGES_LIMIT = 1 << 16 }; /* of an archive; others are archived as bytes */

/* Sets the value of the storages of a class, whose name has `length` bytes. False for one that is not known.
 */
bool fpgz_storage_class(const char *name, size_t length, struct fpgz_array *value);

/* Appends a storage, which then has its names. False without memory, and beyond the limit. */
bool fpgz_storages_add(struct fpgz_storages *storages, const struct fpgz_storage *storage);

/* Sorts them by their members, for fpgz_storages_find(). */
void fpgz_storages_sort(struct fpgz_storages *storages);

/* The storage that is the member: of several the one that tells most. NULL: none. */
const struct fpgz_storage *fpgz_storages_find(const struct fpgz_storages *storages, const char *member);

void fpgz_storages_free(struct fpgz_storages *storages);

#endif
