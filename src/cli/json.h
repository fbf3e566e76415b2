/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_JSON_H
#define FPGZ_CLI_JSON_H

/* Prints `text` to stdout as a JSON string, quotes included; bytes that are no ASCII pass as they are. */
void json_print_string(const char *text);

#endif
