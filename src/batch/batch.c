/* SPDX-License-Identifier: MIT
 * The batch subcommand: chooses the task, and reports its totals at the end. */
#include "batch/batch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "batch/task.h"
#include "console/message.h"

static void report(const struct batch *b, const char *what)
{
    const struct batch_means *means = b->means;
    char shard[60] = "";
    if (b->shard.count > 1)
        snprintf(shard, sizeof shard, "shard %u of %u: ", b->shard.index, b->shard.count);
    message_notice(means->console, 0, NULL,
                   "%s%zu files %s, %zu before, %zu failed; %" PRIu64 " -> %" PRIu64 " bytes, ratio %.4f",
                   shard, b->done, what, b->taken, b->failed, b->raw, b->stored,
                   progress_ratio(b->raw, b->stored));
}

void batch_run(const struct batch_request *request, const struct batch_means *means)
{
    struct batch batch = {.request = request,
                          .means = means,
                          .shard = request->shard,
                          .manifest = {.console = means->console},
                          .journal = {.fd = -1}};
    struct fpgz_error error = {0};
    if (!batch.shard.count && shard_from_environment(&batch.shard, &error)) {
        message_failure(means->console, NULL, &error);
        return;
    }
    if (batch.shard.count > 1)
        message_notice(means->console, 1, NULL, "shard %u of %u, from %s", batch.shard.index,
                       batch.shard.count, batch.shard.origin);
    if (request->check || request->restore ? restore_run(&batch) : archive_run(&batch))
        report(&batch, request->check ? "are good" : request->restore ? "restored" : "archived");
    for (size_t i = 0; i < batch.count; i++) {
        free(batch.task[i].source);
        free(batch.task[i].container);
    }
    free(batch.task);
    manifest_free(&batch.manifest);
    journal_close(&batch.journal);
}
