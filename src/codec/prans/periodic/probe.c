/* SPDX-License-Identifier: MIT
 * Whether values are closer to those a period before than to their neighbours, by a few columns of the
 * slowest axis: the values themselves, or their differences to the ones before. */
#include "codec/prans/periodic/periodic.h"

#include "codec/prans/periodic/kernels.h"
#include "codec/prans/ranked/keys.h"

enum {
    LONGEST = 2048,  /* period */
    SHARE = 128,     /* of the values: longer periods are not sought, */
    SHARE_HIGH = 32, /* and in the high setting */
    COLUMNS = 4,
    POINTS = 256,  /* that a period is judged by */
    KEY_BITS = 29, /* so that differences of differences have 31 */
    GAIN_PART =
        32, /* of the length of what neighbours predict, and a quarter of a bit: what a period must save */
    BETTER_PART = 64, /* how much better a longer period must be than a shorter one */
};

/* Columns of a window: keys of all places that are looked at or looked back at, in the order of values, and
 * the differences of each to the one before it. */
struct window {
    const struct periodic_kernels *kernels;
    size_t columns, points, back; /* points of a column, and places before these */
    int32_t key[COLUMNS][LONGEST + POINTS + 1], difference[COLUMNS][LONGEST + POINTS + 1];
    int32_t beside[COLUMNS][POINTS + 1]; /* the values before, in the grid's order */
};

/* The values that a window looks at. */
struct view {
    const struct fpgz_grid *grid;
    const void *values;
    size_t stride, first; /* between places of a column, and the first place */
    uint64_t least;
    unsigned shift;
};

static uint64_t key_at(const struct view *v, size_t value)
{
    const size_t size = fpgz_dtype_size(v->grid->dtype);
    return ranked_key_of(v->grid->dtype, fpgz_load_word((const uint8_t *)v->values + value * size, size));
}

/* The value of a column at the window's first place. */
static size_t begin_of(const struct view *v, const struct window *w, size_t column)
{
    return v->first * v->stride + (2 * column + 1) * v->stride / (2 * w->columns);
}

/* Keys become numbers of KEY_BITS bits, by the least one and the most. */
static void scale(struct view *v, const struct window *w)
{
    uint64_t most = 0;
    v->least = UINT64_MAX;
    for (size_t c = 0; c < w->columns; c++)
        for (size_t i = 0; i < w->back + 1 + w->points; i++) {
            const uint64_t key = key_at(v, begin_of(v, w, c) + i * v->stride);
            v->least = fpgz_min(v->least, key);
            most = fpgz_max(most, key);
        }
    for (v->shift = 0; (most - v->least) >> v->shift >> KEY_BITS;)
        v->shift++;
}

/* A value beside those that were looked at may lie beyond them. */
static int32_t number_at(const struct view *v, size_t value)
{
    const uint64_t key = key_at(v, value);
    return key < v->least ? 0 : (int32_t)fpgz_min((key - v->least) >> v->shift, 1u << KEY_BITS);
}

static void load(const struct fpgz_grid *grid, const void *values, size_t stride, size_t first,
                 struct window *w)
{
    struct view v = {.grid = grid, .values = values, .stride = stride, .first = first};
    scale(&v, w);
    for (size_t c = 0; c < w->columns; c++) {
        const size_t begin = begin_of(&v, w, c);
        for (size_t i = 0; i < w->back + 1 + w->points; i++) {
            w->key[c][i] = number_at(&v, begin + i * stride);
            w->difference[c][i] = i ? w->key[c][i] - w->key[c][i - 1] : 0;
        }
        for (size_t i = 0; i <= w->points; i++)
            w->beside[c][i] = number_at(&v, begin + (w->back + i) * stride - 1);
    }
}

/* What a period leaves: of the values, or of their differences. */
static uint32_t left_by(const struct window *w, size_t period)
{
    uint32_t plain = 0, joint = 0;
    for (size_t c = 0; c < w->columns; c++) {
        const size_t at = w->back + 1;
        plain += w->kernels->length(&w->key[c][at], &w->key[c][at - period], w->points);
        joint += w->kernels->length(&w->difference[c][at], &w->difference[c][at - period], w->points);
    }
    return plain < joint ? plain : joint;
}

/* What the nearest neighbours leave: the value before on the slowest axis, on the fastest one, both, or two.
 */
static uint32_t left_by_neighbours(const struct window *w, size_t stride)
{
    uint32_t left[4] = {0}, least = UINT32_MAX;
    for (size_t c = 0; c < w->columns; c++) {
        const size_t at = w->back + 1;
        int32_t across[POINTS];
        for (size_t i = 0; i < w->points; i++)
            across[i] = w->beside[c][i + 1] - w->beside[c][i];
        left[0] += w->kernels->length(&w->key[c][at], &w->key[c][at - 1], w->points);
        left[1] += w->kernels->length(&w->difference[c][at], &w->difference[c][at - 1], w->points);
        left[2] += w->kernels->length(&w->key[c][at], &w->beside[c][1], w->points);
        left[3] += w->kernels->length(&w->difference[c][at], across, w->points);
    }
    for (size_t i = 0; i < (stride > 1 ? 4 : 2); i++)
        least = fpgz_min(least, left[i]);
    return least;
}

/* The most that a period may leave to be worth a closer look. */
static uint32_t most_left(const struct window *w, size_t stride)
{
    const uint32_t neighbours = left_by_neighbours(w, stride),
                   gain =
                       neighbours / GAIN_PART + (uint32_t)((w->columns * w->points) << PERIODIC_DIGITS) / 4;
    return neighbours > gain ? neighbours - gain : 0;
}

uint64_t fpgz_prans_periodic_probe(const struct fpgz_grid *grid, const void *values, bool high)
{
    const uint64_t places = grid->extent[0], count = fpgz_grid_values(grid);
    const size_t stride = (size_t)(count / places);
    struct window w = {.kernels = fpgz_cpu_choose(fpgz_prans_periodic_kernels),
                       .columns = fpgz_min(stride, COLUMNS)};
    w.points = POINTS / w.columns;
    w.back = (size_t)fpgz_min(fpgz_min(places / 4, count / (high ? SHARE_HIGH : SHARE)), LONGEST);
    if (w.back < 2 || places < w.back + w.points + 2)
        return 0;
    const size_t free = (size_t)places - w.back - w.points - 2;
    load(grid, values, stride, 1 + free / 2, &w);
    const uint32_t most = most_left(&w, stride);
    uint32_t least = most;
    size_t best = 0;
    for (size_t period = 2; period <= w.back; period++) {
        const uint32_t left = left_by(&w, period);
        if (left < least - least / BETTER_PART) {
            least = left;
            best = period;
        }
    }
    if (!best)
        return 0;
    load(grid, values, stride, 1 + free / 5 * 4, &w);
    return left_by(&w, best) < most_left(&w, stride) ? best : 0;
}
