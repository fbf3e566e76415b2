/* SPDX-License-Identifier: MIT
 * Decoding of the bands: their streams, fed to the kernels run by run. */
#include <string.h>

#include "codec/prans/entropy/rans.h"
#include "codec/prans/high/bands.h"
#include "core/bytes.h"

/* Bytes that decoding may take behind what a run takes at most, so that short ends can be copied. */
enum { WORDS_AHEAD = PRANS_RUN_WORDS + 64, RAW_AHEAD = PRANS_RUN_RAW + 64 };

struct ends {
    uint8_t words[2 * WORDS_AHEAD], raw[2 * RAW_AHEAD];
};

/* A band's streams: where they end, in the stream or in a copy of their last bytes with zeros behind. */
struct source {
    const uint8_t *words_end, *raw_end, *raw;
    bool words_copied, raw_copied;
    struct ends *ends;
};

struct decoding {
    struct prans_tables tables;
    struct ends ends[PRANS_BANDS];
};

size_t fpgz_prans_decode_field_memory(void)
{
    return fpgz_round_up(sizeof(struct decoding), 64);
}

static void fill_tables(const struct prans_field *field, const struct prans_description *description,
                        struct prans_tables *t)
{
    for (unsigned table = 0; table < description->tables; table++) {
        const uint16_t *const frequency = description->frequency[table];
        uint32_t below = 0;
        for (unsigned s = 0; s < PRANS_SYMBOLS; below += frequency[s++]) {
            t->share[table][s] = frequency[s] | below << 16;
            memset(t->at[table] + below, (int)s, frequency[s]);
        }
    }
    fpgz_prans_symbols(field->model.fine, field->is_f64 ? 64 : 32, t->symbol);
    for (unsigned level = 0; level < PRANS_LEVELS; level++) {
        memcpy(&t->of_context[level * PRANS_FLAGS],
               &description->table[description->class_of[0][level] * PRANS_FLAGS], PRANS_FLAGS);
        t->of_direct[level] =
            description->classes[1] ? description->direct_table[description->class_of[1][level]] : 0;
    }
    t->of_direct[PRANS_ESCAPED] =
        description->classes[1] ? description->direct_table[description->classes[1]] : 0;
    t->of_length = description->matches ? description->length_table : 0;
    t->of_distance = description->matches ? description->distance_table : 0;
    for (unsigned i = 0; i < PRANS_FREQUENT; i++)
        t->frequent[i] = description->matches && i < description->frequents ? description->frequent[i] : 0;
}

/* Makes sure that a run can take its bytes. */
static void feed(struct prans_band *band, struct source *source)
{
    if (!source->words_copied && source->words_end - band->words < WORDS_AHEAD) {
        const size_t left = (size_t)(source->words_end - band->words);
        memset(source->ends->words, 0, sizeof source->ends->words);
        memcpy(source->ends->words, band->words, left);
        band->words = source->ends->words;
        source->words_end = band->words + left;
        source->words_copied = true;
    }
    const uint8_t *raw = band->raw + (band->bit >> 3);
    if (!source->raw_copied && source->raw_end - raw < RAW_AHEAD) {
        const size_t left = (size_t)(source->raw_end - raw);
        memset(source->ends->raw, 0, sizeof source->ends->raw);
        memcpy(source->ends->raw, raw, left);
        band->raw = source->ends->raw;
        band->bit &= 7;
        source->raw_end = band->raw + left;
        source->raw_copied = true;
    }
}

/* Whether the band took no more than there is. */
static bool within(const struct prans_band *band, const struct source *source)
{
    return !band->failed && band->words <= source->words_end &&
           (band->bit + 7) >> 3 <= (uint64_t)(source->raw_end - band->raw);
}

/* Whether the band took all of its bytes, and ended where encoding began. */
static bool complete(const struct prans_band *band, const struct source *source)
{
    return within(band, source) && band->words == source->words_end && band->state == PRANS_STATE &&
           (band->bit + 7) >> 3 == (uint64_t)(source->raw_end - band->raw) && !band->match_left;
}

/* The streams of the bands behind the description, each the state and words, then raw bits. */
static bool open_bands(const struct prans_field *field, const uint8_t *at, const uint8_t *end,
                       struct ends *ends, struct prans_band *band, struct source *source)
{
    const uint8_t *lengths = at;
    if (end - at < (ptrdiff_t)field->bands * 8)
        return false;
    at += field->bands * 8;
    for (unsigned b = 0; b < field->bands; b++) {
        const uint32_t words = fpgz_load32(lengths + 8 * b), raw = fpgz_load32(lengths + 8 * b + 4);
        if (words < 4 || words % 2 || (uint64_t)words + raw > (uint64_t)(end - at))
            return false;
        band[b] = (struct prans_band){.real = field->real[b],
                                      .error = field->error[b],
                                      .special = field->special[b],
                                      .refiner = field->refiner + b * PRANS_PHASES,
                                      .state = fpgz_load32(at),
                                      .words = at + 4,
                                      .raw = at + words,
                                      .recent = {1, 2, 3, 4}};
        source[b] = (struct source){.words_end = at + words, .raw_end = at + words + raw, .ends = &ends[b]};
        at += (size_t)words + raw;
        if (band[b].state < PRANS_STATE)
            return false;
    }
    return at == end;
}

static bool decode_bands(struct prans_field *field, const struct prans_tables *tables,
                         struct prans_band *band, struct source *source)
{
    struct prans_run run[PRANS_BANDS];
    size_t next[PRANS_BANDS] = {0, (field->first[1] - field->first[0] + PRANS_TILE - 1) / PRANS_TILE};
    for (;;) {
        unsigned running = 0, which[PRANS_BANDS];
        for (unsigned b = 0; b < field->bands; b++) {
            if (band[b].at == field->first[b + 1] - field->first[b])
                continue;
            const size_t tile = next[b] + band[b].at / PRANS_TILE;
            feed(&band[b], &source[b]);
            run[running] = fpgz_prans_run(field, b, band[b].at, fpgz_prans_place(field, tile).end,
                                          &field->bank[field->tile[tile]]);
            which[running++] = b;
        }
        if (!running)
            return true;
        field->kernels->decode(&field->model, tables, &run[0], &band[which[0]], running == 2 ? &run[1] : NULL,
                               running == 2 ? &band[which[1]] : NULL);
        for (unsigned i = 0; i < running; i++)
            if (!within(&band[which[i]], &source[which[i]]))
                return false;
    }
}

bool fpgz_prans_decode_field(struct prans_field *field, const struct prans_description *description,
                             const uint8_t *stream, size_t length, void *scratch)
{
    struct decoding *const d = scratch;
    struct prans_band band[PRANS_BANDS];
    struct source source[PRANS_BANDS];
    fill_tables(field, description, &d->tables);
    for (unsigned i = 0; i < PRANS_BANDS * PRANS_PHASES; i++)
        prans_refiner_start(&field->model.refinement, &field->refiner[i]);
    if (!open_bands(field, stream, stream + length, d->ends, band, source) ||
        !decode_bands(field, &d->tables, band, source))
        return false;
    for (unsigned b = 0; b < field->bands; b++)
        if (!complete(&band[b], &source[b]))
            return false;
    return true;
}
