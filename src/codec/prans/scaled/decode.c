/* SPDX-License-Identifier: MIT
 * Decoding of scaled grids: quotients, times their scales, and differences. */
#include <string.h>

#include "codec/prans/scaled/kernels.h"
#include "codec/prans/scaled/scaled.h"
#include "codec/prans/symmetric/kernels.h"
#include "codec/prans/whole.h"
#include "core/bytes.h"

static const struct fpgz_codec *const within = &fpgz_prans_periodic;

/* Reads what stands before the streams, and the lengths of the first two. */
static bool read_front(const struct fpgz_grid *grid, const uint8_t *stream, size_t length,
                       struct scaled_runs *runs, size_t first[2])
{
    if (!scaled_takes(grid) || length < SCALED_FRONT || !scaled_rounds(grid, stream[1]) || stream[2] ||
        stream[3] || fpgz_load32(stream + 4) != SCALED_FRONT - PRANS_HEAD_BYTES)
        return false;
    for (unsigned i = 0; i < 2; i++)
        first[i] = fpgz_load32(stream + SCALED_LENGTHS + 4 * i);
    *runs = (struct scaled_runs){fpgz_load32(stream + SCALED_RUN), fpgz_load32(stream + SCALED_RUN + 4),
                                 stream[1]};
    const uint64_t values = fpgz_grid_values(grid);
    return runs->run && runs->count && runs->count <= values / SCALED_LEAST &&
           runs->count <= (values + runs->run - 1) / runs->run;
}

bool fpgz_prans_scaled_read(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                            struct scaled_runs *runs, struct prans_inner part[3])
{
    size_t first[2];
    if (!read_front(&coding->grid, stream, length, runs, first) ||
        first[0] + first[1] > length - SCALED_FRONT)
        return false;
    const uint8_t *const at = stream + SCALED_FRONT;
    part[0] = (struct prans_inner){coding->grid, coding->params, at, first[0]};
    part[1] = (struct prans_inner){fpgz_prans_row(scaled_scale(&coding->grid), runs->count), coding->params,
                                   at + first[0], first[1]};
    part[2] = (struct prans_inner){symmetric_difference(&coding->grid), coding->params,
                                   at + first[0] + first[1], length - SCALED_FRONT - first[0] - first[1]};
    return true;
}

/* Whether no scale is infinite or NaN. */
static bool are_finite(const uint8_t *scales, size_t count, size_t size)
{
    const uint64_t exponent = size == sizeof(double) ? UINT64_C(0x7FF) << 52 : UINT64_C(0xFF) << 23;
    for (size_t i = 0; i < count; i++)
        if ((fpgz_load_word(scales + i * size, size) & exponent) == exponent)
            return false;
    return true;
}

/* Of some values all are made in the room, and only their differences are decoded. */
enum fpgz_status fpgz_prans_scaled_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                          const uint8_t *stream, size_t length, uint64_t first,
                                          uint64_t count, void *values)
{
    const size_t all = (size_t)fpgz_grid_values(&coding->grid), size = fpgz_dtype_size(coding->grid.dtype);
    uint8_t *const room = coding->scratch, *const scales = room + symmetric_room(&coding->grid),
                   *const scratch = scales + scaled_scales_room(&coding->grid),
                   *const products = count == all ? values : room,
                   *const differences = count == all ? room : values, *const some = products + first * size;
    struct scaled_runs runs;
    struct prans_inner part[3];
    (void)inner;
    if (!fpgz_prans_scaled_read(coding, stream, length, &runs, part) ||
        !fpgz_prans_inner_decode(within, &part[1], scratch, scales) ||
        !are_finite(scales, runs.count, fpgz_dtype_size(scaled_scale(&coding->grid))) ||
        !fpgz_prans_inner_decode(within, &part[0], scratch, products))
        return FPGZ_CORRUPT;
    const struct prans_scaled_kernels *const k = fpgz_cpu_choose_word(fpgz_prans_scaled_kernels, size);
    k->multiply(&runs, all, scales, products);
    if (part[2].length) {
        const struct prans_symmetric_kernels *const s =
            fpgz_cpu_choose_word(fpgz_prans_symmetric_kernels, size);
        if (fpgz_prans_inner_decode_some(within, &part[2], scratch, first, count, differences))
            return FPGZ_CORRUPT;
        s->add(prans_number_of(coding->grid.dtype), (size_t)count, differences, some);
    }
    if (count != all)
        memcpy(values, some, (size_t)count * size);
    return FPGZ_OK;
}

enum fpgz_status fpgz_prans_scaled_describe(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                            const uint8_t *stream, size_t length, size_t *needed,
                                            struct fpgz_traits *traits)
{
    struct scaled_runs runs;
    size_t first[2];
    (void)inner;
    *needed = SCALED_FRONT + 1;
    if (length < *needed)
        return FPGZ_TRUNCATED;
    if (!read_front(&coding->grid, stream, length, &runs, first))
        return FPGZ_CORRUPT;
    if (first[0] == fpgz_grid_bytes(&coding->grid)) {
        *traits = (struct fpgz_traits){.domain = "stored"};
        return FPGZ_OK;
    }
    const enum fpgz_status status = within->describe(
        coding, stream + SCALED_FRONT, fpgz_min(length - SCALED_FRONT, first[0]), needed, traits);
    *needed += SCALED_FRONT;
    return status;
}
