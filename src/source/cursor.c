/* SPDX-License-Identifier: MIT
 * Reads a header through a window of the file, as headers consist of many small things. */
#include "source/cursor.h"

#include <string.h>

#include "core/bytes.h"
#include "core/io.h"

bool fpgz_cursor_take(struct fpgz_cursor *c, void *data, size_t length)
{
    c->failed = c->failed || c->at > c->size || length > c->size - c->at;
    for (size_t done = 0; done < length && !c->failed;) {
        if (c->at < c->from || c->at >= c->from + c->held) {
            c->from = c->at;
            c->failed = !fpgz_read_at(c->fd, c->window, sizeof c->window, c->at, &c->held) || !c->held;
            continue;
        }
        const size_t within = c->at - c->from, part = fpgz_min(c->held - within, length - done);
        memcpy((uint8_t *)data + done, c->window + within, part);
        done += part;
        c->at += part;
    }
    return !c->failed;
}

bool fpgz_cursor_skip(struct fpgz_cursor *c, uint64_t length)
{
    c->failed = c->failed || c->at > c->size || length > c->size - c->at;
    c->at += c->failed ? 0 : length;
    return !c->failed;
}

uint64_t fpgz_cursor_number(struct fpgz_cursor *c, size_t bytes)
{
    uint8_t digit[8];
    uint64_t number = 0;
    if (!fpgz_cursor_take(c, digit, bytes))
        return 0;
    for (size_t i = 0; i < bytes; i++)
        number = number << 8 | digit[c->big_endian ? i : bytes - 1 - i];
    return number;
}
