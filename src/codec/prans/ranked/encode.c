/* SPDX-License-Identifier: MIT
 * Encoding by ranks: a sample, the dictionary, numbers and what they cost. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/bins/aide.h"
#include "codec/prans/format.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/ranked/keys.h"
#include "codec/prans/ranked/ranked.h"
#include "codec/prans/ranked/sample.h"
#include "codec/prans/ranked/work.h"
#include "codec/prans/whole.h"
#include "core/bytes.h"

enum {
    LEAST_VALUES = 1024,
    TOGETHER = 64,       /* words for whose numbers memory is asked */
    GAIN_PART = 16,      /* what ranks must save by estimates */
    GAIN_PART_HIGH = 32, /* what they may cost by them in the high setting, where these do not see all, */
    GAIN_PART_PARTS = 1, /* and where the other way is parts, of which that setting makes no more */
    MATCHED_PART = 48,   /* what the probe must see saved of the numbers in the middle setting */
};

static size_t slot_of(uint64_t word, unsigned slot_bits)
{
    return (size_t)(word * UINT64_C(0x9E3779B97F4A7C15) >> (64 - slot_bits));
}

/* Asks for the slots of words, then for the words that are numbered there. */
static void foresee(const struct ranked_work *w, unsigned slot_bits, const uint64_t *word, size_t count,
                    size_t *at)
{
    for (size_t i = 0; i < count; i++) {
        at[i] = slot_of(word[i], slot_bits);
        __builtin_prefetch(&w->slots[at[i]], 1);
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t number = w->slots[at[i]];
        __builtin_prefetch(w->dictionary + (number - (number != 0)) * w->size);
    }
}

/* The number of the word, sought from slot `at` on, which is new if that is *distinct; `most` if it is new
 * and there is no room. */
static uint32_t number_of(const struct ranked_work *w, unsigned slot_bits, size_t at, uint64_t word,
                          size_t *distinct, size_t most)
{
    for (; w->slots[at]; at = (at + 1) & (((size_t)1 << slot_bits) - 1))
        if (ranked_word_at(w->dictionary, w->size, w->slots[at] - 1) == word)
            return w->slots[at] - 1;
    if (*distinct == most)
        return (uint32_t)most;
    memcpy(w->dictionary + *distinct * w->size, &word, w->size);
    w->slots[at] = (uint32_t)++ * distinct;
    return w->slots[at] - 1;
}

/* Numbers in the order in which words come. Returns how many are distinct, 0 if these are too many. */
static size_t number_words(const struct ranked_work *w, const void *values)
{
    const size_t most = w->count / RANKED_PART;
    size_t distinct = 0;
    memset(w->slots, 0, sizeof *w->slots << w->slot_bits);
    for (size_t first = 0, part; first < w->count; first += part) {
        uint64_t word[TOGETHER];
        size_t at[TOGETHER];
        part = fpgz_min(w->count - first, TOGETHER);
        for (size_t i = 0; i < part; i++)
            word[i] = ranked_word_at(values, w->size, first + i);
        foresee(w, w->slot_bits, word, part, at);
        for (size_t i = 0; i < part; i++) {
            w->rank[first + i] = number_of(w, w->slot_bits, at[i], word[i], &distinct, most);
            if (w->rank[first + i] == most)
                return 0;
        }
    }
    return distinct;
}

/* Sorts the dictionary and the numbers. Returns about the bits that the dictionary takes. */
static uint64_t sort(const struct ranked_work *w, enum fpgz_dtype dtype, size_t distinct)
{
    const size_t most = w->count / RANKED_PART + 1;
    uint64_t bits = 0;
    for (size_t i = 0; i < distinct; i++)
        w->keys[i] = ranked_key_of(dtype, ranked_word_at(w->dictionary, w->size, i));
    const uint64_t *const key =
        fpgz_prans_ranked_sort(w->keys, distinct, 8 * (unsigned)w->size, w->keys + most);
    uint32_t *const rank_of = (uint32_t *)(key == w->keys ? w->keys + most : w->keys); /* of each number */
    for (size_t first = 0, part; first < distinct; first += part) {
        uint64_t word[TOGETHER];
        size_t at[TOGETHER];
        part = fpgz_min(distinct - first, TOGETHER);
        for (size_t i = 0; i < part; i++)
            word[i] = ranked_word_of(dtype, key[first + i]);
        foresee(w, w->slot_bits, word, part, at);
        for (size_t i = 0; i < part; i++)
            rank_of[number_of(w, w->slot_bits, at[i], word[i], &distinct, distinct)] = (uint32_t)(first + i);
    }
    for (size_t i = 0; i < distinct; i++) {
        const uint64_t word = ranked_word_of(dtype, key[i]), gap = i ? key[i] - key[i - 1] : UINT64_MAX;
        bits += 65 - (unsigned)__builtin_clzll(gap);
        memcpy(w->dictionary + i * w->size, &word, w->size);
    }
    for (size_t i = 0; i < w->count; i++)
        w->rank[i] = rank_of[w->rank[i]];
    return bits;
}

