/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_HELP_H
#define FPGZ_CLI_HELP_H

/* What -h prints. */
extern const char help_text[];

#endif
