/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_CODECS_H
#define FPGZ_CLI_CODECS_H

/* Prints the codec table. */
void codecs_print(void);

#endif
