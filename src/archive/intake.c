/* SPDX-License-Identifier: MIT
 * Cuts the input into chunks: a file by the plan of its parts, a pipe as its bytes arrive. */
#include "archive/intake.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "archive/pieces.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "core/io.h"

enum fpgz_status fpgz_intake_begin(struct fpgz_intake *intake, uint64_t target, uint64_t slab,
                                   struct fpgz_error *error)
{
    if (!fpgz_plan_begin(&intake->plan, &intake->content, target, slab))
        return fpgz_fail(error, FPGZ_USAGE, "the shape is larger than any file");
    return FPGZ_OK;
}

/* Whether the `bytes` that came through a pipe so far are what the shape promised. */
static bool pipe_fits(const struct fpgz_intake *intake, uint64_t bytes, struct fpgz_error *error)
{
    const struct fpgz_array *array = &intake->content.part->array;
    const uint64_t extent = array->extent[0];
    uint64_t row = fpgz_dtype_size(array->dtype); /* of the array; a row of the cut may be a fraction of it */
    for (unsigned d = 1; d < array->dims; d++)
        row *= array->extent[d];
    if (intake->at_end && bytes % row && !intake->guessed)
        fpgz_fail(error, FPGZ_USAGE,
                  "its %" PRIu64 " bytes are no multiple of the %" PRIu64
                  " of one row of the shape; give the right --shape and --dtype",
                  bytes, row);
    else if (extent != FPGZ_UNKNOWN && (bytes > extent * row || (intake->at_end && bytes < extent * row)))
        fpgz_fail(error, FPGZ_USAGE,
                  "it holds %s%" PRIu64 " bytes, but its shape takes %" PRIu64 "; give the right --shape",
                  intake->at_end ? "" : "more than ", intake->at_end ? bytes : bytes - 1, extent * row);
    return !error->status;
}

/* Brings what is next of a pipe to `raw`: as much as a chunk takes, or all that is left. */
static bool fetch(struct fpgz_intake *intake, struct fpgz_buffer *raw, size_t *got, struct fpgz_error *error)
{
    const struct fpgz_cut *cut = &intake->plan.part->cut;
    const size_t wanted = cut->rows * cut->row_bytes;
    size_t read = 0;
    *got = fpgz_min(intake->rest_bytes, wanted);
    if (!fpgz_buffer_reserve(raw, wanted)) {
        fpgz_fail(error, FPGZ_MEMORY, "no memory for a chunk of %zu bytes; use a smaller --chunk", wanted);
        return false;
    }
    if (*got) {
        memcpy(raw->data, intake->rest.data, *got);
        intake->rest_bytes -= *got;
        memmove(intake->rest.data, intake->rest.data + *got, intake->rest_bytes);
    }
    if (intake->at_end || *got == wanted)
        return true;
    if (!fpgz_read(intake->input->fd, raw->data + *got, wanted - *got, &read)) {
        fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
        return false;
    }
    *got += read;
    intake->at_end = *got < wanted;
    return pipe_fits(intake, intake->row * cut->row_bytes + *got, error);
}

/* Reads the next chunk of a pipe, cut as a file of that length would be. */
static bool next_of_pipe(struct fpgz_intake *intake, struct fpgz_intake_chunk *chunk, struct fpgz_buffer *raw,
                         struct fpgz_error *error)
{
    const struct fpgz_cut *cut = &intake->plan.part->cut;
    const enum fpgz_dtype dtype = intake->content.part->array.dtype;
    size_t got;
    if (!fetch(intake, raw, &got, error))
        return false;
    const uint64_t rows = fpgz_cut_next(cut, got / cut->row_bytes);
    chunk->planned =
        (struct fpgz_planned){.grid = rows ? fpgz_cut_grid(cut, rows) : fpgz_plan_rest(dtype, got),
                              .at = intake->row * cut->row_bytes};
    chunk->loaded = true;
    intake->row += rows;
    const size_t used = fpgz_grid_bytes(&chunk->planned.grid), left = got - used;
    if (left && !rows) {
        memcpy(intake->odd, raw->data + used, left);
        intake->odd_bytes = (unsigned)left;
    } else if (left) {
        if (!fpgz_buffer_reserve(&intake->rest, left)) {
            fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu bytes", left);
            return false;
        }
        memcpy(intake->rest.data, raw->data + used, left);
        intake->rest_bytes = left;
    }
    return used;
}

