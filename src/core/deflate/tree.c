/* SPDX-License-Identifier: MIT
 * Huffman codes as zlib builds them. Many codes are optimal: which one it takes depends on the order in which
 * its heap gives out nodes of equal count, and on how it shortens codes that are too long. */
#include "core/deflate/tree.h"

#include <stdbool.h>
#include <string.h>

enum {
    NODES = 2 * DEFLATE_LITERALS - 1,
    LONGEST = 15,
    /* A heap's entry is a node's count, its height, and its number, in one word. Counts below 2^16 make trees
     * lower than 2^5. */
    NUMBER_BITS = 10,
    HEIGHT_BITS = 5,
    NUMBER = (1 << NUMBER_BITS) - 1,
    HEIGHT = (1 << HEIGHT_BITS) - 1,
};

struct tree {
    uint32_t heap[DEFLATE_LITERALS + 2]; /* from [1] on, and one behind its end */
    unsigned heap_count;
    uint16_t order[NODES]; /* nodes as they left the heap */
    unsigned ordered;
    uint16_t parent[NODES];
    uint8_t depth[NODES];
};

/* Lets heap[at] sink. Of equals the entry that comes first stays above, and the left one of two rises. */
static void sink(struct tree *tree, unsigned at)
{
    uint32_t *const heap = tree->heap;
    const uint32_t entry = heap[at];
    for (unsigned child; (child = 2 * at) <= tree->heap_count; at = child) {
        child += child < tree->heap_count && heap[child + 1] <= (heap[child] | NUMBER);
        if (entry <= (heap[child] | NUMBER))
            break;
        heap[at] = heap[child];
    }
    heap[at] = entry;
}

/* Puts symbols into the heap, and returns how many there are up to the last one. */
static unsigned fill_heap(struct tree *tree, const uint32_t *counts, unsigned symbols)
{
    unsigned used = 0;
    tree->heap_count = 0;
    for (unsigned symbol = 0; symbol < symbols; symbol++) {
        if (counts[symbol] == 0)
            continue;
        tree->heap[++tree->heap_count] = counts[symbol] << (NUMBER_BITS + HEIGHT_BITS) | symbol;
        used = symbol + 1;
    }
    while (tree->heap_count <
           2) { /* symbols that do not occur: the next one of the first three, or the first */
        const unsigned symbol = used < 3 ? used++ : 0;
        tree->heap[++tree->heap_count] = 1u << (NUMBER_BITS + HEIGHT_BITS) | symbol;
    }
    return used;
}

/* Joins the two least nodes until one is left. Nodes that are no symbols get the numbers from `symbols` on.
 */
static void join(struct tree *tree, unsigned symbols)
{
    uint32_t *const heap = tree->heap;
    tree->ordered = 0;
    for (unsigned at = tree->heap_count / 2; at >= 1; at--)
        sink(tree, at);
    for (unsigned node = symbols; tree->heap_count >= 2; node++) {
        const uint32_t least = heap[1];
        heap[1] = heap[tree->heap_count--];
        sink(tree, 1);
        const uint32_t next = heap[1];
        tree->order[tree->ordered++] = least & NUMBER;
        tree->order[tree->ordered++] = next & NUMBER;
        tree->parent[least & NUMBER] = tree->parent[next & NUMBER] = (uint16_t)node;
        const uint32_t count = (least >> (NUMBER_BITS + HEIGHT_BITS)) + (next >> (NUMBER_BITS + HEIGHT_BITS));
        const uint32_t least_height = least >> NUMBER_BITS & HEIGHT,
                       next_height = next >> NUMBER_BITS & HEIGHT;
        const uint32_t height = (least_height > next_height ? least_height : next_height) + 1;
        heap[1] = count << (NUMBER_BITS + HEIGHT_BITS) | height << NUMBER_BITS | node;
        sink(tree, 1);
    }
    tree->order[tree->ordered++] = heap[1] & NUMBER;
}

/* Shortens the codes that are longer than `longest`: `excess` is the number of nodes that are too deep, those
 * between too. `lengths` counts codes of a length. */
static void shorten(unsigned *lengths, unsigned longest, int excess)
{
    for (; excess > 0; excess -= 2) {
        unsigned bits = longest - 1;
        while (lengths[bits] == 0)
            bits--;
        lengths[bits]--; /* becomes a node, with a code of the longest beside it */
        lengths[bits + 1] += 2;
        lengths[longest]--;
    }
}

/* The depths of symbols, from the root down, become the lengths of their codes. */
static void measure(struct tree *tree, unsigned symbols, unsigned longest, struct fpgz_deflate_code *code)
{
    unsigned lengths[LONGEST + 1] = {0};
    int excess = 0;
    tree->depth[tree->order[tree->ordered - 1]] = 0;
    for (unsigned i = tree->ordered - 1; i-- > 0;) {
        const unsigned node = tree->order[i];
        unsigned depth = tree->depth[tree->parent[node]] + 1u;
        excess += depth > longest;
        depth = depth > longest ? longest : depth;
        tree->depth[node] = (uint8_t)depth;
        if (node < symbols) {
            code->length[node] = (uint8_t)depth;
            lengths[depth]++;
        }
    }
    if (excess == 0)
        return;
    shorten(lengths, longest, excess);
    unsigned next = 0; /* the least nodes get the longest codes */
    for (unsigned bits = longest; bits > 0; bits--)
        for (unsigned left = lengths[bits]; left > 0; next++)
            if (tree->order[next] < symbols) {
                code->length[tree->order[next]] = (uint8_t)bits;
                left--;
            }
}

/* The lowest `count` bits, at most 16, the other way round. */
static unsigned reversed(unsigned bits, unsigned count)
{
    bits = (bits & 0x5555) << 1 | (bits >> 1 & 0x5555);
    bits = (bits & 0x3333) << 2 | (bits >> 2 & 0x3333);
    bits = (bits & 0x0F0F) << 4 | (bits >> 4 & 0x0F0F);
    bits = (bits & 0x00FF) << 8 | (bits >> 8 & 0x00FF);
    return bits >> (16 - count);
}

void fpgz_deflate_assign(struct fpgz_deflate_code *code)
{
    unsigned next[LONGEST + 2] = {0};
    for (unsigned symbol = 0; symbol < code->used; symbol++)
        next[code->length[symbol] + 1]++;
    next[1] = 0; /* no code has no bits */
    for (unsigned bits = 1, first = 0; bits <= LONGEST; bits++) {
        first = (first + next[bits]) << 1; /* next[bits] is still the number of codes one bit shorter */
        next[bits] = first;
    }
    for (unsigned symbol = 0; symbol < code->used; symbol++) {
        const unsigned count = code->length[symbol];
        if (count > 0)
            code->bits[symbol] = (uint16_t)reversed(next[count]++, count);
    }
}

void fpgz_deflate_build(const uint32_t *counts, unsigned symbols, unsigned longest,
                        struct fpgz_deflate_code *code)
{
    struct tree tree;
    memset(code->length, 0, sizeof code->length);
    code->used = fill_heap(&tree, counts, symbols);
    join(&tree, symbols);
    measure(&tree, symbols, longest, code);
}
