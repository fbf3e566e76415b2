/* SPDX-License-Identifier: MIT
 * The values of options, from their texts. False where one is wrong. */
#ifndef FPGZ_CLI_OPTION_VALUE_H
#define FPGZ_CLI_OPTION_VALUE_H

#include "cli/options.h"

/* A count with an optional suffix K, M, G or T (powers of 1024; KiB and the like are understood too). */
bool option_size(const char *text, uint64_t *size);

/* The rest are functions of the table of options. */
bool option_files0(const char *text, struct options *options, struct console *console);
bool option_refilter(const char *text, struct options *options, struct console *console);
bool option_output(const char *text, struct options *options, struct console *console);
bool option_output_dir(const char *text, struct options *options, struct console *console);
bool option_suffix(const char *text, struct options *options, struct console *console);
bool option_quiet(const char *text, struct options *options, struct console *console);
bool option_verbose(const char *text, struct options *options, struct console *console);

/* "1e-3", or "rel:1e-3" of each value. */
bool option_max_error(const char *text, struct options *options, struct console *console);

/* "auto", or a codec and its parameters; says itself what is wrong. */
bool option_codec(const char *text, struct options *options, struct console *console);

/* Sets the CPU level at once; says itself what is wrong. */
bool option_cpu_level(const char *text, struct options *options, struct console *console);

/* "auto", "cpu", or "cuda" and which GPU: the first, ":N" or ":all". */
bool option_device(const char *text, struct options *options, struct console *console);

bool option_dtype(const char *text, struct options *options, struct console *console);
bool option_shape(const char *text, struct options *options, struct console *console);

/* "raw", or a format to read; says itself what is wrong. */
bool option_format(const char *text, struct options *options, struct console *console);

/* A format to write; says itself what is wrong. */
bool option_to(const char *text, struct options *options, struct console *console);
bool option_shard(const char *text, struct options *options, struct console *console);

#endif
