/* SPDX-License-Identifier: MIT
 * HDF5 in the tables of formats; netCDF-4 and MATLAB 7.3 files are HDF5 files. */
#include <string.h>

#include "core/io.h"
#include "source/hdf5_formats.h"
#include "source/helper.h"

/* The signature stands at byte 0, or behind a user block of 512 bytes times a power of two. */
static bool hdf5_probe(int fd, uint64_t size)
{
    char signature[8];
    size_t got;
    for (uint64_t at = 0; at < size; at = at ? 2 * at : 512)
        if (fpgz_read_at(fd, signature, sizeof signature, at, &got) && got == sizeof signature &&
            !memcmp(signature, "\x89HDF\r\n\x1a\n", sizeof signature))
            return true;
    return false;
}

static enum fpgz_status hdf5_start(struct fpgz_error *error)
{
    return fpgz_hdf5_version() ? fpgz_helper_start(error) : FPGZ_OK;
}

/* Whether a file that begins as HDF5 is one of several that form an HDF5 file only together: says so in
 * words, or NULL. */
static const char *part_of_several(int fd)
{
    char front[4096];
    size_t got;
    if (!fpgz_read_at(fd, front, sizeof front, 0, &got))
        return NULL;
    if (memmem(front, got, "NCSAfami", 8))
        return "the first part of an HDF5 file that is split into a family of files (h5repart makes one of "
               "them)";
    if (memmem(front, got, "NCSAmult", 8))
        return "a part of an HDF5 file that is split into metadata and raw data";
    return NULL;
}

static enum fpgz_status hdf5_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                      struct fpgz_error *error)
{
    fpgz_hdf5_describe(fd, content, remark, error);
    const char *const part = remark->status == FPGZ_CORRUPT ? part_of_several(fd) : NULL;
    if (part) {
        *remark = (struct fpgz_error){0};
        fpgz_fail(remark, FPGZ_UNSUPPORTED, "is %s: archived as bytes", part);
    }
    return error->status;
}

static enum fpgz_status hdf5_close(struct fpgz_dataset *dataset, struct fpgz_error *error)
{
    return fpgz_helper_end(dataset->fd, error);
}

const struct fpgz_source fpgz_source_hdf5 = {
    .name = "HDF5",
    .summary = "HDF5, netCDF-4, MATLAB 7.3: datasets of numbers, fields of records",
    .kind = 1,
    .attributes = true,
    .probe = hdf5_probe,
    .start = hdf5_start,
    .describe = hdf5_describe,
    .open = fpgz_hdf5_dataset,
    .close = hdf5_close,
};

const struct fpgz_sink fpgz_sink_hdf5 = {
    "h5", {".h5", ".hdf5", NULL}, true, fpgz_hdf5_begin, fpgz_hdf5_write, fpgz_hdf5_end,
};
