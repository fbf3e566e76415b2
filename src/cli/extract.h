/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_EXTRACT_H
#define FPGZ_CLI_EXTRACT_H

#include "archive/input.h"
#include "cli/command.h"
#include "container/member.h"

/* Whether what is asked for is an array out of the container, not the file: by options or, where the file is
 * nothing but an array, by the output's suffix. */
bool extract_wanted(const struct command *command, const struct fpgz_member *member);

/* Restores one array, or a region of it, out of the container in `input`, reading only the chunks that it
 * meets, and writes it in the format that the options or the output's suffix name. */
enum fpgz_status extract_array(const struct command *command, const struct fpgz_input *input,
                               struct fpgz_error *error);

#endif
