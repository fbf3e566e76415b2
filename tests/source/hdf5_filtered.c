/* SPDX-License-Identifier: MIT
 * HDF5 files whose chunks are filtered, in each way that there is: by the library, and chunk by chunk by
 * hand. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "core/fletcher32.h"
#include "hdf5_files.h"

enum { ROWS = 40, COLUMNS = 50, CHUNK = 20 * 25 };

/* How a chunk is made by hand. */
enum hand { ZLIB, MASKED, OTHER_STRATEGY, DICTIONARY, TRAILING, SHORT, ADLER, GARBAGE, HANDS, LEVEL_0 };

static hid_t properties(unsigned level, bool shuffle, bool checksum_first, bool checksum_last)
{
    const hsize_t chunk[] = {20, 25};
    const hid_t plist = chunked(2, chunk);
    if (checksum_first)
        CHECKED(H5Pset_fletcher32(plist));
    if (shuffle)
        CHECKED(H5Pset_shuffle(plist));
    if (level)
        CHECKED(H5Pset_deflate(plist, level));
    if (checksum_last)
        CHECKED(H5Pset_fletcher32(plist));
    return plist;
}

static void put_and_close(hid_t file, const char *name, hid_t type, hid_t plist)
{
    const hsize_t extent[] = {ROWS + 7, COLUMNS + 1};
    H5Dclose(put(file, name, type, 2, extent, NULL, plist, true));
    H5Pclose(plist);
}

/* Deflates `bytes` bytes so that something is odd; returns the length. */
static size_t deflate_by(enum hand hand, const uint8_t *data, size_t bytes, uint8_t *stream, size_t room)
{
    z_stream z = {.next_in = (Bytef *)data,
                  .avail_in = (uInt)(hand == SHORT ? bytes - 4 : bytes),
                  .next_out = stream,
                  .avail_out = (uInt)room};
    deflateInit2(&z, hand == LEVEL_0 ? 0 : 6, Z_DEFLATED, 15, 8,
                 hand == OTHER_STRATEGY ? Z_HUFFMAN_ONLY : Z_DEFAULT_STRATEGY);
    if (hand == DICTIONARY)
        deflateSetDictionary(&z, (const Bytef *)"dictionary", 10);
    deflate(&z, Z_FINISH);
    size_t length = z.total_out;
    deflateEnd(&z);
    if (hand == TRAILING)
        stream[length++] = 7;
    if (hand == ADLER)
        stream[length - 1] ^= 1;
    for (size_t i = 0; hand == GARBAGE && i < length; i++)
        stream[i] = (uint8_t)(i * 37 ^ i >> 3);
    return length;
}

/* A dataset of four chunks, of which those from `first` on are made by hand; it says that its level is
 * `level`. */
static void put_by(hid_t file, const char *name, enum hand hand, unsigned first, unsigned level)
{
    const hsize_t extent[] = {ROWS, COLUMNS}, chunk[] = {20, 25};
    const hid_t plist = chunked(2, chunk), space = CHECKED(H5Screate_simple(2, extent, NULL));
    CHECKED(H5Pset_filter(plist, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, 1, &level));
    const hid_t id = CHECKED(H5Dcreate2(file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, plist, H5P_DEFAULT));
    for (unsigned i = 0; i < 4; i++) {
        float values[CHUNK];
        uint8_t stream[2 * sizeof values];
        const hsize_t start[] = {20 * (i / 2), 25 * (i % 2)};
        for (int j = 0; j < CHUNK; j++)
            values[j] = (float)(j % 25 + (int)i) * 0.25f + (float)(j / 25);
        const enum hand way = i < first ? ZLIB : hand;
        const bool masked = way == MASKED;
        const size_t length =
            masked ? sizeof values
                   : deflate_by(way, (const uint8_t *)values, sizeof values, stream, sizeof stream);
        CHECKED(H5Dwrite_chunk(id, H5P_DEFAULT, masked, start, length, masked ? (void *)values : stream));
    }
    H5Dclose(id);
    H5Sclose(space);
    H5Pclose(plist);
}

/* Strings of any length: chunks say where they are, and skip the shuffle. */
static void put_any_text(hid_t file)
{
    enum { TEXTS = 600 };
    static const char *const words[] = {"a", "text", "of any length"};
    const hsize_t extent[] = {TEXTS}, chunk[] = {TEXTS / 2};
    const hid_t plist = chunked(1, chunk), space = CHECKED(H5Screate_simple(1, extent, NULL)),
                type = CHECKED(H5Tcopy(H5T_C_S1));
    const char *text[TEXTS];
    for (unsigned i = 0; i < TEXTS; i++)
        text[i] = words[i % 3];
    CHECKED(H5Tset_size(type, H5T_VARIABLE));
    CHECKED(H5Pset_shuffle(plist));
    CHECKED(H5Pset_deflate(plist, 6));
    const hid_t id = CHECKED(H5Dcreate2(file, "any_text", type, space, H5P_DEFAULT, plist, H5P_DEFAULT));
    CHECKED(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text));
    H5Dclose(id);
    H5Tclose(type);
    H5Sclose(space);
    H5Pclose(plist);
}

