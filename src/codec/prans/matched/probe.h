/* SPDX-License-Identifier: MIT
 * The probe: what matches of a sample of words save. For width templates. */
#ifndef FPGZ_CODEC_PRANS_MATCHED_PROBE_H
#define FPGZ_CODEC_PRANS_MATCHED_PROBE_H

#include "codec/prans/matched/search.h"

enum {
    PROBE_BITS_LESS = 4, /* in the table's places */
    PROBE_BITS_LEAST = 3,
    ROUGH_DOUBT = 2,    /* it tells nothing if hashes choose fewer than one of so many of what they should */
    ROUGH_LOOKS = 4096, /* groups that it looks at where there are more, about */
    LEAST_LOOKS = 2,    /* of a stretch */
    PROBE_MARGIN = 6 * BIT, /* what it must save, for the search takes many that save less in the end */
};

/* What the words of a row cost on average as price() counts them before it scales, by a sample. */
static double usual_cost(const struct matched_search *s, const WORD *word, enum matched_roughness roughness)
{
    enum { USUAL_AHEAD = 16 };
    const size_t step = matched_usual_step(roughness);
    uint64_t sum = 0, samples = 0;
    for (size_t at = 1; at < s->count; at += step, samples++) {
        if (s->count - at > USUAL_AHEAD * step)
            __builtin_prefetch(&word[at + USUAL_AHEAD * step]);
        sum += (uint64_t)raw_cost((WORD)(ordered(s->number, word[at]) - ordered(s->number, word[at - 1])));
    }
    return samples ? (double)sum / (double)samples : BIT;
}

/* What each word at `at` saves as a match of those at `from`, on average; 0 if they save nothing. */
INLINE int64_t saved_each(const struct matched_search *s, enum prans_number number, bool differs,
                          const WORD *word, size_t at, size_t from, uint32_t scale)
{
    const size_t most = s->count - at < MATCHED_PROBE_LENGTH ? s->count - at : MATCHED_PROBE_LENGTH;
    const WORD first = ordered(number, word[at]);
    const bool turn = is_negative(number, first) != is_negative(number, ordered(number, word[from]));
    int64_t saved = -(PROBE_MARGIN + distance_cost(at - from)), best = 0;
    const int64_t least = saved - PATIENCE;
    size_t longest = 1;
    WORD last = at ? ordered(number, word[at - 1]) : 0;
    for (size_t length = 0; length < most && saved > least; length++) {
        const WORD y = ordered(number, word[at + length]), before = ordered(number, word[from + length]);
        const WORD difference = (WORD)(y - (turn ? negated(number, before) : before));
        const int64_t cost = scaled((WORD)(y - last), scale);
        if ((!length && cost <= CHEAP) || (!differs && difference))
            break;
        saved += differs ? gain_of(cost, difference) : cost;
        if (saved - length_cost(length + 1) > best) {
            best = saved - length_cost(length + 1);
            longest = length + 1;
        }
        last = y;
    }
    return best / (int64_t)longest;
}

/* The hash of a word by which it is chosen; the same for words that are close or negated. */
INLINE uint64_t sampling_hash(enum prans_number number, WORD word)
{
    const WORD size = number == PRANS_REAL                         ? word | SIGN_BIT
                      : is_negative(number, ordered(number, word)) ? negated(number, word)
                                                                   : word;
    return (uint64_t)(size >> (sizeof word * MATCHED_CLOSE_BITS)) * MATCHED_FACTOR;
}

enum { TOGETHER = 64 };

/* Which of 64 words they choose, as bits. */
INLINE uint64_t sampled_one_by_one(enum prans_number number, const WORD *word, uint64_t below)
{
    uint8_t chosen[TOGETHER];
    uint64_t bits = 0;
    for (size_t k = 0; k < TOGETHER; k++)
        chosen[k] = sampling_hash(number, word[k]) < below;
    for (size_t k = 0; k < TOGETHER; k += 8)
        bits |= (fpgz_load64(chosen + k) * UINT64_C(0x0102040810204080)) >> 56 << k;
    return bits;
}

/* The same, as each level does it. */
INLINE uint64_t sampled_together(enum prans_number number, const WORD *word, uint64_t below);

/* Lists those of `count` words (at most 65536) that the hashes choose. Returns their number. */
INLINE size_t choose_samples(enum prans_number number, const WORD *word, size_t count, uint64_t below,
                             uint16_t *sampled)
{
    size_t samples = 0, i = 0;
    for (; i + TOGETHER <= count; i += TOGETHER)
        for (uint64_t left = sampled_together(number, word + i, below); left; left &= left - 1)
            sampled[samples++] = (uint16_t)(i + (size_t)__builtin_ctzll(left));
    for (; i < count; i++) {
        sampled[samples] = (uint16_t)i;
        samples += sampling_hash(number, word[i]) < below;
    }
    return samples;
}

/* Asks for the memory of those of `count` words whose bits are set: nobody has read it yet. */
INLINE void foresee_samples(const uint64_t *chosen, const WORD *word, size_t count)
{
    for (size_t i = 0; i < count; i += 64)
        for (uint64_t left = chosen[i / 64]; left; left &= left - 1)
            __builtin_prefetch(&word[i + (size_t)__builtin_ctzll(left)]);
}

/* Lists those of `count` words whose bits are set. Returns their number. */
INLINE size_t list_samples(const uint64_t *chosen, size_t count, uint16_t *sampled)
{
    size_t samples = 0;
    for (size_t i = 0; i < count; i += 64)
        for (uint64_t left = chosen[i / 64]; left; left &= left - 1)
            sampled[samples++] = (uint16_t)(i + (size_t)__builtin_ctzll(left));
    return samples;
}

/* Keeps those of the samples that the words behind them choose, `left` words from `word` on. Returns their
 * number. */
