/* SPDX-License-Identifier: MIT
 * Decoding by a period: values have the same order in both grids, so that parts stand behind each other. */
#include "codec/prans/periodic/periodic.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"

static bool read_front(const struct fpgz_grid *grid, const uint8_t *stream, size_t length,
                       struct periodic_split *split, size_t *bytes)
{
    if (length < PERIODIC_FRONT || stream[1] > PERIODIC_FASTEST || stream[2] || stream[3] ||
        fpgz_load32(stream + 4) != PERIODIC_FRONT - PRANS_HEAD_BYTES)
        return false;
    *bytes = fpgz_load32(stream + 12);
    return fpgz_prans_periodic_split(stream[1], grid, fpgz_load32(stream + 8), split);
}

/* As fpgz_prans_periodic_read(), and how the grid is split. */
static bool read_parts(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                       struct periodic_split *split, struct prans_inner part[2])
{
    size_t bytes;
    if (!read_front(&coding->grid, stream, length, split, &bytes) || bytes > length - PERIODIC_FRONT)
        return false;
    part[0] = (struct prans_inner){split->whole, coding->params, stream + PERIODIC_FRONT, bytes};
    part[1] = (struct prans_inner){split->rest, coding->params, part[0].stream + bytes,
                                   length - PERIODIC_FRONT - bytes};
    return split->rest_values || !part[1].length;
}

bool fpgz_prans_periodic_read(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                              struct prans_inner part[2])
{
    struct periodic_split split;
    return read_parts(coding, stream, length, &split, part);
}

/* `count` values from `first` on of both parts, with scratch that is large enough. */
static enum fpgz_status decode_parts(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                     const struct prans_inner part[2], void *scratch, uint64_t first,
                                     uint64_t count, void *values)
{
    const size_t size = fpgz_dtype_size(coding->grid.dtype);
    const uint64_t whole = fpgz_grid_values(&part[0].grid), before = first < whole ? whole - first : 0,
                   some = fpgz_min(before, count), behind = first + some - whole;
    const enum fpgz_status status =
        fpgz_prans_inner_decode_some(inner, &part[0], scratch, first, some, values);
    return status ? status
                  : fpgz_prans_inner_decode_some(inner, &part[1], scratch, behind, count - some,
                                                 (uint8_t *)values + some * size);
}

enum fpgz_status fpgz_prans_periodic_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                            const uint8_t *stream, size_t length, uint64_t first,
                                            uint64_t count, void *values)
{
    struct prans_inner part[2];
    struct periodic_split split;
    if (!read_parts(coding, stream, length, &split, part))
        return FPGZ_CORRUPT;
    if (fpgz_prans_periodic_fits(stream[1], inner, &coding->grid, &coding->params, &split, false))
        return decode_parts(inner, coding, part, coding->scratch, first, count, values);
    void *const scratch = aligned_alloc(
        64, fpgz_round_up(fpgz_prans_periodic_parts(inner, &split, &coding->params, false), 64));
    const enum fpgz_status status =
        scratch ? decode_parts(inner, coding, part, scratch, first, count, values) : FPGZ_MEMORY;
    free(scratch);
    return status;
}

enum fpgz_status fpgz_prans_periodic_describe(const struct fpgz_codec *inner,
                                              const struct fpgz_coding *coding, const uint8_t *stream,
                                              size_t length, size_t *needed, struct fpgz_traits *traits)
{
    struct periodic_split split;
    size_t bytes;
    *needed = PERIODIC_FRONT + 1;
    if (length < *needed)
        return FPGZ_TRUNCATED;
    if (!read_front(&coding->grid, stream, length, &split, &bytes))
        return FPGZ_CORRUPT;
    if (bytes == fpgz_grid_bytes(&split.whole)) {
        *traits = (struct fpgz_traits){.domain = "stored"};
        return FPGZ_OK;
    }
    const struct fpgz_coding whole = {split.whole, coding->params, coding->scratch, NULL};
    const enum fpgz_status status = inner->describe(&whole, stream + PERIODIC_FRONT,
                                                    fpgz_min(length - PERIODIC_FRONT, bytes), needed, traits);
    *needed += PERIODIC_FRONT;
    return status;
}
