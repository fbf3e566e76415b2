/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_HELP_H
#define FPGZ_CLI_HELP_H

/* What -h prints, on a terminal of 24 lines and 80 columns, and --help. */
extern const char help_short[], help_long[];

/* What -V prints. */
void help_version(void);

#endif
