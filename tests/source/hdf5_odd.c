/* SPDX-License-Identifier: MIT
 * HDF5 files of which fpgz can do less than of others: filters that the library lacks, attributes that no
 * container keeps, and files that are only a part. */
#include <stdio.h>
#include <string.h>

#include "hdf5_files.h"

static hid_t create(const char *name, hid_t access)
{
    return CHECKED(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access));
}

/* Datasets whose one chunk says that it is filtered, by filters that are not there. */
static void write_filtered(void)
{
    static const int ids[] = {307, 32000, 32001, 32004, 32008, 32013, 32015, 32017, 32024, 32026, 32028, 700};
    const hsize_t extent[] = {25, 40}, origin[] = {0, 0};
    const char bytes[4000] = {0};
    const hid_t file = create("odd/filtered.h5", H5P_DEFAULT);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char name[20];
        const hid_t plist = chunked(2, extent);
        snprintf(name, sizeof name, "filter%d", ids[i]);
        CHECKED(H5Pset_filter(plist, ids[i], H5Z_FLAG_OPTIONAL, 0, NULL));
        const hid_t id = put(file, name, H5T_IEEE_F32LE, 2, extent, NULL, plist, false);
        CHECKED(H5Dwrite_chunk(id, H5P_DEFAULT, 0, origin, sizeof bytes, bytes));
        H5Dclose(id);
        H5Pclose(plist);
    }
    CHECKED(H5Fclose(file));
}

static void attach(hid_t object, const char *name, hid_t type, H5S_class_t class, const void *value)
{
    const hid_t space = CHECKED(H5Screate(class)),
                id = CHECKED(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    if (class != H5S_NULL)
        CHECKED(H5Awrite(id, type, value));
    H5Aclose(id);
    H5Sclose(space);
}

/* Attributes of one number, a reference, a record, and of no values; and a dataset with the number alone. */
static void write_attributes(void)
{
    const hsize_t extent[] = {100, 120};
    const hid_t file = create("odd/attributes.h5", H5P_DEFAULT),
                record = CHECKED(H5Tcreate(H5T_COMPOUND, 12));
    const char bytes[12] = {0};
    const int number = 7;
    hobj_ref_t reference;
    CHECKED(H5Tinsert(record, "a", 0, H5T_IEEE_F64LE));
    CHECKED(H5Tinsert(record, "b", 8, H5T_STD_I32LE));
    for (int i = 0; i < 2; i++) {
        const hid_t id = put(file, i ? "one" : "four", H5T_IEEE_F32LE, 2, extent, NULL, H5P_DEFAULT, true);
        attach(id, "kept", H5T_NATIVE_INT, H5S_SCALAR, &number);
        if (i == 0) {
            CHECKED(H5Rcreate(&reference, file, "four", H5R_OBJECT, -1));
            attach(id, "a reference", H5T_STD_REF_OBJ, H5S_SCALAR, &reference);
            attach(id, "a record", record, H5S_SCALAR, bytes);
            attach(id, "nothing", H5T_NATIVE_INT, H5S_NULL, NULL);
        }
        H5Dclose(id);
    }
    H5Tclose(record);
    CHECKED(H5Fclose(file));
}

static void write_parts(void)
{
    const hid_t family = CHECKED(H5Pcreate(H5P_FILE_ACCESS)), split = CHECKED(H5Pcreate(H5P_FILE_ACCESS));
    CHECKED(H5Pset_fapl_family(family, 1 << 15, H5P_DEFAULT));
    CHECKED(H5Pset_fapl_split(split, "-m.h5", H5P_DEFAULT, "-r.h5", H5P_DEFAULT));
    const hid_t files[] = {create("odd/family%d.h5", family), create("odd/split", split)};
    for (int i = 0; i < 2; i++) {
        put_2d(files[i], "grid", H5T_IEEE_F64LE, H5P_DEFAULT);
        CHECKED(H5Fclose(files[i]));
    }
    H5Pclose(family);
    H5Pclose(split);
}

/* A dataset whose name is that of another one's field. */
static void write_clash(void)
{
    const hid_t file = create("odd/clash.h5", H5P_DEFAULT), record = CHECKED(H5Tcreate(H5T_COMPOUND, 12));
    CHECKED(H5Tinsert(record, "x", 0, H5T_IEEE_F64LE));
    CHECKED(H5Tinsert(record, "n", 8, H5T_STD_I32LE));
    put_2d(file, "t", record, H5P_DEFAULT);
    put_2d(file, "t.x", H5T_IEEE_F64LE, H5P_DEFAULT);
    H5Tclose(record);
    CHECKED(H5Fclose(file));
}

void write_odd(void)
{
    write_filtered();
    write_clash();
    write_attributes();
    write_parts();
}
