/* SPDX-License-Identifier: MIT
 * NumPy files: a Python dictionary with the type and shape of one array, and the array's values. */
#include "source/npy_array.h"
#include "source/source.h"

static bool npy_probe(int fd, uint64_t size)
{
    (void)size;
    return fpgz_npy_begins(fd, 0);
}

static enum fpgz_status npy_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                     struct fpgz_error *error)
{
    return fpgz_npy_add(fd, 0, content->size, "", content, remark, error);
}

const struct fpgz_source fpgz_source_npy = {
    .name = "npy",
    .summary = "NumPy: its array, or each field of its records",
    .kind = 2,
    .probe = npy_probe,
    .describe = npy_describe,
};
