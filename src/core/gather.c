/* SPDX-License-Identifier: MIT
 * Copies scattered runs of a file into one block of memory, and back. Pieces with small gaps between them,
 * such as the fields of records, are moved with what lies in the gaps: a window of the file at a time. */
#include "core/gather.h"

#include <errno.h>
#include <string.h>

#include "core/bytes.h"
#include "core/checksum.h"
#include "core/io.h"
#include "core/strided.h"

enum {
    WINDOW = 64 << 10, /* bytes: they stay in the second-level cache */
    SMALL_GAP = 4096,  /* takes less time to copy than another call takes */
};

/* Pieces that lie in one window. */
struct comb {
    uint64_t offset; /* of the first one in fd */
    size_t step, bytes, count, length;
};

uint64_t fpgz_area_offset(const struct fpgz_area *area, uint64_t offset)
{
    return area->base + (area->image ? fpgz_image_place(area->image, offset) : offset);
}

/* The whole pieces from `at` on that lie in one window and in `most` bytes of the sequence. False where
 * there are not several with small gaps. */
static bool comb_at(const struct fpgz_area *area, const struct fpgz_place *place, uint64_t at, uint64_t most,
                    struct comb *comb)
{
    const struct fpgz_run *run = fpgz_place_run(place, at);
    const uint64_t piece = (at - run->at) / run->bytes, gap = run->step - run->bytes;
    if ((at - run->at) % run->bytes || !gap || gap > SMALL_GAP || run->bytes > WINDOW / 2)
        return false;
    const uint64_t fit = (WINDOW - run->bytes) / run->step + 1, left = run->count - piece;
    const uint64_t offset = run->offset + piece * run->step;
    comb->offset = fpgz_area_offset(area, offset);
    comb->step = run->step;
    comb->bytes = run->bytes;
    comb->count = fpgz_min(fpgz_min(fit, left), most / run->bytes);
    comb->length = (comb->count - 1) * comb->step + comb->bytes;
    /* A filtered piece of another array may lie in a gap. */
    return comb->count > 1 && fpgz_area_offset(area, offset + comb->length) == comb->offset + comb->length;
}

bool fpgz_gather(const struct fpgz_area *area, const struct fpgz_place *place, uint64_t at, void *data,
                 size_t bytes, uint64_t *stopped, uint64_t *checksum)
{
    uint8_t *const to = data, window[WINDOW];
    struct comb comb;
    for (size_t done = 0, got; done < bytes;) {
        const bool combed = comb_at(area, place, at + done, bytes - done, &comb);
        const struct fpgz_span span = fpgz_place_span(place, at + done, bytes - done);
        const uint64_t offset = combed ? comb.offset : fpgz_area_offset(area, span.offset);
        const size_t length = combed ? comb.length : span.bytes;
        errno = 0;
        const bool ok = length == bytes && !combed
                            ? fpgz_read_at_summed(area->fd, to, bytes, offset, &got, checksum)
                            : fpgz_read_at(area->fd, combed ? window : to + done, length, offset, &got);
        *stopped = offset + got;
        if (!ok || got < length)
            return false;
        if (combed)
            fpgz_copy_strided(to + done, comb.bytes, window, comb.step, comb.count, comb.bytes);
        else if (got == bytes)
            return true;
        done += combed ? comb.count * comb.bytes : got;
    }
    *checksum = fpgz_checksum(data, bytes);
    return true;
}

/* Writes the pieces of a window between what the file has in the gaps. */
static bool write_comb(int fd, int readable, const struct comb *comb, const uint8_t *from, bool sparse)
{
    uint8_t window[WINDOW];
    size_t got;
    if (!fpgz_read_at(readable, window, comb->length, comb->offset, &got))
        return false;
    memset(window + got, 0, comb->length - got);
    fpgz_copy_strided(window, comb->step, from, comb->bytes, comb->count, comb->bytes);
    return (sparse ? fpgz_write_sparse_at : fpgz_write_at)(fd, window, comb->length, comb->offset);
}

bool fpgz_scatter(const struct fpgz_area *area, int readable, const struct fpgz_place *place, uint64_t at,
                  const void *data, size_t bytes, bool sparse)
{
    const uint8_t *const from = data;
    struct comb comb;
    for (size_t done = 0; done < bytes;) {
        if (readable >= 0 && comb_at(area, place, at + done, bytes - done, &comb)) {
            if (!write_comb(area->fd, readable, &comb, from + done, sparse))
                return false;
            done += comb.count * comb.bytes;
            continue;
        }
        const struct fpgz_span span = fpgz_place_span(place, at + done, bytes - done);
        if (!(sparse ? fpgz_write_sparse_at : fpgz_write_at)(area->fd, from + done, span.bytes,
                                                             fpgz_area_offset(area, span.offset)))
            return false;
        done += span.bytes;
    }
    return true;
}
