/* SPDX-License-Identifier: MIT
 * Each component of a path is opened by itself, as a plain name that must be a folder and no link: that is
 * what openat2(2) with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS does, on every kernel and under every filter
 * of system calls, and folders are made one by one anyway. */
#include "files/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mark.h"
#include "core/text.h"
#include "files/folder.h"
#include "files/name.h"

enum { LOOK = O_PATH | O_DIRECTORY | O_CLOEXEC };

bool beneath_begin(struct beneath *b, const char *folder)
{
    *b = (struct beneath){-1, open(".", LOOK)};
    char *const path = name_join(folder ? folder : ".", strlen(folder ? folder : "."), "/");
    if (b->home >= 0 && folders_make(path))
        b->root = open(path, LOOK);
    free(path);
    return b->root >= 0;
}

void beneath_end(struct beneath *b)
{
    const int fds[] = {b->root, b->home};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    *b = (struct beneath){-1, -1};
}

/* Syncs a folder after one was made in it, where its file system can. */
static void sync_folder(int folder)
{
    const int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

/* Opens the folder `name` in another one. */
static int step(int folder, const char *name, bool make)
{
    struct stat stat;
    int fd = openat(folder, name, LOOK | O_NOFOLLOW);
    if (fd < 0 && errno == ENOENT && make && (mkdirat(folder, name, 0777) == 0 || errno == EEXIST)) {
        sync_folder(folder);
        fd = openat(folder, name, LOOK | O_NOFOLLOW);
    }
    if (fd < 0 && errno == ENOTDIR)
        errno =
            fstatat(folder, name, &stat, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(stat.st_mode) ? ELOOP : ENOTDIR;
    return fd;
}

int beneath_open(const struct beneath *b, const char *path, size_t length, bool make)
{
    char name[NAME_MAX + 1];
    int fd = fcntl(b->root, F_DUPFD_CLOEXEC, 0);
    for (const char *at = path; fd >= 0 && at < path + length; at += strspn(at, "/")) {
        const size_t bytes = strcspn(at, "/");
        const int folder = fd;
        snprintf(name, sizeof name, "%.*s", (int)bytes, at);
        if (bytes > NAME_MAX || !strcmp(name, "..")) {
            errno = bytes > NAME_MAX ? ENAMETOOLONG : EXDEV;
            fd = -1;
        } else {
            fd = step(folder, bytes ? name : ".", make);
        }
        const int reason = errno;
        close(folder);
        errno = reason;
        at += bytes;
    }
    return fd;
}

bool beneath_enter(const struct beneath *b, const char *path, bool make)
{
    const int fd = beneath_open(b, path, (size_t)(fpgz_text_base(path) - path), make);
    const bool entered = fd >= 0 && fchdir(fd) == 0;
    const int reason = errno;
    if (fd >= 0)
        close(fd);
    errno = reason;
    return entered;
}

bool beneath_leave(const struct beneath *b)
{
    return fchdir(b->home) == 0;
}

bool beneath_tells_case(const struct beneath *b)
{
    static const char lower[] = "letter", upper[] = "LETTER"; /* as many as a mark's random characters */
    char name[FPGZ_MARK_BYTES], other[FPGZ_MARK_BYTES];
    struct stat stat;
    const struct fpgz_mark own = fpgz_mark_own();
    fpgz_mark_name(&own, name);
    char *const end = name + strlen(name) - strlen(lower);
    strcpy(end, upper);
    strcpy(other, name);
    strcpy(end, lower);
    const int fd = openat(b->root, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    close(fd);
    const bool told = fstatat(b->root, other, &stat, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
    unlinkat(b->root, name, 0);
    return told;
}
