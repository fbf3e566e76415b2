/* SPDX-License-Identifier: MIT
 * Lines of manifests. usage: records   prints what failed, then "N passed, N failed". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch/journal.h"
#include "batch/manifest.h"
#include "checks.h"
#include "console/message.h"

/* A record of a source "a", as archiving notes it. */
static struct record record_of(uint64_t sequence, double finished, enum fpgz_status status)
{
    static const uint64_t chunks[MANIFEST_CODECS] = {[1] = 3};
    static struct file_times folders[2] = {{0750, {5, 6}}, {0700, {7, 8}}};
    return (struct record){.source = (char *)(uintptr_t) "a",
                           .size = 12,
                           .times = {0640, {-1, 999999999}},
                           .folders = folders,
                           .folder_count = 2,
                           .container = (char *)(uintptr_t) "a.fpgz",
                           .stored = sequence,
                           .sum = 0xFEDCBA9876543210,
                           .restored_sum = 0xFEDCBA9876543210,
                           .chunks = chunks,
                           .finished = finished,
                           .sequence = sequence,
                           .status = status,
                           .error = status ? (char *)(uintptr_t) "no luck" : NULL};
}

/* Whether these bytes are a line of a manifest. */
static bool is_record(const char *line, size_t length)
{
    struct record record = {0};
    const bool good = !record_read(line, length, &record);
    record_free(&record);
    return good;
}

static void test_lines(void)
{
    const struct record written = record_of(9007199254740991, 1.5, FPGZ_OK), none = record_of(0, 1, FPGZ_OK),
                        high = record_of(9007199254740992, 1.5, FPGZ_OK);
    struct record r = {0};
    size_t length;
    char *line = record_line(&written, &length);
    CHECK(!record_read(line, length, &r));
    CHECK(!strcmp(r.source, "a") && r.size == 12 && r.folder_count == 2 && r.folders[1].mtime.tv_nsec == 8 &&
          r.sum == written.sum && r.restored_sum == r.sum && r.sequence == written.sequence && !r.status);
    record_free(&r);
    unsigned torn = 0, edited = 0;
    for (size_t i = 0; i < length; i++) {
        torn += is_record(line, i);
        line[i] ^= 1;
        edited += is_record(line, length);
        line[i] ^= 1;
    }
    CHECK(!torn && !edited && is_record(line, length));
    /* Without check and sequence it is one of fpgz 0.1, without one of them none. */
    char *const sequence = strstr(line, ", \"sequence\""), *const end = strstr(line, ", \"check\"");
    strcpy(end, "}\n");
    CHECK(!is_record(line, strlen(line)));
    strcpy(sequence, "}\n");
    CHECK(is_record(line, strlen(line)));
    free(line);
    line = record_line(&none, &length);
    CHECK(!is_record(line, length));
    free(line);
    line = record_line(&high, &length);
    CHECK(!is_record(line, length));
    free(line);
}

/* Adds lines to a file of a manifest; those of sequence 0 as fpgz 0.1 wrote them. */
static void write_lines(const char *path, const struct record *record, size_t count)
{
    FILE *file = fopen(path, "a");
    for (size_t i = 0; i < count; i++) {
        size_t length;
        char *line = record_line(&record[i], &length), *sequence = strstr(line, ", \"sequence\"");
        if (!record[i].sequence)
            strcpy(sequence, "}\n");
        fputs(line, file);
        free(line);
    }
    fclose(file);
}

static struct console console = {.verbosity = -1};

/* By which line the source "a" is known, or 99. */
static uint64_t newest(const char *path, uint64_t *highest, bool *stale)
{
    struct manifest m = {.console = &console};
    struct fpgz_error error = {0};
    unsigned files;
    const struct record *r = NULL;
    if (!manifest_load(&m, path, &files, &error)) {
        manifest_settle(&m);
        r = manifest_find(&m, "a");
    }
    const uint64_t known = r ? r->stored : 99;
    *stale = r && r->error;
    *highest = m.sequence;
    manifest_free(&m);
    return known;
}

static void test_order(void)
{
    char folder[] = "/tmp/fpgz-test-XXXXXX", path[64], part[64];
    uint64_t highest;
    bool stale;
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/M", folder);
    snprintf(part, sizeof part, "%s/M.1-of-2", folder);
    /* Lines of fpgz 0.1: by when they were finished. */
    struct record old[] = {record_of(0, 300, FPGZ_OK), record_of(0, 200, FPGZ_OK)};
    old[0].stored = 30;
    old[1].stored = 20;
    write_lines(path, old, 2);
    CHECK(newest(path, &highest, &stale) == 30 && highest == 0);
    /* All others are newer, and among them the number counts, not the clock or the file. */
    write_lines(part, (const struct record[]){record_of(3, 100, FPGZ_OK), record_of(2, 250, FPGZ_OK)}, 2);
    CHECK(newest(path, &highest, &stale) == 3 && highest == 3);
    write_lines(path, (const struct record[]){record_of(4, 50, FPGZ_OK)}, 1);
    CHECK(newest(path, &highest, &stale) == 4 && highest == 4 && !stale);
    /* Of equal numbers the time decides, and of equal times the order of reading. */
    struct record same[] = {record_of(4, 70, FPGZ_OK), record_of(4, 60, FPGZ_OK), record_of(4, 70, FPGZ_OK)};
    same[0].stored = 41;
    same[2].stored = 42;
    write_lines(part, same, 3);
    CHECK(newest(path, &highest, &stale) == 42);
    write_lines(path, (const struct record[]){record_of(5, 10, FPGZ_IO)}, 1);
    CHECK(newest(path, &highest, &stale) == 42 && highest == 5 && stale);
    unlink(path);
    unlink(part);
    rmdir(folder);
}

/* A line that another run left without its end costs nobody a line, and is told of once. */
static void test_journal(void)
{
    char folder[] = "/tmp/fpgz-test-XXXXXX", path[64], text[4096] = "";
    struct journal journal;
    struct fpgz_error error = {0};
    uint64_t highest;
    bool stale;
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/M", folder);
    FILE *file = fopen(path, "w");
    fputs("{\"source\": \"b", file);
    fclose(file);
    CHECK(!journal_open(&journal, &console, path, 0, 1, &error));
    journal.sequence = 6;
    const struct record record = record_of(0, 1, FPGZ_OK);
    CHECK(!journal_append(&journal, &record, &error));
    file = fopen(path, "a"); /* by a run that no lock kept away */
    fputs("{\"source\": \"c", file);
    fclose(file);
    CHECK(!journal_append(&journal, &record, &error));
    journal_close(&journal);
    CHECK(newest(path, &highest, &stale) == 0 && highest == 8);
    CHECK(console.exit_code == EXIT_GOOD);
    file = fopen(path, "r");
    CHECK(file && fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    CHECK(!strncmp(text, "{\"source\": \"b#torn\n{", 20) && strstr(text, "}\n{\"source\": \"c#torn\n{"));
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    test_lines();
    test_order();
    test_journal();
    return checks_end();
}
