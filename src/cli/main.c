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
#include "cli/list.h"
#include "cli/operands.h"
#include "cli/parse.h"
#include "cli/recover.h"
#include "codec/codecs.h"
#include "console/message.h"
#include "console/progress.h"
#include "engine/device.h"
#include "files/temporary.h"
#include "source/formats.h"

/* Calls `one` for each file of the command line; "-", or none at all, is standard input. */
static void for_each_file(const struct options *options, void (*one)(const struct options *, const char *))
{
    const bool account = options->json && options->mode != MODE_BENCH;
    for (int i = 0; i < options->selection.file_count || !i; i++) {
        const char *name = options->selection.file_count ? options->selection.files[i] : "-";
        const char *path = strcmp(name, "-") ? name : NULL;
        if (account)
            account_file(options, path, one);
        else
            one(options, path);
    }
}

/* Lets the driver see the GPU of the command line alone, unless the environment already says which it may
 * see: each further one would take it 0.2 seconds to start. */
static bool narrow_gpus(const struct options *options)
{
    static const char visible[] = "CUDA_VISIBLE_DEVICES";
    char number[12];
    snprintf(number, sizeof number, "%d", options->device_number);
    return options->device != FPGZ_BACKEND_CPU && options->device_number >= 0 && !getenv(visible) &&
           setenv(visible, number, 0) == 0;
}

/* Does what must not be done when a GPU has threads, which then stay. Without one, the process that reads
 * HDF5 files is started with the first of these, before there are threads for it. */
static enum fpgz_status before_threads(const struct options *options, struct fpgz_error *error)
{
    const bool later = options->device == FPGZ_BACKEND_AUTO && options->selection.file_count > 1 &&
                       fpgz_device_has(&fpgz_ndzip); /* this build has kernels */
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);     /* not all file systems have locks */
    return options->device == FPGZ_BACKEND_CUDA || later ? fpgz_source_start(error) : FPGZ_OK;
}

/* The same, with the device that the command line names. */
static void for_each_file_on_device(struct options *options,
                                    void (*one)(const struct options *, const char *))
{
    struct fpgz_error error = {0};
    char text[FPGZ_BACKEND_TEXT];
    if (before_threads(options, &error)) {
        message_error(error.status, NULL, "%s", error.text);
        return;
    }
    if (fpgz_backend_open(options->device, options->device_number, narrow_gpus(options),
                          &options->setup.backend, &error)) {
        message_error(error.status, NULL, "--device cuda: %s", error.text);
        return;
    }
    for_each_file(options, one);
    if (fpgz_backend_failure(options->setup.backend, &error))
        message_notice(0, NULL, "%s; the CPU did the rest", error.text);
    /* --bench has rows for a GPU that is there. */
    const bool shown = options->mode == MODE_BENCH && fpgz_backend_wait(options->setup.backend);
    if (!shown && *fpgz_backend_text(options->setup.backend, text))
        message_notice(1, NULL, "%s", text);
}

/* Tells of all files together, where there were several. */
static void tell_sums(void)
{
    uint64_t raw, stored;
    const uint64_t files = progress_sums(&raw, &stored);
    if (files > 1)
        message_notice(isatty(STDERR_FILENO) ? 0 : 1, NULL,
                       "%" PRIu64 " files: %" PRIu64 " bytes, %" PRIu64 " in containers, ratio %.4f", files,
                       raw, stored, raw ? (double)stored / (double)raw : 1.0);
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

int main(int argc, char **argv)
{
    struct options options = {0};
    open_standard();
    if (options_parse(argc, argv, &options) && (options.mode == MODE_BATCH || operands_gather(&options))) {
        file_io_handle_signals();
        switch (options.mode) {
        case MODE_COMPRESS:
            options.bare ? for_each_file(&options, bare_file)
                         : for_each_file_on_device(&options, compress_file);
            break;
        case MODE_DECOMPRESS:
        case MODE_TEST:
            options.bare ? for_each_file(&options, bare_file)
                         : for_each_file_on_device(&options, decompress_file);
            break;
        case MODE_RECOVER:
            for_each_file(&options, recover_file);
            break;
        case MODE_LIST:
            list_files(&options);
            break;
        case MODE_BENCH:
            for_each_file_on_device(&options, bench_file);
            break;
        case MODE_CODECS:
            codecs_print();
            break;
        case MODE_BATCH:
            if (options.device == FPGZ_BACKEND_CUDA)
                message_error(FPGZ_USAGE, NULL, "--device cuda: fpgz batch works with the CPU alone");
            else
                batch_files(&options);
            break;
        }
    }
    fpgz_source_stop();
    tell_sums();
    operands_release(&options);
    options_free(&options);
    if (fflush(stdout) != 0 || ferror(stdout))
        message_error(FPGZ_IO, "(stdout)", "cannot write: %s", strerror(errno));
    if (!fpgz_backend_close(options.setup.backend))
        _exit(message_exit_code());
    return message_exit_code();
}
