/* SPDX-License-Identifier: MIT
 * Where the path of an output leads. */
#ifndef FPGZ_FILES_LINK_H
#define FPGZ_FILES_LINK_H

#include <stdbool.h>

/* Follows the symbolic links that the path ends in. Returns the path of what they lead to, whether that is
 * there or not, for the caller to free; NULL, with errno, for links that go round . Where it is one of our
 * own descriptors, as /dev/stdout is, *fd receives that, else -1. */
char *link_follow(const char *path, int *fd);

/* Whether the path (NULL: none) leads to our standard output. */
bool link_is_stdout(const char *path);

#endif
