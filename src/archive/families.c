/* SPDX-License-Identifier: MIT
 * Finds arrays that repeat each other, negated or not: they have windows of values in common, of which some
 * are kept by their hashes. */
#include "archive/families.h"

#include <stdlib.h>
#include <string.h>

#include "archive/budget.h"
#include "archive/coder.h"
#include "archive/gain.h"
#include "core/bytes.h"
#include "core/group.h"
#include "engine/plan.h"

enum {
    LEAST_LEVEL = 7,        /* faster ones have no time for it */
    LEAST_BYTES = 16 << 10, /* of an array */
    MOST_ARRAYS = 4096,     /* that are looked at: the first ones, ... */
    MOST_VALUES = 1 << 25,  /* ... as long as they have fewer together, which takes a second */
    WINDOW_BYTES = 16,      /* and four values at least */
    KEPT_LOG = 16,          /* as many windows are to be kept, and room for twice as many */
    SHARE_PART = 8,         /* of an array's windows another one must have */
    PIECE = 256 << 10,      /* bytes that are read at once */
    JUDGED_LEVEL = 6,       /* codes as well as others, as far as repeats count */
    ROOM = 2 << KEPT_LOG,
};

/* Together they must be so much smaller than alone, for all of them must be decoded for each. */
#define WORTH 0.95

/* An array that may be in a family. */
struct candidate {
    struct fpgz_part *part;
    uint64_t offset;
    uint32_t parent; /* a candidate before it that it repeats, or itself */
    uint32_t twin;   /* 1 + the number of a candidate that it seems to be a copy of */
    uint32_t kept;   /* of its windows */
    uint32_t hits;   /* those that the candidate just looked at has, too */
};

/* A kept window, and the first candidate that has it. */
struct window {
    uint64_t hash;
    uint32_t owner; /* 1 + its number; 0: none */
};

struct search {
    struct candidate *candidate;
    size_t count;
    struct window *window; /* ROOM of them, by their hashes */
    size_t windows;
    unsigned thin; /* one window in 2^thin is kept */
    uint8_t *bytes;
};

static int by_offset(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* All that may be in a family, in the order of the file. */
static void list(const struct fpgz_setup *setup, struct fpgz_content *content, struct search *s)
{
    uint64_t values = 0;
    for (size_t i = 0; i < content->count && s->count < MOST_ARRAYS && values < MOST_VALUES; i++) {
        struct fpgz_part *const part = &content->part[i];
        if (part->place.bytes >= LEAST_BYTES && part->place.bytes <= setup->chunk / 2 &&
            fpgz_part_has_family(part) && !fpgz_part_is_grouped(content, part)) {
            s->candidate[s->count++] = (struct candidate){.part = part, .offset = part->place.run->offset};
            values += part->place.bytes / fpgz_dtype_size(part->array.dtype);
        }
    }
    qsort(s->candidate, s->count, sizeof *s->candidate, by_offset);
    while (values >> s->thin > 1 << KEPT_LOG)
        s->thin++;
}

/* Counts a window of candidate `own` that an earlier one has, or keeps it. */
static void look_up(struct search *s, uint32_t own, uint64_t hash)
{
    size_t at = hash % ROOM;
    while (s->window[at].owner && s->window[at].hash != hash)
        at = (at + 1) % ROOM;
    struct window *const window = &s->window[at];
    s->candidate[own].kept++;
    if (window->owner && window->owner != own + 1) {
        s->candidate[window->owner - 1].hits++;
    } else if (!window->owner && s->windows < ROOM / 4 * 3) {
        *window = (struct window){hash, own + 1};
        s->windows++;
    }
}

/* Looks up windows of the candidate's values, without their signs. Those in which a value stands twice in a
 * row tell nothing. False where they cannot be read. */
static bool look_at(struct search *s, const struct fpgz_area *area, uint32_t own)
{
    const struct fpgz_part *const part = s->candidate[own].part;
    const size_t size = fpgz_dtype_size(part->array.dtype), bytes = part->place.bytes;
    const unsigned values = size < WINDOW_BYTES / 4 ? WINDOW_BYTES / (unsigned)size : 4, step = 64 / values;
    const uint64_t sign = part->array.order == FPGZ_BIG ? 0x80 : UINT64_C(0x80) << (8 * size - 8);
    const uint64_t kept = fpgz_dtypes[part->array.dtype].kind == 'f' ? ~sign : UINT64_MAX;
    const uint64_t seed = fpgz_group_kind(part) * UINT64_C(0x9E3779B97F4A7C15);
    uint64_t hash = 0, before = 0, stopped, checksum;
    unsigned distinct = 0;
    for (size_t done = 0; done < bytes; done += PIECE) {
        const size_t length = fpgz_min(PIECE, bytes - done);
        if (!fpgz_gather(area, &part->place, done, s->bytes, length, &stopped, &checksum))
            return false;
        for (size_t at = 0; at < length; at += size) {
            const uint64_t value = fpgz_load_word(s->bytes + at, size) & kept;
            const uint64_t mixed = (value + 1) * UINT64_C(0xD6E8FEB86659FD93);
            hash = (hash << step) + (mixed ^ mixed >> 32);
            distinct = value != before ? distinct + 1 : 0;
            before = value;
            if (distinct >= values && !(s->thin && hash >> (64 - s->thin)))
                look_up(s, own, (hash ^ seed) * UINT64_C(0x9E3779B97F4A7C15));
        }
    }
    return true;
}

static uint32_t root_of(const struct search *s, uint32_t number)
{
    while (s->candidate[number].parent != number)
        number = s->candidate[number].parent;
    return number;
}

static void unite(struct search *s, uint32_t a, uint32_t b)
{
    const uint32_t x = root_of(s, a), y = root_of(s, b);
    s->candidate[x > y ? x : y].parent = x > y ? y : x;
}

/* Finds which earlier candidates this one repeats. */
static void relate(struct search *s, const struct fpgz_area *area, uint32_t own)
{
    struct candidate *const c = &s->candidate[own];
    c->parent = own;
    for (uint32_t i = 0; i < own; i++)
        s->candidate[i].hits = 0;
    if (!look_at(s, area, own))
        return;
    for (uint32_t i = 0; i < own; i++) {
        const uint32_t hits = s->candidate[i].hits;
        const bool twin = hits == c->kept && s->candidate[i].part->place.bytes == c->part->place.bytes;
        if (twin && hits)
            c->twin = i + 1;
        else if (hits > c->kept / SHARE_PART)
            unite(s, own, i);
    }
}

/* Copies are told as such, unless what they are copies of is in a family. */
static void add_twins(struct search *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t twin = s->candidate[i].twin;
        bool kin = false;
        for (uint32_t k = 0; k < s->count && twin && !kin; k++)
            kin = k != twin - 1 && !s->candidate[k].twin && root_of(s, k) == root_of(s, twin - 1);
        if (kin)
            unite(s, i, twin - 1);
    }
}

