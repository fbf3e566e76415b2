/* SPDX-License-Identifier: MIT
 * The datasets of hdf5_files: one function for each way in which HDF5 stores values. */
#include <stdlib.h>
#include <string.h>

#include "hdf5_files.h"

void fill_contiguous(hid_t file)
{
    const hsize_t extent[] = {3, 4, 5, 6, 7, 8};
    put_2d(file, "grid_f32", H5T_IEEE_F32LE, H5P_DEFAULT);
    put_2d(file, "grid_f64", H5T_IEEE_F64LE, H5P_DEFAULT);
    put_2d(file, "grid_f32_big", H5T_IEEE_F32BE, H5P_DEFAULT);
    put_2d(file, "grid_f64_big", H5T_IEEE_F64BE, H5P_DEFAULT);
    H5Dclose(put(file, "grid_6d", H5T_IEEE_F64LE, 6, extent, NULL, H5P_DEFAULT, true));
    H5Dclose(put(file, "grid_scalar", H5T_IEEE_F64LE, 0, NULL, NULL, H5P_DEFAULT, true));
}

/* Each way that the library has to index chunks in its newest format; the older one has a single way. */
void fill_chunked(hid_t file)
{
    const hsize_t extent[] = {100, 120}, chunk[] = {16, 50}, whole[] = {100, 120}, row[] = {1, 120};
    const hsize_t one[] = {H5S_UNLIMITED, 120}, both[] = {H5S_UNLIMITED, H5S_UNLIMITED};
    const hid_t edges = chunked(2, chunk), single = chunked(2, whole), rows = chunked(2, row),
                early = chunked(2, chunk);
    CHECKED(H5Pset_alloc_time(early, H5D_ALLOC_TIME_EARLY));
    put_2d(file, "grid_fixed", H5T_IEEE_F32LE, edges);
    put_2d(file, "grid_single", H5T_IEEE_F64LE, single);
    put_2d(file, "grid_rows", H5T_IEEE_F32BE, rows);
    put_2d(file, "grid_implicit", H5T_IEEE_F64BE, early);
    H5Dclose(put(file, "grid_grows", H5T_IEEE_F32LE, 2, extent, one, edges, true));
    H5Dclose(put(file, "grid_grows_twice", H5T_IEEE_F64LE, 2, extent, both, edges, true));
    H5Pclose(edges);
    H5Pclose(single);
    H5Pclose(rows);
    H5Pclose(early);
}

/* Chunks in an order of their own, chunks that are not there, and datasets that are not there at all. */
void fill_sparse(hid_t file)
{
    const hsize_t extent[] = {100, 120}, chunk[] = {10, 60}, block[] = {10, 60};
    const hsize_t huge[] = {(hsize_t)1 << 28, (hsize_t)1 << 28}, square[] = {32, 32},
                  endless[] = {H5S_UNLIMITED, H5S_UNLIMITED};
    const double fill = -999.25;
    const hid_t plist = chunked(2, chunk), far = chunked(2, square);
    double values[1024];
    for (int i = 0; i < 1024; i++)
        values[i] = i * 0.5;
    CHECKED(H5Pset_fill_value(plist, H5T_NATIVE_DOUBLE, &fill));
    const hid_t some = put(file, "grid_sparse", H5T_IEEE_F64LE, 2, extent, NULL, plist, false);
    const hid_t here = CHECKED(H5Screate_simple(2, block, NULL)), there = CHECKED(H5Dget_space(some));
    for (hsize_t i = 10; i-- > 2; i -= i % 3 == 0) {
        const hsize_t start[] = {10 * i, 60 * (i % 2)};
        CHECKED(H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, block, NULL));
        CHECKED(H5Dwrite(some, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, values));
        CHECKED(H5Dflush(some)); /* chunks are placed when they are flushed */
    }
    H5Dclose(some);
    H5Sclose(here);
    H5Sclose(there);
    /* More chunks could be there than anybody can ask for. */
    const hid_t distant = put(file, "grid_distant", H5T_IEEE_F64BE, 2, square, endless, far, false);
    CHECKED(H5Dset_extent(distant, huge));
    const hid_t one = CHECKED(H5Screate_simple(2, square, NULL)), wide = CHECKED(H5Dget_space(distant));
    for (hsize_t i = 0; i < 5; i++) {
        const hsize_t start[] = {32 * i * i * 123456, 32 * i * 654321};
        CHECKED(H5Sselect_hyperslab(wide, H5S_SELECT_SET, start, NULL, square, NULL));
        CHECKED(H5Dwrite(distant, H5T_NATIVE_DOUBLE, one, wide, H5P_DEFAULT, values));
    }
    H5Sclose(one);
    H5Sclose(wide);
    H5Dclose(distant);
    H5Dclose(put(file, "no_chunks", H5T_IEEE_F32LE, 2, extent, NULL, plist, false));
    H5Dclose(put(file, "no_values", H5T_IEEE_F32LE, 2, extent, NULL, H5P_DEFAULT, false));
    H5Pclose(plist);
    H5Pclose(far);
}