/* Chunks of one value, which takes more bytes behind its filter, between values that have none. */
static void put_single(hid_t file)
{
    const hsize_t extent[] = {60}, chunk[] = {1};
    const hid_t plist = chunked(1, chunk);
    CHECKED(H5Pset_deflate(plist, 6));
    for (unsigned i = 0; i < 4; i++) {
        char name[20];
        snprintf(name, sizeof name, "single_%u", i);
        H5Dclose(put(file, name, H5T_IEEE_F64LE, 1, extent, NULL, plist, true));
        snprintf(name, sizeof name, "one_%u", i);
        H5Dclose(put(file, name, H5T_IEEE_F64LE, 1, chunk, NULL, H5P_DEFAULT, true));
    }
    H5Pclose(plist);
}

static void fill_by_library(hid_t file)
{
    const hsize_t extent[] = {100, 120}, chunk[] = {25, 40}, grown[] = {H5S_UNLIMITED, H5S_UNLIMITED},
                  large[] = {300, 400}, slab[] = {64, 400}, some[] = {2000}, few[] = {300};
    const double fill = -9.5;
    char name[20];
    put_any_text(file);
    put_single(file);
    for (unsigned level = 1; level <= 9; level++) {
        snprintf(name, sizeof name, "level_%u", level);
        put_and_close(file, name, level % 2 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE,
                      properties(level, level % 3, 0, 0));
    }
    put_and_close(file, "shuffled", H5T_IEEE_F64BE, properties(0, true, 0, 0));
    put_and_close(file, "summed", H5T_STD_I16BE, properties(0, false, 0, true));
    put_and_close(file, "summed_last", H5T_STD_U32LE, properties(4, true, 0, true));
    put_and_close(file, "summed_first", H5T_IEEE_F32BE, properties(5, true, true, 0));
    const hid_t record = CHECKED(H5Tcreate(H5T_COMPOUND, 13)), text = CHECKED(H5Tcopy(H5T_C_S1));
    CHECKED(H5Tset_size(text, 6));
    CHECKED(H5Tinsert(record, "x", 0, H5T_IEEE_F64LE));
    CHECKED(H5Tinsert(record, "n", 8, H5T_STD_I32LE));
    CHECKED(H5Tinsert(record, "flag", 12, H5T_STD_U8LE));
    const hid_t line = chunked(1, few), odd = chunked(2, chunk), planes = chunked(2, slab);
    CHECKED(H5Pset_deflate(line, 6));
    H5Dclose(put(file, "records", record, 1, some, NULL, line, true));
    const hid_t words = CHECKED(H5Tcreate(H5T_COMPOUND, 16)), gap = CHECKED(H5Tcreate(H5T_COMPOUND, 12));
    CHECKED(H5Tinsert(words, "n", 0, H5T_STD_I32LE));
    CHECKED(H5Tinsert(words, "x", 4, H5T_IEEE_F32LE));
    CHECKED(H5Tinsert(words, "y", 8, H5T_IEEE_F32LE));
    CHECKED(H5Tinsert(words, "z", 12, H5T_STD_U32LE));
    CHECKED(H5Tinsert(gap, "x", 0, H5T_IEEE_F32LE));
    CHECKED(H5Tinsert(gap, "n", 8, H5T_STD_I32LE));
    H5Dclose(put(file, "words", words, 1, some, NULL, line, true));
    H5Dclose(put(file, "gap", gap, 1, some, NULL, line, true));
    H5Tclose(words);
    H5Tclose(gap);
    H5Dclose(put(file, "texts", text, 1, some, NULL, line, true));
    CHECKED(H5Pset_deflate(odd, 3));
    CHECKED(H5Pset_fill_value(odd, H5T_NATIVE_DOUBLE, &fill));
    const hid_t sparse = put(file, "sparse", H5T_IEEE_F64LE, 2, extent, grown, odd, false);
    const hid_t here = CHECKED(H5Screate_simple(2, chunk, NULL)), there = CHECKED(H5Dget_space(sparse));
    double values[1000];
    for (int i = 0; i < 1000; i++)
        values[i] = i / 8;
    for (hsize_t i = 4; i-- > 1;) {
        const hsize_t start[] = {25 * i, 40 * (i % 3)};
        CHECKED(H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, chunk, NULL));
        CHECKED(H5Dwrite(sparse, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, values));
        CHECKED(H5Dflush(sparse));
    }
    H5Sclose(here);
    H5Sclose(there);
    H5Dclose(sparse);
    CHECKED(H5Pset_shuffle(planes));
    CHECKED(H5Pset_deflate(planes, 4));
    H5Dclose(put(file, "large", H5T_IEEE_F32LE, 2, large, NULL, planes, true));
    put_2d(file, "plain", H5T_IEEE_F32LE, H5P_DEFAULT);
    H5Pclose(line);
    H5Pclose(odd);
    H5Pclose(planes);
    H5Tclose(record);
    H5Tclose(text);
}

