/* SPDX-License-Identifier: MIT
 * Headers of datasets in HDF5 files, as far as many small datasets have the same. To open a dataset by the
 * library takes longer than to compress some hundred values. */
#ifndef FPGZ_SOURCE_HDF5_HEADER_H
#define FPGZ_SOURCE_HDF5_HEADER_H

#include "core/content.h"

enum { FPGZ_HDF5_KEY = 160, FPGZ_HDF5_KNOWN = 16 };

/* What the header of a contiguous dataset says. */
struct fpgz_hdf5_header {
    uint64_t offset, bytes;     /* where its values are */
    size_t key_length;          /* of the messages that tell its shape and its type: */
    uint8_t key[FPGZ_HDF5_KEY]; /* where they are the same, so are these */
};

/* Shapes and types that the library has read. */
struct fpgz_hdf5_known {
    struct fpgz_hdf5_header header[FPGZ_HDF5_KNOWN];
    struct fpgz_array array[FPGZ_HDF5_KNOWN];
    unsigned next; /* place of the next one */
};

/* Reads the header of `length` bytes that stands at byte `at` of the file. False unless it is one of a
 * contiguous dataset with nothing that takes the library to understand; its values are in the file's `size`
 * bytes. */
bool fpgz_hdf5_header_read(int fd, uint64_t size, uint64_t at, uint64_t length,
                           struct fpgz_hdf5_header *header);

/* The array of a dataset with the same shape and type; NULL where none is known. */
const struct fpgz_array *fpgz_hdf5_known_find(const struct fpgz_hdf5_known *known,
                                              const struct fpgz_hdf5_header *header);

/* Notes that the library finds this array in the dataset with this header, its first value at byte `offset`.
 * It is known from then on if the header says the same. */
void fpgz_hdf5_known_add(struct fpgz_hdf5_known *known, const struct fpgz_hdf5_header *header,
                         const struct fpgz_array *array, uint64_t offset);

#endif
