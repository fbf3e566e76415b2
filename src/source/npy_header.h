/* SPDX-License-Identifier: MIT
 * The header of a NumPy file: a Python dictionary in text. */
#ifndef FPGZ_SOURCE_NPY_HEADER_H
#define FPGZ_SOURCE_NPY_HEADER_H

#include "core/content.h"

struct fpgz_npy_header {
    bool column_major;
    unsigned dims;
    uint64_t extent[FPGZ_MAX_DIMS]; /* in NumPy's order */
    struct fpgz_array value;        /* one element; its dtype is 0 where that is no number */
    struct fpgz_part table;         /* the fields of one element, if it is a record */
    uint64_t record;                /* bytes of a record */
};

/* Reads the dictionary, which ends in a NUL, into a header of zeros. False where it has a form that is not
 * known, and without memory. The caller frees header->table in any case. */
bool fpgz_npy_read_header(const char *text, struct fpgz_npy_header *header);

#endif