void fill_filters(hid_t file)
{
    const hsize_t chunk[] = {25, 40};
    hid_t plist[5];
    for (int i = 0; i < 5; i++)
        plist[i] = chunked(2, chunk);
    CHECKED(H5Pset_deflate(plist[0], 4));
    CHECKED(H5Pset_shuffle(plist[1]));
    CHECKED(H5Pset_fletcher32(plist[2]));
    CHECKED(H5Pset_scaleoffset(plist[3], H5Z_SO_FLOAT_DSCALE, 3));
    CHECKED(H5Pset_nbit(plist[4]));
    put_2d(file, "deflate", H5T_IEEE_F32LE, plist[0]);
    put_2d(file, "shuffle", H5T_IEEE_F64LE, plist[1]);
    put_2d(file, "fletcher32", H5T_IEEE_F32LE, plist[2]);
    put_2d(file, "scaleoffset", H5T_IEEE_F32LE, plist[3]);
    put_2d(file, "nbit", H5T_IEEE_F64LE, plist[4]);
    put_2d(file, "grid_plain", H5T_IEEE_F32LE, H5P_DEFAULT);
    for (int i = 0; i < 5; i++)
        H5Pclose(plist[i]);
}

static hid_t compound(size_t size, hid_t type, const char *const *names, const size_t *offsets, int count)
{
    const hid_t id = CHECKED(H5Tcreate(H5T_COMPOUND, size));
    for (int i = 0; i < count; i++)
        CHECKED(H5Tinsert(id, names[i], offsets[i], type));
    return id;
}

/* A floating-point type of 16 bits. */
static hid_t half(size_t exponent, size_t mantissa, size_t bias, H5T_order_t order)
{
    const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    CHECKED(H5Tset_fields(type, 15, mantissa, exponent, 0, mantissa));
    CHECKED(H5Tset_ebias(type, bias));
    CHECKED(H5Tset_precision(type, 16));
    CHECKED(H5Tset_size(type, 2));
    CHECKED(H5Tset_order(type, order));
    return type;
}

