/* SPDX-License-Identifier: MIT
 * What chunks' streams say of how they were coded, for -l: read from their first bytes, and counted. */
#include "cli/traits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/bytes.h"
#include "core/io.h"

enum { FRONT_BYTES = 4096 }; /* that are read at first: most streams need no more */

void traits_room_free(struct traits_room *room)
{
    fpgz_buffer_free(&room->front);
    fpgz_buffer_free(&room->scratch);
}

bool traits_read(struct traits_room *room, int fd, uint64_t at, uint64_t bytes,
                 const struct fpgz_codec *codec, const struct fpgz_chunk_head *head,
                 struct fpgz_traits *traits)
{
    enum fpgz_status status = FPGZ_TRUNCATED;
    size_t length = 0, got, needed = FRONT_BYTES;
    if (!codec->describe ||
        !fpgz_buffer_reserve(&room->scratch, fpgz_codec_decode_memory(codec, &head->grid, &head->params)))
        return false;
    const struct fpgz_coding coding = {head->grid, head->params, room->scratch.data, NULL};
    while (status == FPGZ_TRUNCATED && length < needed && length < bytes) {
        length = (size_t)fpgz_min(needed, bytes);
        if (!fpgz_buffer_reserve(&room->front, length) ||
            !fpgz_read_at(fd, room->front.data, length, at, &got) || got < length)
            return false;
        status = codec->describe(&coding, room->front.data, length, &needed, traits);
    }
    return !status;
}

void traits_count(struct traits_count *count, const struct fpgz_codec *codec,
                  const struct fpgz_traits *traits)
{
    unsigned i = 0;
    while (i < count->kinds &&
           (count->kind[i].codec != codec || strcmp(count->kind[i].setting, traits->setting) != 0 ||
            strcmp(count->kind[i].domain, traits->domain) != 0))
        i++;
    if (i == sizeof count->kind / sizeof *count->kind)
        return;
    if (i == count->kinds) {
        count->kind[i].codec = codec;
        count->kind[i].setting = traits->setting;
        count->kind[i].domain = traits->domain;
        count->kinds++;
    }
    count->kind[i].chunks++;
}

void traits_print_count(const struct traits_count *count)
{
    for (unsigned i = 0; i < count->kinds; i++) {
        if (i == 0 || count->kind[i].codec != count->kind[i - 1].codec)
            printf("%s    %s:", i ? "\n" : "", count->kind[i].codec->name);
        else
            putchar(',');
        printf(" %s %s %" PRIu64, count->kind[i].setting, count->kind[i].domain, count->kind[i].chunks);
    }
    if (count->kinds)
        putchar('\n');
}

void traits_print_json(const struct traits_count *count)
{
    putchar('[');
    for (unsigned i = 0; i < count->kinds; i++)
        printf("%s{\"codec\": \"%s\", \"setting\": \"%s\", \"domain\": \"%s\", \"chunks\": %" PRIu64 "}",
               i ? ", " : "", count->kind[i].codec->name, count->kind[i].setting, count->kind[i].domain,
               count->kind[i].chunks);
    putchar(']');
}
