/* SPDX-License-Identifier: MIT
 * The one process that a damaged file may bring down: its limits, and its end in words. */
#include "source/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

void fpgz_child_settle(pid_t parent)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU, SIGXFSZ};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    limit(RLIMIT_CORE, 0);
}

static void confine(const struct fpgz_work *work)
{
    if (work->seconds)
        limit(RLIMIT_CPU, work->seconds);
    const uint64_t there = work->bytes ? address_space() : 0;
    if (there)
        limit(RLIMIT_AS, there + work->bytes);
}

/* Records why a child ended. */
static void judge(const char *reader, int how, const struct fpgz_error *recorded, struct fpgz_error *error)
{
    if (recorded->status)
        fpgz_fail(error, recorded->status, "%s", recorded->text);
    else if (WIFSIGNALED(how) && WTERMSIG(how) == SIGXCPU)
        fpgz_fail(error, FPGZ_CORRUPT, "%s exceeded its time limit", reader);
    else if ((WIFSIGNALED(how) && WTERMSIG(how) != SIGPIPE) || (WIFEXITED(how) && WEXITSTATUS(how)))
        fpgz_fail(error, FPGZ_CORRUPT, "%s crashed over it", reader);
}

void fpgz_child_run(const struct fpgz_work *work, const void *context, int file, int fd,
                    struct fpgz_error *error)
{
    int how = 0;
    struct fpgz_error *const shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const pid_t self = getpid(), pid = shared == MAP_FAILED ? -1 : fork();
    if (pid == 0) {
        fpgz_child_settle(self);
        confine(work);
        work->run(context, file, fd, shared);
        _exit(0);
    }
    if (pid < 0)
        fpgz_fail(error, FPGZ_MEMORY, "cannot start a process: %s", strerror(errno));
    close(file);
    close(fd); /* the reader sees the pipe's end when the child ends */
    if (pid > 0) {
        while (waitpid(pid, &how, 0) < 0 && errno == EINTR)
            ;
        shared->text[sizeof shared->text - 1] = '\0'; /* the child may have crashed while it wrote the text */
        judge(work->reader, how, shared, error);
    }
    if (shared != MAP_FAILED)
        munmap(shared, sizeof *shared);
}
