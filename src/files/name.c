/* SPDX-License-Identifier: MIT
 * Names of files: the suffix of containers, and what an output is called. */
#include "files/name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/no_memory.h"
#include "core/text.h"

const char *name_suffix(const char *path, const char *suffix)
{
    const char *const base = fpgz_text_base(path), *const known[] = {suffix, NAME_SUFFIX};
    const size_t length = strlen(base);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t tail = strlen(known[i]);
        if (length > tail && !strcmp(base + length - tail, known[i]))
            return base + length - tail;
    }
    return NULL;
}

void name_list_add(struct name_list *list, const char *name)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 16;
        list->name = realloc(list->name, list->capacity * sizeof *list->name);
        if (!list->name)
            no_memory_for_names();
    }
    list->name[list->count++] = name;
}

void name_list_free(struct name_list *list)
{
    free(list->name);
    *list = (struct name_list){0};
}

void name_normalize(char *path)
{
    char *to = path;
    for (const char *at = path; *at;) {
        const size_t length = strcspn(at, "/");
        const bool needless = length == 1 && *at == '.';
        if (!needless && length) {
            memmove(to, at, length);
            to += length;
        }
        at += length;
        if (*at && (at == path || (!needless && length)))
            *to++ = '/';
        at += strspn(at, "/");
    }
    *to = '\0';
}

char *name_join(const char *path, size_t length, const char *tail)
{
    char *joined = malloc(length + strlen(tail) + 1);
    if (!joined)
        no_memory_for_names();
    memcpy(joined, path, length);
    strcpy(joined + length, tail);
    return joined;
}

char *name_compressed(const char *path, const char *suffix)
{
    return name_join(path, strlen(path), suffix);
}

char *name_dataset(const char *path, const char *dataset, const char *type)
{
    char tail[300];
    const char *const base = fpgz_text_base(dataset);
    snprintf(tail, sizeof tail, "%.*s%s", fpgz_text_fit(base, NAME_KEPT), base, type);
    return name_join(path, (size_t)(fpgz_text_base(path) - path), tail);
}

char *name_grid(const char *path, const char *dataset, enum fpgz_dtype dtype)
{
    char type[12];
    snprintf(type, sizeof type, ".%s", fpgz_dtype_name(dtype));
    return name_dataset(path, dataset, type);
}

char *name_restored(const char *path, const char *suffix, const char *stored, bool prefer_stored)
{
    const char *end = name_suffix(path, suffix);
    if (end && !prefer_stored)
        return name_join(path, (size_t)(end - path), "");
    if (!*stored || !strcmp(stored, ".") || !strcmp(stored, ".."))
        return NULL;
    return name_join(path, (size_t)(fpgz_text_base(path) - path), stored);
}
