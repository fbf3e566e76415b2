/* SPDX-License-Identifier: MIT
 * Encoding with matches: a probe, the search, and inner streams of all that the tokens leave. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/bins/aide.h"
#include "codec/prans/format.h"
#include "codec/prans/lead.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/matched/work.h"
#include "core/bytes.h"

enum {
    FRONT = PRANS_HEAD_BYTES + MATCHED_SIDE_BYTES,
    LEAST_BYTES = 192,     /* of a stream that matches could shorten */
    GROUP_BITS = 24,       /* about what a group's words cost */
    GAIN_PART = 32,        /* what matches must save by the search's own account */
    PROBE_PART = 72,       /* and by the probe's, which sees fewer */
    PROBE_PART_HIGH = 180, /* in the high setting */
    UNSURE_PART = 2,       /* so much of it is a doubt: of wide words, which cost most, a part is searched */
    SEARCHED_PART = 4,     /* of the words */
    DOUBT_PART = 4,        /* of these */
    ALONE_PART = 8,        /* what single close words must save more than others, for fewer come out so */
    PAIR = 2,              /* the group whose words are close */
};

/* What is looked up. */
enum way { GROUPS, CLOSE_PAIRS, WORDS, CLOSE_WORDS };

/* Where the stream is, how long it may be, and what its room is. */
struct output {
    uint8_t *at, *limit, *end;
    bool failed;
};

/* A row of values that inner streams code. */
struct row {
    enum fpgz_dtype dtype;
    const void *values;
    size_t count;
};

static struct fpgz_coding coding_of(const struct matched_work *w, const struct fpgz_params *params,
                                    const struct row *row)
{
    return (struct fpgz_coding){fpgz_prans_row(row->dtype, row->count), *params, w->scratch, NULL};
}

/* Codes the row at the output's end, or puts it there as it is where that is no longer; what takes `least`
 * bytes is of no use. Returns the bytes; 0 if there is no room. */
static size_t code_row(const struct fpgz_codec *inner, const struct matched_work *w,
                       const struct fpgz_params *params, const struct row *row, size_t least,
                       const struct output *out)
{
    const struct fpgz_coding coding = coding_of(w, params, row);
    const size_t raw = row->count * fpgz_dtype_size(row->dtype), room = (size_t)(out->end - out->at);
    size_t length;
    if (out->failed || fpgz_max(raw, inner->bound(&coding.grid, params)) > room)
        return 0;
    if (!inner->encode_shorter(&coding, row->values, least, out->at, &length) && length < raw)
        return length;
    memcpy(out->at, row->values, raw);
    return raw;
}

/* Moves the output's end; returns the bytes. */
static size_t keep(struct output *out, size_t bytes)
{
    out->failed |= !bytes || bytes > (size_t)(out->limit - out->at);
    out->at += out->failed ? 0 : bytes;
    return bytes;
}

/* Groups of so many words of `size` bytes, exactly or with differences. */
static struct matched_aim aim(size_t size, bool differs, unsigned group)
{
    return (struct matched_aim){differs, differs ? (unsigned)size * MATCHED_CLOSE_BITS : 0, group};
}

/* Of ways to look for single close words, those of 32 bits are left out: they are close by chance, mostly. */
unsigned fpgz_prans_matched_aim(size_t count, size_t size, uint64_t bits,
                                struct matched_aim aims[MATCHED_WAYS])
{
    aims[GROUPS] = aim(size, false, (unsigned)fpgz_min(MATCHED_GROUP_MOST, 1 + GROUP_BITS * count / bits));
    aims[CLOSE_PAIRS] = aim(size, true, PAIR);
    aims[WORDS] = aim(size, false, 1);
    aims[CLOSE_WORDS] = aim(size, true, 1);
    return size < 4 ? CLOSE_PAIRS : size < 8 ? CLOSE_WORDS : MATCHED_WAYS;
}

/* The same, as searches. */
static unsigned aim_all(const struct matched_work *w, uint64_t bits, struct matched_search ways[MATCHED_WAYS])
{
    struct matched_aim aims[MATCHED_WAYS];
    const unsigned probed = fpgz_prans_matched_aim(w->count, w->size, bits, aims);
    for (unsigned i = 0; i < MATCHED_WAYS; i++) {
        ways[i] = w->search;
        ways[i].aim = aims[i];
    }
    return probed;
}

/* The way that saves most by what the probe has seen. */
static enum way best_of(const uint64_t seen[MATCHED_WAYS])
{
    const enum way exact = seen[WORDS] > seen[GROUPS] ? WORDS : GROUPS,
                   close = seen[CLOSE_PAIRS] >= seen[exact] ? CLOSE_PAIRS : exact;
    return seen[CLOSE_WORDS] > seen[close] + seen[close] / ALONE_PART ? CLOSE_WORDS : close;
}

