/* SPDX-License-Identifier: MIT
 * --json: one object for each file, with what became of it and what was said of it. */
#include "cli/account.h"

#include <inttypes.h>
#include <stdlib.h>

#include "console/json.h"
#include "core/clock.h"
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
static void write_object(FILE *to, enum mode mode, const char *file, const struct result *result,
                         const char *messages)
{
    fputs("{\"file\": ", to);
    write_text(to, file);
    fprintf(to, ", \"operation\": \"%s\", \"exit\": %d, \"status\": \"%s\", \"error\": ", operation(mode),
            result->code, result->status);
    write_text(to, result->error);
    fprintf(to,
            ", \"raw\": %" PRIu64 ", \"stored\": %" PRIu64
            ", \"ratio\": %.6f, \"seconds\": %.6f, \"messages\": [%s]}\n",
            result->raw, result->stored, progress_ratio(result->raw, result->stored), result->seconds,
            messages);
}

/* Prints it by one write(2): those of several processes do not mix. */
static void print(FILE *to, enum mode mode, const char *file, const struct result *result,
                  const char *messages)
{
    char *text = NULL;
    size_t bytes;
    FILE *const memory = open_memstream(&text, &bytes);
    write_object(memory ? memory : to, mode, file, result, messages);
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

static void observe(void *observer, bool error, const char *code, const char *file, const char *text)
{
    const struct account *account = observer;
    const struct options *options = account->options;
    if (!options->json)
        return;
    if (account->said) {
        fputs(ftell(account->said) ? ", " : "", account->said);
        write_message(account->said, error, code, text);
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
    print(file ? stream_for(options, file) : stderr, options->mode, file, &result, message);
    free(message);
}

void account_begin(struct account *account, const struct options *options, struct console *console)
{
    *account = (struct account){.options = options, .console = console};
    console->observe = observe;
    console->observer = account;
}

void account_file(struct account *account, const struct command *command, const char *path,
                  void (*one)(const struct command *, const char *))
{
    struct console *const console = account->console;
    const int before = console->exit_code;
    const uint64_t raw = console->progress.all_raw, stored = console->progress.all_stored;
    const double start = fpgz_clock();
    struct result result = {.status = "ok"};
    message_reset(console);
    account->said = open_memstream(&account->text, &account->bytes);
    one(command, path);
    result.code = console->exit_code;
    result.seconds = fpgz_clock() - start;
    result.raw = console->progress.all_raw - raw;
    result.stored = console->progress.all_stored - stored;
    if (result.code == EXIT_ERROR) {
        result.status = fpgz_status_name(console->last_error.status);
        result.error = console->last_error.text;
    } else if (result.code == EXIT_WARNING) {
        result.status = "warning";
    }
    if (account->said)
        fclose(account->said);
    print(stream_for(account->options, path), account->options->mode, path ? path : "-", &result,
          account->said ? account->text : "");
    account->said = NULL;
    free(account->text);
    account->text = NULL;
    message_worsen(console, before);
}
