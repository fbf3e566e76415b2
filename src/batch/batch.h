/* SPDX-License-Identifier: MIT
 * fpgz batch: archives of many files, with a manifest. */
#ifndef FPGZ_BATCH_BATCH_H
#define FPGZ_BATCH_BATCH_H

#include "batch/request.h"

/* Archives, checks or restores. Failures are reported. */
void batch_run(const struct batch_request *request, const struct batch_means *means);

#endif
