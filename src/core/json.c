/* SPDX-License-Identifier: MIT
 * Reads JSON: what may come next is a state, and what is open is a bit for each depth. */
#include "core/json.h"

#include <string.h>

#include "core/bytes.h"
#include "core/text.h"

/* What may come next. */
enum { VALUE, FIRST_VALUE, FIRST_NAME, NAME, MORE, DONE };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\n\r");
}

static const char *skip_digits(const char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

/* The four hexadecimal digits of an escape; false where they are none. */
static bool hexadecimal(const char *at, unsigned *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        const char lower = (char)(at[i] | 0x20);
        const bool letter = lower >= 'a' && lower <= 'f';
        if (!letter && !is_digit(at[i]))
            return false;
        *code = *code << 4 | (unsigned)(letter ? lower - 'a' + 10 : at[i] - '0');
    }
    return true;
}

/* Bytes of the escape that begins at a backslash, and its character. 0 where it is none. */
static size_t escape(const char *at, unsigned *code)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    unsigned low;
    const char *const letter = at[1] ? strchr(letters, at[1]) : NULL;
    if (letter) {
        *code = (unsigned char)meant[letter - letters];
        return 2;
    }
    if (at[1] != 'u' || !hexadecimal(at + 2, code))
        return 0;
    if (*code < 0xD800 || *code > 0xDFFF)
        return 6;
    /* Two escapes are one character beyond 16 bits. */
    if (*code > 0xDBFF || at[6] != '\\' || at[7] != 'u' || !hexadecimal(at + 8, &low) || low < 0xDC00 ||
        low > 0xDFFF)
        return 0;
    *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    return 12;
}

/* The place behind a string's closing quote; NULL where it is none. */
static const char *read_string(struct fpgz_json *json, const char *at)
{
    unsigned code;
    json->text = at + 1;
    for (at++; *at != '"';) {
        const size_t length = !*at ? 0 : *at == '\\' ? escape(at, &code) : fpgz_text_character(at, &code);
        if (!length || (*at != '\\' && code < 0x20))
            return NULL;
        at += length;
    }
    json->length = (size_t)(at - json->text);
    return at + 1;
}

static const char *read_number(struct fpgz_json *json, const char *at)
{
    json->text = at;
    at += *at == '-';
    if (!is_digit(*at))
        return NULL;
    at = *at == '0' ? at + 1 : skip_digits(at);
    if (*at == '.') {
        if (!is_digit(*++at))
            return NULL;
        at = skip_digits(at);
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        if (!is_digit(*at))
            return NULL;
        at = skip_digits(at);
    }
    json->length = (size_t)(at - json->text);
    return at;
}

static const char *read_word(struct fpgz_json *json, const char *at)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(at, words[i], strlen(words[i]))) {
            json->text = at;
            json->length = strlen(words[i]);
            return at + json->length;
        }
    return NULL;
}

/* What follows a value at the depth at hand. */
static int behind_value(const struct fpgz_json *json)
{
    return json->depth ? MORE : DONE;
}

static bool in_object(const struct fpgz_json *json)
{
    return json->depth && json->objects >> (json->depth - 1) & 1;
}

static enum fpgz_json_kind open_level(struct fpgz_json *json, const char *at)
{
    const bool object = *at == '{';
    if (json->depth == FPGZ_JSON_DEPTH)
        return FPGZ_JSON_WRONG;
    json->objects = (json->objects & ~((uint64_t)1 << json->depth)) | (uint64_t)object << json->depth;
    json->depth++;
    json->state = object ? FIRST_NAME : FIRST_VALUE;
    json->at = at + 1;
    return object ? FPGZ_JSON_OBJECT : FPGZ_JSON_LIST;
}

static enum fpgz_json_kind close_level(struct fpgz_json *json, const char *at)
{
    const bool object = in_object(json);
    json->depth--;
    json->state = behind_value(json);
    json->at = at + 1;
    return object ? FPGZ_JSON_OBJECT_END : FPGZ_JSON_LIST_END;
}

