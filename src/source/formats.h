/* SPDX-License-Identifier: MIT
 * The tables: the formats that arrays are read from, and those that one is written in. */
#ifndef FPGZ_SOURCE_FORMATS_H
#define FPGZ_SOURCE_FORMATS_H

#include <stddef.h>

#include "source/sink.h"
#include "source/source.h"

/* The rows of the tables, from 0 on; NULL behind the last. */
const struct fpgz_source *fpgz_source_row(size_t row);
const struct fpgz_sink *fpgz_sink_row(size_t row);

/* The format of the regular file of `size` bytes; NULL: a raw grid. */
const struct fpgz_source *fpgz_source_probe(int fd, uint64_t size);

/* The format of this name in any case; NULL: none, as for "raw". */
const struct fpgz_source *fpgz_source_by_name(const char *name);

/* The format of files of this kind in containers. NULL: none, as for FPGZ_KIND_RAW. */
const struct fpgz_source *fpgz_source_of_kind(unsigned kind);

/* Whether this program knows files of this kind. */
bool fpgz_source_has_kind(unsigned kind);

/* The name of this kind in -l and --json. The kind must be known. */
const char *fpgz_source_kind_name(unsigned kind);

/* Starts the processes that some formats need to read files, unless they run already. To be called before
 * this process has threads, since it forks. FPGZ_IO or FPGZ_MEMORY when one cannot be started. */
enum fpgz_status fpgz_source_start(struct fpgz_error *error);

/* Ends these processes, if any runs. They also end when this process does. */
void fpgz_source_stop(void);

/* The sink of this name, as --to takes it; NULL: none. */
const struct fpgz_sink *fpgz_sink_by_name(const char *name);

/* The sink for a file of that name, by its suffix; NULL: the suffix is of no sink. */
const struct fpgz_sink *fpgz_sink_by_path(const char *path);

/* The sink that writes nothing but the values: the default. */
const struct fpgz_sink *fpgz_sink_plain(void);

#endif
