/* SPDX-License-Identifier: MIT
 * Filters of HDF5 datasets that the library does not have, and where to get them. The ids are registered with
 * The HDF Group. */
#include <stdio.h>
#include <string.h>

#include "core/lzf.h"
#include "source/hdf5.h"

#define PLUGIN(debian)                                                                                       \
    "hdf5plugin from PyPI" debian ", and HDF5_PLUGIN_PATH set to the folder of its libraries"

enum { LZF = 32000 };

static const struct {
    H5Z_filter_t id;
    const char *name, *install;
} known[] = {
    {H5Z_FILTER_DEFLATE, "deflate", "an HDF5 library that was built with zlib"},
    {H5Z_FILTER_SZIP, "szip", "an HDF5 library that was built with szip (libaec)"},
    {305, "LZO", "the filters of PyTables"},
    {307, "bzip2", PLUGIN(" or Debian's hdf5-filter-plugin")},
    {LZF, "LZF", NULL},
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

/* Undoes LZF for the library. Its third parameter is the bytes of a chunk. */
static size_t undo_lzf(unsigned flags, size_t values, const unsigned *value, size_t length, size_t *room,
                       void **buffer)
{
    const size_t bytes = values > 2 ? value[2] : 0;
    void *const raw = flags & H5Z_FLAG_REVERSE && bytes ? H5allocate_memory(bytes, false) : NULL;
    if (!raw || !fpgz_lzf_decode(*buffer, length, raw, bytes)) {
        H5free_memory(raw);
        return 0;
    }
    H5free_memory(*buffer);
    *buffer = raw;
    return *room = bytes;
}

bool fpgz_hdf5_add_filters(void)
{
    static const H5Z_class2_t lzf = {
        .version = H5Z_CLASS_T_VERS, .id = LZF, .decoder_present = 1, .name = "LZF", .filter = undo_lzf};
    return H5Zregister(&lzf) >= 0;
}

/* Filters that are not in the table are called by the name that the file gives them. */
static const char *name_of(H5Z_filter_t id, const char *called, const char **install)
{
    *install = NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].id == id) {
            *install = known[i].install;
            return known[i].name;
        }
    return *called ? called : "what has no name";
}

static enum fpgz_status fail_missing(H5Z_filter_t id, const char *called, struct fpgz_error *error)
{
    const char *install, *const name = name_of(id, called, &install);
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

/* Adds a filter to those that can be undone; false where it is none, or is there already. */
static bool add_filter(H5Z_filter_t id, size_t values, const unsigned *value, struct fpgz_filters *filters,
                       uint32_t *level)
{
    struct fpgz_filter_step step = {0};
    if (id == H5Z_FILTER_SHUFFLE && values <= 1) { /* without a width chunks skip it */
        step = (struct fpgz_filter_step){FPGZ_FILTER_SHUFFLE, values ? value[0] : 1};
    } else if (id == H5Z_FILTER_DEFLATE) {
        step.filter = FPGZ_FILTER_DEFLATE;
        *level = values ? value[0] : 0;
    } else if (id == H5Z_FILTER_FLETCHER32) {
        step.filter = FPGZ_FILTER_FLETCHER32;
    } else if (id == LZF) {
        step.filter = FPGZ_FILTER_LZF;
    }
    if (!step.filter || filters->count == FPGZ_FILTERS)
        return false;
    filters->step[filters->count++] = step;
    return fpgz_filters_valid(filters);
}

bool fpgz_hdf5_filters(hid_t plist, struct fpgz_filters *filters, uint32_t *level, char what[60])
{
    const int count = H5Pget_nfilters(plist);
    *filters = (struct fpgz_filters){0};
    *level = 0;
    for (int i = 0; i < count; i++) {
        unsigned flags, config, value[4] = {0};
        size_t values = sizeof value / sizeof *value;
        char called[20] = "";
        const char *install;
        const H5Z_filter_t id =
            H5Pget_filter2(plist, (unsigned)i, &flags, &values, value, sizeof called - 1, called, &config);
        if (add_filter(id, values, value, filters, level))
            continue;
        snprintf(what, 60, "%s (filter %d)", name_of(id, called, &install), (int)id);
        return false;
    }
    return true;
}

void fpgz_hdf5_foreign(const char what[60], char all[60])
{
    static const char more[] = " and others";
    const size_t first = strlen(what);
    if (!*all)
        memcpy(all, what, first + 1);
    else if (strncmp(all, what, first) != 0 && !strstr(all, more) && strlen(all) + sizeof more <= 60)
        strcat(all, more);
}
