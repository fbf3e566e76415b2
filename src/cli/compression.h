/* SPDX-License-Identifier: MIT
 * The compression of one file: what is known of it, and the chunks' way from the input to the container. */
#ifndef FPGZ_CLI_COMPRESSION_H
#define FPGZ_CLI_COMPRESSION_H

#include "cli/decompress.h"
#include "cli/input.h"
#include "cli/intake.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/removal.h"
#include "container/writer.h"
#include "engine/pipeline.h"
#include "source/source.h"

/* What was written of an array. */
struct written {
    uint64_t chunks, values;
};

struct compression {
    const struct options *options;
    const struct input *input;
    struct input stream;         /* of --dataset: the pipe that brings its values */
    struct fpgz_dataset dataset; /* the same */
    bool has_dataset;
    bool may_grow; /* the input: what it has when it is opened is then taken */
    bool undone;   /* what goes wrong leaves nothing behind */
    struct intake intake;
    struct fpgz_xattrs xattrs; /* of the source */
    int level;                 /* of its parts */
    uint64_t target, slab;     /* bytes that their chunks aim at, and that slabs may have */
    const struct fpgz_pipeline *pipeline;
    struct fpgz_error fill_error;

    /* drain() */
    struct fpgz_writer writer;
    struct written *written; /* of each array */
    uint64_t chunks, by_codec[FPGZ_CODEC_IDS], defects;
    struct fpgz_error drain_error;

    bool prove;               /* that the source is no longer needed */
    struct verified verified; /* what the container restores */
    struct verified held;     /* what the source held before it was read, where `verified` is not that */
    struct proof proof;
};

/* Writes the container of what the intake describes to the opened output, up to its end section. */
enum fpgz_status compression_run(struct compression *c, const struct output *output,
                                 struct fpgz_error *error);

#endif
