/* SPDX-License-Identifier: MIT
 * A file system that has extended attributes of every namespace, for LD_PRELOAD: they are files in the folder
 * $XATTRS, called INODE.NAME with the name in hexadecimal digits. None whose name begins with $XATTRS_REFUSE
 * can be set. An access list changes the mode of its file, as in Linux. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define REAL(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

enum { PATH = 4096 };

/* Where those of an inode are, or with a name this one. */
static void place_of(char path[PATH], ino_t inode, const char *name)
{
    snprintf(path, PATH, "%s/%ju/%s", getenv("XATTRS"), (uintmax_t)inode, name);
}

static bool place(char path[PATH], int fd, const char *name)
{
    struct stat stat;
    if (fstat(fd, &stat) != 0)
        return false;
    place_of(path, stat.st_ino, name);
    return true;
}

ssize_t flistxattr(int fd, char *list, size_t size)
{
    char path[PATH];
    size_t used = 0;
    if (!place(path, fd, ""))
        return -1;
    DIR *const folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        const size_t length = strlen(entry->d_name) + 1;
        if (*entry->d_name == '.')
            continue;
        if (size && used + length > size) {
            closedir(folder);
            errno = ERANGE;
            return -1;
        }
        if (size)
            memcpy(list + used, entry->d_name, length);
        used += length;
    }
    if (folder)
        closedir(folder);
    return (ssize_t)used;
}

ssize_t fgetxattr(int fd, const char *name, void *value, size_t size)
{
    char path[PATH];
    struct stat stat;
    const int store = place(path, fd, name) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (store < 0 || fstat(store, &stat) != 0) {
        errno = ENODATA;
        return -1;
    }
    ssize_t got = stat.st_size;
    if (size && (size_t)got > size) {
        errno = ERANGE;
        got = -1;
    } else if (size) {
        got = read(store, value, size);
    }
    close(store);
    return got;
}

int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
    char path[PATH];
    (void)flags;
    const char *const refused = getenv("XATTRS_REFUSE"), *const mode = value;
    if (refused && !strncmp(name, refused, strlen(refused))) {
        errno = ENOTSUP;
        return -1;
    }
    if (place(path, fd, ""))
        mkdir(path, 0777);
    const int store = place(path, fd, name) ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    if (store < 0 || write(store, value, size) != (ssize_t)size)
        abort();
    close(store);
    if (strcmp(name, "system.posix_acl_access") != 0)
        return 0;
    mode_t rights = 0;
    for (size_t at = 4; at < size; at += 8) { /* owner, group or then mask, others */
        const int tag = mode[at], bits = mode[at + 2];
        if (tag == 1)
            rights |= (mode_t)bits << 6;
        else if (tag == 4 || tag == 16)
            rights = (rights & ~(mode_t)070) | (mode_t)bits << 3;
        else if (tag == 32)
            rights |= (mode_t)bits;
    }
    return fchmod(fd, rights);
}

int fremovexattr(int fd, const char *name)
{
    char path[PATH];
    if (place(path, fd, name) && unlink(path) == 0)
        return 0;
    errno = ENODATA;
    return -1;
}

/* A file that goes takes its attributes along. */
static void forget(const char *file)
{
    char path[PATH];
    struct stat stat;
    if (lstat(file, &stat) != 0 || stat.st_nlink > 1)
        return;
    place_of(path, stat.st_ino, "");
    DIR *const folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
}

int unlink(const char *path)
{
    forget(path);
    return REAL(unlink)(path);
}

int rename(const char *from, const char *to)
{
    forget(to);
    return REAL(rename)(from, to);
}
