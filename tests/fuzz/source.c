/* SPDX-License-Identifier: MIT
 * Any bytes as a file of each format, and as attributes. HDF5 files are left to their library, whose failures
 * a child keeps from us. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/table.h"
#include "fuzz.h"
#include "source/formats.h"

static void describe(const struct fpgz_source *source, int fd, size_t size)
{
    struct fpgz_content content;
    struct fpgz_error remark, error = {0};
    uint64_t covered = 0;
    if (fpgz_source_describe(source, fd, size, &content, &remark, &error))
        __builtin_trap();
    if (!fpgz_content_split(&content))
        __builtin_trap();
    for (size_t i = 0; i < content.count; i++) {
        covered += content.part[i].place.bytes;
        if (!fpgz_part_valid(&content.part[i], size))
            __builtin_trap();
    }
    if (covered != size)
        __builtin_trap();
    fpgz_content_free(&content);
}

/* As each format in turn: --format takes a file for one that it does not begin as. */
static void describe_all(const uint8_t *data, size_t size)
{
    const int fd = memfd_create("file", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        __builtin_trap();
    for (size_t i = 0; fpgz_source_row(i); i++) {
        fpgz_source_row(i)->probe(fd, size);
        if (strcmp(fpgz_source_row(i)->name, "HDF5") != 0)
            describe(fpgz_source_row(i), fd, size);
    }
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1); /* reading behind it is seen */
    if (!copy)
        __builtin_trap();
    memcpy(copy, data, size);
    const struct fpgz_attributes attributes = {copy, size};
    fpgz_attributes_valid(&attributes);
    free(copy);
    describe_all(data, size);
    return 0;
}
