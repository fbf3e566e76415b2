/* SPDX-License-Identifier: MIT
 * What the child tells its parent of an HDF5 file: records through a pipe, one for each dataset of numbers or
 * of compounds with fields, and one at the end. */
#ifndef FPGZ_SOURCE_HDF5_SURVEY_H
#define FPGZ_SOURCE_HDF5_SURVEY_H

#include "core/content.h"
#include "core/status.h"

enum { FPGZ_HDF5_NAME_LIMIT = 4096 }; /* bytes of a path; datasets with longer paths are left out */

struct fpgz_hdf5_piece {
    uint64_t offset, number;
    uint32_t length, skipped; /* of a piece with filters: bytes in the file; bit i: filter i was left out */
};

/* The last dataset's record is followed by one without pieces. */
struct fpgz_hdf5_record {
    struct fpgz_array array;
    uint64_t piece[FPGZ_MAX_DIMS]; /* all 0: contiguous */
    uint8_t fill[8];
    uint64_t pieces;      /* how many struct fpgz_hdf5_piece come next, in the order of their offsets */
    uint32_t name_length; /* of the path that comes behind them */
    uint32_t fields;      /* how many struct fpgz_hdf5_field come next, each with its name; 0: no table */
    uint32_t damaged;     /* the last record: objects that the library cannot read */
    struct fpgz_filters filters;
    uint32_t level;          /* of deflate; 0: the file does not say */
    uint64_t foreign;        /* the last record: content->foreign, ... */
    char foreign_filter[60]; /* ... and content->foreign_filter */
};

struct fpgz_hdf5_field {
    struct fpgz_array array;
    uint64_t offset;      /* in the record */
    uint32_t name_length; /* of the name that comes behind it */
};

/* The work of a child (helper.h), without context. */
void fpgz_hdf5_survey(const void *context, int file, int fd, struct fpgz_error *error);

#endif
