/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_LIST_H
#define FPGZ_CLI_LIST_H

#include "cli/options.h"

/* Prints what the options' files hold, from their indexes alone. Failures are reported. */
void list_files(const struct options *options);

/* Prints the codec table. */
void list_codecs(void);

#endif
