/* SPDX-License-Identifier: MIT */
#include "cli/account.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"

static const char *operation(enum mode mode)
{
    switch (mode) {
    case MODE_DECOMPRESS:
        return "decompress";
    case MODE_TEST:
        return "test";
    case MODE_RECOVER:
        return "recover";
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

/* "stdout" holds data: with -c, and where standard input is read and no output is named. */
static bool stdout_is_data(const struct options *options, const char *path)
{
    return options->mode != MODE_TEST && (options->to_stdout || (!path && !options->output));
}

void account_file(const struct options *options, const char *path,
                  void (*one)(const struct options *, const char *))
{
    FILE *const to = stdout_is_data(options, path) ? stderr : stdout;
    const int before = message_exit_code();
    const double start = now();
    uint64_t raw, stored, raw_before, stored_before;
    progress_sums(&raw_before, &stored_before);
    message_reset();
    one(options, path);
    const int code = message_exit_code();
    const double seconds = now() - start;
    const struct fpgz_error *error = message_last_error();
    progress_sums(&raw, &stored);
    raw -= raw_before;
    stored -= stored_before;
    fputs("{\"file\": ", to);
    json_write_string(to, path ? path : "-");
    fprintf(to, ", \"operation\": \"%s\", \"exit\": %d, \"status\": \"%s\", \"error\": ",
            operation(options->mode), code,
            code == EXIT_ERROR     ? fpgz_status_name(error->status)
            : code == EXIT_WARNING ? "warning"
                                   : "ok");
    if (code == EXIT_ERROR)
        json_write_string(to, error->text);
    else
        fputs("null", to);
    fprintf(to, ", \"raw\": %" PRIu64 ", \"stored\": %" PRIu64 ", \"ratio\": %.6f, \"seconds\": %.6f}\n", raw,
            stored, raw ? (double)stored / (double)raw : 1.0, seconds);
    fflush(to);
    message_worsen(before);
}
