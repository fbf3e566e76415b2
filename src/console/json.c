/* SPDX-License-Identifier: MIT
 * JSON: a writer of strings, and a reader that takes one member after another. */
#include "console/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

void json_write_string(FILE *file, const char *text)
{
    putc('"', file);
    for (const char *at = text; *at;) {
        unsigned code;
        const unsigned length = fpgz_text_character(at, &code);
        if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else if (!length)
            fprintf(file, "\\udc%02x", (unsigned char)*at);
        else if (fpgz_text_steers(code))
            fprintf(file, "\\u%04x", code);
        else
            fwrite(at, 1, length, file);
        at += length ? length : 1;
    }
    putc('"', file);
}

void json_print_string(const char *text)
{
    json_write_string(stdout, text);
}

/* The next byte that is no blank, or '\0' at the end. */
static char peek(struct json *j)
{
    while (j->at < j->end && (*j->at == ' ' || *j->at == '\t' || *j->at == '\r' || *j->at == '\n'))
        j->at++;
    return !j->bad && j->at < j->end ? *j->at : '\0';
}

static bool take(struct json *j, char expected)
{
    if (peek(j) != expected)
        j->bad = true;
    else
        j->at++;
    return !j->bad;
}

void json_open(struct json *j, char bracket)
{
    take(j, bracket);
}

/* Whether another member follows, by what was read last: the bracket or a value. */
static bool more(struct json *j, char open, char close)
{
    if (j->bad)
        return false;
    if (peek(j) == close) {
        j->at++;
        return false;
    }
    const char *last = j->at - 1;
    while (strchr(" \t\r\n", *last))
        last--;
    if (*last != open)
        take(j, ',');
    return !j->bad;
}

/* Four hexadecimal digits, or -1. */
static int hex4(const char *at, const char *end)
{
    int value = 0;
    for (unsigned i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdefABCDEF";
        const char *digit = i < (size_t)(end - at) && at[i] ? strchr(digits, at[i]) : NULL;
        if (!digit)
            return -1;
        value = 16 * value + (int)(digit - digits) - (digit - digits > 15 ? 6 : 0);
    }
    return value;
}

/* Writes a code point as UTF-8; returns behind it. */
static char *put(char *to, unsigned code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3F));
    } else {
        if (code < 0x10000) {
            *to++ = (char)(0xE0 | code >> 12);
        } else {
            *to++ = (char)(0xF0 | code >> 18);
            *to++ = (char)(0x80 | (code >> 12 & 0x3F));
        }
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    return to;
}

/* The escape behind a backslash, to `to`: NULL when it is none. */
static char *unescape(struct json *j, char *to)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char name = j->at < j->end ? *j->at++ : '\0';
    const char *known = name ? strchr(names, name) : NULL;
    if (known) {
        *to = values[known - names];
        return to + 1;
    }
    const int code = name == 'u' ? hex4(j->at, j->end) : -1;
    if (code <= 0)
        return NULL;
    j->at += 4;
    if (code >= 0xDC80 && code <= 0xDCFF) { /* a byte that was not UTF-8 */
        *to = (char)(code & 0xFF);
        return to + 1;
    }
    if (code < 0xD800 || code > 0xDFFF)
        return put(to, (unsigned)code);
    const int low = code < 0xDC00 && j->end - j->at >= 6 && j->at[0] == '\\' && j->at[1] == 'u'
                        ? hex4(j->at + 2, j->end)
                        : -1;
    if (low < 0xDC00 || low > 0xDFFF)
        return NULL;
    j->at += 6;
    return put(to, 0x10000 + ((unsigned)(code - 0xD800) << 10) + (unsigned)(low - 0xDC00));
}