/* What such a probe sees of each way. False where values are missing, and do not come. */
static bool look(const struct matched_work *w, struct fpgz_aide *aide,
                 const struct matched_search ways[MATCHED_WAYS], unsigned count, const void *values,
                 uint64_t bits, enum matched_roughness roughness, uint64_t seen[MATCHED_WAYS])
{
    const struct matched_chosen *chosen = NULL;
    if (aide && roughness == MATCHED_ROUGHEST) {
        if (aide->probe(aide, values, w->number, bits, seen))
            return true;
    } else if (aide)
        chosen = aide->choose(aide, values, w->number, roughness);
    if (aide && !fpgz_buffer_complete(aide->raw))
        return false;
    w->kernels->probe(ways, count, values, chosen, bits, roughness, seen);
    return true;
}

/* The best of `count` ways by the probe, and what each saves, about: 0 if a rough one sees far less than
 * `least`. The roughest is the first. */
static enum way probe(const struct matched_work *w, struct fpgz_aide *aide,
                      const struct matched_search ways[MATCHED_WAYS], unsigned count,
                      enum matched_roughness roughest, const void *values, uint64_t bits, uint64_t least,
                      uint64_t seen[MATCHED_WAYS])
{
    for (enum matched_roughness roughness = roughest;; roughness--) {
        memset(seen, 0, MATCHED_WAYS * sizeof *seen);
        if (!look(w, aide, ways, count, values, bits, roughness, seen))
            return GROUPS;
        const enum way best = best_of(seen);
        if (roughness && seen[best] < least / MATCHED_ROUGH_PART)
            memset(seen, 0, MATCHED_WAYS * sizeof *seen);
        if (!roughness || !seen[best])
            return best;
    }
}

uint64_t fpgz_prans_matched_promise(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                    const void *values, uint64_t bits, uint64_t least, bool thorough)
{
    struct matched_work *const w = coding->scratch;
    struct matched_search ways[MATCHED_WAYS];
    uint64_t seen[MATCHED_WAYS];
    fpgz_prans_matched_work(inner, &coding->grid, &coding->params, true, w, w);
    w->search.fresh = true;
    const unsigned probed = aim_all(w, bits, ways);
    const enum way way =
        probe(w, NULL, ways, probed, thorough ? MATCHED_THOROUGH : MATCHED_ROUGH, values, bits, least, seen);
    return seen[way];
}

/* What the search saves of a part of the words. */
static uint64_t search_part(struct matched_work *w, const struct matched_search *way)
{
    struct matched_search part = *way;
    part.count /= SEARCHED_PART;
    return w->kernels->find(&part, &w->tokens) / MATCHED_COST;
}

/* The best way or, if a close one sees hardly less than an exact one, that by which the search saves more of
 * a part of the words: what differs by little the probe sees in part. A part with few matches tells nothing.
 */
static enum way compare(struct matched_work *w, const struct matched_search ways[MATCHED_WAYS],
                        const uint64_t seen[MATCHED_WAYS], enum way best, bool is_high)
{
    enum { LESS_PART = 8, LESS_PART_HIGH = 4, BETTER_PART = 64, TELLING_PART = 12 };
    const enum way tried[2] = {best, seen[CLOSE_WORDS] > seen[CLOSE_PAIRS] ? CLOSE_WORDS : CLOSE_PAIRS};
    uint64_t saved[2];
    const uint64_t less = seen[best] / (is_high ? LESS_PART_HIGH : LESS_PART);
    if (ways[best].aim.differs || seen[tried[1]] < seen[best] - less)
        return best;
    for (unsigned i = 0; i < 2; i++)
        saved[i] = search_part(w, &ways[tried[i]]);
    return tried[saved[0] >= seen[best] / TELLING_PART && saved[1] > saved[0] + saved[0] / BETTER_PART];
}

/* Finds tokens in the way whose probe sees more to save of the `otherwise` bytes. False if none does, or no
 * way leads to fewer than `least` bytes. */
