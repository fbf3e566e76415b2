/* SPDX-License-Identifier: MIT
 * The probe: what matches of a sample of words save. For width templates. */
#ifndef FPGZ_CODEC_PRANS_MATCHED_PROBE_H
#define FPGZ_CODEC_PRANS_MATCHED_PROBE_H

#include "codec/prans/matched/search.h"

/* What a sample of the words of a row costs as price() counts them before it scales. */
static uint64_t usual_costs(const struct matched_search *s, const WORD *word, size_t step)
{
    uint64_t sum = 0;
    for (size_t at = 1; at < s->count; at += step)
        sum += (uint64_t)raw_cost((WORD)(ordered(s->number, word[at]) - ordered(s->number, word[at - 1])));
    return sum;
}

/* How many words differ from the one before, by the same sample. */
static size_t fresh_words(const struct matched_search *s, const WORD *word, size_t step)
{
    size_t fresh = 1, samples = 1;
    for (size_t at = 1; at < s->count; at += step, samples++)
        fresh += word[at] != word[at - 1];
    return s->count * fresh / samples;
}

/* Leaves out those of the samples that are as the word before: they begin no match, and if their hash chooses
 * them there are no others left to tell what matches save. Returns the number of the others. */
static size_t keep_fresh(const WORD *word, size_t from, uint16_t *sampled, size_t samples)
{
    size_t kept = 0;
    for (size_t i = 0; i < samples; i++) {
        const size_t at = from + sampled[i];
        sampled[kept] = sampled[i];
        kept += !at || word[at] != word[at - 1];
    }
    return kept;
}

/* What each word at `at` saves as a match of those at `from`, on average; 0 if they save nothing. */
INLINE int64_t saved_each(const struct matched_search *s, enum prans_number number, bool differs,
                          const WORD *word, size_t at, size_t from, uint32_t scale)
{
    const size_t most = s->count - at < MATCHED_PROBE_LENGTH ? s->count - at : MATCHED_PROBE_LENGTH;
    const WORD first = ordered(number, word[at]);
    const bool turn = is_negative(number, first) != is_negative(number, ordered(number, word[from]));
    int64_t saved = -(MATCHED_PROBE_MARGIN + distance_cost(at - from)), best = 0;
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

/* Lists the chosen words from number `next` on that stand among `length` from `from` on, and asks for the
 * memory of those behind them: nobody has read it yet. Returns their number. */
INLINE size_t list_samples(const struct matched_chosen *chosen, size_t next, const WORD *word, size_t from,
                           size_t length, uint16_t *sampled)
{
    enum { CHOSEN_AHEAD = 32 };
    size_t i = next;
    for (; i < chosen->count && chosen->place[i] - from < length; i++) {
        if (i + CHOSEN_AHEAD < chosen->count)
            __builtin_prefetch(&word[chosen->place[i + CHOSEN_AHEAD]]);
        sampled[i - next] = (uint16_t)(chosen->place[i] - from);
    }
    return i - next;
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

/* Lists the words of a stretch that hashes choose. Returns their number. */
static size_t choose_by_hash(const struct matched_search *s, const WORD *word, size_t from, size_t length,
                             enum matched_roughness roughness, uint16_t *sampled)
{
    const uint64_t below = matched_probed_below(s->count, roughness);
    const size_t samples =
        s->number == PRANS_REAL     ? choose_samples(PRANS_REAL, word + from, length, below, sampled)
        : s->number == PRANS_SIGNED ? choose_samples(PRANS_SIGNED, word + from, length, below, sampled)
                                    : choose_samples(PRANS_UNSIGNED, word + from, length, below, sampled);
    return roughness == MATCHED_ROUGHEST ? keep_samples(s->number, word + from, s->count - from,
                                                        matched_next_below(roughness), sampled, samples)
                                         : samples;
}

/* Looks at the groups that begin with the words `sampled` of those from `from` on. Memory is asked for first.
 */
INLINE void probe_groups_as(const struct matched_search *s, enum prans_number number, bool differs,
                            const WORD *word, size_t from, const uint16_t *sampled, size_t samples,
                            size_t most, unsigned shift, uint32_t scale, struct probing *p)
{
    uint64_t hash[MATCHED_PROBE_STRETCH];
    while (samples && s->aim.group > s->count - from - sampled[samples - 1])
        samples--;
    for (size_t i = 0; i < samples; i++) {
        WORD group[MATCHED_GROUP_MOST];
        for (unsigned k = 0; k < s->aim.group; k++)
            group[k] = ordered(number, word[from + sampled[i] + k]);
        hash[i] = hash_of(number, group, s->aim.group, s->aim.drop);
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
        probe_groups_as(s, s->number, s->aim.differs, word, from, sampled, samples, most, shift, scale, p);
    else if (s->aim.differs)
        probe_groups_as(s, PRANS_REAL, true, word, from, sampled, samples, most, shift, scale, p);
    else
        probe_groups_as(s, PRANS_REAL, false, word, from, sampled, samples, most, shift, scale, p);
}

static void probe(const struct matched_search *ways, unsigned count, const void *words,
                  const struct matched_chosen *chosen, uint64_t bits, enum matched_roughness roughness,
                  uint64_t *saved)
{
    const WORD *const word = words;
    struct probing p[MATCHED_WAYS];
    const size_t step = matched_usual_step(roughness), most = matched_probe_most(ways->count, roughness);
    const uint32_t scale = matched_sampled_scale(bits, ways->count, step,
                                                 chosen ? chosen->usual : usual_costs(ways, word, step)),
                   part = matched_probed_part(ways->count, roughness);
    const unsigned place_bits = matched_probe_bits(ways->table_bits, roughness);
    const size_t places = (size_t)1 << place_bits;
    for (unsigned i = 0; i < count; i++) {
        p[i] = (struct probing){(struct probe_slot *)ways->probed + i * places, 0, 0};
        memset(p[i].slot, 0, places * sizeof *p[i].slot);
    }
    for (size_t from = 0, next = 0; from < ways->count; from += MATCHED_PROBE_STRETCH) {
        const size_t length =
            ways->count - from < MATCHED_PROBE_STRETCH ? ways->count - from : MATCHED_PROBE_STRETCH;
        uint16_t sampled[MATCHED_PROBE_STRETCH];
        size_t samples = chosen ? list_samples(chosen, next, word, from, length, sampled)
                                : choose_by_hash(ways, word, from, length, roughness, sampled);
        next += samples;
        if (ways->fresh)
            samples = keep_fresh(word, from, sampled, samples);
        for (unsigned w = 0; w < count && samples; w++)
            probe_groups(&ways[w], word, from, sampled, samples, most, 64 - place_bits, scale, &p[w]);
    }
    const size_t all = ways->fresh ? fresh_words(ways, word, step) : ways->count;
    for (unsigned i = 0; i < count; i++)
        saved[i] = matched_seen(all, part, roughness, p[i].groups, p[i].saved, bits);
}

#endif