static enum fpgz_json_kind read_value(struct fpgz_json *json, const char *at)
{
    if (*at == '{' || *at == '[')
        return open_level(json, at);
    const bool string = *at == '"', number = *at == '-' || is_digit(*at);
    json->at = string ? read_string(json, at) : number ? read_number(json, at) : read_word(json, at);
    json->state = behind_value(json);
    return !json->at ? FPGZ_JSON_WRONG
           : string  ? FPGZ_JSON_STRING
           : number  ? FPGZ_JSON_NUMBER
                     : FPGZ_JSON_WORD;
}

static enum fpgz_json_kind read_name(struct fpgz_json *json, const char *at)
{
    at = *at == '"' ? read_string(json, at) : NULL;
    at = at ? skip_space(at) : "";
    json->at = at + 1;
    json->state = VALUE;
    return *at == ':' ? FPGZ_JSON_NAME : FPGZ_JSON_WRONG;
}

/* The next piece of a text that was right so far. */
static enum fpgz_json_kind next(struct fpgz_json *json)
{
    const char *at = skip_space(json->at);
    const bool closes = *at == (in_object(json) ? '}' : ']');
    switch (json->state) {
    case DONE:
        return *at ? FPGZ_JSON_WRONG : FPGZ_JSON_END;
    case MORE:
        if (closes)
            return close_level(json, at);
        if (*at != ',')
            return FPGZ_JSON_WRONG;
        at = skip_space(at + 1);
        return in_object(json) ? read_name(json, at) : read_value(json, at);
    case FIRST_NAME:
        return closes ? close_level(json, at) : read_name(json, at);
    case FIRST_VALUE:
        return closes ? close_level(json, at) : read_value(json, at);
    default:
        return read_value(json, at);
    }
}

enum fpgz_json_kind fpgz_json_next(struct fpgz_json *json)
{
    json->kind = json->at ? next(json) : FPGZ_JSON_WRONG;
    if (json->kind == FPGZ_JSON_WRONG)
        json->at = NULL;
    return json->kind;
}

bool fpgz_json_skip(struct fpgz_json *json)
{
    const bool name = json->kind == FPGZ_JSON_NAME;
    const unsigned depth = name ? json->depth : json->depth - 1;
    if (name)
        fpgz_json_next(json);
    if (json->kind == FPGZ_JSON_OBJECT || json->kind == FPGZ_JSON_LIST)
        while (json->depth > depth && json->kind)
            fpgz_json_next(json);
    return json->kind != FPGZ_JSON_WRONG;
}

bool fpgz_json_is(const struct fpgz_json *json, const char *text)
{
    return json->length == strlen(text) && !memcmp(json->text, text, json->length);
}

/* Writes a character as UTF-8; its bytes. */
static size_t put_character(unsigned code, char bytes[4])
{
    if (code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i; i--, code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)(0xF00 >> length | code);
    return length;
}

bool fpgz_json_text(const struct fpgz_json *json, char *text, size_t capacity)
{
    const char *at = json->text, *const end = at + json->length;
    size_t used = 0;
    while (at < end) {
        char bytes[4] = {*at};
        unsigned code = 1;
        size_t length = 1;
        if (*at == '\\') {
            at += escape(at, &code);
            length = put_character(code, bytes);
        } else {
            at++;
        }
        if (!code || length >= capacity - used)
            return false;
        memcpy(text + used, bytes, length);
        used += length;
    }
    text[used] = '\0';
    return true;
}

bool fpgz_json_count(struct fpgz_json *json, uint64_t *count)
{
    *count = 0;
    if (fpgz_json_next(json) != FPGZ_JSON_NUMBER)
        return false;
    for (size_t i = 0; i < json->length; i++)
        if (!is_digit(json->text[i]) || !fpgz_mul(*count, 10, count) ||
            !fpgz_add(*count, (uint64_t)(json->text[i] - '0'), count))
            return false;
    return true;
}
