/* SPDX-License-Identifier: MIT
 * HDF5 files of every kind there is. A call that fails ends the program. */
#ifndef FPGZ_TESTS_HDF5_FILES_H
#define FPGZ_TESTS_HDF5_FILES_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>

hid_t checked(hid_t id, const char *what);
#define CHECKED(call) checked(call, #call)

/* Creates a dataset (most: NULL, or the extents that it may grow to), with smooth values if they are to be
 * written. The caller closes it. */
hid_t put(hid_t where, const char *name, hid_t type, int rank, const hsize_t *extent, const hsize_t *most,
          hid_t plist, bool written);

/* Creates one of 100 x 120 values. */
void put_2d(hid_t where, const char *name, hid_t type, hid_t plist);

/* Properties for a dataset of such chunks. */
hid_t chunked(int rank, const hsize_t *chunk);

/* What stands in a file of each kind. */
void fill_contiguous(hid_t file);
void fill_chunked(hid_t file);
void fill_sparse(hid_t file);
void fill_filters(hid_t file);
void fill_types(hid_t file);
void fill_tables(hid_t file);
void fill_links(hid_t file);
void fill_attributes(hid_t file);
void fill_many(hid_t file);
void fill_kin(hid_t file);
void fill_names(hid_t file);
void fill_nothing(hid_t file);

/* A new file; with a user block, if that is not 0, and in the newest format, if so wanted. */
hid_t new_file(const char *name, hsize_t user_block, bool newest);

/* Writes files with filtered chunks into the folder "filtered". */
void write_filtered_files(void);

/* Writes such of which fpgz can do less into the folder "odd". */
void write_odd(void);

#endif