struct fpgz_grid fpgz_intake_next_of_pipe(const struct fpgz_intake *intake)
{
    const struct fpgz_cut *cut = &intake->plan.part->cut;
    return fpgz_cut_grid(cut, cut->rows);
}

bool fpgz_intake_next(struct fpgz_intake *intake, struct fpgz_intake_chunk *chunk, struct fpgz_buffer *raw,
                      struct fpgz_error *error)
{
    if (!intake->input->sized)
        return next_of_pipe(intake, chunk, raw, error);
    chunk->loaded = false;
    return fpgz_plan_next(&intake->plan, &chunk->planned);
}

enum fpgz_status fpgz_intake_load(const struct fpgz_intake *intake, const struct fpgz_intake_chunk *chunk,
                                  struct fpgz_chunk_buffers *buffers, uint64_t *checksum,
                                  struct fpgz_error *error)
{
    struct fpgz_buffer *const raw = &buffers->raw;
    const struct fpgz_input *input = intake->input;
    const size_t bytes = fpgz_grid_bytes(&chunk->planned.grid);
    uint64_t stopped;
    if (chunk->loaded) {
        *checksum = fpgz_checksum(raw->data, bytes);
        return FPGZ_OK;
    }
    if (!fpgz_buffer_reserve(raw, bytes))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for a chunk of %zu bytes; use a smaller --chunk",
                         bytes);
    if (intake->memory) {
        const uint8_t *const from = intake->memory + chunk->planned.at;
        raw->there = intake->fetch ? from : NULL;
        return fpgz_fetch(intake->fetch, raw->data, from, bytes, checksum, error);
    }
    const struct fpgz_area area = {input->fd, input->start, &intake->content.image};
    const enum fpgz_status status =
        fpgz_pieces_load(&area, &intake->content.part[chunk->planned.part], chunk->planned.at, raw->data,
                         bytes, buffers, false, &stopped, checksum);
    if (status != FPGZ_IO)
        return status == FPGZ_OK ? FPGZ_OK
               : status == FPGZ_MEMORY
                   ? fpgz_fail(error, status, "no memory for a chunk of %zu bytes; use a smaller --chunk",
                               bytes)
                   : fpgz_fail(error, FPGZ_IO, "changed while it was read: try again");
    return errno ? fpgz_fail(error, FPGZ_IO, "cannot read at byte %" PRIu64 ": %s", stopped, strerror(errno))
                 : fpgz_fail(error, FPGZ_IO,
                             "had %" PRIu64 " bytes and ends at byte %" PRIu64
                             " now: it became shorter while it was read; try again",
                             input->start + input->size, stopped);
}

bool fpgz_intake_look(const struct fpgz_intake *intake, const struct fpgz_intake_chunk *chunk,
                      struct fpgz_buffer *raw, const struct fpgz_buffer *run, size_t runs, uint64_t *checksum,
                      struct fpgz_error *error)
{
    const struct fpgz_fetch *const fetch = intake->fetch;
    const uint8_t *const from = intake->memory + chunk->planned.at;
    const size_t bytes = fpgz_grid_bytes(&chunk->planned.grid);
    raw->there = from;
    if (raw->pinned < bytes || run->pinned < runs * sizeof(struct fpgz_looked))
        return false;
#ifndef NDEBUG
    memset(raw->data, 0xFF, bytes); /* who reads what he did not ask for comes to other decisions, mostly */
#endif
    return !fetch->look(fetch->context, raw->data, from, bytes, (const struct fpgz_looked *)run->data, runs,
                        checksum, error);
}

void fpgz_intake_free(struct fpgz_intake *intake)
{
    fpgz_plan_free(&intake->plan);
    fpgz_content_free(&intake->content);
    fpgz_buffer_free(&intake->rest);
}
