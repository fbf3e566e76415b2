/* SPDX-License-Identifier: MIT
 * What all formats have in common, around the functions in their rows. */
#include "source/source.h"

#include "core/cover.h"

/* Parts that are arrays, or tables of them. */
static size_t count_arrays(const struct fpgz_content *content)
{
    size_t count = 0;
    for (size_t i = 0; i < content->count; i++)
        count += fpgz_part_is_array(&content->part[i]);
    return count;
}

enum fpgz_status fpgz_source_describe(const struct fpgz_source *source, int fd, uint64_t size,
                                      struct fpgz_content *content, struct fpgz_error *remark,
                                      struct fpgz_error *error)
{
    *content = (struct fpgz_content){.kind = source->kind, .size = size};
    *remark = (struct fpgz_error){0};
    size_t told = 0, kept = 0;
    if (!source->describe(fd, content, remark, error)) {
        told = count_arrays(content);
        if (!fpgz_content_complete(content))
            fpgz_fail(error, FPGZ_MEMORY, "no memory for what the file holds");
        kept = count_arrays(content);
    }
    if (kept < told)
        fpgz_fail(remark, FPGZ_CORRUPT,
                  "%zu of its %zu arrays overlap another one, or do not lie in the file; archived as bytes",
                  told - kept, told);
    if (error->status)
        fpgz_content_free(content);
    return error->status;
}

enum fpgz_status fpgz_dataset_open(const struct fpgz_source *source, int fd, const char *path,
                                   const char *name, bool values, struct fpgz_dataset *dataset,
                                   struct fpgz_error *error)
{
    if (!source || !source->open)
        return fpgz_fail(error, FPGZ_USAGE,
                         "is no file of several datasets that --dataset could choose from");
    *dataset = (struct fpgz_dataset){.source = source};
    return source->open(fd, path, name, values, dataset, error);
}

enum fpgz_status fpgz_dataset_close(struct fpgz_dataset *dataset, struct fpgz_error *error)
{
    fpgz_attributes_free(&dataset->attributes);
    return dataset->source->close(dataset, error);
}
