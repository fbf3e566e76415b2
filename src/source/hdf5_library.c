/* SPDX-License-Identifier: MIT
 * Loads the HDF5 library and finds the calls that fpgz makes of it. */
#include "source/hdf5_library.h"

#ifdef FPGZ_HDF5_LIBRARY

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

struct fpgz_hdf5_library fpgz_hdf5_library;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct fpgz_error failure;

static bool find(void *library, const char *name, void *pointer)
{
    void *const found = dlsym(library, name);
    memcpy(pointer, &found, sizeof found);
    return found != NULL;
}

static void load(void)
{
    void *const library = dlopen(FPGZ_HDF5_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    bool whole = library != NULL;
#define FIND(name) whole = whole && find(library, #name, &fpgz_hdf5_library.name);
    FPGZ_HDF5_SYMBOLS(FIND)
#undef FIND
    if (!whole)
        fpgz_fail(&failure, FPGZ_UNSUPPORTED, "the HDF5 library cannot be loaded: %s", dlerror());
}

enum fpgz_status fpgz_hdf5_load(struct fpgz_error *error)
{
    pthread_once(&once, load);
    if (failure.status)
        *error = failure;
    return failure.status;
}

#else

enum fpgz_status fpgz_hdf5_load(struct fpgz_error *error)
{
    (void)error;
    return FPGZ_OK;
}

#endif
