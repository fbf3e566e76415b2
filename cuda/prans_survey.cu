/* SPDX-License-Identifier: MIT
 * The aide of prans' encoder: from values to residuals and their counts, by which the host's encoder learns
 * bins. */
#include <string.h>

#include "carry.cuh"
#include "prans_filling.cuh"
#include "prans_hashing.cuh"
#include "prans_places.cuh"

enum {
    THREADS = 256,
    COUNT_BLOCKS_MOST = 64,
    FIND_BLOCKS_MOST = 128,
    HASH_BLOCKS_MOST = 512,
};

/* Values of a block of threads. */
static uint32_t each_of(size_t values)
{
    return (uint32_t)fpgz_round_up((values + PRANS_SURVEY_BLOCKS - 1) / PRANS_SURVEY_BLOCKS,
                                   PRANS_SURVEY_THREADS);
}

static uint32_t blocks_of(size_t values)
{
    return (uint32_t)((values + each_of(values) - 1) / each_of(values));
}

static struct prans_survey survey_of(const struct bins_shape *shape, const struct bins_line *line,
                                     const uint8_t *values, uint8_t *memory)
{
    const struct prans_places p = prans_place(shape);
    struct prans_survey k = {};
    k.values = (uint32_t)shape->values;
    k.each = each_of(shape->values);
    k.line = *line;
    k.per_scale = line->id == PRANS_DOMAIN_LATTICE ? 1 / line->scale : 0;
    k.value = values;
    k.y = memory + p.y;
    k.flag = memory + p.flag;
    k.common = (struct prans_common *)(memory + p.common);
    k.exception = (uint32_t *)(memory + p.exception);
    return k;
}

template <typename WORD> static void launch_entry(const struct prans_survey &k, cudaStream_t queue)
{
    if (k.line.id != PRANS_DOMAIN_LATTICE) {
        prans_enter<WORD, false><<<blocks_of(k.values), PRANS_SURVEY_THREADS, 0, queue>>>(k);
        return;
    }
    prans_enter<WORD, true><<<blocks_of(k.values), PRANS_SURVEY_THREADS, 0, queue>>>(k);
    prans_list<WORD><<<blocks_of(k.values), PRANS_SURVEY_THREADS, 0, queue>>>(k);
}

static struct prans_counting counting_of(const struct bins_shape *shape, const struct bins_counting *counting,
                                         uint8_t *memory, uint8_t *pinned)
{
    const struct prans_places p = prans_place(shape);
    const struct prans_pinned_places told = prans_place_pinned(shape);
    const struct middle_layout *const l = &counting->layout;
    struct prans_counting k = {};
    uint32_t stride = k.row = (uint32_t)l->row;
    k.per_row = prans_inverse(k.row);
    k.values = (uint32_t)shape->values;
    k.blocks = (uint32_t)shape->blocks;
    k.axes = l->axes;
    for (unsigned a = l->axes; a-- > 0; stride *= k.extent[a]) {
        k.extent[a] = (uint32_t)l->extent[a];
        k.per_extent[a] = prans_inverse(k.extent[a]);
        k.distance[1u << a] = stride;
    }
    for (unsigned some = 1; some < 1u << l->axes; some++) /* of one axis, and of the others */
        if (some & (some - 1))
            k.distance[some] = k.distance[some & -some] + k.distance[some & (some - 1)];
    k.selected = counting->axes;
    k.order = counting->order;
    for (unsigned b = 0; b < BINS_ORDERS - 1; b++)
        k.weight[b] = bins_weights(k.order)[b];
    k.of = prans_classes_of(&counting->grid, counting->classes);
    k.classes = (uint32_t)counting->classes;
    k.levels = counting->levels;
    k.unit = counting->unit;
    k.per_unit = prans_inverse(k.unit);
    k.zero = (uint32_t)counting->zero;
    k.least = (uint32_t)counting->least;
    k.y = memory + p.y;
    k.flag = counting->line.specials ? memory + p.flag : NULL;
    k.last = (uint32_t *)(memory + p.bits);
    k.residual = memory + p.residual;
    k.counts = (uint32_t *)(memory + p.counts);
    k.counters = (uint32_t)(k.levels * k.classes + 2 * k.levels);
    k.sample = pinned + told.sample;
    k.told_counts = (uint32_t *)(pinned + told.counts);
    return k;
}

/* Has the counters cleared, and that of blocks of threads. */
static void count_by(const struct prans_counting &counting, struct prans_survey *survey)
{
    survey->counts = counting.counts;
    survey->counters = counting.counters + 1;
}

template <typename WORD> static void launch_filling(const struct prans_counting &k, cudaStream_t queue)
{
    const uint32_t blocks = (k.blocks + PRANS_FILL_WARPS - 1) / PRANS_FILL_WARPS;
    if (k.selected)
        prans_begins<WORD><<<1, PRANS_BEGIN_THREADS, 0, queue>>>(k);
    prans_last<<<blocks, 32 * PRANS_FILL_WARPS, 0, queue>>>(k);
    prans_last_before<<<1, 32, 0, queue>>>(k);
    prans_fill<WORD><<<blocks, 32 * PRANS_FILL_WARPS, 0, queue>>>(k);
}

