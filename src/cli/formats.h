/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_FORMATS_H
#define FPGZ_CLI_FORMATS_H

/* Prints the table of formats. */
void formats_print(void);

#endif
