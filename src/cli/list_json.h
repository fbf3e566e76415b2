/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_LIST_JSON_H
#define FPGZ_CLI_LIST_JSON_H

#include "cli/summary.h"

/* Prints a member of the container at `path` as a JSON object; with `more` also what was read beyond the
 * index. */
void list_json(const char *path, const struct summary *summary, bool more);

#endif
