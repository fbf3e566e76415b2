/* SPDX-License-Identifier: MIT
 * prans' high setting inside: what encoder, decoder and kernels share. fpgz.5 has the stream to the bit.
 * A chunk is one or two bands, each a run of consecutive values with a stream of its own. A band is cut into
 * tiles, each with one stencil of the bank, and tiles into runs whose values do not reach each other by far
 * taps. */
#ifndef FPGZ_CODEC_PRANS_HIGH_H
#define FPGZ_CODEC_PRANS_HIGH_H

#include "codec/prans/predict/refinement.h"

enum {
    PRANS_TILE = 2048,
    PRANS_PAD = 2048, /* zeros before each band that taps and neighbours may reach */
    PRANS_BANDS = 2,
    PRANS_SPECIALS = 4,
    PRANS_ROW = PRANS_TAPS + 8, /* of a system of equations, with room for whole vectors */
    PRANS_FINE = 18,            /* octaves that have four symbols a sign, where there are too many for all */

    PRANS_LEVELS = 160, /* of the neighbours' energy, in half octaves */
    PRANS_FLAGS = 32,   /* of a context besides its level: three signs, how many neighbours are special */
    PRANS_CONTEXTS = PRANS_LEVELS * PRANS_FLAGS,
    PRANS_CLASSES = 24,           /* of levels, at most */
    PRANS_ESCAPED = PRANS_LEVELS, /* context of the direct symbol behind PRANS_ESCAPE */
    PRANS_TABLES = 48,            /* of frequencies, at most */
    PRANS_SYMBOLS = 256,
    PRANS_SCALE_BITS = 12,
    PRANS_SCALE = 1 << PRANS_SCALE_BITS,

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

/* An affine lattice: value = origin + index * step. */
struct prans_lattice {
    double origin, step; /* a power of two */
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

/* Symbols' tables of a chunk as decoding wants them. */
struct prans_tables {
    uint32_t entry[PRANS_TABLES][PRANS_SCALE]; /* symbol, frequency - 1 << 8, place in it << 20 */
    struct prans_symbol symbol[PRANS_SYMBOLS];
    uint8_t of_context[PRANS_CONTEXTS];
    uint8_t of_direct[PRANS_LEVELS + 1];
    uint8_t of_length, of_distance;
    uint32_t frequent[PRANS_FREQUENT];
};

/* One band while it is decoded. `real` and `error` are arrays of the dtype. */
struct prans_band {
    void *real, *error;
    uint8_t *special;
    struct prans_rls *rls; /* of each component */
    size_t at;             /* the next value, counted from the band's first */
    uint32_t state;
    const uint8_t *words;
    const uint8_t *raw;
    uint64_t bit;
    size_t match_left, match_back;
    uint32_t recent[PRANS_REPEATS];
    bool failed;
};

enum { PRANS_RUN_WORDS = 4 * PRANS_RUN * 2, PRANS_RUN_RAW = 16 * PRANS_RUN }; /* bytes that a run may take */

struct prans_samples;

/* What a run is predicted from, each from its first value on: values, errors (which are added to), marks of
 * special values and of those that matches copy. */
struct prans_past {
    const void *real;
    void *error;
    const uint8_t *special, *copied;
};

struct prans_kernels {
    /* What the run is predicted to be, as values, and the residuals of its integers y; with `errors`, also
     * the differences of the values. */
    void (*residuals)(const struct prans_model *model, const struct prans_run *run, const void *real,
                      const void *y, void *predicted, void *residual);
    /* The same with refined predictions, and the differences of the values; rls[phase] learns. */
    void (*slow_residuals)(const struct prans_model *model, const struct prans_run *run,
                           struct prans_rls *rls, const struct prans_past *past, const void *y,
                           void *predicted, void *residual);
    void (*errors)(const void *real, const void *predicted, size_t count, void *error);
    /* The sum of log2(|residual| + 0.6) + 1.4 in 2^-16 bits, about what the residuals cost. */
    uint64_t (*cost)(const void *residual, size_t count);
    /* The contexts of a run's values. */
    void (*contexts)(const struct prans_model *model, const struct prans_run *run, const void *predicted,
                     const void *error, const uint8_t *special, uint16_t *context);
    /* Adds the samples from `first` to `end` - 1 that have this phase to normal equations. */
    void (*accumulate)(const struct prans_samples *samples, size_t first, size_t end, unsigned phase,
                       unsigned taps, double (*equations)[PRANS_ROW]);
    /* Decodes a run of each band, in turns; b may be NULL. */
    void (*decode)(const struct prans_model *model, const struct prans_tables *tables,
                   const struct prans_run *run_a, struct prans_band *a, const struct prans_run *run_b,
                   struct prans_band *b);
};

/* By [dtype is f64]. */
extern const struct prans_kernels fpgz_prans_high_c[2];
extern const struct prans_kernels fpgz_prans_high_avx2[2];
extern const struct prans_kernels fpgz_prans_high_avx512[2];

const struct prans_kernels *fpgz_prans_high_kernels(bool is_f64);

/* A chunk's values as they are predicted and coded, band by band; `real` and `error` of the dtype and
 * `special` with PRANS_PAD zeros before each band, so that special[band][-1] is one. */
struct prans_field {
    struct prans_model model;
    const struct prans_kernels *kernels;
    bool is_f64;
    unsigned bands;
    size_t first[PRANS_BANDS + 1]; /* the bands' values, counted from the chunk's first */
    size_t tiles;
    uint8_t *tile; /* the bank's stencil of each */
    unsigned stencils;
    struct prans_stencil *bank;          /* PRANS_BANK of them */
    const struct prans_lattice *lattice; /* PRANS_SLAB: of each slab */
    size_t slab;                         /* values */
    void *real[PRANS_BANDS], *error[PRANS_BANDS];
    uint8_t *special[PRANS_BANDS];
    struct prans_rls *rls; /* PRANS_PHASES of each band */
};

/* Where a tile lies. */
struct prans_place {
    unsigned band;
    size_t at, end; /* in the band */
};

struct prans_place fpgz_prans_place(const struct prans_field *field, size_t tile);

/* The run that begins at `at` of the band, and ends at `end` or before. */
struct prans_run fpgz_prans_run(const struct prans_field *field, unsigned band, size_t at, size_t end,
                                const struct prans_stencil *stencil);

/* How many tiles the bands have together. */
size_t fpgz_prans_tiles(const struct prans_field *field);

/* Completes a model whose axes, kind, shift and specials stand. */
void fpgz_prans_model(struct prans_model *model);

static inline uint64_t prans_word_at(const void *words, bool is_f64, size_t at)
{
    return is_f64 ? ((const uint64_t *)words)[at] : ((const uint32_t *)words)[at];
}

/* Whether the octave's residuals have two bits below the leading one in their symbol: all have with 32
 * octaves, 18 from `fine` on with 64. */
static inline bool fpgz_prans_fine(unsigned fine, unsigned octaves, unsigned octave)
{
    return octaves == 32 || octave - fine < PRANS_FINE;
}

/* The meanings of residual symbols, of dtypes with 32 or 64 octaves. Returns how many symbols there are. */
unsigned fpgz_prans_symbols(unsigned fine, unsigned octaves, struct prans_symbol symbol[PRANS_SYMBOLS]);

#endif