/* Codes the numbers; returns the bytes. In the middle setting, whose codec seeks no matches, these are sought
 * where a probe, which sees few of those of many columns, promises some. */
static size_t put_numbers(const struct fpgz_codec *codec, const struct fpgz_coding *ranks,
                          const uint32_t *number, uint8_t *stream)
{
    size_t length = fpgz_prans_inner_put(codec, ranks, NULL, number, stream);
    const uint64_t bits = 8 * (uint64_t)length, least = bits / MATCHED_PART;
    if (!fpgz_prans_is_high(&ranks->params) &&
        fpgz_prans_matched_promise(codec, ranks, number, bits, least, true) >= least)
        fpgz_prans_matched_encode(codec, ranks, NULL, number, length, stream, &length);
    return length;
}

void fpgz_prans_ranked_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                              struct fpgz_aide *aide, const void *values, uint8_t *stream, size_t *length)
{
    const enum fpgz_dtype dtype = coding->grid.dtype;
    if (fpgz_grid_values(&coding->grid) < LEAST_VALUES || !ranked_is_tried(&coding->grid))
        return;
    const struct ranked_work w =
        fpgz_prans_ranked_work(inner, &coding->grid, &coding->params, true, coding->scratch);
    const bool is_high = fpgz_prans_is_high(&coding->params);
    const size_t gain = *length / (!is_high                           ? GAIN_PART
                                   : stream[0] == PRANS_FORMAT_PARTED ? GAIN_PART_PARTS
                                                                      : GAIN_PART_HIGH);
    if (!fpgz_prans_ranked_promise(&w, inner, coding, values,
                                   is_high ? UINT64_MAX : 8 * (uint64_t)(*length - gain)))
        return;
    if (aide)
        aide->drop(aide);
    const size_t distinct = number_words(&w, values);
    if (distinct < w.count / RANKED_FEW_PART)
        return;
    const uint64_t dictionary_bits = sort(&w, dtype, distinct);
    const struct fpgz_coding ranks = {w.ranks, coding->params, w.inner, NULL};
    const struct fpgz_coding row = {fpgz_prans_row(dtype, distinct), coding->params, w.inner, NULL};
    const size_t most = is_high ? *length + gain : *length - gain,
                 about = inner->estimate(&ranks, w.rank, w.stream);
    if (about > most ||
        (dictionary_bits / 8 > most - about && inner->estimate(&row, w.dictionary, w.stream) > most - about))
        return;
    const struct fpgz_codec *const codec = is_high ? inner : &fpgz_prans_plain;
    const size_t first = put_numbers(codec, &ranks, w.rank, w.stream + RANKED_FRONT);
    const size_t second =
        fpgz_prans_inner_put(codec, &row, NULL, w.dictionary, w.stream + RANKED_FRONT + first);
    if (RANKED_FRONT + first + second >= *length)
        return;
    memcpy(w.stream, (uint8_t[4]){PRANS_FORMAT_RANKED, 0, 0, 0}, 4);
    fpgz_store32(w.stream + 4, RANKED_FRONT - PRANS_HEAD_BYTES);
    fpgz_store32(w.stream + 8, (uint32_t)distinct);
    fpgz_store32(w.stream + 12, (uint32_t)first);
    *length = RANKED_FRONT + first + second;
    memcpy(stream, w.stream, *length);
}
