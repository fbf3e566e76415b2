/* SPDX-License-Identifier: MIT */
#include "source/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t allowed = FPGZ_CHILD_MEMORY;

void fpgz_child_allow(uint64_t bytes)
{
    allowed = bytes < FPGZ_CHILD_MEMORY ? bytes : FPGZ_CHILD_MEMORY;
}

uint64_t fpgz_child_allowed(void)
{
    return allowed;
}

/* Bytes of address space that this process has. */
static uint64_t address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void limit(int resource, uint64_t value)
{
    struct rlimit there;
    if (getrlimit(resource, &there) != 0 || there.rlim_cur <= value)
        return;
    there.rlim_cur = value;
    setrlimit(resource, &there);
}

/* Makes the child one that dies quietly, and with its parent. */
static void settle(const struct fpgz_child_limits *limits)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU, SIGXFSZ};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    if (limits->seconds)
        limit(RLIMIT_CPU, limits->seconds);
    const uint64_t there = limits->bytes ? address_space() : 0;
    if (there)
        limit(RLIMIT_AS, there + limits->bytes);
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0)
        dup2(null, STDERR_FILENO);
}

enum fpgz_status fpgz_child_start(void (*work)(const void *context, int fd, struct fpgz_error *error),
                                  const void *context, const struct fpgz_child_limits *limits,
                                  struct fpgz_child *child, struct fpgz_error *error)
{
    int ends[2];
    struct fpgz_error *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fpgz_fail(error, FPGZ_IO, "cannot make a pipe: %s", strerror(errno));
        munmap(shared, sizeof *shared);
        return error->status;
    }
    const pid_t self = getpid();
    *child = (struct fpgz_child){fork(), ends[0], shared};
    if (child->pid == 0) {
        close(ends[0]);
        settle(limits);
        if (getppid() == self)
            work(context, ends[1], shared);
        _exit(0);
    }
    close(ends[1]);
    if (child->pid > 0)
        return FPGZ_OK;
    fpgz_fail(error, FPGZ_MEMORY, "cannot start a process: %s", strerror(errno));
    close(ends[0]);
    munmap(shared, sizeof *shared);
    return error->status;
}

enum fpgz_status fpgz_child_end(struct fpgz_child *child, struct fpgz_error *error)
{
    int how = 0;
    close(child->fd);
    while (waitpid(child->pid, &how, 0) < 0 && errno == EINTR)
        ;
    struct fpgz_error *shared = child->error;
    shared->text[sizeof shared->text - 1] = '\0'; /* a crash may have struck anywhere */
    if (shared->status)
        fpgz_fail(error, shared->status, "%s", shared->text);
    else if (WIFSIGNALED(how) && WTERMSIG(how) == SIGXCPU)
        fpgz_fail(error, FPGZ_CORRUPT, "the HDF5 library found no end in it");
    else if ((WIFSIGNALED(how) && WTERMSIG(how) != SIGPIPE) || (WIFEXITED(how) && WEXITSTATUS(how)))
        fpgz_fail(error, FPGZ_CORRUPT, "the HDF5 library crashed over it");
    munmap(shared, sizeof *shared);
    memset(child, 0, sizeof *child);
    return error->status;
}
