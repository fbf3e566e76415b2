/* SPDX-License-Identifier: MIT
 * The line of progress on a terminal, and the sums of bytes that --json and the summary tell. */
#include "console/progress.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "console/printable.h"
#include "core/grid.h"

#define SECONDS_BEFORE 1.0
#define SECONDS_BETWEEN 0.2

static struct {
    const char *name; /* NULL: nothing is worked on */
    pid_t process;
    bool by_stored, terminal;
    uint64_t total, raw, stored;
    double begun, shown;
} work;
static atomic_bool line; /* is on the terminal */
static uint64_t files, all_raw, all_stored;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

bool progress_begin(const char *name, uint64_t total, bool by_stored, bool visible)
{
    if (work.name)
        return false;
    work.terminal = visible && isatty(STDERR_FILENO);
    work.name = name;
    work.process = getpid();
    work.by_stored = by_stored;
    work.total = total;
    work.raw = work.stored = 0;
    work.begun = work.shown = now();
    return true;
}

/* "12.3 MB" */
static const char *size_text(double bytes, char text[24])
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
        bytes /= 1000;
    snprintf(text, 24, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
    return text;
}

static void show(double time)
{
    const double done = (double)(work.by_stored ? work.stored : work.raw), taken = time - work.begun;
    char bytes[24], text[400], left[64] = "";
    struct winsize window;
    if (work.total != FPGZ_UNKNOWN && done > 0 && done <= (double)work.total) {
        const double seconds = taken * ((double)work.total - done) / done;
        snprintf(left, sizeof left, ", %.0f %%, %.0f:%02d left", 100 * done / (double)work.total,
                 (seconds - (double)((uint64_t)seconds % 60)) / 60, (int)((uint64_t)seconds % 60));
    }
    const size_t columns =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1 ? window.ws_col : 80;
    const size_t room = columns < sizeof text ? columns : sizeof text;
    const int used =
        snprintf(text, room, "%s%s, ratio %.4f, %.0f MB/s: ", size_text((double)work.raw, bytes), left,
                 work.raw ? (double)work.stored / (double)work.raw : 1.0, (double)work.raw / taken / 1e6);
    /* No character is wider than its bytes are many. */
    if ((size_t)used < room)
        printable_copy(text + used, room - (size_t)used, work.name);
    line = true;
    fprintf(stderr, "\r%s\033[K", text);
    fflush(stderr);
    work.shown = time;
}

void progress_add(uint64_t raw, uint64_t stored)
{
    if (!work.name || !work.terminal || work.process != getpid())
        return;
    work.raw += raw;
    work.stored += stored;
    const double time = now();
    if (time - work.begun > SECONDS_BEFORE && time - work.shown > SECONDS_BETWEEN)
        show(time);
}

void progress_clear(void)
{
    /* A worker cannot know whether the one that forked it has shown a line since then. */
    if (atomic_exchange(&line, false) || (work.name && work.terminal && work.process != getpid()))
        fputs("\r\033[K", stderr);
}

void progress_end(void)
{
    progress_clear();
    work.name = NULL;
}

void progress_count(uint64_t raw, uint64_t stored)
{
    files++;
    all_raw += raw;
    all_stored += stored;
}

uint64_t progress_sums(uint64_t *raw, uint64_t *stored)
{
    *raw = all_raw;
    *stored = all_stored;
    return files;
}