/* Numbers that are no f32 or f64. */
static void fill_numbers(hid_t file, hid_t parts)
{
    const struct {
        const char *name;
        hid_t type, plist;
    } integers[] = {
        {"grid_i8", H5T_STD_I8LE, parts},       {"grid_i16", H5T_STD_I16LE, H5P_DEFAULT},
        {"grid_i32", H5T_STD_I32LE, parts},     {"grid_i64", H5T_STD_I64LE, H5P_DEFAULT},
        {"grid_u8", H5T_STD_U8LE, parts},       {"grid_u16", H5T_STD_U16LE, parts},
        {"grid_u32", H5T_STD_U32LE, parts},     {"grid_u64", H5T_STD_U64LE, parts},
        {"grid_i16_big", H5T_STD_I16BE, parts}, {"grid_u32_big", H5T_STD_U32BE, H5P_DEFAULT},
        {"grid_i64_big", H5T_STD_I64BE, parts}, {"grid_bits", H5T_STD_B16LE, parts},
        {"grid_u8_big", H5T_STD_U8BE, parts},
    };
    const char *const names[] = {"r", "i"};
    const size_t offsets[] = {0, 2};
    const hid_t some_bits = H5Tcopy(H5T_STD_I16LE), truth = CHECKED(H5Tenum_create(H5T_STD_I8LE)),
                pair = compound(4, H5T_STD_I16BE, names, offsets, 2);
    hid_t others[] = {half(5, 10, 15, H5T_ORDER_LE), half(5, 10, 15, H5T_ORDER_BE),
                      half(8, 7, 127, H5T_ORDER_LE), half(8, 7, 127, H5T_ORDER_BE),
                      half(6, 9, 31, H5T_ORDER_LE)};
    CHECKED(H5Tset_precision(some_bits, 12));
    CHECKED(H5Tenum_insert(truth, "TRUE", &(signed char){1}));
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        put_2d(file, integers[i].name, integers[i].type, integers[i].plist);
    put_2d(file, "grid_f16", others[0], parts);
    put_2d(file, "grid_f16_big", others[1], H5P_DEFAULT);
    put_2d(file, "grid_bf16", others[2], H5P_DEFAULT);
    put_2d(file, "grid_bf16_big", others[3], parts);
    put_2d(file, "grid_truth", truth, H5P_DEFAULT);
    put_2d(file, "grid_int_pairs", pair, parts);
    put_2d(file, "other_halves", others[4], parts);
    put_2d(file, "some_bits", some_bits, H5P_DEFAULT);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        H5Tclose(others[i]);
    H5Tclose(some_bits);
    H5Tclose(truth);
    H5Tclose(pair);
}

void fill_types(hid_t file)
{
    const char *const names[] = {"r", "i", "z"};
    const size_t close[] = {0, 8, 16}, apart[] = {0, 16, 24};
    const hsize_t chunk[] = {30, 30}, axes[] = {3, 3};
    const hid_t complex = compound(16, H5T_IEEE_F64LE, names, close, 2),
                holes = compound(32, H5T_IEEE_F64LE, names, apart, 2),
                mixed = compound(12, H5T_IEEE_F32BE, names, apart, 1),
                tensor = CHECKED(H5Tarray_create2(H5T_IEEE_F32LE, 2, axes)), own = H5Tcopy(H5T_IEEE_F32LE),
                pairs = compound(32, complex, names, (const size_t[]){0, 16}, 2), parts = chunked(2, chunk);
    CHECKED(H5Tinsert(mixed, "t", 4, H5T_IEEE_F64BE));
    CHECKED(H5Tset_ebias(own, 100));
    put_2d(file, "grid_complex", complex, H5P_DEFAULT);
    put_2d(file, "grid_complex_chunked", complex, parts);
    put_2d(file, "grid_pairs", pairs, H5P_DEFAULT);
    put_2d(file, "grid_tensor", tensor, parts);
    put_2d(file, "table_holes", holes, H5P_DEFAULT);
    put_2d(file, "mixed", mixed, parts);
    put_2d(file, "other_floats", own, H5P_DEFAULT);
    put_2d(file, "letters", H5T_C_S1, H5P_DEFAULT);
    fill_numbers(file, parts);
    H5Tclose(complex);
    H5Tclose(holes);
    H5Tclose(mixed);
    H5Tclose(tensor);
    H5Tclose(own);
    H5Tclose(pairs);
    H5Pclose(parts);
}

