/* SPDX-License-Identifier: MIT
 * A window on a file. Sequential reads load much at once, a jump loads only a page. So sections that follow
 * each other cost few reads, and skipped bodies cost none. */
#include "container/window.h"

#include "core/bytes.h"
#include "core/io.h"

enum {
    PAGE = 4096,
    BEFORE = 64, /* bytes kept in front of those asked for: they may be asked for next */
};

bool fpgz_window_open(struct fpgz_window *window, int fd, uint64_t size)
{
    window->fd = fd;
    window->size = size;
    return fpgz_buffer_reserve(&window->room, FPGZ_WINDOW_BYTES);
}

static bool holds(const struct fpgz_window *w, uint64_t at, size_t length)
{
    return at >= w->at && at - w->at <= w->bytes && length <= w->bytes - (at - w->at);
}

static void move_to(struct fpgz_window *w, uint64_t at, size_t length)
{
    const bool onward = at >= w->at && at - w->at <= w->bytes;
    const uint64_t from = at - fpgz_min(at, BEFORE);
    const uint64_t wanted = onward || length > PAGE - BEFORE ? FPGZ_WINDOW_BYTES : PAGE;
    w->at = from;
    fpgz_read_at(w->fd, w->room.data, fpgz_min(wanted, w->size - from), from, &w->bytes);
}

const uint8_t *fpgz_window_peek(struct fpgz_window *w, uint64_t at, size_t length)
{
    if (at > w->size || length > w->size - at)
        return NULL;
    if (!holds(w, at, length))
        move_to(w, at, length);
    return holds(w, at, length) ? w->room.data + (at - w->at) : NULL;
}

uint64_t fpgz_window_find(struct fpgz_window *w, uint64_t at, bool (*found)(const uint8_t *bytes),
                          size_t length)
{
    for (; fpgz_window_peek(w, at, length); at++)
        for (const uint64_t end = w->at + w->bytes; length <= end - at; at++)
            if (found(w->room.data + (at - w->at)))
                return at;
    return w->size;
}

void fpgz_window_free(struct fpgz_window *window)
{
    fpgz_buffer_free(&window->room);
}
