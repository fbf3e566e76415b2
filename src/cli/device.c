/* SPDX-License-Identifier: MIT
 * The device that the command line names: opened, looked for, and told of. */
#include "cli/device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codec/codecs.h"
#include "engine/device.h"
#include "source/formats.h"

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

/* The driver takes some 8 ms to start and 4 to end for each way to the device, of which it has eight. With
 * fewer than four, chunks wait for each other. */
static void narrow_ways(void)
{
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "4", 0);
}

/* Does what must not be done when a GPU has threads, which then stay. Without one, the process that reads
 * HDF5 files is started with the first of these, before there are threads for it. */
static enum fpgz_status before_threads(const struct options *options, bool several, struct fpgz_error *error)
{
    const bool later = options->device == FPGZ_BACKEND_AUTO && several &&
                       fpgz_device_has(&fpgz_ndzip, true); /* this build has kernels */
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);           /* not all file systems have locks */
    return options->device == FPGZ_BACKEND_CUDA || later ? fpgz_source_start(error) : FPGZ_OK;
}

static bool report(const struct command *command, const struct fpgz_error *error)
{
    message_error(command->console, error->status, NULL, "--device cuda: %s", error->text);
    return false;
}

bool device_open(struct command *command, bool several)
{
    const struct options *const options = command->options;
    struct fpgz_error error = {0};
    narrow_ways();
    if (before_threads(options, several, &error)) {
        message_error(command->console, error.status, NULL, "%s", error.text);
        return false;
    }
    const bool restores = options->mode == MODE_DECOMPRESS || options->mode == MODE_TEST;
    return !fpgz_backend_open(options->device, options->device_number, narrow_gpus(options),
                              restores && !several, &command->terms.backend, &error) ||
           report(command, &error);
}

bool device_is_there(const struct command *command)
{
    const struct options *const options = command->options;
    struct fpgz_error error = {0};
    int pair[2];
    if (options->device != FPGZ_BACKEND_CUDA)
        return true;
    const pid_t pid = pipe(pair) == 0 ? fork() : -1;
    if (pid < 0) {
        fpgz_fail(&error, FPGZ_IO, "cannot start a process: %s", strerror(errno));
        return report(command, &error);
    }
    if (pid == 0) {
        struct fpgz_device *device;
        fpgz_device_open(options->device_number, narrow_gpus(options), &device, &error);
        _exit(write(pair[1], &error, sizeof error) != sizeof error);
    }
    close(pair[1]);
    if (read(pair[0], &error, sizeof error) != sizeof error)
        fpgz_fail(&error, FPGZ_UNSUPPORTED, "the process that looks for GPUs ended");
    close(pair[0]);
    waitpid(pid, NULL, 0);
    return !error.status || report(command, &error);
}

void device_tell(const struct command *command, bool all)
{
    struct fpgz_error error = {0};
    char text[FPGZ_BACKEND_TEXT];
    if (fpgz_backend_failure(command->terms.backend, &error))
        message_notice(command->console, 0, NULL, "%s; the CPU did the rest", error.text);
    if (all && *fpgz_backend_text(command->terms.backend, text))
        message_notice(command->console, 1, NULL, "%s", text);
}
