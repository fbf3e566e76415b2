/* SPDX-License-Identifier: MIT
 * Checking an archive against its manifest, and bringing its tree back. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/input.h"
#include "batch/folders.h"
#include "batch/targets.h"
#include "batch/task.h"
#include "console/message.h"
#include "core/text.h"
#include "files/folder.h"
#include "files/name.h"
#include "files/output.h"
#include "files/temporary.h"
#include "files/unpack.h"

/* Whether the container is as the manifest says, and then: what it restores. */
static enum fpgz_status compare(const struct record *r, const struct fpgz_verified *restored,
                                struct fpgz_error *error)
{
    if (restored->bytes != r->size || restored->sum != r->restored_sum)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "restores to %" PRIu64 " bytes of XXH3 %016" PRIx64
                         ", but the manifest says %" PRIu64 " of %016" PRIx64,
                         restored->bytes, restored->sum, r->size, r->restored_sum);
    return FPGZ_OK;
}

static enum fpgz_status open_container(struct fpgz_input *input, const struct record *r,
                                       struct fpgz_error *error)
{
    struct stat there;
    *input = (struct fpgz_input){.fd = -1};
    if (stat(r->container, &there) == 0 && !S_ISREG(there.st_mode)) /* opening a FIFO would wait for ever */
        return fpgz_fail(error, FPGZ_IO, "is no regular file");
    if (fpgz_input_open(input, r->container, error))
        return error->status;
    if (input->size != r->stored)
        return fpgz_fail(error, FPGZ_CORRUPT, "has %" PRIu64 " bytes, but the manifest says %" PRIu64,
                         input->size, r->stored);
    return FPGZ_OK;
}

static void check(const struct batch *b, const struct task *t, const struct fpgz_terms *terms,
                  struct outcome *o)
{
    struct fpgz_error error = {0};
    struct fpgz_input input;
    if (open_container(&input, t->known, &error) ||
        fpgz_check_container(terms, input.fd, t->container, NULL, true, &o->restored, &error) ||
        compare(t->known, &o->restored, &error))
        message_failure(b->means->console, t->container, &error);
    fpgz_input_close(&input);
}

/* Whether the current folder has the file as the manifest says: name, size and time are no proof. What may be
 * replaced must have its time, too. */
static bool restored_before(const struct record *r, const char *name, bool replace)
{
    const struct timespec *const then = &r->times.mtime;
    struct fpgz_error error = {0};
    struct fpgz_verified there = {0};
    struct stat stat;
    const int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    const bool same =
        fd >= 0 && fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) &&
        (!replace || (stat.st_mtim.tv_sec == then->tv_sec && stat.st_mtim.tv_nsec == then->tv_nsec)) &&
        (uint64_t)stat.st_size == r->size && !fpgz_file_digest(fd, &there.bytes, &there.sum, &error) &&
        !compare(r, &there, &error);
    if (fd >= 0)
        close(fd);
    return same;
}

/* Restores into the current folder. What is not as the manifest says never gets its name. */
static void put_back(const struct batch *b, const struct task *t, const struct fpgz_terms *terms,
                     const struct fpgz_input *input, struct fpgz_verified *restored, struct fpgz_error *error)
{
    const char *const folder = b->means->output ? b->means->output : "";
    char *const start = name_join(folder, strlen(folder), *folder ? "/" : "");
    char *const path = name_join(start, strlen(start), t->target);
    struct output output;
    struct metadata metadata = {0};
    if (!output_open_here(&output, b->means->console, path, b->means->replaces, input, error)) {
        if (!unpack_into(terms, input, output.fd, &metadata, error) &&
            !fpgz_file_digest(output.fd, &restored->bytes, &restored->sum, error) &&
            !compare(t->known, restored, error))
            output_commit(&output, &metadata, error);
        output_discard(&output);
        fpgz_xattrs_free(&metadata.xattrs);
    }
    free(path);
    free(start);
}

static void restore(const struct batch *b, const struct task *t, const struct fpgz_terms *terms,
                    struct outcome *o)
{
    struct fpgz_error error = {0}, unopened = {0};
    struct fpgz_input input;
    const bool opened =
        !open_container(&input, t->known, &unopened); /* before the current folder is another */
    const bool entered = beneath_enter(t->root, t->target, opened);
    const int reason = errno;
    o->taken = entered && restored_before(t->known, fpgz_text_base(t->target), b->means->replaces);
    if (!o->taken && !opened)
        error = unopened;
    else if (!entered)
        fpgz_fail(&error, FPGZ_IO, "cannot enter the folder of %s: %s", t->target,
                  reason == ELOOP ? "a symbolic link is in its way, and links are not followed"
                                  : strerror(reason));
    else if (!o->taken)
        put_back(b, t, terms, &input, &o->restored, &error);
    if (!beneath_leave(t->root) && !error.status)
        fpgz_fail(&error, FPGZ_IO, "cannot return to the current folder: %s", strerror(errno));
    fpgz_input_close(&input);
    if (error.status)
        message_failure(b->means->console, t->container, &error);
}

