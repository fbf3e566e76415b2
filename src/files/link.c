/* SPDX-License-Identifier: MIT
 * Paths that lead to descriptors of this process, such as /dev/stdout, and symbolic links to outputs. */
#include "files/link.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/text.h"
#include "files/name.h"

/* The number that a path like /proc/self/fd/1 ends in, or -1. Its link tells the name that the file had when
 * it was opened, which may be another file's now. */
static int own_descriptor(const char *path)
{
    const char *const base = fpgz_text_base(path);
    char here[PATH_MAX], own[PATH_MAX], *end;
    const long number = strtol(base, &end, 10);
    if (!*base || *end || number < 0 || number > INT_MAX)
        return -1;
    char *folder = name_join(path, (size_t)(base - path), ".");
    const bool ours = realpath(folder, here) && realpath("/proc/self/fd", own) && !strcmp(here, own);
    free(folder);
    return ours ? (int)number : -1;
}

char *link_follow(const char *path, int *fd)
{
    enum { MOST_LINKS = 40 }; /* as many as Linux follows */
    char *at = name_join(path, strlen(path), ""), text[PATH_MAX];
    for (unsigned links = 0; (*fd = own_descriptor(at)) < 0; links++) {
        const ssize_t length = readlink(at, text, sizeof text - 1);
        if (length < 0)
            break;
        text[length] = '\0';
        char *next = name_join(at, *text == '/' ? 0 : (size_t)(fpgz_text_base(at) - at), text);
        free(at);
        at = next;
        if (links == MOST_LINKS) {
            free(at);
            errno = ELOOP;
            return NULL;
        }
    }
    return at;
}

bool link_is_stdout(const char *path)
{
    int fd = -1;
    if (path)
        free(link_follow(path, &fd));
    return fd == STDOUT_FILENO;
}
