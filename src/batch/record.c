/* SPDX-License-Identifier: MIT
 * Lines of manifests: JSON objects whose last field is a check of the others' bytes. */
#include "batch/record.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/codec.h"
#include "console/json.h"
#include "core/checksum.h"

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
    fprintf(out, ", \"sequence\": %" PRIu64, r->sequence);
}

/* How a line ends: with the XXH3-64 of all its bytes before. */
#define CHECK ", \"check\": \"%016" PRIx64 "\"}\n"
enum { CHECK_BYTES = sizeof ", \"check\": \"0123456789abcdef\"}\n" - 1 };

char *record_line(const struct record *record, size_t *length)
{
    char *line = NULL;
    FILE *out = open_memstream(&line, length);
    if (!out)
        return NULL;
    write_record(out, record);
    if (fflush(out) == 0)
        fprintf(out, CHECK, fpgz_checksum(line, *length));
    if (fclose(out) == 0)
        return line;
    free(line);
    return NULL;
}

static bool check_agrees(const char *line, size_t length)
{
    char end[CHECK_BYTES + 1];
    if (length < CHECK_BYTES)
        return false;
    snprintf(end, sizeof end, CHECK, fpgz_checksum(line, length - CHECK_BYTES));
    return !memcmp(line + length - CHECK_BYTES, end, CHECK_BYTES);
}

void record_free(struct record *r)
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

/* What a line has beside values of the record. */
struct fields {
    bool status, sum, other_sum, sequence, check;
};

static void read_field(struct json *j, const char *key, struct record *r, struct fields *has)
{
    if (!strcmp(key, "source")) {
        read_string(j, &r->source);
    } else if (!strcmp(key, "size")) {
        r->size = json_unsigned(j);
    } else if (!strcmp(key, "container")) {
        read_string(j, &r->container);
    } else if (!strcmp(key, "stored")) {
        r->stored = json_unsigned(j);
    } else if (!strcmp(key, "xxh3")) {
        r->sum = read_digits(j, 16);
        has->sum = true;
    } else if (!strcmp(key, "restored_xxh3")) {
        r->restored_sum = read_digits(j, 16);
        has->other_sum = true;
    } else if (!strcmp(key, "finished")) {
        r->finished = json_number(j);
    } else if (!strcmp(key, "folders")) {
        read_folders(j, r);
    } else if (!strcmp(key, "status")) {
        char *status = json_string(j);
        has->status = status;
        r->status = status && !strcmp(status, "ok") ? FPGZ_OK : FPGZ_IO; /* which one matters no more */
        free(status);
    } else if (!strcmp(key, "error")) {
        if (!json_null(j))
            read_string(j, &r->error);
    } else if (!strcmp(key, "sequence")) {
        r->sequence = json_unsigned(j);
        has->sequence = true;
        j->bad |= !r->sequence || r->sequence > RECORD_LAST;
    } else if (!strcmp(key, "check")) {
        has->check = true;
        json_skip(j);
    } else if (!read_times(j, key, &r->times)) {
        json_skip(j);
    }
}

const char *record_read(const char *line, size_t length, struct record *r)
{
    struct json j = {.at = line, .end = line + length};
    struct fields has = {0};
    char key[16];
    json_open(&j, '{');
    while (json_key(&j, key, sizeof key))
        read_field(&j, key, r, &has);
    if (!has.other_sum)
        r->restored_sum = r->sum;
    if (!json_end(&j) || !has.status || !r->source || !*r->source || !r->container ||
        (!r->status && !has.sum))
        return "is no record";
    /* Lines of fpgz 0.1 have neither. */
    if ((has.sequence || has.check) && !(has.sequence && check_agrees(line, length)))
        return "was changed: its check does not agree";
    return NULL;
}

bool record_is_of(const struct record *r, const struct stat *stat)
{
    return r->size == (uint64_t)stat->st_size && r->times.mtime.tv_sec == stat->st_mtim.tv_sec &&
           r->times.mtime.tv_nsec == stat->st_mtim.tv_nsec;
}
