/* SPDX-License-Identifier: MIT
 * Finds arrays that are copies of each other: by what is known of them, then by samples, then by all their
 * bytes. */
#include "archive/copies.h"

#include <stdlib.h>
#include <string.h>

#include "core/band.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "core/gather.h"
#include "core/io.h"

enum {
    LEAST_BYTES = 4 << 10, /* of an array; a smaller one costs little more than what tells of a copy */
    SAMPLE = 4 << 10,      /* bytes at the beginning, in the middle and at the end */
    SAMPLES = 3,
    PIECE = 1 << 20, /* bytes that are compared at once */
};

/* A part that may have copies. */
struct candidate {
    uint64_t bytes, sample;
    unsigned kind; /* dtype, order, and whether it is filtered */
    uint32_t number;
};

/* The file, and room for two pieces of it. */
struct comparison {
    const struct fpgz_area *area;
    uint8_t *first, *second;
};

static bool may_have_copies(const struct fpgz_part *part)
{
    return fpgz_part_is_array(part) && !part->carrier && !part->kepts && part->place.bytes >= LEAST_BYTES;
}

/* Brings those together, in the order of the file, that may be copies. */
static int by_sample(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->sample != y->sample)
        return x->sample < y->sample ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static bool alike(const struct candidate *x, const struct candidate *y)
{
    return x->bytes == y->bytes && x->kind == y->kind && x->sample == y->sample;
}

/* What the file tells of filtered pieces, which need not be read. */
static uint64_t hash_of_pieces(const struct fpgz_part *part)
{
    const uint64_t pieces = part->place.bytes / fpgz_part_piece_bytes(part);
    uint64_t hash = 0;
    for (uint64_t i = 0; i < pieces; i++) {
        const uint64_t words[] = {hash, part->stored[i].length, part->stored[i].check};
        hash = fpgz_checksum(words, sizeof words);
    }
    return hash;
}

/* A hash of samples of the part; false where it cannot be read, or holds one value alone, which costs next to
 * nothing. */
static bool sample(const struct comparison *c, const struct fpgz_part *part, uint64_t *hash)
{
    const size_t size = fpgz_dtype_size(part->array.dtype);
    uint64_t stopped, checksum;
    for (unsigned i = 0; i < SAMPLES; i++)
        if (!fpgz_gather(c->area, &part->place, (part->place.bytes - SAMPLE) / (SAMPLES - 1) * i,
                         c->first + i * SAMPLE, SAMPLE, &stopped, &checksum))
            return false;
    *hash = fpgz_checksum(c->first, SAMPLES * SAMPLE);
    return memcmp(c->first, c->first + size, SAMPLES * SAMPLE - size) != 0;
}

/* Whether the file holds the same filtered pieces of both. */
static bool same_pieces(const struct comparison *c, const struct fpgz_part *x, const struct fpgz_part *y)
{
    const uint64_t piece = fpgz_part_piece_bytes(x), pieces = x->place.bytes / piece;
    bool same = piece == fpgz_part_piece_bytes(y) && fpgz_bands_alike(x, y) &&
                fpgz_filters_alike(&x->filters, &y->filters);
    for (uint64_t i = 0; i < pieces && same; i++) {
        const struct fpgz_refiltering *const how = &x->stored[i].how, *const other = &y->stored[i].how;
        const uint64_t at[] = {fpgz_place_span(&x->place, i * piece, 1).offset,
                               fpgz_place_span(&y->place, i * piece, 1).offset};
        const size_t length = x->stored[i].length;
        size_t got[2];
        same = length <= PIECE && y->stored[i].length == length && how->skipped == other->skipped &&
               how->level == other->level && how->memory_level == other->memory_level &&
               fpgz_read_at(c->area->fd, c->first, length, fpgz_area_offset(c->area, at[0]), &got[0]) &&
               fpgz_read_at(c->area->fd, c->second, length, fpgz_area_offset(c->area, at[1]), &got[1]) &&
               got[0] == length && got[1] == length && !memcmp(c->first, c->second, length);
    }
    return same;
}

static bool same_bytes(const struct comparison *c, const struct fpgz_part *x, const struct fpgz_part *y)
{
    bool same = true;
    for (uint64_t at = 0; at < x->place.bytes && same; at += PIECE) {
        const size_t bytes = fpgz_min(PIECE, x->place.bytes - at);
        uint64_t stopped, checksum;
        same = fpgz_gather(c->area, &x->place, at, c->first, bytes, &stopped, &checksum) &&
               fpgz_gather(c->area, &y->place, at, c->second, bytes, &stopped, &checksum) &&
               !memcmp(c->first, c->second, bytes);
    }
    return same;
}

/* All that may be, of which at least two have the same length and kind. */
static size_t list(const struct fpgz_content *content, struct candidate *candidate)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < content->count; i++) {
        const struct fpgz_part *const part = &content->part[i];
        const unsigned kind = 4 * (unsigned)part->array.dtype + 2 * (unsigned)part->array.order;
        if (may_have_copies(part))
            candidate[count++] =
                (struct candidate){part->place.bytes, 0, kind + (part->filters.count > 0), (uint32_t)i};
    }
    qsort(candidate, count, sizeof *candidate, by_sample);
    for (size_t i = 0; i < count; i++) {
        const bool before = i && alike(&candidate[i], &candidate[i - 1]);
        if (before || (i + 1 < count && alike(&candidate[i], &candidate[i + 1])))
            candidate[kept++] = candidate[i];
    }
    return kept;
}

bool fpgz_copies_find(const struct fpgz_input *input, struct fpgz_content *content)
{
    const struct fpgz_area area = {input->fd, input->start, &content->image};
    struct candidate *const candidate = calloc(content->count + 1, sizeof *candidate);
    struct comparison c = {&area, malloc(PIECE), malloc(PIECE)};
    const bool ok = candidate && c.first && c.second;
    const size_t listed = ok ? list(content, candidate) : 0;
    size_t count = 0;
    for (size_t i = 0; i < listed; i++) {
        const struct fpgz_part *const part = &content->part[candidate[i].number];
        candidate[count] = candidate[i];
        if (part->filters.count)
            candidate[count++].sample = hash_of_pieces(part);
        else
            count += sample(&c, part, &candidate[count].sample);
    }
    qsort(candidate, count, sizeof *candidate, by_sample);
    const struct candidate *source = candidate;
    for (size_t i = 1; i < count; i++) {
        struct fpgz_part *const from = &content->part[source->number];
        struct fpgz_part *const part = &content->part[candidate[i].number];
        if (!alike(source, &candidate[i]))
            source = &candidate[i];
        else if ((part->filters.count ? same_pieces : same_bytes)(&c, from, part))
            fpgz_part_make_copy(from, source->number, part, candidate[i].number);
    }
    free(candidate);
    free(c.first);
    free(c.second);
    return ok;
}
