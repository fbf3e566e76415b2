/* SPDX-License-Identifier: MIT
 * Whether values are closer to those a period before than to their neighbours, by a few columns of the
 * slowest axis, or of the fastest: the values themselves, or their differences to the ones before. */
#include "codec/prans/periodic/periodic.h"

#include "codec/prans/periodic/kernels.h"
#include "codec/prans/ranked/keys.h"

enum {
    LONGEST = 2048,  /* period */
    SHARE = 48,      /* of the values: longer periods are not sought, */
    SHARE_HIGH = 32, /* and in the high setting */
    COLUMNS = 4,
    POINTS = 256,  /* that a period is judged by */
    KEY_BITS = 29, /* so that differences of differences have 31 */
    GAIN_PART =
        32, /* of the length of what neighbours predict, and a quarter of a bit: what a period must save */
    BETTER_PART = 64, /* how much better a longer period must be than a shorter one */
    LAST = 8,         /* periods, of those that were better than all before, that a second window judges */
};

/* An axis: the values of a line lie `stride` apart, and another axis' neighbours `beside` before them, which
 * the first lines need not have. */
struct axis {
    size_t places, stride, lines, first, beside;
};

/* The values that a window looks at. */
struct view {
    const struct fpgz_grid *grid;
    const void *values;
    struct axis axis;
    uint64_t least; /* of their keys, of which the last bits are dropped: */
    unsigned shift;
};

/* Columns of a window: numbers of all places that are looked at or looked back at, in the order of values,
 * and the differences of each to the one before it. */
struct window {
    const struct periodic_kernels *kernels;
    size_t columns, points, back; /* points of a column, and places before these */
    int32_t key[COLUMNS][LONGEST + POINTS + 1], difference[COLUMNS][LONGEST + POINTS + 1];
    int32_t beside[COLUMNS][POINTS + 1]; /* what is beside these points, and the one before */
};

static uint64_t key_at(const struct view *v, size_t value)
{
    const size_t size = fpgz_dtype_size(v->grid->dtype);
    return ranked_key_of(v->grid->dtype, fpgz_load_word((const uint8_t *)v->values + value * size, size));
}

/* The value of the window's column number `column` at the place `first`. */
static size_t begin_of(const struct axis *a, const struct window *w, size_t column, size_t first)
{
    const size_t line = a->first + (2 * column + 1) * (a->lines - a->first) / (2 * w->columns);
    return line / a->stride * a->stride * a->places + line % a->stride + first * a->stride;
}

/* Keys become numbers of KEY_BITS bits, by the least one and the most. */
static void scale(struct view *v, const struct window *w, size_t first)
{
    uint64_t most = 0;
    v->least = UINT64_MAX;
    for (size_t c = 0; c < w->columns; c++)
        for (size_t i = 0; i < w->back + 1 + w->points; i++) {
            const uint64_t key = key_at(v, begin_of(&v->axis, w, c, first) + i * v->axis.stride);
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

static void load(struct view *v, size_t first, struct window *w)
{
    const size_t stride = v->axis.stride;
    scale(v, w, first);
    for (size_t c = 0; c < w->columns; c++) {
        const size_t begin = begin_of(&v->axis, w, c, first);
        for (size_t i = 0; i < w->back + 1 + w->points; i++) {
            w->key[c][i] = number_at(v, begin + i * stride);
            w->difference[c][i] = i ? w->key[c][i] - w->key[c][i - 1] : 0;
        }
        for (size_t i = 0; v->axis.beside && i <= w->points; i++)
            w->beside[c][i] = number_at(v, begin + (w->back + i) * stride - v->axis.beside);
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

/* What the nearest neighbours leave: the value before on the axis, two, the one beside, or these. */
static uint32_t left_by_neighbours(const struct window *w, bool any_beside)
{
    uint32_t left[4] = {0}, least = UINT32_MAX;
    for (size_t c = 0; c < w->columns; c++) {
        const size_t at = w->back + 1;
        left[0] += w->kernels->length(&w->key[c][at], &w->key[c][at - 1], w->points);
        left[1] += w->kernels->length(&w->difference[c][at], &w->difference[c][at - 1], w->points);
        if (!any_beside)
            continue;
        int32_t along[POINTS];
        for (size_t i = 0; i < w->points; i++)
            along[i] = w->beside[c][i + 1] - w->beside[c][i];
        left[2] += w->kernels->length(&w->key[c][at], &w->beside[c][1], w->points);
        left[3] += w->kernels->length(&w->difference[c][at], along, w->points);
    }
    for (size_t i = 0; i < (any_beside ? 4 : 2); i++)
        least = fpgz_min(least, left[i]);
    return least;
}

/* The most that a period may leave to be worth a closer look. */
static uint32_t most_left(const struct window *w, bool any_beside)
{
    const uint32_t neighbours = left_by_neighbours(w, any_beside),
                   gain =
                       neighbours / GAIN_PART + (uint32_t)((w->columns * w->points) << PERIODIC_DIGITS) / 4;
    return neighbours > gain ? neighbours - gain : 0;
}

/* The period of an axis up to `longest`, only such as it has in whole if that is asked for; 0 if there is
 * none. */
static uint64_t probe_axis(struct view *v, size_t longest, bool in_whole)
{
    const struct axis *const a = &v->axis;
    struct window w = {.kernels = fpgz_cpu_choose(fpgz_prans_periodic_kernels),
                       .columns = fpgz_min(a->lines - a->first, COLUMNS)};
    w.points = POINTS / w.columns;
    w.back = fpgz_min(longest, a->places / 4);
    if (w.back < 2 || a->places < w.back + w.points + 2)
        return 0;
    const size_t free = a->places - w.back - w.points - 2;
    load(v, 1 + free / 2, &w);
    const uint32_t most = most_left(&w, a->beside);
    uint32_t least = most, left[LAST];
    size_t better[LAST], count = 0, best = 0;
    for (size_t period = 2; period <= w.back; period++) {
        if (in_whole && a->places % period)
            continue;
        const uint32_t one = left_by(&w, period);
        if (one < least - least / BETTER_PART) {
            least = one;
            left[count % LAST] = one;
            better[count++ % LAST] = period;
        }
    }
    if (!count)
        return 0;
    load(v, 1 + free / 5 * 4, &w);
    least = most + most_left(&w, a->beside);
    for (size_t i = count < LAST ? 0 : count - LAST; i < count; i++) {
        const uint32_t both = left[i % LAST] + left_by(&w, better[i % LAST]);
        if (both < least - (best ? least / BETTER_PART : 0)) {
            least = both;
            best = better[i % LAST];
        }
    }
    return best;
}

uint64_t fpgz_prans_periodic_probe(enum periodic_axis axis, const struct fpgz_grid *grid, const void *values,
                                   bool high)
{
    const size_t count = (size_t)fpgz_grid_values(grid), places = (size_t)grid->extent[0],
                 row = (size_t)grid->extent[grid->dims - 1], slice = count / places,
                 longest = (size_t)fpgz_min(count / (high ? SHARE_HIGH : SHARE), LONGEST);
    struct view v = {.grid = grid, .values = values, .axis = {places, slice, slice, 0, slice > 1}};
    if (axis == PERIODIC_FASTEST) {
        if (grid->dims == 1 || grid->dims == FPGZ_MAX_CODING_DIMS || count == row)
            return 0;
        v.axis = (struct axis){row, 1, count / row, 1, row};
    }
    return probe_axis(&v, longest, axis == PERIODIC_FASTEST);
}
