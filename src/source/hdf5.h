/* SPDX-License-Identifier: MIT
 * What the files that use the HDF5 library share. All of it runs in a child of the helper
 * (helper.h) but the sink. */
#ifndef FPGZ_SOURCE_HDF5_H
#define FPGZ_SOURCE_HDF5_H

#include "core/grid.h"
#include "core/status.h"
#include "source/attributes.h"
#include "source/hdf5_library.h"

#include "hdf5_calls.h" /* last, for it defines macros */

/* What the library's default driver does not tell: where in the file it finds the values of a dataset. */
struct fpgz_hdf5_watch;

/* Opens the file behind the descriptor for reading; negative when the library cannot read it. *watch is there
 * as long as the file is open. */
hid_t fpgz_hdf5_open(int fd, struct fpgz_hdf5_watch **watch);

/* From now on no values are read: the driver only keeps where the first of them would be. */
void fpgz_hdf5_watch_begin(struct fpgz_hdf5_watch *watch);

/* Back to reading; false when no values were asked for. *offset counts from the file's first byte. */
bool fpgz_hdf5_watch_end(struct fpgz_hdf5_watch *watch, uint64_t *offset);

/* Whether one element of the type is nothing but floats of one kind: then their dtype, order, and extents
 * (none for a lone float) are in *value, as axes that come after those of a dataset of it. */
bool fpgz_hdf5_value(hid_t type, struct fpgz_array *value);

/* The type in words, for people: "32-bit signed integers". */
void fpgz_hdf5_type_text(hid_t type, char *text, size_t capacity);

/* The shape of a dataset of such values: its own extents (of `rank` axes) and then the value's. False where
 * it holds none, or has too many axes. */
bool fpgz_hdf5_shape(hid_t dataset, const struct fpgz_array *value, struct fpgz_array *array, unsigned *rank);

/* Appends those attributes of the object that fpgz_attribute can express, and tells of the others. */
void fpgz_hdf5_get_attributes(hid_t object, struct fpgz_attributes *attributes,
                              struct fpgz_attributes_left *left);

/* Gives the object all the attributes; false when the library refuses one. */
bool fpgz_hdf5_put_attributes(hid_t object, const struct fpgz_attributes *attributes);

/* Loads and begins the library, in the helper. FPGZ_UNSUPPORTED when that cannot be. */
enum fpgz_status fpgz_hdf5_prepare(struct fpgz_error *error);

/* Where the library lacks a filter of a dataset with these properties: records a failure that names the
 * filter and tells what to install. FPGZ_OK where it has all. */
enum fpgz_status fpgz_hdf5_fail_filtered(hid_t plist, struct fpgz_error *error);

/* Keeps the library from printing: that is a state of each thread, and it starts as one that prints. */
void fpgz_hdf5_quiet(void);

/* Records a failure with the reason that the library gives. */
enum fpgz_status fpgz_hdf5_fail(struct fpgz_error *error, enum fpgz_status status, const char *what);

#endif
