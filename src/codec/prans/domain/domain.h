/* SPDX-License-Identifier: MIT
 * Value domains: what a chunk's values are, so that they can be coded as small integers. Special values stand
 * apart in each of them. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_DOMAIN_H
#define FPGZ_CODEC_PRANS_DOMAIN_DOMAIN_H

#include <string.h>

#include "codec/codec.h"
#include "codec/prans/entropy/range.h"
#include "core/cpu.h"

enum { PRANS_SPECIALS = 4 /* values that stand apart, at most */ };

/* What words are; a struct of zeros is of floating-point numbers. */
enum prans_number { PRANS_REAL, PRANS_SIGNED, PRANS_UNSIGNED };

static inline enum prans_number prans_number_of(enum fpgz_dtype dtype)
{
    const char kind = fpgz_dtypes[dtype].kind;
    return kind == 'f' ? PRANS_REAL : kind == 'i' ? PRANS_SIGNED : PRANS_UNSIGNED;
}

/* An affine lattice: value = origin + index * step. */
struct prans_lattice {
    double origin, step; /* a power of two */
};

/* The numbers are the stream's. */
enum prans_domain_id {
    PRANS_DOMAIN_FLOAT = 0,
    PRANS_DOMAIN_LATTICE = 1, /* value = (origin + step * integer) / scale */
    PRANS_DOMAIN_RANK = 2,    /* the integer is the value's rank among all distinct ones */
    PRANS_DOMAIN_SLAB = 3,    /* value = the slab's origin + integer * its step */
    PRANS_DOMAINS = 4,        /* those that all formats have */
    PRANS_DOMAIN_SPLIT =
        4, /* float, and `shift` low bits that are coded on their own (low_bits.h): only high */
    PRANS_DOMAIN_INTEGER = 5, /* value = origin + step * integer, wrapping: only of integers */
    PRANS_DOMAIN_DECIMAL = 6, /* the integer numbers decimals of some digits (decimal.h): only bins */
    PRANS_DOMAIN_NEAREST = 7, /* in streams alone: DECIMAL, of f64, with `nearest` */
};

enum {
    PRANS_DECIMALS = 16,               /* scales 10^0 to 10^15; behind them the powers of two */
    PRANS_POWERS = 64,                 /* of ten that decimals are multiplied with, and divided by */
    PRANS_DECADES = 128,               /* that the integers of decimals tell apart */
    PRANS_ENTRIES = PRANS_DOMAINS + 1, /* of the table of domains: those of all formats, and DECIMAL */
    PRANS_SPECIAL_SAMPLES = 1 << 12, /* values that special ones are sought among, or a lattice: the first of
                                        these */
    PRANS_LATTICE_SAMPLES = 1 << 11,
    PRANS_EXCEPTION_PART = 32, /* of so many values one may be none of the lattice */
    PRANS_LOOKED_BACK = 64,    /* values behind which one is an ordinary one, if an exception asks for it */
    PRANS_DISTINCT_PART = 5,   /* of so many values one may be a distinct one, for ranks */
};

/* How often values return is told by an eighth of them, in runs, unless there are few: where so many of these
 * stand there once, the distinct ones are too many for ranks, even if each stood five times. */
enum {
    PRANS_RETURN_LEAST = 1 << 16,
    PRANS_RETURN_RUN = 16,
    PRANS_RETURN_PERIOD = 8 * PRANS_RETURN_RUN,
    PRANS_RETURN_PERCENT = 64,
};

struct prans_domain {
    enum prans_number number;
    uint16_t infinity; /* of halves: the word of infinity << 1 */
    enum prans_domain_id id;
    unsigned shift; /* PRANS_DOMAIN_FLOAT: low bits that are 0 in all ordinary values; of SPLIT: apart */
    unsigned specials;
    uint64_t special[PRANS_SPECIALS]; /* their bits */
    unsigned scale;                   /* a decimal exponent, or PRANS_DECIMALS + 32 + a binary one */
    unsigned digits;                  /* of DECIMAL: 1 to 15, of f32 to 7 */
    int decade;                       /* the least power of ten: above -PRANS_POWERS, below PRANS_POWERS */
    bool nearest;                     /* decimals are next to their numbers, however large powers are */
    int64_t origin;                   /* of LATTICE and INTEGER */
    uint64_t step;
    size_t slab, slabs;            /* values of a slab, and how many there are */
    struct prans_lattice *lattice; /* of each slab; steps are powers of two */
    size_t exceptions;             /* values that are none of the lattice, or lattices */
    uint32_t *exception;           /* where they are */
    void *exact;                   /* what they are, as words of the dtype */
    size_t distinct;
    void *dictionary; /* the distinct values' places among all numbers, rising, as words */
};

/* Room for a grid's exceptions and dictionary, and for finding them. */
struct prans_domain_room {
    uint32_t *exception;
    void *exact, *dictionary;
    uint32_t *slots; /* 2^slot_bits, a hash table of distinct values */
    unsigned slot_bits;
    size_t slab;       /* values, of which the grid is a multiple */
    double known_step; /* most slabs must have larger ones to be entered */
    struct prans_lattice *lattice;
};

/* For as many values: twice as many slots as there may be distinct ones, and more. */
static inline unsigned prans_slot_bits(size_t values)
{
    unsigned bits = 4;
    while (((size_t)1 << bits) < 2 * (values / PRANS_DISTINCT_PART + 1))
        bits++;
    return bits;
}

/* Of words of one width. Values are of the dtype, `flag` a byte a value: 0, or the number of its special
 * value plus 1; y are words. */
