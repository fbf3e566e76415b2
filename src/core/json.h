/* SPDX-License-Identifier: MIT
 * JSON of other programs, read strictly (RFC 8259), piece by piece: nothing is built, and nothing calls
 * itself. */
#ifndef FPGZ_CORE_JSON_H
#define FPGZ_CORE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FPGZ_JSON_DEPTH = 64 }; /* of objects and lists in each other; what is deeper is wrong */

enum fpgz_json_kind {
    FPGZ_JSON_WRONG, /* no JSON from here on */
    FPGZ_JSON_END,   /* of the text, behind a whole value */
    FPGZ_JSON_OBJECT,
    FPGZ_JSON_OBJECT_END,
    FPGZ_JSON_LIST,
    FPGZ_JSON_LIST_END,
    FPGZ_JSON_NAME, /* of a member; its value comes next */
    FPGZ_JSON_STRING,
    FPGZ_JSON_NUMBER,
    FPGZ_JSON_WORD, /* true, false or null */
};

/* A text that is being read: all zeros but for `at`, which the caller sets to its beginning. It ends in a
 * NUL. */
struct fpgz_json {
    const char *at;
    enum fpgz_json_kind kind; /* of the last piece */
    const char *text;         /* of the last name, string (between the quotes), number or word */
    size_t length;            /* bytes of `text` */
    unsigned depth;
    uint64_t objects; /* a bit for each depth: whether it is an object */
    int state;
};

/* Reads the next piece. What was wrong stays so. */
enum fpgz_json_kind fpgz_json_next(struct fpgz_json *json);

/* Reads to the end of the value that began with the last piece. False where the JSON is wrong. */
bool fpgz_json_skip(struct fpgz_json *json);

/* Whether the last piece is that text, without escapes. */
bool fpgz_json_is(const struct fpgz_json *json, const char *text);

/* The last piece, a name or string, with its escapes replaced. False where it has no room with its NUL, or
 * holds a NUL of its own. */
bool fpgz_json_text(const struct fpgz_json *json, char *text, size_t capacity);

/* Reads the next piece, which must be a number without sign, fraction or exponent. */
bool fpgz_json_count(struct fpgz_json *json, uint64_t *count);

#endif
