/* SPDX-License-Identifier: MIT
 * Numbers in 7-bit groups, which the tables of a container are made of (fpgz.5), and their bytes behind zlib.
 */
#ifndef FPGZ_CONTAINER_NUMBERS_H
#define FPGZ_CONTAINER_NUMBERS_H

#include "core/buffer.h"
#include "core/status.h"

enum { FPGZ_NUMBER_BYTES = 10 }; /* the most bytes of a number */

/* A table that is being written. */
struct fpgz_numbers {
    struct fpgz_buffer bytes;
    size_t length;
    bool failed; /* there was no memory: the table is not whole */
};

/* Writes a number; returns its bytes. */
size_t fpgz_number_put(uint64_t number, uint8_t at[FPGZ_NUMBER_BYTES]);

/* Differences, modulo 2^64, as numbers that are small where the differences are. */
uint64_t fpgz_zigzag(uint64_t difference);
uint64_t fpgz_unzigzag(uint64_t number);

void fpgz_numbers_add(struct fpgz_numbers *numbers, uint64_t number);
void fpgz_numbers_add_bytes(struct fpgz_numbers *numbers, const void *bytes, size_t length);

/* Appends `to` as its difference to *from, which becomes `to`. */
void fpgz_numbers_add_change(struct fpgz_numbers *numbers, uint64_t *from, uint64_t to);

/* Appends the table to `packed`, behind zlib where that makes it shorter. packed->failed is set without
 * memory. */
void fpgz_numbers_pack(const struct fpgz_numbers *numbers, struct fpgz_numbers *packed);

/* The reverse: a table of `bytes` bytes from `length` packed ones. FPGZ_CORRUPT where they hold something
 * else. */
enum fpgz_status fpgz_numbers_unpack(const uint8_t *packed, size_t length, size_t bytes,
                                     struct fpgz_buffer *table);

void fpgz_numbers_free(struct fpgz_numbers *numbers);

/* A table that is being read. */
struct fpgz_number_view {
    const uint8_t *at, *end;
    bool bad; /* it ended, or had a number of more than 64 bits: all numbers from there on are 0 */
};

uint64_t fpgz_number_take(struct fpgz_number_view *view);

/* The next `length` bytes; NULL where there are not so many. */
const uint8_t *fpgz_number_take_bytes(struct fpgz_number_view *view, uint64_t length);

/* *value becomes what fpgz_numbers_add_change() made of it. */
uint64_t fpgz_number_take_change(struct fpgz_number_view *view, uint64_t *value);

#endif
