/* SPDX-License-Identifier: MIT
 * The tables: the formats that arrays are read from, and those that one is written in. */
#ifndef FPGZ_SOURCE_FORMATS_H
#define FPGZ_SOURCE_FORMATS_H

#include <stddef.h>

#include "source/sink.h"
#include "source/source.h"

/* The format of the regular file of `size` bytes; NULL: a raw grid. */
const struct fpgz_source *fpgz_source_probe(int fd, uint64_t size);

/* The format that has this kind in containers; NULL: none, as of FPGZ_KIND_RAW. */
const struct fpgz_source *fpgz_source_of_kind(unsigned kind);

/* Whether a file of this kind is one that this program could have archived. */
bool fpgz_source_has_kind(unsigned kind);

/* What -l and --json call files of this kind, which there must be. */
const char *fpgz_source_kind_name(unsigned kind);

/* Starts the processes that read files for this one, as far as formats have them and they do not run. To be
 * called before there are threads, for it forks. FPGZ_IO or FPGZ_MEMORY when one cannot be started. */
enum fpgz_status fpgz_source_start(struct fpgz_error *error);

/* Ends them, if any runs; they end by themselves when this process does. */
void fpgz_source_stop(void);

/* The sink that --to calls so; NULL: none. */
const struct fpgz_sink *fpgz_sink_by_name(const char *name);

/* The sink for a file of that name, by its suffix; NULL: the name tells none. */
const struct fpgz_sink *fpgz_sink_by_path(const char *path);

/* The sink of nothing but the values, which is meant where nothing tells another. */
const struct fpgz_sink *fpgz_sink_plain(void);

#endif
