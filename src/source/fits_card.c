/* SPDX-License-Identifier: MIT
 * Reads the cards of a FITS header. */
#include "source/fits_card.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 8, VALUE = 10 }; /* characters of the keyword; where the value begins, behind "= " */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool fpgz_fits_next(struct fpgz_cursor *cursor, struct fpgz_fits_card *card)
{
    if (!fpgz_cursor_take(cursor, card->text, FPGZ_FITS_CARD))
        return false;
    card->text[FPGZ_FITS_CARD] = '\0';
    for (size_t i = 0; i < FPGZ_FITS_CARD; i++)
        if (card->text[i] < ' ' || card->text[i] > '~')
            return false;
    size_t length = KEY;
    while (length && card->text[length - 1] == ' ')
        length--;
    memcpy(card->key, card->text, length);
    card->key[length] = '\0';
    for (card->letters = length; card->letters && is_digit(card->key[card->letters - 1]);)
        card->letters--;
    card->number = (unsigned)strtoul(card->key + card->letters, NULL, 10);
    return true;
}

bool fpgz_fits_is(const struct fpgz_fits_card *card, const char *key)
{
    return !strcmp(card->key, key);
}

bool fpgz_fits_is_numbered(const struct fpgz_fits_card *card, const char *key)
{
    return card->number && card->letters == strlen(key) && !memcmp(card->key, key, card->letters);
}

/* Where the value begins; an empty string where there is none. */
static const char *value_of(const struct fpgz_fits_card *card)
{
    const char *const value = card->text + VALUE;
    return !memcmp(card->text + KEY, "= ", 2) ? value + strspn(value, " ") : "";
}

bool fpgz_fits_integer(const struct fpgz_fits_card *card, int64_t *value)
{
    const char *const text = value_of(card);
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return end != text && !errno && (!*end || *end == ' ' || *end == '/');
}

bool fpgz_fits_true(const struct fpgz_fits_card *card)
{
    return *value_of(card) == 'T';
}

/* A floating-point number, whose exponent may be behind a D. */
static bool read_real(const struct fpgz_fits_card *card, double *value)
{
    char text[FPGZ_FITS_CARD + 1], *end;
    strcpy(text, value_of(card));
    const size_t length = strcspn(text, " /");
    text[length] = '\0';
    for (size_t i = 0; i < length; i++)
        if (!strchr("+-.0123456789EeDd", text[i]))
            return false;
        else if (text[i] == 'D' || text[i] == 'd')
            text[i] = 'E';
    *value = strtod(text, &end);
    return length && !*end;
}

bool fpgz_fits_keep(const struct fpgz_fits_card *card, const char *name, struct fpgz_attributes *attributes,
                    struct fpgz_attributes_left *left)
{
    const char first = *value_of(card);
    const uint8_t truth = first == 'T';
    char text[FPGZ_FITS_TEXT];
    int64_t integer;
    double real;
    struct fpgz_attribute attribute = {.name = name, .name_length = strlen(name)};
    if (fpgz_fits_string(card, text))
        return fpgz_attributes_add_text(attributes, name, text, strlen(text), left);
    if (fpgz_fits_integer(card, &integer)) {
        attribute.type = FPGZ_SIGNED;
        attribute.values = (const uint8_t *)&integer;
    } else if (read_real(card, &real)) {
        attribute.type = FPGZ_FLOAT;
        attribute.values = (const uint8_t *)&real;
    } else if (first == 'T' || first == 'F') {
        attribute.type = FPGZ_UNSIGNED;
        attribute.values = &truth;
    } else {
        return true;
    }
    attribute.length = attribute.size = attribute.type == FPGZ_UNSIGNED ? 1 : 8;
    return fpgz_attributes_add(attributes, &attribute);
}

bool fpgz_fits_string(const struct fpgz_fits_card *card, char text[FPGZ_FITS_TEXT])
{
    const char *at = value_of(card);
    size_t used = 0;
    if (*at++ != '\'')
        return false;
    for (; *at && (*at != '\'' || at[1] == '\''); at++) { /* a quote within is written twice */
        at += *at == '\'';
        text[used++] = *at;
    }
    while (used && text[used - 1] == ' ')
        used--;
    text[used] = '\0';
    return *at == '\'';
}
