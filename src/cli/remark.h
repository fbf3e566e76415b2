/* SPDX-License-Identifier: MIT
 * Notices about a file that is compressed. */
#ifndef FPGZ_CLI_REMARK_H
#define FPGZ_CLI_REMARK_H

#include "archive/packing.h"
#include "cli/command.h"

/* Before it is compressed: what a reader of the archive would wonder about. */
void remark_content(const struct command *command, const struct fpgz_input *input,
                    const struct fpgz_packing *packing);

/* Once its container is complete, for -v: sizes, codecs, threads. */
void remark_result(const struct command *command, const struct fpgz_input *input,
                   const struct fpgz_packing *packing);

#endif
