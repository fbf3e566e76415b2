/* SPDX-License-Identifier: MIT
 * Names of files and of their containers. */
#ifndef FPGZ_CLI_NAME_H
#define FPGZ_CLI_NAME_H

#include <stdbool.h>

#define NAME_SUFFIX ".fpgz"

/* The last component of a path. */
const char *name_base(const char *path);

/* Whether the path ends in .fpgz, with something before it. */
bool name_is_container(const char *path);

/* A name of at most 255 bytes from a container, which may hold anything, for a terminal: control characters
 * become ?. */
const char *name_printable(const char *name, char text[256]);

/* These two allocate; the caller frees. "a.f32" to "a.f32.fpgz" ... */
char *name_compressed(const char *path);

/* ... and back. Without the suffix, or with `prefer_stored`, the name that the container holds, in the
 * container's directory; NULL when it holds none. */
char *name_restored(const char *path, const char *stored, bool prefer_stored);

#endif
