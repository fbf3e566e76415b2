/* SPDX-License-Identifier: MIT
 * Pieces lie evenly in a chunk. Behind each other stand the copies of a piece's parts: of the row before
 * along all axes, then along fewer, and of its own row; with each the words before that differences look back
 * at. */
#include "codec/prans/bins/pieces.h"

#include <string.h>

#include "codec/sample.h"
#include "core/bytes.h"

enum {
    SAMPLED = 8192, /* values that modes are compared on, about */
    LEAST_PIECES = 32,
    LEAST_ROW = 16, /* of pieces of shorter ones, which are joined, there would be too few */
    BEFORE = BINS_ORDERS - 1,
};

/* Words of one part of a piece. */
static size_t part_words(const struct bins_piece *piece)
{
    return BEFORE + piece->count;
}

static unsigned usable_axes(const struct middle_layout *l, size_t row)
{
    unsigned usable = 0;
    for (unsigned a = l->axes; a-- > 0; row /= l->extent[a])
        usable |= (unsigned)(row % l->extent[a] != 0) << a;
    return usable;
}

/* Where the row before along some axes begins, as values before the row. */
static size_t distance(const struct middle_layout *l, unsigned axes)
{
    size_t back = 0, stride = l->row;
    for (unsigned a = l->axes; a-- > 0; stride *= l->extent[a])
        back += axes >> a & 1 ? stride : 0;
    return back;
}

/* The place of piece i among `pieces`, of `wanted` at most: also where all of them are wanted the first ones
 * lie evenly, by steps of about the golden ratio. Each moves by less than the distance of neighbours, since
 * planes whose number is Fibonacci's would else be looked at where their first one is. */
static size_t piece_place(uint32_t i, size_t wanted, size_t pieces)
{
    if (pieces > wanted) {
        const uint64_t part = (i + 1) * UINT64_C(0xD6E8FEB86659FD93) >> 32; /* 2^-32 of that distance */
        const size_t moved = (size_t)(part * pieces / wanted >> 32);
        return (fpgz_sample_place(i, wanted, pieces) + moved) % pieces;
    }
    size_t step = (5 * pieces + 4) / 8;
    while (fpgz_common_divisor(step, pieces) > 1)
        step++;
    return i * step % pieces;
}

/* Lists the pieces of a set, the first of whose copies has number `first`. Returns how many copies there are.
 */
static size_t plan(const struct middle_layout *l, size_t first, struct bins_piece_set *set)
{
    const size_t part = l->row < BINS_PIECE_VALUES ? l->row : BINS_PIECE_VALUES,
                 parts = (l->row + BINS_PIECE_VALUES - 1) / BINS_PIECE_VALUES, pieces = l->rows * parts,
                 wanted = LEAST_PIECES + SAMPLED / part;
    size_t words = 0;
    set->layout = *l;
    set->count = 0;
    for (unsigned some = 0; some < 1u << l->axes; some++)
        set->back[some] = distance(l, some);
    for (uint32_t i = 0; i < wanted && i < pieces && i < BINS_PIECES; i++) {
        struct bins_piece *const p = &set->piece[set->count++];
        const size_t place = piece_place(i, wanted, pieces);
        p->row = place / parts;
        p->at = place % parts * BINS_PIECE_VALUES;
        p->count = l->row - p->at < BINS_PIECE_VALUES ? l->row - p->at : BINS_PIECE_VALUES;
        p->usable = usable_axes(l, p->row);
        const size_t size = part_words(p) << l->axes;
        words += size;
        p->place = first + words - p->count;
    }
    return words;
}

/* Lists the same values as pieces of joined rows, so that modes are compared on the same ones. Returns how
 * many copies there are. */
static size_t join(const struct bins_piece_set *plain, const struct middle_layout *joined, size_t first,
                   struct bins_piece_set *set)
{
    size_t words = 0;
    set->layout = *joined;
    set->count = plain->count;
    set->back[0] = 0;
    for (unsigned i = 0; i < plain->count; i++) {
        struct bins_piece *const p = &set->piece[i];
        *p = plain->piece[i];
        const size_t value = p->row * plain->layout.row + p->at;
        p->row = value / joined->row;
        p->at = value % joined->row;
        p->usable = 0;
        words += part_words(p);
        p->place = first + words - p->count;
    }
    return words;
}

/* Words are where the chunk has them. */
static void leave(struct bins_piece_set *set)
{
    for (unsigned i = 0; i < set->count; i++)
        set->piece[i].place = set->piece[i].row * set->layout.row + set->piece[i].at;
}

void fpgz_prans_bins_pieces(const struct middle_layout *layout, size_t most, struct bins_pieces *pieces)
{
    struct middle_layout joined = fpgz_prans_middle_joined(layout);
    joined.axes = 0; /* which predict from no rows before */
    pieces->words = plan(layout, 0, &pieces->plain);
    pieces->joined.layout = joined;
    pieces->joined.count = 0;
    if (layout->rows > layout->components)
        pieces->words += layout->row < LEAST_ROW
                             ? plan(&joined, pieces->words, &pieces->joined)
                             : join(&pieces->plain, &joined, pieces->words, &pieces->joined);
    pieces->whole = pieces->words > most;
    if (!pieces->whole)
        return;
    pieces->words = layout->values;
    leave(&pieces->plain);
    leave(&pieces->joined);
}

