/* SPDX-License-Identifier: MIT
 * The one place where text is escaped for people. */
#include "console/printable.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "console/no_memory.h"
#include "core/text.h"

enum { ESCAPE = 8 }; /* "\u202e" and a NUL */

/* Writes the character or byte that *text begins with to `to`, and moves *text behind it. */
static void escape(char to[ESCAPE], const char **text)
{
    static const char controls[] = "\a\b\f\n\r\t\v\\", names[] = "abfnrtv\\";
    unsigned code = 0;
    const char *const from = *text, *const control = strchr(controls, *from);
    const unsigned length = fpgz_text_character(from, &code);
    *text += length ? length : 1;
    if (control)
        snprintf(to, ESCAPE, "\\%c", names[control - controls]);
    else if (!length || (length == 1 && fpgz_text_steers(code)))
        snprintf(to, ESCAPE, "\\x%02x", (unsigned char)*from);
    else if (fpgz_text_steers(code))
        snprintf(to, ESCAPE, "\\u%04x", code);
    else
        snprintf(to, ESCAPE, "%.*s", (int)length, from);
}

void printable_write(FILE *file, const char *text)
{
    char piece[ESCAPE];
    while (*text) {
        escape(piece, &text);
        fputs(piece, file);
    }
}

void printable_format(FILE *file, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    const int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0)
        no_memory_for_names();
    printable_write(file, text);
    free(text);
}

char *printable_copy(char *to, size_t room, const char *text)
{
    char piece[ESCAPE];
    size_t used = 0;
    while (*text) {
        escape(piece, &text);
        if (used + strlen(piece) >= room)
            break;
        strcpy(to + used, piece);
        used += strlen(piece);
    }
    to[used] = '\0';
    return to;
}
