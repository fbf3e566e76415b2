/* SPDX-License-Identifier: MIT
 * Pieces of an array go into a band of it row by row, and out again. */
#include "core/band.h"

#include <string.h>

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

/* Where row `row` of piece `number` begins in a band, in values. */
static uint64_t row_start(const struct fpgz_part *part, uint64_t number, uint64_t row)
{
    uint64_t at = 0, stride = 1;
    for (unsigned d = part->array.dims; d-- > 0;) {
        const uint64_t pieces = d ? fpgz_part_pieces(part, d) : 1, extent = part->piece[d];
        const bool last = d + 1 == part->array.dims; /* the axis of rows */
        at += (number % pieces * extent + (last ? 0 : row % extent)) * stride;
        stride *= pieces * extent;
        number /= pieces;
        row /= last ? 1 : extent;
    }
    return at;
}

static size_t row_bytes(const struct fpgz_part *part)
{
    return part->piece[part->array.dims - 1] * fpgz_dtype_size(part->array.dtype);
}

static uint64_t row_count(const struct fpgz_part *part)
{
    return fpgz_part_piece_bytes(part) / row_bytes(part);
}

void fpgz_band_take(const struct fpgz_part *part, uint64_t number, const uint8_t *band, uint8_t *piece)
{
    const size_t bytes = row_bytes(part), size = fpgz_dtype_size(part->array.dtype);
    for (uint64_t row = 0; row < row_count(part); row++)
        memcpy(piece + row * bytes, band + row_start(part, number, row) * size, bytes);
}

void fpgz_band_put(const struct fpgz_part *part, uint64_t number, const uint8_t *piece, uint8_t *band)
{
    const size_t bytes = row_bytes(part), size = fpgz_dtype_size(part->array.dtype);
    for (uint64_t row = 0; row < row_count(part); row++)
        memcpy(band + row_start(part, number, row) * size, piece + row * bytes, bytes);
}
