/* SPDX-License-Identifier: MIT
 * The streams of the bands: symbols backward, raw bits forward. */
#include "codec/prans/high/write.h"

#include <string.h>

#include "codec/prans/entropy/rans.h"
#include "codec/prans/entropy/raw_bits.h"
#include "codec/prans/high/token.h"
#include "core/bytes.h"

/* The raw bits of a band, forward. Returns where they end; NULL where they have no room. */
static uint8_t *write_raw(const struct prans_encoding *e, const struct prans_field *field, unsigned band,
                          uint8_t *out, const uint8_t *room_end)
{
    struct prans_raw_bits bits = {.out = out};
    const void *const real = field->real[band];
    size_t match = e->band_matches[band];
    for (size_t tile = 0; tile < field->tiles; tile++) {
        const struct prans_place place = fpgz_prans_place(field, tile);
        if (place.band != band)
            continue;
        if (room_end - bits.out < PRANS_TILE_RAW)
            return NULL;
        const bool direct = prans_is_direct(field, tile);
        for (size_t at = place.at; at < place.end; at++) {
            const size_t i = field->first[band] + at;
            if (e->copied[i] == PRANS_COPIED_FIRST) {
                const struct prans_match *m = &e->match[match++];
                unsigned count;
                uint32_t raw;
                prans_number_symbol(m->length, &count, &raw);
                raw_bits_add(&bits, raw, count);
                prans_number_symbol(m->back - 1, &count, &raw);
                if (m->back_symbol >= PRANS_REPEATS + PRANS_FREQUENT)
                    raw_bits_add(&bits, raw, count);
            }
            if (e->copied[i] || field->special[band][at])
                continue;
            const unsigned symbol = e->symbol_of[i];
            if (!direct && symbol != PRANS_ESCAPE) {
                const unsigned width = e->symbol[symbol].bits;
                const int64_t residual = prans_residual_at(field, e->residual, i);
                raw_bits_add(&bits, prans_magnitude(residual) & (((uint64_t)1 << width) - 1), width);
                continue;
            }
            const struct prans_direct t = prans_direct_of(field, prans_word_at(real, field->is_f64, at));
            raw_bits_add(&bits, t.raw, t.bits);
        }
    }
    return raw_bits_end(&bits);
}

/* A state and where its words go, from the end to the front. */
struct coder {
    uint32_t state;
    uint8_t *at;
    const struct prans_encoding *e;
};

static void put_symbol(struct coder *c, unsigned table, unsigned symbol)
{
    const uint32_t share = c->e->share[table][symbol];
    c->state = prans_put_symbol(c->state, share & 0xFFFF, share >> 16, &c->at);
}

static void put_match(struct coder *c, const struct prans_match *match)
{
    unsigned bits;
    uint32_t raw;
    put_symbol(c, c->e->description.distance_table, match->back_symbol);
    put_symbol(c, c->e->description.length_table, prans_number_symbol(match->length, &bits, &raw));
}

/* The symbols of a band, backward from `end`. Returns where they begin. */
static uint8_t *write_symbols(const struct prans_encoding *e, const struct prans_field *field, unsigned band,
                              uint8_t *end)
{
    struct coder c = {PRANS_STATE, end, e};
    const unsigned escaped_table = e->description.direct_table[e->description.classes[1]];
    size_t match = e->band_matches[band + 1];
    for (size_t tile = field->tiles; tile-- > 0;) {
        const struct prans_place place = fpgz_prans_place(field, tile);
        if (place.band != band)
            continue;
        const bool direct = prans_is_direct(field, tile);
        const uint8_t *const table = e->table_of[direct];
        for (size_t at = place.end; at-- > place.at;) {
            const size_t i = field->first[band] + at;
            if (e->copied[i] == PRANS_COPIED)
                continue;
            if (e->copied[i] == PRANS_COPIED_FIRST)
                put_match(&c, &e->match[--match]);
            if (!direct && e->symbol_of[i] == PRANS_ESCAPE)
                put_symbol(
                    &c, escaped_table,
                    prans_direct_of(field, prans_word_at(field->real[band], field->is_f64, at)).symbol);
            put_symbol(&c, table[e->context[i]], e->symbol_of[i]);
        }
    }
    c.at -= 4;
    fpgz_store32(c.at, c.state);
    return c.at;
}

uint8_t *fpgz_prans_write_field(const struct prans_field *field, const struct prans_encoding *e,
                                uint8_t *stream, const uint8_t *room_end)
{
    uint8_t *out = stream + 8 * field->bands;
    for (unsigned b = 0; b < field->bands; b++) {
        uint8_t *const begin = write_symbols(e, field, b, e->words_end);
        const size_t words = (size_t)(e->words_end - begin);
        if (room_end - out < PRANS_TILE_RAW || (size_t)(room_end - out) - PRANS_TILE_RAW < words)
            return NULL;
        memcpy(out, begin, words);
        out += words;
        uint8_t *const end = write_raw(e, field, b, out, room_end);
        if (!end)
            return NULL;
        fpgz_store32(stream + 8 * b, (uint32_t)words);
        fpgz_store32(stream + 8 * b + 4, (uint32_t)(end - out));
        out = end;
    }
    return out;
}
