/* SPDX-License-Identifier: MIT
 * fpgz: compresses floating-point grids. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/bare.h"
#include "cli/bench.h"
#include "cli/compress.h"
#include "cli/decompress.h"
#include "cli/file_io.h"
#include "cli/list.h"
#include "cli/message.h"
#include "cli/options.h"

/* Calls `one` for each file of the command line; "-", or none at all, is standard input. */
static void for_each_file(const struct options *options, void (*one)(const struct options *, const char *))
{
    if (!options->file_count)
        one(options, NULL);
    for (int i = 0; i < options->file_count; i++)
        one(options, strcmp(options->files[i], "-") ? options->files[i] : NULL);
}

int main(int argc, char **argv)
{
    struct options options;
    if (options_parse(argc, argv, &options)) {
        file_io_handle_signals();
        switch (options.mode) {
        case MODE_COMPRESS:
            for_each_file(&options, options.bare ? bare_file : compress_file);
            break;
        case MODE_DECOMPRESS:
        case MODE_TEST:
            for_each_file(&options, options.bare ? bare_file : decompress_file);
            break;
        case MODE_LIST:
            list_files(&options);
            break;
        case MODE_BENCH:
            for_each_file(&options, bench_file);
            break;
        case MODE_CODECS:
            list_codecs();
            break;
        }
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        message_error("(stdout)", "cannot write: %s", strerror(errno));
    return message_exit_code();
}
