/* SPDX-License-Identifier: MIT
 * The emulator has a driver, too, and files of its GPUs: what the device layer looks for is these. */
#ifndef TESTS_EMULATOR_DLFCN_H
#define TESTS_EMULATOR_DLFCN_H

#include_next <dlfcn.h>
#include <unistd.h>

void *emulator_driver(const char *name, int flags);
void *emulator_driver_function(void *driver, const char *name);

int emulator_access(const char *path, int mode);

#define dlopen emulator_driver
#define dlsym emulator_driver_function
#define access emulator_access

#endif
