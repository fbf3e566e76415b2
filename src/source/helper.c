/* SPDX-License-Identifier: MIT
 * The helper process and its messages. A request carries the work and two descriptors: the file, and the
 * writing end of a pipe. When the work is done, the helper answers with an error. It is a fork of this
 * program, so pointers to functions are valid in it. */
#include "source/helper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/bytes.h"
#include "source/child.h"

struct message {
    struct fpgz_work work;
    uint64_t memory;
    size_t length; /* of the context, which follows */
};

/* The descriptors of a message. */
struct fds {
    int file, pipe;
};

/* Room for the control message with the descriptors, aligned as it must be. */
union control {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(struct fds))];
};

static struct {
    pid_t owner; /* the process that started it: a fork of that one has no helper yet */
    pid_t pid;
    int socket;
} helper;

static uint64_t allowed = FPGZ_HELPER_MEMORY;

void fpgz_helper_allow(uint64_t bytes)
{
    allowed = bytes < FPGZ_HELPER_MEMORY ? bytes : FPGZ_HELPER_MEMORY;
}

uint64_t fpgz_helper_allowed(void)
{
    return allowed;
}

/* Closes all files that were inherited from the parent process, so that the helper holds none of its locks
 * and pipes open. */
static void close_all_but(int socket)
{
    const int null = open("/dev/null", O_RDWR);
    for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
        dup2(null, fd);
    DIR *const folder = opendir("/proc/self/fd");
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        const int fd = atoi(entry->d_name);
        if (fd > STDERR_FILENO && fd != socket && fd != dirfd(folder))
            close(fd);
    }
    if (folder)
        closedir(folder);
}

/* Waits for a message and its descriptors; false when there are no more. */
static bool receive(int socket, struct message *message, void *context, struct fds *fds)
{
    union control control = {0};
    struct iovec parts[] = {{message, sizeof *message}, {context, FPGZ_HELPER_MOST}};
    struct msghdr head = {
        .msg_iov = parts, .msg_iovlen = 2, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got;
    do
        got = recvmsg(socket, &head, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    const struct cmsghdr *const sent = got > 0 ? CMSG_FIRSTHDR(&head) : NULL;
    *fds = (struct fds){-1, -1};
    if (sent && sent->cmsg_type == SCM_RIGHTS) /* fewer where this process may open no more */
        memcpy(fds, CMSG_DATA(sent), fpgz_min(sent->cmsg_len - CMSG_LEN(0), sizeof *fds));
    return got >= (ssize_t)sizeof *message;
}

static void do_work(const struct message *message, const void *context, const struct fds *fds,
                    struct fpgz_error *error)
{
    fpgz_helper_allow(message->memory);
    if (fds->file < 0 || fds->pipe < 0)
        fpgz_fail(error, FPGZ_IO, "too many files are open");
    else if (!message->work.prepare || !message->work.prepare(error)) {
        fpgz_child_run(&message->work, context, fds->file, fds->pipe, error);
        return;
    }
    close(fds->file);
    close(fds->pipe);
}

/* The helper's loop. */
static _Noreturn void serve(int socket)
{
    static _Alignas(16) char context[FPGZ_HELPER_MOST];
    struct message message;
    struct fds fds;
    while (receive(socket, &message, context, &fds)) {
        struct fpgz_error error = {0};
        do_work(&message, context, &fds, &error);
        if (send(socket, &error, sizeof error, MSG_NOSIGNAL) != (ssize_t)sizeof error)
            break;
    }
    _exit(0);
}

/* Forgets the helper; closing the socket ends it. */
static void forget(void)
{
    if (!helper.owner)
        return;
    close(helper.socket);
    if (helper.owner == getpid())
        while (waitpid(helper.pid, NULL, 0) < 0 && errno == EINTR)
            ;
    helper.owner = 0;
}

/* Whether the helper still runs. */
static bool runs(void)
{
    char byte;
    return helper.owner == getpid() && recv(helper.socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
           errno == EAGAIN;
}

enum fpgz_status fpgz_helper_start(struct fpgz_error *error)
{
    int pair[2];
    if (runs())
        return FPGZ_OK;
    forget();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return fpgz_fail(error, FPGZ_IO, "cannot make a socket: %s", strerror(errno));
    const pid_t self = getpid(), pid = fork();
    if (pid == 0) {
        fpgz_child_settle(self);
        close_all_but(pair[1]);
        serve(pair[1]);
    }
    if (pid < 0)
        fpgz_fail(error, FPGZ_MEMORY, "cannot start a process: %s", strerror(errno));
    close(pair[1]);
    if (pid < 0)
        close(pair[0]);
    else {
        helper.owner = self;
        helper.pid = pid;
        helper.socket = pair[0];
    }
    return error->status;
}

void fpgz_helper_stop(void)
{
    forget();
}

static bool send_message(const struct message *message, const void *context, int file, int pipe)
{
    const struct fds fds = {file, pipe};
    union control control = {0};
    struct iovec parts[] = {{(void *)message, sizeof *message}, {(void *)context, message->length}};
    struct msghdr head = {
        .msg_iov = parts, .msg_iovlen = 2, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *const sent = CMSG_FIRSTHDR(&head);
    sent->cmsg_level = SOL_SOCKET;
    sent->cmsg_type = SCM_RIGHTS;
    sent->cmsg_len = CMSG_LEN(sizeof fds);
    memcpy(CMSG_DATA(sent), &fds, sizeof fds);
    ssize_t done;
    do
        done = sendmsg(helper.socket, &head, MSG_NOSIGNAL);
    while (done < 0 && errno == EINTR);
    return done >= 0;
}

static enum fpgz_status fail_gone(struct fpgz_error *error)
{
    return fpgz_fail(error, FPGZ_IO, "the process that was to read it is gone");
}

enum fpgz_status fpgz_helper_ask(const struct fpgz_work *work, const void *context, size_t length, int file,
                                 int *fd, struct fpgz_error *error)
{
    const struct message message = {*work, allowed, length};
    int ends[2];
    if (helper.owner != getpid())
        return fpgz_fail(error, FPGZ_UNSUPPORTED, "no process was started that reads such files");
    if (length > FPGZ_HELPER_MOST)
        return fpgz_fail(error, FPGZ_USAGE, "has no dataset with so long a name");
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fpgz_fail(error, FPGZ_IO, "cannot make a pipe: %s", strerror(errno));
    const bool sent = send_message(&message, context, file, ends[1]);
    close(ends[1]);
    *fd = ends[0];
    if (sent)
        return FPGZ_OK;
    close(ends[0]);
    return fail_gone(error);
}

enum fpgz_status fpgz_helper_end(int fd, struct fpgz_error *error)
{
    struct fpgz_error answer;
    ssize_t got;
    close(fd);
    do
        got = recv(helper.socket, &answer, sizeof answer, 0);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof answer)
        return fail_gone(error);
    return answer.status ? fpgz_fail(error, answer.status, "%s", answer.text) : error->status;
}
