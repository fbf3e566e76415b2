/* SPDX-License-Identifier: MIT
 * How chunks were coded, beyond what the index tells: from the fronts of their streams. */
#ifndef FPGZ_CLI_TRAITS_H
#define FPGZ_CLI_TRAITS_H

#include "codec/codec.h"
#include "container/format.h"
#include "core/buffer.h"

/* Memory that reading takes, and keeps for the next chunk. */
struct traits_room {
    struct fpgz_buffer front, scratch;
};

void traits_room_free(struct traits_room *room);

/* Reads the traits of the chunk whose stream stands at byte `at` of the file. False where its codec has none,
 * or where they cannot be read: what is damaged is for -t to tell. */
bool traits_read(struct traits_room *room, int fd, uint64_t at, uint64_t bytes,
                 const struct fpgz_codec *codec, const struct fpgz_chunk_head *head,
                 struct fpgz_traits *traits);

/* How many chunks there are of each setting and domain. */
struct traits_count {
    struct {
        const struct fpgz_codec *codec;
        const char *setting, *domain;
        uint64_t chunks;
    } kind[12];
    unsigned kinds;
};

void traits_count(struct traits_count *count, const struct fpgz_codec *codec,
                  const struct fpgz_traits *traits);

/* "prans: high lattice 3, high float 1", or nothing at all. */
void traits_print_count(const struct traits_count *count);

/* The same as the value of a JSON key. */
void traits_print_json(const struct traits_count *count);

#endif
