/* SPDX-License-Identifier: MIT
 * Single words that stand often get symbols of their own. */
#include "codec/prans/bins/heavy.h"

#include <string.h>

#include "codec/prans/bins/estimate.h"
#include "codec/sample.h"
#include "core/bytes.h"

/* The bits that a word which stands `times` times in a sample saves by a symbol of its own, for in its bin
 * the other words then cost more; 0 if it is not worth it. */
static int64_t gain_of(const struct bins_work *w, size_t times, size_t samples, const struct bins_bin *bin)
{
    uint64_t words = 0;
    const uint64_t width = fpgz_prans_bins_width(&w->description.grid, w->bits, bin->first, bin->end);
    for (size_t c = bin->first; c < bin->end; c++)
        words += w->histogram[c];
    /* A sample may promise more than there is. */
    const uint64_t mine = fpgz_min((uint64_t)times * w->layout.values / samples, words), rest = words - mine;
    const uint64_t apart = mine * bins_log2(w->learning, mine + 1) + rest * bins_log2(w->learning, rest + 1);
    const int64_t gain =
        (int64_t)(mine * width << 16) + (int64_t)apart - (int64_t)(words * bins_log2(w->learning, words + 1));
    return gain >> 16 > 2 * (int64_t)(w->bits + fpgz_prans_bins_price(w)) ? gain : 0;
}

enum {
    SLOT_BITS = 13,
    LEAST_TIMES = 12, /* that a heavy word stands there */
    FREQUENT = BINS_SAMPLES / LEAST_TIMES,
};

/* Words of a sample, and how often they stand there. */
struct tally {
    uint16_t times[1 << SLOT_BITS];
    uint64_t word[1 << SLOT_BITS];
};

/* Counts the words of a sample. Returns how many there are. */
static size_t count_sample(const struct bins_work *w, const uint8_t *flag, struct tally *tally)
{
    const size_t wanted = fpgz_min(BINS_SAMPLES, w->layout.values);
    size_t samples = 0;
    memset(tally->times, 0, sizeof tally->times);
    for (uint32_t i = 0; i < wanted; i++) {
        const size_t at = fpgz_sample_place(i, wanted, w->layout.values);
        if (flag && flag[at])
            continue;
        uint64_t word = 0;
        memcpy(&word, w->residual + (w->aided ? i : at) * w->size, w->size);
        size_t slot = (size_t)(word * UINT64_C(0x9E3779B97F4A7C15) >> (64 - SLOT_BITS));
        while (tally->times[slot] && tally->word[slot] != word)
            slot = (slot + 1) % (1 << SLOT_BITS);
        tally->word[slot] = word;
        tally->times[slot]++;
        samples++;
    }
    return samples;
}

/* The words that stand there often, in rising order. Returns how many there are. */
static size_t list_frequent(const struct tally *tally, uint64_t *word, uint16_t *times)
{
    size_t count = 0;
    for (size_t slot = 0; slot < 1 << SLOT_BITS; slot++) {
        if (tally->times[slot] < LEAST_TIMES)
            continue;
        size_t at = count++;
        for (; at && word[at - 1] > tally->word[slot]; at--) {
            word[at] = word[at - 1];
            times[at] = times[at - 1];
        }
        word[at] = tally->word[slot];
        times[at] = tally->times[slot];
    }
    return count;
}

/* A word and the bits that it saves. */
struct saving {
    uint64_t word;
    int64_t bits;
};

/* Adds a word to those that save most, behind the others. Returns how many there are. */
static unsigned keep(struct saving kept[BINS_HEAVY], unsigned count, struct saving one)
{
    unsigned least = 0;
    if (count == BINS_HEAVY) {
        for (unsigned h = 1; h < count; h++)
            least = kept[h].bits < kept[least].bits ? h : least;
        if (kept[least].bits >= one.bits)
            return count;
        count--;
        memmove(kept + least, kept + least + 1, (count - least) * sizeof *kept);
    }
    kept[count] = one;
    return count + 1;
}

/* Single words that stand so often in a sample that they get symbols of their own, in place of a bin's: those
 * that save most. */
static void find_heavy(struct bins_work *w, const uint8_t *flag)
{
    struct bins_description *const d = &w->description;
    struct tally tally;
    uint64_t word[FREQUENT];
    uint16_t times[FREQUENT];
    struct saving kept[BINS_HEAVY];
    const size_t samples = count_sample(w, flag, &tally), frequent = list_frequent(&tally, word, times);
    for (size_t i = 0; i < frequent; i++) {
        const uint32_t class = w->kernels->class_of(&d->grid, word[i]);
        unsigned b = 0;
        while (b < d->bins && d->bin[b].end <= class)
            b++;
        if (b == d->bins || class < d->bin[b].first)
            continue;
        const int64_t bits = gain_of(w, times[i], samples, &d->bin[b]);
        if (bits)
            d->heavies = keep(kept, d->heavies, (struct saving){word[i], bits});
    }
    for (unsigned h = 0; h < d->heavies; h++)
        d->heavy[h] = kept[h].word;
}

void fpgz_prans_bins_set_heavy_apart(struct bins_work *w, const uint8_t *flag)
{
    struct bins_description *const d = &w->description;
    uint32_t times[BINS_HEAVY];
    d->heavies = 0;
    find_heavy(w, flag);
    if (!d->heavies)
        return;
    if (!w->aided) {
        w->kernels->heavy(d->heavy, d->heavies, w->residual, flag, w->layout.values, w->symbol, times);
    } else if (!w->aide->find(w->aide, d->heavy, d->heavies, times)) {
        w->aide = NULL;
        return;
    }
    for (unsigned h = 0; h < d->heavies; h++)
        w->histogram[w->kernels->class_of(&d->grid, d->heavy[h])] -= times[h];
    fpgz_prans_bins_relearn(w);
}
