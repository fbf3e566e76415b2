/* SPDX-License-Identifier: MIT
 * The table of formats that an array can be written in. */
#include "source/sink.h"

#include <string.h>

#include "source/formats.h"

static const struct fpgz_sink *const sinks[] = {&fpgz_sink_raw, &fpgz_sink_npy, &fpgz_sink_hdf5};

enum { SINKS = sizeof sinks / sizeof *sinks };

const struct fpgz_sink *fpgz_sink_by_name(const char *name)
{
    for (size_t i = 0; i < SINKS; i++)
        if (!strcmp(name, sinks[i]->name))
            return sinks[i];
    return NULL;
}

const struct fpgz_sink *fpgz_sink_by_path(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; i < SINKS && dot; i++)
        for (const char *const *suffix = sinks[i]->suffixes; *suffix; suffix++)
            if (!strcmp(dot, *suffix))
                return sinks[i];
    return NULL;
}
