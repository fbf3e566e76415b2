/* SPDX-License-Identifier: MIT */
#include "cli/json.h"

#include <stdio.h>

void json_print_string(const char *text)
{
    putchar('"');
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '"' || *at == '\\')
            printf("\\%c", *at);
        else if (*at < 0x20)
            printf("\\u%04x", *at);
        else
            putchar(*at);
    }
    putchar('"');
}
