/* SPDX-License-Identifier: MIT
 * The low fields of the split domain: the last bits of each value, which are no smooth function of anything
 * but often the same as those of a value not long before. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_LOW_BITS_H
#define FPGZ_CODEC_PRANS_DOMAIN_LOW_BITS_H

#include "codec/prans/entropy/range.h"

enum { PRANS_LOW_BITS_SLOT_BITS = 17, PRANS_LOW_BITS_SYMBOLS = 128 };

struct prans_low_bits {
    bool is_f64;
    unsigned bits;   /* of a field, at most 48 */
    unsigned before; /* of the two values before, which had fields that stood before, as bits */
    uint16_t stood[4], distance[PRANS_LOW_BITS_SYMBOLS];
};

void fpgz_prans_low_bits_begin(struct prans_low_bits *low, bool is_f64, unsigned bits);

/* Writes the fields of values number `first` to `first` + count - 1 of the words at `values`, or reads them
 * into words in which they are 0. Values with special[i] (of the i-th of these) have none. Writing needs
 * `slots`, 2^PRANS_LOW_BITS_SLOT_BITS of them, 0 before the first value; reading sets r->failed where a
 * distance reaches too far. */
void fpgz_prans_low_bits_code(struct prans_low_bits *low, struct prans_range *r, void *values, size_t first,
                              size_t count, const uint8_t *special, uint32_t *slots);

/* About how many bits the fields of all values take; UINT64_MAX where they stood before too seldom, or mostly
 * because whole values did, which matches take care of, and where the first ones say that it is more than
 * `least`, or hardly less than the fields themselves. Uses the slots. */
uint64_t fpgz_prans_low_bits_cost(const void *values, bool is_f64, unsigned bits, size_t count,
                                  const uint8_t *special, uint64_t least, uint32_t *slots);

#endif