void fill_links(hid_t file)
{
    const hsize_t extent[] = {100, 120}, half[] = {50, 120};
    const hid_t external = CHECKED(H5Pcreate(H5P_DATASET_CREATE)),
                virtual = CHECKED(H5Pcreate(H5P_DATASET_CREATE)),
                compact = CHECKED(H5Pcreate(H5P_DATASET_CREATE)),
                group = CHECKED(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
                space = CHECKED(H5Screate_simple(2, extent, NULL)),
                upper = CHECKED(H5Screate_simple(2, extent, NULL));
    put_2d(group, "grid", H5T_IEEE_F32LE, H5P_DEFAULT);
    CHECKED(H5Lcreate_hard(group, "grid", file, "twice", H5P_DEFAULT, H5P_DEFAULT));
    CHECKED(H5Lcreate_hard(file, ".", group, "circle", H5P_DEFAULT, H5P_DEFAULT));
    CHECKED(H5Lcreate_soft("/group/grid", file, "soft", H5P_DEFAULT, H5P_DEFAULT));
    CHECKED(H5Lcreate_soft("/nowhere", file, "dangling", H5P_DEFAULT, H5P_DEFAULT));
    CHECKED(H5Lcreate_external("contiguous.h5", "/grid_f32", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT));
    CHECKED(H5Lcreate_external("missing.h5", "/grid", file, "missing", H5P_DEFAULT, H5P_DEFAULT));
    CHECKED(H5Pset_external(external, "links.raw", 0, H5F_UNLIMITED));
    put_2d(file, "external", H5T_IEEE_F32LE, external);
    CHECKED(H5Sselect_hyperslab(space, H5S_SELECT_SET, (const hsize_t[]){50, 0}, NULL, half, NULL));
    CHECKED(H5Sselect_hyperslab(upper, H5S_SELECT_SET, (const hsize_t[]){0, 0}, NULL, half, NULL));
    CHECKED(H5Pset_virtual(virtual, space, "contiguous.h5", "/grid_f32", upper));
    H5Dclose(put(file, "virtual", H5T_IEEE_F32LE, 2, extent, NULL, virtual, false));
    CHECKED(H5Pset_layout(compact, H5D_COMPACT));
    H5Dclose(put(file, "compact", H5T_IEEE_F64LE, 1, extent, NULL, compact, true));
    H5Gclose(group);
    H5Sclose(space);
    H5Sclose(upper);
    H5Pclose(external);
    H5Pclose(virtual);
    H5Pclose(compact);
}

static void attach(hid_t object, const char *name, hid_t type, int rank, const hsize_t *extent,
                   const void *values)
{
    const hid_t space = rank ? CHECKED(H5Screate_simple(rank, extent, NULL)) : CHECKED(H5Screate(H5S_SCALAR)),
                id = CHECKED(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    CHECKED(H5Awrite(id, type, values));
    H5Aclose(id);
    H5Sclose(space);
}

void fill_attributes(hid_t file)
{
    const hsize_t extent[] = {100, 120}, three[] = {3}, rows[] = {2, 2};
    const short range[] = {-3, 7, 11};
    const double matrix[] = {1, 0.5, -0.5, 2};
    const unsigned char truth = 1;
    const float scale = 0.25f;
    const char *const words[] = {"über", "", "longer words than the others"};
    const hid_t text = CHECKED(H5Tcopy(H5T_C_S1)), fixed = CHECKED(H5Tcopy(H5T_C_S1)),
                boolean = CHECKED(H5Tenum_create(H5T_NATIVE_UCHAR)),
                id = put(file, "grid", H5T_IEEE_F32LE, 2, extent, NULL, H5P_DEFAULT, true);
    CHECKED(H5Tset_size(text, H5T_VARIABLE));
    CHECKED(H5Tset_cset(text, H5T_CSET_UTF8));
    CHECKED(H5Tset_size(fixed, 8));
    CHECKED(H5Tset_strpad(fixed, H5T_STR_SPACEPAD));
    CHECKED(H5Tenum_insert(boolean, "TRUE", &truth));
    attach(id, "units", fixed, 0, NULL, "K       ");
    attach(id, "words", text, 1, three, words);
    attach(id, "range", H5T_NATIVE_SHORT, 1, three, range);
    attach(id, "matrix", H5T_NATIVE_DOUBLE, 2, rows, matrix);
    attach(id, "scale", H5T_NATIVE_FLOAT, 0, NULL, &scale);
    attach(id, "valid", boolean, 0, NULL, &truth);
    /* So many that the object's header continues elsewhere, or that they are in a heap. */
    for (int i = 0; i < 200; i++) {
        char name[20];
        snprintf(name, sizeof name, "number %03d", i);
        attach(id, name, H5T_NATIVE_INT, 0, NULL, &i);
    }
    H5Dclose(id);
    H5Tclose(text);
    H5Tclose(fixed);
    H5Tclose(boolean);
}

void fill_many(hid_t file)
{
    const hsize_t extent[] = {25};
    char name[40];
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "group %d/grid %d", i % 10, i);
        const hid_t links = CHECKED(H5Pcreate(H5P_LINK_CREATE)),
                    space = CHECKED(H5Screate_simple(1, extent, NULL));
        CHECKED(H5Pset_create_intermediate_group(links, 1));
        const hid_t id =
            CHECKED(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, links, H5P_DEFAULT, H5P_DEFAULT));
        double values[25];
        for (int j = 0; j < 25; j++)
            values[j] = i + 0.01 * j;
        CHECKED(H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
        H5Dclose(id);
        H5Pclose(links);
        H5Sclose(space);
    }
}

