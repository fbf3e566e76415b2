/* SPDX-License-Identifier: MIT
 * Checking an archive against its manifest, and bringing its tree back. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/batch/task.h"
#include "cli/folder.h"
#include "cli/input.h"
#include "cli/message.h"
#include "cli/name.h"

/* Where a path of the manifest is restored; the caller frees it. */
static char *target_of(const struct options *options, const char *path)
{
    if (!options->output)
        return name_join(path, strlen(path), "");
    char *folder = name_join(options->output, strlen(options->output), "/");
    char *target = name_join(folder, strlen(folder), path_below(path));
    free(folder);
    return target;
}

/* Whether the container is as the manifest says, and then: what it restores. */
static enum fpgz_status compare(const struct record *r, const struct verified *restored,
                                struct fpgz_error *error)
{
    if (restored->bytes != r->size || restored->sum != r->restored_sum)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "restores to %" PRIu64 " bytes of XXH3 %016" PRIx64
                         ", but the manifest says %" PRIu64 " of %016" PRIx64,
                         restored->bytes, restored->sum, r->size, r->restored_sum);
    return FPGZ_OK;
}

static enum fpgz_status open_container(struct input *input, const struct record *r, struct fpgz_error *error)
{
    if (input_open(input, r->container, error))
        return error->status;
    if (input->size != r->stored)
        return fpgz_fail(error, FPGZ_CORRUPT, "has %" PRIu64 " bytes, but the manifest says %" PRIu64,
                         input->size, r->stored);
    return FPGZ_OK;
}

static void check(const struct task *t, const struct options *options, struct outcome *o)
{
    struct fpgz_error error = {0};
    struct input input;
    if (open_container(&input, t->known, &error) ||
        decompress_verify(options, input.fd, t->container, NULL, true, &o->restored, &error) ||
        compare(t->known, &o->restored, &error))
        message_failure(t->container, &error);
    input_close(&input);
}

/* Whether the file was restored before. */
static bool restored_before(const struct record *r, const char *target)
{
    struct stat there;
    return lstat(target, &there) == 0 && S_ISREG(there.st_mode) && (uint64_t)there.st_size == r->size &&
           there.st_mtim.tv_sec == r->times.mtime.tv_sec && there.st_mtim.tv_nsec == r->times.mtime.tv_nsec;
}

static void restore(const struct task *t, const struct options *given, struct outcome *o)
{
    struct options options = *given;
    struct fpgz_error error = {0};
    struct input input;
    char *target = target_of(given, t->source);
    options.output = target; /* the mode stays: with -d the name could ask for another format */
    o->taken = restored_before(t->known, target);
    if (!o->taken) {
        if (!open_container(&input, t->known, &error) && !folders_make(target))
            fpgz_fail(&error, FPGZ_IO, "cannot make the folder of %s: %s", target, strerror(errno));
        input_close(&input);
        if (!error.status)
            decompress_file(&options, t->container);
        if (!error.status && message_exit_code() != EXIT_ERROR && !path_digest(target, &o->restored, &error))
            compare(t->known, &o->restored, &error);
        if (error.status)
            message_failure(t->container, &error);
    }
    free(target);
}

static bool note(struct batch *b, struct task *t, const struct outcome *o)
{
    if (o->code != EXIT_ERROR) {
        b->raw += t->known->size;
        b->stored += t->known->stored;
        message_notice(1, t->source,
                       o->taken                  ? "was restored before"
                       : b->options->batch.check ? "is good"
                                                 : "is restored");
    }
    return true;
}

/* A folder that is to have its mode and time back. */
struct folder {
    char *path;
    struct file_times times;
};

/* By path, those below a folder behind it, then by time: archiving beside the sources changes that of their
 * folders, so the earliest is the one from before. */
static int compare_folders(const void *a, const void *b)
{
    const struct folder *x = a, *y = b;
    const struct timespec *s = &x->times.mtime, *t = &y->times.mtime;
    const int order = strcmp(x->path, y->path);
    if (order || s->tv_sec != t->tv_sec)
        return order ? order : (s->tv_sec > t->tv_sec) - (s->tv_sec < t->tv_sec);
    return (s->tv_nsec > t->tv_nsec) - (s->tv_nsec < t->tv_nsec);
}

static void set_times(const struct folder *folder)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, folder->times.mtime};
    if ((chmod(folder->path, folder->times.mode) != 0 || utimensat(AT_FDCWD, folder->path, times, 0) != 0) &&
        errno != ENOENT) /* else nothing was restored there, as was said */
        message_warning(WARNING_METADATA, folder->path, "cannot set mode and time: %s", strerror(errno));
}

static void restore_folders(const struct batch *b)
{
    size_t total = 0, count = 0;
    for (size_t i = 0; i < b->count; i++)
        total += b->task[i].known->folder_count;
    struct folder *folder = calloc(total + 1, sizeof *folder);
    if (!folder)
        message_no_memory();
    for (size_t i = 0; i < b->count; i++) {
        const struct record *r = b->task[i].known;
        char *path = target_of(b->options, r->source);
        for (size_t f = 0; f < r->folder_count; f++) {
            char *slash = strrchr(path, '/');
            if (!slash || slash == path)
                break;
            *slash = '\0';
            folder[count++] = (struct folder){name_join(path, strlen(path), ""), r->folders[f]};
        }
        free(path);
    }
    qsort(folder, count, sizeof *folder, compare_folders);
    /* From the back: a folder's time changes with what is made in it, and a mode may forbid to enter it. */
    for (size_t i = count; i-- > 0;)
        if (!i || strcmp(folder[i - 1].path, folder[i].path) != 0)
            set_times(&folder[i]);
    for (size_t i = 0; i < count; i++)
        free(folder[i].path);
    free(folder);
}

/* Loads the manifests of the command line; false when there is none that can be read. */
static bool load(struct batch *b)
{
    const struct options *o = b->options;
    const char *const manifest = o->batch.manifest;
    bool ok = true;
    for (int i = 0; i < o->file_count + (manifest != NULL); i++) {
        const char *path = i < o->file_count ? o->files[i] : manifest;
        struct fpgz_error error = {0};
        unsigned files;
        if (!manifest_load(&b->manifest, path, &files, &error) && !files)
            fpgz_fail(&error, FPGZ_IO, "there is no such manifest, nor a shard's part of it");
        if (error.status)
            message_failure(path, &error);
        ok &= !error.status;
    }
    manifest_settle(&b->manifest);
    return ok;
}

bool restore_run(struct batch *b)
{
    if (!load(b))
        return false;
    for (size_t i = 0; i < b->manifest.count; i++) {
        const struct record *r = &b->manifest.record[i];
        if (!shard_takes(&b->shard, r->source))
            continue;
        if (r->status) {
            message_error(r->status, r->source, "was not archived: %s",
                          r->error ? r->error : "the manifest tells no reason");
            b->failed++;
            continue;
        }
        if (r->error)
            message_warning(WARNING_STALE, r->source,
                            "is here as of an earlier time; archiving it again failed: %s", r->error);
        task_add(b, &(struct task){.source = name_join(r->source, strlen(r->source), ""),
                                   .container = name_join(r->container, strlen(r->container), ""),
                                   .size = r->size,
                                   .known = r});
    }
    b->work = b->options->batch.check ? check : restore;
    b->note = note;
    tasks_run(b);
    if (b->options->batch.restore)
        restore_folders(b);
    return true;
}
