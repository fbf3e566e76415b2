/* SPDX-License-Identifier: MIT
 * Datasets of records. Those that are called "table…" are found as an array for each field. */
#include <string.h>

#include "hdf5_files.h"

/* A record with padding, and with a record in it. */
static hid_t record(void)
{
    const hsize_t three[] = {3};
    const hid_t inner = CHECKED(H5Tcreate(H5T_COMPOUND, 8)), all = CHECKED(H5Tcreate(H5T_COMPOUND, 64)),
                text = CHECKED(H5Tcopy(H5T_C_S1)),
                vector = CHECKED(H5Tarray_create2(H5T_IEEE_F64LE, 1, three));
    CHECKED(H5Tset_size(text, 7));
    CHECKED(H5Tinsert(inner, "a", 0, H5T_IEEE_F32LE));
    CHECKED(H5Tinsert(inner, "b", 4, H5T_STD_I32BE));
    CHECKED(H5Tinsert(all, "time", 0, H5T_IEEE_F64LE));
    CHECKED(H5Tinsert(all, "x", 8, H5T_IEEE_F32BE));
    CHECKED(H5Tinsert(all, "k", 12, H5T_STD_I16LE));
    CHECKED(H5Tinsert(all, "name", 14, text));
    CHECKED(H5Tinsert(all, "inner", 24, inner));
    CHECKED(H5Tinsert(all, "v", 32, vector));
    CHECKED(H5Tinsert(all, "last", 63, H5T_STD_U8LE));
    H5Tclose(inner);
    H5Tclose(text);
    H5Tclose(vector);
    return all;
}

static void put_records(hid_t file, const char *name, hid_t type, int rank, const hsize_t *extent,
                        const hsize_t *chunk, bool grows)
{
    const hsize_t endless[] = {H5S_UNLIMITED, H5S_UNLIMITED};
    const hid_t plist = chunk ? chunked(rank, chunk) : H5P_DEFAULT;
    H5Dclose(put(file, name, type, rank, extent, grows ? endless : NULL, plist, true));
    if (chunk)
        H5Pclose(plist);
}

/* Records of which some chunks are not there. */
static void put_sparse(hid_t file, hid_t type, const hsize_t *extent, const hsize_t *chunk)
{
    static const char values[70 * 64] = "some values";
    const hid_t plist = chunked(1, chunk),
                table = put(file, "table_sparse", type, 1, extent, NULL, plist, false);
    const hid_t there = CHECKED(H5Dget_space(table)), here = CHECKED(H5Screate_simple(1, chunk, NULL));
    for (hsize_t start = 5 * 70; start < 13 * 70; start += 3 * 70) {
        CHECKED(H5Sselect_hyperslab(there, H5S_SELECT_SET, &start, NULL, chunk, NULL));
        CHECKED(H5Dwrite(table, type, here, there, H5P_DEFAULT, values));
    }
    H5Sclose(here);
    H5Sclose(there);
    H5Dclose(table);
    H5Pclose(plist);
}

void fill_tables(hid_t file)
{
    const hsize_t line[] = {1000}, plane[] = {20, 30}, seventy[] = {70}, band[] = {3, 30}, block[] = {7, 11};
    const hid_t type = record(), words = CHECKED(H5Tcreate(H5T_COMPOUND, 24)),
                any = CHECKED(H5Tcopy(H5T_C_S1)), text = CHECKED(H5Tcreate(H5T_COMPOUND, 8));
    put_records(file, "table", type, 1, line, NULL, false);
    put_records(file, "table_chunked", type, 1, line, seventy, false);
    put_records(file, "table_grows", type, 1, line, seventy, true);
    put_records(file, "table_plane", type, 2, plane, NULL, false);
    put_records(file, "table_bands", type, 2, plane, band, false);
    put_sparse(file, type, line, seventy);
    put_records(file, "records_blocks", type, 2, plane, block, false);
    H5Dclose(put(file, "records_scalar", type, 0, NULL, NULL, H5P_DEFAULT, true));
    CHECKED(H5Tset_size(any, H5T_VARIABLE));
    CHECKED(H5Tinsert(words, "word", 0, any));
    CHECKED(H5Tinsert(words, "value", H5Tget_size(any), H5T_IEEE_F64LE));
    H5Dclose(put(file, "records_words", words, 1, line, NULL, H5P_DEFAULT, false));
    CHECKED(H5Tinsert(text, "letter", 0, H5T_C_S1));
    put_records(file, "records_text", text, 1, line, NULL, false);
    H5Tclose(type);
    H5Tclose(words);
    H5Tclose(any);
    H5Tclose(text);
}
