/* SPDX-License-Identifier: MIT
 * Consoles (console/message.h): what each says, remembers and tells whom observes it, apart from others.
 * usage: console   prints what failed, then "N passed, N failed". */
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "console/message.h"

/* What was printed on standard error since begin(). */
static char *printed;
static size_t printed_bytes;
static FILE *terminal;

static void begin(void)
{
    terminal = stderr;
    stderr = open_memstream(&printed, &printed_bytes);
}

static bool end(const char *expected)
{
    fclose(stderr);
    stderr = terminal;
    const bool same = !strcmp(printed, expected);
    free(printed);
    return same;
}

static void observe(void *observer, bool error, const char *code, const char *file, const char *text)
{
    char *const last = observer;
    snprintf(last, 100, "%s %s %s %s", error ? "error" : "warning", code, file ? file : "-", text);
}

static void test_apart(void)
{
    char heard[100] = "";
    struct console loud = {.verbosity = 1, .observe = observe, .observer = heard}, quiet = {.verbosity = -1};
    begin();
    message_warning(&loud, FPGZ_WARNING_KEPT, "a", "stays");
    message_warning(&quiet, FPGZ_WARNING_KEPT, "b", "stays");
    message_notice(&loud, 1, NULL, "%d files", 3);
    message_notice(&loud, 2, NULL, "chunks");
    message_notice(&quiet, 0, NULL, "nothing");
    CHECK(end("fpgz: a: warning: stays\nfpgz: 3 files\n"));
    CHECK(!strcmp(heard, "warning source-kept a stays"));
    CHECK(loud.exit_code == EXIT_WARNING && quiet.exit_code == EXIT_WARNING);
    begin();
    message_error(&quiet, FPGZ_IO, "c\n", "cannot %s", "open");
    CHECK(end("fpgz: c\\n: cannot open\n"));
    CHECK(quiet.exit_code == EXIT_ERROR && quiet.last_error.status == FPGZ_IO);
    CHECK(loud.exit_code == EXIT_WARNING && loud.last_error.status == FPGZ_OK);
    message_worsen(&loud, EXIT_ERROR);
    message_worsen(&loud, EXIT_WARNING);
    CHECK(loud.exit_code == EXIT_ERROR);
    message_reset(&quiet);
    CHECK(quiet.exit_code == EXIT_GOOD && quiet.last_error.status == FPGZ_OK);
}

/* What jobs tell goes to the console that listens. */
static void test_listener(void)
{
    struct console one = {.verbosity = 1, .reserve = 1}, other = {0};
    const struct fpgz_listener listener = message_listener(&one);
    struct fpgz_error error = {.status = FPGZ_CLOSED, .text = "the reader went away"};
    CHECK(fpgz_heard(&listener, 0) && !fpgz_heard(&listener, 1));
    CHECK(progress_begin(&one.progress, "a", 100, false, false) &&
          !progress_begin(&one.progress, "b", 1, false, false) &&
          progress_begin(&other.progress, "c", 1, false, false));
    begin();
    fpgz_notice(&listener, 1, "a", "chunk %d", 1);
    fpgz_notice(&listener, 0, "a", "grid");
    fpgz_warn(&listener, FPGZ_WARNING_LOST, "a", "lost");
    fpgz_tell_failure(&listener, "a", &error);
    CHECK(fpgz_progress(&listener, 10, 5, &error));
    CHECK(end("fpgz: a: grid\nfpgz: a: warning: lost\n"));
    CHECK(one.exit_code == EXIT_ERROR && other.exit_code == EXIT_GOOD);
    progress_end(&one.progress);
    progress_count(&one.progress, 10, 5);
    CHECK(one.progress.files == 1 && one.progress.all_raw == 10 && one.progress.all_stored == 5);
    CHECK(!other.progress.files && other.progress.name);
}

int main(void)
{
    test_apart();
    test_listener();
    return checks_end();
}
