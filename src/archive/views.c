/* SPDX-License-Identifier: MIT
 * Types that a sample cannot be of are found by how its values differ, which takes a hundredth of coding it.
 */
#include "archive/views.h"

#include "core/bytes.h"

#define NOISE (1.2 / 256) /* bytes of noise are hardly more often alike */
#define NEARLY_NOISE (12.0 / 256)

size_t fpgz_guessing_keys(struct fpgz_guessing *g, const struct fpgz_view *view, size_t most)
{
    const size_t keys = fpgz_min(most, g->sample.length / fpgz_dtype_size(view->dtype));
    fpgz_view_keys(view, g->sample.bytes, keys, g->key);
    return keys;
}

bool fpgz_view_is_needless(struct fpgz_guessing *g, const struct fpgz_view *view)
{
    const struct fpgz_lags near = {1, 1, 1};
    const struct fpgz_view other = {view->dtype + (FPGZ_U16 - FPGZ_I16), view->order};
    float own;
    if (fpgz_dtypes[view->dtype].kind != 'i')
        return false;
    fpgz_lags_measure(g->key, fpgz_guessing_keys(g, view, FPGZ_RECORD_KEYS), &near, FPGZ_RECORD_KEYS, &own);
    fpgz_lags_measure(g->key, fpgz_guessing_keys(g, &other, FPGZ_RECORD_KEYS), &near, FPGZ_RECORD_KEYS,
                      g->cost);
    return g->cost[0] < own;
}

/* How often two values have the same uppermost byte. */
static double alike(const struct fpgz_guessing *g, const struct fpgz_view *view)
{
    const size_t size = fpgz_dtype_size(view->dtype),
                 values = fpgz_min(FPGZ_RECORD_KEYS, g->sample.length / size);
    const uint8_t *const upper = g->sample.bytes + (view->order == FPGZ_BIG ? 0 : size - 1);
    uint32_t count[256] = {0};
    double pairs = 0;
    for (size_t i = 0; i < values; i++)
        pairs += count[upper[i * size]]++;
    return 2 * pairs / ((double)values * (double)values);
}

bool fpgz_view_is_noise(const struct fpgz_guessing *g, const struct fpgz_view *view)
{
    const struct fpgz_view other = {view->dtype, view->order == FPGZ_BIG ? FPGZ_LITTLE : FPGZ_BIG};
    const double own = alike(g, view), reverse = alike(g, &other);
    return (own < NOISE && reverse > 2 * own) || (own < NEARLY_NOISE && reverse > 8 * own);
}

/* Whether values are few, so that it does not tell how they differ. */
static bool are_few(struct fpgz_guessing *g, const struct fpgz_view *view, size_t keys)
{
    enum { BUCKETS = 4096 };
    uint64_t seen[BUCKETS / 64] = {0};
    const size_t bits = 8 * fpgz_dtype_size(view->dtype), few = bits > 8 ? 512 : 64;
    size_t found = 0;
    for (size_t i = 0; i < keys && found <= few; i++) {
        const uint64_t hash = g->key[i] * 0x9E3779B97F4A7C15u >> 52;
        found += !(seen[hash / 64] >> hash % 64 & 1);
        seen[hash / 64] |= UINT64_C(1) << hash % 64;
    }
    return found <= few;
}

bool fpgz_view_cannot_beat(struct fpgz_guessing *g, const struct fpgz_view *view, double ratio)
{
    enum { PLACES = 512 };
    const struct fpgz_lags lags = {1, 1, FPGZ_RECORD};
    const size_t keys = fpgz_guessing_keys(g, view, FPGZ_RECORD_KEYS);
    float least = 64;
    fpgz_lags_measure(g->key, keys, &lags, PLACES, g->cost);
    for (size_t i = 0; i < lags.count; i++)
        least = g->cost[i] < least ? g->cost[i] : least;
    return (least - 1) / (8 * (double)fpgz_dtype_size(view->dtype)) > ratio && !are_few(g, view, keys);
}
