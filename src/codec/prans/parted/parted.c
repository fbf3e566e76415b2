/* SPDX-License-Identifier: MIT
 * Values in two parts, each of which is a grid of integers and a stream of bins. */
#include "codec/prans/parted/parted.h"

#include <string.h>

#include "codec/prans/bins/aide.h"
#include "codec/prans/bins/bins.h"
#include "codec/prans/format.h"
#include "codec/prans/lead.h"
#include "codec/prans/parted/plan.h"
#include "core/bytes.h"

enum {
    BASE = 8,         /* where the base stands */
    PARTED_HEAD = 16, /* behind it the first part's stream, then the second one's */
    MORE_PART = 16,   /* of what the lead cost: by so much a chunk that follows may be longer, or one part */
};

static bool has_parts(const struct fpgz_grid *grid)
{
    return FPGZ_FLOATS_32_64 >> grid->dtype & 1;
}

/* What coding a part takes. */
static struct fpgz_coding part_coding(const struct fpgz_coding *coding, const struct prans_parts *parts)
{
    struct fpgz_coding part = *coding;
    const bool wide = coding->grid.dtype == FPGZ_F64, places = prans_parts_places(parts);
    part.grid.dtype = wide ? (places ? FPGZ_U64 : FPGZ_I64) : places ? FPGZ_U32 : FPGZ_I32;
    return part;
}

/* Where a part's integers are in an encoder's scratch: behind what coding takes, so that grids that are not
 * parted touch no memory that others, or who verifies, would not. */
static uint8_t *part_room(const struct fpgz_coding *coding)
{
    return (uint8_t *)coding->scratch + fpgz_round_up(fpgz_prans_bins_memory(&coding->grid, true), 64);
}

/* Streams of first parts are given up if they are longer. */
static size_t most_of_first(const struct fpgz_grid *grid)
{
    return has_parts(grid) ? fpgz_grid_bytes(grid) / 4 * 3 : 0;
}

size_t fpgz_prans_parted_bound(const struct fpgz_grid *grid)
{
    return PARTED_HEAD + most_of_first(grid) + fpgz_prans_bins_bound(grid);
}

size_t fpgz_prans_parted_memory(const struct fpgz_grid *grid, bool encoding)
{
    const size_t bins = fpgz_prans_bins_memory(grid, encoding);
    return has_parts(grid) ? fpgz_round_up(bins, 64) + fpgz_round_up(fpgz_grid_bytes(grid), 64) : bins;
}

/* What the parts lead or follow by. */
static void share_lead(const struct fpgz_lead *lead, struct fpgz_lead part[2])
{
    for (unsigned i = 0; i < 2; i++)
        part[i] = (struct fpgz_lead){.state = lead ? lead->state : FPGZ_LEAD_NONE,
                                     .way = {lead ? lead->way[i] : (struct prans_way){.special = false}}};
}

/* Tells the lead by what the parts have told. */
static void tell(struct fpgz_lead *lead, const struct prans_parts *parts, const struct fpgz_lead part[2],
                 size_t length)
{
    if (!lead || part[0].state != FPGZ_LEAD_FOUND || part[1].state != FPGZ_LEAD_FOUND)
        return;
    lead->state = FPGZ_LEAD_FOUND;
    lead->parted = true;
    lead->length = length;
    lead->parts = *parts;
    for (unsigned i = 0; i < 2; i++) {
        lead->way[i] = part[i].way[0];
        lead->way[i].margin = fpgz_max(lead->way[i].margin, 8 * (uint64_t)length / MORE_PART);
    }
}

/* 0 where it is not worth it, or the first parts are other than the lead's. */
static size_t encode_parts(const struct fpgz_coding *coding, struct fpgz_aide *aide,
                           const struct prans_parts *parts, const void *values, uint8_t *stream)
{
    struct fpgz_coding part = part_coding(coding, parts);
    struct prans_parts_wanted beside = {.any = false};
    struct fpgz_lead lead[2];
    const size_t count = (size_t)fpgz_grid_values(&coding->grid);
    const struct prans_parted_kernels *const k =
        fpgz_cpu_choose_word(fpgz_prans_parted_kernels, fpgz_dtype_size(coding->grid.dtype));
    uint8_t *const room = part_room(coding);
    size_t first, second;
    share_lead(coding->lead, lead);
    part.lead = &lead[0];
    k->first(parts, values, count, room);
    if (aide)
        aide->part(aide, parts, false, values, room);
    if (fpgz_prans_bins_try(&part, aide, room, stream + PARTED_HEAD, &first, NULL) || !first ||
        first > most_of_first(&coding->grid))
        return 0;
    part.lead = &lead[1];
    beside.first = first;
    k->second(parts, values, count, room);
    if (aide)
        aide->part(aide, parts, true, values, room);
    for (second = 0; !second; part.lead = NULL) /* which may be other than those of the lead */
        if (fpgz_prans_bins_try(&part, aide, room, stream + PARTED_HEAD + first, &second, &beside))
            return 0;
    tell(coding->lead, parts, lead, PARTED_HEAD + first + second);
    memset(stream, 0, PARTED_HEAD);
    stream[0] = PRANS_FORMAT_PARTED;
    stream[1] = (uint8_t)parts->parting;
    stream[2] = (uint8_t)parts->shift;
    fpgz_store32(stream + 4, (uint32_t)first);
    fpgz_store64(stream + BASE, fpgz_load64(&parts->base));
    return PARTED_HEAD + first + second;
}

