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
    const struct fpgz_terms *terms;
    struct fpgz_catalog archive;
    uint32_t array;              /* of the container, unless */
    bool framed;                 /* it is a dataset of the archived file that is no array of the container: */
    struct fpgz_dataset dataset; /* that dataset, */
    struct fpgz_part part;       /* as if it were an array */
    struct fpgz_slice slice;
    const struct fpgz_sink *sink;
    void *state; /* of the sink */
    const struct fpgz_pipeline *pipeline;
    struct fpgz_error fill_error, drain_error;
};

/* Finds the wanted array (NULL: the only one) of extraction->archive, which is open, or else the dataset
 * of the archived file that is not an array of the container. FPGZ_USAGE where there is none, or more than
 * one. */
enum fpgz_status fpgz_extraction_choose(struct fpgz_extraction *extraction, const char *wanted,
                                        struct fpgz_error *error);

/* What was chosen. *shape receives its shape in the file. */
const struct fpgz_part *fpgz_extraction_part(const struct fpgz_extraction *extraction,
                                             struct fpgz_array *shape);

/* Plans the slice that --region's text names (NULL: all), in this byte order. */
enum fpgz_status fpgz_extraction_plan(struct fpgz_extraction *extraction, const char *region,
                                      enum fpgz_order order, struct fpgz_error *error);

/* Writes the slice to extraction->sink. The caller begins and ends the sink. */
enum fpgz_status fpgz_extraction_run(struct fpgz_extraction *extraction, struct fpgz_error *error);

/* Frees everything. If the values of a dataset ended early, *error becomes the reason. */
enum fpgz_status fpgz_extraction_free(struct fpgz_extraction *extraction, struct fpgz_error *error);

#endif
