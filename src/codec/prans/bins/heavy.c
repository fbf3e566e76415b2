/* SPDX-License-Identifier: MIT
 * Single words that stand often get symbols of their own. */
#include "codec/prans/bins/heavy.h"

#include <stdlib.h>
#include <string.h>

#include "codec/prans/bins/estimate.h"
#include "codec/sample.h"
#include "core/bytes.h"

/* Whether a word that stands `times` times in a sample is coded shorter by a symbol of its own than in its
 * bin, whose other words then cost more. */
static bool is_heavy(const struct bins_work *w, size_t times, size_t samples, const struct bins_bin *bin)
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
    return gain >> 16 > 2 * (int64_t)(w->bits + fpgz_prans_bins_price(w));
}

/* Single words that stand so often in a sample that they get symbols of their own, in place of a bin's. */
static void find_heavy(struct bins_work *w, const uint8_t *flag)
{
    enum { SAMPLES = 4096, LEAST_TIMES = 12 };
    struct bins_description *const d = &w->description;
    uint64_t sample[SAMPLES];
    const size_t wanted = fpgz_min(SAMPLES, w->layout.values);
    size_t samples = 0;
    for (uint32_t i = 0; i < wanted; i++) {
        const size_t at = fpgz_sample_place(i, wanted, w->layout.values);
        if (flag && flag[at])
            continue;
        sample[samples] = 0;
        memcpy(&sample[samples++], w->residual + at * w->size, w->size);
    }
    qsort(sample, samples, sizeof *sample, fpgz_sample_by_word);
    for (size_t i = 0, end; i < samples && d->heavies < BINS_HEAVY; i = end) {
        for (end = i; end < samples && sample[end] == sample[i];)
            end++;
        if (end - i < LEAST_TIMES)
            continue;
        const uint32_t class = w->kernels->class_of(&d->grid, sample[i]);
        for (unsigned b = 0; b < d->bins; b++)
            if (d->bin[b].first <= class && class < d->bin[b].end &&
                is_heavy(w, end - i, samples, &d->bin[b]))
                d->heavy[d->heavies++] = sample[i];
    }
}

void fpgz_prans_bins_set_heavy_apart(struct bins_work *w, const uint8_t *flag)
{
    struct bins_description *const d = &w->description;
    uint32_t times[BINS_HEAVY];
    d->heavies = 0;
    find_heavy(w, flag);
    if (!d->heavies)
        return;
    w->kernels->heavy(d->heavy, d->heavies, w->residual, flag, w->layout.values, w->symbol, times);
    for (unsigned h = 0; h < d->heavies; h++)
        w->histogram[w->kernels->class_of(&d->grid, d->heavy[h])] -= times[h];
    fpgz_prans_bins_relearn(w);
}
