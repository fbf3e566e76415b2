/* SPDX-License-Identifier: MIT
 * Encoding with matches: a probe, the search, and inner streams of all that the tokens leave. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/matched/work.h"
#include "core/bytes.h"

enum {
    LEAST_BYTES = 192, /* of a stream that matches could shorten */
    LEAST_SHARE = 25,  /* of 1024: groups that must stand before */
    GROUP_BITS = 24,   /* about what a group's words cost */
    GAIN_PART = 32,    /* what matches must save by the search's own account */
    PAIR = 2,          /* the group whose words are close */
};

/* Inner streams, one behind the other, as long as they stay below the limit. */
struct output {
    uint8_t *begin, *at;
    size_t limit;
    bool failed;
};

static void put(struct output *out, const void *bytes, size_t length)
{
    out->failed |= length > out->limit - (size_t)(out->at - out->begin);
    if (out->failed)
        return;
    memcpy(out->at, bytes, length);
    out->at += length;
}

/* Codes a row of values, or puts it as it is where that is no longer. Returns the bytes. */
static size_t put_row(const struct fpgz_codec *inner, const struct matched_work *w,
                      const struct fpgz_params *params, enum fpgz_dtype dtype, const void *values,
                      size_t count, struct output *out)
{
    const struct fpgz_coding coding = {matched_row(dtype, count), *params, w->scratch};
    const size_t raw = count * fpgz_dtype_size(dtype);
    size_t length;
    if (out->failed)
        return 0;
    const bool is_shorter = !inner->encode(&coding, values, w->piece, &length) && length < raw;
    put(out, is_shorter ? w->piece : values, is_shorter ? length : raw);
    return is_shorter ? length : raw;
}

/* Groups of so many words are looked up, exactly or with differences. */
static void aim(struct matched_work *w, bool differs, unsigned group)
{
    w->search.differs = differs;
    w->search.drop = differs ? (unsigned)w->size * MATCHED_CLOSE_BITS : 0;
    w->search.group = differs ? PAIR : group;
}

/* Finds tokens. Returns about the bits that they save. */
static uint64_t search(struct matched_work *w, bool differs, unsigned group)
{
    aim(w, differs, fpgz_max(group, PAIR));
    return w->kernels->find(&w->search, &w->tokens) / MATCHED_COST;
}

/* Finds tokens in the way that saves more, of those whose probes see repeats. False if none does. */
static bool find(struct matched_work *w, const void *values, size_t length)
{
    struct matched_search *const s = &w->search;
    const uint64_t bits = 8 * (uint64_t)length;
    const unsigned group = (unsigned)fpgz_min(MATCHED_GROUP_MOST, 1 + GROUP_BITS * w->count / bits);
    bool seen[2] = {false, false};
    for (unsigned differs = 0; differs < 2 && (!differs || w->size >= 4); differs++) {
        aim(w, differs, group);
        seen[differs] = w->kernels->probe(s, values, bits) >= LEAST_SHARE;
    }
    if (!seen[0] && !seen[1])
        return false;
    memcpy(s->ordered, values, w->count * w->size);
    w->kernels->order(w->number, w->count, s->ordered);
    w->kernels->price(s, bits);
    const uint64_t exact = seen[0] ? search(w, false, group) : 0;
    uint64_t saved = seen[1] ? search(w, true, PAIR) : exact;
    if (saved < exact)
        saved = search(w, false, group);
    return saved >= bits / GAIN_PART;
}

/* Codes the literals as the whole is coded, or in the middle setting where that is shorter. */
static size_t put_literals(const struct fpgz_codec *inner, const struct fpgz_params *params,
                           enum fpgz_dtype dtype, const struct matched_work *w, struct output *out)
{
    const struct fpgz_params middle = fpgz_prans_matched_params(params, PRANS_FORMAT_MIDDLE);
    const struct fpgz_coding coding = {matched_row(dtype, w->tokens.literals), middle, w->scratch};
    struct output other = *out;
    const size_t bytes = put_row(inner, w, params, dtype, w->parts, w->tokens.literals, out);
    size_t length;
    if (!memcmp(params, &middle, sizeof middle) || inner->encode(&coding, w->parts, w->piece, &length) ||
        length >= bytes)
        return bytes;
    put(&other, w->piece, length);
    *out = other;
    return length;
}

void fpgz_prans_matched_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                               const void *values, uint8_t *stream, size_t *length)
{
    struct matched_work *const w = coding->scratch;
    fpgz_prans_matched_work(inner, &coding->grid, &coding->params, true, w, w);
    if (*length < LEAST_BYTES || !find(w, values, *length))
        return;
    const struct matched_tokens *const tokens = &w->tokens;
    const bool differs = w->search.differs;
    const struct fpgz_params middle = fpgz_prans_matched_params(&coding->params, PRANS_FORMAT_MIDDLE);
    void *const differences = differs ? w->parts + tokens->literals * w->size : NULL;
    w->kernels->part(w->number, w->search.ordered, tokens, w->parts, differences);
    w->kernels->unorder(w->number, tokens->literals, w->parts);

    uint8_t head[PRANS_HEAD_BYTES + MATCHED_SIDE_BYTES] = {
        PRANS_FORMAT_MATCHED, differs ? MATCHED_DIFFERS : 0, (uint8_t)tokens->deepest};
    struct output out = {w->stream, w->stream, fpgz_min(*length, w->count * w->size), false};
    fpgz_store32(head + 4, MATCHED_SIDE_BYTES);
    fpgz_store32(head + PRANS_HEAD_BYTES, (uint32_t)tokens->count);
    fpgz_store32(head + PRANS_HEAD_BYTES + 4, (uint32_t)tokens->literals);
    put(&out, head, sizeof head);
    size_t bytes[1 + MATCHED_FIELDS] = {put_literals(inner, &coding->params, coding->grid.dtype, w, &out)};
    for (unsigned f = 0; f < MATCHED_FIELDS; f++)
        bytes[1 + f] = put_row(inner, w, &middle, FPGZ_U32, tokens->field[f], tokens->count, &out);
    if (differs)
        put_row(inner, w, &middle, matched_difference(w->size), differences, w->count - tokens->literals,
                &out);
    if (out.failed || (size_t)(out.at - out.begin) >= *length)
        return;
    for (unsigned i = 0; i <= MATCHED_FIELDS; i++)
        fpgz_store32(out.begin + PRANS_HEAD_BYTES + 8 + (size_t)4 * i, (uint32_t)bytes[i]);
    *length = (size_t)(out.at - out.begin);
    memcpy(stream, out.begin, *length);
}
