/* SPDX-License-Identifier: MIT
 * The format of symmetric grids, for symmetric.c: matrices that are their own transposes, fields with mirror
 * planes, spectra of real values. What the maps lead to earlier values is not coded but as differences to
 * these, if there are any; both grids are coded by `inner`, a codec with the formats that may be within this
 * one. As codec.h has these, with at most PRANS_MAX_VALUES values. */
#ifndef FPGZ_CODEC_PRANS_SYMMETRIC_SYMMETRIC_H
#define FPGZ_CODEC_PRANS_SYMMETRIC_SYMMETRIC_H

#include "codec/prans/format.h"
#include "codec/prans/inner.h"
#include "codec/prans/matched/work.h"
#include "codec/prans/symmetric/maps.h"
#include "core/bytes.h"

enum {
    SYMMETRIC_LENGTH = PRANS_HEAD_BYTES,      /* where the length of the first stream stands, */
    SYMMETRIC_CENTRES = SYMMETRIC_LENGTH + 4, /* behind it centres of all axes, then maps, of 4 bytes each */
    SYMMETRIC_FRONT = SYMMETRIC_CENTRES + 4 * (FPGZ_MAX_CODING_DIMS + SYMMETRIC_MAPS), /* at most */
};

/* Bytes before the streams. */
static inline size_t symmetric_side(size_t dims, size_t maps)
{
    return SYMMETRIC_CENTRES + 4 * (dims + maps);
}

/* Differences of all values: integers of as many bytes. Codecs with matches, which have differences of their
 * own, take no more scratch for these than for values. */
static inline struct fpgz_grid symmetric_difference(const struct fpgz_grid *grid)
{
    struct fpgz_grid difference = *grid;
    difference.dtype = matched_difference(fpgz_dtype_size(grid->dtype));
    return difference;
}

/* Bytes of the room for values that stands before the scratch of the codec within. */
static inline size_t symmetric_room(const struct fpgz_grid *grid)
{
    return fpgz_round_up(fpgz_grid_bytes(grid), 64);
}

/* How a writer codes these: by the middle setting where the high one would take more memory than all else. */
struct fpgz_params fpgz_prans_symmetric_differing(const struct fpgz_grid *grid,
                                                  const struct fpgz_params *params);

/* No maps of the grid. */
struct symmetric_maps fpgz_prans_symmetric_none(const struct fpgz_grid *grid);

enum { SYMMETRIC_LEAST_ROW = 16 /* shorter ones take long to follow */ };

/* Looks for maps by a sample. False where there are none, or rows are short. */
bool fpgz_prans_symmetric_probe(const struct fpgz_grid *grid, const void *values,
                                struct symmetric_maps *maps);

size_t fpgz_prans_symmetric_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                  const struct fpgz_params *params);
size_t fpgz_prans_symmetric_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                   const struct fpgz_params *params, bool encoding);

/* Codes the grid by `inner`, as it is or by its symmetries, if that is shorter. */
enum fpgz_status fpgz_prans_symmetric_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                             struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                             size_t *length);

/* What the stream is made of: values, and differences of them all, which have no length where there are none.
 * False where it is no such stream. */
bool fpgz_prans_symmetric_read(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               struct symmetric_maps *maps, struct prans_inner part[2]);

/* `count` values from `first` on; all are decoded. */
enum fpgz_status fpgz_prans_symmetric_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                             const uint8_t *stream, size_t length, uint64_t first,
                                             uint64_t count, void *values);

enum fpgz_status fpgz_prans_symmetric_describe(const struct fpgz_codec *inner,
                                               const struct fpgz_coding *coding, const uint8_t *stream,
                                               size_t length, size_t *needed, struct fpgz_traits *traits);

#endif
