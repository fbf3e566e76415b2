/* SPDX-License-Identifier: MIT
 * Grids whose values come again: runs of 37 values, half of which stood before, exactly or nearly; single
 * ones; and whole halves; or steps between values. */
#include "core/bytes.h"
#include "grids_kinds.h"

enum { RUN = 37 };

/* The place of the value that the one at `index` is from, and whether it is negated on the way; by runs of
 * `length` values. */
static uint64_t origin_of(uint64_t seed, uint64_t index, uint64_t length, bool *negated)
{
    const uint64_t key = grids_key(seed, 102);
    uint64_t run = index / length;
    *negated = false;
    for (uint64_t hash = grids_hash(key + run); run && hash & 1; hash = grids_hash(key + run)) {
        *negated ^= hash >> 1 & 1;
        run = (hash >> 2) % run;
    }
    return run * length + index % length;
}

/* The words are random from 0 on, or below it, so that those of integers are negated, too. */
void grids_repeats(struct grids_source *source, void *out)
{
    const struct fpgz_dtype_row *const row = &fpgz_dtypes[source->grid.dtype];
    const unsigned bits = 8 * (unsigned)row->size;
    const uint64_t key = grids_key(source->seed, 103), sign = UINT64_C(1) << (bits - 1);
    uint64_t words[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        bool negated;
        const uint64_t word =
            grids_hash(key + origin_of(source->seed, source->index + i, RUN, &negated)) % sign;
        words[i] = !negated || row->kind == 'u' ? word : row->kind == 'f' ? word | sign : 0 - word;
    }
    grids_store_words(source, words, out);
}

/* Numbers that come again with other last digits, by runs of `length`. */
static void come_nearly(struct grids_source *source, uint64_t length, void *out)
{
    const uint64_t key = grids_key(source->seed, 103), noise = grids_key(source->seed, 104);
    const unsigned bits = source->grid.dtype == FPGZ_F64 ? 53 : 24; /* of a mantissa */
    const double unit = 1.0 / (double)(INT64_C(1) << bits);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        bool negated;
        const uint64_t at = source->index + i,
                       word = grids_hash(key + origin_of(source->seed, at, length, &negated));
        const int64_t digits =
            (int64_t)(word >> (65 - bits) | UINT64_C(1) << (bits - 1)) - grids_hash(noise + at) % 8;
        values[i] = (double)(negated ? -digits : digits) * unit;
    }
    grids_store(source, values, out);
}

void grids_mirrored(struct grids_source *source, void *out)
{
    come_nearly(source, RUN, out);
}

void grids_pairs(struct grids_source *source, void *out)
{
    come_nearly(source, 1, out);
}

/* Steps of 2097 and 2098, which come in nearly the same order again and again. */
void grids_clock(struct grids_source *source, void *out)
{
    enum { TICKS = 1024 /* of a second */, STEP = 34366769 /* in 2^-14 ticks */ };
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++)
        values[i] = (double)((source->index + i) * STEP >> 14) / TICKS;
    grids_store(source, values, out);
}

/* The place on the axis on this side of its middle. */
static uint64_t before_middle(const struct grids_source *source, unsigned axis, uint64_t place)
{
    const uint64_t mirrored = source->extent[axis] - 1 - place;
    return place < mirrored ? place : mirrored;
}

/* The two fastest axes may change places where they are as long as each other. Otherwise values beyond the
 * middle of the slowest one are negative; of floating-point numbers, of which some have other last bits. */
void grids_symmetric(struct grids_source *source, void *out)
{
    enum { OTHERS = 64 /* one of so many */ };
    const struct fpgz_dtype_row *const row = &fpgz_dtypes[source->grid.dtype];
    const uint64_t key = grids_key(source->seed, 105), noise = grids_key(source->seed, 106),
                   sign = UINT64_C(1) << (8 * row->size - 1), *const extent = source->extent;
    const unsigned slowest = 4 - source->grid.dims;
    const bool is_square = extent[2] == extent[3], negates = row->kind == 'f' && !(is_square && slowest == 2);
    const uint64_t outer = source->at[slowest];
    uint64_t words[GRIDS_SEGMENT], place[4];
    for (unsigned axis = 0; axis < 3; axis++)
        place[axis] = before_middle(source, axis, source->at[axis]);
    for (size_t i = 0; i < source->count; i++) {
        place[3] = before_middle(source, 3, source->at[3] + i);
        const bool swaps = is_square && place[3] < place[2];
        const uint64_t plane = place[0] * extent[1] + place[1], a = place[swaps ? 3 : 2],
                       b = place[swaps ? 2 : 3], hash = grids_hash(noise + source->index + i),
                       at = slowest == 3 ? source->at[3] + i : outer;
        words[i] = grids_hash(key + (plane * extent[2] + a) * extent[3] + b) % sign;
        if (row->kind == 'f' && hash % OTHERS == 0)
            words[i] ^= hash / OTHERS % 8;
        if (negates && 2 * at >= extent[slowest])
            words[i] |= sign;
    }
    grids_store_words(source, words, out);
}
