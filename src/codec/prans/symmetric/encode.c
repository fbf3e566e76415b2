/* SPDX-License-Identifier: MIT
 * Encoding of symmetric grids: a sample tells the maps, and estimates of the middle setting what they save.
 */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/bins/aide.h"
#include "codec/prans/symmetric/kernels.h"
#include "codec/prans/symmetric/symmetric.h"
#include "core/bytes.h"

enum { GAIN_PART = 8 /* what symmetries must save by the estimates, which know of no matches */ };

struct fpgz_params fpgz_prans_symmetric_differing(const struct fpgz_grid *grid,
                                                  const struct fpgz_params *params)
{
    const struct fpgz_params middle = fpgz_prans_matched_params(params, PRANS_FORMAT_MIDDLE);
    return *fpgz_prans_matched_differing(fpgz_dtype_size(grid->dtype), params, &middle);
}

/* The values' stream is given up if it is longer. */
static size_t most_of_first(const struct fpgz_grid *grid)
{
    return fpgz_grid_bytes(grid) / 4 * 3;
}

size_t fpgz_prans_symmetric_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                  const struct fpgz_params *params)
{
    const struct fpgz_grid difference = symmetric_difference(grid);
    const struct fpgz_params differing = fpgz_prans_symmetric_differing(grid, params);
    return SYMMETRIC_FRONT + fpgz_max(inner->bound(grid, params),
                                      most_of_first(grid) + fpgz_max(inner->bound(&difference, &differing),
                                                                     fpgz_grid_bytes(grid)));
}

size_t fpgz_prans_symmetric_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                   const struct fpgz_params *params, bool encoding)
{
    return symmetric_room(grid) + (encoding ? inner->memory : inner->decode_memory)(grid, params);
}

/* A grid that is to be coded by its symmetries. */
struct folded {
    struct symmetric_maps maps;
    const void *values; /* all of them */
    uint8_t *room;      /* for differences, then for values that are not told by others */
    struct fpgz_coding difference, value;
};

/* Makes the differences. Whether there are any. */
static bool make_differences(const struct folded *f)
{
    const struct fpgz_grid *const grid = &f->value.grid;
    const size_t count = (size_t)fpgz_grid_values(grid), bytes = fpgz_grid_bytes(grid);
    const struct prans_symmetric_kernels *const k =
        fpgz_cpu_choose_word(fpgz_prans_symmetric_kernels, bytes / count);
    memcpy(f->room, f->values, bytes);
    k->copy(&f->maps, f->room);
    return k->subtract(prans_number_of(grid->dtype), count, f->values, f->room);
}

/* Makes the values, and a word of all others, which will be a special value. */
static void make_values(const struct folded *f)
{
    const struct fpgz_grid *const grid = &f->value.grid;
    const struct prans_symmetric_kernels *const k =
        fpgz_cpu_choose_word(fpgz_prans_symmetric_kernels, fpgz_dtype_size(grid->dtype));
    memcpy(f->room, f->values, fpgz_grid_bytes(grid));
    k->clear(&f->maps, UINT64_MAX, f->room);
}

/* Finds symmetries. False where there are none, or they seem to save too little. */
static bool is_folded(const struct fpgz_codec *inner, const struct fpgz_coding *coding, const void *values,
                      uint8_t *stream, struct folded *f)
{
    if (coding->params.value[PRANS_AS_SHAPED] || !fpgz_prans_symmetric_probe(&coding->grid, values, &f->maps))
        return false;
    f->values = values;
    f->room = coding->scratch;
    f->value =
        (struct fpgz_coding){coding->grid, coding->params, f->room + symmetric_room(&coding->grid), NULL};
    f->difference = (struct fpgz_coding){symmetric_difference(&coding->grid),
                                         fpgz_prans_symmetric_differing(&coding->grid, &coding->params),
                                         f->value.scratch, NULL};
    const size_t whole = inner->estimate(&f->value, values, stream);
    size_t folded = make_differences(f) ? inner->estimate(&f->difference, f->room, stream) : 0;
    make_values(f);
    folded += inner->estimate(&f->value, f->room, stream);
    return folded < whole - whole / GAIN_PART;
}

/* The stream, of fewer bytes than the values; 0 where that cannot be. */
static size_t encode_folded(const struct fpgz_codec *inner, const struct folded *f, uint8_t *stream)
{
    const struct symmetric_maps *const maps = &f->maps;
    const size_t side = symmetric_side(maps->dims, maps->count),
                 first = fpgz_prans_inner_put(inner, &f->value, NULL, f->room, stream + side);
    size_t length = side + first;
    if (first > most_of_first(&f->value.grid))
        return 0;
    if (make_differences(f))
        length += fpgz_prans_inner_put(inner, &f->difference, NULL, f->room, stream + length);
    memcpy(stream, (uint8_t[4]){PRANS_FORMAT_SYMMETRIC, (uint8_t)maps->count, 0, 0}, 4);
    fpgz_store32(stream + 4, (uint32_t)(side - PRANS_HEAD_BYTES));
    fpgz_store32(stream + SYMMETRIC_LENGTH, (uint32_t)first);
    uint8_t *at = stream + SYMMETRIC_CENTRES;
    for (unsigned axis = 0; axis < maps->dims; axis++, at += 4)
        fpgz_store32(at, maps->centre[axis]);
    for (unsigned m = 0; m < maps->count; m++, at += 4)
        memcpy(at, (uint8_t[4]){maps->map[m].a, maps->map[m].b, maps->map[m].reflected, maps->map[m].negated},
               4);
    return length < fpgz_grid_bytes(&f->value.grid) ? length : 0;
}

/* Both ways: what the grid has besides, as rows that come again, the estimates do not know. The stream by
 * symmetries waits in the room of its values. */
enum fpgz_status fpgz_prans_symmetric_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                             struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                             size_t *length)
{
    struct folded f;
    struct fpgz_coding within = *coding;
    size_t folded = 0;
    if (is_folded(inner, coding, values, stream, &f)) {
        within.scratch = f.value.scratch;
        if (aide)
            aide->drop(aide);
        folded = encode_folded(inner, &f, stream);
        memcpy(f.room, stream, folded);
    }
    const enum fpgz_status status = fpgz_prans_inner_encode(inner, &within, aide, values, stream, length);
    if (!status && folded && folded < *length)
        memcpy(stream, f.room, *length = folded);
    return status;
}
