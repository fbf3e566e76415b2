/* SPDX-License-Identifier: MIT
 * The values of options, from their texts. False where one is wrong, which all but option_size() report. */
#ifndef FPGZ_CLI_OPTION_VALUE_H
#define FPGZ_CLI_OPTION_VALUE_H

#include "cli/options.h"

/* A count with an optional suffix K, M, G or T (powers of 1024; KiB and the like are understood too). */
bool option_size(const char *text, uint64_t *size);

/* Sets the CPU level. */
bool option_cpu_level(const char *text);

/* "auto", "cpu", or "cuda" and which GPU: the first, ":N" or ":all". */
bool option_device(const char *text, struct options *options);

/* "auto", or a codec and its parameters. */
bool option_codec(const char *text, struct options *options);

/* "1e-3", or "rel:1e-3" of each value. */
bool option_max_error(const char *text, struct fpgz_errors *bound);

#endif
