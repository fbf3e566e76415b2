/* SPDX-License-Identifier: MIT
 * Which filtered pieces of a file can be made again. */
#ifndef FPGZ_ARCHIVE_TRIAL_H
#define FPGZ_ARCHIVE_TRIAL_H

#include "archive/input.h"
#include "archive/setup.h"
#include "core/content.h"

/* One array in filtered pieces, and what was found of them. */
struct fpgz_trial {
    const struct fpgz_filtered *filtered;
    uint64_t bytes;             /* of a raw piece */
    struct fpgz_stored *stored; /* of each piece in the file's order; of length 0: it is kept as it is */
    uint8_t *unfiltered;        /* all raw pieces, in this order; NULL: not all were made, or they are many */
    bool skipped;               /* no more is tried, and none is made again */
    bool probed;                /* some or all were tried */
    bool plain;                 /* of its part (core/content.h) */
};

/* Undoes the filters of all pieces and does them again, side by side. *unfiltered, which is empty, receives
 * the raw pieces of trials that have them. *seconds receives how long that took one thread. False without
 * memory. */
bool fpgz_trials_run(const struct fpgz_setup *setup, const struct fpgz_input *input, struct fpgz_trial *trial,
                     size_t trials, struct fpgz_buffer *unfiltered, double *seconds);

#endif
