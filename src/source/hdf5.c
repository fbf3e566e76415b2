/* SPDX-License-Identifier: MIT
 * HDF5 in the tables of formats; netCDF-4 and MATLAB 7.3 files are HDF5 files. */
#include <string.h>

#include "core/io.h"
#include "source/formats.h"
#include "source/hdf5_formats.h"

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

const struct fpgz_source fpgz_source_hdf5 = {
    "HDF5", FPGZ_KIND_HDF5, hdf5_probe, fpgz_hdf5_describe, fpgz_hdf5_dataset,
};

const struct fpgz_sink fpgz_sink_hdf5 = {
    "h5", {".h5", ".hdf5", NULL}, fpgz_hdf5_begin, fpgz_hdf5_write, fpgz_hdf5_end,
};
