/* SPDX-License-Identifier: MIT
 * The aide of prans' encoder: the probe for matches, or the words that it looks at. */
#include "codec.cuh"
#include "prans_places.cuh"

extern "C" {
#include "codec/prans/matched/matched.h"
}

enum { CHOOSE_BLOCKS_MOST = 512 };

template <typename WORD> static void launch_choosing(const struct prans_choosing &k, cudaStream_t queue)
{
    const uint32_t blocks =
        fpgz_min((k.stretches + PRANS_CHOOSE_WARPS - 1) / PRANS_CHOOSE_WARPS, CHOOSE_BLOCKS_MOST);
    prans_choose<WORD><<<blocks, PRANS_CHOOSE_THREADS, 0, queue>>>(k);
    prans_list_chosen<<<blocks, PRANS_CHOOSE_THREADS, 0, queue>>>(k);
}

static cudaError_t choose(const struct bins_shape *shape, const uint8_t *values, enum prans_number number,
                          enum matched_roughness roughness, uint8_t *memory, uint8_t *pinned,
                          cudaStream_t queue)
{
    const struct prans_places p = prans_place(shape);
    const bool stays = roughness == MATCHED_ROUGHEST;
    struct prans_choosing k = {};
    k.values = (uint32_t)shape->values;
    k.stretches = (uint32_t)prans_stretches(shape);
    k.number = number;
    k.below = (uint32_t)(matched_probed_below(shape->values, roughness) >> 32);
    k.next_below = (uint32_t)(matched_next_below(roughness) >> 32);
    k.next_tells = matched_next_below(roughness) != UINT64_MAX;
    k.step = (uint32_t)matched_usual_step(roughness);
    k.value = values;
    k.stretch = (struct prans_stretch *)(memory + p.words);
    k.bits = (uint32_t *)(k.stretch + k.stretches);
    k.chosen = (struct prans_chosen *)(stays ? memory + p.chosen : pinned + prans_place_pinned(shape).chosen);
    k.place = (uint32_t *)(k.chosen + 1);
    k.places = (uint32_t)(stays ? prans_probed_most(shape) : prans_chosen_most(shape));
    prans_by_size(shape->size, [&](auto word) { launch_choosing<decltype(word)>(k, queue); });
    return cudaGetLastError();
}

static bool chosen(const struct bins_shape *shape, const uint8_t *pinned, struct matched_chosen *chosen)
{
    const struct prans_chosen *const told =
        (const struct prans_chosen *)(pinned + prans_place_pinned(shape).chosen);
    *chosen = {(const uint32_t *)(told + 1), (size_t)told->count, told->usual};
    return told->count <= prans_chosen_most(shape);
}

template <typename WORD> static void launch_look(const struct prans_probing &k, cudaStream_t queue)
{
    prans_probe<WORD><<<1, PRANS_PROBE_THREADS, 0, queue>>>(k);
    prans_look_at_all<WORD><<<PRANS_LOOK_BLOCKS, PRANS_LOOK_THREADS, 0, queue>>>(k);
}

static cudaError_t look(const struct bins_shape *shape, const uint8_t *values, enum prans_number number,
                        uint64_t bits, uint8_t *memory, uint8_t *pinned, cudaStream_t queue)
{
    const struct prans_places p = prans_place(shape);
    struct prans_probing k = {};
    k.values = (uint32_t)shape->values;
    k.places = (uint32_t)prans_probed_most(shape);
    k.most = (uint32_t)matched_probe_most(shape->values, MATCHED_ROUGHEST);
    k.shift = 64 - matched_probe_bits(matched_table_bits(shape->values), MATCHED_ROUGHEST);
    k.ways = fpgz_prans_matched_aim(shape->values, shape->size, bits, k.aim);
    k.step = (uint32_t)matched_usual_step(MATCHED_ROUGHEST);
    k.number = number;
    k.bits = bits;
    k.value = values;
    k.chosen = (const struct prans_chosen *)(memory + p.chosen);
    k.place = (const uint32_t *)(k.chosen + 1);
    k.hash = (uint64_t *)(memory + p.words);
    k.before = (uint32_t *)(k.hash + MATCHED_WAYS * k.places);
    k.sight = (struct prans_sight *)(memory + p.sight);
    k.told = (struct prans_sight *)(pinned + prans_place_pinned(shape).chosen);
    prans_by_size(shape->size, [&](auto word) { launch_look<decltype(word)>(k, queue); });
    return cudaGetLastError();
}

static bool seen(const struct bins_shape *shape, uint64_t bits, const uint8_t *pinned,
                 uint64_t saved[MATCHED_WAYS])
{
    const struct prans_sight *const told =
        (const struct prans_sight *)(pinned + prans_place_pinned(shape).chosen);
    const uint32_t part = matched_probed_part(shape->values, MATCHED_ROUGHEST);
    struct matched_aim aim[MATCHED_WAYS];
    const unsigned ways = fpgz_prans_matched_aim(shape->values, shape->size, bits, aim);
    if (told->count > prans_probed_most(shape))
        return false;
    for (unsigned i = 0; i < MATCHED_WAYS; i++)
        saved[i] = i < ways ? matched_seen(shape->values, part, MATCHED_ROUGHEST, told->groups[i],
                                           told->saved[i], bits)
                            : 0;
    return true;
}

const struct fpgz_cuda_probe fpgz_cuda_prans_probe = {choose, chosen, look, seen};
