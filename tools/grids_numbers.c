/* SPDX-License-Identifier: MIT
 * Grids of integers, as programs and instruments leave them, and the weights of networks. */
#include <stdio.h>
#include <stdlib.h>

#include "core/bytes.h"
#include "grids_kinds.h"

/* Bits of a value, and whether the topmost is a sign. */
static unsigned bits_of(const struct grids_source *source)
{
    return 8 * (unsigned)fpgz_dtype_size(source->grid.dtype);
}

static bool is_signed(const struct grids_source *source)
{
    return fpgz_dtypes[source->grid.dtype].kind == 'i';
}

/* Rounds to the next integer. */
static int64_t rounded(double value)
{
    return (int64_t)(value + (value < 0 ? -0.5 : 0.5));
}

double grids_normal(uint64_t hash)
{
    double sum = 0;
    for (unsigned i = 0; i < 4; i++)
        sum += grids_signed((hash >> 16 * i & 0xFFFF) << 48);
    return sum * 0.8660254037844386;
}

/* The least value of the dtype for what is missing, on "land"; elsewhere a field that uses most bits of a
 * packed variable, at most 16 of them. */
void grids_packed(struct grids_source *source, void *out)
{
    const unsigned bits = bits_of(source), used = bits < 16 ? bits : 16;
    const double scale = (double)(UINT64_C(1) << (used - 3));
    const int64_t missing = is_signed(source) ? INT64_MIN >> (64 - bits) : 0;
    const int64_t offset = is_signed(source) ? 0 : INT64_C(1) << (used - 1);
    double field[GRIDS_SEGMENT];
    uint64_t words[GRIDS_SEGMENT];
    grids_turbulence_values(source, field);
    for (size_t i = 0; i < source->count; i++)
        words[i] = (uint64_t)(field[i] < -0.8 ? missing : offset + rounded(scale * field[i]));
    grids_store_words(source, words, out);
}

/* What becomes of a packed field when it is read: integers of 16 bits times a scale, and an offset. */
void grids_unpacked(struct grids_source *source, void *out)
{
    static const double scale = 0.0021973402718, offset = 271.31353618;
    double field[GRIDS_SEGMENT];
    grids_turbulence_values(source, field);
    for (size_t i = 0; i < source->count; i++)
        field[i] = (double)rounded(16000 * field[i]) * scale + offset;
    grids_store(source, field, out);
}

/* What is printed of orbitals: eight digits and a power of ten, many of which are but the noise of rounding.
 */
void grids_coefficients(struct grids_source *source, void *out)
{
    enum { LEAST = 10000000, NOISE = -23, LARGE = -9 };
    const uint64_t key = grids_key(source->seed, 133);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t hash = grids_hash(key + source->index + i);
        char text[32];
        snprintf(text, sizeof text, "%s%de%d", hash & 1 ? "-" : "", LEAST + (int)((hash >> 8) % (9 * LEAST)),
                 (hash & 2 ? LARGE : NOISE) + (int)(hash >> 40 & 3));
        values[i] = strtod(text, NULL);
    }
    grids_store(source, values, out);
}

/* Events in a detector: a rate that varies, and about the noise that counting has. */
void grids_counts(struct grids_source *source, void *out)
{
    const uint64_t key = grids_key(source->seed, 96) + source->index;
    double field[GRIDS_SEGMENT];
    uint64_t words[GRIDS_SEGMENT];
    grids_turbulence_values(source, field);
    for (size_t i = 0; i < source->count; i++) {
        const double root = field[i] + 1.5 > 0 ? field[i] + 1.5 : 0;
        const int64_t count = rounded(root * root + root * grids_normal(grids_hash(key + i)));
        words[i] = (uint64_t)(count < 0 ? 0 : count);
    }
    grids_store_words(source, words, out);
}

/* A camera's: 8 bits, or 12 of more, with noise, and saturated where it is bright. */
void grids_image(struct grids_source *source, void *out)
{
    const uint64_t key = grids_key(source->seed, 97) + source->index;
    const int64_t most = bits_of(source) > 8 ? 4095 : is_signed(source) ? 127 : 255;
    double field[GRIDS_SEGMENT];
    uint64_t words[GRIDS_SEGMENT];
    grids_turbulence_values(source, field);
    for (size_t i = 0; i < source->count; i++) {
        const double level = 0.4 + 0.25 * field[i] + 0.005 * grids_normal(grids_hash(key + i));
        const int64_t value = rounded((double)most * level);
        words[i] = (uint64_t)(value < 0 ? 0 : value > most ? most : value);
    }
    grids_store_words(source, words, out);
}

/* Times of records: a steady clock that jitters, and gaps. Seconds where there are 32 bits, nanoseconds where
 * there are 64; fewer bits wrap. */
void grids_times(struct grids_source *source, void *out)
{
    const bool wide = bits_of(source) == 64;
    const uint64_t start = wide ? UINT64_C(1700000000000000000) : 1700000000, step = wide ? 10000000 : 60;
    const uint64_t key = grids_key(source->seed, 98);
    uint64_t words[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t index = source->index + i, hash = grids_hash(key + index);
        words[i] = start + (index + 100 * (index >> 10)) * step + (wide ? hash % 20000 : hash % 8 == 0);
    }
    grids_store_words(source, words, out);
}

/* Whether a place belongs to something. */
void grids_mask(struct grids_source *source, void *out)
{
    double field[GRIDS_SEGMENT];
    uint64_t words[GRIDS_SEGMENT];
    grids_turbulence_values(source, field);
    for (size_t i = 0; i < source->count; i++)
        words[i] = field[i] > 0.25;
    grids_store_words(source, words, out);
}

/* Falls where the field is high; in places it is not known. */
void grids_rain(struct grids_source *source, void *out)
{
    const double dry = 1, wet = 4, unknown = -999;
    double values[GRIDS_SEGMENT];
    grids_turbulence_values(source, values);
    for (size_t i = 0; i < source->count; i++) {
        const int64_t tenths = (int64_t)(40 * (values[i] - dry) * (values[i] - dry));
        values[i] = values[i] < -dry ? unknown : values[i] < dry ? 0 : (double)tenths * wet / 40;
    }
    grids_store(source, values, out);
}

/* Codes of classes, as of land cover: neighbours are mostly of one class, and codes have no order. */
void grids_classes(struct grids_source *source, void *out)
{
    static const uint8_t codes[] = {80, 10, 60, 30, 20, 100, 40, 11, 50, 95, 12, 70};
    enum { CODES = sizeof codes };
    const uint64_t key = grids_key(source->seed, 99) + source->index;
    double field[GRIDS_SEGMENT];
    uint64_t words[GRIDS_SEGMENT];
    grids_turbulence_values(source, field);
    for (size_t i = 0; i < source->count; i++) {
        const int64_t band = (int64_t)(4 * (field[i] + 1.5)), stray = grids_hash(key + i) % 64 == 0;
        const int64_t place = band + stray;
        words[i] = codes[place < 0 ? 0 : place >= CODES ? CODES - 1 : place];
    }
    grids_store_words(source, words, out);
}

/* A layer's weights: normal, each row of a scale of its own. */
void grids_weights(struct grids_source *source, void *out)
{
    const uint64_t key = grids_key(source->seed, 100), row = source->index / source->extent[3];
    const double scale = 0.02 + 0.01 * grids_signed(grids_hash(grids_key(source->seed, 101) + row));
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++)
        values[i] = scale * grids_normal(grids_hash(key + source->index + i));
    grids_store(source, values, out);
}
