/* SPDX-License-Identifier: MIT
 * The command line (fpgz.1), read once. */
#ifndef FPGZ_CLI_OPTIONS_H
#define FPGZ_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "archive/setup.h"
#include "batch/request.h"
#include "files/walk.h"
#include "source/sink.h"

enum mode {
    MODE_COMPRESS,
    MODE_DECOMPRESS,
    MODE_TEST,
    MODE_RECOVER,
    MODE_LIST,
    MODE_BENCH,
    MODE_CODECS,
    MODE_FORMATS,
    MODE_BATCH
};

struct options {
    enum mode mode;
    struct fpgz_setup setup; /* for the jobs */
    bool to_stdout, remove_source, verify, force, json, stored_name, bare, unverified;
    bool fill_nan; /* what --recover has lost, where it was floats */
    struct selection selection;
    bool gathered; /* by files_gather(), whose its files are then */
    struct batch_request batch;
    bool output_dir; /* was given: the output is a folder in any case */
    const char *output;
    const char *suffix;         /* of containers */
    const char *dataset;        /* NULL: the whole file */
    const char *region;         /* NULL: all of it */
    const struct fpgz_sink *to; /* NULL: by the output's suffix */
    bool cpu_level_given;
    enum fpgz_backend_kind device;
    int device_number; /* of a GPU, or FPGZ_DEVICE_ALL */
    char *environment; /* the words of FPGZ_OPTS */
};

/* Whether the options make sense together, in fpgz batch or without; what does not is reported. */
bool options_fit(const struct options *options, bool batch, struct console *console);

/* How outputs are opened (output.h). */
unsigned options_output(const struct options *options);

/* Frees what options_parse() (parse.h) took. */
void options_free(struct options *options);

#endif
