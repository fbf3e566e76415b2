/* SPDX-License-Identifier: MIT
 * A grid there and back through a codec. */
#ifndef TESTS_UNIT_ROUND_TRIP_H
#define TESTS_UNIT_ROUND_TRIP_H

#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/codec.h"

struct round_trip {
    struct fpgz_coding encoding, decoding; /* with scratch */
    uint8_t *stream, *restored;
    size_t length;
};

/* Codes values, restores them, and checks that they are the same. False where there is no stream. */
static inline bool round_trip_begin(const struct fpgz_codec *codec, const struct fpgz_grid *grid,
                                    uint32_t setting, const void *values, struct round_trip *t)
{
    const struct fpgz_coding coding = {*grid, {{setting}}, NULL, NULL};
    const size_t bytes = fpgz_grid_bytes(grid), memory = codec->memory(grid, &coding.params),
                 decode_memory = codec->decode_memory(grid, &coding.params);
    *t = (struct round_trip){.encoding = coding, .decoding = coding};
    t->restored = malloc(bytes);
    t->stream = malloc(codec->bound(grid, &coding.params));
    t->encoding.scratch = aligned_alloc(64, (memory + 63) / 64 * 64);
    t->decoding.scratch = aligned_alloc(64, (decode_memory + 63) / 64 * 64);
    if (!CHECK(t->restored && t->stream && t->encoding.scratch && t->decoding.scratch))
        return false;
    memset(t->restored, 1, bytes);
    return CHECK(!codec->encode(&t->encoding, values, t->stream, &t->length)) &&
           CHECK(!codec->decode(&t->decoding, t->stream, t->length, t->restored) &&
                 !memcmp(t->restored, values, bytes));
}

/* Checks that a range of the values is restored, too, by chance which. */
static inline void round_trip_range(const struct fpgz_codec *codec, const void *values, struct round_trip *t)
{
    const struct fpgz_grid *const grid = &t->decoding.grid;
    const size_t count = (size_t)fpgz_grid_values(grid), size = fpgz_dtype_size(grid->dtype);
    const size_t first = random_under(count), some = 1 + random_under(count - first);
    CHECK(!codec->decode_range(&t->decoding, t->stream, t->length, first, some, t->restored));
    CHECK(!memcmp(t->restored, (const uint8_t *)values + first * size, some * size));
}

static inline void round_trip_end(struct round_trip *t)
{
    free(t->restored);
    free(t->stream);
    free(t->encoding.scratch);
    free(t->decoding.scratch);
}

#endif
