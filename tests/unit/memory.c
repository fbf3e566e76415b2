/* SPDX-License-Identifier: MIT
 * The memory that a control group allows, from trees of files as Linux has them, jobs that claim memory
 * and are slow, threads that share seats, and buffers in one mapping.
 * usage: unit_memory   prints what failed; works in the current folder. */
#include <ftw.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../checks.h"
#include "core/buffer.h"
#include "core/memory.h"
#include "engine/pipeline.h"
#include "engine/seats.h"

/* Writes a file, and the folders above it. */
static void put(const char *path, const char *text)
{
    char folder[200];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = folder; (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = '\0';
        mkdir(folder, 0777);
    }
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void test_groups(void)
{
    const uint64_t machine = fpgz_memory_allowed("");
    CHECK(machine);
    CHECK(fpgz_memory_allowed("none") >= machine);
    put("v2/proc/self/cgroup", "0::/slurm/job/step\n");
    put("v2/sys/fs/cgroup/slurm/job/step/memory.max", "max\n");
    CHECK(fpgz_memory_allowed("v2") >= machine);
    put("v2/sys/fs/cgroup/slurm/memory.max", "1000000\n");
    CHECK(fpgz_memory_allowed("v2") == 1000000);
    put("v2/sys/fs/cgroup/memory.max", "999999\n");
    CHECK(fpgz_memory_allowed("v2") == 999999);
    put("v2/sys/fs/cgroup/slurm/job/step/memory.max", "65536\n");
    CHECK(fpgz_memory_allowed("v2") == 65536);
    put("v1/proc/self/cgroup", "12:cpu,cpuacct:/a\n4:hugetlb,memory:/b/c\n1:name=systemd:/d\n");
    put("v1/sys/fs/cgroup/memory/b/c/memory.limit_in_bytes", "9223372036854771712\n");
    CHECK(fpgz_memory_allowed("v1") >= machine);
    put("v1/sys/fs/cgroup/memory/b/memory.limit_in_bytes", "70000\n");
    CHECK(fpgz_memory_allowed("v1") == 70000);
    put("odd/proc/self/cgroup", "nothing\n:\n0:\n");
    CHECK(fpgz_memory_allowed("odd") >= machine);
}

/* Jobs of which each holds what it claimed until it is released. What is lent to it is a buffer, which begins
 * with its size. */
enum { JOBS = 300, PAGE = 4096, LIMIT = 1000 * PAGE };

struct claiming {
    struct fpgz_pipeline *pipeline;
    unsigned filled, drained, refused;
    bool in_order, above;
};

struct claimer {
    unsigned number;
    uint64_t bytes;
    struct fpgz_buffer lent[FPGZ_LENT];
};

static atomic_uint_fast64_t held;  /* by all jobs, and in what is lent to them */
static atomic_uint awake, crowded; /* threads at work, and how often they were more than may be */
static atomic_uint mixed;          /* how often another job had the same buffer */

static void hold(struct claimer *job, uint64_t bytes)
{
    held += bytes - job->bytes;
    job->bytes = bytes;
}

static void give_up(void *data)
{
    held -= *(uint64_t *)data;
}

/* As much as there is, or more. */
static uint64_t grown(const struct fpgz_buffer *buffer, uint64_t bytes)
{
    return buffer->capacity > bytes ? buffer->capacity : bytes;
}

static void hold_lent(struct fpgz_buffer *buffer, uint64_t bytes)
{
    if (buffer->capacity >= bytes)
        return;
    CHECK(fpgz_buffer_reserve(buffer, bytes) && buffer->capacity == bytes);
    *(uint64_t *)buffer->data = bytes;
    buffer->unpin = give_up;
    held += bytes;
}

static bool claim(void *context, void *slot)
{
    struct claiming *c = context;
    struct claimer *job = slot;
    if (c->filled == JOBS)
        return false;
    job->number = c->filled++;
    const uint64_t bytes = job->number % 50 == 49 ? 3 * LIMIT : (100 + job->number * 97 % 500) * PAGE;
    const uint64_t lent = grown(&job->lent[1], (1 + job->number * 31 % 100) * PAGE);
    c->refused += !fpgz_pipeline_claim(c->pipeline, job, bytes, lent);
    hold(job, bytes);
    hold_lent(&job->lent[1], lent);
    c->above |= held > (bytes > LIMIT ? bytes + lent : LIMIT);
    return true;
}

/* Works, then sleeps as threads do while a GPU works, then works. */
static void idle(void *context, void *slot)
{
    const unsigned busy = ((const struct claiming *)context)->pipeline->busy;
    const struct claimer *const job = slot;
    uint64_t *const mine = (uint64_t *)job->lent[1].data + 1;
    *mine = job->number;
    crowded += ++awake > busy;
    usleep(30);
    awake--;
    fpgz_seat_leave();
    usleep(100);
    fpgz_seat_return();
    crowded += ++awake > busy;
    awake--;
    mixed += *mine != job->number;
}

static bool drain(void *context, void *slot)
{
    struct claiming *c = context;
    const struct claimer *job = slot;
    c->in_order &= job->number == c->drained++ && !job->lent[1].data;
    return true;
}

static void release(void *slot)
{
    hold(slot, 0);
}

static void test_claims(void)
{
    for (unsigned trial = 0; trial < 8 * 4; trial++) {
        const unsigned threads = 1 + trial % 8, busy = 1 + trial / 8;
        struct fpgz_pipeline pipeline = {.threads = threads,
                                         .busy = busy < threads ? busy : threads,
                                         .job_size = sizeof(struct claimer),
                                         .lent_at = offsetof(struct claimer, lent),
                                         .lent = FPGZ_LENT,
                                         .memory = LIMIT,
                                         .fill = claim,
                                         .work = idle,
                                         .drain = drain,
                                         .release = release};
        struct claiming c = {.pipeline = &pipeline, .in_order = true};
        pipeline.context = &c;
        CHECK(fpgz_pipeline_run(&pipeline));
        CHECK(c.drained == JOBS && c.in_order && !c.above);
        CHECK(c.refused == JOBS / 50);
        CHECK(held == 0);
        CHECK(!crowded && !mixed);
    }
}

/* Jobs of which the first one takes until all others that may be in flight are done. */
struct passing {
    unsigned filled;
    atomic_uint passed, made; /* jobs behind the first one; buffers that were new */
    unsigned beside;          /* of them while the first one was worked on */
};

enum { PASSERS = 100, PASSING_THREADS = 4, IN_FLIGHT = 2 * PASSING_THREADS };

static bool pass_fill(void *context, void *slot)
{
    struct passing *const p = context;
    ((struct claimer *)slot)->number = p->filled++;
    return p->filled <= PASSERS;
}

static void pass_work(void *context, void *slot)
{
    struct passing *const p = context;
    struct claimer *const job = slot;
    p->made += !job->lent[0].data;
    fpgz_buffer_reserve(&job->lent[0], PAGE);
    p->passed += job->number > 0;
    fpgz_seat_leave();
    for (unsigned i = 0; !job->number && i < 20000 && p->passed < IN_FLIGHT - 1; i++)
        usleep(1000);
    if (!job->number) {
        usleep(10000); /* for more than that, were they let in */
        p->beside = p->passed;
    }
    fpgz_seat_return();
}

static bool pass_drain(void *context, void *slot)
{
    (void)context, (void)slot;
    return true;
}

static void pass_release(void *slot)
{
    (void)slot;
}

/* With a GPU a slow job stops others only once twice as many as there are threads are in flight, and those
 * that are done hold nothing that was lent to them. */
static void test_slow(void)
{
    struct passing p = {.filled = 0};
    struct fpgz_pipeline pipeline = {.threads = PASSING_THREADS,
                                     .busy = PASSING_THREADS - 1,
                                     .job_size = sizeof(struct claimer),
                                     .lent_at = offsetof(struct claimer, lent),
                                     .lent = FPGZ_LENT,
                                     .memory = LIMIT,
                                     .context = &p,
                                     .fill = pass_fill,
                                     .work = pass_work,
                                     .drain = pass_drain,
                                     .release = pass_release};
    CHECK(fpgz_pipeline_run(&pipeline));
    CHECK(p.beside == IN_FLIGHT - 1 && p.passed == PASSERS - 1);
    CHECK(p.made <= PASSING_THREADS);
}

static int drop(const char *path, const struct stat *stat, int kind, struct FTW *at)
{
    (void)stat, (void)kind, (void)at;
    return remove(path);
}

/* Buffers of one mapping are apart, grow and end each by itself, and are left alone where one is there. */
static void test_buffers(void)
{
    struct fpgz_buffer small = {0}, large = {0}, other = {0};
    struct fpgz_buffer *const both[] = {&small, &large}, *const third[] = {&large, &other};
    const size_t wanted[] = {5000, 3 << 20}, nothing[] = {5000, 0};
    fpgz_buffer_reserve_together(both, nothing, 2);
    CHECK(!small.data && !large.data);
    fpgz_buffer_reserve_together(both, wanted, 2);
    CHECK(small.capacity == 65536 && large.data == small.data + 65536 && large.capacity >= wanted[1]);
    fpgz_buffer_reserve_together(third, wanted, 2);
    CHECK(!other.data);
    memset(small.data, 1, small.capacity);
    memset(large.data, 2, large.capacity);
    CHECK(fpgz_buffer_reserve(&small, 65537) &&
          (small.data + small.capacity <= large.data || small.data >= large.data + large.capacity));
    memset(small.data, 3, small.capacity);
    CHECK(large.data[0] == 2 && large.data[large.capacity - 1] == 2);
    fpgz_buffer_free(&large);
    CHECK(small.data[65536] == 3);
    fpgz_buffer_free(&small);
}

int main(void)
{
    char folder[] = "memory-XXXXXX";
    CHECK(mkdtemp(folder) && chdir(folder) == 0);
    test_groups();
    test_claims();
    test_slow();
    CHECK(chdir("..") == 0 && nftw(folder, drop, 8, FTW_DEPTH | FTW_PHYS) == 0);
    test_buffers();
    return checks_end();
}
