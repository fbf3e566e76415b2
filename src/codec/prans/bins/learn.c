/* SPDX-License-Identifier: MIT
 * Bins by dynamic programming over atoms, which are classes, or neighbours of few words. */
#include "codec/prans/bins/learn.h"

#include "core/bytes.h"

enum {
    FINENESS = 512, /* an atom has at least one word of so many, or is a class */
    SPREAD = 3,     /* bits that an atom of several classes about 0 may have more than its first class */
    REACH = 128,    /* atoms of a bin, at most */
};

/* What a raw bit costs, in 2^-16 bits: a little more than a symbol's, for blocks have tables of their own.
 * Two words that both stand in one half of the values would else share a bin, and take a bit each. */
#define RAW_BIT (UINT64_C(65536) + 65536 / 256)

void fpgz_prans_bins_logs(struct bins_learning *learning)
{
    for (unsigned i = 0; i < BINS_LOGS; i++)
        learning->log[i] =
            i ? fpgz_prans_log2(2 * (BINS_LOGS + i) + 1) - (10 << 16) : 0; /* of powers of two exact */
    learning->saved[0] = 0;
    for (unsigned i = 1; i < BINS_COUNTS; i++)
        learning->saved[i] = (int32_t)bins_surprise(learning, i) - BINS_USED;
}

/* Makes an atom of one class the smallest cell around it, of a power of two of classes, that has at least
 * `least` words, unless so many come at once, or classes below `from` are in it. Of cells bins can be made
 * that leave no words of their raw bits without use. Returns the class behind. */
static size_t grow_cell(const struct bins_grid *grid, const uint32_t *histogram, size_t classes,
                        uint64_t least, size_t from, struct bins_atom *atom)
{
    const uint64_t before = grid->first >> grid->shift; /* classes below, down to the word 0 */
    size_t end = atom->end;
    uint64_t words = histogram[atom->first];
    for (size_t size = 2; words < least; size *= 2) {
        const size_t inside = (before + atom->first) % size,
                     behind = fpgz_min(atom->first - inside + size, classes);
        if (inside > atom->first - from || end == classes)
            break;
        uint64_t more = 0;
        for (size_t c = end; c < behind && more < least; c++)
            more += histogram[c];
        if (more >= least)
            break;
        words += more;
        end = behind;
    }
    return end;
}

/* Makes atoms with at least `least` words; 0 if they are too many. A class of so many is one by itself, or
 * begins one: with few words below it in one bin all of its words would take raw bits. */
static unsigned make_atoms(const struct bins_grid *grid, unsigned bits, const uint32_t *histogram,
                           size_t classes, uint64_t least, struct bins_learning *learning)
{
    unsigned count = 0;
    uint64_t below = 0;
    for (size_t c = 0; c < classes;) {
        if (!histogram[c]) {
            c++;
            continue;
        }
        if (count == BINS_ATOMS)
            return 0;
        struct bins_atom *const atom = &learning->atom[count++];
        *atom = (struct bins_atom){
            (uint32_t)c, (uint32_t)c + 1, below, fpgz_prans_bins_begin(grid, bits, c), 0, 0};
        const unsigned width = fpgz_prans_bins_width(grid, bits, c, c + 1);
        uint64_t words = histogram[c++];
        if (grid->equal) {
            c = grow_cell(grid, histogram, classes, least, count > 1 ? atom[-1].end : 0, atom);
            for (size_t i = atom->end; i < c; i++) {
                words += histogram[i];
                atom->end = histogram[i] ? (uint32_t)i + 1 : atom->end;
            }
        }
        for (; c < classes && words < least && !grid->equal; c++) {
            if (!histogram[c])
                continue;
            const size_t gap = c - atom->end, length = atom->end - atom->first;
            if (histogram[c] >= least || (gap > 4 * length && words >= least / 16) ||
                (!grid->equal && fpgz_prans_bins_width(grid, bits, atom->first, c + 1) > width + SPREAD))
                break;
            words += histogram[c];
            atom->end = (uint32_t)c + 1;
        }
        below += words;
    }
    learning->atom[count] = (struct bins_atom){(uint32_t)classes, (uint32_t)classes, below, 0, 0, 0};
    return count;
}

/* Fills the atoms' best and from. */
static void find_best(const struct bins_grid *grid, unsigned bits, unsigned atoms, unsigned price,
                      struct bins_learning *learning)
{
    struct bins_atom *const atom = learning->atom;
    const uint32_t all = bins_log2(learning, atom[atoms].below);
    for (unsigned end = 1; end <= atoms; end++) {
        const uint64_t last = fpgz_prans_bins_begin(grid, bits, atom[end - 1].end) - 1;
        uint64_t best = UINT64_MAX;
        for (unsigned first = end; first-- > 0 && first + REACH >= end;) {
            const uint64_t words = atom[end].below - atom[first].below, rest = last - atom[first].low;
            const unsigned width = rest ? 64 - (unsigned)__builtin_clzll(rest) : 0;
            const uint64_t each = (uint64_t)(all - bins_log2(learning, words)) + width * RAW_BIT;
            const uint64_t cost = atom[first].best + words * each + ((uint64_t)price << 16);
            if (cost < best) {
                best = cost;
                atom[end].from = first;
            }
        }
        atom[end].best = best;
    }
}

uint64_t fpgz_prans_bins_learn(const struct bins_grid *grid, unsigned bits, const uint32_t *histogram,
                               unsigned price, struct bins_learning *learning, struct bins_bin *bin,
                               unsigned *count)
{
    const size_t classes = fpgz_prans_bins_classes(grid, bits);
    uint64_t words = 0;
    for (size_t c = 0; c < classes; c++)
        words += histogram[c];
    unsigned atoms = 0;
    *count = 0;
    for (uint64_t least = words / FINENESS; words && !atoms; least = 2 * least + 1)
        atoms = make_atoms(grid, bits, histogram, classes, least, learning);
    if (!atoms)
        return 0;
    for (unsigned used = BINS_MOST + 1; used > BINS_MOST; price = 2 * price + 1) {
        find_best(grid, bits, atoms, price, learning);
        used = 0;
        for (unsigned end = atoms; end; end = learning->atom[end].from)
            used++;
        *count = used;
    }
    unsigned at = *count;
    for (unsigned end = atoms; end; end = learning->atom[end].from)
        bin[--at] =
            (struct bins_bin){learning->atom[learning->atom[end].from].first, learning->atom[end - 1].end};
    return learning->atom[atoms].best >> 16;
}
