/* SPDX-License-Identifier: MIT
 * FITS files: units of a header in cards and of data, each filled up to blocks of 2880 bytes. Images are
 * arrays, and so are the columns of binary tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/io.h"
#include "core/table.h"
#include "source/arrays.h"
#include "source/fits_card.h"
#include "source/source.h"
#include "source/stored.h"

enum {
    COLUMN_LIMIT = 999, /* of a table, by the standard */
    KEPT_LIMIT = 2000,  /* cards that become attributes of one array */
};

enum kind { OTHER, IMAGE, TABLE };

struct column {
    char type[FPGZ_FITS_TEXT], name[FPGZ_FITS_TEXT];
};

/* What the header of a unit tells. */
struct unit {
    enum kind kind;
    unsigned number; /* of the unit in the file, from 0 on */
    int64_t bits;    /* of a value, below 0 for floating-point numbers; 0: not told */
    int64_t axes, parameters, groups, columns, version;
    bool random_groups, compressed;
    uint64_t extent[FPGZ_MAX_DIMS]; /* the fastest first */
    char name[FPGZ_FITS_TEXT];
    struct column *column;
    uint64_t offset, bytes; /* of the data */
};

struct reading {
    struct fpgz_cursor cursor;
    struct fpgz_content *content;
    struct fpgz_error *remark, *error;
};

static bool fits_probe(int fd, uint64_t size)
{
    static const char start[] = "SIMPLE  =";
    char front[30];
    size_t got;
    return size >= FPGZ_FITS_BLOCK && fpgz_read_at(fd, front, sizeof front, 0, &got) && got == sizeof front &&
           !memcmp(front, start, sizeof start - 1) && front[29] == 'T';
}

/* Takes what a card tells of the unit. False where it cannot be. */
static bool take_card(struct unit *u, const struct fpgz_fits_card *card)
{
    char text[FPGZ_FITS_TEXT];
    int64_t extent;
    if (fpgz_fits_is(card, "XTENSION") && fpgz_fits_string(card, text))
        u->kind = !strcmp(text, "IMAGE") ? IMAGE : !strcmp(text, "BINTABLE") ? TABLE : OTHER;
    else if (fpgz_fits_is(card, "BITPIX"))
        return fpgz_fits_integer(card, &u->bits);
    else if (fpgz_fits_is(card, "NAXIS"))
        return fpgz_fits_integer(card, &u->axes) && u->axes >= 0 && u->axes <= FPGZ_MAX_DIMS;
    else if (fpgz_fits_is_numbered(card, "NAXIS") && card->number <= FPGZ_MAX_DIMS) {
        if (!fpgz_fits_integer(card, &extent) || extent < 0)
            return false;
        u->extent[card->number - 1] = (uint64_t)extent;
    } else if (fpgz_fits_is(card, "PCOUNT"))
        return fpgz_fits_integer(card, &u->parameters) && u->parameters >= 0;
    else if (fpgz_fits_is(card, "GCOUNT"))
        return fpgz_fits_integer(card, &u->groups) && u->groups >= 0;
    else if (fpgz_fits_is(card, "TFIELDS"))
        return !u->column && fpgz_fits_integer(card, &u->columns) && u->columns >= 0 &&
               u->columns <= COLUMN_LIMIT;
    else if (fpgz_fits_is(card, "GROUPS"))
        u->random_groups = fpgz_fits_true(card);
    else if (fpgz_fits_is(card, "ZIMAGE"))
        u->compressed = fpgz_fits_true(card);
    else if (fpgz_fits_is(card, "EXTVER"))
        fpgz_fits_integer(card, &u->version);
    else if (fpgz_fits_is(card, "EXTNAME"))
        fpgz_fits_string(card, u->name);
    else if (card->number && card->number <= (uint64_t)u->columns && u->column) {
        if (fpgz_fits_is_numbered(card, "TFORM"))
            fpgz_fits_string(card, u->column[card->number - 1].type);
        else if (fpgz_fits_is_numbered(card, "TTYPE"))
            fpgz_fits_string(card, u->column[card->number - 1].name);
    }
    return true;
}

/* Reads a header up to its last card. False where it is none. */
static bool read_cards(struct reading *r, struct unit *u)
{
    struct fpgz_fits_card card;
    bool ok = true;
    do {
        ok = fpgz_fits_next(&r->cursor, &card) && take_card(u, &card);
        if (ok && u->columns && !u->column && !(u->column = calloc((size_t)u->columns, sizeof *u->column)))
            ok = !fpgz_fail(r->error, FPGZ_MEMORY, "no memory");
    } while (ok && !fpgz_fits_is(&card, "END"));
    return ok;
}

/* Bytes of the data: |BITPIX| / 8 * GCOUNT * (PCOUNT + the product of the axes). False where these fail. */
static bool measure(struct unit *u)
{
    const bool known =
        u->bits == 8 || u->bits == 16 || u->bits == 32 || u->bits == 64 || u->bits == -32 || u->bits == -64;
    uint64_t values = u->axes > 0;
    for (int64_t d = u->random_groups ? 1 : 0; d < u->axes; d++)
        if (!fpgz_mul(values, u->extent[d], &values))
            return false;
    return known && fpgz_add(values, (uint64_t)u->parameters, &values) &&
           fpgz_mul(values, (uint64_t)u->groups, &values) &&
           fpgz_mul(values, (uint64_t)llabs(u->bits) / 8, &u->bytes) && u->bytes <= INT64_MAX;
}

