/* SPDX-License-Identifier: MIT
 * Types of arrays whose format tells none. */
#ifndef FPGZ_ARCHIVE_TYPING_H
#define FPGZ_ARCHIVE_TYPING_H

#include "archive/input.h"
#include "archive/setup.h"
#include "core/content.h"

/* Guesses types of the parts that are untyped, as that of a raw file is: of some by their samples, of the
 * others as those. Where the values of a row are a grid, its axes become the array's. Fails without memory.
 */
enum fpgz_status fpgz_type_parts(const struct fpgz_setup *setup, const struct fpgz_input *input,
                                 struct fpgz_content *content, struct fpgz_error *error);

#endif
