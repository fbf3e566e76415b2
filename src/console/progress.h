/* SPDX-License-Identifier: MIT
 * How far the work is: a line on a terminal, once it takes longer than a second, and sums over all files. */
#ifndef FPGZ_CONSOLE_PROGRESS_H
#define FPGZ_CONSOLE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* All zeros at first. */
struct progress {
    const char *name; /* NULL: nothing is worked on */
    pid_t process;    /* that began the work */
    bool by_stored, terminal;
    uint64_t total, raw, stored;
    double begun, shown;
    atomic_bool line;                    /* is on the terminal */
    uint64_t files, all_raw, all_stored; /* sums of what was counted */
};

/* Begins work on `total` bytes (FPGZ_UNKNOWN: nobody knows): of raw bytes or, with `by_stored`, of stored
 * ones. `name` is shown, unless `visible` is false, and must last until progress_end(). Within other work of
 * this process, or of the one that it was forked from, nothing changes: what is begun first is what is shown.
 * True when it was not. */
bool progress_begin(struct progress *progress, const char *name, uint64_t total, bool by_stored,
                    bool visible);

/* So many raw bytes, and stored ones, are done. Never called by two threads at once. */
void progress_add(struct progress *progress, uint64_t raw, uint64_t stored);

/* Ends the work that this process began, and erases the line. */
void progress_end(struct progress *progress);

/* Clears the terminal's line for a message, wherever it comes from. */
void progress_clear(struct progress *progress);

/* Stored bytes per raw byte; 1 where there are none. */
double progress_ratio(uint64_t raw, uint64_t stored);

/* A file was compressed, or restored. */
void progress_count(struct progress *progress, uint64_t raw, uint64_t stored);

#endif
