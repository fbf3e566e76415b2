/* SPDX-License-Identifier: MIT
 * Decoding of symmetric grids: values, copies of them, differences to these. */
#include <string.h>

#include "codec/prans/symmetric/kernels.h"
#include "codec/prans/symmetric/symmetric.h"
#include "core/bytes.h"

struct symmetric_maps fpgz_prans_symmetric_none(const struct fpgz_grid *grid)
{
    struct symmetric_maps maps = {.dims = grid->dims};
    uint32_t stride = 1;
    for (unsigned axis = grid->dims; axis-- > 0; stride *= maps.extent[axis]) {
        maps.extent[axis] = (uint32_t)grid->extent[axis];
        maps.stride[axis] = stride;
    }
    return maps;
}

/* Whether the map is one of the group that maps.h tells of. */
static bool is_valid(const struct symmetric_maps *s, const struct symmetric_map *map, bool is_real)
{
    const bool exchanges = map->a != map->b;
    return map->a < s->dims && map->b < s->dims && map->reflected < 1u << s->dims &&
           map->negated <= is_real &&
           (exchanges ? s->extent[map->a] == s->extent[map->b] && s->centre[map->a] == s->centre[map->b]
                      : map->reflected && !map->a);
}

/* Reads what stands before the streams, of which the first has *first bytes; *side is what it takes. */
static bool read_front(const struct fpgz_grid *grid, const uint8_t *stream, size_t length,
                       struct symmetric_maps *maps, size_t *first, size_t *side)
{
    const bool is_real = fpgz_dtypes[grid->dtype].kind == 'f';
    *maps = fpgz_prans_symmetric_none(grid);
    if (length < PRANS_HEAD_BYTES || !stream[1] || stream[1] > SYMMETRIC_MAPS || stream[2] || stream[3])
        return false;
    maps->count = stream[1];
    *side = symmetric_side(maps->dims, maps->count);
    if (length < *side || fpgz_load32(stream + 4) != *side - PRANS_HEAD_BYTES)
        return false;
    *first = fpgz_load32(stream + SYMMETRIC_LENGTH);
    const uint8_t *at = stream + SYMMETRIC_CENTRES;
    bool valid = true;
    for (unsigned axis = 0; axis < maps->dims; axis++, at += 4)
        valid &= (maps->centre[axis] = fpgz_load32(at)) < maps->extent[axis];
    for (unsigned m = 0; m < maps->count; m++, at += 4) {
        maps->map[m] = (struct symmetric_map){at[0], at[1], at[2], at[3]};
        valid &= is_valid(maps, &maps->map[m], is_real);
    }
    return valid;
}

bool fpgz_prans_symmetric_read(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               struct symmetric_maps *maps, struct prans_inner part[2])
{
    size_t first, side;
    if (!read_front(&coding->grid, stream, length, maps, &first, &side) || first > length - side)
        return false;
    part[0] = (struct prans_inner){coding->grid, coding->params, stream + side, first};
    part[1] = (struct prans_inner){symmetric_difference(&coding->grid), coding->params,
                                   part[0].stream + first, length - side - first};
    return true;
}

/* Of some values all are made in the scratch, and only their differences are decoded. */
enum fpgz_status fpgz_prans_symmetric_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                             const uint8_t *stream, size_t length, uint64_t first,
                                             uint64_t count, void *values)
{
    const size_t size = fpgz_dtype_size(coding->grid.dtype);
    const bool all = count == fpgz_grid_values(&coding->grid);
    const struct prans_symmetric_kernels *const k = fpgz_cpu_choose_word(fpgz_prans_symmetric_kernels, size);
    uint8_t *const room = coding->scratch, *const within = room + symmetric_room(&coding->grid),
                   *const copies = all ? values : room, *const differences = all ? room : values,
                   *const some = copies + first * size;
    struct symmetric_maps maps;
    struct prans_inner part[2];
    if (!fpgz_prans_symmetric_read(coding, stream, length, &maps, part) ||
        !fpgz_prans_inner_decode(inner, &part[0], within, copies))
        return FPGZ_CORRUPT;
    k->copy(&maps, copies);
    if (part[1].length) {
        if (fpgz_prans_inner_decode_some(inner, &part[1], within, first, count, differences))
            return FPGZ_CORRUPT;
        k->add(prans_number_of(coding->grid.dtype), (size_t)count, differences, some);
    }
    if (!all)
        memcpy(values, some, (size_t)count * size);
    return FPGZ_OK;
}

enum fpgz_status fpgz_prans_symmetric_describe(const struct fpgz_codec *inner,
                                               const struct fpgz_coding *coding, const uint8_t *stream,
                                               size_t length, size_t *needed, struct fpgz_traits *traits)
{
    struct symmetric_maps maps;
    size_t first, side;
    *needed = PRANS_HEAD_BYTES;
    if (length >= *needed)
        *needed = symmetric_side(coding->grid.dims, stream[1]) + 1;
    if (length < *needed)
        return FPGZ_TRUNCATED;
    if (!read_front(&coding->grid, stream, length, &maps, &first, &side))
        return FPGZ_CORRUPT;
    if (first == fpgz_grid_bytes(&coding->grid)) {
        *traits = (struct fpgz_traits){.domain = "stored"};
        return FPGZ_OK;
    }
    const enum fpgz_status status =
        inner->describe(coding, stream + side, fpgz_min(length - side, first), needed, traits);
    *needed += side;
    return status;
}
