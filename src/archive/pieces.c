/* SPDX-License-Identifier: MIT
 * Filtered pieces between their places in a file and the raw bytes of a chunk. */
#include "archive/pieces.h"

#include <errno.h>

#include "core/band.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "core/io.h"

/* Scratch for a piece, and for one on its way into a band or out of it, which begins at the second number. */
static size_t scratch_bytes(const struct fpgz_part *part, size_t *passing)
{
    const size_t piece = fpgz_part_piece_bytes(part);
    *passing = fpgz_refilter_memory(&part->filters, piece);
    return *passing + (part->banded ? piece : 0);
}

/* Where in a chunk the band begins that holds the piece at byte `done` of its sequence. */
static size_t band_start(const struct fpgz_part *part, size_t done)
{
    return !part->banded ? done : done - done % (fpgz_band_pieces(part) * fpgz_part_piece_bytes(part));
}

void fpgz_pieces_need(const struct fpgz_part *part, size_t bytes, struct fpgz_need *need)
{
    if (!part->filters.count)
        return;
    const size_t piece = fpgz_part_piece_bytes(part);
    size_t passing;
    need->scratch = fpgz_max(need->scratch, scratch_bytes(part, &passing));
    need->second =
        fpgz_max(need->second, (bytes ? bytes / piece : 1) * fpgz_refilter_bound(&part->filters, piece));
}

static enum fpgz_status undo_again(const struct fpgz_filters *filters, const struct fpgz_stored *stored,
                                   const uint8_t *bytes, void *scratch, uint8_t *raw, size_t length)
{
    return (uint32_t)fpgz_checksum(bytes, stored->length) == stored->check
               ? fpgz_unfilter_again(filters, &stored->how, bytes, stored->length, scratch, raw, length)
               : FPGZ_CORRUPT;
}

static enum fpgz_status undo_proven(const struct fpgz_filters *filters, const struct fpgz_stored *stored,
                                    const uint8_t *bytes, void *scratch, uint8_t *raw, size_t length)
{
    struct fpgz_refiltering how = stored->how;
    const enum fpgz_status status = fpgz_unfilter(filters, bytes, stored->length, scratch, raw, length, &how);
    const bool same = how.level == stored->how.level && how.memory_level == stored->how.memory_level;
    return status ? status : same ? FPGZ_OK : FPGZ_CORRUPT;
}

/* Where the file has the piece that begins at byte `at` of the sequence. */
static uint64_t offset_of(const struct fpgz_area *area, const struct fpgz_part *part, uint64_t at)
{
    return fpgz_area_offset(area, fpgz_place_span(&part->place, at, 1).offset);
}

/* Reads one piece, and undoes its filters. */
static enum fpgz_status load_piece(const struct fpgz_area *area, const struct fpgz_part *part, uint64_t at,
                                   uint8_t *raw, struct fpgz_chunk_buffers *buffers, bool proves,
                                   uint64_t *stopped)
{
    const size_t piece = fpgz_part_piece_bytes(part);
    const struct fpgz_stored *const stored = &part->stored[at / piece];
    const uint64_t offset = offset_of(area, part, at);
    size_t got;
    errno = 0;
    const bool ok = fpgz_read_at(area->fd, buffers->second.data, stored->length, offset, &got);
    *stopped = offset + got;
    if (!ok || got < stored->length)
        return FPGZ_IO;
    return (proves ? undo_proven : undo_again)(&part->filters, stored, buffers->second.data,
                                               buffers->scratch.data, raw, piece);
}

enum fpgz_status fpgz_pieces_load(const struct fpgz_area *area, const struct fpgz_part *part, uint64_t at,
                                  uint8_t *raw, size_t bytes, struct fpgz_chunk_buffers *buffers, bool proves,
                                  uint64_t *stopped, uint64_t *checksum)
{
    if (!part->filters.count)
        return fpgz_gather(area, &part->place, at, raw, bytes, stopped, checksum) ? FPGZ_OK : FPGZ_IO;
    const size_t piece = fpgz_part_piece_bytes(part);
    enum fpgz_status status = FPGZ_OK;
    size_t passing;
    if (!fpgz_buffer_reserve(&buffers->scratch, scratch_bytes(part, &passing)) ||
        !fpgz_buffer_reserve(&buffers->second, fpgz_refilter_bound(&part->filters, piece)))
        return FPGZ_MEMORY;
    for (size_t done = 0; done < bytes && !status; done += piece) {
        uint8_t *const target = part->banded ? buffers->scratch.data + passing : raw + done;
        const size_t band = band_start(part, done);
        if (part->unfiltered && !proves)
            memcpy(target, part->unfiltered + at + done, piece);
        else
            status = load_piece(area, part, at + done, target, buffers, proves, stopped);
        if (part->banded && !status)
            fpgz_band_put(part, (done - band) / piece, target, raw + band);
    }
    if (!status)
        *checksum = fpgz_checksum(raw, bytes);
    return status;
}

enum fpgz_status fpgz_pieces_redo(const struct fpgz_part *part, uint64_t at, const uint8_t *raw, size_t bytes,
                                  struct fpgz_chunk_buffers *buffers)
{
    const size_t piece = fpgz_part_piece_bytes(part), room = fpgz_part_stored(part, at, bytes);
    size_t used = 0, passing;
    if (!fpgz_buffer_reserve(&buffers->scratch, scratch_bytes(part, &passing)) ||
        !fpgz_buffer_reserve(&buffers->second, room))
        return FPGZ_MEMORY;
    for (size_t done = 0; done < bytes; done += piece) {
        const struct fpgz_stored *const stored = &part->stored[(at + done) / piece];
        uint8_t *const taken = buffers->scratch.data + passing;
        const size_t band = band_start(part, done);
        size_t length = 0;
        if (part->banded)
            fpgz_band_take(part, (done - band) / piece, raw + band, taken);
        const enum fpgz_status status =
            fpgz_refilter(&part->filters, &stored->how, part->banded ? taken : raw + done, piece,
                          buffers->scratch.data, buffers->second.data + used, stored->length, &length);
        if (status || length != stored->length)
            return status == FPGZ_MEMORY ? status : FPGZ_CORRUPT;
        used += length;
    }
    return FPGZ_OK;
}

bool fpgz_pieces_write(const struct fpgz_area *area, const struct fpgz_part *part, uint64_t at, size_t bytes,
                       const uint8_t *stored, bool sparse)
{
    const size_t piece = fpgz_part_piece_bytes(part);
    for (size_t done = 0; done < bytes;) {
        const uint64_t offset = offset_of(area, part, at + done);
        size_t length = 0; /* of pieces that follow each other in the file */
        do {
            length += part->stored[(at + done) / piece].length;
            done += piece;
        } while (done < bytes && offset_of(area, part, at + done) == offset + length);
        if (!(sparse ? fpgz_write_sparse_at : fpgz_write_at)(area->fd, stored, length, offset))
            return false;
        stored += length;
    }
    return true;
}

uint64_t fpgz_pieces_end(const struct fpgz_area *area, const struct fpgz_part *part, uint64_t end)
{
    if (!part->filters.count)
        return offset_of(area, part, end - 1) + 1;
    const uint64_t piece = fpgz_part_piece_bytes(part), at = end - piece;
    return offset_of(area, part, at) + part->stored[at / piece].length;
}
