/* SPDX-License-Identifier: MIT
 * Archiving: the plan of what is missing or changed, and its execution. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "archive/input.h"
#include "batch/earlier.h"
#include "console/message.h"
#include "console/no_memory.h"
#include "container/reader.h"
#include "core/bytes.h"
#include "core/text.h"
#include "files/folder.h"
#include "files/name.h"
#include "files/temporary.h"

static char *container_of(const struct batch *b, const char *source)
{
    const char *const output = b->means->output;
    if (!output)
        return name_compressed(source, b->means->suffix);
    char *folder = name_join(output, strlen(output), "/");
    char *path = name_join(folder, strlen(folder), path_below(source)),
         *container = name_compressed(path, b->means->suffix);
    name_normalize(container);
    free(path);
    free(folder);
    return container;
}

/* Whether the file is the manifest, or a shard's part of it. */
static bool is_manifest(const char *manifest, const char *path)
{
    struct stat here, there;
    if (!manifest_owns(manifest, fpgz_text_base(path)))
        return false;
    char *a = name_join(path, (size_t)(fpgz_text_base(path) - path), ".");
    char *b = name_join(manifest, (size_t)(fpgz_text_base(manifest) - manifest), ".");
    const bool same = stat(a, &here) == 0 && stat(b, &there) == 0 && here.st_dev == there.st_dev &&
                      here.st_ino == there.st_ino;
    free(a);
    free(b);
    return same;
}

static void plan(void *context, char *path, const struct stat *stat, const struct walk_folder *folder)
{
    struct batch *b = context;
    name_normalize(path);
    if (stat && (name_suffix(path, b->means->suffix) || is_manifest(b->request->manifest, path))) {
        free(path);
        return;
    }
    struct task task = {.source = path, .folder = folder, .container = container_of(b, path)};
    if (stat) {
        task.stat = *stat;
        task.size = (uint64_t)stat->st_size;
    }
    task_add(b, &task);
}

/* Whether the manifest's container for the task is there and of its size. */
static bool container_there(const struct task *t)
{
    struct stat there;
    const struct record *r = t->known;
    return r && !r->status && !strcmp(r->container, t->container) && stat(t->container, &there) == 0 &&
           S_ISREG(there.st_mode) && (uint64_t)there.st_size == r->stored;
}

/* Whether the task was done by an earlier run. */
static bool archived(const struct task *t)
{
    if (!container_there(t))
        return false;
    if (!t->stat.st_ino) /* the source is gone: removed once it was archived */
        return access(t->source, F_OK) != 0 && errno == ENOENT;
    return record_is_of(t->known, &t->stat);
}

static int by_container(const void *a, const void *b)
{
    const struct task *x = a, *y = b;
    const int order = strcmp(x->container, y->container);
    return order ? order : strcmp(x->source, y->source);
}

/* Leaves the tasks that are the shard's and to be done. */
static void choose(struct batch *b)
{
    const struct task *own = NULL; /* the last one of the shard */
    size_t kept = 0;
    if (b->count)
        qsort(b->task, b->count, sizeof *b->task, by_container);
    for (size_t i = 0; i < b->count; i++) {
        struct task *t = &b->task[i], *before = i ? t - 1 : NULL;
        const bool twice = before && !strcmp(before->source, t->source);
        t->surplus = twice || !shard_takes(&b->shard, t->source);
        if (t->surplus)
            continue;
        if (!own || !folder_same(own->container, t->container))
            temporary_remove_old(b->means->console, t->container);
        own = t;
        t->known = manifest_find(&b->manifest, t->source);
        t->replace = t->known && !t->known->status && !strcmp(t->known->container, t->container);
        if (before && !strcmp(before->container, t->container)) {
            message_error(b->means->console, FPGZ_EXISTS, t->source,
                          "would have the same container as %s: %s", before->source, t->container);
            t->surplus = true;
            b->failed++;
        } else if (archived(t)) {
            t->confirm = b->means->removes && t->stat.st_ino;
            t->surplus = !t->confirm;
            b->taken += t->surplus;
        }
    }
    for (size_t i = 0; i < b->count; i++) {
        struct task *t = &b->task[i];
        if (t->surplus) {
            free(t->source);
            free(t->container);
            continue;
        }
        b->task[kept++] = *t;
    }
    b->count = kept;
}

/* Reads from the container's index how many chunks each codec coded. */
static enum fpgz_status count_chunks(const char *container, struct outcome *o)
{
    struct fpgz_error *error = &o->error;
    struct fpgz_reader reader = {0};
    struct fpgz_end_head end;
    struct fpgz_chunk_head head;
    struct fpgz_input input;
    if (fpgz_input_open(&input, container, error))
        return error->status;
    fpgz_reader_open(&reader, input.fd);
    o->stored = input.size;
    if (!reader.regular || !input.regular)
        fpgz_fail(error, FPGZ_IO, "cannot read the index of %s", container);
    for (uint64_t left = reader.file_size;
         left && !error->status && !fpgz_reader_last_member(&reader, &left, &end, error);)
        for (size_t at = 0; at < reader.index.length && !error->status;)
            if (!fpgz_index_next(&reader.index, &at, &reader.section, error) &&
                reader.section.type == FPGZ_SECTION_CHUNK &&
                !fpgz_unpack_chunk(&reader.section, &head, error))
                o->chunks[head.codec % MANIFEST_CODECS]++;
    fpgz_reader_free(&reader);
    fpgz_input_close(&input);
    return error->status;
}

