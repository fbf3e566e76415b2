/* SPDX-License-Identifier: MIT
 * Grids without a wave: constant, noise, turbulence. */
#include <stdlib.h>

#include "core/bytes.h"
#include "grids_kinds.h"

void grids_constant(struct grids_source *source, void *out)
{
    const double value = 273.15 + (double)(source->seed % 1000);
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++)
        values[i] = value;
    grids_store(source, values, out);
}

void grids_noise(struct grids_source *source, void *out)
{
    /* As many random bits as the mantissa holds, so that no value rounds up to 1. */
    const unsigned bits = source->grid.dtype == FPGZ_F64 ? 53 : 24;
    const double unit = 1.0 / (double)(INT64_C(1) << bits);
    const uint64_t first = grids_key(source->seed, 1) + source->index;
    double values[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++)
        values[i] = (double)(int64_t)(grids_hash(first + i) >> (64 - bits)) * unit;
    grids_store(source, values, out);
}

/* Turbulence: each octave is a lattice of random values, half as wide and weaker by 2^(-1/3) than the one
 * before: differences over a distance l grow as l^(1/3), which is the 5/3 spectrum. The narrowest stands for
 * the scale below which eddies dissipate. */
enum { OCTAVES = 6, WIDEST = 7, NARROWEST = WIDEST - OCTAVES + 1 }; /* lattice spacings are 2^7 to 2^2 */

struct octave {
    /* Lattice rows at the corners of the cell, of the slow axes, that the segment lies in: bit d of the
     * number is set for the far side along axis d. */
    double corner[8][(GRIDS_SEGMENT >> NARROWEST) + 1];
    bool filled[8];
    uint64_t cell[4]; /* which cell these are of, and where the rows start */
};

struct turbulence {
    double fade[OCTAVES][1 << WIDEST]; /* weight of the next lattice point */
    struct octave octave[OCTAVES];
};

enum fpgz_status grids_turbulence_open(struct grids_source *source)
{
    struct turbulence *const state = source->state = calloc(1, sizeof *state);
    if (!state)
        return FPGZ_MEMORY;
    for (unsigned o = 0; o < OCTAVES; o++)
        for (unsigned i = 0; i < 1u << (WIDEST - o); i++) {
            const double t = (double)i / (double)(1u << (WIDEST - o));
            state->fade[o][i] = t * t * t * (t * (t * 6 - 15) + 10);
        }
    return FPGZ_OK;
}

/* Fills one corner's row of `points` lattice values. */
static void fill_corner(struct octave *octave, unsigned corner, size_t points, uint64_t key)
{
    for (unsigned d = 0; d < 3; d++)
        key = grids_hash(key + octave->cell[d] + (corner >> d & 1));
    for (size_t j = 0; j < points; j++)
        octave->corner[corner][j] = grids_signed(grids_hash(key + octave->cell[3] + j));
    octave->filled[corner] = true;
}

/* The lattice along the segment's row: the corners' rows, weighted. */
static void lattice_row(const struct grids_source *source, unsigned o, size_t points, double *row)
{
    static const double amplitude[OCTAVES] = {1,   0.79370052598409974, 0.62996052494743658,
                                              0.5, 0.39685026299204987, 0.31498026247371829};
    struct turbulence *const state = source->state;
    struct octave *const octave = &state->octave[o];
    const unsigned shift = WIDEST - o;
    bool same = true;
    for (unsigned d = 0; d < 4; d++) {
        same &= octave->cell[d] == source->at[d] >> shift;
        octave->cell[d] = source->at[d] >> shift;
    }
    for (unsigned c = 0; c < 8; c++)
        octave->filled[c] &= same;
    for (size_t j = 0; j < points; j++)
        row[j] = 0;
    for (unsigned c = 0; c < 8; c++) {
        double weight = amplitude[o];
        for (unsigned d = 0; d < 3; d++) {
            const double far = state->fade[o][source->at[d] & ((UINT64_C(1) << shift) - 1)];
            weight *= c >> d & 1 ? far : 1 - far;
        }
        if (weight == 0)
            continue;
        if (!octave->filled[c])
            fill_corner(octave, c, points, grids_key(source->seed, 16 + o));
        for (size_t j = 0; j < points; j++)
            row[j] += weight * octave->corner[c][j];
    }
}

void grids_turbulence_values(struct grids_source *source, double *values)
{
    const struct turbulence *const state = source->state;
    double row[(GRIDS_SEGMENT >> NARROWEST) + 1];
    for (size_t i = 0; i < source->count; i++)
        values[i] = 0;
    for (unsigned o = 0; o < OCTAVES; o++) {
        const size_t spacing = (size_t)1 << (WIDEST - o), cells = (source->count + spacing - 1) / spacing;
        lattice_row(source, o, cells + 1, row);
        const double *const fade = state->fade[o];
        for (size_t j = 0; j < cells; j++) {
            const double from = row[j], difference = row[j + 1] - from;
            double *const to = values + j * spacing;
            const size_t count = fpgz_min(spacing, source->count - j * spacing);
            for (size_t i = 0; i < count; i++)
                to[i] += from + difference * fade[i];
        }
    }
}

void grids_turbulence(struct grids_source *source, void *out)
{
    double values[GRIDS_SEGMENT];
    grids_turbulence_values(source, values);
    grids_store(source, values, out);
}
