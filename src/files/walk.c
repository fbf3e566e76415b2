/* SPDX-License-Identifier: MIT
 * The operands of the command, and with -r the files below them: which are taken, and which are left out. */
#include "files/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mark.h"
#include "core/text.h"

/* Whether --exclude matches `path`, whose part from `below` on is what patterns with a slash see. */
static bool excluded(const struct walk *w, const char *path, const char *below)
{
    for (size_t i = 0; i < w->selection->exclude.count; i++) {
        const char *const pattern = w->selection->exclude.name[i];
        const bool whole = strchr(pattern, '/');
        if (!fnmatch(pattern, whole ? below : fpgz_text_base(path), whole ? FNM_PATHNAME : 0))
            return true;
    }
    return false;
}

/* Whether a file within a folder is one that is meant. */
static bool wanted(const struct walk *w, const char *path)
{
    const bool container = name_suffix(path, w->suffix);
    struct fpgz_mark mark;
    if (w->containers)
        return container;
    if (container)
        message_notice(w->console, 2, path, "is a container already; passed over");
    return !container && !fpgz_mark_parse(path, &mark);
}

/* Whether a file is taken, as xz takes it; a warning says why it is not. */
static bool acceptable(const struct walk *w, const char *path, const struct stat *target)
{
    struct stat link;
    const char *why = NULL;
    if (S_ISDIR(target->st_mode))
        return true;
    if (!S_ISREG(target->st_mode) && !w->special)
        why = "is no regular file; passed over (-c or -o FILE reads it)";
    else if (w->removes && lstat(path, &link) == 0 && S_ISLNK(link.st_mode))
        why = "is a symbolic link; passed over (-f does it anyway)";
    else if (w->removes && target->st_nlink > 1)
        why =
            "has several names (hard links), of which --rm would remove one; passed over (-f does it anyway)";
    else if (w->removes && target->st_mode & 07000)
        why = "has the set-user-ID, set-group-ID or sticky bit, which its replacement would not have; passed "
              "over (-f does it anyway)";
    if (why)
        message_warning(w->console, FPGZ_WARNING_SKIPPED, path, "%s", why);
    return !why;
}

static void enter(struct walk *w, const char *path, const struct stat *stat, const struct walk_folder *parent,
                  size_t root);

/* One name in a folder; `root` is the length of the operand's path, with a slash. */
static void take_entry(struct walk *w, char *path, const struct walk_folder *folder, size_t root)
{
    struct stat stat;
    if (excluded(w, path, path + root)) {
        free(path);
    } else if (lstat(path, &stat) != 0) {
        if (errno != ENOENT) /* else it was removed meanwhile */
            message_error(w->console, FPGZ_IO, path, "cannot look at it: %s", strerror(errno));
        free(path);
    } else if (S_ISDIR(stat.st_mode)) {
        enter(w, path, &stat, folder, root);
        free(path);
    } else if (!S_ISREG(stat.st_mode)) {
        message_notice(w->console, 1, path, "is no regular file; passed over");
        free(path);
    } else if (wanted(w, path) && acceptable(w, path, &stat)) {
        w->file(w->context, path, &stat, folder);
    } else {
        free(path);
    }
}

/* Takes what is in a folder; `root` is 0 for an operand. */
static void enter(struct walk *w, const char *path, const struct stat *stat, const struct walk_folder *parent,
                  size_t root)
{
    struct dirent **entry;
    struct walk_folder *folder = malloc(sizeof *folder);
    const int count = folder ? scandir(path, &entry, NULL, alphasort) : -1;
    if (count < 0) {
        message_error(w->console, FPGZ_IO, path, "cannot read the folder: %s", strerror(errno));
        free(folder);
        return;
    }
    *folder = (struct walk_folder){.parent = parent, .older = w->folders, .stat = *stat};
    w->folders = folder;
    const size_t length = strlen(path);
    const char *const slash = path[length - 1] == '/' ? "" : "/";
    for (int i = 0; i < count; i++) {
        char *name = entry[i]->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
            char *start = name_join(path, length, slash);
            char *whole = name_join(start, strlen(start), name);
            take_entry(w, whole, folder, root ? root : strlen(start));
            free(start);
        }
        free(entry[i]);
    }
    free(entry);
}

static void take_operand(struct walk *w, const char *path)
{
    struct stat target;
    w->seen++;
    if (!strcmp(path, "-") || stat(path, &target) != 0)
        w->file(w->context, name_join(path, strlen(path), ""), NULL, NULL);
    else if (excluded(w, path, path))
        ;
    else if (w->recursive && S_ISDIR(target.st_mode))
        enter(w, path, &target, NULL, 0);
    else if (acceptable(w, path, &target))
        w->file(w->context, name_join(path, strlen(path), ""), &target, NULL);
}

/* Takes the names in a file of them: lines, or what NULs end. */
static void take_list(struct walk *w, const char *path, int end)
{
    const bool from_stdin = !strcmp(path, "-");
    const char *const shown = from_stdin ? "(stdin)" : path;
    FILE *file = from_stdin ? stdin : fopen(path, "re");
    char *name = NULL;
    size_t capacity = 0;
    if (!file) {
        message_error(w->console, FPGZ_IO, path, "cannot open: %s", strerror(errno));
        return;
    }
    for (ssize_t length; (length = getdelim(&name, &capacity, end, file)) > 0;) {
        if (name[length - 1] == end)
            name[--length] = '\0';
        if (strlen(name) != (size_t)length)
            message_error(w->console, FPGZ_USAGE, shown,
                          "a line holds a NUL: -0 takes lists that NULs separate");
        else if (from_stdin && !strcmp(name, "-"))
            message_error(w->console, FPGZ_USAGE, shown, "cannot be both a list of names and data");
        else if (length)
            take_operand(w, name);
    }
    if (ferror(file))
        message_error(w->console, FPGZ_IO, shown, "cannot read: %s", strerror(errno));
    free(name);
    if (!from_stdin)
        fclose(file);
}

void walk_run(struct walk *w)
{
    const struct selection *s = w->selection;
    for (int i = 0; i < s->file_count; i++)
        take_operand(w, s->files[i]);
    for (size_t i = 0; i < s->lists.count; i++)
        take_list(w, s->lists.name[i], s->null_separated ? '\0' : '\n');
}

void walk_free(struct walk *w)
{
    while (w->folders) {
        struct walk_folder *older = w->folders->older;
        free(w->folders);
        w->folders = older;
    }
}
