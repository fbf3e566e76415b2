/* SPDX-License-Identifier: MIT
 * Grids whose values come again: runs of 37 values, half of which stood before, exactly or nearly. */
#include "core/bytes.h"
#include "grids_kinds.h"

enum { RUN = 37 };

/* The place of the value that the one at `index` is from, and whether it is negated on the way. */
static uint64_t origin_of(uint64_t seed, uint64_t index, bool *negated)
{
    const uint64_t key = grids_key(seed, 102);
    uint64_t run = index / RUN;
    *negated = false;
    for (uint64_t hash = grids_hash(key + run); run && hash & 1; hash = grids_hash(key + run)) {
        *negated ^= hash >> 1 & 1;
        run = (hash >> 2) % run;
    }
    return run * RUN + index % RUN;
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
        const uint64_t word = grids_hash(key + origin_of(source->seed, source->index + i, &negated)) % sign;
        words[i] = !negated || row->kind == 'u' ? word : row->kind == 'f' ? word | sign : 0 - word;
    }
    grids_store_words(source, words, out);
}

void grids_mirrored(struct grids_source *source, void *out)
{
    const uint64_t key = grids_key(source->seed, 103), noise = grids_key(source->seed, 104);
    const unsigned bits = source->grid.dtype == FPGZ_F64 ? 53 : 24; /* of a mantissa */
    const double unit = 1.0 / (double)(INT64_C(1) << bits);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        bool negated;
        const uint64_t at = source->index + i, word = grids_hash(key + origin_of(source->seed, at, &negated));
        const int64_t digits =
            (int64_t)(word >> (65 - bits) | UINT64_C(1) << (bits - 1)) - grids_hash(noise + at) % 8;
        values[i] = (double)(negated ? -digits : digits) * unit;
    }
    grids_store(source, values, out);
}
