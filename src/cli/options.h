/* SPDX-License-Identifier: MIT
 * The command line (fpgz.1), read once. */
#ifndef FPGZ_CLI_OPTIONS_H
#define FPGZ_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "archive/setup.h"
#include "cli/batch/shard.h"
#include "cli/name.h"
#include "source/sink.h"

enum mode {
    MODE_COMPRESS,
    MODE_DECOMPRESS,
    MODE_TEST,
    MODE_RECOVER,
    MODE_LIST,
    MODE_BENCH,
    MODE_CODECS,
    MODE_BATCH
};

/* What is said to fpgz batch alone. */
struct batch_request {
    const char *manifest;
    bool check, restore;
    bool folder;        /* --output-dir: the output is one in any case */
    struct shard shard; /* of 0: not given */
};

struct options {
    enum mode mode;
    struct fpgz_setup setup; /* for the jobs */
    bool to_stdout, remove_source, verify, force, json, stored_name, bare, unverified;
    bool recursive, null_separated;
    bool fill_nan;                   /* what --recover has lost, where it was floats */
    struct name_list exclude, lists; /* patterns; files of names */
    struct batch_request batch;
    const char *output;
    const char *dataset;        /* NULL: the whole file */
    const char *region;         /* NULL: all of it */
    const struct fpgz_sink *to; /* NULL: by the output's suffix */
    bool cpu_level_given;
    enum fpgz_backend_kind device;
    int device_number; /* of a GPU, or FPGZ_DEVICE_ALL */
    char **files;      /* of the command line; none means standard input */
    int file_count;
    bool gathered;     /* by files_gather(), whose they are then */
    char *environment; /* the words of FPGZ_OPTS */
};

/* Whether the options make sense together, in fpgz batch or without; what does not is reported. */
bool options_fit(const struct options *options, bool batch);

/* Frees what options_parse() (parse.h) took. */
void options_free(struct options *options);

#endif
