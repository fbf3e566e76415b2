/* SPDX-License-Identifier: MIT */
#include "cli/batch/manifest.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/message.h"
#include "cli/name.h"
#include "codec/codec.h"

static void write_times(FILE *out, const struct file_times *times)
{
    fprintf(out, "\"mode\": \"%04o\", \"mtime\": %jd, \"mtime_ns\": %ld", (unsigned)times->mode,
            (intmax_t)times->mtime.tv_sec, times->mtime.tv_nsec);
}

static void write_record(FILE *out, const struct record *r)
{
    const char *comma = "";
    fprintf(out, "{\"source\": ");
    json_write_string(out, r->source);
    fprintf(out, ", \"size\": %" PRIu64 ", ", r->size);
    write_times(out, &r->times);
    fprintf(out, ", \"folders\": [");
    for (size_t i = 0; i < r->folder_count; i++) {
        fprintf(out, "%s{", i ? ", " : "");
        write_times(out, &r->folders[i]);
        fprintf(out, "}");
    }
    fprintf(out, "], \"container\": ");
    json_write_string(out, r->container);
    if (!r->status) {
        fprintf(out, ", \"stored\": %" PRIu64 ", \"xxh3\": \"%016" PRIx64 "\"", r->stored, r->sum);
        if (r->restored_sum != r->sum)
            fprintf(out, ", \"restored_xxh3\": \"%016" PRIx64 "\"", r->restored_sum);
        fprintf(out, ", \"codecs\": {");
        for (uint16_t id = 0; id < MANIFEST_CODECS; id++)
            if (r->chunks[id]) {
                fprintf(out, "%s\"%s\": %" PRIu64, comma, fpgz_codec_by_id(id)->name, r->chunks[id]);
                comma = ", ";
            }
        fprintf(out, "}");
    }
    fprintf(out, ", \"seconds\": %.3f, \"finished\": %.3f, \"status\": \"%s\", \"error\": ", r->seconds,
            r->finished, fpgz_status_name(r->status));
    if (r->error)
        json_write_string(out, r->error);
    else
        fprintf(out, "null");
    fprintf(out, "}\n");
}

char *manifest_line(const struct record *record, size_t *length)
{
    char *line = NULL;
    FILE *out = open_memstream(&line, length);
    if (!out)
        return NULL;
    write_record(out, record);
    if (fclose(out) == 0)
        return line;
    free(line);
    return NULL;
}

static void record_free(struct record *r)
{
    free(r->source);
    free(r->container);
    free(r->error);
    free(r->folders);
}

/* A string of digits to this base, as a value. */
static uint64_t read_digits(struct json *j, int base)
{
    char *const text = json_string(j), *end = text;
    const uint64_t value = text && isxdigit((unsigned char)*text) ? strtoull(text, &end, base) : 0;
    j->bad |= !text || end == text || *end;
    free(text);
    return value;
}

/* Whether the key is one of a file's or folder's; its value is then read. */
static bool read_times(struct json *j, const char *key, struct file_times *times)
{
    if (!strcmp(key, "mode"))
        times->mode = (uint32_t)read_digits(j, 8) & 07777;
    else if (!strcmp(key, "mtime"))
        times->mtime.tv_sec = (time_t)json_signed(j);
    else if (!strcmp(key, "mtime_ns"))
        times->mtime.tv_nsec = (long)(json_unsigned(j) % 1000000000);
    else
        return false;
    return true;
}

static void read_folders(struct json *j, struct record *r)
{
    char key[16];
    json_open(j, '[');
    while (json_element(j)) {
        struct file_times times = {0};
        json_open(j, '{');
        while (json_key(j, key, sizeof key))
            if (!read_times(j, key, &times))
                json_skip(j);
        struct file_times *more = realloc(r->folders, (r->folder_count + 1) * sizeof *more);
        if (!more) {
            j->bad = true;
            return;
        }
        r->folders = more;
        r->folders[r->folder_count++] = times;
    }
}

