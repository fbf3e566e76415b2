/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_BATCH_FOLDERS_H
#define FPGZ_BATCH_FOLDERS_H

#include "batch/task.h"

/* Gives the folders of what was restored, below the one to restore into, the modes and times of the manifest.
 */
void folders_restore(const struct batch *batch);

#endif
