/* SPDX-License-Identifier: MIT
 * Encoding of symmetric grids: a sample tells the maps, and estimates of the middle setting what they save.
 */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/bins/aide.h"
#include "codec/prans/symmetric/kernels.h"
#include "codec/prans/symmetric/symmetric.h"
#include "codec/prans/symmetric/work.h"
#include "core/bytes.h"

enum { GAIN_PART = 8 /* what symmetries must save by the estimates, which know of no matches */ };

size_t fpgz_prans_symmetric_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                  const struct fpgz_params *params)
{
    return inner->bound(grid, params) + SYMMETRIC_FRONT;
}

struct symmetric_work fpgz_prans_symmetric_work(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                                const struct fpgz_params *params, bool encoding,
                                                uint8_t *scratch)
{
    size_t (*const memory)(const struct fpgz_grid *, const struct fpgz_params *) =
        encoding ? inner->memory : inner->decode_memory;
    const struct fpgz_grid difference = symmetric_difference(grid);
    const struct fpgz_params middle = fpgz_prans_matched_params(params, PRANS_FORMAT_MIDDLE);
    const struct fpgz_params *const differing =
        encoding ? fpgz_prans_matched_differing(fpgz_dtype_size(grid->dtype), params, &middle) : params;
    const size_t bytes = fpgz_round_up(fpgz_grid_bytes(grid), 64),
                 stream = encoding ? fpgz_round_up(inner->bound(&difference, differing), 64) : 0,
                 copies = fpgz_max(bytes, stream),
                 beside = encoding ? fpgz_round_up(fpgz_prans_symmetric_bound(inner, grid, params), 64) : 0,
                 all = copies + bytes + beside;
    return (struct symmetric_work){
        .copies = scratch,
        .differences = scratch ? scratch + copies : NULL,
        .stream = scratch ? scratch + copies + bytes : NULL,
        .inner = scratch ? scratch + all : NULL,
        .bytes = all + fpgz_max(memory(grid, params), memory(&difference, differing)),
    };
}

size_t fpgz_prans_symmetric_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                   const struct fpgz_params *params, bool encoding)
{
    return fpgz_prans_symmetric_work(inner, grid, params, encoding, NULL).bytes;
}

/* A grid that is to be coded by its symmetries: what is not told by others stands in w.copies. */
struct folded {
    struct symmetric_maps maps;
    struct symmetric_work w;
    struct fpgz_coding values, differences;
    bool differs;
};

/* Makes copies and differences, then a word of all copies, which will be a special value. */
static void fold(const struct fpgz_grid *grid, const void *values, struct folded *f)
{
    const size_t count = (size_t)fpgz_grid_values(grid), bytes = fpgz_grid_bytes(grid);
    const struct prans_symmetric_kernels *const k =
        fpgz_cpu_choose_word(fpgz_prans_symmetric_kernels, bytes / count);
    memcpy(f->w.differences, values, bytes);
    k->copy(&f->maps, f->w.differences);
    f->differs = k->subtract(prans_number_of(grid->dtype), count, values, f->w.differences);
    memcpy(f->w.copies, values, bytes);
    k->clear(&f->maps, UINT64_MAX, f->w.copies);
}

static size_t estimate_folded(const struct fpgz_codec *inner, const struct folded *f, uint8_t *stream)
{
    return inner->estimate(&f->values, f->w.copies, stream) +
           (f->differs ? inner->estimate(&f->differences, f->w.differences, stream) : 0);
}

/* The stream; 0 if it is not shorter than `least` bytes. The differences' one is made in place of the values.
 */
static size_t encode_folded(const struct fpgz_codec *inner, const struct folded *f, size_t least,
                            uint8_t *stream)
{
    const struct symmetric_maps *const maps = &f->maps;
    const size_t side = SYMMETRIC_CENTRES + 4 * (maps->dims + maps->count),
                 first = fpgz_prans_inner_put(inner, &f->values, NULL, f->w.copies, stream + side),
                 second = f->differs ? fpgz_prans_inner_put(inner, &f->differences, NULL, f->w.differences,
                                                            f->w.copies)
                                     : 0;
    if (side + first + second >= least)
        return 0;
    memcpy(stream, (uint8_t[4]){PRANS_FORMAT_SYMMETRIC, (uint8_t)maps->count, 0, 0}, 4);
    fpgz_store32(stream + 4, (uint32_t)(side - PRANS_HEAD_BYTES));
    fpgz_store32(stream + SYMMETRIC_LENGTH, (uint32_t)first);
    uint8_t *at = stream + SYMMETRIC_CENTRES;
    for (unsigned axis = 0; axis < maps->dims; axis++, at += 4)
        fpgz_store32(at, maps->centre[axis]);
    for (unsigned m = 0; m < maps->count; m++, at += 4)
        memcpy(at, (uint8_t[4]){maps->map[m].a, maps->map[m].b, maps->map[m].reflected, maps->map[m].negated},
               4);
    memcpy(stream + side + first, f->w.copies, second);
    return side + first + second;
}

/* Finds symmetries, and what is coded by them. False where there are none, or they seem to save nothing. */
static bool is_folded(const struct fpgz_codec *inner, const struct fpgz_coding *coding, const void *values,
                      uint8_t *stream, struct folded *f)
{
    const size_t size = fpgz_dtype_size(coding->grid.dtype);
    const struct fpgz_params middle = fpgz_prans_matched_params(&coding->params, PRANS_FORMAT_MIDDLE);
    if (coding->params.value[PRANS_AS_SHAPED] || !fpgz_prans_symmetric_probe(&coding->grid, values, &f->maps))
        return false;
    f->values = (struct fpgz_coding){coding->grid, coding->params, f->w.inner, NULL};
    f->differences =
        (struct fpgz_coding){symmetric_difference(&coding->grid),
                             *fpgz_prans_matched_differing(size, &coding->params, &middle), f->w.inner, NULL};
    const size_t whole = inner->estimate(&f->values, values, stream);
    fold(&coding->grid, values, f);
    return estimate_folded(inner, f, stream) < whole - whole / GAIN_PART;
}

/* Both ways: what the grid has besides, rows that come again, the estimates do not know. */
enum fpgz_status fpgz_prans_symmetric_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                             struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                             size_t *length)
{
    struct folded f;
    f.w = fpgz_prans_symmetric_work(inner, &coding->grid, &coding->params, true, coding->scratch);
    struct fpgz_coding within = *coding;
    within.scratch = f.w.inner;
    const bool folds = is_folded(inner, coding, values, stream, &f);
    const enum fpgz_status status = fpgz_prans_inner_encode(inner, &within, aide, values, stream, length);
    if (status || !folds)
        return status;
    if (aide)
        aide->drop(aide);
    const size_t bytes = encode_folded(inner, &f, *length, f.w.stream);
    if (bytes)
        memcpy(stream, f.w.stream, *length = bytes);
    return FPGZ_OK;
}
