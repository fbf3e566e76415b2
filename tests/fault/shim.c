/* SPDX-License-Identifier: MIT
 * Preloaded, makes one call of the program fail, or all transfers short.
 *
 *   FAULT=CALL:N:ERRNO   the Nth CALL sets errno to the number and fails; malloc and the like need no number
 *   FAULT=short          reads and writes move at most 1000 bytes
 *   FAULT=slow           each read takes a tenth of a second
 *   FAULT=resize:N:BYTES before the Nth read the file FAULT_FILE is given that size: the one that it has, too
 * Calls are counted where the program itself makes them, from main() on, not its libraries; those on the
 * standard streams of messages are left alone. The file FAULT_REACHED is created when the fault happened. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHORT = 1000 };

/* The next definition of a function: the libraries' own. */
#define REAL(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))
#define CALLER __builtin_return_address(0)

static bool started; /* main(): what a static runtime does before is not ours */
static int (*program)(int, char **, char **);

static int begin(int argc, char **argv, char **environment)
{
    started = true;
    return program(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    program = main;
    return REAL(__libc_start_main)(begin, argc, argv, init, fini, rtld_fini, stack_end);
}

static bool by_program(const void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "fpgz");
}

/* Whether this call is the one to fail; errno is then set. */
static bool fails(const char *call, const void *caller)
{
    static atomic_int count;
    static _Thread_local bool inside; /* what is called from here may call us */
    const char *const fault = getenv("FAULT");
    const size_t length = strlen(call);
    int number, code = ENOMEM;
    if (!started || inside || !fault || strncmp(fault, call, length) != 0 || fault[length] != ':')
        return false;
    inside = true;
    bool hit = by_program(caller) && sscanf(fault + length, ":%d:%d", &number, &code) >= 1 &&
               atomic_fetch_add(&count, 1) + 1 == number;
    if (hit) {
        const int fd = REAL(open)(getenv("FAULT_REACHED"), O_CREAT | O_WRONLY, 0600);
        hit = fd >= 0;
        close(fd);
        errno = code;
    }
    inside = false;
    return hit;
}

static void slow_down(void)
{
    const char *const fault = getenv("FAULT");
    if (started && fault && !strcmp(fault, "slow"))
        usleep(100000);
}

static void resize_file(const void *caller)
{
    static atomic_int count;
    const char *const fault = getenv("FAULT");
    int number;
    long bytes;
    if (started && fault && sscanf(fault, "resize:%d:%ld", &number, &bytes) == 2 && by_program(caller) &&
        atomic_fetch_add(&count, 1) + 1 == number && truncate(getenv("FAULT_FILE"), bytes) != 0)
        abort();
}

static size_t shortened(size_t bytes)
{
    const char *const fault = getenv("FAULT");
    return fault && !strcmp(fault, "short") && bytes > SHORT ? SHORT : bytes;
}

ssize_t read(int fd, void *data, size_t bytes)
{
    slow_down();
    resize_file(CALLER);
    return fails("read", CALLER) ? -1 : REAL(read)(fd, data, shortened(bytes));
}

ssize_t pread(int fd, void *data, size_t bytes, off_t offset)
{
    slow_down();
    resize_file(CALLER);
    return fails("pread", CALLER) ? -1 : REAL(pread)(fd, data, shortened(bytes), offset);
}

ssize_t write(int fd, const void *data, size_t bytes)
{
    return fd != STDERR_FILENO && fails("write", CALLER) ? -1 : REAL(write)(fd, data, shortened(bytes));
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
    return fails("pwrite", CALLER) ? -1 : REAL(pwrite)(fd, data, shortened(bytes), offset);
}

int fsync(int fd)
{
    return fails("fsync", CALLER) ? -1 : REAL(fsync)(fd);
}

int close(int fd)
{
    const bool failed = fails("close", CALLER);
    const int code = errno, status = REAL(close)(fd);
    errno = failed ? code : errno;
    return failed ? -1 : status;
}

int rename(const char *from, const char *to)
{
    return fails("rename", CALLER) ? -1 : REAL(rename)(from, to);
}

int unlink(const char *path)
{
    return fails("unlink", CALLER) ? -1 : REAL(unlink)(path);
}

int fstat(int fd, struct stat *stat)
{
    return fails("fstat", CALLER) ? -1 : REAL(fstat)(fd, stat);
}

int ftruncate(int fd, off_t length)
{
    return fails("ftruncate", CALLER) ? -1 : REAL(ftruncate)(fd, length);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fails("open", CALLER) ? -1 : REAL(open)(path, flags, mode);
}

void *mmap(void *where, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    return fails("mmap", CALLER) ? MAP_FAILED : REAL(mmap)(where, bytes, protection, flags, fd, offset);
}

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *data, size_t bytes);

void *malloc(size_t bytes)
{
    return fails("malloc", CALLER) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails("calloc", CALLER) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *data, size_t bytes)
{
    return fails("realloc", CALLER) ? NULL : __libc_realloc(data, bytes);
}
