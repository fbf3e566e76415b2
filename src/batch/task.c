/* SPDX-License-Identifier: MIT
 * The files of a batch: runs them in the pool, and settles each with a record in the manifest. */
#include "batch/task.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "archive/budget.h"
#include "archive/input.h"
#include "batch/pool.h"
#include "console/message.h"
#include "console/no_memory.h"
#include "console/progress.h"
#include "core/clock.h"

struct task *task_add(struct batch *batch, const struct task *task)
{
    if (batch->count == batch->capacity) {
        batch->capacity = 2 * batch->capacity + 64;
        batch->task = realloc(batch->task, batch->capacity * sizeof *batch->task);
        if (!batch->task)
            no_memory_for_names();
    }
    batch->task[batch->count] = *task;
    return &batch->task[batch->count++];
}

static uint64_t bytes(void *context, size_t index)
{
    const struct batch *batch = context;
    return batch->task[index].size;
}

static void work(void *context, size_t index, unsigned threads, void *result)
{
    const struct batch *batch = context;
    const struct task *task = &batch->task[index];
    struct console *const console = batch->means->console;
    struct outcome *outcome = result;
    struct fpgz_terms own = *batch->means->terms;
    const double start = fpgz_clock();
    own.setup.memory = own.setup.memory / batch->processes * threads;
    own.setup.threads = threads;
    if (threads == batch->processes)
        batch->means->lend_device(batch->means->context, &own);
    console->reserve = 1;
    message_reset(console);
    batch->work(batch, task, &own, outcome);
    if (outcome->error.status)
        message_failure(console, task->source, &outcome->error);
    outcome->error = console->last_error;
    outcome->code = console->exit_code;
    outcome->seconds = fpgz_clock() - start;
}

static void end(void *context)
{
    const struct batch *batch = context;
    batch->means->console->reserve = 0;
    batch->means->end_device(batch->means->context);
}

static void settle(void *context, size_t index, void *result)
{
    const struct batch *batch = context;
    struct console *const console = batch->means->console;
    struct outcome *outcome = result;
    message_reset(console);
    batch->settle(batch, &batch->task[index], outcome);
    outcome->code = console->exit_code;
}

/* Of a process that gave no answer. */
static void tell_end(struct console *console, const struct task *task, int signal, struct fpgz_error *error)
{
    fpgz_fail(error, FPGZ_INTERNAL, signal ? "the process was ended by signal %d (%s)" : "the process ended",
              signal, strsignal(signal));
    message_failure(console, task->source, error);
}

static void settled(void *context, size_t index, const void *result, int signal)
{
    const struct batch *batch = context;
    const struct outcome *outcome = result;
    struct fpgz_error error = {0};
    if (outcome)
        message_worsen(batch->means->console, outcome->code);
    else
        tell_end(batch->means->console, &batch->task[index], signal, &error);
}

static bool done(void *context, size_t index, const void *result, int signal)
{
    struct batch *batch = context;
    struct task *task = &batch->task[index];
    struct outcome died = {.code = EXIT_ERROR};
    const struct outcome *outcome = result ? result : &died;
    if (!result)
        tell_end(batch->means->console, task, signal, &died.error);
    message_worsen(batch->means->console, outcome->code);
    if (outcome->code == EXIT_ERROR)
        batch->failed++;
    else if (outcome->taken)
        batch->taken++;
    else
        batch->done++;
    progress_add(&batch->means->console->progress, task->size,
                 outcome->code == EXIT_ERROR ? 0 : outcome->stored);
    return batch->note(batch, task, outcome);
}

static bool flush(void *context)
{
    struct batch *batch = context;
    return !batch->flush || batch->flush(batch);
}

/* The largest first: what is begun last should not take long. */
static int by_size(const void *a, const void *b)
{
    const struct task *x = a, *y = b;
    const int order = (x->size < y->size) - (x->size > y->size);
    return order ? order : strcmp(x->source, y->source);
}

void tasks_run(struct batch *batch)
{
    batch->processes = fpgz_budget_processes(&batch->means->terms->setup);
    const struct pool pool = {
        .count = batch->count,
        .threads = batch->processes,
        .large = batch->processes * (batch->means->has_gpu ? 2 : 16) * batch->means->terms->setup.chunk,
        .result_size = sizeof(struct outcome),
        .context = batch,
        .bytes = bytes,
        .work = work,
        .end = end,
        .done = done,
        .flush = flush,
        .settle = batch->settle ? settle : NULL,
        .settled = settled,
    };
    if (batch->count)
        qsort(batch->task, batch->count, sizeof *batch->task, by_size);
    uint64_t total = 0;
    for (size_t i = 0; i < batch->count; i++)
        total += batch->task[i].size;
    struct console *const console = batch->means->console;
    const bool shown = progress_begin(&console->progress, "batch", total, false, console->verbosity >= 0);
    const bool ok = pool_run(&pool);
    const int reason = errno;
    if (shown)
        progress_end(&console->progress);
    if (!ok)
        message_error(console, FPGZ_IO, NULL, "cannot start a process: %s", strerror(reason));
}

enum fpgz_status path_digest(const char *path, struct fpgz_verified *digest, struct fpgz_error *error)
{
    struct fpgz_input input;
    *digest = (struct fpgz_verified){.summed = true};
    if (!fpgz_input_open(&input, path, error))
        fpgz_file_digest(input.fd, &digest->bytes, &digest->sum, error);
    fpgz_input_close(&input);
    return error->status;
}

const char *path_below(const char *path)
{
    const char *below = path;
    for (const char *at = path; *at; at += strspn(at, "/")) {
        const size_t length = strcspn(at, "/");
        if (length == 2 && !memcmp(at, "..", 2))
            below = at + 2;
        at += length;
    }
    return below + strspn(below, "/");
}
