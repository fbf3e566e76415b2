/* SPDX-License-Identifier: MIT
 * Nothing but the values. */
#include <errno.h>
#include <string.h>

#include "core/io.h"
#include "source/sink.h"

static enum fpgz_status raw_begin(const struct fpgz_sink_array *what, void **state, struct fpgz_error *error)
{
    (void)error;
    *state = (void *)what;
    return FPGZ_OK;
}

static enum fpgz_status raw_write(void *state, const void *data, size_t length, struct fpgz_error *error)
{
    const struct fpgz_sink_array *what = state;
    if (!fpgz_write(what->fd, data, length))
        return fpgz_fail(error, errno == EPIPE ? FPGZ_CLOSED : FPGZ_IO, "cannot write: %s", strerror(errno));
    return FPGZ_OK;
}

static enum fpgz_status raw_end(void *state, struct fpgz_error *error)
{
    (void)state;
    return error->status;
}

const struct fpgz_sink fpgz_sink_raw = {
    "raw", {".f32", ".f64", NULL}, false, raw_begin, raw_write, raw_end,
};
