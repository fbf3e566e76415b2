/* SPDX-License-Identifier: MIT
 * usage: hdf5_files FOLDER   writes an HDF5 file of every kind there is into the folder.
 *
 * Datasets whose names begin with "grid" are those that fpgz should find in the file as numbers, and "table"
 * those of records with fields; all others have to be opaque to it. */
#include "hdf5_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

hid_t checked(hid_t id, const char *what)
{
    if (id < 0) {
        fprintf(stderr, "hdf5_files: %s failed\n", what);
        exit(1);
    }
    return id;
}

/* Smooth values for `bytes` bytes of floats of either size: read as the other size they are floats as well.
 */
static void *waves(size_t bytes)
{
    float *value = malloc(bytes + 8);
    for (size_t i = 0; i <= bytes / sizeof *value; i++)
        value[i] = 280.0f + 15.0f * sinf((float)i * 0.01f) + (float)(i % 7) * 0.001f;
    return value;
}

hid_t put(hid_t where, const char *name, hid_t type, int rank, const hsize_t *extent, const hsize_t *most,
          hid_t plist, bool written)
{
    const hid_t space = rank ? CHECKED(H5Screate_simple(rank, extent, most)) : CHECKED(H5Screate(H5S_SCALAR));
    const hid_t id = CHECKED(H5Dcreate2(where, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT));
    size_t bytes = H5Tget_size(type);
    for (int d = 0; d < rank; d++)
        bytes *= extent[d];
    void *values = waves(bytes);
    if (written)
        CHECKED(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    free(values);
    H5Sclose(space);
    return id;
}

void put_2d(hid_t where, const char *name, hid_t type, hid_t plist)
{
    const hsize_t extent[] = {100, 120};
    H5Dclose(put(where, name, type, 2, extent, NULL, plist, true));
}

hid_t chunked(int rank, const hsize_t *chunk)
{
    const hid_t plist = CHECKED(H5Pcreate(H5P_DATASET_CREATE));
    CHECKED(H5Pset_chunk(plist, rank, chunk));
    return plist;
}

hid_t new_file(const char *name, hsize_t user_block, bool newest)
{
    const hid_t plist = CHECKED(H5Pcreate(H5P_FILE_CREATE)), access = CHECKED(H5Pcreate(H5P_FILE_ACCESS));
    CHECKED(H5Pset_userblock(plist, user_block));
    if (newest)
        CHECKED(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    const hid_t file = CHECKED(H5Fcreate(name, H5F_ACC_TRUNC, plist, access));
    H5Pclose(plist);
    H5Pclose(access);
    return file;
}

static const struct {
    const char *name;
    hsize_t user_block;
    bool newest;
    void (*fill)(hid_t file);
} kinds[] = {
    {"contiguous.h5", 0, false, fill_contiguous},
    {"contiguous_newest.h5", 0, true, fill_contiguous},
    {"chunked.h5", 0, false, fill_chunked},
    {"chunked_newest.h5", 0, true, fill_chunked},
    {"sparse.h5", 0, false, fill_sparse},
    {"sparse_newest.h5", 0, true, fill_sparse},
    {"filters.h5", 0, false, fill_filters},
    {"types.h5", 0, false, fill_types},
    {"tables.h5", 0, false, fill_tables},
    {"tables_newest.h5", 512, true, fill_tables},
    {"links.h5", 0, false, fill_links},
    {"attributes.h5", 0, false, fill_attributes},
    {"attributes_newest.h5", 0, true, fill_attributes},
    {"many.h5", 0, false, fill_many},
    {"kin.h5", 0, false, fill_kin},
    {"names.h5", 0, false, fill_names},
    {"nothing.h5", 0, false, fill_nothing},
    {"user_block.h5", 512, false, fill_chunked},
    {"user_block.mat", 512, false, fill_contiguous},
    {"user_block_newest.h5", 4096, true, fill_sparse},
};

int main(int argc, char **argv)
{
    if (argc != 2 || chdir(argv[1]) != 0) {
        fprintf(stderr, "usage: hdf5_files FOLDER\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const hid_t file = new_file(kinds[i].name, kinds[i].user_block, kinds[i].newest);
        kinds[i].fill(file);
        CHECKED(H5Fclose(file));
        FILE *user = kinds[i].user_block ? fopen(kinds[i].name, "r+") : NULL;
        if (user) {
            fprintf(user, "MATLAB 7.3 MAT-file, as it were; what stands here is not HDF5's");
            fclose(user);
        }
    }
    if (mkdir("odd", 0777) != 0) {
        fprintf(stderr, "cannot make the folder odd\n");
        return 1;
    }
    write_odd();
    write_filtered_files();
    return 0;
}
