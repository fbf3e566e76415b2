/* SPDX-License-Identifier: MIT
 * Parts for arrays that stand in a file as they are. Whether they lie in the file, and not in each other, is
 * checked for all formats alike (source.c). */
#include "source/arrays.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/text.h"

/* Fills the part; false where the array cannot be, or without memory. */
static bool make_part(struct fpgz_part *part, const struct fpgz_array *array, const struct fpgz_run *run)
{
    uint64_t bytes;
    const bool dense = run->count == 1 || run->step == run->bytes;
    part->array = *array;
    if (!part->array.dims)
        part->array.extent[part->array.dims++] = 1;
    if (!dense) {
        part->layout = FPGZ_PIECES;
        memcpy(part->piece, part->array.extent, sizeof part->piece);
        part->piece[0] = 1;
    }
    if (!fpgz_extents_bytes(array->dtype, part->array.extent, part->array.dims, &bytes) ||
        bytes / run->count != run->bytes)
        return false;
    return dense ? fpgz_place_add(&part->place, run->offset, bytes, 0)
                 : fpgz_place_add_run(&part->place, &(struct fpgz_run){.count = run->count,
                                                                       .bytes = run->bytes,
                                                                       .offset = run->offset,
                                                                       .step = run->step});
}

enum fpgz_status fpgz_arrays_add(struct fpgz_content *content, const char *name,
                                 const struct fpgz_array *array, const struct fpgz_run *run,
                                 struct fpgz_error *remark, struct fpgz_error *error)
{
    for (unsigned d = 0; d < array->dims; d++)
        if (!array->extent[d])
            return FPGZ_OK;
    if (content->count >= FPGZ_ARRAYS_LIMIT) {
        fpgz_fail(remark, FPGZ_UNSUPPORTED, "it has more than %d arrays; the rest is archived as bytes",
                  FPGZ_ARRAYS_LIMIT);
        return FPGZ_OK;
    }
    struct fpgz_part *const part = fpgz_content_add(content);
    if (!part || !(part->name = strdup(name)))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    if (!make_part(part, array, run)) {
        fpgz_part_free(&content->part[--content->count]);
        fpgz_fail(remark, FPGZ_CORRUPT, "array %.*s cannot be as large as its header says; archived as bytes",
                  fpgz_text_fit(name, FPGZ_NAME_SHOWN), name);
    }
    return FPGZ_OK;
}

enum fpgz_status fpgz_arrays_add_dense(struct fpgz_content *content, const char *name,
                                       const struct fpgz_array *array, uint64_t offset,
                                       struct fpgz_error *remark, struct fpgz_error *error)
{
    struct fpgz_run run = {.count = 1, .offset = offset};
    if (!fpgz_extents_bytes(array->dtype, array->extent, array->dims, &run.bytes))
        run.bytes = 0; /* no array has that */
    run.step = run.bytes;
    return fpgz_arrays_add(content, name, array, &run, remark, error);
}

enum fpgz_status fpgz_arrays_add_filtered(struct fpgz_content *content, const char *name,
                                          const struct fpgz_array *array, const struct fpgz_filters *filters,
                                          uint8_t level, const struct fpgz_kept *piece,
                                          struct fpgz_error *error)
{
    if (content->filtereds >= FPGZ_ARRAYS_LIMIT)
        return FPGZ_OK;
    struct fpgz_filtered *const filtered = fpgz_content_add_filtered(content);
    if (!filtered || !(filtered->part.name = strdup(name)) ||
        !(filtered->piece = calloc(1, sizeof *filtered->piece)) ||
        !fpgz_filters_copy(filters, &filtered->part.filters))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    filtered->part.layout = FPGZ_PIECES;
    filtered->part.array = *array;
    memcpy(filtered->part.piece, array->extent, sizeof filtered->part.piece);
    filtered->level = level;
    filtered->piece[0] = *piece;
    filtered->pieces = 1;
    return FPGZ_OK;
}
