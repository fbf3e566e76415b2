/* SPDX-License-Identifier: MIT
 * From symbols in contexts to tables of frequencies. */
#include "codec/prans/high/choose_tables.h"

#include <string.h>

#include "codec/prans/high/token.h"

static unsigned group_of(const struct prans_encoding *e, uint16_t context)
{
    return e->description.class_of[0][context / PRANS_FLAGS] * PRANS_FLAGS + context % PRANS_FLAGS;
}

/* Levels in order fall into classes of about as many values each. */
static void choose_classes(struct prans_encoding *e, unsigned direct, const uint32_t level[PRANS_LEVELS])
{
    uint64_t total = 0, sum = 0;
    unsigned class = 0;
    for (unsigned i = 0; i < PRANS_LEVELS; i++)
        total += level[i];
    for (unsigned i = 0; i < PRANS_LEVELS; i++) {
        if (sum && sum + level[i] / 2 > total / PRANS_CLASSES && class < PRANS_CLASSES - 1) {
            class ++;
            sum = 0;
        }
        sum += level[i];
        e->description.class_of[direct][i] = (uint8_t) class;
    }
    e->description.classes[direct] = (uint8_t)(total ? class + 1 : 0);
}

static void count_levels(struct prans_encoding *e, const struct prans_field *field)
{
    uint32_t level[2][PRANS_LEVELS] = {{0}};
    for (size_t tile = 0; tile < field->tiles; tile++) {
        const struct prans_place place = fpgz_prans_place(field, tile);
        const bool direct = prans_is_direct(field, tile);
        const uint16_t *context = e->context + field->first[place.band];
        for (size_t i = place.at; i < place.end; i++)
            level[direct][direct ? context[i] : context[i] / PRANS_FLAGS]++;
    }
    choose_classes(e, 0, level[0]);
    choose_classes(e, 1, level[1]);
    for (unsigned direct = 0; direct < 2; direct++) /* escaped ones may need the second */
        if (!e->description.classes[direct] && (!direct || field->model.kind == PRANS_FLOAT))
            e->description.classes[direct] = 1;
}

static void count_symbols(struct prans_encoding *e, const struct prans_field *field)
{
    memset(e->histogram, 0, sizeof e->histogram);
    memset(e->direct_histogram, 0, sizeof e->direct_histogram);
    uint32_t(*const escaped)[PRANS_SYMBOLS] = &e->direct_histogram[PRANS_CLASSES];
    for (size_t tile = 0; tile < field->tiles; tile++) {
        const struct prans_place place = fpgz_prans_place(field, tile);
        const bool direct = prans_is_direct(field, tile);
        for (size_t at = place.at; at < place.end; at++) {
            const size_t i = field->first[place.band] + at;
            if (e->copied[i] == PRANS_COPIED)
                continue;
            if (direct) {
                e->direct_histogram[e->description.class_of[1][e->context[i]]][e->symbol_of[i]]++;
                continue;
            }
            e->histogram[group_of(e, e->context[i])][e->symbol_of[i]]++;
            if (e->symbol_of[i] == PRANS_ESCAPE) {
                const uint64_t word = prans_word_at(field->real[place.band], field->is_f64, at);
                (*escaped)[prans_direct_of(field, word).symbol]++;
            }
        }
    }
}

/* Clusters in the order in which the description names them. */
static void number_tables(struct prans_encoding *e, unsigned tables)
{
    uint8_t number[PRANS_TABLES], *const table[] = {e->description.table, e->description.direct_table};
    const unsigned entries[] = {e->description.classes[0] * PRANS_FLAGS,
                                e->description.classes[1] ? e->description.classes[1] + 1u : 0};
    unsigned known = 0;
    memset(number, PRANS_NO_TABLE, sizeof number);
    for (unsigned part = 0; part < 2; part++)
        for (unsigned i = 0; i < entries[part]; i++) {
            uint8_t *const t = &table[part][i];
            if (*t == PRANS_NO_TABLE) { /* never used: what costs least to say */
                *t = part == 0 && i >= PRANS_FLAGS ? t[-PRANS_FLAGS] : i ? t[-1] : 0;
                continue;
            }
            if (number[*t] == PRANS_NO_TABLE)
                number[*t] = (uint8_t)known++;
            *t = number[*t];
        }
    for (unsigned t = 0; t < tables; t++)
        if (number[t] != PRANS_NO_TABLE)
            fpgz_prans_scale(e->cluster[t], e->description.frequency[number[t]]);
    for (unsigned i = 0; e->description.matches && i < 2; i++) {
        fpgz_prans_scale(e->match_histogram[i], e->description.frequency[known]);
        *(i ? &e->description.distance_table : &e->description.length_table) = (uint8_t)known++;
    }
    if (!known)
        fpgz_prans_scale(e->cluster[0], e->description.frequency[known++]);
    e->description.tables = known;
}

/* What a look-up tells while values are coded. */
static void spread_tables(struct prans_encoding *e)
{
    const struct prans_description *const d = &e->description;
    for (unsigned t = 0; t < d->tables; t++) {
        uint32_t below = 0;
        for (unsigned s = 0; s < PRANS_SYMBOLS; below += d->frequency[t][s++])
            e->share[t][s] = d->frequency[t][s] | below << 16;
    }
    for (unsigned context = 0; context < PRANS_CONTEXTS; context++)
        e->table_of[0][context] = d->table[group_of(e, (uint16_t)context)];
    for (unsigned level = 0; level < PRANS_LEVELS; level++)
        e->table_of[1][level] = d->direct_table[d->class_of[1][level]];
}

void fpgz_prans_choose_tables(struct prans_encoding *e, const struct prans_field *field)
{
    enum { DIRECT_TABLES = 12 };
    memset(e->cluster, 0, sizeof e->cluster);
    memset(e->description.table, PRANS_NO_TABLE, sizeof e->description.table);
    count_levels(e, field);
    count_symbols(e, field);
    const unsigned residual_tables = fpgz_prans_cluster(
        e->histogram, (size_t)e->description.classes[0] * PRANS_FLAGS, PRANS_TABLES - DIRECT_TABLES - 2,
        &e->clustering, e->description.table, e->cluster);
    unsigned tables = residual_tables;
    if (e->description.classes[1]) {
        /* The escaped ones stand behind the last class. */
        memmove(e->direct_histogram[e->description.classes[1]], e->direct_histogram[PRANS_CLASSES],
                sizeof *e->direct_histogram);
        tables += fpgz_prans_cluster(e->direct_histogram, e->description.classes[1] + 1u, DIRECT_TABLES,
                                     &e->clustering, e->description.direct_table, e->cluster + tables);
        for (unsigned i = 0; i < e->description.classes[1] + 1u; i++)
            if (e->description.direct_table[i] != PRANS_NO_TABLE)
                e->description.direct_table[i] = (uint8_t)(e->description.direct_table[i] + residual_tables);
    }
    number_tables(e, tables);
    spread_tables(e);
}
