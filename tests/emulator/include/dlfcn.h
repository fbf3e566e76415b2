/* SPDX-License-Identifier: MIT
 * The emulator has a driver, too: what the device layer looks for is this. */
#ifndef TESTS_EMULATOR_DLFCN_H
#define TESTS_EMULATOR_DLFCN_H

#include_next <dlfcn.h>

void *emulator_driver(const char *name, int flags);
void *emulator_driver_function(void *driver, const char *name);

#define dlopen emulator_driver
#define dlsym emulator_driver_function

#endif
