/* SPDX-License-Identifier: MIT
 * --memory: how chunks are cut, and how many are in flight, so that the process stays within it. */
#ifndef FPGZ_ARCHIVE_BUDGET_H
#define FPGZ_ARCHIVE_BUDGET_H

#include "archive/setup.h"
#include "core/content.h"
#include "engine/need.h"
#include "engine/pipeline.h"

/* Gives the process that reads datasets (source/helper.h) its part of setup->memory. */
void fpgz_budget_share(struct fpgz_setup *setup);

/* Threads, and bytes that chunks may take, within the setup's memory. */
unsigned fpgz_budget_threads(const struct fpgz_setup *setup);
uint64_t fpgz_budget_chunks(const struct fpgz_setup *setup);

/* The same for the chunks of so many threads: one thread, which has one at a time, may take what that needs,
 * where nobody gave a limit. */
uint64_t fpgz_budget_room(const struct fpgz_setup *setup, unsigned threads);

/* Whether jobs of so many threads may be kept for the next file: their memory is not counted there. */
bool fpgz_budget_keeps(const struct fpgz_terms *terms, unsigned threads);

/* Chooses how a file's parts, from `part` on, are cut: as the options say. With --memory, and without
 * --chunk, chunks are made small enough for one to fit. FPGZ_MEMORY, with the limit that would suffice, when
 * none fits. */
enum fpgz_status fpgz_budget_cut(const struct fpgz_setup *setup, int level, const struct fpgz_part *part,
                                 size_t parts, uint64_t *target, uint64_t *slab, struct fpgz_error *error);

/* FPGZ_MEMORY, with the limit that would suffice, where `bytes` are more than --memory allows. */
enum fpgz_status fpgz_budget_check(const struct fpgz_setup *setup, uint64_t bytes, struct fpgz_error *error);

/* For fill(): waits until there is room for the job's buffers and `more` bytes beside them, and takes those
 * that a first chunk needs. FPGZ_MEMORY, with the limit that would suffice, when there never is. */
enum fpgz_status fpgz_budget_claim(const struct fpgz_setup *setup, const struct fpgz_pipeline *pipeline,
                                   const void *job, struct fpgz_chunk_buffers *buffers,
                                   const struct fpgz_need *need, uint64_t more, struct fpgz_error *error);

/* How many processes, of one thread each, can each do a file at the same time. */
unsigned fpgz_budget_processes(const struct fpgz_setup *setup);

#endif
