/* SPDX-License-Identifier: MIT
 * The table of runs, which is the body of an array section (fpgz.5): where in the file the array's bytes
 * are. */
#ifndef FPGZ_CONTAINER_RUNS_H
#define FPGZ_CONTAINER_RUNS_H

#include "core/buffer.h"
#include "core/content.h"
#include "core/status.h"

/* Writes the table of an FPGZ_PIECES or FPGZ_BYTES part; *length receives its bytes. False without memory. */
bool fpgz_runs_pack(const struct fpgz_part *part, struct fpgz_buffer *table, size_t *length);

/* Bytes that the table takes. */
size_t fpgz_runs_bytes(const struct fpgz_part *part);

/* Reads a table into part->place. FPGZ_CORRUPT for bytes that are no table; whether the place fits the
 * part is for fpgz_part_valid() to check. */
enum fpgz_status fpgz_runs_unpack(const uint8_t *table, size_t length, struct fpgz_part *part,
                                  struct fpgz_error *error);

#endif
