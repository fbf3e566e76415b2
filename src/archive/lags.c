/* SPDX-License-Identifier: MIT
 * Measures how alike values are that stand at a distance from each other. */
#include "archive/lags.h"

#include "core/bytes.h"

/* The word at `at`. */
static uint64_t load(const uint8_t *at, size_t size, bool big)
{
    uint64_t word = 0;
    memcpy((uint8_t *)&word + (big ? 8 - size : 0), at, size);
    return big ? __builtin_bswap64(word) & (UINT64_MAX >> (64 - 8 * size)) : word;
}

void fpgz_view_keys(const struct fpgz_view *view, const uint8_t *bytes, size_t count, uint64_t *key)
{
    const struct fpgz_dtype_row *const row = &fpgz_dtypes[view->dtype];
    const uint64_t sign = 1ull << (8 * row->size - 1);
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = load(bytes + i * row->size, row->size, view->order == FPGZ_BIG);
        const bool below = row->kind == 'f' && word & sign;
        key[i] = row->kind == 'u' ? word : below ? ~word & (2 * sign - 1) : word ^ sign;
    }
}

void fpgz_lags_measure(const uint64_t *key, size_t keys, const struct fpgz_lags *lags, unsigned places,
                       float *cost)
{
    const size_t largest = lags->first + (lags->count - 1) * lags->step, room = keys - largest;
    uint64_t state = 1;
    memset(cost, 0, lags->count * sizeof *cost);
    for (unsigned i = 0; i < places; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const size_t place = largest + (size_t)((state >> 32) * room >> 32);
        const uint64_t *const at = key + place, value = *at;
        for (size_t j = 0, lag = lags->first; j < lags->count; j++, lag += lags->step) {
            const uint64_t other = at[-(ptrdiff_t)lag],
                           difference = value > other ? value - other : other - value;
            cost[j] += (float)(64 - __builtin_clzll(difference << 1 | 1));
        }
    }
    for (size_t j = 0; j < lags->count; j++)
        cost[j] /= (float)places;
}

/* Whether the lag is better than those beside it, and by `rise` bits than one before. */
static bool stands_out(const float *cost, size_t count, size_t i, float worst)
{
    enum { RISE = 1 }; /* half a bit, for the cost of its axis, would be noise */
    return cost[i] + RISE < worst && cost[i] <= cost[i - 1] && (i + 1 == count || cost[i] <= cost[i + 1]);
}

unsigned fpgz_lags_pick(const float *cost, size_t count, unsigned most, size_t *number)
{
    float worst = count ? cost[0] : 0, best = 1e9f;
    size_t found = 0;
    for (size_t i = 1; i < count; i++) {
        if (stands_out(cost, count, i, worst) && cost[i] < best) {
            best = cost[i];
            found = i;
        }
        worst = cost[i] > worst ? cost[i] : worst;
    }
    if (!found || !most)
        return 0;
    const float enough = best + (worst - best) / 6;
    unsigned picked = 0;
    worst = cost[0];
    for (size_t i = 1; i < found && picked + 1 < most; i++) {
        if (stands_out(cost, count, i, worst) && cost[i] < enough)
            number[picked++] = i;
        worst = cost[i] > worst ? cost[i] : worst;
    }
    number[picked++] = found;
    return picked;
}
