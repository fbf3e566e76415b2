/* SPDX-License-Identifier: MIT
 * Shared by the files that use the HDF5 library. All of it but the sink runs in a child of the helper
 * (helper.h). */
#ifndef FPGZ_SOURCE_HDF5_H
#define FPGZ_SOURCE_HDF5_H

#include "core/content.h"
#include "core/status.h"
#include "source/attributes.h"
#include "source/hdf5_library.h"

#include "source/hdf5_calls.h" /* last, for it defines macros */

/* Finds where in the file the library reads a dataset's values, which its default driver does not tell. */
struct fpgz_hdf5_watch;

/* Opens the file behind the descriptor for reading; negative when the library cannot read it. *watch lives
 * as long as the file is open. */
hid_t fpgz_hdf5_open(int fd, struct fpgz_hdf5_watch **watch);

/* From now on no values are read: the driver only notes where the first of them would be read. */
void fpgz_hdf5_watch_begin(struct fpgz_hdf5_watch *watch);

/* Goes back to reading. False when no values were asked for. *offset counts from the file's first byte. */
bool fpgz_hdf5_watch_end(struct fpgz_hdf5_watch *watch, uint64_t *offset);

/* Bytes of the read that was noted. */
uint64_t fpgz_hdf5_watch_length(const struct fpgz_hdf5_watch *watch);

/* The library's type for such values; the caller closes it. Negative if the library refuses it. */
hid_t fpgz_hdf5_type_of(enum fpgz_dtype dtype, enum fpgz_order order);

/* Whether an element of the type consists of numbers of one kind and nothing else. If so, *value receives
 * their dtype, byte order and extents (none for a single number). These extents follow those of a dataset of
 * the type. */
bool fpgz_hdf5_value(hid_t type, struct fpgz_array *value);

/* Adds the members of a compound type, one of which must be numbers, to the table. Returns a type to read one
 * of these with, which the caller closes. Negative for other types, for values whose size is not fixed, and
 * without memory. */
hid_t fpgz_hdf5_fields(hid_t type, struct fpgz_part *table);

/* Whether a compound type is numbers of one size and order, without gaps. Then *value receives its fields as
 * one array, of the type that most of them have, and to the name is added that it is that. `name` has room
 * for FPGZ_HDF5_NAME_LIMIT bytes. */
bool fpgz_hdf5_words(hid_t type, struct fpgz_array *value, char *name);

/* The compound type to read the field of that name ("outer.inner") of records with: it has no other. Negative
 * when there is none. *field is then the type of the field; the caller closes both. */
hid_t fpgz_hdf5_field(hid_t record, const char *name, hid_t *field);

/* The type in words, for people: "32-bit signed integers". */
void fpgz_hdf5_type_text(hid_t type, char *text, size_t capacity);

/* The shape of a dataset of such values: its own `rank` extents, then the value's. False where it holds no
 * value or has too many axes. */
bool fpgz_hdf5_shape(hid_t dataset, const struct fpgz_array *value, struct fpgz_array *array, unsigned *rank);

/* Appends the object's attributes that fpgz_attribute can express, and reports the others. */
void fpgz_hdf5_get_attributes(hid_t object, struct fpgz_attributes *attributes,
                              struct fpgz_attributes_left *left);

/* Gives the object all the attributes; false when the library refuses one. */
bool fpgz_hdf5_put_attributes(hid_t object, const struct fpgz_attributes *attributes);

/* Loads and starts the library, in the helper. FPGZ_UNSUPPORTED when that fails. */
enum fpgz_status fpgz_hdf5_prepare(struct fpgz_error *error);

/* Has the library undo LZF, too. */
bool fpgz_hdf5_add_filters(void);

/* If the library lacks a filter of a dataset with these properties, records a failure that names the
 * filter and says what to install. FPGZ_OK where it has all filters. */
enum fpgz_status fpgz_hdf5_fail_filtered(hid_t plist, struct fpgz_error *error);

/* The filters of a dataset with these properties, if fpgz can undo them; and the level of deflate, or 0. If
 * it cannot, returns false, and the filter in words. */
bool fpgz_hdf5_filters(hid_t plist, struct fpgz_filters *filters, uint32_t *level, char what[60]);

/* Adds this filter to those of other datasets, in words. */
void fpgz_hdf5_foreign(const char what[60], char all[60]);

/* Keeps the library from printing. Each thread has its own setting, which is at first to print. */
void fpgz_hdf5_quiet(void);

/* Records a failure, with the library's reason for it. */
enum fpgz_status fpgz_hdf5_fail(struct fpgz_error *error, enum fpgz_status status, const char *what);

#endif
