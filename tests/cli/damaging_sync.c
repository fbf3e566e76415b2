/* SPDX-License-Identifier: MIT
 * A disk that damages what it is given, for LD_PRELOAD: fsync() changes the byte at $DAMAGE of a file that
 * has one, or with $SHORTEN cuts the file there. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int fsync(int fd)
{
    const char *const damage = getenv("DAMAGE"), *const shorten = getenv("SHORTEN");
    struct stat stat;
    uint8_t byte;
    if (damage && pread(fd, &byte, 1, atol(damage)) == 1) {
        byte ^= 1;
        if (pwrite(fd, &byte, 1, atol(damage)) != 1)
            abort();
    }
    if (shorten && fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) && stat.st_size > atol(shorten) &&
        ftruncate(fd, atol(shorten)) != 0)
        abort();
    return (int)syscall(SYS_fsync, fd);
}
