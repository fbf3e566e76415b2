/* SPDX-License-Identifier: MIT
 * usage: same FILE1 FILE2 PATH   whether both HDF5 files have the same values in that dataset, as this
 * machine has them in memory, and all its attributes in FILE2 are in FILE1 as well. Prints how many these
 * are. */
#define H5_USE_110_API
#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All values of the dataset in new memory. */
static void *values_of(hid_t dataset, size_t *bytes)
{
    const hid_t file_type = H5Dget_type(dataset), type = H5Tget_native_type(file_type, H5T_DIR_ASCEND),
                space = H5Dget_space(dataset);
    *bytes = (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type);
    void *values = malloc(*bytes + 1);
    if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        *bytes = 0;
    H5Tclose(file_type);
    H5Tclose(type);
    H5Sclose(space);
    return values;
}

/* The values of an attribute: strings joined by "|", numbers as they are in memory. */
static char *attribute_of(hid_t object, const char *name, size_t *bytes)
{
    const hid_t id = H5Aopen(object, name, H5P_DEFAULT), file_type = H5Aget_type(id),
                space = H5Aget_space(id), type = H5Tget_native_type(file_type, H5T_DIR_ASCEND);
    const size_t count = (size_t)H5Sget_simple_extent_npoints(space), size = H5Tget_size(type);
    char *values = calloc(count + 1, size), *text = calloc(1, 1000);
    *bytes = count * size;
    if (H5Aread(id, H5Tget_class(type) == H5T_STRING ? file_type : type, values) < 0)
        *bytes = 0;
    for (size_t i = 0; H5Tget_class(type) == H5T_STRING && i < count; i++) {
        const bool variable = H5Tis_variable_str(type) > 0;
        const char *one = variable ? ((char **)values)[i] : values + i * size;
        const int length = (int)strnlen(one, variable ? 200 : size), used = (int)strlen(text);
        *bytes = (size_t)used + (size_t)snprintf(text + used, 1000 - (size_t)used, "%.*s|", length, one);
    }
    if (H5Tis_variable_str(type) > 0)
        H5Dvlen_reclaim(file_type, space, H5P_DEFAULT, values);
    if (*text) /* spaces that fill a field are not part of it */
        for (char *space_at; (space_at = strstr(text, " |"));)
            memmove(space_at, space_at + 1, strlen(space_at));
    *bytes = *text ? strlen(text) : *bytes;
    char *result = *text ? text : values;
    free(*text ? values : text);
    H5Tclose(type);
    H5Tclose(file_type);
    H5Sclose(space);
    H5Aclose(id);
    return result;
}

static herr_t compare(hid_t second, const char *name, const H5A_info_t *info, void *context)
{
    (void)info;
    size_t bytes[2];
    const hid_t first = *(hid_t *)context;
    char *values[] = {attribute_of(first, name, &bytes[0]), attribute_of(second, name, &bytes[1])};
    const bool same = bytes[0] && bytes[0] == bytes[1] && !memcmp(values[0], values[1], bytes[0]);
    if (!same)
        fprintf(stderr, "attribute %s differs\n", name);
    free(values[0]);
    free(values[1]);
    return same ? 0 : -1;
}

int main(int argc, char **argv)
{
    hid_t file[2], dataset[2];
    void *values[2];
    size_t bytes[2];
    if (argc != 4)
        return 2;
    for (int i = 0; i < 2; i++) {
        file[i] = H5Fopen(argv[1 + i], H5F_ACC_RDONLY, H5P_DEFAULT);
        dataset[i] = H5Dopen2(file[i], argv[3], H5P_DEFAULT);
        values[i] = values_of(dataset[i], &bytes[i]);
    }
    const bool same = bytes[0] && bytes[0] == bytes[1] && !memcmp(values[0], values[1], bytes[0]) &&
                      H5Aiterate2(dataset[1], H5_INDEX_NAME, H5_ITER_INC, NULL, compare, &dataset[0]) >= 0;
    printf("%d attributes\n", H5Aget_num_attrs(dataset[1]));
    for (int i = 0; i < 2; i++) {
        free(values[i]);
        H5Dclose(dataset[i]);
        H5Fclose(file[i]);
    }
    return same ? 0 : 1;
}
