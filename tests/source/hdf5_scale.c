/* SPDX-License-Identifier: MIT
 * usage: hdf5_scale datasets|chunks|sparse|filtered COUNT FILE   writes an HDF5 file of COUNT datasets, or of
 * one dataset of COUNT chunks (sparse: every 32nd of those that there could be; filtered: by deflate). */
#include <hdf5.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* A dataset has enough values to be worth an array of its own in a container. */
enum { VALUES = 64 /* of a chunk */, DATASET = 512, SPARSE = 32 };

static void check(hid_t id)
{
    if (id < 0)
        exit(1);
}

static void fill(float *value, size_t count, unsigned long long seed)
{
    for (size_t i = 0; i < count; i++)
        value[i] = 280.0f + 15.0f * sinf((float)(seed + i) * 0.01f);
}

static void datasets(hid_t file, hsize_t count)
{
    const hsize_t extent = DATASET;
    const hid_t space = H5Screate_simple(1, &extent, NULL);
    float value[DATASET];
    hid_t group = -1;
    for (hsize_t i = 0; i < count; i++) {
        char name[40];
        if (i % 1000 == 0) {
            snprintf(name, sizeof name, "group%llu", (unsigned long long)i / 1000);
            if (i)
                H5Gclose(group);
            check(group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        }
        snprintf(name, sizeof name, "grid%llu", (unsigned long long)i);
        const hid_t id =
            H5Dcreate2(group, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        fill(value, DATASET, i);
        check(id);
        check(H5Dwrite(id, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, value));
        H5Dclose(id);
    }
    H5Gclose(group);
    H5Sclose(space);
}

/* Every `step`th chunk of those that there could be. */
static void chunked(hid_t file, hsize_t count, hsize_t step, bool filtered)
{
    const hsize_t extent = count * step * VALUES, chunk = VALUES;
    const hid_t space = H5Screate_simple(1, &extent, NULL), plist = H5Pcreate(H5P_DATASET_CREATE);
    float value[VALUES];
    Bytef stream[2 * sizeof value];
    check(H5Pset_chunk(plist, 1, &chunk));
    if (filtered)
        check(H5Pset_deflate(plist, 4));
    const hid_t id = H5Dcreate2(file, "grid", H5T_IEEE_F32LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    check(id);
    for (hsize_t i = 0; i < count; i++) {
        const hsize_t start = i * step * VALUES;
        fill(value, VALUES, start);
        uLongf length = sizeof stream;
        if (filtered && compress2(stream, &length, (const Bytef *)value, sizeof value, 4))
            exit(1);
        check(H5Dwrite_chunk(id, H5P_DEFAULT, 0, &start, filtered ? length : sizeof value,
                             filtered ? (const void *)stream : value));
    }
    H5Dclose(id);
    H5Pclose(plist);
    H5Sclose(space);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: hdf5_scale datasets|chunks|sparse|filtered COUNT FILE\n");
        return 1;
    }
    const hid_t file = H5Fcreate(argv[3], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t count = strtoull(argv[2], NULL, 10);
    check(file);
    if (!strcmp(argv[1], "datasets"))
        datasets(file, count);
    else
        chunked(file, count, strcmp(argv[1], "sparse") ? 1 : SPARSE, !strcmp(argv[1], "filtered"));
    return H5Fclose(file) < 0;
}
