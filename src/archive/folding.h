/* SPDX-License-Identifier: MIT
 * Arrays that are grids in a row: steps of time behind each other, nodes of a mesh line by line. */
#ifndef FPGZ_ARCHIVE_FOLDING_H
#define FPGZ_ARCHIVE_FOLDING_H

#include "archive/input.h"
#include "archive/setup.h"
#include "core/content.h"

/* Sets `axes` of the parts of one axis, or of one and a few components, whose samples are smaller under more.
 */
void fpgz_fold_parts(const struct fpgz_setup *setup, const struct fpgz_input *input,
                     struct fpgz_content *content);

#endif
