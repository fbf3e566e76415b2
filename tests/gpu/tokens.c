/* SPDX-License-Identifier: MIT
 * Tokens of matches, right and wrong. */
#include "tokens.h"

#include <stdlib.h>
#include <string.h>

void tokens_make(tokens_random *next, size_t count, bool is_long, struct matched_tokens *tokens)
{
    struct matched_recent recent;
    uint8_t *const depth = malloc(count);
    const size_t fresh_most = is_long ? 300 : 3, length_most = is_long ? 500 : 4;
    size_t at = 0;
    if (!depth)
        abort();
    matched_begin(&recent);
    for (tokens->count = 0;;) {
        const size_t fresh = next(fresh_most) + !at, length = 1 + next(length_most);
        if (at + fresh + length >= count || 2 * (tokens->count + 1) > count)
            break;
        memset(depth + at, 0, fresh);
        tokens->literals += fresh;
        at += fresh;
        uint32_t distance = recent.distance[next(MATCHED_RECENT)];
        unsigned most;
        for (;; distance = 1 + (uint32_t)next(next(3) ? at : at < 9 ? at : 9)) {
            most = 0;
            for (size_t i = 0; i < length && i < distance && distance <= at; i++)
                most = depth[at + i - distance] > most ? depth[at + i - distance] : most;
            if (distance <= at && most < MATCHED_DEEPEST)
                break;
        }
        for (size_t i = 0; i < length; i++)
            depth[at + i] = (uint8_t)(depth[at + i % distance - distance] + 1);
        tokens->deepest = most + 1 > tokens->deepest ? most + 1 : tokens->deepest;
        tokens->field[MATCHED_LITERALS][tokens->count] = (uint32_t)fresh;
        tokens->field[MATCHED_LENGTH][tokens->count] = (uint32_t)length - 1;
        tokens->field[MATCHED_SOURCE][tokens->count++] = matched_name(&recent, distance, next(4) == 0);
        at += length;
    }
    tokens->literals += count - at;
    free(depth);
}

void tokens_spoil(tokens_random *next, struct matched_tokens *tokens)
{
    const size_t t = (size_t)next(tokens->count);
    switch (next(5)) {
    case 0: /* sources of sources that are too many */
        tokens->deepest--;
        break;
    case 1: /* a source before the grid */
        tokens->field[MATCHED_SOURCE][t] = UINT32_MAX - (uint32_t)next(2);
        break;
    case 2: /* a source ahead, if it were none so far back */
        tokens->field[MATCHED_SOURCE][0] = 2 * (tokens->field[MATCHED_LITERALS][0] + MATCHED_RECENT);
        break;
    case 3: /* sums of more than 32 bits */
        tokens->field[MATCHED_LENGTH][t] = UINT32_MAX;
        break;
    default:
        tokens->field[MATCHED_LITERALS][t] += 1 + (uint32_t)tokens->literals;
    }
}