static enum fpgz_dtype dtype_of(int64_t bits)
{
    return bits == 16    ? FPGZ_I16
           : bits == 32  ? FPGZ_I32
           : bits == 64  ? FPGZ_I64
           : bits == -32 ? FPGZ_F32
           : bits == -64 ? FPGZ_F64
                         : FPGZ_U8;
}

/* "SCI", "SCI,2" for a later version, or "HDU3" for a unit without a name. */
static void name_of(const struct unit *u, char name[FPGZ_FITS_TEXT + 24])
{
    if (!*u->name)
        snprintf(name, FPGZ_FITS_TEXT + 24, "HDU%u", u->number);
    else if (u->version > 1)
        snprintf(name, FPGZ_FITS_TEXT + 24, "%s,%lld", u->name, (long long)u->version);
    else
        snprintf(name, FPGZ_FITS_TEXT + 24, "%s", u->name);
}

static void add_image(struct reading *r, const struct unit *u)
{
    struct fpgz_array array = {.dtype = dtype_of(u->bits), .order = FPGZ_BIG};
    char name[FPGZ_FITS_TEXT + 24];
    if (u->random_groups || !u->axes || u->parameters || u->groups != 1)
        return;
    for (int64_t d = u->axes; d-- > 0;)
        array.extent[array.dims++] = u->extent[d];
    name_of(u, name);
    fpgz_arrays_add_dense(r->content, name, &array, u->offset, r->remark, r->error);
}

/* Reads a column's type, as "16E": what one row has of it. False for a type that is not known. */
static bool column_array(const char *text, struct fpgz_array *array)
{
    static const struct {
        char letter;
        enum fpgz_dtype dtype;
        uint8_t inner; /* values of one element */
    } types[] = {{'L', FPGZ_U8, 1},  {'B', FPGZ_U8, 1},  {'A', FPGZ_U8, 1},  {'I', FPGZ_I16, 1},
                 {'J', FPGZ_I32, 1}, {'K', FPGZ_I64, 1}, {'E', FPGZ_F32, 1}, {'D', FPGZ_F64, 1},
                 {'C', FPGZ_F32, 2}, {'M', FPGZ_F64, 2}, {'P', FPGZ_I32, 2}, {'Q', FPGZ_I64, 2}};
    char *end = NULL;
    const bool counted = *text >= '0' && *text <= '9';
    const uint64_t count = counted ? strtoull(text, &end, 10) : 1;
    const char letter = counted ? *end : *text;
    *array = (struct fpgz_array){.dtype = FPGZ_U8, .order = FPGZ_BIG};
    if (count > UINT32_MAX)
        return false;
    if (letter == 'X') { /* bits */
        array->extent[array->dims++] = (count + 7) / 8;
        return true;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].letter == letter) {
            array->dtype = types[i].dtype;
            if (count != 1)
                array->extent[array->dims++] = count;
            if (types[i].inner > 1)
                array->extent[array->dims++] = types[i].inner;
            return true;
        }
    return false;
}

/* Gives the table its columns. False where they are not those of its rows. */
static bool add_columns(struct reading *r, const struct unit *u, struct fpgz_part *table)
{
    uint64_t at = 0, bytes;
    struct fpgz_array array;
    char name[FPGZ_FITS_TEXT + 8];
    for (int64_t i = 0; i < u->columns; i++) {
        const struct column *const column = &u->column[i];
        if (!column_array(column->type, &array))
            return false;
        if (array.dims && !array.extent[0])
            continue;
        if (*column->name)
            snprintf(name, sizeof name, "%s", column->name);
        else
            snprintf(name, sizeof name, "%lld", (long long)i + 1);
        if (!fpgz_extents_bytes(array.dtype, array.extent, array.dims, &bytes))
            return false;
        if (!fpgz_table_add(table, name, &array, at)) {
            fpgz_fail(r->error, FPGZ_MEMORY, "no memory");
            return false;
        }
        at += bytes;
    }
    return at == u->extent[0] && table->fields && !fpgz_table_complete(table);
}

static void add_table(struct reading *r, const struct unit *u)
{
    const struct fpgz_array rows = {FPGZ_U8, FPGZ_LITTLE, 2, {u->extent[1], u->extent[0]}};
    const size_t before = r->content->count;
    char name[FPGZ_FITS_TEXT + 24];
    name_of(u, name);
    if (u->axes != 2 || u->bits != 8 || u->compressed ||
        fpgz_arrays_add_dense(r->content, name, &rows, u->offset, r->remark, r->error) ||
        r->content->count == before || add_columns(r, u, &r->content->part[before]))
        return;
    fpgz_part_free(&r->content->part[--r->content->count]);
    fpgz_fail(r->remark, FPGZ_CORRUPT, "the columns of table %s are not those of its rows; archived as bytes",
              name);
}

