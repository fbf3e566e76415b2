/* SPDX-License-Identifier: MIT
 * The HDF5 library, which is loaded when it is first needed. */
#ifndef FPGZ_SOURCE_HDF5_LIBRARY_H
#define FPGZ_SOURCE_HDF5_LIBRARY_H

#define H5_USE_110_API /* calls as they were in the 1.10 series, in whatever series comes later */
#include <hdf5.h>

#include "core/status.h"
#include "source/hdf5_list.h"

/* Loads the library unless it is loaded. To be called first. FPGZ_UNSUPPORTED, with the reason, when it
 * cannot be loaded. */
enum fpgz_status fpgz_hdf5_load(struct fpgz_error *error);

#ifdef FPGZ_HDF5_LIBRARY
/* The library's functions and variables, under their own names. */
struct fpgz_hdf5_library {
#define MEMBER(name) __typeof__(name) *name;
    FPGZ_HDF5_SYMBOLS(MEMBER)
#undef MEMBER
};
extern struct fpgz_hdf5_library fpgz_hdf5_library;
#endif

#endif