template <typename WORD>
static void launch_counting(const struct prans_survey &s, const struct prans_counting &k, cudaStream_t queue)
{
    const uint32_t blocks = (k.blocks + PRANS_COUNT_WARPS - 1) / PRANS_COUNT_WARPS,
                   few = fpgz_min(blocks, COUNT_BLOCKS_MOST), threads = 32 * PRANS_COUNT_WARPS;
    const size_t shared = k.counters * sizeof *k.counts;
    size_t limit;
    fpgz_cuda_shared_limit(&limit);
    if (s.line.exceptions)
        prans_give_way<WORD><<<(s.line.exceptions + THREADS - 1) / THREADS, THREADS, 0, queue>>>(s);
    if (k.flag && k.order)
        launch_filling<WORD>(k, queue);
    if (shared > limit)
        prans_count<WORD, false, BINS_ORDERS - 1><<<blocks, threads, sizeof(uint32_t), queue>>>(k);
    else if (k.order > 1)
        prans_count<WORD, true, BINS_ORDERS - 1><<<few, threads, shared, queue>>>(k);
    else
        prans_count<WORD, true, 1><<<few, threads, shared, queue>>>(k);
}

static cudaError_t enter(const struct bins_entry *entry, const struct bins_counting *next,
                         const uint8_t *values, uint8_t *memory, uint8_t *pinned, cudaStream_t queue)
{
    const struct prans_places p = prans_place(&entry->shape);
    struct bins_line line = {};
    line.id = entry->id;
    line.number = entry->number;
    line.scale = entry->scale;
    line.specials = entry->specials;
    memcpy(line.special, entry->special, sizeof line.special);
    struct prans_survey k = survey_of(&entry->shape, next ? &next->line : &line, values, memory);
    k.most = (uint32_t)entry->most;
    k.told = (struct prans_common *)pinned;
    k.told_exception = (uint32_t *)(pinned + (p.exception - p.common));
    struct prans_counting counting = {};
    if (next) {
        counting = counting_of(&entry->shape, next, memory, pinned);
        count_by(counting, &k);
    }
    prans_by_size(entry->shape.size, [&](auto word) {
        launch_entry<decltype(word)>(k, queue);
        if (next)
            launch_counting<decltype(word)>(k, counting, queue);
    });
    return cudaGetLastError();
}

static void entered(const struct bins_entry *entry, const uint8_t *pinned, struct bins_common *common)
{
    const struct prans_places p = prans_place(&entry->shape);
    const struct prans_common *const of = (const struct prans_common *)pinned;
    const uint32_t blocks = blocks_of(entry->shape.values);
    struct prans_common sum = {UINT64_MAX, 0, 0, 0, 0, 0};
    for (uint32_t b = 0; b < blocks; b++)
        prans_join(entry->id != PRANS_DOMAIN_FLOAT, &sum, of[b]);
    *common = (struct bins_common){sum.least, sum.most, sum.step, sum.all, sum.exceptions};
    if (common->exceptions && common->exceptions <= entry->most)
        memcpy(entry->exception, pinned + (p.exception - p.common), common->exceptions * sizeof(uint32_t));
}

/* Blocks of threads for so many values, of which each has some. */
static uint32_t hash_blocks(size_t values, size_t each)
{
    return (uint32_t)fpgz_min((values + each - 1) / each, HASH_BLOCKS_MOST);
}

/* The table of the sample, which has a quarter of the slots, stands where that of all values will. */
template <typename WORD> static cudaError_t launch_hashing(struct prans_hashing k, cudaStream_t queue)
{
    const unsigned bits = k.bits;
    const size_t slots = (size_t)1 << bits;
    cudaError_t status = cudaMemsetAsync(k.returns, 0, sizeof *k.returns, queue);
    if (!status && k.values >= PRANS_RETURN_LEAST) {
        k.bits = bits - 2;
        k.times = (uint32_t *)((WORD *)k.slot + slots / 4);
        status = cudaMemsetAsync(k.slot, 0xFF, slots / 4 * sizeof(WORD), queue);
        if (!status)
            status = cudaMemsetAsync(k.times, 0, slots / 4 * sizeof *k.times, queue);
        if (status)
            return status;
        prans_count_once<WORD>
            <<<hash_blocks(k.values / 8, PRANS_HASH_EACH), PRANS_HASH_THREADS, 0, queue>>>(k);
        k.bits = bits;
    }
    if (!status)
        status = cudaMemsetAsync(k.slot, 0xFF, slots * sizeof(WORD), queue);
    if (status)
        return status;
    prans_count_distinct<WORD><<<hash_blocks(k.values, PRANS_HASH_EACH), PRANS_HASH_THREADS, 0, queue>>>(k);
    return cudaGetLastError();
}

