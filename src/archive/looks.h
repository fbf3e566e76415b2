/* SPDX-License-Identifier: MIT
 * Which values an encoder looks at of chunks that follow others, where these need not all be brought: of
 * arrays in a GPU's memory. */
#ifndef FPGZ_ARCHIVE_LOOKS_H
#define FPGZ_ARCHIVE_LOOKS_H

#include "engine/coded.h"
#include "engine/leads.h"

/* The runs for chunks of one grid. */
struct fpgz_looks {
    struct fpgz_grid grid;
    struct fpgz_buffer run; /* pinned, where the backend can */
    size_t runs;            /* 0: all values are needed */
};

/* Lists what is looked at of a chunk, unless the list is of such a grid already. False where all its values
 * are needed: the coder has another codec, or the chunk may follow none. */
bool fpgz_looks_list(struct fpgz_looks *looks, const struct fpgz_coder *coder, const struct fpgz_led *led,
                     const struct fpgz_grid *grid, struct fpgz_backend *backend);

static inline void fpgz_looks_free(struct fpgz_looks *looks)
{
    fpgz_buffer_free(&looks->run);
}

#endif
