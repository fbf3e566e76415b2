/* SPDX-License-Identifier: MIT
 * Guesses the format of a file that is no grid and of no format that fpgz reads. */
#ifndef FPGZ_SOURCE_SIGNATURE_H
#define FPGZ_SOURCE_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

/* The format in words, with an article, of the regular file from byte `start` on; NULL
 * when it is unknown. *compressed tells whether its content is compressed already. `name` (or NULL) is the
 * file's. */
const char *fpgz_signature(int fd, uint64_t start, const char *name, bool *compressed);

#endif
