/* SPDX-License-Identifier: MIT
 * The command line (fpgz.1), read once. */
#ifndef FPGZ_CLI_OPTIONS_H
#define FPGZ_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/codec.h"
#include "engine/chunk.h"
#include "source/raw.h"

enum mode { MODE_COMPRESS, MODE_DECOMPRESS, MODE_TEST, MODE_LIST, MODE_BENCH, MODE_CODECS };

struct options {
    enum mode mode;
    bool to_stdout, remove_source, force, json, stored_name, bare;
    const char *output;
    int level;                      /* 1 to 9 */
    const struct fpgz_codec *codec; /* NULL: chosen for each chunk, by the level */
    struct fpgz_params params;
    unsigned threads;
    bool cpu_level_given;
    uint64_t chunk;               /* bytes that a chunk aims at */
    struct fpgz_errors max_error; /* for a lossy codec */
    struct fpgz_raw_request raw;
    char **files; /* of the command line; none means standard input */
    int file_count;
};

/* Reads argv into `options`, whose files point into it. Help and version are printed, and errors reported,
 * here: false then, and the exit code is message_exit_code(). */
bool options_parse(int argc, char **argv, struct options *options);

/* Bytes that a slab of planes may have, by the level. */
uint64_t options_slab(const struct options *options);

#endif
