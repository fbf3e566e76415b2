/* SPDX-License-Identifier: MIT
 * What the formats that open datasets have in common: what a child tells of one before its values, and what
 * is said where there is none of a name. */
#ifndef FPGZ_SOURCE_DATASET_H
#define FPGZ_SOURCE_DATASET_H

#include "source/source.h"

/* Writes what comes before the values. False when nobody reads. */
bool fpgz_dataset_tell(int fd, const struct fpgz_array *array, const struct fpgz_attributes *attributes,
                       const struct fpgz_attributes_left *left);

/* Reads it from dataset->fd. False where that is something else, and without memory. */
bool fpgz_dataset_hear(struct fpgz_dataset *dataset);

/* The names of the first datasets of a file, all zeros at first. */
struct fpgz_dataset_names {
    char text[340];
    size_t used, count;
};

void fpgz_dataset_name(struct fpgz_dataset_names *names, const char *prefix, const char *name);

/* FPGZ_USAGE: the file holds no dataset `wanted`, but these. */
enum fpgz_status fpgz_dataset_absent(const struct fpgz_dataset_names *names, const char *wanted,
                                     struct fpgz_error *error);

#endif
