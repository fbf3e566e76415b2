/* SPDX-License-Identifier: MIT
 * The parts of the scratch of the format of symmetric grids. */
#ifndef FPGZ_CODEC_PRANS_SYMMETRIC_WORK_H
#define FPGZ_CODEC_PRANS_SYMMETRIC_WORK_H

#include "codec/codec.h"
#include "codec/prans/matched/work.h"

struct symmetric_work {
    uint8_t *copies;      /* all values, or those that are coded */
    uint8_t *differences; /* of all values; the encoder's stream of these replaces copies */
    uint8_t *stream;      /* the encoder's, which may be shorter than another one */
    uint8_t *inner;       /* scratch of the codec within */
    size_t bytes;         /* of it all */
};

struct symmetric_work fpgz_prans_symmetric_work(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                                const struct fpgz_params *params, bool encoding,
                                                uint8_t *scratch);

static inline struct fpgz_grid symmetric_difference(const struct fpgz_grid *grid)
{
    struct fpgz_grid difference = *grid;
    difference.dtype = matched_difference(fpgz_dtype_size(grid->dtype));
    return difference;
}

#endif
