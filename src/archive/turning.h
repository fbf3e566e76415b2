/* SPDX-License-Identifier: MIT
 * Arrays whose slowest axis is best coded as the fastest one. */
#ifndef FPGZ_ARCHIVE_TURNING_H
#define FPGZ_ARCHIVE_TURNING_H

#include "archive/input.h"
#include "archive/setup.h"
#include "core/content.h"

/* Sets `turned` of the parts whose samples that makes smaller: steps of time of what has no other order, as
 * nodes of a mesh; spectra in columns; tables whose columns repeat themselves. */
void fpgz_turn_parts(const struct fpgz_setup *setup, const struct fpgz_input *input,
                     struct fpgz_content *content);

#endif
