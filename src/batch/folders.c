/* SPDX-License-Identifier: MIT
 * Modes and times of the folders that files were restored in. */
#include "batch/folders.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console/message.h"
#include "console/no_memory.h"
#include "files/name.h"

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

/* The mode last: it may forbid to enter the folder. */
static void set_times(struct console *console, const struct beneath *root, const struct folder *folder)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, folder->times.mtime};
    const int fd = beneath_open(root, folder->path, strlen(folder->path), false);
    if (fd < 0 && errno == ENOENT)
        return; /* nothing was restored there, as was said */
    if (fd < 0 || utimensat(fd, ".", times, 0) != 0 || fchmodat(fd, ".", folder->times.mode, 0) != 0)
        message_warning(console, FPGZ_WARNING_METADATA, folder->path, "cannot set mode and time: %s",
                        strerror(errno));
    if (fd >= 0)
        close(fd);
}

void folders_restore(const struct batch *b)
{
    size_t total = 0, count = 0;
    for (size_t i = 0; i < b->count; i++)
        total += b->task[i].known->folder_count;
    struct folder *folder = calloc(total + 1, sizeof *folder);
    if (!folder)
        no_memory_for_names();
    for (size_t i = 0; i < b->count; i++) {
        const struct record *r = b->task[i].known;
        char *path = name_join(b->task[i].target, strlen(b->task[i].target), "");
        char *slash;
        /* A record may tell of more folders: the one to restore into, and those above it, are none of ours.
         */
        for (size_t f = 0; f < r->folder_count && (slash = strrchr(path, '/')); f++) {
            *slash = '\0';
            folder[count++] = (struct folder){name_join(path, strlen(path), ""), r->folders[f]};
        }
        free(path);
    }
    qsort(folder, count, sizeof *folder, compare_folders);
    /* From the back: a folder's time changes with what is made in it, and a mode may forbid to enter it. */
    for (size_t i = count; i-- > 0;)
        if (!i || strcmp(folder[i - 1].path, folder[i].path) != 0)
            set_times(b->means->console, b->task->root, &folder[i]);
    for (size_t i = 0; i < count; i++)
        free(folder[i].path);
    free(folder);
}
