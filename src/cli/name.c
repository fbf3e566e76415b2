/* SPDX-License-Identifier: MIT */
#include "cli/name.h"

#include <stdlib.h>
#include <string.h>

const char *name_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool name_is_container(const char *path)
{
    const char *base = name_base(path);
    const size_t length = strlen(base), suffix = strlen(NAME_SUFFIX);
    return length > suffix && !strcmp(base + length - suffix, NAME_SUFFIX);
}

const char *name_printable(const char *name, char text[256])
{
    size_t i = 0;
    for (; name[i] && i < 255; i++)
        text[i] = (unsigned char)name[i] < 0x20 || name[i] == 0x7F ? '?' : name[i];
    text[i] = '\0';
    return text;
}

/* `length` bytes of `path`, then `tail`. */
static char *join(const char *path, size_t length, const char *tail)
{
    char *joined = malloc(length + strlen(tail) + 1);
    if (!joined)
        abort(); /* a few hundred bytes: nothing sensible is left to do */
    memcpy(joined, path, length);
    strcpy(joined + length, tail);
    return joined;
}

char *name_compressed(const char *path)
{
    return join(path, strlen(path), NAME_SUFFIX);
}

char *name_restored(const char *path, const char *stored, bool prefer_stored)
{
    if (name_is_container(path) && !prefer_stored)
        return join(path, strlen(path) - strlen(NAME_SUFFIX), "");
    if (!*stored || !strcmp(stored, ".") || !strcmp(stored, ".."))
        return NULL;
    return join(path, (size_t)(name_base(path) - path), stored);
}
