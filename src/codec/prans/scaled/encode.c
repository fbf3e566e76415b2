/* SPDX-License-Identifier: MIT
 * Encoding of scaled grids: a sample tells what shares a scale, and estimates of the middle setting whether
 * that may save anything. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/bins/aide.h"
#include "codec/prans/scaled/kernels.h"
#include "codec/prans/scaled/scaled.h"
#include "codec/prans/symmetric/kernels.h"
#include "codec/prans/whole.h"
#include "core/bytes.h"

enum { GAIN_PART = 8 /* what scales must save by the estimates, which know of no matches */ };

static const struct fpgz_codec *const within = &fpgz_prans_periodic;

/* The quotients' stream is given up if it is longer. Of 16 bits they take a larger part. */
static size_t most_of_first(const struct fpgz_grid *grid)
{
    const size_t bytes = fpgz_grid_bytes(grid);
    return bytes - bytes / (fpgz_dtype_size(grid->dtype) == sizeof(uint16_t) ? 4 : 2);
}

size_t fpgz_prans_scaled_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                               const struct fpgz_params *params)
{
    const size_t plain = inner->bound(grid, params), scales = scaled_scales_room(grid);
    if (!scaled_takes(grid))
        return plain;
    const struct fpgz_grid difference = symmetric_difference(grid),
                           row = fpgz_prans_row(scaled_scale(grid),
                                                scales / fpgz_dtype_size(scaled_scale(grid)));
    const struct fpgz_params differing = fpgz_prans_symmetric_differing(grid, params);
    const size_t behind =
        fpgz_max(within->bound(&row, params),
                 scales + fpgz_max(within->bound(&difference, &differing), fpgz_grid_bytes(grid)));
    return SCALED_FRONT + fpgz_max(plain, most_of_first(grid) + behind);
}

size_t fpgz_prans_scaled_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                const struct fpgz_params *params, bool encoding)
{
    const struct fpgz_grid row =
        fpgz_prans_row(scaled_scale(grid), fpgz_max((size_t)(fpgz_grid_values(grid) / SCALED_LEAST), 1));
    const size_t plain = (encoding ? inner->memory : inner->decode_memory)(grid, params);
    size_t (*const memory)(const struct fpgz_grid *, const struct fpgz_params *) =
        encoding ? within->memory : within->decode_memory;
    if (!scaled_takes(grid))
        return plain;
    /* Where the row has the grid's dtype, it takes less than the grid. */
    const size_t all = memory(grid, params),
                 most = row.dtype == grid->dtype ? all : fpgz_max(all, memory(&row, params));
    return fpgz_max(plain, symmetric_room(grid) + scaled_scales_room(grid) + most);
}

/* A grid that is to be coded by its scales. */
struct divided {
    struct scaled_runs runs;
    const void *values;
    uint8_t *room, *scales; /* for quotients, then for differences */
    size_t count, size;
    bool differs; /* some product from its value */
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

/* Finds scales, and makes quotients. Returns about what the streams take; SIZE_MAX where there are none. */
static size_t divide(const struct fpgz_coding *coding, const void *values, uint8_t *stream, struct divided *d)
{
    const struct fpgz_grid *const grid = &coding->grid;
    if (coding->params.value[PRANS_AS_SHAPED] || !fpgz_prans_scaled_probe(grid, values, &d->runs))
        return SIZE_MAX;
    d->values = values;
    d->room = coding->scratch;
    d->scales = d->room + symmetric_room(grid);
    d->count = (size_t)fpgz_grid_values(grid);
    d->size = fpgz_dtype_size(grid->dtype);
    uint8_t *const scratch = d->scales + scaled_scales_room(grid);
    d->quotient = (struct fpgz_coding){*grid, coding->params, scratch, NULL};
    d->scale = (struct fpgz_coding){fpgz_prans_row(scaled_scale(grid), d->runs.count), coding->params,
                                    scratch, NULL};
    d->difference = (struct fpgz_coding){
        symmetric_difference(grid), fpgz_prans_symmetric_differing(grid, &coding->params), scratch, NULL};
    if (!fpgz_prans_scaled_scales(grid, values, &d->runs, d->scales))
        return SIZE_MAX;
    make_quotients(d);
    d->differs = make_differences(d);
    size_t about = d->differs ? within->estimate(&d->difference, d->room, stream) : 0;
    make_quotients(d);
    about += within->estimate(&d->quotient, d->room, stream) + within->estimate(&d->scale, d->scales, stream);
    return about;
}

/* The stream, of fewer bytes than the values; 0 where that cannot be. */
static size_t encode_divided(const struct divided *d, uint8_t *stream)
{
    const size_t first = fpgz_prans_inner_put(within, &d->quotient, NULL, d->room, stream + SCALED_FRONT);
    size_t length = SCALED_FRONT + first;
    if (first > most_of_first(&d->quotient.grid))
        return 0;
    const size_t second = fpgz_prans_inner_put(within, &d->scale, NULL, d->scales, stream + length);
    length += second;
    if (d->differs && make_differences(d))
        length += fpgz_prans_inner_put(within, &d->difference, NULL, d->room, stream + length);
    memcpy(stream, (uint8_t[4]){PRANS_FORMAT_SCALED, (uint8_t)d->runs.rounding}, 4);
    fpgz_store32(stream + 4, SCALED_FRONT - PRANS_HEAD_BYTES);
    fpgz_store32(stream + SCALED_LENGTHS, (uint32_t)first);
    fpgz_store32(stream + SCALED_LENGTHS + 4, (uint32_t)second);
    fpgz_store32(stream + SCALED_RUN, d->runs.run);
    fpgz_store32(stream + SCALED_RUN + 4, d->runs.count);
    return length < fpgz_grid_bytes(&d->quotient.grid) ? length : 0;
}

/* The high setting codes both ways; the stream by scales then waits in the room of its values. */
enum fpgz_status fpgz_prans_scaled_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                          struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                          size_t *length)
{
    struct divided d;
    const size_t about = divide(coding, values, stream, &d);
    if (about == SIZE_MAX)
        return fpgz_prans_inner_encode(inner, coding, aide, values, stream, length);
    const struct fpgz_coding whole = {coding->grid, coding->params, d.quotient.scratch, NULL};
    const size_t otherwise = within->estimate(&whole, values, stream);
    if (aide)
        aide->drop(aide);
    *length = about < otherwise - otherwise / GAIN_PART ? encode_divided(&d, stream) : 0;
    if (!*length)
        return fpgz_prans_inner_encode(inner, coding, aide, values, stream, length);
    if (!fpgz_prans_is_high(&coding->params))
        return FPGZ_OK;
    const size_t divided = *length;
    memcpy(d.room, stream, divided);
    const enum fpgz_status status = fpgz_prans_inner_encode(within, &whole, NULL, values, stream, length);
    if (!status && divided < *length)
        memcpy(stream, d.room, *length = divided);
    return status;
}
