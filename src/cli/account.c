/* SPDX-License-Identifier: MIT
 * --json: one object for each file, with what became of it and what was said of it. */
#include "cli/account.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "console/json.h"
#include "console/message.h"
#include "console/progress.h"
#include "files/link.h"

static const char *operation(enum mode mode)
{
    switch (mode) {
    case MODE_DECOMPRESS:
        return "decompress";
    case MODE_TEST:
        return "test";
    case MODE_RECOVER:
        return "recover";
    case MODE_LIST:
        return "list";
    case MODE_BENCH:
        return "bench";
    case MODE_BATCH:
        return "batch";
    default:
        return "compress";
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Standard output, or standard error where that holds data (-c, or standard input is read and no output is
 * named) or rows of another kind. */
static FILE *stream_for(const struct options *options, const char *path)
{
    switch (options->mode) {
    case MODE_COMPRESS:
    case MODE_DECOMPRESS:
    case MODE_RECOVER:
        return options->to_stdout || (!path && !options->output) || link_is_stdout(options->output) ? stderr
                                                                                                    : stdout;
    case MODE_TEST:
        return stdout;
    default:
        return stderr;
    }
}

static const struct options *observed;

/* What is said of the file at work, as JSON; NULL while there is none. */
static struct {
    FILE *stream;
    char *text;
    size_t bytes;
} said;

/* What became of a file. */
struct result {
    int code;
    const char *status, *error; /* fpgz_status_name(), or "warning"; a sentence, or NULL */
    uint64_t raw, stored;
    double seconds;
};

static void write_text(FILE *to, const char *text)
{
    if (text)
        json_write_string(to, text);
    else
        fputs("null", to);
}

/* The object of a file, or of what is said of none (NULL). */
static void write_object(FILE *to, const char *file, const struct result *result, const char *messages)
{
    fputs("{\"file\": ", to);
    write_text(to, file);
    fprintf(to, ", \"operation\": \"%s\", \"exit\": %d, \"status\": \"%s\", \"error\": ",
            operation(observed->mode), result->code, result->status);
    write_text(to, result->error);
    fprintf(to,
            ", \"raw\": %" PRIu64 ", \"stored\": %" PRIu64
            ", \"ratio\": %.6f, \"seconds\": %.6f, \"messages\": [%s]}\n",
            result->raw, result->stored, result->raw ? (double)result->stored / (double)result->raw : 1.0,
            result->seconds, messages);
}

/* Prints it by one write(2): those of several processes do not mix. */
static void print(FILE *to, const char *file, const struct result *result, const char *messages)
{
    char *text = NULL;
    size_t bytes;
    FILE *const memory = open_memstream(&text, &bytes);
    write_object(memory ? memory : to, file, result, messages);
    if (memory && fclose(memory) == 0)
        fwrite(text, 1, bytes, to);
    free(text);
    fflush(to);
}

static void write_message(FILE *to, bool error, const char *code, const char *text)
{
    fprintf(to, "{\"level\": \"%s\", \"code\": \"%s\", \"text\": ", error ? "error" : "warning", code);
    json_write_string(to, text);
    fputs("}", to);
}

static void observe(bool error, const char *code, const char *file, const char *text)
{
    if (said.stream) {
        fputs(ftell(said.stream) ? ", " : "", said.stream);
        write_message(said.stream, error, code, text);
        return;
    }
    const struct result result = {.code = error ? EXIT_ERROR : EXIT_WARNING,
                                  .status = error ? code : "warning",
                                  .error = error ? text : NULL};
    char *message = NULL;
    size_t bytes;
    FILE *const memory = open_memstream(&message, &bytes);
    if (!memory)
        return;
    write_message(memory, error, code, text);
    fclose(memory);
    print(file ? stream_for(observed, file) : stderr, file, &result, message);
    free(message);
}

void account_begin(const struct options *options)
{
    observed = options;
    message_observer = observe;
}

void account_file(const struct options *options, const char *path,
                  void (*one)(const struct options *, const char *))
{
    const int before = message_exit_code();
    const double start = now();
    struct result result = {.status = "ok"};
    uint64_t raw_before, stored_before;
    progress_sums(&raw_before, &stored_before);
    message_reset();
    said.stream = open_memstream(&said.text, &said.bytes);
    one(options, path);
    result.code = message_exit_code();
    result.seconds = now() - start;
    progress_sums(&result.raw, &result.stored);
    result.raw -= raw_before;
    result.stored -= stored_before;
    if (result.code == EXIT_ERROR) {
        result.status = fpgz_status_name(message_last_error()->status);
        result.error = message_last_error()->text;
    } else if (result.code == EXIT_WARNING) {
        result.status = "warning";
    }
    if (said.stream)
        fclose(said.stream);
    print(stream_for(options, path), path ? path : "-", &result, said.stream ? said.text : "");
    said.stream = NULL;
    free(said.text);
    said.text = NULL;
    message_worsen(before);
}
