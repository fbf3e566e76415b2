/* SPDX-License-Identifier: MIT
 * The table of formats, which are asked in turn whether a file is theirs. */
#include "source/source.h"

#include "source/formats.h"
#include "source/hdf5_formats.h"
#include "source/helper.h"

static const struct fpgz_source *const sources[] = {&fpgz_source_hdf5, &fpgz_source_npy};

enum fpgz_status fpgz_source_start(struct fpgz_error *error)
{
    return fpgz_hdf5_version() ? fpgz_helper_start(error) : FPGZ_OK;
}

void fpgz_source_stop(void)
{
    fpgz_helper_stop();
}

const struct fpgz_source *fpgz_source_probe(int fd, uint64_t size)
{
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (sources[i]->probe(fd, size))
            return sources[i];
    return NULL;
}

enum fpgz_status fpgz_source_describe(const struct fpgz_source *source, int fd, uint64_t size,
                                      struct fpgz_content *content, struct fpgz_error *remark,
                                      struct fpgz_error *error)
{
    *content = (struct fpgz_content){.kind = source->kind, .size = size};
    *remark = (struct fpgz_error){0};
    if (!source->describe(fd, content, remark, error) && !fpgz_content_complete(content))
        fpgz_fail(error, FPGZ_MEMORY, "no memory for what the file holds");
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
    return source->open(fd, path, name, values, dataset, error);
}

enum fpgz_status fpgz_dataset_close(struct fpgz_dataset *dataset, struct fpgz_error *error)
{
    fpgz_attributes_free(&dataset->attributes);
    return fpgz_helper_end(dataset->fd, error);
}
