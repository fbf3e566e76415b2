/* SPDX-License-Identifier: MIT
 * Threads that do one operation of --bench at once, over all chunks of a grid in memory. */
#ifndef FPGZ_CLI_TEAM_H
#define FPGZ_CLI_TEAM_H

#include <pthread.h>

#include "codec/codec.h"
#include "core/buffer.h"
#include "engine/device.h"

enum operation { COPY, ENCODE, DECODE, OPERATIONS };

/* A chunk of the grid, and where its stream and its restored values go. */
struct piece {
    struct fpgz_grid grid, coded;
    const uint8_t *raw;
    uint8_t *stream, *restored;
    size_t bytes, bound, length;
};

struct team {
    /* What is done, and where: set by the caller between two operations. */
    struct piece *pieces;
    unsigned piece_count;
    const struct fpgz_codec *codec;
    struct fpgz_params params;
    struct fpgz_device *device; /* or NULL */
    bool on_device;
    struct fpgz_buffer scratch;
    size_t scratch_size; /* a thread */

    unsigned threads;
    enum operation operation;
    _Atomic unsigned next_piece, failures; /* the caller sets failures to 0 */
    bool quit;
    pthread_barrier_t begin, finish;
    struct member *member; /* a thread */
};

/* Starts so many threads, of which the caller's is one. False without memory. */
bool team_begin(struct team *team, unsigned threads);
void team_end(struct team *team);

/* Seconds that the operation takes on all pieces. */
double team_time(struct team *team, enum operation operation);

#endif
