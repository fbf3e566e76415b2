/* SPDX-License-Identifier: MIT
 * Restarted GMRES with a compressed basis, the method of the paper:
 * Gruetzmacher, Underwood, Di, Cappello, Anzt, "FRSZ2 for in-register block compression inside GMRES on
 * GPUs", 2024; Aliaga et al., "Compressed basis GMRES on high-performance graphics processing units", 2022.
 */
#ifndef CB_GMRES_GMRES_H
#define CB_GMRES_GMRES_H

#include "engine.h"

struct gmres_settings {
    unsigned restart;    /* iterations of a cycle: vectors of the basis */
    uint64_t iterations; /* at most, in all */
    double target;       /* relative residual norm, |b - A x| / |b| */
};

enum gmres_end {
    GMRES_CONVERGED,
    GMRES_LIMIT,      /* of iterations */
    GMRES_STAGNATION, /* ten restarts in a row gained less than 1 % together */
    GMRES_BREAKDOWN,  /* the Krylov space ended without a solution in it */
    GMRES_NOT_FINITE, /* a NaN or an infinity came up */
    GMRES_FAILED,     /* the engine's error says why */
};

/* Parts of the time. A part has what the machine was asked for before and not waited for. */
enum gmres_part { GMRES_PRODUCT, GMRES_PASS, GMRES_APPEND, GMRES_UPDATE, GMRES_PARTS };

struct gmres_report {
    enum gmres_end end;
    uint64_t iterations, cycles, passes; /* passes: of orthogonalisation, one or more an iteration */
    uint64_t read;                       /* values of the basis, in all passes and updates */
    double rrn;                          /* true, at the end */
    double seconds, part[GMRES_PARTS];
    double
        *history; /* `iterations` estimates of the relative residual norm; free() it. NULL without memory */
};

void gmres(struct engine *engine, const struct gmres_settings *settings, struct gmres_report *report);

/* What a report's end means, as words in a message. */
const char *gmres_end_text(enum gmres_end end);

#endif