static void read_string(struct json *j, char **text)
{
    free(*text);
    *text = json_string(j);
}

/* Reads a line; false when it is no record. The caller frees what is in it either way. */
static bool read_record(const char *line, size_t length, struct record *r)
{
    struct json j = {.at = line, .end = line + length};
    char key[16];
    bool complete = false, has_sum = false, other_sum = false;
    json_open(&j, '{');
    while (json_key(&j, key, sizeof key)) {
        if (!strcmp(key, "source")) {
            read_string(&j, &r->source);
        } else if (!strcmp(key, "size")) {
            r->size = json_unsigned(&j);
        } else if (!strcmp(key, "container")) {
            read_string(&j, &r->container);
        } else if (!strcmp(key, "stored")) {
            r->stored = json_unsigned(&j);
        } else if (!strcmp(key, "xxh3")) {
            r->sum = read_digits(&j, 16);
            has_sum = true;
        } else if (!strcmp(key, "restored_xxh3")) {
            r->restored_sum = read_digits(&j, 16);
            other_sum = true;
        } else if (!strcmp(key, "finished")) {
            r->finished = json_number(&j);
        } else if (!strcmp(key, "folders")) {
            read_folders(&j, r);
        } else if (!strcmp(key, "status")) {
            char *status = json_string(&j);
            complete = status;
            r->status = status && !strcmp(status, "ok") ? FPGZ_OK : FPGZ_IO; /* which one matters no more */
            free(status);
        } else if (!strcmp(key, "error")) {
            if (!json_null(&j))
                read_string(&j, &r->error);
        } else if (!read_times(&j, key, &r->times)) {
            json_skip(&j);
        }
    }
    if (!other_sum)
        r->restored_sum = r->sum;
    return json_end(&j) && complete && r->source && *r->source && r->container && (r->status || has_sum);
}

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
    m->record[m->count++] = *record;
    return true;
}

static enum fpgz_status load_file(struct manifest *m, const char *path, unsigned *files,
                                  struct fpgz_error *error)
{
    char *line = NULL;
    size_t room = 0;
    uint64_t number = 0;
    FILE *file = fopen(path, "re");
    if (!file)
        return errno == ENOENT ? FPGZ_OK : fpgz_fail(error, FPGZ_IO, "cannot open: %s", strerror(errno));
    ++*files;
    for (ssize_t length; !error->status && (length = getline(&line, &room, file)) > 0;) {
        struct record record = {0};
        number++;
        if (line[length - 1] != '\n')
            break;
        const bool good = read_record(line, (size_t)length, &record);
        if (!good)
            message_warning(WARNING_MANIFEST, path, "line %" PRIu64 " is no record; ignored", number);
        else if (!add(m, &record))
            fpgz_fail(error, FPGZ_MEMORY, "no memory");
        if (!good || error->status)
            record_free(&record);
    }
    if (ferror(file))
        fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
    free(line);
    fclose(file);
    return error->status;
}

bool manifest_owns(const char *path, const char *name)
{
    const char *const base = name_base(path);
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
    char *folder = name_join(path, (size_t)(name_base(path) - path), "");
    DIR *dir = opendir(*folder ? folder : ".");
    *files = 0;
    if (!dir)
        fpgz_fail(error, FPGZ_IO, "cannot open: %s", strerror(errno));
    for (struct dirent *entry; dir && !error->status && (entry = readdir(dir));) {
        if (!manifest_owns(path, entry->d_name))
            continue;
        char *whole = name_join(folder, strlen(folder), entry->d_name);
        load_file(m, whole, files, error);
        free(whole);
    }
    if (dir)
        closedir(dir);
    free(folder);
    return error->status;
}

/* By source, then by time. */
static int compare(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    const int order = strcmp(x->source, y->source);
    return order ? order : (x->finished > y->finished) - (x->finished < y->finished);
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
