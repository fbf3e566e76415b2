/* SPDX-License-Identifier: MIT
 * What the kinds of grids share. */
#ifndef FPGZ_TOOLS_GRIDS_KINDS_H
#define FPGZ_TOOLS_GRIDS_KINDS_H

#include <float.h>

#include "grids.h"

#if FLT_EVAL_METHOD != 0
#error "wider intermediate results would change the grids"
#endif

/* The longest segment. Tables along a row have this length, however long the row is. */
enum { GRIDS_SEGMENT = 4096 };

struct grids_source {
    const struct grids_kind *kind;
    struct fpgz_grid grid;
    uint64_t seed;
    void *state; /* from calloc() */

    /* The shape with missing axes as extents of 1 in front; open() may merge and move axes. */
    uint64_t extent[4];
    /* The next segment: coordinates and row-major index of its first value, and its length. It never crosses
     * the end of a row, and at[3] is a multiple of GRIDS_SEGMENT. */
    uint64_t at[4], index;
    size_t count;

    uint64_t left; /* values that no segment has covered yet */
    size_t used, buffered;
    _Alignas(8) uint8_t buffer[8 * GRIDS_SEGMENT];
};

/* splitmix64 of k: all that is random here is a hash of where it stands. */
static inline uint64_t grids_hash(uint64_t k)
{
    uint64_t z = k + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* An independent sequence's key. Far apart, so that key + index of two sequences hardly ever meet. */
static inline uint64_t grids_key(uint64_t seed, uint64_t sequence)
{
    return grids_hash(grids_hash(seed) ^ (sequence * 0xD6E8FEB86659FD93u));
}

/* A hash as a number in [-1,1). */
static inline double grids_signed(uint64_t hash)
{
    return (double)(int32_t)(hash >> 32) * 0x1p-31;
}

/* Sine of phase / 2^64 turns, to 1e-13. */
static inline double grids_sine(uint64_t phase)
{
    /* The half turn around 1/2 is mirrored; the Taylor series then has |x| <= 1/2 half turns. */
    const uint64_t mirror = (phase + (UINT64_C(1) << 62)) >> 63 ? UINT64_C(1) << 63 : 0;
    const uint64_t folded = mirror ? mirror - phase : phase;
    const double x = (double)(int64_t)folded * 0x1p-63, xx = x * x;
    double sum = 7.952054001475513e-07;
    sum = sum * xx - 2.1915353447830217e-05;
    sum = sum * xx + 0.00046630280576761255;
    sum = sum * xx - 0.0073704309457143504;
    sum = sum * xx + 0.08214588661112823;
    sum = sum * xx - 0.5992645293207921;
    sum = sum * xx + 2.5501640398773455;
    sum = sum * xx - 5.16771278004997;
    sum = sum * xx + 3.141592653589793;
    return sum * x;
}

/* The phase step whose period lies in [low, high) samples, of either sign. */
uint64_t grids_step(uint64_t hash, uint64_t low, uint64_t high);

/* The segment's values, rounded to the dtype. */
void grids_store(const struct grids_source *source, const double *values, void *out);

/* The segment's words, of which narrow dtypes take the low bits. */
void grids_store_words(const struct grids_source *source, const uint64_t *words, void *out);

/* grids_vectors.c: the formulas of the digests in tests/vectors. */
enum fpgz_status grids_walk_open(struct grids_source *source);
void grids_walk(struct grids_source *source, void *out);
void grids_poly(struct grids_source *source, void *out);
void grids_rand(struct grids_source *source, void *out);
void grids_spec(struct grids_source *source, void *out);
void grids_zero(struct grids_source *source, void *out);
void grids_kry(struct grids_source *source, void *out);

/* grids_wave.c */
enum fpgz_status grids_wave_open(struct grids_source *source);
void grids_wave(struct grids_source *source, void *out);
enum fpgz_status grids_special_open(struct grids_source *source);
void grids_special(struct grids_source *source, void *out);

/* grids_noise.c */
void grids_constant(struct grids_source *source, void *out);
void grids_noise(struct grids_source *source, void *out);
enum fpgz_status grids_turbulence_open(struct grids_source *source);
void grids_turbulence(struct grids_source *source, void *out);

/* The field, of about -2 to 2, before it is rounded. */
void grids_turbulence_values(struct grids_source *source, double *values);

/* grids_numbers.c; those without an open() of their own take grids_turbulence_open(), or none */
void grids_packed(struct grids_source *source, void *out);
void grids_unpacked(struct grids_source *source, void *out);
void grids_counts(struct grids_source *source, void *out);
void grids_image(struct grids_source *source, void *out);
void grids_times(struct grids_source *source, void *out);
void grids_mask(struct grids_source *source, void *out);
void grids_classes(struct grids_source *source, void *out);
void grids_rain(struct grids_source *source, void *out);
void grids_weights(struct grids_source *source, void *out);

/* The sum of four uniform values: nearly normal, of variance 1. */
double grids_normal(uint64_t hash);

/* grids_records.c */
void grids_particles(struct grids_source *source, void *out);
void grids_samples(struct grids_source *source, void *out);
void grids_sensors(struct grids_source *source, void *out);
void grids_strain(struct grids_source *source, void *out);
void grids_rates(struct grids_source *source, void *out);
void grids_radians(struct grids_source *source, void *out);
void grids_station(struct grids_source *source, void *out);
void grids_columns(struct grids_source *source, void *out);
void grids_channels(struct grids_source *source, void *out);
void grids_quantized(struct grids_source *source, void *out);
void grids_coefficients(struct grids_source *source, void *out);
void grids_network(struct grids_source *source, void *out);
void grids_calibrated(struct grids_source *source, void *out);
void grids_catalogue(struct grids_source *source, void *out);
void grids_outlines(struct grids_source *source, void *out);
void grids_checkpoint(struct grids_source *source, void *out);
void grids_regions(struct grids_source *source, void *out);
void grids_map(struct grids_source *source, void *out);
void grids_levels(struct grids_source *source, void *out);

/* grids_repeats.c */
void grids_repeats(struct grids_source *source, void *out);
void grids_mirrored(struct grids_source *source, void *out);
void grids_pairs(struct grids_source *source, void *out);
void grids_clock(struct grids_source *source, void *out);
void grids_symmetric(struct grids_source *source, void *out);

/* grids_physics.c */
enum fpgz_status grids_light_open(struct grids_source *source);
void grids_light(struct grids_source *source, void *out);
enum fpgz_status grids_visibilities_open(struct grids_source *source);
void grids_visibilities(struct grids_source *source, void *out);

#endif
