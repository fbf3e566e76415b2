/* SPDX-License-Identifier: MIT
 * Text for people. All that may hold a name goes through here on its way out: what could steer a terminal,
 * what is no UTF-8, and the backslash are escaped as ls -b does it (\n, \x1b, \u009b, \\), and all else
 * stays. */
#ifndef FPGZ_CONSOLE_PRINTABLE_H
#define FPGZ_CONSOLE_PRINTABLE_H

#include <stddef.h>
#include <stdio.h>

void printable_write(FILE *file, const char *text);

/* The same for what printf() makes of the arguments; so a line's end is the caller's to write. */
void printable_format(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As much of the text, escaped, as `room` bytes have place for, a NUL included. Returns `to`. */
char *printable_copy(char *to, size_t room, const char *text);

#endif