enum fpgz_status fpgz_prans_parted_encode(const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                          const void *values, uint8_t *stream, size_t *length)
{
    struct prans_parts_wanted wanted = {.thorough = fpgz_prans_is_high(&coding->params)};
    struct fpgz_lead *const lead = coding->lead;
    if (lead && lead->state == FPGZ_LEAD_FOLLOWED && lead->parted) {
        *length = encode_parts(coding, aide, &lead->parts, values, stream);
        if (!*length || *length > lead->length + lead->length / MORE_PART) {
            *length = 0;
            lead->state = FPGZ_LEAD_REFUSED;
        }
        return FPGZ_OK;
    }
    const enum fpgz_status status = fpgz_prans_bins_try(coding, aide, values, stream, length, &wanted);
    if (status || !wanted.any)
        return status;
    *length = encode_parts(coding, aide, &wanted.parts, values, stream);
    if (*length && *length <= wanted.otherwise)
        return FPGZ_OK;
    if (lead) /* not by parts */
        lead->state = FPGZ_LEAD_SOUGHT;
    return fpgz_prans_bins_try(coding, aide, values, stream, length, NULL);
}

/* Reads what stands before the parts; *first is the length of the first one's stream. */
static bool read_head(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                      struct prans_parts *parts, size_t *first)
{
    if (length < PARTED_HEAD || stream[1] >= PRANS_PARTINGS || !has_parts(&coding->grid))
        return false;
    const uint64_t base = fpgz_load64(stream + BASE);
    parts->parting = (enum prans_parting)stream[1];
    parts->shift = stream[2];
    fpgz_store64(&parts->base, base);
    *first = fpgz_load32(stream + 4);
    if (parts->parting == PRANS_PARTED_BITS)
        return parts->shift && parts->shift < 8 * fpgz_dtype_size(coding->grid.dtype) && !base && !stream[3];
    return !parts->shift && !stream[3] && parts->base > 0 && parts->base - parts->base == 0 &&
           (parts->parting != PRANS_PARTED_UNIT || coding->grid.dtype == FPGZ_F64);
}

/* Whether a stream of bins begins there. */
static bool is_bins(const uint8_t *stream, size_t length)
{
    return length && stream[0] == PRANS_FORMAT_BINS && fpgz_prans_bins_known(stream, length);
}

bool fpgz_prans_parted_read(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                            struct prans_parts *parts, struct prans_inner *first, struct prans_inner *second)
{
    size_t bytes;
    if (!read_head(coding, stream, length, parts, &bytes) || bytes > length - PARTED_HEAD)
        return false;
    const struct fpgz_coding part = part_coding(coding, parts);
    *first = (struct prans_inner){part.grid, part.params, stream + PARTED_HEAD, bytes};
    *second =
        (struct prans_inner){part.grid, part.params, first->stream + bytes, length - PARTED_HEAD - bytes};
    return is_bins(first->stream, first->length) && is_bins(second->stream, second->length);
}

enum fpgz_status fpgz_prans_parted_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                          size_t length, uint64_t first, uint64_t count, void *values)
{
    struct prans_parts parts;
    struct prans_inner one, two;
    if (!fpgz_prans_parted_read(coding, stream, length, &parts, &one, &two))
        return FPGZ_CORRUPT;
    /* The first part begins the scratch, for of what is behind it bins mostly need the beginning alone. */
    struct fpgz_coding part = part_coding(coding, &parts);
    uint8_t *const room = coding->scratch;
    part.scratch = room + fpgz_round_up(fpgz_grid_bytes(&coding->grid), 64);
    if (fpgz_prans_bins_decode(&part, one.stream, one.length, first, count, room) ||
        fpgz_prans_bins_decode(&part, two.stream, two.length, first, count, values))
        return FPGZ_CORRUPT;
    const struct prans_parted_kernels *const k =
        fpgz_cpu_choose_word(fpgz_prans_parted_kernels, fpgz_dtype_size(coding->grid.dtype));
    k->join(&parts, room, (size_t)count, values);
    return FPGZ_OK;
}

size_t fpgz_prans_parted_front(const uint8_t *stream, size_t length)
{
    enum { INNER = PARTED_HEAD + PRANS_HEAD_BYTES };
    return length < INNER ? INNER : INNER + (size_t)fpgz_load32(stream + PARTED_HEAD + 4);
}

bool fpgz_prans_parted_describe(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                                struct fpgz_traits *traits)
{
    static const char *const names[] = {"product", "quotient", "bits", "unit"};
    struct prans_parts parts;
    size_t bytes;
    if (!read_head(coding, front, length, &parts, &bytes))
        return false;
    const struct fpgz_coding part = part_coding(coding, &parts);
    if (!is_bins(front + PARTED_HEAD, length - PARTED_HEAD) ||
        !fpgz_prans_bins_describe(&part, front + PARTED_HEAD, length - PARTED_HEAD, traits))
        return false;
    traits->domain = names[parts.parting];
    return true;
}
