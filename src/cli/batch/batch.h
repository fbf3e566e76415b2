/* SPDX-License-Identifier: MIT
 * fpgz batch: archives of many files, with a manifest. */
#ifndef FPGZ_CLI_BATCH_BATCH_H
#define FPGZ_CLI_BATCH_BATCH_H

#include "cli/options.h"

/* Archives, checks or restores, as the options say. Failures are reported. */
void batch_run(const struct options *options);

#endif