/* Reads a unit's header, and moves behind its data. False where it cannot be one. */
static bool read_head(struct reading *r, unsigned number, struct unit *u)
{
    *u = (struct unit){.kind = number ? OTHER : IMAGE, .number = number, .groups = 1};
    const bool ok = read_cards(r, u) && measure(u);
    u->offset = fpgz_round_up(r->cursor.at, FPGZ_FITS_BLOCK);
    /* The last block may be cut short. */
    r->cursor.at = fpgz_min(u->offset + fpgz_round_up(ok ? u->bytes : 0, FPGZ_FITS_BLOCK), r->cursor.size);
    return ok;
}

/* Reads a unit, and adds its arrays. */
static bool read_unit(struct reading *r, unsigned number)
{
    struct unit u;
    const bool ok = read_head(r, number, &u);
    if (ok && u.bytes && u.kind == IMAGE)
        add_image(r, &u);
    else if (ok && u.bytes && u.kind == TABLE)
        add_table(r, &u);
    free(u.column);
    return ok;
}

/* Whether another unit begins here; what else there may be has no arrays. */
static bool begins_unit(struct reading *r)
{
    char key[8];
    size_t got;
    return fpgz_read_at(r->cursor.fd, key, sizeof key, r->cursor.at, &got) && got == sizeof key &&
           !memcmp(key, "XTENSION", sizeof key);
}

static enum fpgz_status fits_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                      struct fpgz_error *error)
{
    struct reading r = {{.fd = fd, .size = content->size}, content, remark, error};
    unsigned number = 0;
    bool ok;
    do
        ok = read_unit(&r, number++);
    while (ok && !error->status && number < FPGZ_ARRAYS_LIMIT && begins_unit(&r));
    if (!ok && !error->status)
        fpgz_fail(remark, FPGZ_CORRUPT,
                  "the header of its FITS unit %u is cut off, or contradicts itself; archived as bytes",
                  number - 1);
    return error->status;
}

/* Whether the array of that name is of the unit: its image, or of its table the column that *column is set
 * to, from 1 on. */
static bool is_of(const struct unit *u, const char *wanted, unsigned *column)
{
    char name[FPGZ_FITS_TEXT + 24], number[24];
    name_of(u, name);
    const size_t length = strlen(name);
    *column = 0;
    if (u->kind == IMAGE)
        return !strcmp(name, wanted);
    if (u->kind != TABLE || strncmp(name, wanted, length) || wanted[length] != '.')
        return false;
    for (unsigned i = 0; i < u->columns && !*column; i++) {
        const char *const own = u->column[i].name;
        snprintf(number, sizeof number, "%u", i + 1);
        *column = strcmp(*own ? own : number, wanted + length + 1) ? 0 : i + 1;
    }
    return *column;
}

/* Keeps the cards from here on that tell more than where the values are. False without memory. */
static bool keep_cards(struct reading *r, unsigned column, struct fpgz_attributes *attributes,
                       struct fpgz_attributes_left *left)
{
    static const char *const structure[] = {"SIMPLE", "XTENSION", "BITPIX", "NAXIS",  "PCOUNT",
                                            "GCOUNT", "EXTEND",   "GROUPS", "TFIELDS"};
    struct fpgz_fits_card card;
    bool ok = true;
    for (unsigned kept = 0; ok && fpgz_fits_next(&r->cursor, &card) && !fpgz_fits_is(&card, "END");) {
        bool told = column && (card.number != column || *card.key != 'T');
        for (size_t i = 0; i < sizeof structure / sizeof *structure; i++)
            told |= fpgz_fits_is(&card, structure[i]) || fpgz_fits_is_numbered(&card, structure[i]);
        if (column)
            card.key[card.letters] = '\0';
        if (!told && kept++ < KEPT_LIMIT && !fpgz_attributes_have(attributes, card.key))
            ok = fpgz_fits_keep(&card, card.key, attributes, left);
    }
    return ok;
}

static bool fits_attributes_of(int fd, uint64_t size, const char *name, struct fpgz_attributes *attributes,
                               struct fpgz_attributes_left *left)
{
    struct fpgz_error error = {0};
    struct reading r = {.cursor = {.fd = fd, .size = size}, .error = &error};
    unsigned number = 0, column;
    bool more, kept = true;
    do {
        struct unit u;
        const uint64_t start = r.cursor.at;
        more = read_head(&r, number++, &u);
        if (more && is_of(&u, name, &column)) {
            r.cursor.at = start;
            kept = keep_cards(&r, column, attributes, left);
            more = false;
        }
        free(u.column);
    } while (more && number < FPGZ_ARRAYS_LIMIT && begins_unit(&r));
    return kept && !error.status;
}

const struct fpgz_source fpgz_source_fits = {
    .name = "FITS",
    .summary = "each image, and each column of binary tables",
    .kind = 6,
    .probe = fits_probe,
    .attributes = true,
    .describe = fits_describe,
    .attributes_of = fits_attributes_of,
    FPGZ_STORED,
};
