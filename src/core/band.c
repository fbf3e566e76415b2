/* SPDX-License-Identifier: MIT
 * Pieces of an array go into a band of it row by row, and out again. */
#include "core/band.h"

#include <string.h>

#include "core/inline.h"

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

/* The runs of a piece that are as long in a band: rows, or more where all of the last axes is in one piece.
 */
struct runs {
    uint64_t extent[FPGZ_MAX_DIMS], step[FPGZ_MAX_DIMS]; /* of the axes before; bytes in the band */
    uint64_t place[FPGZ_MAX_DIMS];                       /* of the run on these */
    uint64_t at;                                         /* the byte of the band where it begins */
    size_t bytes;
    unsigned dims;
};

static struct runs first_run(const struct fpgz_part *part, uint64_t number)
{
    struct runs run = {.dims = part->array.dims, .bytes = fpgz_dtype_size(part->array.dtype)};
    uint64_t step = run.bytes;
    bool whole = true; /* what follows in the piece follows in the band */
    for (unsigned d = part->array.dims; d-- > 0;) {
        const uint64_t pieces = d ? fpgz_part_pieces(part, d) : 1, extent = part->piece[d];
        run.extent[d] = extent;
        run.step[d] = step;
        run.at += number % pieces * extent * step;
        step *= pieces * extent;
        number /= pieces;
        if (whole) {
            run.bytes *= extent;
            run.dims = d;
            whole = pieces == 1;
        }
    }
    return run;
}

static bool next_run(struct runs *run)
{
    for (unsigned d = run->dims; d-- > 0;) {
        run->at += run->step[d];
        if (++run->place[d] < run->extent[d])
            return true;
        run->at -= run->step[d] * run->extent[d];
        run->place[d] = 0;
    }
    return false;
}

/* Short runs take no call each. */
INLINE void copy_run(uint8_t *to, const uint8_t *from, size_t bytes)
{
    switch (bytes) {
    case 1:
        *to = *from;
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, bytes);
    }
}

void fpgz_band_take(const struct fpgz_part *part, uint64_t number, const uint8_t *band, uint8_t *piece)
{
    struct runs run = first_run(part, number);
    do {
        copy_run(piece, band + run.at, run.bytes);
        piece += run.bytes;
    } while (next_run(&run));
}

void fpgz_band_put(const struct fpgz_part *part, uint64_t number, const uint8_t *piece, uint8_t *band)
{
    struct runs run = first_run(part, number);
    do {
        copy_run(band + run.at, piece, run.bytes);
        piece += run.bytes;
    } while (next_run(&run));
}
