/* SPDX-License-Identifier: MIT
 * JSON as the command writes it and reads it back: one value a line, strict (RFC 8259). */
#ifndef FPGZ_CONSOLE_JSON_H
#define FPGZ_CONSOLE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes `text` as a JSON string, quotes included. Bytes that are not UTF-8 (a file's name may hold any)
 * become \udc80 to \udcff, one each, as in Python's surrogateescape: json_string() gives them back. */
void json_write_string(FILE *file, const char *text);

/* The same to stdout. */
void json_print_string(const char *text);

/* Reads along a line. What is wrong sets `bad`, after which every call fails. */
struct json {
    const char *at, *end;
    bool bad;
};

/* Iterate over an object's keys or an array's values: "for (json_open(j, '{'); json_key(j, key, sizeof
 * key);)", then the value must be read or skipped. Keys longer than the room are cut, so that they match
 * nothing. */
void json_open(struct json *json, char bracket);
bool json_key(struct json *json, char *key, size_t room);
bool json_element(struct json *json);

/* A string, NUL-terminated: the caller frees it. NULL when it is none, or holds a NUL. */
char *json_string(struct json *json);

/* Numbers without fraction and exponent, within their type's range; 0 when they are not. */
uint64_t json_unsigned(struct json *json);
int64_t json_signed(struct json *json);
double json_number(struct json *json);

/* Whether a null comes next, which is then read. */
bool json_null(struct json *json);

void json_skip(struct json *json);

/* Whether all was good and nothing but blanks is left. */
bool json_end(struct json *json);

#endif
