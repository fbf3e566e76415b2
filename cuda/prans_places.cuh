/* SPDX-License-Identifier: MIT
 * Where prans' aide keeps a chunk in a lane's memory. */
#ifndef FPGZ_CUDA_PRANS_PLACES_CUH
#define FPGZ_CUDA_PRANS_PLACES_CUH

#include "prans_coding.cuh"
#include "prans_probing.cuh"
#include "prans_survey.cuh"

extern "C" {
#include "codec/prans/middle/tables.h"
#include "core/bytes.h"
}

/* In bytes from the memory's begin; `end` is its size. At `whole` stands what the values are parts of. Ids
 * and lengths stand behind the result, which is told to the host with them; so are what is common and
 * exceptions. */
struct prans_places {
    size_t whole, front, result, ids, length, value, y, residual, flag, common, exception, counts, chosen,
        sight, symbol, bits, id, cost, histogram, code, number, words, at, body, end;
};

static inline size_t prans_front_bytes(size_t classes)
{
    return offsetof(struct prans_coding_front, map) + classes;
}

/* Segments, at most: those of the usual length are the shortest that encoders write. */
static inline size_t prans_segments(const struct bins_shape *shape)
{
    return bins_segments_most(shape->values, BINS_SEGMENT_USUAL);
}

/* Room for the words of all segments, of one length or the other. */
static inline size_t prans_words_bytes(const struct bins_shape *shape)
{
    const size_t usual = prans_segments(shape) * prans_coding_room(BINS_SEGMENT_USUAL),
                 longest = bins_segments_most(shape->values, BINS_SEGMENT_MOST) *
                           prans_coding_room(BINS_SEGMENT_MOST);
    return fpgz_max(usual, longest) * sizeof(uint16_t) + 4;
}

/* Bytes of all segments, at most. */
static inline size_t prans_body_bytes(const struct bins_shape *shape)
{
    return prans_segments(shape) * (MIDDLE_STATE_BYTES + 1) +
           shape->blocks * MIDDLE_BLOCK * (sizeof(uint16_t) + shape->size) + sizeof(uint64_t);
}

/* Slots of a table of all distinct values, as a power of two. */
static inline unsigned prans_hash_bits(size_t values)
{
    unsigned bits = 10;
    while ((size_t)1 << bits < values)
        bits++;
    return bits;
}

/* Stretches that words are chosen by. What is found of them stands where words of segments will. */
static inline size_t prans_stretches(const struct bins_shape *shape)
{
    return (shape->values + PRANS_STRETCH - 1) / PRANS_STRETCH;
}

/* Places of chosen words that are told: four times as many as a thorough probe looks at, mostly. */
static inline size_t prans_chosen_most(const struct bins_shape *shape)
{
    return shape->values < MATCHED_PROBE_MANY ? shape->values : shape->values / 8;
}

/* Those that the roughest probe looks at, at most: many times as many as it mostly does. Their numbers have
 * 16 bits. */
static inline size_t prans_probed_most(const struct bins_shape *shape)
{
    return fpgz_min(shape->values / 16, UINT16_MAX);
}

/* Where things lie in pinned memory, in bytes from its begin. What is counted and chosen as values are
 * entered stays there behind what other calls bring. */
struct prans_pinned_places {
    size_t sample, counts, chosen, end;
};

static inline size_t prans_take(size_t *end, size_t bytes)
{
    const size_t at = *end;
    *end += fpgz_cuda_align(bytes);
    return at;
}

/* What it notes of them, before words of segments are there or once they are taken. */
static inline size_t prans_probed_bytes(const struct bins_shape *shape)
{
    return prans_probed_most(shape) * MATCHED_WAYS * (sizeof(uint64_t) + sizeof(uint32_t));
}

static inline struct prans_places prans_place(const struct bins_shape *shape)
{
    const size_t padded = shape->blocks * MIDDLE_BLOCK, symbols = MIDDLE_TABLES * PRANS_SYMBOLS;
    struct prans_places p = {};
    p.whole = prans_take(&p.end, padded * shape->size);
    p.front = prans_take(&p.end, prans_front_bytes(BINS_CLASSES));
    p.result = prans_take(&p.end, sizeof(struct prans_coding_result));
    p.ids = prans_take(&p.end, (shape->blocks + 1) / 2);
    p.length = prans_take(&p.end, prans_segments(shape) * sizeof(uint2));
    p.value = prans_take(&p.end, padded * shape->size);
    p.y = prans_take(&p.end, padded * shape->size);
    p.residual = prans_take(&p.end, padded * shape->size);
    p.flag = prans_take(&p.end, padded);
    p.common = prans_take(&p.end, PRANS_SURVEY_BLOCKS * sizeof(struct prans_common));
    p.exception = prans_take(&p.end, (shape->values / PRANS_EXCEPTION_PART + 1) * sizeof(uint32_t));
    p.counts = prans_take(&p.end, (BINS_CLASSES + 2 * PRANS_LEVELS + 1) * sizeof(uint32_t));
    p.chosen = prans_take(&p.end, sizeof(struct prans_chosen) + prans_probed_most(shape) * sizeof(uint32_t));
    p.sight = prans_take(&p.end, sizeof(struct prans_sight));
    p.symbol = prans_take(&p.end, padded);
    p.bits = prans_take(&p.end, shape->blocks * sizeof(uint32_t));
    p.id = prans_take(&p.end, shape->blocks);
    p.cost = prans_take(&p.end, symbols * sizeof(uint16_t));
    p.histogram = prans_take(&p.end, symbols * sizeof(uint32_t));
    p.code = prans_take(&p.end, symbols * sizeof(uint2));
    p.number = prans_take(&p.end, MIDDLE_TABLES);
    p.words = prans_take(&p.end, fpgz_max(prans_words_bytes(shape), prans_probed_bytes(shape)));
    p.at = prans_take(&p.end, prans_segments(shape) * sizeof(uint64_t));
    p.body = prans_take(&p.end, prans_body_bytes(shape));
    /* From symbols on a table of distinct values stands at first. */
    p.end = fpgz_max(p.end, p.symbol + (shape->size << prans_hash_bits(shape->values)));
    return p;
}

static inline struct prans_pinned_places prans_place_pinned(const struct bins_shape *shape)
{
    const struct prans_places p = prans_place(shape);
    struct prans_pinned_places pinned = {};
    prans_take(&pinned.end,
               fpgz_max(prans_front_bytes(BINS_CLASSES), fpgz_max(p.value - p.result, p.counts - p.common)));
    pinned.sample = prans_take(&pinned.end, BINS_SAMPLES * shape->size);
    pinned.counts = prans_take(&pinned.end, p.chosen - p.counts);
    pinned.chosen = prans_take(
        &pinned.end, fpgz_max(sizeof(struct prans_sight),
                              sizeof(struct prans_chosen) + prans_chosen_most(shape) * sizeof(uint32_t)));
    return pinned;
}

#endif
