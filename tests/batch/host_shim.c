/* SPDX-License-Identifier: MIT
 * Preloaded, makes a process one of another host on a file system without locks: its host was started as
 * $HOST_BOOT, a file, tells; all locks succeed; and the temporary files that it makes and removes are told of
 * in the file $HOST_LOG, a line each. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* The next definition of a function: the library's own. */
#define REAL(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

static void tell(const char *what, const char *path)
{
    char line[4200];
    const int length = snprintf(line, sizeof line, "%s %s\n", what, path);
    const int fd = REAL(open)(getenv("HOST_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, line, (size_t)length) != length)
        abort();
    close(fd);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (!strcmp(path, "/proc/sys/kernel/random/boot_id"))
        path = getenv("HOST_BOOT");
    return REAL(open)(path, flags, mode);
}

int fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *const argument = va_arg(arguments, void *);
    va_end(arguments);
    if (command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_SETLK || command == F_SETLKW)
        return 0;
    return REAL(fcntl)(fd, command, argument);
}

int flock(int fd, int operation)
{
    (void)fd, (void)operation;
    return 0;
}

int mkostemp(char *path, int flags)
{
    const int fd = REAL(mkostemp)(path, flags);
    if (fd >= 0)
        tell("made", path);
    return fd;
}

int unlink(const char *path)
{
    if (strstr(path, "/.fpgz-"))
        tell("removed", path);
    return REAL(unlink)(path);
}
