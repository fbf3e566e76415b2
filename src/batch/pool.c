/* SPDX-License-Identifier: MIT
 * Worker processes that each take a file at a time. One that dies costs its file only. */
#include "batch/pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/bytes.h"
#include "source/formats.h"

struct worker {
    pid_t pid; /* 0: none was started yet, or it is gone */
    unsigned threads;
    size_t index; /* of the file at work */
    enum { WORKS, WAITS, SETTLES } phase;
};

/* What a worker is sent. Its answer is the bytes of a result. */
struct order {
    size_t index;
    unsigned threads;
    bool settle; /* the file that it told of last */
};

struct state {
    const struct pool *pool;
    struct worker *worker;
    struct pollfd *poll; /* one a worker: our end of its socket; events are 0 while it has nothing to do */
    unsigned free;       /* threads that no worker uses */
    size_t next, busy;
    bool stopped;
    void *result;
};

/* A worker's life: orders until there are no more. */
static void serve(const struct pool *p, int fd, void *result)
{
    struct order order;
    while (recv(fd, &order, sizeof order, 0) == sizeof order) {
        if (order.settle) {
            p->settle(p->context, order.index, result);
        } else {
            memset(result, 0, p->result_size);
            p->work(p->context, order.index, order.threads, result);
        }
        fflush(stdout);
        if (send(fd, result, p->result_size, MSG_NOSIGNAL) != (ssize_t)p->result_size)
            break;
    }
    p->end(p->context);
    fpgz_source_stop();
    _exit(0);
}

static bool start(struct state *s, size_t i)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    fflush(stdout);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent)
            _exit(1);
        for (size_t other = 0; other < s->pool->threads; other++)
            if (s->poll[other].fd >= 0)
                close(s->poll[other].fd);
        close(pair[0]);
        serve(s->pool, pair[1], s->result);
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return false;
    }
    s->worker[i].pid = pid;
    s->poll[i].fd = pair[0];
    return true;
}

/* Threads for the next file: all for a large one; and where fewer files than threads are left, each gets more
 * than one. */
static unsigned share(const struct state *s)
{
    const struct pool *p = s->pool;
    const size_t left = p->count - s->next + s->busy;
    if (p->bytes(p->context, s->next) >= p->large)
        return p->threads;
    return left < p->threads ? (unsigned)(p->threads / left) : 1;
}

/* Begins files while threads are free for them. */
static bool begin(struct state *s)
{
    while (!s->stopped && s->next < s->pool->count) {
        const struct order order = {s->next, share(s), false};
        size_t i = 0;
        if (order.threads > s->free)
            break;
        while (s->poll[i].events) /* there is one: each that is busy has a thread at least */
            i++;
        if (!s->worker[i].pid && !start(s, i)) {
            if (s->busy)
                break; /* with those that there are */
            return false;
        }
        s->worker[i].index = order.index;
        s->worker[i].threads = order.threads;
        s->worker[i].phase = WORKS;
        s->poll[i].events = POLLIN;
        s->free -= order.threads;
        s->busy++;
        s->next++;
        send(s->poll[i].fd, &order, sizeof order, MSG_NOSIGNAL); /* to one that died: told by the answer */
    }
    return true;
}

/* Forgets a worker that died; how. */
static int bury(struct state *s, size_t i)
{
    int status = 0;
    close(s->poll[i].fd);
    s->poll[i].fd = -1;
    while (waitpid(s->worker[i].pid, &status, 0) < 0 && errno == EINTR)
        ;
    s->worker[i].pid = 0;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* Takes a worker's answer, or its end for one. */
static void finish(struct state *s, size_t i)
{
    const struct pool *p = s->pool;
    struct worker *w = &s->worker[i];
    ssize_t got;
    do
        got = recv(s->poll[i].fd, s->result, p->result_size, 0);
    while (got < 0 && errno == EINTR);
    const bool answered = got == (ssize_t)p->result_size;
    const int reason = answered ? 0 : bury(s, i);
    s->poll[i].events = 0;
    if (w->phase == SETTLES)
        p->settled(p->context, w->index, answered ? s->result : NULL, reason);
    else if (!p->done(p->context, w->index, answered ? s->result : NULL, reason))
        s->stopped = true;
    else if (answered && p->settle) {
        w->phase = WAITS;
        return;
    }
    s->free += w->threads;
    s->busy--;
}

/* Lets the workers whose results are flushed settle them. Where that failed, they never are. */
static void settle(struct state *s, bool flushed)
{
    for (size_t i = 0; i < s->pool->threads; i++) {
        struct worker *w = &s->worker[i];
        if (!w->pid || w->phase != WAITS)
            continue;
        if (flushed) {
            const struct order order = {w->index, w->threads, true};
            w->phase = SETTLES;
            s->poll[i].events = POLLIN;
            send(s->poll[i].fd, &order, sizeof order, MSG_NOSIGNAL);
        } else {
            w->phase = WORKS;
            s->free += w->threads;
            s->busy--;
        }
    }
}

static bool run(struct state *s)
{
    while (begin(s) && s->busy) {
        while (poll(s->poll, s->pool->threads, -1) < 0)
            if (errno != EINTR)
                return false;
        for (size_t i = 0; i < s->pool->threads; i++)
            if (s->poll[i].revents && s->poll[i].events)
                finish(s, i);
            else if (s->poll[i].revents) /* one that had nothing to do was killed */
                bury(s, i);
        const bool flushed = s->pool->flush(s->pool->context);
        s->stopped |= !flushed;
        settle(s, flushed);
    }
    return s->stopped || s->next == s->pool->count;
}

bool pool_run(const struct pool *pool)
{
    struct state s = {.pool = pool, .free = pool->threads};
    s.worker = calloc(pool->threads, sizeof *s.worker);
    s.poll = calloc(pool->threads, sizeof *s.poll);
    s.result = malloc(pool->result_size);
    bool ok = s.worker && s.poll && s.result;
    for (size_t i = 0; ok && i < pool->threads; i++)
        s.poll[i].fd = -1;
    ok = ok && run(&s);
    const int reason = errno;
    for (size_t i = 0; s.worker && s.poll && i < pool->threads; i++)
        if (s.worker[i].pid) {
            close(s.poll[i].fd); /* which ends it */
            waitpid(s.worker[i].pid, NULL, 0);
        }
    free(s.result);
    free(s.poll);
    free(s.worker);
    errno = reason;
    return ok;
}