static size_t keep_samples(enum prans_number number, const WORD *word, size_t left, uint64_t below,
                           uint16_t *sampled, size_t samples)
{
    size_t kept = 0;
    for (size_t i = 0; i < samples; i++) {
        sampled[kept] = sampled[i];
        kept += sampled[i] + 1u < left && sampling_hash(number, word[sampled[i] + 1]) < below;
    }
    return kept;
}

/* The last place of a hash, plus 1, and that hash. */
struct probe_slot {
    uint32_t last, key;
};

/* What a probe has seen. */
struct probing {
    struct probe_slot *slot;
    uint64_t groups, saved;
};

enum { PROBE_STRETCH = 1024, PROBE_AHEAD = 4 /* stretches */ };

/* Looks at the groups that begin with the words `sampled` of those from `from` on. Memory is asked for first.
 */
INLINE void probe_groups_as(const struct matched_search *s, enum prans_number number, bool differs,
                            const WORD *word, size_t from, const uint16_t *sampled, size_t samples,
                            size_t most, unsigned shift, uint32_t scale, struct probing *p)
{
    uint64_t hash[PROBE_STRETCH];
    while (samples && s->group > s->count - from - sampled[samples - 1])
        samples--;
    for (size_t i = 0; i < samples; i++) {
        WORD group[MATCHED_GROUP_MOST];
        for (unsigned k = 0; k < s->group; k++)
            group[k] = ordered(number, word[from + sampled[i] + k]);
        hash[i] = hash_of(number, group, s->group, s->drop);
        __builtin_prefetch(&p->slot[hash[i] >> shift], 1);
    }
    uint64_t saved = 0;
    for (size_t i = 0; i < samples; i++) {
        struct probe_slot *const slot = &p->slot[hash[i] >> shift];
        const size_t at = from + sampled[i];
        if (i < most && slot->last && slot->key == (uint32_t)hash[i])
            saved += (uint64_t)saved_each(s, number, differs, word, at, slot->last - 1, scale);
        *slot = (struct probe_slot){(uint32_t)at + 1, (uint32_t)hash[i]};
    }
    p->saved += samples > most ? saved * samples / most : saved;
    p->groups += samples;
}

static void probe_groups(const struct matched_search *s, const WORD *word, size_t from,
                         const uint16_t *sampled, size_t samples, size_t most, unsigned shift, uint32_t scale,
                         struct probing *p)
{
    if (s->number != PRANS_REAL)
        probe_groups_as(s, s->number, s->differs, word, from, sampled, samples, most, shift, scale, p);
    else if (s->differs)
        probe_groups_as(s, PRANS_REAL, true, word, from, sampled, samples, most, shift, scale, p);
    else
        probe_groups_as(s, PRANS_REAL, false, word, from, sampled, samples, most, shift, scale, p);
}

static void probe(const struct matched_search *ways, unsigned count, const void *words,
                  const uint64_t *chosen, uint64_t bits, enum matched_roughness roughness, uint64_t *saved)
{
    const WORD *const word = words;
    struct probing p[MATCHED_WAYS];
    const uint32_t scale = scale_of(bits, usual_cost(ways, word, roughness) * (double)ways->count);
    const unsigned less = PROBE_BITS_LESS + MATCHED_ROUGHLY_LOG * roughness,
                   place_bits = fpgz_max(ways->table_bits, less + PROBE_BITS_LEAST) - less;
    const uint32_t part = matched_probed_part(ways->count, roughness);
    const uint64_t below = matched_probed_below(ways->count, roughness);
    const size_t places = (size_t)1 << place_bits, usual = fpgz_max(2 * PROBE_STRETCH / part, LEAST_LOOKS),
                 few = 1 + ROUGH_LOOKS * PROBE_STRETCH / (ways->count + 1),
                 most = roughness && few < usual ? few : usual;
    for (unsigned i = 0; i < count; i++) {
        struct probe_slot *const slot = (struct probe_slot *)ways->table[i % MATCHED_TABLES];
        p[i] = (struct probing){slot + i / MATCHED_TABLES * places, 0, 0};
        memset(p[i].slot, 0, places * sizeof *p[i].slot);
    }
    for (size_t from = 0; from < ways->count; from += PROBE_STRETCH) {
        const size_t length = ways->count - from < PROBE_STRETCH ? ways->count - from : PROBE_STRETCH;
        uint16_t sampled[PROBE_STRETCH];
        const size_t ahead = from + PROBE_AHEAD * PROBE_STRETCH;
        if (chosen && ahead + PROBE_STRETCH <= ways->count)
            foresee_samples(chosen + ahead / 64, word + ahead, PROBE_STRETCH);
        size_t samples = chosen ? list_samples(chosen + from / 64, length, sampled)
                         : ways->number == PRANS_REAL
                             ? choose_samples(PRANS_REAL, word + from, length, below, sampled)
                         : ways->number == PRANS_SIGNED
                             ? choose_samples(PRANS_SIGNED, word + from, length, below, sampled)
                             : choose_samples(PRANS_UNSIGNED, word + from, length, below, sampled);
        if (roughness == MATCHED_ROUGHEST)
            samples = keep_samples(ways->number, word + from, ways->count - from,
                                   matched_next_below(roughness), sampled, samples);
        for (unsigned w = 0; w < count; w++)
            probe_groups(&ways[w], word, from, sampled, samples, most, 64 - place_bits, scale, &p[w]);
    }
    for (unsigned i = 0; i < count; i++) {
        const bool is_told = !roughness || p[i].groups > ways->count / part / ROUGH_DOUBT;
        saved[i] = !is_told ? bits : p[i].groups ? p[i].saved * ways->count / p[i].groups / BIT : 0;
    }
}

#endif
