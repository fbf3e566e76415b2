/* SPDX-License-Identifier: MIT
 * The job that restores what is left of damaged containers. */
#ifndef FPGZ_ARCHIVE_RECOVERY_H
#define FPGZ_ARCHIVE_RECOVERY_H

#include "archive/catalog.h"
#include "archive/input.h"
#include "archive/landing.h"
#include "archive/loss.h"
#include "container/salvage.h"

struct fpgz_recovery {
    const struct fpgz_terms *terms;
    const struct fpgz_input *input;
    struct fpgz_salvage salvage;
    struct fpgz_catalog
        archive; /* the present member: its index is made of what was found, and its start is unknown */
    struct fpgz_landing landing;
    struct fpgz_loss loss;
    struct fpgz_image image;    /* of the member's file */
    uint64_t base;              /* bytes of the output before the member's */
    uint64_t chunks;            /* restored, of all members */
    uint64_t chunks_found;      /* of the member */
    bool has_metadata;          /* of the first member */
    struct fpgz_file_head file; /* the same */
    struct fpgz_xattrs xattrs;  /* the same */
    const struct fpgz_pipeline *pipeline;
    struct fpgz_error fill_error;
    struct fpgz_error error; /* that ends the job: of the output, or a lack of memory */
};

/* Restores all members that recovery->salvage has found to fd; recovery->error has the status. Losses are
 * reported as warnings. */
enum fpgz_status fpgz_recovery_run(struct fpgz_recovery *recovery, int fd);

void fpgz_recovery_free(struct fpgz_recovery *recovery);

#endif