static void fill_by_hand(hid_t file)
{
    static const char *const name[HANDS] = {"zlib",     "masked", "strategy", "dictionary",
                                            "trailing", "short",  "adler",    "garbage"};
    char some[30];
    for (enum hand hand = ZLIB; hand < HANDS; hand++) {
        snprintf(some, sizeof some, "some_%s", name[hand]);
        put_by(file, name[hand], hand, 0, 6);
        put_by(file, some, hand, 3, 6);
    }
    put_by(file, "level_77", ZLIB, 0, 77);
    put_by(file, "level_wrong", ZLIB, 0, 2);
    put_by(file, "level_0", LEVEL_0, 0, 0);
}

/* LZF of `bytes` bytes, up to 264 of which are 0 and the others in any order: literals, or a match of zeros
 * behind two of them, and two behind it. */
static size_t lzf_of(const uint8_t *data, size_t bytes, uint8_t *stream)
{
    const bool zeros = !data[0] && !data[1];
    size_t length = 0;
    if (zeros) {
        const uint8_t coded[] = {1, 0, 0, 7 << 5, (uint8_t)(bytes - 4 - 9), 0, 1, 0, 0};
        memcpy(stream, coded, sizeof coded);
        return sizeof coded;
    }
    for (size_t at = 0; at < bytes; at += 32) {
        const size_t run = bytes - at < 32 ? bytes - at : 32;
        stream[length++] = (uint8_t)(run - 1);
        memcpy(stream + length, data + at, run);
        length += run;
    }
    return length;
}

/* Chunks of h5py's filter, which the library does not have: of bytes that follow each other, of zeros, one
 * that is masked, and with `odd` one that is coded otherwise. */
static void put_lzf(hid_t file, const char *name, bool odd)
{
    enum { BYTES = 200, CHUNKS = 4, FILTER = 32000 };
    const unsigned value[] = {4, 261, BYTES};
    const hsize_t extent[] = {CHUNKS * BYTES}, chunk[] = {BYTES};
    const hid_t plist = chunked(1, chunk), space = CHECKED(H5Screate_simple(1, extent, NULL));
    CHECKED(H5Pset_filter(plist, FILTER, H5Z_FLAG_OPTIONAL, 3, value));
    CHECKED(H5Pset_fletcher32(plist));
    const hid_t id = CHECKED(H5Dcreate2(file, name, H5T_STD_U8LE, space, H5P_DEFAULT, plist, H5P_DEFAULT));
    for (unsigned i = 0; i < CHUNKS; i++) {
        uint8_t data[BYTES], stream[2 * BYTES];
        const hsize_t start[] = {i * BYTES};
        const bool masked = i == 2;
        for (unsigned j = 0; j < BYTES; j++)
            data[j] = i == 1 ? 0 : (uint8_t)(j + i);
        size_t length = lzf_of(data, BYTES, stream);
        if (odd && i == 1) /* two matches where one would do */
            memcpy(stream + 3, (const uint8_t[]){7 << 5, 91, 0, 7 << 5, 87, 0, 1, 0, 0}, 9), length = 12;
        if (masked)
            memcpy(stream, data, length = BYTES);
        const uint32_t check = fpgz_fletcher32(stream, length);
        memcpy(stream + length, &check, sizeof check);
        CHECKED(H5Dwrite_chunk(id, H5P_DEFAULT, masked, start, length + sizeof check, stream));
    }
    H5Dclose(id);
    H5Sclose(space);
    H5Pclose(plist);
}

static void fill_lzf(hid_t file)
{
    put_lzf(file, "lzf", false);
    put_lzf(file, "some_lzf", true);
    put_2d(file, "plain", H5T_IEEE_F32LE, H5P_DEFAULT);
}

/* Chunks of a filter that fpgz never undoes. */
static void fill_foreign(hid_t file)
{
    const hsize_t chunk[] = {25, 40};
    const hid_t plist = chunked(2, chunk);
    CHECKED(H5Pset_scaleoffset(plist, H5Z_SO_FLOAT_DSCALE, 3));
    CHECKED(H5Pset_deflate(plist, 4));
    put_2d(file, "scaled", H5T_IEEE_F32LE, plist);
    H5Pclose(plist);
}

void write_filtered_files(void)
{
    static const struct {
        const char *name;
        void (*fill)(hid_t file);
        hsize_t user_block;
        bool newest;
    } files[] = {
        {"filtered/library.h5", fill_by_library, 0, false},
        {"filtered/newest.h5", fill_by_library, 512, true},
        {"filtered/hand.h5", fill_by_hand, 0, false},
        {"filtered/lzf.h5", fill_lzf, 0, false},
        {"filtered/foreign.h5", fill_foreign, 0, false},
    };
    if (mkdir("filtered", 0777) != 0) {
        fprintf(stderr, "cannot make the folder filtered\n");
        exit(1);
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const hid_t file = new_file(files[i].name, files[i].user_block, files[i].newest);
        files[i].fill(file);
        CHECKED(H5Fclose(file));
    }
}
