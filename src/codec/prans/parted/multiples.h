/* SPDX-License-Identifier: MIT
 * Which base numbers are multiples of, that are not exact. */
#ifndef FPGZ_CODEC_PRANS_PARTED_MULTIPLES_H
#define FPGZ_CODEC_PRANS_PARTED_MULTIPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum {
    PARTED_SAMPLES = 512,
    PARTED_FEW = 128,   /* of these, which tell what is not worth all */
    PARTED_TRIALS = 16, /* of gaps in threes */
    PARTED_SPAN = 256,  /* multiples that a divisor's error leaves as they are */
};

/* Distances between numbers, each exact to its error. */
struct parted_gaps {
    size_t count;
    double number[PARTED_SAMPLES], error[PARTED_SAMPLES];
};

/* A number of `size` bytes, f32 or f64. */
static inline double parted_real(const void *value, size_t size)
{
    double real;
    float single;
    if (size == sizeof real) {
        memcpy(&real, value, sizeof real);
        return real;
    }
    memcpy(&single, value, sizeof single);
    return single;
}

static inline double parted_magnitude(double real)
{
    return real < 0 ? -real : real;
}

/* The nearest integer. */
static inline double parted_nearest(double real)
{
    const double magic = 0x1.8p52;
    return parted_magnitude(real) < 0x1p51 ? (real + magic) - magic : real;
}

/* Whether one base is the other one, or a few of it, but for a thousandth. */
static inline bool parted_is_same(double a, double b)
{
    enum { FEW = 64, SAME_PART = 1024 };
    const double times = a > b ? a / b : b / a;
    return times < FEW && parted_magnitude(times - parted_nearest(times)) < times / SAME_PART;
}

/* Adds the distance between numbers that differ and have `digits` binary digits behind the first one. */
void fpgz_prans_add_gap(double from, double to, unsigned digits, struct parted_gaps *gaps);

/* What three of at least three gaps may be multiples of; trials differ in which. */
double fpgz_prans_divisor(const struct parted_gaps *gaps, unsigned trial);

/* A base near `base` that fits more of the numbers, from those that are near multiples of it: of at most
 * `span` of it first. */
double fpgz_prans_refine(const double *number, size_t count, double base, double span);

/* Whether most of a few of the numbers lie near multiples of a base, if that is one. */
bool fpgz_prans_fits(const double *number, size_t count, double base);

enum { PARTED_LEAST = 4 /* errors: steps below are none */ };

/* The base, at least `least` errors, of which the steps, each exact to about `error`, are multiples; 0 where
 * there seems to be none. `count` numbers with such steps between them make it exact, if they have one
 * origin. */
double fpgz_prans_step(const struct parted_gaps *steps, double error, double least, const double *real,
                       size_t count);

#endif
