/* SPDX-License-Identifier: MIT
 * Tables of runs (fpgz.5): where in the file an array's bytes are. */
#ifndef FPGZ_CONTAINER_RUNS_H
#define FPGZ_CONTAINER_RUNS_H

#include "container/numbers.h"
#include "core/content.h"
#include "core/status.h"

/* Appends the runs of an FPGZ_PIECES or FPGZ_BYTES part. */
void fpgz_runs_add(const struct fpgz_part *part, struct fpgz_numbers *numbers);

/* Bytes that they take. */
size_t fpgz_runs_bytes(const struct fpgz_part *part);

/* Reads `count` runs, or with UINT64_MAX all that there are, into part->place. FPGZ_CORRUPT for bytes that
 * are no runs; whether the place fits the part is for fpgz_part_valid() to check. */
enum fpgz_status fpgz_runs_take(struct fpgz_number_view *view, uint64_t count, struct fpgz_part *part,
                                struct fpgz_error *error);

#endif