static cudaError_t distinct(const struct bins_entry *entry, const uint8_t *values, uint8_t *memory,
                            uint8_t *pinned, cudaStream_t queue)
{
    const struct prans_places p = prans_place(&entry->shape);
    struct prans_hashing k = {};
    k.values = (uint32_t)entry->shape.values;
    k.most = (uint32_t)entry->most;
    k.line.specials = entry->specials;
    memcpy(k.line.special, entry->special, sizeof k.line.special);
    k.value = values;
    k.slot = memory + p.symbol;
    k.bits = prans_hash_bits(entry->shape.values);
    k.returns = (struct prans_returns *)(memory + p.common);
    const cudaError_t status =
        entry->shape.size == 4 ? launch_hashing<uint32_t>(k, queue) : launch_hashing<uint64_t>(k, queue);
    return status ? status : fpgz_carry(pinned, k.returns, sizeof *k.returns, queue);
}

static void returned(const uint8_t *pinned, struct bins_returns *returns)
{
    const struct prans_returns *const r = (const struct prans_returns *)pinned;
    returns->sampled = r->sampled;
    returns->once = r->once + (r->sampled_ones == 1);
    returns->distinct = (uint64_t)r->distinct + r->ones;
}

template <typename WORD> static void launch_integers(const struct prans_survey &k, cudaStream_t queue)
{
    const uint32_t blocks = 4 * blocks_of(k.values);
    if (k.line.id == PRANS_DOMAIN_LATTICE)
        prans_integers<WORD, true><<<blocks, PRANS_SURVEY_THREADS, 0, queue>>>(k);
    else
        prans_integers<WORD, false><<<blocks, PRANS_SURVEY_THREADS, 0, queue>>>(k);
}

static cudaError_t count(const struct bins_shape *shape, const struct bins_counting *counting,
                         const uint8_t *values, uint8_t *memory, uint8_t *pinned, cudaStream_t queue)
{
    struct prans_survey s = survey_of(shape, &counting->line, values, memory);
    const struct prans_counting k = counting_of(shape, counting, memory, pinned);
    count_by(k, &s);
    prans_by_size(shape->size, [&](auto word) {
        launch_integers<decltype(word)>(s, queue);
        launch_counting<decltype(word)>(s, k, queue);
    });
    return cudaGetLastError();
}

static void counted(const struct bins_shape *shape, const struct bins_counting *counting,
                    const uint8_t *pinned)
{
    const struct prans_pinned_places told = prans_place_pinned(shape);
    const uint32_t *const counts = (const uint32_t *)(pinned + told.counts);
    const uint32_t *const words = counts + counting->levels * counting->classes;
    memcpy(counting->histogram, counts, counting->levels * counting->classes * sizeof *counts);
    for (unsigned level = 0; level < counting->levels; level++) {
        counting->words[level] = words[level];
        counting->specials[level] = words[counting->levels + level];
    }
    memcpy(counting->sample, pinned + told.sample, fpgz_min(BINS_SAMPLES, shape->values) * shape->size);
}

template <typename WORD> static void launch_finding(const struct prans_finding &k, cudaStream_t queue)
{
    const uint32_t blocks = (k.values + 32 * PRANS_FIND_WARPS - 1) / (32 * PRANS_FIND_WARPS);
    prans_find<WORD><<<fpgz_min(blocks, FIND_BLOCKS_MOST), 32 * PRANS_FIND_WARPS, 0, queue>>>(k);
}

static cudaError_t find(const struct bins_shape *shape, bool flagged, const uint64_t *heavy, unsigned heavies,
                        uint8_t *memory, uint8_t *pinned, cudaStream_t queue)
{
    const struct prans_places p = prans_place(shape);
    struct prans_finding k = {};
    memcpy(k.heavy, heavy, heavies * sizeof *heavy);
    k.heavies = heavies;
    k.values = (uint32_t)shape->values;
    k.residual = memory + p.residual;
    k.flag = flagged ? memory + p.flag : NULL;
    k.times = (uint32_t *)(memory + p.counts);
    cudaError_t status = cudaMemsetAsync(k.times, 0, heavies * sizeof *k.times, queue);
    if (status)
        return status;
    prans_by_size(shape->size, [&](auto word) { launch_finding<decltype(word)>(k, queue); });
    status = cudaGetLastError();
    return status ? status : fpgz_carry(pinned, k.times, heavies * sizeof *k.times, queue);
}

template <typename WORD> static cudaError_t prepare_counting(size_t bytes)
{
    const cudaError_t status = cudaFuncSetAttribute(prans_count<WORD, true, 1>,
                                                    cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    return status ? status
                  : cudaFuncSetAttribute(prans_count<WORD, true, BINS_ORDERS - 1>,
                                         cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

static cudaError_t prepare(void)
{
    size_t limit;
    fpgz_cuda_shared_limit(&limit);
    const size_t bytes = fpgz_min(limit, (BINS_CLASSES + 2 * PRANS_LEVELS) * sizeof(uint32_t));
    cudaError_t status = prepare_counting<uint8_t>(bytes);
    if (!status)
        status = prepare_counting<uint16_t>(bytes);
    if (!status)
        status = prepare_counting<uint32_t>(bytes);
    return status ? status : prepare_counting<uint64_t>(bytes);
}

const struct fpgz_cuda_survey fpgz_cuda_prans_survey = {enter, entered, distinct, returned,
                                                        count, counted, find,     prepare};
