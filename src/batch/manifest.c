/* SPDX-License-Identifier: MIT
 * The lines of all files of a manifest, and which of them count. */
#include "batch/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/message.h"
#include "core/text.h"
#include "files/name.h"

static bool add(struct manifest *m, const struct record *record)
{
    if (m->count == m->capacity) {
        const size_t capacity = 2 * m->capacity + 64;
        struct record *more = realloc(m->record, capacity * sizeof *more);
        if (!more)
            return false;
        m->record = more;
        m->capacity = capacity;
    }
    m->record[m->count] = *record;
    m->record[m->count].read = m->count;
    m->count++;
    if (m->sequence < record->sequence)
        m->sequence = record->sequence;
    return true;
}

/* Adds what a line tells, if that is a record. */
static enum fpgz_status take_line(struct manifest *m, const char *path, uint64_t number, const char *line,
                                  size_t length, struct fpgz_error *error)
{
    const size_t torn = strlen(RECORD_TORN);
    struct record record = {0};
    if (length == 1 || (length >= torn && !memcmp(line + length - torn, RECORD_TORN, torn)))
        return FPGZ_OK;
    if (line[length - 1] != '\n') {
        message_notice(m->console, 0, path, "line %" PRIu64 " was not written to its end; ignored", number);
        return FPGZ_OK;
    }
    const char *const wrong = record_read(line, length, &record);
    if (wrong)
        message_warning(m->console, FPGZ_WARNING_MANIFEST, path, "line %" PRIu64 " %s; ignored", number,
                        wrong);
    else if (!add(m, &record))
        fpgz_fail(error, FPGZ_MEMORY, "no memory");
    if (wrong || error->status)
        record_free(&record);
    return error->status;
}

static enum fpgz_status load_file(struct manifest *m, const char *path, struct fpgz_error *error)
{
    char *line = NULL;
    size_t room = 0;
    uint64_t number = 0;
    FILE *file = fopen(path, "re");
    if (!file)
        return fpgz_fail(error, FPGZ_IO, "cannot open: %s", strerror(errno));
    for (ssize_t length; !error->status && (length = getline(&line, &room, file)) > 0;)
        take_line(m, path, ++number, line, (size_t)length, error);
    if (ferror(file))
        fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
    free(line);
    fclose(file);
    return error->status;
}

bool manifest_owns(const char *path, const char *name)
{
    const char *const base = fpgz_text_base(path);
    const size_t length = strlen(base);
    int end = -1;
    if (strncmp(name, base, length) != 0)
        return false;
    if (!name[length])
        return true;
    sscanf(name + length, ".%*u-of-%*u%n", &end);
    return end > 0 && !name[length + (size_t)end];
}

enum fpgz_status manifest_load(struct manifest *m, const char *path, unsigned *files,
                               struct fpgz_error *error)
{
    char *folder = name_join(path, (size_t)(fpgz_text_base(path) - path), "");
    struct dirent **entry;
    const int count = scandir(*folder ? folder : ".", &entry, NULL, alphasort);
    *files = 0;
    if (count < 0)
        fpgz_fail(error, FPGZ_IO, "cannot open: %s", strerror(errno));
    for (int i = 0; i < count; i++) {
        if (!error->status && manifest_owns(path, entry[i]->d_name)) {
            char *whole = name_join(folder, strlen(folder), entry[i]->d_name);
            load_file(m, whole, error);
            free(whole);
            ++*files;
        }
        free(entry[i]);
    }
    if (count >= 0)
        free(entry);
    free(folder);
    return error->status;
}

/* By source, then by what came later: a clock may step back, so its word counts only among lines that a
 * number does not tell apart. */
static int compare(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    const int order = strcmp(x->source, y->source);
    if (order || x->sequence != y->sequence)
        return order ? order : (x->sequence > y->sequence) - (x->sequence < y->sequence);
    if (x->finished != y->finished)
        return (x->finished > y->finished) - (x->finished < y->finished);
    return (x->read > y->read) - (x->read < y->read);
}

void manifest_settle(struct manifest *m)
{
    size_t kept = 0;
    if (m->count)
        qsort(m->record, m->count, sizeof *m->record, compare);
    for (size_t i = 0; i < m->count; i++) {
        struct record *last = kept ? &m->record[kept - 1] : NULL, *next = &m->record[i];
        if (!last || strcmp(last->source, next->source) != 0) {
            m->record[kept++] = *next;
        } else if (next->status && !last->status) { /* a later try failed */
            free(last->error);
            last->error = next->error;
            next->error = NULL;
            record_free(next);
        } else {
            record_free(last);
            *last = *next;
        }
    }
    m->count = kept;
}

const struct record *manifest_find(const struct manifest *m, const char *source)
{
    size_t low = 0, high = m->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(m->record[middle].source, source);
        if (!order)
            return &m->record[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

void manifest_free(struct manifest *m)
{
    for (size_t i = 0; i < m->count; i++)
        record_free(&m->record[i]);
    free(m->record);
    *m = (struct manifest){0};
}
