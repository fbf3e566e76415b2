/* SPDX-License-Identifier: MIT
 * The tables of formats, a line each (README.md), and the functions that search them. */
#include "source/formats.h"

#include <string.h>
#include <strings.h>

#include "source/helper.h"

/* In the order in which they are probed: ROW(name) is fpgz_source_name. */
#define SOURCES(ROW)                                                                                         \
    ROW(hdf5)                                                                                                \
    ROW(npy)                                                                                                 \
    ROW(netcdf3)                                                                                             \
    ROW(fits)                                                                                                \
    ROW(safetensors)                                                                                         \
    ROW(zip)                                                                                                 \
    ROW(vtkxml)                                                                                              \
    ROW(vtk)                                                                                                 \
    ROW(nifti)                                                                                               \
    ROW(mrc)                                                                                                 \
    ROW(gguf)                                                                                                \
    ROW(grib)                                                                                                \
    ROW(segy)                                                                                                \
    ROW(fortran)

/* ROW(name) is fpgz_sink_name; the first is fpgz_sink_plain(). */
#define SINKS(ROW)                                                                                           \
    ROW(raw)                                                                                                 \
    ROW(npy)                                                                                                 \
    ROW(hdf5)

#define SOURCE(name) extern const struct fpgz_source fpgz_source_##name;
#define SINK(name) extern const struct fpgz_sink fpgz_sink_##name;
SOURCES(SOURCE)
SINKS(SINK)
#undef SOURCE
#undef SINK

#define SOURCE(name) &fpgz_source_##name,
#define SINK(name) &fpgz_sink_##name,
static const struct fpgz_source *const sources[] = {SOURCES(SOURCE)};
static const struct fpgz_sink *const sinks[] = {SINKS(SINK)};

enum { SOURCE_COUNT = sizeof sources / sizeof *sources, SINK_COUNT = sizeof sinks / sizeof *sinks };

const struct fpgz_source *fpgz_source_row(size_t row)
{
    return row < SOURCE_COUNT ? sources[row] : NULL;
}

const struct fpgz_sink *fpgz_sink_row(size_t row)
{
    return row < SINK_COUNT ? sinks[row] : NULL;
}

const struct fpgz_source *fpgz_source_probe(int fd, uint64_t size)
{
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        if (sources[i]->probe(fd, size))
            return sources[i];
    return NULL;
}

const struct fpgz_source *fpgz_source_by_name(const char *name)
{
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        if (!strcasecmp(name, sources[i]->name))
            return sources[i];
    return NULL;
}

const struct fpgz_source *fpgz_source_of_kind(unsigned kind)
{
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        if (sources[i]->kind == kind)
            return sources[i];
    return NULL;
}

bool fpgz_source_has_kind(unsigned kind)
{
    return kind == FPGZ_KIND_RAW || fpgz_source_of_kind(kind);
}

const char *fpgz_source_kind_name(unsigned kind)
{
    return kind == FPGZ_KIND_RAW ? "raw" : fpgz_source_of_kind(kind)->name;
}

enum fpgz_status fpgz_source_start(struct fpgz_error *error)
{
    for (size_t i = 0; i < SOURCE_COUNT && !error->status; i++)
        if (sources[i]->start)
            sources[i]->start(error);
    return error->status;
}

void fpgz_source_stop(void)
{
    fpgz_helper_stop();
}

const struct fpgz_sink *fpgz_sink_by_name(const char *name)
{
    for (size_t i = 0; i < SINK_COUNT; i++)
        if (!strcmp(name, sinks[i]->name))
            return sinks[i];
    return NULL;
}

const struct fpgz_sink *fpgz_sink_by_path(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; i < SINK_COUNT && dot; i++)
        for (const char *const *suffix = sinks[i]->suffixes; *suffix; suffix++)
            if (!strcmp(dot, *suffix))
                return sinks[i];
    return NULL;
}

const struct fpgz_sink *fpgz_sink_plain(void)
{
    return sinks[0];
}
