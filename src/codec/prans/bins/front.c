/* SPDX-License-Identifier: MIT
 * What stands before a stream's segments is read, and told to GPUs and to listings. */
#include "codec/prans/bins/front.h"

#include <string.h>

#include "codec/prans/bins/bins.h"
#include "codec/prans/format.h"
#include "codec/prans/middle/work.h"
#include "codec/prans/outline.h"
#include "core/bytes.h"

bool fpgz_prans_bins_known(const uint8_t *stream, size_t length)
{
    return length >= PRANS_HEAD_BYTES && stream[1] >= BINS_SEGMENT_LEAST && stream[1] <= BINS_SEGMENT_MOST &&
           stream[2] <= BINS_LANES_MOST && !stream[3];
}

/* Reads the description; *description is how long it is. */
static bool read_description(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                             size_t *description)
{
    struct bins_work *const w = coding->scratch;
    struct bins_description *const d = &w->description;
    struct prans_range r;
    fpgz_prans_bins_work(&coding->grid, false, w, w);
    memset(d, 0, sizeof *d);
    if (fpgz_load32(stream + 4) > length - PRANS_HEAD_BYTES)
        return false;
    d->segment_bits = stream[1];
    d->lane_bits = stream[2];
    fpgz_prans_bins_number(coding->grid.dtype, &d->domain);
    *description = fpgz_load32(stream + 4);
    fpgz_prans_range_read(&r, stream + PRANS_HEAD_BYTES, *description);
    fpgz_prans_bins_code_description(&r, w);
    return fpgz_prans_range_done(&r);
}

/* The tables' numbers. Returns where they end; NULL if there are none. */
static const uint8_t *read_ids(struct bins_work *w, const uint8_t *at, const uint8_t *end)
{
    unsigned largest = 0;
    const size_t blocks = w->layout.blocks, bytes = (blocks + 1) / 2;
    memset(w->ids, 0, blocks);
    if (w->description.tables == 1)
        return at;
    if ((size_t)(end - at) < bytes)
        return NULL;
    for (size_t b = 0; b < blocks; b++) {
        w->ids[b] = at[b / 2] >> b % 2 * 4 & 15;
        largest = w->ids[b] > largest ? w->ids[b] : largest;
    }
    return largest < w->description.tables && (blocks % 2 == 0 || !(at[blocks / 2] >> 4)) ? at + bytes : NULL;
}

size_t fpgz_prans_bins_segment_bytes(const struct bins_work *w, const struct bins_progress *p, size_t *words)
{
    const size_t left = (size_t)(p->end - p->at), states = bins_state_bytes(w);
    const uint8_t *const length = p->lengths + 8 * p->segment;
    *words = fpgz_load32(length);
    if (*words % 2 || left < states || *words > left - states)
        return 0;
    if (p->segment + 1 == bins_segments(w))
        return left;
    const size_t raw = fpgz_load32(length + 4);
    return raw > left - states - *words ? 0 : states + *words + raw;
}

bool fpgz_prans_bins_read_front(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                struct bins_progress *p, const uint8_t **ids)
{
    struct bins_work *const w = coding->scratch;
    size_t description;
    *p = (struct bins_progress){.end = stream + length};
    if (!read_description(coding, stream, length, &description))
        return false;
    *ids = stream + PRANS_HEAD_BYTES + description;
    p->lengths = read_ids(w, *ids, p->end);
    if (!p->lengths || (size_t)(p->end - p->lengths) < 8 * bins_segments(w) - 4)
        return false;
    p->at = p->lengths + 8 * bins_segments(w) - 4;
    fpgz_prans_bins_symbols(w);
    return true;
}

enum fpgz_status fpgz_prans_bins_outline(const struct fpgz_coding *coding, const uint8_t *stream,
                                         size_t length, struct prans_outline *outline,
                                         struct prans_segment *segment)
{
    struct bins_work *const w = coding->scratch;
    const struct bins_description *const d = &w->description;
    struct bins_progress p;
    const uint8_t *ids;
    if (!fpgz_prans_bins_read_front(coding, stream, length, &p, &ids))
        return FPGZ_CORRUPT;
    if (d->lane_bits != BINS_LANES_MOST)
        return FPGZ_UNSUPPORTED;
    *outline = (struct prans_outline){
        .domain = &d->domain,
        .layout = w->layout,
        .segment_bits = d->segment_bits,
        .axes = d->mode.axes,
        .order = d->mode.order,
        .tables = d->tables,
        .frequency = d->frequency,
        .ids = d->tables > 1 ? ids : NULL,
        .special = bins_special(d),
    };
    outline->layout.segments = bins_segments(w);
    memcpy(outline->low, w->symbols.low, sizeof outline->low);
    memcpy(outline->width, w->symbols.width, sizeof outline->width);
    for (; p.segment < bins_segments(w); p.segment++) {
        size_t words;
        const size_t bytes = fpgz_prans_bins_segment_bytes(w, &p, &words);
        if (!bytes || bytes > fpgz_prans_bins_segment_bound(w->size))
            return FPGZ_CORRUPT;
        segment[p.segment] = (struct prans_segment){(uint32_t)(p.at - stream), (uint32_t)words,
                                                    (uint32_t)(bytes - words - bins_state_bytes(w))};
        p.at += bytes;
    }
    return FPGZ_OK;
}

bool fpgz_prans_bins_describe(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                              struct fpgz_traits *traits)
{
    const struct bins_work *const w = coding->scratch;
    size_t description;
    if (!read_description(coding, front, length, &description))
        return false;
    fpgz_prans_domain_traits(&w->description.domain, traits);
    fpgz_prans_middle_mode_traits(&w->layout, &w->description.mode, traits);
    return true;
}
