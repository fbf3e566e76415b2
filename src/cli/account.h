/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_ACCOUNT_H
#define FPGZ_CLI_ACCOUNT_H

#include <stdio.h>

#include "cli/command.h"

/* Tells of a run of the command as JSON. main() has one, which stays where it is. */
struct account {
    const struct options *options;
    struct console *console;
    /* What is said of the file at work; NULL while there is none. */
    FILE *said;
    char *text;
    size_t bytes;
};

/* From now on what is said of no file at work becomes an object (--json, fpgz.1) of its own, once the
 * options, which are read later, ask for it. */
void account_begin(struct account *account, const struct options *options, struct console *console);

/* Calls `one` for a file, and prints (--json, fpgz.1) what became of it: on stdout, or on stderr where data
 * goes to stdout. */
void account_file(struct account *account, const struct command *command, const char *path,
                  void (*one)(const struct command *, const char *));

#endif
