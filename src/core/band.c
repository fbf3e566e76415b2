/* SPDX-License-Identifier: MIT
 * Pieces of an array go into a band of it row by row, and out again. */
#include "core/band.h"

#include <string.h>

#include "core/strided.h"

void fpgz_part_unit(const struct fpgz_part *part, uint64_t extent[FPGZ_MAX_DIMS])
{
    memcpy(extent, part->piece, sizeof part->piece);
    for (unsigned d = 1; part->banded && d < part->array.dims; d++)
        extent[d] *= fpgz_part_pieces(part, d);
}

uint64_t fpgz_band_pieces(const struct fpgz_part *part)
{
    uint64_t pieces = 1;
    for (unsigned d = 1; d < part->array.dims; d++)
        pieces *= fpgz_part_pieces(part, d);
    return pieces;
}

bool fpgz_bands_alike(const struct fpgz_part *x, const struct fpgz_part *y)
{
    bool alike = x->banded == y->banded && (!x->banded || x->array.dims == y->array.dims);
    for (unsigned d = 0; d < x->array.dims && x->banded && alike; d++)
        alike = x->piece[d] == y->piece[d] && fpgz_part_pieces(x, d) == fpgz_part_pieces(y, d);
    return alike;
}

/* Runs of a piece that are as long in a band, rows or more where all of the last axes is in one piece, and
 * the same number of bytes apart there: those along the axis before. */
struct runs {
    size_t bytes, step, count;
    uint64_t at;                                         /* the byte of the band where they begin */
    uint64_t extent[FPGZ_MAX_DIMS], skip[FPGZ_MAX_DIMS]; /* of the `dims` axes before; bytes of the band */
    uint64_t place[FPGZ_MAX_DIMS];                       /* of the runs on these */
    unsigned dims;
};

static struct runs first_runs(const struct fpgz_part *part, uint64_t number)
{
    struct runs runs = {.bytes = fpgz_dtype_size(part->array.dtype), .count = 1};
    uint64_t step = runs.bytes;
    bool whole = true; /* what follows in the piece follows in the band */
    for (unsigned d = part->array.dims; d-- > 0;) {
        const uint64_t pieces = d ? fpgz_part_pieces(part, d) : 1, extent = part->piece[d];
        runs.extent[d] = extent;
        runs.skip[d] = step;
        runs.at += number % pieces * extent * step;
        step *= pieces * extent;
        number /= pieces;
        if (whole) {
            runs.bytes *= extent;
            runs.dims = d;
            whole = pieces == 1;
        }
    }
    if (runs.dims) {
        runs.dims--;
        runs.count = runs.extent[runs.dims];
        runs.step = runs.skip[runs.dims];
    }
    return runs;
}

static bool next_runs(struct runs *runs)
{
    for (unsigned d = runs->dims; d-- > 0;) {
        runs->at += runs->skip[d];
        if (++runs->place[d] < runs->extent[d])
            return true;
        runs->at -= runs->skip[d] * runs->extent[d];
        runs->place[d] = 0;
    }
    return false;
}

void fpgz_band_take(const struct fpgz_part *part, uint64_t number, const uint8_t *band, uint8_t *piece)
{
    struct runs runs = first_runs(part, number);
    do {
        fpgz_copy_strided(piece, runs.bytes, band + runs.at, runs.step, runs.count, runs.bytes);
        piece += runs.count * runs.bytes;
    } while (next_runs(&runs));
}

void fpgz_band_put(const struct fpgz_part *part, uint64_t number, const uint8_t *piece, uint8_t *band)
{
    struct runs runs = first_runs(part, number);
    do {
        fpgz_copy_strided(band + runs.at, runs.step, piece, runs.bytes, runs.count, runs.bytes);
        piece += runs.count * runs.bytes;
    } while (next_runs(&runs));
}
