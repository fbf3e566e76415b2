/* SPDX-License-Identifier: MIT
 * Finds the memory of the machine, and what its control groups (version 1 or 2) leave of it. */
#include "core/memory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number in the file root/folder/name; UINT64_MAX where there is none ("max" means that too). */
static uint64_t read_limit(const char *root, const char *folder, const char *name)
{
    char path[PATH_MAX];
    unsigned long long limit = UINT64_MAX;
    if (snprintf(path, sizeof path, "%s%s/%s", root, folder, name) >= (int)sizeof path)
        return UINT64_MAX;
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%llu", &limit) != 1)
        limit = UINT64_MAX;
    if (file)
        fclose(file);
    return limit;
}

/* The least limit of the group at `path` below `mount` and of those above it. */
static uint64_t group_limit(const char *root, const char *mount, const char *path, const char *name)
{
    char folder[PATH_MAX];
    uint64_t least = UINT64_MAX;
    if (snprintf(folder, sizeof folder, "%s%s", mount, path) >= (int)sizeof folder)
        return least;
    const size_t shortest = strlen(mount);
    for (size_t length = strlen(folder);; length = (size_t)(strrchr(folder, '/') - folder)) {
        folder[length] = '\0';
        const uint64_t limit = read_limit(root, folder, name);
        least = limit < least ? limit : least;
        if (length <= shortest)
            return least;
    }
}

/* The least limit of the groups in a line of /proc/self/cgroup, which is "0::PATH" (version 2) or
 * "N:CONTROLLERS:PATH". */
static uint64_t line_limit(const char *root, char *line)
{
    char *const controllers = strchr(line, ':'), *const path =
                                                     controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
        return UINT64_MAX;
    path[strcspn(path, "\n")] = '\0';
    *path = '\0';
    if (!controllers[1])
        return group_limit(root, "/sys/fs/cgroup", path + 1, "memory.max");
    char *rest;
    for (char *word = strtok_r(controllers + 1, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        if (!strcmp(word, "memory"))
            return group_limit(root, "/sys/fs/cgroup/memory", path + 1, "memory.limit_in_bytes");
    return UINT64_MAX;
}

uint64_t fpgz_memory_allowed(const char *root)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t least = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
    char path[PATH_MAX], line[PATH_MAX];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        const uint64_t limit = line_limit(root, line);
        least = limit < least ? limit : least;
    }
    if (file)
        fclose(file);
    return least == UINT64_MAX ? 0 : least;
}
