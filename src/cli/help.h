/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_HELP_H
#define FPGZ_CLI_HELP_H

/* These print to stdout. -h, for a terminal of 24 lines and 80 columns: */
void help_everyday(void);

/* --help: */
void help_all(void);

/* -V: */
void help_version(void);

#endif
