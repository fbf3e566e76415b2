/* SPDX-License-Identifier: MIT
 * A part by an earlier one: samples tell which, and estimates whether it pays. */
#include "codec/prans/apart/akin.h"

#include <string.h>

#include "codec/prans/ranked/keys.h"
#include "codec/prans/symmetric/kernels.h"
#include "codec/sample.h"
#include "core/bytes.h"

enum {
    GAIN_BITS = 2,  /* of a value, that a sample must see */
    GAIN_PART = 16, /* of what the part takes otherwise by an estimate */
};

void fpgz_prans_akin_look(const struct apart_split *split, const uint8_t *values, bool together,
                          const struct apart_work *w)
{
    const size_t size = fpgz_dtype_size(split->part.dtype), step = together ? split->fast : 1;
    for (size_t p = 0; p < split->slow * split->fast; p++) {
        const size_t first =
            together ? p / split->fast * split->middle * split->fast + p % split->fast : p * split->middle;
        for (uint32_t i = 0; i < APART_SAMPLES; i++) {
            const size_t at = fpgz_sample_place(i, APART_SAMPLES, split->middle - 1);
            const uint8_t *const pair = values + (first + at * step) * size;
            uint64_t *const key = w->samples + (p * APART_SAMPLES + i) * 2;
            key[0] = ranked_key_of(split->part.dtype, fpgz_load_word(pair, size));
            key[1] = ranked_key_of(split->part.dtype, fpgz_load_word(pair + step * size, size));
        }
    }
}

/* Of a difference modulo words of `bits` bits. */
static unsigned bits_of(uint64_t difference, unsigned bits)
{
    const int64_t signed_ = (int64_t)(difference << (64 - bits)) >> (64 - bits);
    const uint64_t size = signed_ < 0 ? ~(uint64_t)signed_ : (uint64_t)signed_;
    return size ? 64 - (unsigned)__builtin_clzll(size) : 0;
}

/* Bits of the part's samples without another one: as differences of neighbours, or of values far from each
 * other. */
static unsigned own_bits(const uint64_t *key, unsigned bits)
{
    unsigned near = 0, far = 0;
    for (unsigned i = 0; i < APART_SAMPLES; i++, key += 2) {
        near += bits_of(key[1] - key[0], bits);
        far += bits_of((i ? key[-2] : key[2]) - key[0], bits);
    }
    return near < far ? near : far;
}

/* Bits of differences to another part, or of how these change from value to value; `most` if a few samples
 * tell that these are more. */
static unsigned bits_by(const uint64_t *key, const uint64_t *other, unsigned bits, unsigned most)
{
    enum { FIRST = 8 };
    unsigned now = 0, change = 0;
    for (unsigned i = 0; i < APART_SAMPLES; i++, key += 2, other += 2) {
        const uint64_t difference = key[0] - other[0];
        now += bits_of(difference, bits);
        change += bits_of(key[1] - other[1] - difference, bits);
        if (i == FIRST && now > most / 2 && change > most / 2)
            return most;
    }
    return now < change ? now : change;
}

/* The part before part i that is most like it. Returns the bits that its samples save by that. */
static unsigned find(const struct apart_work *w, unsigned bits, size_t i, size_t *other, unsigned *own)
{
    const uint64_t *const key = w->samples + i * APART_SAMPLES * 2;
    *own = own_bits(key, bits);
    unsigned best = *own;
    for (size_t p = 0; p < i; p++) {
        const unsigned by = bits_by(key, w->samples + p * APART_SAMPLES * 2, bits, *own);
        if (by < best) {
            best = by;
            *other = p;
        }
    }
    return *own - best;
}

bool fpgz_prans_akin_any(const struct apart_split *split, const uint8_t *values, const struct apart_work *w)
{
    enum { LOOKED_AT = 64 /* of many parts, about */ };
    const unsigned bits = 8 * (unsigned)fpgz_dtype_size(split->part.dtype);
    const size_t parts = split->slow * split->fast, step = (parts + LOOKED_AT - 1) / LOOKED_AT;
    bool any = false;
    fpgz_prans_akin_look(split, values, true, w);
    for (size_t i = step; i < parts && !any; i += step) {
        size_t other;
        unsigned own;
        any = find(w, bits, i, &other, &own) > own / 2 && own > GAIN_BITS * APART_SAMPLES;
    }
    return any;
}

static const struct prans_symmetric_kernels *kernels_of(const struct fpgz_grid *part)
{
    return fpgz_cpu_choose_word(fpgz_prans_symmetric_kernels, fpgz_dtype_size(part->dtype));
}

