/* SPDX-License-Identifier: MIT
 * All targets of a manifest are known, and told apart, before the first byte is written. */
#include "batch/targets.h"

#include <stdlib.h>
#include <string.h>

#include "batch/task.h"
#include "console/message.h"
#include "console/no_memory.h"
#include "core/text.h"
#include "files/name.h"

/* The lower case of a letter, by Unicode's simple case folding, as far as that is a matter of distances. */
static unsigned folded(unsigned code)
{
    static const struct {
        unsigned first, last, step;
        int distance;
    } upper[] = {{'A', 'Z', 1, 32},       {0xC0, 0xD6, 1, 32},        {0xD8, 0xDE, 1, 32},
                 {0x100, 0x12E, 2, 1},    {0x132, 0x136, 2, 1},       {0x139, 0x147, 2, 1},
                 {0x14A, 0x176, 2, 1},    {0x178, 0x178, 1, -121},    {0x179, 0x17D, 2, 1},
                 {0x17F, 0x17F, 1, -268}, {0x386, 0x386, 1, 38},      {0x388, 0x38A, 1, 37},
                 {0x38C, 0x38C, 1, 64},   {0x38E, 0x38F, 1, 63},      {0x391, 0x3A1, 1, 32},
                 {0x3A3, 0x3AB, 1, 32},   {0x3C2, 0x3C2, 1, 1},       {0x400, 0x40F, 1, 80},
                 {0x410, 0x42F, 1, 32},   {0x460, 0x480, 2, 1},       {0x48A, 0x4BE, 2, 1},
                 {0x4D0, 0x52E, 2, 1},    {0x531, 0x556, 1, 48},      {0x1E00, 0x1E94, 2, 1},
                 {0x1EA0, 0x1EFE, 2, 1},  {0x212A, 0x212A, 1, -8383}, {0x212B, 0x212B, 1, -8262}};
    for (size_t i = 0; i < sizeof upper / sizeof *upper; i++)
        if (code >= upper[i].first && code <= upper[i].last && (code - upper[i].first) % upper[i].step == 0)
            return (unsigned)((int)code + upper[i].distance);
    return code;
}

/* Takes a path's next character, as a number in the order of path_compare(); 0 at its end. */
static unsigned take(const char **at, bool fold)
{
    enum { SLASH = 1, OTHERS, BYTES = 0x110000 }; /* behind all characters: bytes that are none */
    unsigned code;
    if (!**at)
        return 0;
    const unsigned length = fpgz_text_character(*at, &code);
    if (!length)
        code = BYTES + (unsigned char)**at;
    *at += length ? length : 1;
    return code == '/' ? SLASH : OTHERS + (fold ? folded(code) : code);
}

int path_compare(const char *a, const char *b, bool fold, bool *below)
{
    unsigned x, y;
    do {
        x = take(&a, fold);
        y = take(&b, fold);
    } while (x == y && x);
    *below = !x && y && b[-1] == '/';
    return (x > y) - (x < y);
}

static int compare(const void *a, const void *b, bool fold)
{
    const struct target *x = a, *y = b;
    bool below;
    int order = path_compare(x->path, y->path, fold, &below);
    if (!order)
        order = strcmp(x->path, y->path);
    return order ? order : strcmp(x->record->source, y->record->source);
}

static int by_path(const void *a, const void *b)
{
    return compare(a, b, false);
}

static int by_folded_path(const void *a, const void *b)
{
    return compare(a, b, true);
}

/* Reports two targets that meet. */
static void tell(const struct targets *targets, const struct target *t, const struct target *other,
                 bool below)
{
    bool same_below;
    const bool same = path_compare(other->path, t->path, false, &same_below) == 0 || same_below;
    message_error(targets->console, FPGZ_EXISTS, t->record->source, "would be restored to %s, %s %s%s%s",
                  t->path, below ? "in a folder that is the file of" : "the file of", other->record->source,
                  same ? "" : ", but for the case of letters: ", same ? "" : other->path);
}

size_t targets_meet(struct targets *targets, bool fold)
{
    size_t met = 0;
    bool below;
    if (targets->count)
        qsort(targets->target, targets->count, sizeof *targets->target, fold ? by_folded_path : by_path);
    for (size_t i = 1; i < targets->count; i++) {
        const struct target *t = &targets->target[i];
        const bool equal = path_compare(t[-1].path, t->path, fold, &below) == 0;
        if (equal || below)
            tell(targets, t, t - 1, below);
        met += equal || below;
    }
    return met;
}

bool targets_find(struct targets *targets, struct console *console, const struct manifest *manifest,
                  bool folder_given)
{
    bool ok = true;
    *targets =
        (struct targets){.console = console, .target = calloc(manifest->count + 1, sizeof *targets->target)};
    if (!targets->target)
        no_memory_for_names();
    for (size_t i = 0; i < manifest->count; i++) {
        const struct record *r = &manifest->record[i];
        if (r->status)
            continue;
        const char *const below = path_below(r->source);
        char *const path = name_join(below, strlen(below), "");
        name_normalize(path);
        targets->target[targets->count++] = (struct target){r, path};
        if (!*fpgz_text_base(path))
            message_error(targets->console, FPGZ_USAGE, r->source, "is no name of a file");
        else if (below != r->source && !folder_given)
            message_error(targets->console, FPGZ_USAGE, r->source,
                          "leads out of the current folder; -o FOLDER restores it below FOLDER, as %s", path);
        else
            continue;
        ok = false;
    }
    return ok;
}

void targets_free(struct targets *targets)
{
    for (size_t i = 0; i < targets->count; i++)
        free(targets->target[i].path);
    free(targets->target);
    *targets = (struct targets){0};
}