static bool note(struct batch *b, struct task *t, const struct outcome *o)
{
    if (o->code != EXIT_ERROR) {
        b->raw += t->known->size;
        b->stored += t->known->stored;
        message_notice(b->means->console, 1, t->source,
                       o->taken            ? "was restored before"
                       : b->request->check ? "is good"
                                           : "is restored");
    }
    return true;
}

/* Loads the manifests of the command line; false when there is none that can be read. */
static bool load(struct batch *b)
{
    const struct selection *s = b->means->selection;
    const char *const manifest = b->request->manifest;
    bool ok = true;
    for (int i = 0; i < s->file_count + (manifest != NULL); i++) {
        const char *path = i < s->file_count ? s->files[i] : manifest;
        struct fpgz_error error = {0};
        unsigned files;
        if (!manifest_load(&b->manifest, path, &files, &error) && !files)
            fpgz_fail(&error, FPGZ_IO, "there is neither such a manifest nor a shard of it");
        if (error.status)
            message_failure(b->means->console, path, &error);
        ok &= !error.status;
    }
    manifest_settle(&b->manifest);
    return ok;
}

/* Finds out where everything goes, and opens the folder to restore into; false, with nothing written, when
 * that does not go well. Where -f allows it, letters' case is asked of the file system. */
static bool prepare(const struct batch *b, struct targets *targets, struct beneath *root)
{
    const struct batch_means *means = b->means;
    *root = (struct beneath){-1, -1};
    bool ok = targets_find(targets, b->means->console, &b->manifest, means->output);
    bool begun = ok && means->replaces && beneath_begin(root, means->output);
    const size_t met = ok ? targets_meet(targets, !(begun && beneath_tells_case(root))) : 0;
    if (met)
        message_error(b->means->console, FPGZ_EXISTS, NULL,
                      "nothing is restored, for %zu files would meet others: restore them by fpgz -d -o from "
                      "their containers, and the rest by a manifest without their lines%s",
                      met,
                      means->replaces ? ""
                                      : "; -f restores those that letters' case tells apart, where the file "
                                        "system does");
    else if (!ok)
        message_error(b->means->console, FPGZ_USAGE, NULL, "nothing is restored");
    else if (!begun && !(begun = beneath_begin(root, means->output)))
        message_error(b->means->console, FPGZ_IO, means->output, "cannot open the folder: %s",
                      strerror(errno));
    return begun && !met;
}

/* Removes what killed runs left in the folders to restore into, as archiving does. */
static bool tidy(const struct batch *b, const struct targets *targets, const struct beneath *root)
{
    const char *last = NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < targets->count; i++) {
        const struct target *t = &targets->target[i];
        if (!shard_takes(&b->shard, t->record->source) || (last && folder_same(last, t->path)))
            continue;
        if (beneath_enter(root, t->path, false))
            temporary_remove_old(b->means->console, fpgz_text_base(t->path));
        ok = beneath_leave(root);
        last = t->path;
    }
    if (!ok)
        message_error(b->means->console, FPGZ_IO, NULL, "cannot return to the current folder: %s",
                      strerror(errno));
    return ok;
}

/* Adds the task of a file. */
static void add(struct batch *b, const struct record *r, const struct beneath *root, const char *target)
{
    if (r->error)
        message_warning(b->means->console, FPGZ_WARNING_STALE, r->source,
                        "is restored as of an earlier time, because archiving it again failed: %s", r->error);
    task_add(b, &(struct task){.source = name_join(r->source, strlen(r->source), ""),
                               .container = name_join(r->container, strlen(r->container), ""),
                               .size = r->size,
                               .known = r,
                               .root = root,
                               .target = target});
}

bool restore_run(struct batch *b)
{
    const bool restores = b->request->restore;
    struct targets targets = {0};
    struct beneath root = {-1, -1};
    const bool ready = load(b) && (!restores || (prepare(b, &targets, &root) && tidy(b, &targets, &root)));
    for (size_t i = 0; ready && i < b->manifest.count; i++) {
        const struct record *r = &b->manifest.record[i];
        if (r->status && shard_takes(&b->shard, r->source)) {
            message_error(b->means->console, r->status, r->source, "was not archived: %s",
                          r->error ? r->error : "the manifest tells no reason");
            b->failed++;
        } else if (!restores && shard_takes(&b->shard, r->source)) {
            add(b, r, NULL, NULL);
        }
    }
    for (size_t i = 0; ready && i < targets.count; i++)
        if (shard_takes(&b->shard, targets.target[i].record->source))
            add(b, targets.target[i].record, &root, targets.target[i].path);
    if (ready) {
        b->work = restores ? restore : check;
        b->note = note;
        tasks_run(b);
    }
    if (ready && restores)
        folders_restore(b);
    beneath_end(&root);
    targets_free(&targets);
    return ready;
}