/* How a part may be told by another one. */
struct kin {
    size_t other;
    bool differs;                  /* then w->differences are there, */
    struct fpgz_coding difference; /* and this is how they are coded */
};

/* Makes the differences of part i to the one before that is most like it. False if none is enough. */
static bool make_differences(const struct fpgz_coding *part, const struct apart_work *w, const uint8_t *parts,
                             size_t i, struct kin *kin)
{
    const size_t raw = fpgz_grid_bytes(&part->grid), count = (size_t)fpgz_grid_values(&part->grid);
    unsigned own;
    *kin = (struct kin){.difference = {symmetric_difference(&part->grid),
                                       fpgz_prans_symmetric_differing(&part->grid, &part->params),
                                       part->scratch, NULL}};
    if (find(w, 8 * (unsigned)(raw / count), i, &kin->other, &own) < GAIN_BITS * APART_SAMPLES)
        return false;
    memcpy(w->differences, parts + kin->other * raw, raw);
    kin->differs = kernels_of(&part->grid)
                       ->subtract(prans_number_of(part->grid.dtype), count, parts + i * raw, w->differences);
    return true;
}

size_t fpgz_prans_akin_estimate(const struct fpgz_codec *inner, const struct fpgz_coding *part,
                                const struct apart_work *w, const uint8_t *parts, size_t i, uint8_t *stream)
{
    const size_t alone = inner->estimate(part, parts + i * fpgz_grid_bytes(&part->grid), stream);
    struct kin kin;
    if (!make_differences(part, w, parts, i, &kin))
        return alone;
    const size_t by =
        AKIN_FRONT + (kin.differs ? inner->estimate(&kin.difference, w->differences, stream) : 0);
    return fpgz_min(alone, by);
}

size_t fpgz_prans_akin_encode(const struct fpgz_codec *inner, const struct fpgz_coding *part,
                              const struct apart_work *w, const uint8_t *parts, size_t i, size_t room,
                              uint8_t *stream)
{
    const size_t raw = fpgz_grid_bytes(&part->grid);
    struct kin kin;
    if (!make_differences(part, w, parts, i, &kin) ||
        room < AKIN_FRONT + fpgz_max(raw, inner->bound(&kin.difference.grid, &kin.difference.params)))
        return 0;
    size_t length = AKIN_FRONT;
    if (kin.differs) {
        const size_t alone = inner->estimate(part, parts + i * raw, stream);
        if (inner->estimate(&kin.difference, w->differences, stream) >= alone - alone / GAIN_PART)
            return 0;
        length += fpgz_prans_inner_put(inner, &kin.difference, NULL, w->differences, stream + AKIN_FRONT);
    }
    memcpy(stream, (uint8_t[4]){PRANS_FORMAT_AKIN, 0, 0, 0}, 4);
    fpgz_store32(stream + 4, AKIN_FRONT - PRANS_HEAD_BYTES);
    fpgz_store32(stream + 8, (uint32_t)kin.other);
    return length < raw ? length : 0;
}

bool fpgz_prans_akin_read(const struct prans_inner *part, size_t i, size_t *other,
                          struct prans_inner *differences)
{
    if (part->length < AKIN_FRONT || part->stream[1] || part->stream[2] || part->stream[3] ||
        fpgz_load32(part->stream + 4) != AKIN_FRONT - PRANS_HEAD_BYTES)
        return false;
    *other = fpgz_load32(part->stream + 8);
    *differences = (struct prans_inner){symmetric_difference(&part->grid), part->params,
                                        part->stream + AKIN_FRONT, part->length - AKIN_FRONT};
    return *other < i;
}

bool fpgz_prans_akin_decode(const struct fpgz_codec *inner, const struct prans_inner *part, size_t i,
                            const struct apart_work *w, uint8_t *parts)
{
    const size_t raw = fpgz_grid_bytes(&part->grid);
    struct prans_inner differences;
    size_t other = 0;
    if (!fpgz_prans_akin_read(part, i, &other, &differences))
        return false;
    memcpy(parts + i * raw, parts + other * raw, raw);
    if (!differences.length)
        return true;
    if (!fpgz_prans_inner_decode(inner, &differences, w->inner, w->differences))
        return false;
    kernels_of(&part->grid)
        ->add(prans_number_of(part->grid.dtype), (size_t)fpgz_grid_values(&part->grid), w->differences,
              parts + i * raw);
    return true;
}
