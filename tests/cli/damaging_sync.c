/* SPDX-License-Identifier: MIT
 * A disk that damages what it is given, for LD_PRELOAD: fsync() changes the byte at $DAMAGE of a file that
 * has one, or with $SHORTEN cuts the file there. With $MEDDLE it stands for somebody who writes to the file
 * of that name whenever a file is synced, and puts its times back: with $HIDDEN no time of change tells of
 * it. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The next definition of a function: the library's own. */
#define REAL(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

static void hide(struct stat *status)
{
    if (getenv("HIDDEN"))
        status->st_ctim = (struct timespec){0};
}

int fstat(int fd, struct stat *status)
{
    const int failed = REAL(fstat)(fd, status);
    hide(status);
    return failed;
}

int stat(const char *path, struct stat *status)
{
    const int failed = REAL(stat)(path, status);
    hide(status);
    return failed;
}

static void meddle(const char *path)
{
    struct stat status;
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &status) != 0 || pwrite(fd, "X", 1, 0) != 1 ||
        futimens(fd, (const struct timespec[]){status.st_atim, status.st_mtim}) != 0)
        abort();
    close(fd);
}

int fsync(int fd)
{
    const char *const damage = getenv("DAMAGE"), *const shorten = getenv("SHORTEN"),
                      *const path = getenv("MEDDLE");
    struct stat status;
    uint8_t byte;
    if (damage && pread(fd, &byte, 1, atol(damage)) == 1) {
        byte ^= 1;
        if (pwrite(fd, &byte, 1, atol(damage)) != 1)
            abort();
    }
    if (shorten && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > atol(shorten) &&
        ftruncate(fd, atol(shorten)) != 0)
        abort();
    if (path && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        meddle(path);
    return (int)syscall(SYS_fsync, fd);
}
