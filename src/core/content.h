/* SPDX-License-Identifier: MIT
 * What a file holds: arrays of values, where their bytes stand in it, and all its other bytes. */
#ifndef FPGZ_CORE_CONTENT_H
#define FPGZ_CORE_CONTENT_H

#include "core/grid.h"

/* The kind of a file that is one array and nothing else. Files of all other kinds consist of parts. The
 * table of formats (source/formats.h) and fpgz.5 say which format has which kind. */
enum { FPGZ_KIND_RAW = 0 };

enum fpgz_layout {
    FPGZ_DENSE = 0,  /* one piece: the array itself, row-major */
    FPGZ_PIECES = 1, /* pieces of equal shape, each dense: the chunks of an HDF5 dataset */
    FPGZ_BYTES = 2,  /* ranges of bytes that are no array (dtype u8, one dimension) */
};

/* Pieces of an array that follow each other in its sequence of values, at equal distances in the file. */
struct fpgz_run {
    uint64_t at;     /* byte of the array's sequence where the first piece begins */
    uint64_t count;  /* pieces, at least 1 */
    uint64_t bytes;  /* of each piece */
    uint64_t offset; /* of the first piece in the file */
    uint64_t step;   /* from the offset of a piece to that of the next: at least `bytes` */
    uint64_t number; /* FPGZ_PIECES: of the first piece in the array's row-major order of pieces; each next
                        has the next number */
};

/* Runs in the order of `at`, without gaps in it; offsets ascend too. */
struct fpgz_place {
    struct fpgz_run *run;
    size_t count;
    uint64_t bytes; /* of the whole sequence */
};

/* A field of the records of a table. */
struct fpgz_field {
    char *name;              /* without the table's */
    struct fpgz_array array; /* of one record: of no dimension where that has one value */
    uint64_t offset;         /* of its first byte in the record */
};

/* One array of a file. */
struct fpgz_part {
    char *name; /* an HDF5 path; empty for what is no array */
    struct fpgz_array array;
    enum fpgz_layout layout;
    bool column_major;             /* indexes are meant in the reverse order of `extent` (NumPy, Fortran) */
    uint64_t piece[FPGZ_MAX_DIMS]; /* FPGZ_PIECES: extents of a piece; pieces at the edges reach beyond the
                                      array */
    uint8_t fill[8];               /* FPGZ_PIECES: the value of missing pieces, in the file's byte order */
    struct fpgz_place place;
    struct fpgz_field *field; /* a table: u8, and the last axis is the bytes of a record (core/table.h) */
    size_t fields;            /* 0: no table */
};

/* A whole file: the places of its parts cover every byte once. */
struct fpgz_content {
    uint8_t kind;
    uint64_t size;
    struct fpgz_part *part;
    size_t count;
    uint64_t filtered; /* bytes of datasets that are compressed already, or otherwise filtered */
};

/* Consecutive bytes of a file. */
struct fpgz_span {
    uint64_t offset, bytes;
};

/* Appends a piece to the place: to the last run where that can take it, else as a new run. `number` counts
 * for FPGZ_PIECES alone. False without memory, and for a piece that does not lie behind the last one. */
bool fpgz_place_add(struct fpgz_place *place, uint64_t offset, uint64_t bytes, uint64_t number);

/* Appends a run, whose `at` is not looked at. False under the same conditions. */
bool fpgz_place_add_run(struct fpgz_place *place, const struct fpgz_run *run);

/* The run that holds byte `at` of the sequence, which must be in it. */
const struct fpgz_run *fpgz_place_run(const struct fpgz_place *place, uint64_t at);

/* Where the file holds the bytes of the sequence from `at` on: the longest span, of `most` bytes at most. */
struct fpgz_span fpgz_place_span(const struct fpgz_place *place, uint64_t at, uint64_t most);

/* The place's spans: stretches of the file without gaps. */
uint64_t fpgz_place_spans(const struct fpgz_place *place);

/* Bytes of a dense array of these extents. False when an extent is FPGZ_UNKNOWN or 0, or when the bytes do
 * not fit in 63 bits. */
bool fpgz_extents_bytes(enum fpgz_dtype dtype, const uint64_t *extent, unsigned dims, uint64_t *bytes);

/* Pieces that the array of a FPGZ_PIECES part is cut into along axis d. */
uint64_t fpgz_part_pieces(const struct fpgz_part *part, unsigned d);

/* Whether the sequence of the part, which must be valid, is the array in row-major order: all pieces are
 * there and none reaches beyond the array's edges. */
bool fpgz_part_in_order(const struct fpgz_part *part);

/* Whether the part's fields fit together and lie in a file of `size` bytes. Everything that reads parts
 * may rely on it. */
bool fpgz_part_valid(const struct fpgz_part *part, uint64_t size);

/* Appends a zeroed part for the caller to fill; NULL without memory. Earlier pointers to parts become
 * invalid. */
struct fpgz_part *fpgz_content_add(struct fpgz_content *content);

/* Removes all parts. */
void fpgz_content_clear(struct fpgz_content *content);

void fpgz_part_free(struct fpgz_part *part);
void fpgz_content_free(struct fpgz_content *content);

#endif
