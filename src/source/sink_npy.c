/* SPDX-License-Identifier: MIT
 * NumPy's own format: a Python dictionary with the type and shape, then the values. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/bytes.h"
#include "source/sink.h"

/* The values begin at a multiple of this, so that they can be mapped into memory. */
enum {
    ALIGNMENT = 64,
    PREFIX = 10,
    HEADER_MOST = PREFIX + 128 + FPGZ_SHAPE_TEXT + 2 * FPGZ_MAX_DIMS + ALIGNMENT
};

/* Writes everything that stands before the values into `header`; returns its length. */
static size_t make_header(const struct fpgz_array *array, char header[static HEADER_MOST])
{
    /* NumPy has no bf16: its bits are a u16. */
    const char kind = array->dtype == FPGZ_BF16 ? 'u' : fpgz_dtypes[array->dtype].kind;
    const size_t size = fpgz_dtype_size(array->dtype);
    const char order = size == 1 ? '|' : array->order == FPGZ_BIG ? '>' : '<';
    size_t used = PREFIX;
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    used += (size_t)snprintf(header + used, HEADER_MOST - used,
                             "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (", order, kind, size);
    for (unsigned d = 0; d < array->dims; d++)
        used += (size_t)snprintf(header + used, HEADER_MOST - used, "%s%" PRIu64, d ? ", " : "",
                                 array->extent[d]);
    used += (size_t)snprintf(header + used, HEADER_MOST - used, array->dims == 1 ? ",), }" : "), }");
    const size_t length = fpgz_round_up(used + 1, ALIGNMENT);
    memset(header + used, ' ', length - used);
    header[length - 1] = '\n';
    fpgz_store16(header + 8, (uint16_t)(length - PREFIX));
    return length;
}

static enum fpgz_status npy_begin(const struct fpgz_sink_array *what, void **state, struct fpgz_error *error)
{
    char header[HEADER_MOST];
    const size_t length = make_header(what->array, header);
    if (!fpgz_sink_raw.begin(what, state, error))
        fpgz_sink_raw.write(*state, header, length, error);
    return error->status;
}

static enum fpgz_status npy_write(void *state, const void *data, size_t length, struct fpgz_error *error)
{
    return fpgz_sink_raw.write(state, data, length, error);
}

static enum fpgz_status npy_end(void *state, struct fpgz_error *error)
{
    return fpgz_sink_raw.end(state, error);
}

const struct fpgz_sink fpgz_sink_npy = {
    "npy", {".npy", NULL}, false, npy_begin, npy_write, npy_end,
};
