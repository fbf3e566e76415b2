/* SPDX-License-Identifier: MIT
 * prans' high setting inside: the model of a chunk. fpgz.5 has the stream to the bit.
 * A chunk is one or two bands, each a run of consecutive values with a stream of its own. A band is cut into
 * tiles, each with one stencil of the bank, and tiles into runs whose values do not reach each other by far
 * taps. */
#ifndef FPGZ_CODEC_PRANS_HIGH_MODEL_H
#define FPGZ_CODEC_PRANS_HIGH_MODEL_H

#include "codec/prans/domain/domain.h"
#include "codec/prans/entropy/frequencies.h"
#include "codec/prans/predict/refinement.h"

enum {
    PRANS_TILE = 2048,
    PRANS_PAD = 2048, /* zeros before each band that taps and neighbours may reach */
    PRANS_BANDS = 2,
    PRANS_FINE = 18, /* octaves that have four symbols a sign, where there are too many for all */

    PRANS_LEVELS = 160, /* of the neighbours' energy, in half octaves */
    PRANS_FLAGS = 32,   /* of a context besides its level: three signs, how many neighbours are special */
    PRANS_CONTEXTS = PRANS_LEVELS * PRANS_FLAGS,
    PRANS_CLASSES = 24,           /* of levels, at most */
    PRANS_ESCAPED = PRANS_LEVELS, /* context of the direct symbol behind PRANS_ESCAPE */

    /* Symbols 0 to 3 are the special values. */
    PRANS_MATCH = 4,
    PRANS_ESCAPE = 5, /* the value itself follows, as a direct symbol */
    PRANS_RAW = 6,    /* of a direct value: all its bits follow */
    PRANS_COPY = 7,   /* no symbol: a match goes on */
    PRANS_EXACT = 8,  /* -7 to 7, then octaves */

    PRANS_REPEATS = 4,   /* distances that a match may repeat */
    PRANS_FREQUENT = 32, /* distances that a chunk may list */
};

/* What is predicted and coded as an integer. */
enum prans_kind {
    PRANS_FLOAT,   /* the values' places among all floating-point numbers, without `shift` low bits */
    PRANS_INTEGER, /* integers that a domain made of them */
    PRANS_SLAB,    /* integers with an origin and a step a slab; predicted as values */
};

/* A symbol's residuals: base + the raw bits, or base - them. */
struct prans_symbol {
    uint64_t base;
    uint32_t bits;
    uint32_t negative; /* all bits set, or none */
};

/* How values become residuals, contexts and symbols. */
struct prans_model {
    struct prans_axes axes;
    enum prans_kind kind;
    unsigned shift;
    unsigned specials;  /* how many special values there are */
    unsigned energies;  /* far neighbours whose errors count besides those of W and WW */
    uint64_t energy[4]; /* their offsets: N, F, NW, NE as far as there are any */
    unsigned signs;     /* how many of the first of them (N, F) count with their signs */
    unsigned sign_before,
        sign_ww;         /* flags of the signs of the value before and of WW, in the room of N and F */
    size_t run;          /* values, a power of two: far offsets are no smaller */
    unsigned direct_top; /* biased exponent of the largest finite value */
    unsigned fine;       /* the first of the octaves that have two bits below the leading one */
    struct prans_refinement refinement;
};

/* What a run of up to PRANS_RUN values is coded with. */
struct prans_run {
    const struct prans_stencil *stencil;
    struct prans_lattice lattice;
    unsigned phase;
    bool direct;       /* the values themselves, nothing is predicted */
    size_t room;       /* values that lie before it, with the padding */
    unsigned energies; /* of the model's, those that lie in the band, as bits */
    size_t count;
};

/* Completes a model whose axes, kind, shift and specials stand. */
void fpgz_prans_model(struct prans_model *model);

/* Whether the octave's residuals have two bits below the leading one in their symbol: all have with 32
 * octaves, 18 from `fine` on with 64. */
static inline bool fpgz_prans_fine(unsigned fine, unsigned octaves, unsigned octave)
{
    return octaves == 32 || octave - fine < PRANS_FINE;
}

/* The meanings of residual symbols, of dtypes with 32 or 64 octaves. Returns how many symbols there are. */
unsigned fpgz_prans_symbols(unsigned fine, unsigned octaves, struct prans_symbol symbol[PRANS_SYMBOLS]);

#endif
