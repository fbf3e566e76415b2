/* SPDX-License-Identifier: MIT
 * Threads that all do the same work at once, each its share. */
#ifndef CB_GMRES_CREW_H
#define CB_GMRES_CREW_H

#include <stdbool.h>

struct crew;

typedef void crew_work(void *what, unsigned thread);

/* So many threads, the caller's among them. NULL where they cannot be had. */
struct crew *crew_begin(unsigned threads);
void crew_end(struct crew *crew);

/* Calls work(what, thread) for each thread, and returns when all are done. */
void crew_run(struct crew *crew, crew_work *work, void *what);

#endif
