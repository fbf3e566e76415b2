/* SPDX-License-Identifier: MIT
 * Encoding by ranks: a sample, the dictionary, numbers and what they cost. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/ranked/ranked.h"
#include "codec/prans/ranked/work.h"
#include "codec/sample.h"
#include "core/bytes.h"

enum {
    LEAST_VALUES = 1024,
    SAMPLES = 8192,
    TOGETHER = 64,  /* words for whose numbers memory is asked */
    FEW_PART = 8,   /* fewer distinct values are for the rank domain */
    DOUBT_PART = 4, /* by so much a sample may be wrong about how many values are distinct */
    GAIN_PART = 32, /* what ranks must save by an estimate */
};

static uint64_t word_at(const void *values, size_t size, size_t at)
{
    const uint8_t *const word = (const uint8_t *)values + at * size;
    return size == 4 ? fpgz_load32(word) : fpgz_load64(word);
}

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
        if (word_at(w->dictionary, w->size, w->slots[at] - 1) == word)
            return w->slots[at] - 1;
    if (*distinct == most)
        return (uint32_t)most;
    memcpy(w->dictionary + *distinct * w->size, &word, w->size);
    w->slots[at] = (uint32_t)++ * distinct;
    return w->slots[at] - 1;
}

/* About how many values are distinct, by those that stand once and twice in a sample; rather fewer, where a
 * few values are frequent. */
static size_t guess_distinct(const struct ranked_work *w, const void *values)
{
    enum { SLOT_BITS = 14, AHEAD = 16 /* for which memory is asked */ };
    const size_t samples = fpgz_min(SAMPLES, w->count / RANKED_PART);
    const unsigned bits = (unsigned)fpgz_min(SLOT_BITS, w->slot_bits);
    uint32_t *const times = w->rank;
    size_t distinct = 0;
    uint64_t once = 0, twice = 0;
    memset(w->slots, 0, sizeof *w->slots << bits);
    for (uint32_t i = 0; i < samples; i++) {
        const size_t before = distinct, ahead = fpgz_sample_place(i + AHEAD, samples, w->count);
        __builtin_prefetch((const uint8_t *)values + fpgz_min(ahead, w->count - 1) * w->size);
        const uint64_t word = word_at(values, w->size, fpgz_sample_place(i, samples, w->count));
        uint32_t *const stood = &times[number_of(w, bits, slot_of(word, bits), word, &distinct, samples)];
        *stood = distinct > before ? 1 : *stood + 1;
        once += *stood == 1;
        once -= *stood == 2;
        twice += *stood == 2;
        twice -= *stood == 3;
    }
    return distinct + (size_t)(once * once / (2 * twice + 1) * (w->count - samples) / w->count);
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
            word[i] = word_at(values, w->size, first + i);
        foresee(w, w->slot_bits, word, part, at);
        for (size_t i = 0; i < part; i++) {
            w->rank[first + i] = number_of(w, w->slot_bits, at[i], word[i], &distinct, most);
            if (w->rank[first + i] == most)
                return 0;
        }
    }
    return distinct;
}

/* An unsigned number in the order of the values. */
static uint64_t key_of(enum fpgz_dtype dtype, uint64_t word)
{
    const struct fpgz_dtype_row *const row = &fpgz_dtypes[dtype];
    const uint64_t top = (uint64_t)1 << (8 * row->size - 1), mask = top - 1 + top;
    if (row->kind == 'f')
        return word & top ? word ^ mask : word | top;
    return row->kind == 'i' ? word ^ top : word;
}

static uint64_t word_of(enum fpgz_dtype dtype, uint64_t key)
{
    const struct fpgz_dtype_row *const row = &fpgz_dtypes[dtype];
    const uint64_t top = (uint64_t)1 << (8 * row->size - 1), mask = top - 1 + top;
    if (row->kind == 'f')
        return key & top ? key ^ top : key ^ mask;
    return row->kind == 'i' ? key ^ top : key;
}

/* Sorts keys of `bits` bits by digits, from the lowest; `other` has room for as many. Returns where they are.
 */
static uint64_t *sort_keys(uint64_t *key, size_t count, unsigned bits, uint64_t *other)
{
    enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
    for (unsigned shift = 0; shift < bits; shift += DIGIT_BITS) {
        uint32_t below[DIGITS + 1] = {0};
        for (size_t i = 0; i < count; i++)
            below[(key[i] >> shift) % DIGITS + 1]++;
        if (below[(*key >> shift) % DIGITS + 1] == count)
            continue;
        for (unsigned d = 0; d < DIGITS; d++)
            below[d + 1] += below[d];
        for (size_t i = 0; i < count; i++)
            other[below[(key[i] >> shift) % DIGITS]++] = key[i];
        uint64_t *const sorted = other;
        other = key;
        key = sorted;
    }
    return key;
}