/* Random values three times: as they are, negated, and those of some chunks alone. */
void fill_kin(hid_t file)
{
    enum { ROWS = 100, COLUMNS = 90 };
    static double values[2][ROWS][COLUMNS];
    const hsize_t extent[] = {ROWS, COLUMNS}, chunk[] = {30, 32}, block[] = {30, 64};
    const double fill = -1;
    const hid_t plist = chunked(2, chunk), space = CHECKED(H5Screate_simple(2, extent, NULL)),
                there = CHECKED(H5Scopy(space));
    unsigned long long state = 1;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        values[0][i / COLUMNS][i % COLUMNS] = 1 + (double)(state >> 12) / 0x1p52;
        values[1][i / COLUMNS][i % COLUMNS] = -values[0][i / COLUMNS][i % COLUMNS];
    }
    CHECKED(H5Pset_fill_value(plist, H5T_NATIVE_DOUBLE, &fill));
    for (int i = 0; i < 3; i++) {
        const char *const name[] = {"grid_kin", "grid_negated", "grid_some"};
        const hid_t id =
            CHECKED(H5Dcreate2(file, name[i], H5T_IEEE_F64LE, space, H5P_DEFAULT, plist, H5P_DEFAULT));
        for (hsize_t k = 2; k-- > 0 && i == 2;) {
            const hsize_t start[] = {60 * k, 0};
            CHECKED(H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, block, NULL));
            CHECKED(H5Dwrite(id, H5T_NATIVE_DOUBLE, there, there, H5P_DEFAULT, values));
            CHECKED(H5Dflush(id));
        }
        if (i < 2)
            CHECKED(H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values[i]));
        H5Dclose(id);
    }
    H5Sclose(there);
    H5Sclose(space);
    H5Pclose(plist);
}

/* A path is any bytes without "/", and of any length. */
void fill_names(hid_t file)
{
    char *longest = calloc(1, 5001);
    memset(longest, 'n', 5000);
    put_2d(file, "grid \xc3\xa4\xc3\xb6 \xe6\xb8\xa9\xe5\xba\xa6", H5T_IEEE_F32LE, H5P_DEFAULT);
    put_2d(file, "grid\n\t\"'\\\x01\xff", H5T_IEEE_F32LE, H5P_DEFAULT);
    put_2d(file, longest, H5T_IEEE_F32LE, H5P_DEFAULT);
    longest[4000] = '\0';
    memcpy(longest, "grid", 4);
    put_2d(file, longest, H5T_IEEE_F32LE, H5P_DEFAULT);
    free(longest);
}

void fill_nothing(hid_t file)
{
    const hsize_t none[] = {0, 5}, most[] = {H5S_UNLIMITED, 5}, chunk[] = {10, 5};
    const hid_t plist = chunked(2, chunk), space = CHECKED(H5Screate(H5S_NULL));
    H5Dclose(put(file, "empty", H5T_IEEE_F32LE, 2, none, most, plist, false));
    H5Dclose(CHECKED(H5Dcreate2(file, "null", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
    H5Gclose(CHECKED(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
    H5Pclose(plist);
    H5Sclose(space);
}