/* Gives the members of a family its number: as many as fit in a chunk, and none that lies among the pieces of
 * another one. */
static void number_family(const struct fpgz_setup *setup, const struct search *s, uint32_t root,
                          uint32_t *families)
{
    uint64_t bytes = 0, end = 0;
    bool lone = true;
    for (uint32_t i = root + 1; i < s->count && lone; i++)
        lone = root_of(s, i) != root;
    for (uint32_t i = root; i < s->count && !lone; i++) {
        struct fpgz_part *const part = s->candidate[i].part;
        if (root_of(s, i) != root || s->candidate[i].offset < end)
            continue;
        if (!bytes || bytes + part->place.bytes > setup->chunk) {
            ++*families;
            bytes = 0;
        }
        part->family = *families;
        bytes += part->place.bytes;
        end = fpgz_place_end(&part->place);
    }
}

/* Bytes that the part's chunks are coded in: all that they have where they cannot be. */
static uint64_t coded_bytes(const struct fpgz_setup *setup, const struct fpgz_area *area,
                            const struct fpgz_part *part, struct fpgz_chunk_buffers *buffers)
{
    struct fpgz_coder coder = fpgz_coder_of(setup, JUDGED_LEVEL, part);
    struct fpgz_error none = {0};
    struct fpgz_cut cut;
    uint64_t target = setup->chunk, slab = fpgz_setup_slab(setup), bytes = 0;
    if (fpgz_budget_cut(setup, JUDGED_LEVEL, part, 1, &target, &slab, &none) || target < setup->chunk ||
        !fpgz_plan_cut(part, target, slab, &cut))
        return part->place.bytes;
    coder.unverified = true;
    for (uint64_t at = 0; at < part->place.bytes;) {
        const uint64_t rows = fpgz_cut_next(&cut, cut.shape.extent[0] - at / cut.row_bytes);
        const struct fpgz_grid grid =
            rows ? fpgz_cut_grid(&cut, rows) : fpgz_plan_rest(part->array.dtype, part->place.bytes - at);
        struct fpgz_coded coded;
        if (!fpgz_gain_code(&coder, area, part, at, &grid, buffers, &coded))
            return part->place.bytes;
        bytes += coded.length;
        at += fpgz_grid_bytes(&grid);
    }
    return bytes;
}

/* Leaves the family only where its members are smaller together. False without memory. */
static bool judge(const struct fpgz_setup *setup, const struct fpgz_area *area, struct fpgz_content *content,
                  uint32_t family, struct fpgz_chunk_buffers *buffers, size_t *member)
{
    struct fpgz_part group;
    uint64_t alone = 0;
    if (!fpgz_family_of(content, family, &group, member))
        return false;
    const uint64_t together = group.members ? coded_bytes(setup, area, &group, buffers) : 0;
    for (size_t i = 0; i < group.members; i++)
        alone += coded_bytes(setup, area, &content->part[member[i]], buffers);
    for (size_t i = 0; i < content->count && (double)together >= WORTH * (double)alone; i++)
        if (content->part[i].family == family)
            content->part[i].family = 0;
    fpgz_part_free(&group);
    return true;
}

bool fpgz_families_find(const struct fpgz_setup *setup, int level, const struct fpgz_area *area,
                        struct fpgz_content *content, struct fpgz_chunk_buffers *buffers)
{
    struct search s = {.count = 0};
    if (level < LEAST_LEVEL || setup->codec)
        return true;
    size_t *const member = calloc(content->count + 1, sizeof *member);
    s.candidate = calloc(MOST_ARRAYS, sizeof *s.candidate);
    s.window = calloc(ROOM, sizeof *s.window);
    s.bytes = malloc(PIECE);
    bool ok = member && s.candidate && s.window && s.bytes;
    if (ok)
        list(setup, content, &s);
    for (uint32_t i = 0; i < s.count; i++)
        relate(&s, area, i);
    add_twins(&s);
    for (uint32_t i = 0; i < s.count; i++)
        if (root_of(&s, i) == i)
            number_family(setup, &s, i, &content->families);
    for (uint32_t family = 1; family <= content->families && ok; family++)
        ok = judge(setup, area, content, family, buffers, member);
    free(member);
    free(s.candidate);
    free(s.window);
    free(s.bytes);
    return ok;
}
