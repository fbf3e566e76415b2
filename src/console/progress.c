/* SPDX-License-Identifier: MIT
 * The line of progress on a terminal, and the sums of bytes that --json and the summary tell. */
#include "console/progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "console/printable.h"
#include "core/clock.h"
#include "core/grid.h"

#define SECONDS_BEFORE 1.0
#define SECONDS_BETWEEN 0.2

bool progress_begin(struct progress *p, const char *name, uint64_t total, bool by_stored, bool visible)
{
    if (p->name)
        return false;
    p->terminal = visible && isatty(STDERR_FILENO);
    p->name = name;
    p->process = getpid();
    p->by_stored = by_stored;
    p->total = total;
    p->raw = p->stored = 0;
    p->begun = p->shown = fpgz_clock();
    return true;
}

double progress_ratio(uint64_t raw, uint64_t stored)
{
    return raw ? (double)stored / (double)raw : 1.0;
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

static void show(struct progress *p, double time)
{
    const double done = (double)(p->by_stored ? p->stored : p->raw), taken = time - p->begun;
    char bytes[24], text[400], left[64] = "";
    struct winsize window;
    if (p->total != FPGZ_UNKNOWN && done > 0 && done <= (double)p->total) {
        const double seconds = taken * ((double)p->total - done) / done;
        snprintf(left, sizeof left, ", %.0f %%, %.0f:%02d left", 100 * done / (double)p->total,
                 (seconds - (double)((uint64_t)seconds % 60)) / 60, (int)((uint64_t)seconds % 60));
    }
    const size_t columns =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1 ? window.ws_col : 80;
    const size_t room = columns < sizeof text ? columns : sizeof text;
    const int used = snprintf(text, room, "%s%s, ratio %.4f, %.0f MB/s: ", size_text((double)p->raw, bytes),
                              left, progress_ratio(p->raw, p->stored), (double)p->raw / taken / 1e6);
    /* No character is wider than its bytes are many. */
    if ((size_t)used < room)
        printable_copy(text + used, room - (size_t)used, p->name);
    p->line = true;
    fprintf(stderr, "\r%s\033[K", text);
    fflush(stderr);
    p->shown = time;
}

void progress_add(struct progress *p, uint64_t raw, uint64_t stored)
{
    if (!p->name || !p->terminal || p->process != getpid())
        return;
    p->raw += raw;
    p->stored += stored;
    const double time = fpgz_clock();
    if (time - p->begun > SECONDS_BEFORE && time - p->shown > SECONDS_BETWEEN)
        show(p, time);
}

void progress_clear(struct progress *p)
{
    /* A worker cannot know whether the one that forked it has shown a line since then. */
    if (atomic_exchange(&p->line, false) || (p->name && p->terminal && p->process != getpid()))
        fputs("\r\033[K", stderr);
}

void progress_end(struct progress *p)
{
    progress_clear(p);
    p->name = NULL;
}

void progress_count(struct progress *p, uint64_t raw, uint64_t stored)
{
    p->files++;
    p->all_raw += raw;
    p->all_stored += stored;
}
