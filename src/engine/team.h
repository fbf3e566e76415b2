/* SPDX-License-Identifier: MIT
 * Threads that sleep until there is something that they can do side by side. Starting them for each call of
 * a millisecond would take longer than what they do. */
#ifndef FPGZ_ENGINE_TEAM_H
#define FPGZ_ENGINE_TEAM_H

#include <stddef.h>

/* One call at a time. */
struct fpgz_team;

/* NULL without memory. */
struct fpgz_team *fpgz_team_open(void);

/* NULL is fine. */
void fpgz_team_close(struct fpgz_team *team);

enum { FPGZ_TEAM_MOST = 16 };

/* Calls work(context, i, member) for each i below `count`, by up to so many threads (at most FPGZ_TEAM_MOST),
 * and returns when all is done. Each of them has a number of its own below `threads`; the caller has 0. It
 * goes on with fewer where no more can be started. */
void fpgz_team_run(struct fpgz_team *team, unsigned threads, size_t count,
                   void (*work)(void *context, size_t i, unsigned member), void *context);

#endif
