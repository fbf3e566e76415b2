/* SPDX-License-Identifier: MIT
 * The job that takes one array, or a part of it, out of a container. */
#ifndef FPGZ_ARCHIVE_EXTRACTION_H
#define FPGZ_ARCHIVE_EXTRACTION_H

#include "archive/catalog.h"
#include "archive/setup.h"
#include "archive/slice.h"
#include "engine/pipeline.h"
#include "source/sink.h"
#include "source/source.h"

struct fpgz_extraction {
    const struct fpgz_setup *setup;
    struct fpgz_catalog archive;
    uint32_t array;              /* of the container, or */
    bool framed;                 /* none of it: a dataset of the archived file, */
    struct fpgz_dataset dataset; /* this one, */
    struct fpgz_part part;       /* as if it were an array */
    struct fpgz_slice slice;
    const struct fpgz_sink *sink;
    void *state; /* of the sink */
    const struct fpgz_pipeline *pipeline;
    struct fpgz_error fill_error, drain_error;
};

/* Finds the array that is asked for (NULL: the only one), or the dataset of the archived file that is none of
 * the container's arrays; extraction->archive is open. FPGZ_USAGE where there is none, or more than one. */
enum fpgz_status fpgz_extraction_choose(struct fpgz_extraction *extraction, const char *wanted,
                                        struct fpgz_error *error);

/* What was chosen, and its shape in the file. */
const struct fpgz_part *fpgz_extraction_part(const struct fpgz_extraction *extraction,
                                             struct fpgz_array *shape);

/* Plans the slice that --region's text names (NULL: all), in this byte order. */
enum fpgz_status fpgz_extraction_plan(struct fpgz_extraction *extraction, const char *region,
                                      enum fpgz_order order, struct fpgz_error *error);

/* Writes the slice to extraction->sink, which was begun, and is the caller's to end. */
enum fpgz_status fpgz_extraction_run(struct fpgz_extraction *extraction, struct fpgz_error *error);

/* Frees all. *error becomes why the values of a dataset ended too early, where they did. */
enum fpgz_status fpgz_extraction_free(struct fpgz_extraction *extraction, struct fpgz_error *error);

#endif
