/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_ACCOUNT_H
#define FPGZ_CLI_ACCOUNT_H

#include "cli/options.h"

/* Calls `one` for a file, and prints (--json, fpgz.1) what became of it: on stdout, or on stderr where data
 * goes to stdout. */
void account_file(const struct options *options, const char *path,
                  void (*one)(const struct options *, const char *));

#endif
