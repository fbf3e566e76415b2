/* SPDX-License-Identifier: MIT
 * The description of a high stream behind its domain, each part by one function that writes and reads it. */
#include "codec/prans/high/description.h"

#include <string.h>

/* A number from 0 to `most`; what is beyond fails and becomes 0. */
static unsigned code_upto(struct prans_range *r, uint16_t *chances, unsigned value, unsigned most)
{
    const uint64_t read = fpgz_prans_range_number(r, chances, value);
    if (read <= most)
        return (unsigned)read;
    r->failed = true;
    return 0;
}

/* The first weight of a phase as binary64, the others as binary32. */
static double code_weight(struct prans_range *r, bool first, double weight)
{
    uint64_t bits;
    uint32_t bits32;
    float weight32 = (float)weight;
    memcpy(&bits, &weight, sizeof bits);
    memcpy(&bits32, &weight32, sizeof bits32);
    if (first) {
        bits = fpgz_prans_range_bits(r, 64, bits);
        memcpy(&weight, &bits, sizeof weight);
    } else {
        bits32 = (uint32_t)fpgz_prans_range_bits(r, 32, bits32);
        memcpy(&weight32, &bits32, sizeof weight32);
        weight = (double)weight32;
    }
    if (weight >= -0x1p64 && weight <= 0x1p64)
        return weight;
    r->failed = true;
    return 0;
}

static void code_bank(struct prans_range *r, uint16_t *chances, struct prans_field *field,
                      struct prans_entry *entry)
{
    const struct prans_axes *axes = &field->model.axes;
    field->stencils = 1 + code_upto(r, chances, field->stencils - 1, PRANS_BANK - 1);
    for (unsigned i = 0; i < field->stencils; i++) {
        uint64_t offset[PRANS_TAPS];
        entry[i].id = (uint8_t)code_upto(r, chances, entry[i].id, PRANS_FIXED + PRANS_SHAPES - 1);
        const unsigned taps =
            entry[i].id < PRANS_FIXED ? 0 : fpgz_prans_shape(axes, entry[i].id - PRANS_FIXED, offset);
        for (unsigned w = 0; w < taps * axes->phases; w++)
            entry[i].weight[w] = code_weight(r, w % taps == 0, entry[i].weight[w]);
        if (r->reading && !fpgz_prans_entry(axes, &entry[i], &field->bank[i]))
            r->failed = true;
    }
}

/* Each tile's: that of the tile before, or another. */
static void code_tiles(struct prans_range *r, struct prans_field *field)
{
    uint16_t same[2], other[PRANS_BANK];
    unsigned before = 0, was_same = 0;
    fpgz_prans_chances(same, 2);
    fpgz_prans_chances(other, PRANS_BANK);
    for (size_t tile = 0; tile < field->tiles; tile++) {
        was_same = fpgz_prans_range_bit(r, &same[was_same], field->tile[tile] == before);
        if (!was_same)
            before = fpgz_prans_range_tree(r, other, 6, field->tile[tile]);
        field->tile[tile] = (uint8_t)before;
        if (r->reading && (before >= field->stencils ||
                           fpgz_prans_place(field, tile).at + PRANS_PAD < field->bank[before].reach)) {
            r->failed = true;
            return;
        }
    }
}

/* Levels fall into classes in their order: how many fall into each. */
static unsigned code_classes(struct prans_range *r, uint16_t *chances, uint8_t class_of[PRANS_LEVELS],
                             unsigned classes)
{
    classes = code_upto(r, chances, classes, PRANS_CLASSES);
    unsigned level = 0;
    for (unsigned class = 0; class < classes; class ++) {
        unsigned width = 0;
        while (!r->reading && level + width < PRANS_LEVELS && class_of[level + width] == class)
            width++;
        width = code_upto(r, chances, width, PRANS_LEVELS - level);
        for (; width; width--)
            class_of[level++] = (uint8_t) class;
    }
    for (; level < PRANS_LEVELS; level++) {
        r->failed |= classes != 0;
        class_of[level] = 0;
    }
    return classes;
}

/* Tables are numbered in the order in which they are first named: the same as `likely`, or the next new one,
 * or any. */
static unsigned code_table(struct prans_range *r, uint16_t chances[2 + PRANS_BANK], unsigned table,
                           unsigned likely, unsigned *known)
{
    if (*known && fpgz_prans_range_bit(r, &chances[0], table == likely))
        return likely;
    if (!*known || fpgz_prans_range_bit(r, &chances[1], table == *known)) {
        r->failed |= *known == PRANS_TABLES;
        return r->failed ? 0 : (*known)++;
    }
    table = fpgz_prans_range_tree(r, chances + 2, 6, table);
    r->failed |= table >= *known;
    return r->failed ? 0 : table;
}

static void code_tables(struct prans_range *r, struct prans_description *description)
{
    uint16_t chances[3][2 + PRANS_BANK], distances[PRANS_NUMBER_CHANCES];
    unsigned known = 0, likely = 0;
    fpgz_prans_chances(&chances[0][0], sizeof chances / sizeof(uint16_t));
    fpgz_prans_chances(distances, PRANS_NUMBER_CHANCES);
    for (unsigned i = 0; i < description->classes[0] * PRANS_FLAGS; i++) {
        likely = i < PRANS_FLAGS ? likely : description->table[i - PRANS_FLAGS];
        likely = description->table[i] =
            (uint8_t)code_table(r, chances[i >= PRANS_FLAGS], description->table[i], likely, &known);
    }
    for (unsigned i = 0; i < description->classes[1] + 1u && description->classes[1]; i++)
        likely = description->direct_table[i] =
            (uint8_t)code_table(r, chances[2], description->direct_table[i], likely, &known);
    description->matches = fpgz_prans_range_bits(r, 1, description->matches);
    if (description->matches) {
        description->length_table =
            (uint8_t)code_table(r, chances[2], description->length_table, likely, &known);
        description->distance_table =
            (uint8_t)code_table(r, chances[2], description->distance_table, likely, &known);
        description->frequents = code_upto(r, distances, description->frequents, PRANS_FREQUENT);
        for (unsigned i = 0; i < description->frequents; i++)
            description->frequent[i] = code_upto(r, distances, description->frequent[i], UINT32_MAX);
    }
    description->tables = known;
}

void fpgz_prans_code_description(struct prans_range *r, struct prans_field *field,
                                 struct prans_description *description)
{
    uint16_t chances[PRANS_NUMBER_CHANCES];
    fpgz_prans_chances(chances, PRANS_NUMBER_CHANCES);
    struct prans_model *const model = &field->model;
    model->direct_top = (unsigned)fpgz_prans_range_bits(r, 11, model->direct_top);
    model->fine = (unsigned)fpgz_prans_range_bits(r, 6, model->fine);
    code_bank(r, chances, field, description->entry);
    if (r->failed)
        return;
    code_tiles(r, field);
    for (unsigned direct = 0; direct < 2; direct++)
        description->classes[direct] =
            (uint8_t)code_classes(r, chances, description->class_of[direct], description->classes[direct]);
    r->failed |= !description->classes[0];
    if (r->failed)
        return;
    code_tables(r, description);
    if (!r->failed)
        fpgz_prans_code_frequencies(r, description->frequency, description->tables);
}
