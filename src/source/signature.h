/* SPDX-License-Identifier: MIT
 * What a file that is no grid, and of no format that is understood, looks like. */
#ifndef FPGZ_SOURCE_SIGNATURE_H
#define FPGZ_SOURCE_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

/* In words, with an article, of the regular file of `size` bytes from byte `start` on; NULL when it is not
 * known. *compressed tells whether it holds what is compressed already. `name` (or NULL) is the file's. */
const char *fpgz_signature(int fd, uint64_t start, uint64_t size, const char *name, bool *compressed);

#endif
