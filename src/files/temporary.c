/* SPDX-License-Identifier: MIT
 * Names of temporary files, and their removal: after a signal, and of those that a dead process left. */
#include "files/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mark.h"
#include "core/text.h"
#include "files/name.h"

/* The temporary file that a signal must not leave behind, set with signals blocked, and which one it is. They
 * are the only globals of the command: a handler of signals gets no argument. */
static char doomed[PATH_MAX];
static struct stat doomed_stat;

void temporary_remove(void)
{
    struct stat now;
    if (doomed[0] && lstat(doomed, &now) == 0 && now.st_dev == doomed_stat.st_dev &&
        now.st_ino == doomed_stat.st_ino)
        unlink(doomed);
}

static void handle_signal(int number)
{
    temporary_remove();
    signal(number, SIG_DFL);
    raise(number);
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU};

void temporary_handle_signals(void)
{
    struct sigaction action = {.sa_handler = handle_signal};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
    signal(SIGXFSZ, SIG_IGN); /* what ulimit -f does not allow is a write that fails, as on a full disk */
}

int temporary_remember(char *temporary)
{
    sigset_t blocked, old;
    int fd = -1;
    sigfillset(&blocked);
    pthread_sigmask(SIG_BLOCK, &blocked, &old);
    doomed[0] = '\0';
    if (temporary) {
        fd = mkostemp(temporary, O_CLOEXEC);
        if (fd >= 0) {
            fstat(fd, &doomed_stat);
            snprintf(doomed, sizeof doomed, "%s", temporary);
        }
    }
    const int reason = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = reason;
    return fd;
}

/* Whether the temporary file was left by a process that is gone. */
static bool left_over(struct console *console, const char *path, const struct fpgz_mark *own)
{
    struct stat there;
    struct fpgz_mark mark;
    if (!fpgz_mark_parse(path, &mark) || lstat(path, &there) != 0 || !S_ISREG(there.st_mode))
        return false;
    if (!mark.host || mark.host != own->host)
        message_notice(
            console, 1, path,
            "is the temporary file of another host, or from before this one was started; it stays");
    return fpgz_mark_gone(&mark, own);
}

void temporary_remove_old(struct console *console, const char *path)
{
    char *folder = name_join(path, (size_t)(fpgz_text_base(path) - path), "");
    DIR *dir = opendir(*folder ? folder : ".");
    const struct fpgz_mark own = fpgz_mark_own();
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char *whole = name_join(folder, strlen(folder), entry->d_name);
        if (left_over(console, whole, &own) && unlink(whole) == 0)
            message_notice(console, 1, whole, "was left over from an output that was not completed; removed");
        free(whole);
    }
    if (dir)
        closedir(dir);
    free(folder);
}
