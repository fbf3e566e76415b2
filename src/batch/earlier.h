/* SPDX-License-Identifier: MIT
 * Containers that earlier runs left. */
#ifndef FPGZ_BATCH_EARLIER_H
#define FPGZ_BATCH_EARLIER_H

#include "batch/task.h"

/* Syncs a container and decodes it from the disk; damaged chunks are reported under `name`, or with NULL the
 * first is the error. */
enum fpgz_status earlier_decode(const char *container, const char *name, const struct fpgz_terms *terms,
                                struct fpgz_verified *restored, struct fpgz_error *error);

/* A container that no manifest tells of, as a run leaves that ended between the two: taken if it restores the
 * source, else FPGZ_EXISTS in o->error; never replaced. */
void earlier_take_over(const struct task *task, const struct fpgz_terms *terms, struct outcome *o);

/* Of a source that an earlier run archived, before it may be removed: whether its container restores what the
 * manifest says, and it still holds that, or o->error tells why nobody should touch either. False, with a
 * warning, where it is to be archived again, as it is where the bytes differ and it may be replaced. */
bool earlier_confirm(const struct batch *batch, const struct task *task, const struct fpgz_terms *terms,
                     struct outcome *o);

#endif