struct prans_domain_kernels {
    /* Finds the special values. */
    void (*specials)(const void *values, size_t count, struct prans_domain *domain);
    void (*flags)(const void *values, size_t count, const struct prans_domain *domain, uint8_t *flag);
    /* Whether the values are in the domain `id`: its parameters, and their integers. Those of
     * special values mean nothing. */
    bool (*enter[PRANS_ENTRIES])(const void *values, const uint8_t *flag, size_t count,
                                 const struct prans_domain_room *room, struct prans_domain *domain, void *y);
    /* The first half of entering LATTICE: the smallest scale that fits a sample; false when none does. flag:
     * NULL without special values. */
    bool (*scale)(const void *values, const uint8_t *flag, size_t count, unsigned *scale);
    /* Whether a sample has as many values more than once as RANK has at least: where it has not, distinct()
     * is false. It uses the room. */
    bool (*repeats)(const void *values, const uint8_t *flag, size_t count, struct prans_domain_room room,
                    const struct prans_domain *domain);
    /* The first half of entering RANK, and the second one, for these values or for some of them: as long as
     * nothing else uses the room. */
    bool (*distinct)(const void *values, const uint8_t *flag, size_t count,
                     const struct prans_domain_room *room, struct prans_domain *domain);
    void (*ranks)(const void *values, const uint8_t *flag, size_t count, const struct prans_domain_room *room,
                  const struct prans_domain *domain, void *y);
    /* How many of `count` integers have a successor among them, about: where most do, ranks save nothing. */
    size_t (*followed)(const void *y, size_t count);
    /* Makes special values ordinary ones of RANK, of which the room has the first half. False if there are
     * then too many distinct ones. */
    bool (*widen)(size_t count, const struct prans_domain_room *room, struct prans_domain *domain);
    /* The reverse: what the room has is that of `domain` again, which was widened. */
    void (*narrow)(const struct prans_domain_room *room, const struct prans_domain *domain);
    /* Enters PRANS_DOMAIN_SPLIT with `shift` low bits, which takes all values. */
    void (*enter_split)(const void *values, size_t count, unsigned shift, struct prans_domain *domain,
                        void *y);
    /* What predictions are made from: the values or, of the other domains, the integers. */
    void (*reals)(const struct prans_domain *domain, size_t first, const void *values, const void *y,
                  size_t count, void *real);
    /* The values from what predictions were made from; exceptions apart. */
    void (*leave)(const struct prans_domain *domain, const void *real, const uint8_t *flag, size_t count,
                  void *values);
    /* About how many bits code() takes. */
    uint64_t (*description)(const struct prans_domain *domain);
    /* Writes or reads the parameters. False when they do not fit `count` values. */
    void (*code)(struct prans_range *r, size_t count, const struct prans_domain_room *room,
                 struct prans_domain *domain);
};

extern fpgz_word_kernels fpgz_prans_domain_kernels;

static inline const struct prans_domain_kernels *prans_domain_of(bool is_f64)
{
    return (const struct prans_domain_kernels *)fpgz_cpu_choose_word(fpgz_prans_domain_kernels,
                                                                     is_f64 ? 8 : 4);
}

/* clang-format off */
#define PRANS_POWERS_OF_TEN \
    {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, \
     1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31, 1e32, 1e33, \
     1e34, 1e35, 1e36, 1e37, 1e38, 1e39, 1e40, 1e41, 1e42, 1e43, 1e44, 1e45, 1e46, 1e47, 1e48, 1e49, \
     1e50, 1e51, 1e52, 1e53, 1e54, 1e55, 1e56, 1e57, 1e58, 1e59, 1e60, 1e61, 1e62, 1e63}
/* clang-format on */

extern const double fpgz_prans_powers[PRANS_POWERS];

/* power_pairs.h */
extern const double fpgz_prans_power_pairs[2 * PRANS_POWERS - 1][2];

/* 2^exponent, a normal number. */
static inline double prans_power_of_two(int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* Whether values may be none of the domain: exceptions, which stand in a room that such domains share. */
static inline bool fpgz_prans_has_exceptions(enum prans_domain_id id)
{
    return id == PRANS_DOMAIN_LATTICE || id == PRANS_DOMAIN_SLAB || id == PRANS_DOMAIN_DECIMAL;
}

/* What lattices of this scale are divided by. */
static inline double fpgz_prans_scale_of(unsigned scale)
{
    if (scale < PRANS_DECIMALS)
        return fpgz_prans_powers[scale];
    const uint64_t bits = (uint64_t)(1023 + (int)scale - PRANS_DECIMALS - 32) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* What the integers of a lattice, of which one is `least`, leave when their step is taken from them. */
static inline int64_t fpgz_prans_lattice_origin(int64_t least, int64_t step)
{
    const int64_t rest = least % step;
    return rest < 0 ? rest + step : rest;
}

/* INTEGER, of words of `bits` bits: the step divides all distances from the word whose place is the least.
 * That is the origin, too, or of signed integers on both sides of 0 what lies next to 0. Returns how many
 * steps the least word lies below the origin. */
uint64_t fpgz_prans_set_integers(struct prans_domain *domain, unsigned bits, uint64_t least, uint64_t step);

/* Puts the exceptions among the `count` values from number `first` on where they belong. */
void fpgz_prans_put_exceptions(const struct prans_domain *domain, bool is_f64, size_t first, size_t count,
                               void *values);

/* The domain's name and its special values, into *traits. */
void fpgz_prans_domain_traits(const struct prans_domain *domain, struct fpgz_traits *traits);

#endif
