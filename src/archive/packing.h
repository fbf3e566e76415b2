/* SPDX-License-Identifier: MIT
 * The job that writes a container: the chunks' way from an intake to the end section. */
#ifndef FPGZ_ARCHIVE_PACKING_H
#define FPGZ_ARCHIVE_PACKING_H

#include "archive/intake.h"
#include "archive/recode.h"
#include "archive/setup.h"
#include "archive/turning.h"
#include "container/writer.h"
#include "container/xattrs.h"
#include "engine/pipeline.h"
#include "source/attributes.h"

struct fpgz_packing {
    /* The caller's: */
    const struct fpgz_terms *terms;
    const struct fpgz_input
        *input;                 /* the file, which may change while it is read; the intake may read another */
    const char *name;           /* of the input, for messages */
    struct fpgz_file_head file; /* name, mode and time */
    bool may_grow;              /* the input may grow: the bytes that it had when it was opened are taken */
    struct fpgz_intake intake;  /* its content is set by the caller, the rest by fpgz_packing_plan() */
    struct fpgz_xattrs xattrs;  /* of the source */
    const struct fpgz_attributes *attributes; /* of the first array; NULL: none */

    /* Brings all chunks to fpgz_packing_chunk() in another way than the CPU's threads do. NULL: these do. */
    enum fpgz_status (*bring)(struct fpgz_packing *packing, struct fpgz_error *error);
    void *context;                   /* of bring() */
    struct fpgz_pipeline_jobs *kept; /* jobs that outlive fpgz_packing_run(); NULL: they do not */
    /* Of an output that reads a chunk's stream until it gets the next one: a buffer that outlives it as well,
     * where the stream is then. NULL: it does not. */
    struct fpgz_buffer *leaving;

    /* fpgz_packing_describe() */
    struct fpgz_recoded recoded;
    struct fpgz_tried tried;

    /* fpgz_packing_plan() */
    int level;             /* of the parts */
    uint64_t target, slab; /* bytes that their chunks aim at, and that slabs may have */

    /* fpgz_packing_run() */
    struct fpgz_packed_array *packed; /* what was written of each array */
    uint64_t chunks, by_codec[FPGZ_CODEC_IDS], defects;
    const struct fpgz_pipeline *pipeline;
    struct fpgz_error fill_error, drain_error;
    struct fpgz_writer writer; /* ends with the many bytes of a section */
};

/* Sets all to 0 but the bytes of a section, which are set before they are used. */
void fpgz_packing_clear(struct fpgz_packing *packing);

/* Finds what the input holds: packing->intake.content. FPGZ_USAGE where the setup does not fit that. */
enum fpgz_status fpgz_packing_describe(struct fpgz_packing *packing, struct fpgz_error *error);

/* Plans how the content that packing->intake describes is cut, and read from `input`. */
enum fpgz_status fpgz_packing_plan(struct fpgz_packing *packing, const struct fpgz_input *input,
                                   struct fpgz_error *error);

/* Writes the member up to its end section. FPGZ_IO where the input changed while it was read. */
enum fpgz_status fpgz_packing_run(struct fpgz_packing *packing, struct fpgz_out out,
                                  struct fpgz_error *error);

/* Releases jobs that were kept. */
void fpgz_packing_forget(struct fpgz_pipeline_jobs *kept);

/* Writes the next chunk. */
enum fpgz_status fpgz_packing_chunk(struct fpgz_packing *packing, const struct fpgz_planned *planned,
                                    const struct fpgz_coded *coded, struct fpgz_error *error);

void fpgz_packing_free(struct fpgz_packing *packing);

#endif
