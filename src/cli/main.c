/* SPDX-License-Identifier: MIT
 * fpgz: compresses floating-point grids. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/account.h"
#include "cli/bare.h"
#include "cli/batch.h"
#include "cli/bench.h"
#include "cli/codecs.h"
#include "cli/compress.h"
#include "cli/decompress.h"
#include "cli/device.h"
#include "cli/formats.h"
#include "cli/list.h"
#include "cli/operands.h"
#include "cli/parse.h"
#include "cli/recover.h"
#include "files/temporary.h"
#include "source/formats.h"

/* What a mode does with a file, or with standard input for NULL. */
typedef void mode_function(const struct command *command, const char *path);

/* Calls `one` for each file of the command line; "-", or none at all, is standard input. */
static void for_each_file(const struct command *command, struct account *account, mode_function *one)
{
    const struct options *options = command->options;
    const struct selection *selection = &options->selection;
    for (int i = 0; i < selection->file_count || !i; i++) {
        const char *name = selection->file_count ? selection->files[i] : "-";
        const char *path = strcmp(name, "-") ? name : NULL;
        if (options->json && options->mode != MODE_BENCH)
            account_file(account, command, path, one);
        else
            one(command, path);
    }
}

/* The same, with the device that the command line names. */
static void for_each_file_on_device(struct command *command, struct account *account, mode_function *one)
{
    if (!device_open(command, command->options->selection.file_count > 1))
        return;
    for_each_file(command, account, one);
    /* --bench has rows for a GPU that is there. */
    device_tell(command, command->options->mode != MODE_BENCH || !fpgz_backend_wait(command->terms.backend));
}

/* Tells of all files together, where there were several. */
static void tell_sums(struct console *console)
{
    const struct progress *p = &console->progress;
    if (p->files > 1)
        message_notice(console, isatty(STDERR_FILENO) ? 0 : 1, NULL,
                       "%" PRIu64 " files: %" PRIu64 " bytes, %" PRIu64 " in containers, ratio %.4f",
                       p->files, p->all_raw, p->all_stored, progress_ratio(p->all_raw, p->all_stored));
}

/* Opens what is missing of the standard descriptors, or the first files that we open would take their places:
 * messages would be written into an output. To read from standard input, or to write data to standard output,
 * is then an error, for the descriptor is open the other way; messages are lost. */
static void open_standard(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) != fd)
            _exit(EXIT_ERROR);
}

static void run(struct command *command, struct account *account)
{
    const struct options *options = command->options;
    switch (options->mode) {
    case MODE_COMPRESS:
        options->bare ? for_each_file(command, account, bare_file)
                      : for_each_file_on_device(command, account, compress_file);
        break;
    case MODE_DECOMPRESS:
    case MODE_TEST:
        options->bare ? for_each_file(command, account, bare_file)
                      : for_each_file_on_device(command, account, decompress_file);
        break;
    case MODE_RECOVER:
        for_each_file(command, account, recover_file);
        break;
    case MODE_LIST:
        list_files(command);
        break;
    case MODE_BENCH:
        for_each_file_on_device(command, account, bench_file);
        break;
    case MODE_CODECS:
        codecs_print();
        break;
    case MODE_FORMATS:
        formats_print();
        break;
    case MODE_BATCH:
        batch_files(command);
        break;
    }
}

int main(int argc, char **argv)
{
    struct options options = {0};
    struct console console = {0};
    struct account account;
    struct fpgz_kept_jobs kept = {.packing = {.count = 0}};
    const struct fpgz_listener listener = message_listener(&console);
    struct command command = {.options = &options, .console = &console};
    open_standard();
    account_begin(&account, &options, &console);
    if (options_parse(argc, argv, &options, &console) &&
        (options.mode == MODE_BATCH || operands_gather(&options, &console))) {
        command.terms.setup = options.setup;
        command.terms.listener = &listener;
        command.terms.kept = &kept;
        temporary_handle_signals();
        run(&command, &account);
    }
    fpgz_source_stop();
    tell_sums(&console);
    operands_release(&options);
    options_free(&options);
    if (fflush(stdout) != 0 || ferror(stdout))
        message_error(&console, FPGZ_IO, "(stdout)", "cannot write: %s", strerror(errno));
    /* A GPU's driver ends with the process in less time than in order, and its threads do not wait. */
    if (fpgz_backend_begun(command.terms.backend))
        _exit(console.exit_code);
    fpgz_backend_close(command.terms.backend);
    exit(console.exit_code); /* with what is kept: to unmap it piece by piece would take longer */
}
