/* SPDX-License-Identifier: MIT
 * Containers that earlier runs left, and what shows that they are good. */
#include "batch/earlier.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "archive/input.h"
#include "console/message.h"
#include "files/folder.h"

enum fpgz_status earlier_decode(const char *container, const char *name, const struct fpgz_terms *terms,
                                struct fpgz_verified *restored, struct fpgz_error *error)
{
    struct fpgz_input input;
    if (!fpgz_input_open(&input, container, error)) {
        if (fsync(input.fd) != 0 || !folder_sync(container))
            fpgz_fail(error, FPGZ_IO, "cannot sync %s: %s", container, strerror(errno));
        else
            fpgz_check_container(terms, input.fd, name, NULL, true, restored, error);
    }
    fpgz_input_close(&input);
    return error->status;
}

/* Takes down what the source holds, beside a container that was found to be good. */
static enum fpgz_status digest_source(const struct task *t, struct outcome *o)
{
    struct proof *proof = &o->proof;
    struct fpgz_input input;
    if (!fpgz_input_open(&input, t->source, &o->error)) {
        *proof = (struct proof){
            .source = input.stat, .held.summed = true, .synced = true, .xattrs = o->restored.xattrs};
        fpgz_file_digest(input.fd, &proof->held.bytes, &proof->held.sum, &o->error);
    }
    fpgz_input_close(&input);
    return o->error.status;
}

void earlier_take_over(const struct task *t, const struct fpgz_terms *terms, struct outcome *o)
{
    const struct fpgz_verified *held = &o->proof.held, *restored = &o->restored;
    struct fpgz_error other = {0};
    o->taken = true;
    if (earlier_decode(t->container, t->container, terms, &o->restored, &other) ||
        (!digest_source(t, o) && (held->bytes != restored->bytes || held->sum != restored->sum)))
        fpgz_fail(&o->error, FPGZ_EXISTS,
                  "%s exists already, but does not restore this file; -f replaces it, --output-dir puts "
                  "containers elsewhere",
                  t->container);
}

/* Whether a failure means that the container is lost, and not that it cannot be decoded here and now. */
static bool is_loss(enum fpgz_status status)
{
    return status == FPGZ_CORRUPT || status == FPGZ_TRUNCATED || status == FPGZ_FOREIGN || status == FPGZ_IO;
}

/* Of an archived source: what became of it, unless *again says that it is to be archived again. */
static void examine(const struct batch *b, const struct task *t, const struct fpgz_terms *terms,
                    struct outcome *o, bool *again)
{
    const struct record *r = t->known;
    const struct fpgz_verified *held = &o->proof.held, *restored = &o->restored;
    struct fpgz_error lost = {0};
    if (earlier_decode(t->container, NULL, terms, &o->restored, &lost)) {
        *again = is_loss(lost.status);
        if (*again)
            message_warning(b->means->console, FPGZ_WARNING_AGAIN, t->source,
                            "is archived again, for %s was lost: %s", t->container, lost.text);
        else
            o->error = lost;
        return;
    }
    if (digest_source(t, o))
        return;
    const bool same = held->bytes == r->size && held->sum == r->sum;
    const bool good = same && restored->bytes == r->size && restored->sum == r->restored_sum;
    *again = !good && (b->means->replaces || !record_is_of(r, &o->proof.source));
    if (good || *again)
        return;
    if (same)
        fpgz_fail(&o->error, FPGZ_EXISTS, "%s restores something else than the manifest says; -f replaces it",
                  t->container);
    else
        fpgz_fail(&o->error, FPGZ_EXISTS,
                  "holds other bytes than when it was archived, though its size and time are the same; %s "
                  "has those, "
                  "and -f replaces it",
                  t->container);
}

bool earlier_confirm(const struct batch *b, const struct task *t, const struct fpgz_terms *terms,
                     struct outcome *o)
{
    bool again = false;
    o->taken = true;
    o->told = !t->known->error; /* which is no longer so */
    examine(b, t, terms, o, &again);
    if (again)
        *o = (struct outcome){0};
    return !again;
}