/* Completes the sums of what was archived: what a lossless codec restores was compared with the source chunk
 * by chunk.
 */
static void sum_up(const struct task *t, const struct fpgz_terms *terms, struct outcome *o)
{
    if (!terms->setup.codec || terms->setup.codec->lossless)
        o->restored = o->proof.held;
    else if (!o->restored.summed)
        earlier_decode(t->container, t->container, terms, &o->restored, &o->error);
}

static void archive(const struct batch *b, const struct task *t, const struct fpgz_terms *terms,
                    struct outcome *o)
{
    const struct batch_means *means = b->means;
    const struct batch_file file = {t->source, t->container, means->replaces || t->replace, terms};
    if (t->confirm && earlier_confirm(b, t, terms, o)) {
        ;
    } else if (!t->stat.st_ino) {
        fpgz_fail(&o->error, FPGZ_IO, "cannot open: %s", strerror(ENOENT));
    } else if (!folders_make(t->container)) {
        fpgz_fail(&o->error, FPGZ_IO, "cannot make the folder of %s: %s", t->container, strerror(errno));
    } else if (!file.replaces && access(t->container, F_OK) == 0) {
        earlier_take_over(t, terms, o);
    } else if (means->compress(means->context, &file, &o->proof, &o->restored)) {
        sum_up(t, terms, o);
    } else {
        return;
    }
    o->proof.force = means->replaces;
    if (!o->error.status && !o->told)
        count_chunks(t->container, o);
}

static bool note(struct batch *b, struct task *t, const struct outcome *o)
{
    struct fpgz_error error = {0};
    struct timespec now;
    const bool failed = o->code == EXIT_ERROR;
    if (o->told && !failed) {
        message_notice(b->means->console, 1, t->source, "was archived before, and its container restores it");
        return true;
    }
    const struct stat *stat = failed ? &t->stat : &o->proof.source;
    size_t folders = 0;
    for (const struct walk_folder *f = t->folder; f; f = f->parent)
        folders++;
    struct file_times *times = calloc(folders + 1, sizeof *times);
    if (!times)
        no_memory_for_names();
    folders = 0;
    for (const struct walk_folder *f = t->folder; f; f = f->parent)
        times[folders++] = (struct file_times){f->stat.st_mode & 07777, f->stat.st_mtim};
    clock_gettime(CLOCK_REALTIME, &now);
    const struct record record = {
        .source = t->source,
        .size = failed ? (uint64_t)stat->st_size : o->restored.bytes,
        .times = {stat->st_mode & 07777, stat->st_mtim},
        .folders = times,
        .folder_count = folders,
        .container = t->container,
        .stored = o->stored,
        .sum = o->proof.held.sum,
        .restored_sum = o->restored.sum,
        .chunks = o->chunks,
        .seconds = o->seconds,
        .finished = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec,
        .status = failed ? o->error.status : FPGZ_OK,
        .error = failed ? (char *)(uintptr_t)o->error.text : NULL,
    };
    if (journal_append(&b->journal, &record, &error)) {
        message_failure(b->means->console, b->journal.path, &error);
    } else if (!failed) {
        b->raw += record.size;
        b->stored += record.stored;
        message_notice(b->means->console, 1, t->source, "%s%ju -> %ju bytes, ratio %.4f, %.3f s",
                       o->taken ? "its container was there: " : "", (uintmax_t)record.size,
                       (uintmax_t)record.stored, progress_ratio(record.size, record.stored), record.seconds);
    }
    b->noted = true;
    free(times);
    return !error.status;
}

static bool sync_notes(struct batch *b)
{
    struct fpgz_error error = {0};
    if (b->noted && journal_sync(&b->journal, &error))
        message_failure(b->means->console, b->journal.path, &error);
    b->noted = false;
    return !error.status;
}

/* What is written down for good is no longer needed at its source. */
static void remove_source(const struct batch *b, const struct task *t, const struct outcome *o)
{
    if (o->code != EXIT_ERROR)
        source_remove(b->means->console, t->source, &o->proof);
}

bool archive_run(struct batch *b)
{
    struct fpgz_error error = {0};
    unsigned files;
    struct walk walk = {.console = b->means->console,
                        .suffix = b->means->suffix,
                        .selection = b->means->selection,
                        .recursive = true,
                        .removes = b->means->removes && !b->means->replaces,
                        .file = plan,
                        .context = b};
    if (journal_open(&b->journal, b->means->console, b->request->manifest, b->shard.index, b->shard.count,
                     &error) ||
        manifest_load(&b->manifest, b->request->manifest, &files, &error)) {
        message_failure(b->means->console, b->journal.path, &error);
        return false;
    }
    b->journal.sequence = b->manifest.sequence;
    manifest_settle(&b->manifest);
    walk_run(&walk);
    choose(b);
    b->work = archive;
    b->note = note;
    b->flush = sync_notes;
    if (b->means->removes) {
        b->settle = remove_source;
        syncfs(b->journal.fd); /* what earlier runs wrote to the manifest's files, all beside each other */
    }
    tasks_run(b);
    walk_free(&walk);
    return true;
}
