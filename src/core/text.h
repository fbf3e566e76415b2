/* SPDX-License-Identifier: MIT
 * Names and messages as UTF-8. A name may hold bytes that are not UTF-8. */
#ifndef FPGZ_CORE_TEXT_H
#define FPGZ_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character that the string begins with (1 to 4), and its code point. 0 where it is not UTF-8
 * (RFC 3629: no surrogates, nothing overlong). The string ends in a NUL and is not empty. */
unsigned fpgz_text_character(const char *text, unsigned *code);

/* Whether the code point could steer a terminal, or change the order or the lines in which text is shown. */
bool fpgz_text_steers(unsigned code);

enum { FPGZ_NAME_SHOWN = 100 }; /* bytes of a name that a message has room for */

/* The longest beginning of the string, up to `most` bytes, that does not end within a character; for
 * "%.*s". */
int fpgz_text_fit(const char *text, size_t most);

/* The last component of a path. */
const char *fpgz_text_base(const char *path);

#endif
