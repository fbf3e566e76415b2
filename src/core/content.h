/* SPDX-License-Identifier: MIT
 * What a file holds: arrays of values, where their bytes stand in it, and all its other bytes. */
#ifndef FPGZ_CORE_CONTENT_H
#define FPGZ_CORE_CONTENT_H

#include "core/buffer.h"
#include "core/grid.h"
#include "core/image.h"
#include "core/refilter.h"

/* The kind of a file that is one array and nothing else. Files of all other kinds consist of parts. The
 * table of formats (source/formats.h) and fpgz.5 say which format has which kind. */
enum { FPGZ_KIND_RAW = 0 };

enum fpgz_layout {
    FPGZ_DENSE = 0,  /* one piece: the array itself, row-major */
    FPGZ_PIECES = 1, /* pieces of equal shape, each dense: the chunks of an HDF5 dataset */
    FPGZ_BYTES = 2,  /* ranges of bytes that are no array (dtype u8, one dimension) */
    FPGZ_GROUP =
        3, /* ranges of values: those of small arrays of one dtype, its members, one behind the other */
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

/* How the file holds a piece of a part with filters. */
struct fpgz_stored {
    uint32_t length;
    uint32_t check; /* of these bytes; known only while they are compressed */
    struct fpgz_refiltering how;
};

/* A piece that an array has in the file, but not in its part, since its filters cannot be done again. */
struct fpgz_kept {
    uint64_t number, offset;
    uint32_t length;
    uint8_t skipped; /* as struct fpgz_refiltering has it */
};

/* One array of a file. */
struct fpgz_part {
    char *name; /* an HDF5 path; empty for what is no array */
    struct fpgz_array array;
    enum fpgz_layout layout;
    /* So many axes, behind a slowest one, that its chunks have where the array tells of none: a raw grid of
     * one dimension, or an array that has them in a row. Values behind the last whole row have none. */
    unsigned axes;
    uint64_t axis[FPGZ_MAX_CODING_DIMS - 1];
    bool turned;  /* chunks are coded with the slowest axis last: fpgz_part_row() values of it are a row */
    bool untyped; /* nothing tells of its values: they are bytes until their type is guessed */
    bool column_major;             /* indexes are meant in the reverse order of `extent` (NumPy, Fortran) */
    uint64_t piece[FPGZ_MAX_DIMS]; /* FPGZ_PIECES: extents of a piece; pieces at the edges reach beyond the
                                      array */
    uint8_t fill[8];               /* FPGZ_PIECES: the value of missing pieces, in the file's byte order */
    /* In the image, if the file has one. Of a member of a group, where pieces stand in its own sequence. */
    struct fpgz_place place;
    /* FPGZ_PIECES: what the file does to each piece; without steps it holds them as they are. */
    struct fpgz_filters filters;
    struct fpgz_stored *stored; /* of each piece, in their sequence */
    const uint8_t *unfiltered;  /* the bytes of the sequence, where content->unfiltered has them; else NULL */
    bool shortened;             /* chunks are no longer than the default level's */
    bool plain;             /* samples showed that prans codes it well, and a slower setting hardly better */
    bool hasty;             /* FPGZ_BYTES: they are few beside arrays that are coded fast */
    bool banded;            /* chunks are whole bands, whose values are in row-major order (core/band.h) */
    struct fpgz_kept *kept; /* by their offsets, which count in the image */
    size_t kepts;
    struct fpgz_field *field; /* a table: u8, and the last axis is the bytes of a record (core/table.h) */
    size_t fields;            /* 0: no table */
    uint32_t members;         /* FPGZ_GROUP: arrays in it, which are the parts behind it */
    bool general;             /* FPGZ_GROUP: a codec for bytes codes it best, since arrays repeat others */
    bool pieced;              /* FPGZ_GROUP: members may be in pieces */
    bool repeats;             /* FPGZ_GROUP: members repeat each other, which longer chunks see more of */
    uint32_t family;          /* what arrays have in common that are to become a group; 0: nothing */
    /* 1 + the number of the part whose chunks bring its values; 0: it has chunks of its own. That part is the
     * group it is a member of, which has its place, or what it is a copy of. */
    uint32_t carrier;
    bool grouped;    /* the carrier is a group */
    uint64_t first;  /* of a group's values, the first of this member */
    uint32_t copies; /* of this part */
    uint32_t copy;   /* 1 + the number of its first copy or, of a copy, of the next one; 0: no more */
};

/* Whether the part is an array of the file, and not what others are coded with. */
static inline bool fpgz_part_is_array(const struct fpgz_part *part)
{
    return part->layout == FPGZ_DENSE || part->layout == FPGZ_PIECES;
}

/* Whether the bytes of its sequence are those of another part, its carrier. */
static inline bool fpgz_part_is_copy(const struct fpgz_part *part)
{
    return part->carrier && !part->grouped;
}

/* An array that the file holds in filtered pieces, before it is known whether the filters can be done again.
 * Until then its bytes belong to no array. */
struct fpgz_filtered {
    struct fpgz_part part; /* without place */
    uint8_t level;         /* of deflate, as the file says; 0: it does not */
    struct fpgz_kept *piece;
    size_t pieces;
};

/* Dtype and order of bytes as one number, which all arrays of a group have. */
enum { FPGZ_GROUP_KINDS = 2 * FPGZ_DTYPES };

/* Which arrays of a kind become a group. */
struct fpgz_grouping {
    uint64_t most; /* bytes of an array; 0: none does */
    bool general;  /* as in struct fpgz_part */
};

/* A whole file: the places of its parts cover every byte once, of the file or of its image. */
struct fpgz_content {
    uint8_t kind;
    uint64_t size; /* of what the parts cover */
    struct fpgz_part *part;
    size_t count;
    struct fpgz_grouping grouping[FPGZ_GROUP_KINDS];
    uint32_t families; /* of parts, with the numbers from 1 on */
    struct fpgz_image image;
    struct fpgz_filtered *filtered;
    size_t filtereds;
    struct fpgz_buffer unfiltered; /* raw pieces that are still known from a trial */
    uint64_t foreign;              /* bytes of datasets with filters that are never undone */
    char foreign_filter[60];       /* the first of these filters, in words, and that there are others */
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

/* The end of the last piece of a place that has one. */
uint64_t fpgz_place_end(const struct fpgz_place *place);

/* The place's spans: stretches of the file without gaps. */
uint64_t fpgz_place_spans(const struct fpgz_place *place);

/* Bytes of a dense array of these extents. False when an extent is FPGZ_UNKNOWN or 0, or when the bytes do
 * not fit in 63 bits. */
bool fpgz_extents_bytes(enum fpgz_dtype dtype, const uint64_t *extent, unsigned dims, uint64_t *bytes);

/* Values in one step along the array's slowest axis. False when they cannot be counted. */
bool fpgz_array_row(const struct fpgz_array *array, uint64_t *values);

/* Pieces that the array of a FPGZ_PIECES part is cut into along axis d. */
uint64_t fpgz_part_pieces(const struct fpgz_part *part, unsigned d);

/* Values of one index along the slowest axis that its chunks have, and how many such rows its sequence has.
 */
uint64_t fpgz_part_row(const struct fpgz_part *part);
uint64_t fpgz_part_rows(const struct fpgz_part *part);

/* Whether the sequence of the part is rows in their order, at least two of two values, so that it can be
 * turned. */
bool fpgz_part_turns(const struct fpgz_part *part);

/* Whether the sequence of the part, which must be valid, is the array in row-major order: all pieces are
 * there and none reaches beyond the array's edges. */
bool fpgz_part_in_order(const struct fpgz_part *part);

/* Bytes of the file. */
uint64_t fpgz_content_bytes(const struct fpgz_content *content);

/* Whether an FPGZ_PIECES part has all its pieces, in the order of their numbers. */
bool fpgz_part_has_all(const struct fpgz_part *part);

/* Bytes of a piece of an FPGZ_PIECES part. */
uint64_t fpgz_part_piece_bytes(const struct fpgz_part *part);

/* Bytes that the file holds of the whole pieces at the bytes [at, at + bytes) of the sequence of a part with
 * filters. */
uint64_t fpgz_part_stored(const struct fpgz_part *part, uint64_t at, uint64_t bytes);

/* Whether the part's fields fit together and lie in a file of `size` bytes. Everything that reads parts
 * may rely on it. */
bool fpgz_part_valid(const struct fpgz_part *part, uint64_t size);

/* Appends a zeroed part for the caller to fill; NULL without memory. Earlier pointers to parts become
 * invalid. */
struct fpgz_part *fpgz_content_add(struct fpgz_content *content);

/* Makes *copy, which is part number `number`, a copy of *part, which is part number `of`, and has been none.
 */
void fpgz_part_make_copy(struct fpgz_part *part, uint32_t of, struct fpgz_part *copy, uint32_t number);

/* Removes all parts. */
void fpgz_content_clear(struct fpgz_content *content);

/* The same for an array in filtered pieces, and one more free. */
struct fpgz_filtered *fpgz_content_add_filtered(struct fpgz_content *content);
void fpgz_filtered_free(struct fpgz_content *content);

void fpgz_part_free(struct fpgz_part *part);
void fpgz_content_free(struct fpgz_content *content);

#endif
