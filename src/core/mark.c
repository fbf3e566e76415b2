/* SPDX-License-Identifier: MIT
 * Marks in the names of temporary files: who writes them, and whether that process is gone. */
#include "core/mark.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/checksum.h"
#include "core/io.h"
#include "core/text.h"

#define TEMPORARY ".fpgz-tmp-"
#define FORMAT "%016" PRIx64 "-%" PRIu64 "-%" PRIu64 "-"
enum { RANDOM = 6 }; /* characters, as mkstemp(3) chooses them */

/* Reads the beginning of a small file as a string; false where there is none. */
static bool read_text(const char *path, char *text, size_t size)
{
    size_t got = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool ok = fd >= 0 && fpgz_read(fd, text, size - 1, &got) && got;
    text[got] = '\0';
    if (fd >= 0)
        close(fd);
    return ok;
}

/* Reads a process's number, time of start, and whether it ends, from its "stat". The name in there may hold
 * any characters. One that was killed closes its files before others can wait for it. */
static bool read_start(const char *path, uint64_t *pid, bool *ends, uint64_t *start)
{
    enum { EXITING = 4 }; /* of the flags, PF_EXITING of the kernel */
    char text[1024], state;
    unsigned flags;
    const char *end;
    if (!read_text(path, text, sizeof text) || !(end = strrchr(text, ')')) ||
        sscanf(text, "%" SCNu64, pid) != 1 ||
        sscanf(end, ") %c %*s %*s %*s %*s %*s %u %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64,
               &state, &flags, start) != 3)
        return false;
    *ends = state == 'Z' || flags & EXITING;
    return true;
}

struct fpgz_mark fpgz_mark_own(void)
{
    char text[1024] = "", boot[64] = "", host[256] = "", pids[64] = "", times[64] = "";
    bool ends;
    struct fpgz_mark mark = {.pid = getpid()};
    uint64_t pid = 0;
    /* If /proc belongs to another PID namespace, this process has another number in it, or none. */
    if (read_start("/proc/self/stat", &pid, &ends, &mark.start) && pid == (uint64_t)mark.pid &&
        read_text("/proc/sys/kernel/random/boot_id", boot, sizeof boot) &&
        gethostname(host, sizeof host - 1) == 0 && readlink("/proc/self/ns/pid", pids, sizeof pids - 1) > 0) {
        (void)!readlink("/proc/self/ns/time", times, sizeof times - 1); /* old kernels have none */
        const int length = snprintf(text, sizeof text, "%s\n%s\n%s\n%s", boot, host, pids, times);
        mark.host = fpgz_checksum(text, (size_t)length);
    }
    return mark;
}

void fpgz_mark_name(const struct fpgz_mark *mark, char name[FPGZ_MARK_BYTES])
{
    snprintf(name, FPGZ_MARK_BYTES, TEMPORARY FORMAT "XXXXXX", mark->host, (uint64_t)mark->pid, mark->start);
}

bool fpgz_mark_parse(const char *path, struct fpgz_mark *mark)
{
    const char *const name = fpgz_text_base(path);
    char canonical[FPGZ_MARK_BYTES];
    uint64_t pid;
    if (strncmp(name, TEMPORARY, strlen(TEMPORARY)) != 0 ||
        sscanf(name + strlen(TEMPORARY), "%16" SCNx64 "-%19" SCNu64 "-%19" SCNu64 "-", &mark->host, &pid,
               &mark->start) != 3 ||
        !pid || pid > INT_MAX)
        return false;
    mark->pid = (pid_t)pid;
    fpgz_mark_name(mark, canonical); /* without signs, spaces or leading zeros */
    const size_t length = strlen(canonical) - RANDOM;
    return !strncmp(name, canonical, length) && strlen(name) == length + RANDOM &&
           strspn(name + length, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == RANDOM;
}

bool fpgz_mark_gone(const struct fpgz_mark *mark, const struct fpgz_mark *own)
{
    char path[64];
    uint64_t pid, start;
    bool ends;
    if (!mark->host || mark->host != own->host)
        return false;
    /* /proc may hide the processes of others; kill() still finds them. */
    if (kill(mark->pid, 0) != 0 && errno == ESRCH)
        return true;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)mark->pid);
    return read_start(path, &pid, &ends, &start) && (start != mark->start || ends);
}

char *fpgz_mark_beside(const char *path)
{
    const char *slash = strrchr(path, '/');
    const int directory = slash ? (int)(slash + 1 - path) : 0;
    char *temporary = NULL, name[FPGZ_MARK_BYTES];
    const struct fpgz_mark own = fpgz_mark_own();
    fpgz_mark_name(&own, name);
    if (asprintf(&temporary, "%.*s%s", directory, path, name) < 0)
        return NULL;
    return temporary;
}
