/* SPDX-License-Identifier: MIT
 * Encoding of scaled grids: a sample tells what shares a scale, and estimates of the middle setting whether
 * that may save anything. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/bins/aide.h"
#include "codec/prans/scaled/kernels.h"
#include "codec/prans/scaled/scaled.h"
#include "codec/prans/symmetric/kernels.h"
#include "core/bytes.h"

enum {
    GAIN_PART = 32, /* what scales must save by the estimates, which know of no matches */
    MUCH_PART = 4,  /* what they save where nothing else is tried */
};

/* The quotients' stream is given up if it is longer. */
static size_t most_of_first(const struct fpgz_grid *grid)
{
    return fpgz_grid_bytes(grid) / 4 * 3;
}

size_t fpgz_prans_scaled_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                               const struct fpgz_params *params)
{
    const size_t plain = inner->bound(grid, params), scales = scaled_scales_room(grid);
    if (!scaled_takes(grid))
        return plain;
    const struct fpgz_grid difference = symmetric_difference(grid),
                           row = scaled_row(grid, scales / fpgz_dtype_size(grid->dtype));
    const struct fpgz_params differing = fpgz_prans_symmetric_differing(grid, params);
    const size_t behind =
        fpgz_max(inner->bound(&row, params),
                 scales + fpgz_max(inner->bound(&difference, &differing), fpgz_grid_bytes(grid)));
    return SCALED_FRONT + fpgz_max(plain, most_of_first(grid) + behind);
}

size_t fpgz_prans_scaled_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                const struct fpgz_params *params, bool encoding)
{
    size_t (*const memory)(const struct fpgz_grid *, const struct fpgz_params *) =
        encoding ? inner->memory : inner->decode_memory;
    const size_t within = memory(grid, params);
    if (!scaled_takes(grid))
        return within;
    const struct fpgz_grid difference = symmetric_difference(grid);
    const struct fpgz_params differing = encoding ? fpgz_prans_symmetric_differing(grid, params) : *params;
    return scaled_room(grid) + (encoding ? scaled_scales_room(grid) : scaled_room(grid)) +
           fpgz_max(within, memory(&difference, &differing));
}

/* A grid that is to be coded by its scales. */
struct divided {
    struct scaled_runs runs;
    const void *values;
    uint8_t *room, *scales; /* for quotients, then for differences */
    size_t count, size;
    struct fpgz_coding quotient, scale, difference;
};

static void make_quotients(const struct divided *d)
{
    const struct prans_scaled_kernels *const k = fpgz_cpu_choose_word(fpgz_prans_scaled_kernels, d->size);
    memcpy(d->room, d->values, d->count * d->size);
    k->divide(&d->runs, d->count, d->scales, d->room);
}

/* Makes the differences of values to the products of the quotients. Whether there are any. */
static bool make_differences(const struct divided *d)
{
    const struct prans_scaled_kernels *const k = fpgz_cpu_choose_word(fpgz_prans_scaled_kernels, d->size);
    const struct prans_symmetric_kernels *const s =
        fpgz_cpu_choose_word(fpgz_prans_symmetric_kernels, d->size);
    k->multiply(&d->runs, d->count, d->scales, d->room);
    return s->subtract(prans_number_of(d->quotient.grid.dtype), d->count, d->values, d->room);
}

/* Finds scales. Returns about what the streams take; SIZE_MAX where there are none. */
static size_t divide(const struct fpgz_codec *inner, const struct fpgz_coding *coding, const void *values,
                     uint8_t *stream, struct divided *d)
{
    const struct fpgz_grid *const grid = &coding->grid;
    if (coding->params.value[PRANS_AS_SHAPED] || !fpgz_prans_scaled_probe(grid, values, &d->runs))
        return SIZE_MAX;
    d->values = values;
    d->room = coding->scratch;
    d->scales = d->room + scaled_room(grid);
    d->count = (size_t)fpgz_grid_values(grid);
    d->size = fpgz_dtype_size(grid->dtype);
    uint8_t *const within = d->scales + scaled_scales_room(grid);
    d->quotient = (struct fpgz_coding){*grid, coding->params, within, NULL};
    d->scale = (struct fpgz_coding){scaled_row(grid, d->runs.count), coding->params, within, NULL};
    d->difference = (struct fpgz_coding){symmetric_difference(grid),
                                         fpgz_prans_symmetric_differing(grid, &coding->params), within, NULL};
    if (!fpgz_prans_scaled_scales(grid, values, &d->runs, d->scales))
        return SIZE_MAX;
    make_quotients(d);
    size_t about =
        inner->estimate(&d->quotient, d->room, stream) + inner->estimate(&d->scale, d->scales, stream);
    if (make_differences(d))
        about += inner->estimate(&d->difference, d->room, stream);
    return about;
}

/* The stream, of fewer bytes than the values; 0 where that cannot be. */
static size_t encode_divided(const struct fpgz_codec *inner, const struct divided *d, uint8_t *stream)
{
    make_quotients(d);
    const size_t first = fpgz_prans_inner_put(inner, &d->quotient, NULL, d->room, stream + SCALED_FRONT);
    size_t length = SCALED_FRONT + first;
    if (first > most_of_first(&d->quotient.grid))
        return 0;
    const size_t second = fpgz_prans_inner_put(inner, &d->scale, NULL, d->scales, stream + length);
    length += second;
    if (make_differences(d))
        length += fpgz_prans_inner_put(inner, &d->difference, NULL, d->room, stream + length);
    memcpy(stream, (uint8_t[4]){PRANS_FORMAT_SCALED, 0, 0, 0}, 4);
    fpgz_store32(stream + 4, SCALED_FRONT - PRANS_HEAD_BYTES);
    fpgz_store32(stream + SCALED_LENGTHS, (uint32_t)first);
    fpgz_store32(stream + SCALED_LENGTHS + 4, (uint32_t)second);
    fpgz_store32(stream + SCALED_RUN, d->runs.run);
    fpgz_store32(stream + SCALED_RUN + 4, d->runs.count);
    return length < fpgz_grid_bytes(&d->quotient.grid) ? length : 0;
}

/* Both ways, unless the middle setting gains much. The stream by scales waits in the room of its values. */
enum fpgz_status fpgz_prans_scaled_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                          struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                          size_t *length)
{
    const size_t before =
        scaled_takes(&coding->grid) ? scaled_room(&coding->grid) + scaled_scales_room(&coding->grid) : 0;
    const struct fpgz_coding within = {coding->grid, coding->params, (uint8_t *)coding->scratch + before,
                                       coding->lead};
    struct divided d;
    size_t divided = 0, whole = 0;
    const size_t about = divide(inner, coding, values, stream, &d);
    if (about != SIZE_MAX) {
        if (aide)
            aide->drop(aide);
        whole = inner->estimate(&within, values, stream);
    }
    if (about < whole - whole / GAIN_PART) {
        divided = encode_divided(inner, &d, stream);
        if (divided && !fpgz_prans_is_high(&coding->params) && divided < whole - whole / MUCH_PART) {
            *length = divided;
            return FPGZ_OK;
        }
        memcpy(d.room, stream, divided);
    }
    const enum fpgz_status status = fpgz_prans_inner_encode(inner, &within, aide, values, stream, length);
    if (!status && divided && divided < *length)
        memcpy(stream, d.room, *length = divided);
    return status;
}