static bool find(struct matched_work *w, struct fpgz_aide *aide, const struct fpgz_coding *coding,
                 const void *values, size_t otherwise, size_t least)
{
    struct matched_search *const s = &w->search;
    struct fpgz_lead *const lead = coding->lead;
    const bool is_high = fpgz_prans_is_high(&coding->params);
    const uint64_t bits = 8 * (uint64_t)otherwise, missing = 8 * (uint64_t)(otherwise - least);
    struct matched_search ways[MATCHED_WAYS];
    const unsigned probed = aim_all(w, bits, ways);
    const uint64_t enough = bits / (is_high ? PROBE_PART_HIGH : PROBE_PART);
    uint64_t seen[MATCHED_WAYS];
    const enum way way = probe(w, aide, ways, probed, matched_roughest(lead), values, bits, enough, seen);
    const uint64_t most = seen[way];
    if (lead)
        lead->unmatched = most < enough;
    if (most < enough / (w->size < 8 ? 1 : UNSURE_PART) || (!is_high && most + most / DOUBT_PART < missing))
        return false;
    if (aide) {
        aide->drop(aide);
        if (!fpgz_buffer_complete(aide->raw))
            return false;
    }
    ways[GROUPS].aim.group =
        (unsigned)fpgz_max(ways[GROUPS].aim.group, PAIR); /* single ones are looked up, too */
    ways[WORDS] = ways[GROUPS];
    memcpy(s->ordered, values, w->count * w->size);
    w->kernels->order(w->number, w->count, s->ordered);
    w->kernels->price(s, bits);
    *s = ways[compare(w, ways, seen, way, is_high)];
    if (most < enough && search_part(w, s) < enough / SEARCHED_PART)
        return false;
    return w->kernels->find(s, &w->tokens) / MATCHED_COST >= missing + bits / GAIN_PART;
}

/* Writes the stream of the tokens; returns its bytes, 0 if they are not fewer than `least`. In the high
 * setting, which takes long, estimates of the other rows tell what the literals may take. */
static size_t write_stream(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                           const struct matched_work *w, size_t least)
{
    const struct matched_tokens *const tokens = &w->tokens;
    const bool differs = w->search.aim.differs;
    const struct fpgz_params middle = fpgz_prans_matched_params(&coding->params, PRANS_FORMAT_MIDDLE),
                             *const differing =
                                 fpgz_prans_matched_differing(w->size, &coding->params, &middle);
    const struct row literals = {coding->grid.dtype, w->parts, tokens->literals};
    const struct row rows[MATCHED_FIELDS + 1] = {
        {FPGZ_U32, tokens->field[0], tokens->count},
        {FPGZ_U32, tokens->field[1], tokens->count},
        {FPGZ_U32, tokens->field[2], tokens->count},
        {matched_difference(w->size), w->parts + tokens->literals * w->size, w->count - tokens->literals}};
    struct output out = {w->stream + FRONT, w->stream + least, w->stream + w->stream_bytes, false};
    uint8_t *side = w->stream + PRANS_HEAD_BYTES;
    size_t others = FRONT;
    for (unsigned i = 0; fpgz_prans_is_high(&coding->params) && i < MATCHED_FIELDS + (unsigned)differs; i++) {
        const struct fpgz_coding row = coding_of(w, &middle, &rows[i]);
        others += inner->estimate(&row, rows[i].values, out.at);
    }
    if (others >= least)
        return 0;
    memcpy(w->stream,
           (uint8_t[4]){PRANS_FORMAT_MATCHED, differs ? MATCHED_DIFFERS : 0, (uint8_t)tokens->deepest}, 4);
    fpgz_store32(w->stream + 4, MATCHED_SIDE_BYTES);
    fpgz_store32(side, (uint32_t)tokens->count);
    fpgz_store32(side + 4, (uint32_t)tokens->literals);
    fpgz_store32(side + 8,
                 (uint32_t)keep(&out, code_row(inner, w, &coding->params, &literals, least - others, &out)));
    side += 12;
    for (unsigned f = 0; f < MATCHED_FIELDS; f++, side += 4)
        fpgz_store32(side, (uint32_t)keep(&out, code_row(inner, w, &middle, &rows[f], SIZE_MAX, &out)));
    if (differs)
        keep(&out, code_row(inner, w, differing, &rows[MATCHED_FIELDS], SIZE_MAX, &out));
    return out.failed || out.at >= out.limit ? 0 : (size_t)(out.at - w->stream);
}

void fpgz_prans_matched_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                               struct fpgz_aide *aide, const void *values, size_t otherwise, uint8_t *stream,
                               size_t *length)
{
    struct matched_work *const w = coding->scratch;
    if (*length < LEAST_BYTES || fpgz_dtype_size(coding->grid.dtype) < MATCHED_LEAST_SIZE)
        return;
    fpgz_prans_matched_work(inner, &coding->grid, &coding->params, true, w, w);
    if (!find(w, aide, coding, values, otherwise, *length))
        return;
    void *const differences = w->search.aim.differs ? w->parts + w->tokens.literals * w->size : NULL;
    w->kernels->part(w->number, w->search.ordered, &w->tokens, w->parts, differences);
    w->kernels->unorder(w->number, w->tokens.literals, w->parts);
    const size_t bytes = write_stream(inner, coding, w, *length);
    if (!bytes)
        return;
    *length = bytes;
    memcpy(stream, w->stream, bytes);
}