/* Sorts the dictionary and the numbers. Returns about the bits that the dictionary takes. */
static uint64_t sort(const struct ranked_work *w, enum fpgz_dtype dtype, size_t distinct)
{
    const size_t most = w->count / RANKED_PART + 1;
    uint64_t bits = 0;
    for (size_t i = 0; i < distinct; i++)
        w->keys[i] = key_of(dtype, word_at(w->dictionary, w->size, i));
    const uint64_t *const key = sort_keys(w->keys, distinct, 8 * (unsigned)w->size, w->keys + most);
    uint32_t *const rank_of = (uint32_t *)(key == w->keys ? w->keys + most : w->keys); /* of each number */
    for (size_t first = 0, part; first < distinct; first += part) {
        uint64_t word[TOGETHER];
        size_t at[TOGETHER];
        part = fpgz_min(distinct - first, TOGETHER);
        for (size_t i = 0; i < part; i++)
            word[i] = word_of(dtype, key[first + i]);
        foresee(w, w->slot_bits, word, part, at);
        for (size_t i = 0; i < part; i++)
            rank_of[number_of(w, w->slot_bits, at[i], word[i], &distinct, distinct)] = (uint32_t)(first + i);
    }
    for (size_t i = 0; i < distinct; i++) {
        const uint64_t word = word_of(dtype, key[i]), gap = i ? key[i] - key[i - 1] : UINT64_MAX;
        bits += 65 - (unsigned)__builtin_clzll(gap);
        memcpy(w->dictionary + i * w->size, &word, w->size);
    }
    for (size_t i = 0; i < w->count; i++)
        w->rank[i] = rank_of[w->rank[i]];
    return bits;
}

/* Codes a grid at `at`, or puts it there as it is where that is no longer; returns the bytes. */
static size_t code(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                   const struct ranked_work *w, const struct fpgz_grid *grid, const void *values, uint8_t *at)
{
    const struct fpgz_coding within = {*grid, coding->params, w->inner};
    const size_t raw = fpgz_grid_bytes(grid);
    size_t length;
    if (!inner->encode(&within, values, at, &length) && length < raw)
        return length;
    memcpy(at, values, raw);
    return raw;
}

void fpgz_prans_ranked_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                              const void *values, uint8_t *stream, size_t *length)
{
    const enum fpgz_dtype dtype = coding->grid.dtype;
    if (fpgz_grid_values(&coding->grid) < LEAST_VALUES || !ranked_is_tried(&coding->grid))
        return;
    const struct ranked_work w =
        fpgz_prans_ranked_work(inner, &coding->grid, &coding->params, true, coding->scratch);
    const size_t few = w.count / FEW_PART, most = w.count / RANKED_PART,
                 about_distinct = guess_distinct(&w, values);
    if (about_distinct < few - few / DOUBT_PART || about_distinct > most + most / DOUBT_PART)
        return;
    const size_t distinct = number_words(&w, values);
    if (distinct < few)
        return;
    const uint64_t dictionary_bits = sort(&w, dtype, distinct);
    const struct fpgz_coding ranks = {w.ranks, coding->params, w.inner};
    const size_t about = inner->estimate(&ranks, w.rank, w.stream) + (size_t)(dictionary_bits / 8);
    if (about > *length + *length / GAIN_PART)
        return;
    const struct fpgz_grid row = ranked_row(dtype, distinct);
    const size_t first = code(inner, coding, &w, &w.ranks, w.rank, w.stream + RANKED_FRONT);
    const size_t second = code(inner, coding, &w, &row, w.dictionary, w.stream + RANKED_FRONT + first);
    if (RANKED_FRONT + first + second >= *length)
        return;
    memcpy(w.stream, (uint8_t[4]){PRANS_FORMAT_RANKED, 0, 0, 0}, 4);
    fpgz_store32(w.stream + 4, RANKED_FRONT - PRANS_HEAD_BYTES);
    fpgz_store32(w.stream + 8, (uint32_t)distinct);
    fpgz_store32(w.stream + 12, (uint32_t)first);
    *length = RANKED_FRONT + first + second;
    memcpy(stream, w.stream, *length);
}
