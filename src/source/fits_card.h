/* SPDX-License-Identifier: MIT
 * The cards of a FITS header: 80 characters each, a keyword and mostly a value. */
#ifndef FPGZ_SOURCE_FITS_CARD_H
#define FPGZ_SOURCE_FITS_CARD_H

#include "source/attributes.h"
#include "source/cursor.h"

enum { FPGZ_FITS_CARD = 80, FPGZ_FITS_BLOCK = 2880, FPGZ_FITS_TEXT = 72 };

struct fpgz_fits_card {
    char text[FPGZ_FITS_CARD + 1];
    char key[9];     /* without the spaces behind it */
    unsigned number; /* at the keyword's end ("NAXIS2"); 0: none */
    size_t letters;  /* of the keyword before the number */
};

/* Reads the next card. False at the end of the file, and for bytes that are no text. */
bool fpgz_fits_next(struct fpgz_cursor *cursor, struct fpgz_fits_card *card);

/* Whether the keyword is `key`, or `key` and a number from 1 on. */
bool fpgz_fits_is(const struct fpgz_fits_card *card, const char *key);
bool fpgz_fits_is_numbered(const struct fpgz_fits_card *card, const char *key);

/* The card's value. False where it is not of that type. A string is without the spaces at its end. */
bool fpgz_fits_integer(const struct fpgz_fits_card *card, int64_t *value);
bool fpgz_fits_true(const struct fpgz_fits_card *card);
bool fpgz_fits_string(const struct fpgz_fits_card *card, char text[FPGZ_FITS_TEXT]);

/* Adds the card's value, if it has one, as an attribute of that name. False without memory. */
bool fpgz_fits_keep(const struct fpgz_fits_card *card, const char *name, struct fpgz_attributes *attributes,
                    struct fpgz_attributes_left *left);

#endif