/* The last ordinary value before `at`, not too far from it, or else `usual`. */
static size_t ordinary_before(const uint8_t *flag, size_t at, size_t usual)
{
    enum { FAR = 1 << 14 };
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    const size_t first = at < FAR ? 0 : at - FAR;
    while (at >= first + 8) { /* eight at once, as long as none is 0 */
        const uint64_t flags = fpgz_load64(flag + at - 8);
        if ((flags - ones) & ~flags & tops)
            break;
        at -= 8;
    }
    for (; at > first; at--)
        if (!flag[at - 1])
            return at - 1;
    return usual;
}

/* Special values among `count` copies of the words from `from` on get the word before. */
static void fill(size_t size, const uint8_t *words, const uint8_t *flag, size_t from, size_t count,
                 size_t usual, uint8_t *copy)
{
    for (size_t i = 0; i < count; i++)
        if (flag[from + i]) {
            const uint8_t *const before =
                i ? copy + (i - 1) * size : words + ordinary_before(flag, from, usual) * size;
            memcpy(copy + i * size, before, size);
        }
}

/* The first value of a piece's part, and how many before it are copied, too. */
static size_t part_value(const struct bins_piece_set *set, const struct bins_piece *piece, unsigned axes)
{
    return piece->row * set->layout.row + piece->at - set->back[axes & piece->usable];
}

static size_t part_before(const struct bins_piece *piece)
{
    return piece->at < BEFORE ? piece->at : BEFORE;
}

static size_t list_set(const struct bins_piece_set *set, struct fpgz_looked *run)
{
    size_t runs = 0;
    for (unsigned i = 0; i < set->count; i++)
        for (unsigned axes = 0; axes < 1u << set->layout.axes; axes++, runs++)
            if (run) {
                const struct bins_piece *const p = &set->piece[i];
                const size_t before = part_before(p);
                run[runs] = (struct fpgz_looked){(uint32_t)(part_value(set, p, axes) - before),
                                                 (uint32_t)(before + p->count)};
            }
    return runs;
}

size_t fpgz_prans_bins_gathered(const struct bins_pieces *pieces, struct fpgz_looked *run)
{
    const size_t plain = list_set(&pieces->plain, run);
    return plain + list_set(&pieces->joined, run ? run + plain : NULL);
}

struct gathering {
    size_t size, usual;
    const uint8_t *words, *flag;
    uint8_t *copies, *flags;
};

/* Copies the part of a piece that begins with value `value` and has its own row's words at `place`. */
static void gather_part(const struct gathering *g, const struct bins_piece *piece, size_t value, size_t place)
{
    const size_t size = g->size, before = part_before(piece), from = value - before;
    uint8_t *const copy = g->copies + (place - before) * size;
    memcpy(copy, g->words + from * size, (before + piece->count) * size);
    if (g->flag) {
        fill(size, g->words, g->flag, from, before + piece->count, g->usual, copy);
        memcpy(g->flags + place, g->flag + value, piece->count);
    }
    for (size_t i = before; i < BEFORE; i++) /* which nothing looks at */
        memcpy(copy - (i + 1 - before) * size, copy, size);
}

static void gather_set(const struct gathering *g, const struct bins_piece_set *set)
{
    const unsigned all = (1u << set->layout.axes) - 1;
    for (unsigned i = 0; i < set->count; i++) {
        const struct bins_piece *const p = &set->piece[i];
        for (unsigned axes = 0; axes <= all; axes++)
            gather_part(g, p, part_value(set, p, axes), p->place - axes * part_words(p));
    }
}

void fpgz_prans_bins_gather(const struct bins_pieces *pieces, size_t size, const void *words,
                            const uint8_t *flag, void *copies, uint8_t *flags)
{
    struct gathering g = {size, 0, words, flag, copies, flags};
    while (flag && flag[g.usual])
        g.usual++;
    gather_set(&g, &pieces->plain);
    gather_set(&g, &pieces->joined);
}

struct middle_rows fpgz_prans_bins_rows(const struct bins_pieces *pieces, const struct bins_piece_set *set,
                                        const struct bins_piece *piece, unsigned axes)
{
    struct middle_rows rows = {0, 0, {0}, {0}};
    axes &= piece->usable;
    for (unsigned some = 1; some <= axes; some++) {
        if (some & ~axes)
            continue;
        const size_t back = pieces->whole ? set->back[some] : some * part_words(piece);
        if (__builtin_popcount(some) % 2)
            rows.add[rows.added++] = back;
        else
            rows.take[rows.taken++] = back;
    }
    return rows;
}
