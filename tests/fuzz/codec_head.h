/* SPDX-License-Identifier: MIT
 * The first bytes of an input of the codec target say what the rest, a stream, is decoded as. */
#ifndef TESTS_FUZZ_CODEC_HEAD_H
#define TESTS_FUZZ_CODEC_HEAD_H

#include "codec/codec.h"
#include "core/bytes.h"

enum { CODEC_HEAD = 24, CODEC_MAX_VALUES = 1 << 16 };

/* id, dtype, dimensions, -, four extents of 16 bits, then four parameters of 16 bits counted from their
 * least, then two numbers of 16 bits that a range follows from. */
static inline void codec_head_write(uint8_t head[CODEC_HEAD], const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding)
{
    memset(head, 0, CODEC_HEAD);
    head[0] = (uint8_t)codec->id;
    head[1] = (uint8_t)coding->grid.dtype;
    head[2] = (uint8_t)coding->grid.dims;
    for (unsigned d = 0; d < coding->grid.dims; d++)
        fpgz_store16(head + 4 + 2 * d, (uint16_t)coding->grid.extent[d]);
    for (unsigned i = 0; i < codec->param_count; i++)
        fpgz_store16(head + 12 + 2 * i, (uint16_t)(coding->params.value[i] - codec->params[i].min));
}

/* NULL when the head describes nothing that can be decoded, or more than CODEC_MAX_VALUES values. */
static inline const struct fpgz_codec *codec_head_read(const uint8_t head[CODEC_HEAD],
                                                       struct fpgz_coding *coding)
{
    const struct fpgz_codec *codec = fpgz_codec_by_id(head[0]);
    struct fpgz_error error = {0};
    memset(coding, 0, sizeof *coding);
    coding->grid = (struct fpgz_grid){fpgz_dtype_known(head[1]) ? head[1] : FPGZ_F32, head[2], {1, 1, 1, 1}};
    if (!codec || !fpgz_codec_takes(codec, coding->grid.dtype) || head[2] < 1 || head[2] > codec->max_dims)
        return NULL;
    for (unsigned d = 0; d < coding->grid.dims; d++)
        coding->grid.extent[d] = fpgz_load16(head + 4 + 2 * d);
    for (unsigned i = 0; i < codec->param_count; i++)
        coding->params.value[i] = codec->params[i].min + fpgz_load16(head + 12 + 2 * i);
    const uint64_t values = fpgz_grid_values(&coding->grid);
    return values && values <= CODEC_MAX_VALUES &&
                   !fpgz_codec_check(codec, coding->grid.dtype, &coding->params, &error)
               ? codec
               : NULL;
}

#endif
