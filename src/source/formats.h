/* SPDX-License-Identifier: MIT
 * The entries of the two tables. */
#ifndef FPGZ_SOURCE_FORMATS_H
#define FPGZ_SOURCE_FORMATS_H

#include "source/sink.h"
#include "source/source.h"

extern const struct fpgz_source fpgz_source_hdf5, fpgz_source_npy;

extern const struct fpgz_sink fpgz_sink_raw, fpgz_sink_npy, fpgz_sink_hdf5;

#endif
