/* SPDX-License-Identifier: MIT
 * Filters of HDF5 datasets that the library does not have, and where to get them. The ids are registered with
 * The HDF Group. */
#include <stdio.h>

#include "source/hdf5.h"

#define PLUGIN(debian)                                                                                       \
    "hdf5plugin from PyPI" debian ", and HDF5_PLUGIN_PATH set to the folder of its libraries"

static const struct {
    H5Z_filter_t id;
    const char *name, *install;
} known[] = {
    {H5Z_FILTER_DEFLATE, "deflate", "an HDF5 library that was built with zlib"},
    {H5Z_FILTER_SZIP, "szip", "an HDF5 library that was built with szip (libaec)"},
    {305, "LZO", "the filters of PyTables"},
    {307, "bzip2", PLUGIN(" or Debian's hdf5-filter-plugin")},
    {32000, "LZF", "Debian's hdf5-plugin-lzf, or h5py, which has it built in, to write the file without it"},
    {32001, "Blosc", PLUGIN(" or Debian's hdf5-filter-plugin-blosc-serial")},
    {32004, "LZ4", PLUGIN(" or Debian's hdf5-filter-plugin")},
    {32008, "Bitshuffle", PLUGIN(" or Debian's hdf5-filter-plugin")},
    {32013, "ZFP", PLUGIN(" or Debian's hdf5-filter-plugin-zfp-serial")},
    {32014, "FPZIP", NULL},
    {32015, "Zstandard", PLUGIN("")},
    {32017, "SZ", PLUGIN("")},
    {32018, "FCIDECOMP", PLUGIN("")},
    {32019, "JPEG", NULL},
    {32022, "BitGroom", NULL},
    {32023, "Granular BitRound", NULL},
    {32024, "SZ3", PLUGIN("")},
    {32026, "Blosc2", PLUGIN("")},
    {32028, "SPERR", PLUGIN("")},
};

/* Filters that are not in the table are called by the name that the file gives them. */
static enum fpgz_status fail_missing(H5Z_filter_t id, const char *called, struct fpgz_error *error)
{
    const char *name = *called ? called : "what has no name", *install = NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].id == id) {
            name = known[i].name;
            install = known[i].install;
        }
    return fpgz_fail(
        error, FPGZ_UNSUPPORTED,
        "the dataset is filtered by %s (filter %d), which the HDF5 library does not have here; it needs %s",
        name, (int)id,
        install ? install : "that filter's plugin, and HDF5_PLUGIN_PATH set to the folder of its library");
}

enum fpgz_status fpgz_hdf5_fail_filtered(hid_t plist, struct fpgz_error *error)
{
    const int count = H5Pget_nfilters(plist);
    for (int i = 0; i < count; i++) {
        unsigned flags, config;
        size_t values = 0;
        char called[80] = "";
        const H5Z_filter_t id =
            H5Pget_filter2(plist, (unsigned)i, &flags, &values, NULL, sizeof called - 1, called, &config);
        if (id >= 0 && H5Zfilter_avail(id) <= 0)
            return fail_missing(id, called, error);
    }
    return FPGZ_OK;
}
