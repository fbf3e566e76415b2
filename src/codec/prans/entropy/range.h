/* SPDX-License-Identifier: MIT
 * An adaptive binary range coder for the parts of a stream that describe it. It works in both directions, so
 * that one function both writes and reads a part: what is written is passed in, what is read is returned. */
#ifndef FPGZ_CODEC_PRANS_ENTROPY_RANGE_H
#define FPGZ_CODEC_PRANS_ENTROPY_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prans_range {
    bool reading;
    bool failed; /* reading: what was read does not make sense; writing: no room */
    uint8_t *at; /* where bytes are written; reading only moves it */
    const uint8_t *end;
    uint32_t range, code;
    uint64_t low;
    uint64_t held; /* writing: bytes that a carry may still change */
    uint8_t first; /* the first of them */
    bool begun;
};

/* A chance for each bit of a number by its place. To be set up by fpgz_prans_chances(). */
enum { PRANS_NUMBER_CHANCES = 64 + 64 * 4 };

void fpgz_prans_range_write(struct prans_range *r, uint8_t *at, size_t capacity);

/* Ends writing. Returns where the bytes end. */
uint8_t *fpgz_prans_range_flush(struct prans_range *r);

/* Reads from `length` bytes; beyond them there are zeros. */
void fpgz_prans_range_read(struct prans_range *r, const uint8_t *at, size_t length);

/* Whether all bytes and no more were read, and nothing failed. */
bool fpgz_prans_range_done(const struct prans_range *r);

/* Brings the range back to 24 bits or more, for who divides it in his own way. */
void fpgz_prans_range_normalise(struct prans_range *r);

/* The state while many are read in a row (reading.h), and back. */
struct prans_reading;
void fpgz_prans_range_lend(const struct prans_range *r, struct prans_reading *reading);
void fpgz_prans_range_return(struct prans_range *r, const struct prans_reading *reading);

/* Sets `count` chances to one half. */
void fpgz_prans_chances(uint16_t *chances, size_t count);

/* One bit with a chance that adapts to it. */
unsigned fpgz_prans_range_bit(struct prans_range *r, uint16_t *chance, unsigned bit);

/* `bits` (up to 64) bits of equal chances. */
uint64_t fpgz_prans_range_bits(struct prans_range *r, unsigned bits, uint64_t value);

/* A number below 2^bits (up to 64) of which all are as likely, 16 bits at once, the lowest first. */
uint64_t fpgz_prans_range_equal(struct prans_range *r, unsigned bits, uint64_t value);

/* A number below 2^bits (up to 8 bits), by a tree of 2^bits chances. */
unsigned fpgz_prans_range_tree(struct prans_range *r, uint16_t *chances, unsigned bits, unsigned value);

/* Any number below 2^63, small ones short, by PRANS_NUMBER_CHANCES chances. */
uint64_t fpgz_prans_range_number(struct prans_range *r, uint16_t *chances, uint64_t value);

#endif