char *json_string(struct json *j)
{
    if (!take(j, '"'))
        return NULL;
    /* What an escape stands for is never longer than itself. Sequences are looked at within a copy that ends
     * in a NUL, so that a cut one is not read beyond. */
    const size_t left = (size_t)(j->end - j->at);
    char *const text = malloc(left + 1), *to = text;
    while (to && j->at < j->end && *j->at != '"') {
        if (*j->at == '\\') {
            j->at++;
            to = unescape(j, to);
            continue;
        }
        char copy[5] = "";
        memcpy(copy, j->at, j->end - j->at < 4 ? (size_t)(j->end - j->at) : 4);
        unsigned code;
        const unsigned length = fpgz_text_character(copy, &code);
        if (!length || (unsigned char)*copy < 0x20)
            to = NULL;
        for (unsigned i = 0; to && i < length; i++)
            *to++ = *j->at++;
    }
    if (!to || j->at >= j->end) {
        free(text);
        j->bad = true;
        return NULL;
    }
    j->at++;
    *to = '\0';
    return text;
}

static bool next_key(struct json *j, char **key)
{
    *key = more(j, '{', '}') ? json_string(j) : NULL;
    return *key && take(j, ':');
}

bool json_key(struct json *j, char *key, size_t room)
{
    char *whole;
    const bool got = next_key(j, &whole);
    if (got)
        snprintf(key, room, "%s", whole);
    free(whole);
    return got;
}

bool json_element(struct json *j)
{
    return more(j, '[', ']');
}

/* Checks the grammar of the number that is next and copies it; false when it is none or longer than any that
 * a manifest holds. */
static bool number_text(struct json *j, char text[40], bool whole)
{
    size_t length = 0;
    peek(j);
    while (length < 39 && j->at < j->end && *j->at && strchr("+-.0123456789eE", *j->at))
        text[length++] = *j->at++;
    text[length] = '\0';
    const char *at = text + (*text == '-');
    size_t digits = strspn(at, "0123456789");
    j->bad |= !digits || (*at == '0' && digits > 1);
    at += digits;
    if (!whole && *at == '.') {
        digits = strspn(++at, "0123456789");
        j->bad |= !digits;
        at += digits;
    }
    if (!whole && (*at == 'e' || *at == 'E')) {
        at++;
        at += *at == '+' || *at == '-';
        digits = strspn(at, "0123456789");
        j->bad |= !digits;
        at += digits;
    }
    j->bad |= *at != '\0';
    return !j->bad;
}

uint64_t json_unsigned(struct json *j)
{
    char text[40];
    errno = 0;
    const uint64_t value = number_text(j, text, true) ? strtoull(text, NULL, 10) : 0;
    j->bad |= errno == ERANGE || *text == '-';
    return j->bad ? 0 : value;
}

int64_t json_signed(struct json *j)
{
    char text[40];
    errno = 0;
    const int64_t value = number_text(j, text, true) ? strtoll(text, NULL, 10) : 0;
    j->bad |= errno == ERANGE;
    return j->bad ? 0 : value;
}

double json_number(struct json *j)
{
    char text[40];
    return number_text(j, text, false) ? strtod(text, NULL) : 0;
}

static bool word(struct json *j, const char *expected)
{
    const size_t length = strlen(expected);
    if (peek(j) != *expected || (size_t)(j->end - j->at) < length || memcmp(j->at, expected, length) != 0)
        return false;
    j->at += length;
    return true;
}

bool json_null(struct json *j)
{
    return word(j, "null");
}

/* Skips one value that is no array and no object. */
static void skip_scalar(struct json *j)
{
    if (peek(j) == '"')
        free(json_string(j));
    else if (!word(j, "true") && !word(j, "false") && !word(j, "null"))
        json_number(j);
}

void json_skip(struct json *j)
{
    enum { DEEPEST = 64 };
    char closing[DEEPEST];
    unsigned depth = 0;
    do {
        const char next = peek(j);
        if (next == '{' || next == '[') {
            if (depth == DEEPEST) {
                j->bad = true;
                return;
            }
            closing[depth++] = next;
            j->at++;
        } else {
            skip_scalar(j);
        }
        /* On to the next member; what has none left is closed. */
        for (bool inside = false; depth && !inside && !j->bad; depth -= !inside) {
            char *key = NULL;
            inside = closing[depth - 1] == '{' ? next_key(j, &key) : more(j, '[', ']');
            free(key);
        }
    } while (depth && !j->bad);
}

bool json_end(struct json *j)
{
    return peek(j) == '\0' && !j->bad && j->at == j->end;
}
