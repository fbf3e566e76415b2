/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_ACCOUNT_H
#define FPGZ_CLI_ACCOUNT_H

#include "cli/options.h"

/* From now on what is said of no file at work becomes an object (--json, fpgz.1) of its own. */
void account_begin(const struct options *options);

/* Calls `one` for a file, and prints (--json, fpgz.1) what became of it: on stdout, or on stderr where data
 * goes to stdout. */
void account_file(const struct options *options, const char *path,
                  void (*one)(const struct options *, const char *));

#endif
