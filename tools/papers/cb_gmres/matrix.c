/* SPDX-License-Identifier: MIT
 * Matrices on grids that stand for those of the paper: the same sizes, and numbers of the same kind. */
#include "matrix.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/status.h"

enum { DIMS = 3, POINTS_MAX = 9, UNKNOWNS_MAX = 5 };

/* A point of the grid, and an offset from one; the slowest axis first. */
struct place {
    int64_t at[DIMS];
};

/* The weights of a point's neighbours: weight[(point * unknowns + row) * unknowns + column]. */
struct model;
typedef void model_weights(const struct model *model, struct place place, double *weight);

struct model {
    const char *name, *help;
    struct place extents;
    unsigned unknowns, points;
    const struct place *offset;
    model_weights *weights;
    double velocity, shift;
};

/* Neighbours in rising order. */
static const struct place star[] = {{{-1, 0, 0}}, {{0, -1, 0}}, {{0, 0, -1}}, {{0, 0, 0}},
                                    {{0, 0, 1}},  {{0, 1, 0}},  {{1, 0, 0}}};
static const struct place hexagon[] = {{{0, -1, -1}}, {{0, -1, 0}}, {{0, 0, -1}}, {{0, 0, 0}},
                                       {{0, 0, 1}},   {{0, 1, 0}},  {{0, 1, 1}}};
static const struct place square[] = {{{0, -1, -1}}, {{0, -1, 0}}, {{0, -1, 1}}, {{0, 0, -1}}, {{0, 0, 0}},
                                      {{0, 0, 1}},   {{0, 1, -1}}, {{0, 1, 0}},  {{0, 1, 1}}};

/* Diffusion with a steady wind along each axis, by central differences, and a reaction. Walls hold zero. */
static void convection_diffusion(const struct model *model, struct place place, double *weight)
{
    double sum = 0;
    for (unsigned axis = 0; axis < DIMS; axis++) {
        const double across =
            (double)place.at[(axis + 1) % DIMS] / (double)model->extents.at[(axis + 1) % DIMS];
        const double wind = model->velocity * (0.5 + across * (1 - across) * 2);
        weight[axis] = -1 - wind;
        weight[6 - axis] = -1 + wind;
        sum += 2;
    }
    weight[3] = sum + model->shift;
}

/* One step in time of the heat equation: P1 elements on squares that are cut from upper left to lower right,
 * mass matrix + shift * stiffness matrix, in units of a square's area. A triangle has its right angle at one
 * node; only that node's edges carry stiffness. */
static void heat(const struct model *model, struct place place, double *weight)
{
    /* The six triangles around a node: the offsets of their other nodes, by number of the stencil's points;
     * and where the right angle is: at the node, or at the first or the second of them. */
    static const uint8_t triangle[6][3] = {{4, 6, 1}, {5, 6, 1}, {0, 1, 2}, {0, 2, 2}, {2, 5, 0}, {1, 4, 0}};
    for (unsigned t = 0; t < 6; t++) {
        const unsigned first = triangle[t][0], second = triangle[t][1], right = triangle[t][2];
        bool inside = true;
        for (unsigned axis = 0; axis < DIMS; axis++)
            for (unsigned i = 0; i < 2; i++) {
                const int64_t at = place.at[axis] + model->offset[triangle[t][i]].at[axis];
                inside &= at >= 0 && at < model->extents.at[axis];
            }
        if (!inside)
            continue;
        weight[3] += 1.0 / 12 + model->shift * (right == 0 ? 1 : 0.5);
        weight[first] += 1.0 / 24 - model->shift * (right == 2 ? 0 : 0.5);
        weight[second] += 1.0 / 24 - model->shift * (right == 1 ? 0 : 0.5);
    }
}

/* Five unknowns a cell whose scales are 2^-6 apart, coupled to those of the 9 cells around: D C D^-1 with a
 * diagonal D of scales, so that the vectors of a Krylov space take on these scales. */
static void scaled_flow(const struct model *model, struct place place, double *weight)
{
    for (unsigned point = 0; point < model->points; point++)
        for (unsigned row = 0; row < model->unknowns; row++)
            for (unsigned column = 0; column < model->unknowns; column++) {
                const struct place offset = model->offset[point];
                const bool centre = !offset.at[1] && !offset.at[2];
                const double wind = model->velocity * (double)(offset.at[1] + 2 * offset.at[2]) / 3;
                double w = row == column ? centre ? 8 + model->shift : -1 + wind
                                         : 0.05 * sin((double)(3 * row + 5 * column + 7 * point) +
                                                      0.01 * (double)(place.at[1] - place.at[2]));
                w = ldexp(w, 6 * ((int)column - (int)row));
                weight[(point * model->unknowns + row) * model->unknowns + column] = w;
            }
}

static const struct model models[] = {
    {"atmosmodd",
     "convection-diffusion, 7 points, as atmosmodd and atmosmodj",
     {{58, 148, 148}},
     1,
     7,
     star,
     convection_diffusion,
     0.3,
     0.02},
    {"atmosmodl",
     "convection-diffusion, 7 points, as atmosmodl and atmosmodm",
     {{38, 198, 198}},
     1,
     7,
     star,
     convection_diffusion,
     0.1,
     0.1},
    {"parabolic_fem",
     "a step of the heat equation, P1 triangles, as parabolic_fem",
     {{1, 513, 1025}},
     1,
     7,
     hexagon,
     heat,
     0,
     100},
    {"PR02R",
     "flow of 5 unknowns a cell, whose scales reach from 2^0 to 2^-24, as PR02R",
     {{1, 182, 177}},
     5,
     9,
     square,
     scaled_flow,
     0.4,
     0.5},
};
enum { MODELS = sizeof models / sizeof models[0] };

void matrix_list(void)
{
    for (unsigned i = 0; i < MODELS; i++)
        printf("  %-14s %s\n", models[i].name, models[i].help);
}

enum fpgz_status matrix_allocate(struct matrix *matrix, uint64_t rows, uint64_t entries,
                                 struct fpgz_error *error)
{
    *matrix = (struct matrix){.rows = rows, .entries = entries};
    if (!rows || rows > UINT32_MAX || entries > UINT64_MAX / 16)
        return fpgz_fail(error, FPGZ_UNSUPPORTED, "a matrix has 1 to 2^32 - 1 rows, not %" PRIu64, rows);
    matrix->start = calloc(rows + 1, sizeof *matrix->start);
    matrix->column = malloc((entries + 1) * sizeof *matrix->column);
    matrix->value = malloc((entries + 1) * sizeof *matrix->value);
    if (matrix->start && matrix->column && matrix->value)
        return FPGZ_OK;
    matrix_free(matrix);
    return fpgz_fail(error, FPGZ_MEMORY, "no memory for a matrix of %" PRIu64 " entries", entries);
}

void matrix_free(struct matrix *matrix)
{
    free(matrix->start);
    free(matrix->column);
    free(matrix->value);
    *matrix = (struct matrix){0};
}

/* A cell's rows, behind the entries that are there. */
static void add_cell(const struct model *model, struct place place, uint64_t cell, struct matrix *matrix)
{
    const unsigned unknowns = model->unknowns;
    double weight[POINTS_MAX * UNKNOWNS_MAX * UNKNOWNS_MAX] = {0};
    model->weights(model, place, weight);
    for (unsigned row = 0; row < unknowns; row++) {
        for (unsigned point = 0; point < model->points; point++) {
            int64_t other = 0;
            bool inside = true;
            for (unsigned axis = 0; axis < DIMS; axis++) {
                const int64_t at = place.at[axis] + model->offset[point].at[axis];
                inside &= at >= 0 && at < model->extents.at[axis];
                other = other * model->extents.at[axis] + at;
            }
            for (unsigned column = 0; inside && column < unknowns; column++, matrix->entries++) {
                matrix->column[matrix->entries] = (uint32_t)((uint64_t)other * unknowns + column);
                matrix->value[matrix->entries] = weight[(point * unknowns + row) * unknowns + column];
            }
        }
        matrix->start[cell * unknowns + row + 1] = matrix->entries;
    }
}

static enum fpgz_status generate(const struct model *model, struct matrix *matrix, struct fpgz_error *error)
{
    const int64_t *const extent = model->extents.at;
    const uint64_t cells = (uint64_t)(extent[0] * extent[1] * extent[2]);
    struct place place;
    uint64_t cell = 0;
    if (matrix_allocate(matrix, cells * model->unknowns,
                        cells * model->points * model->unknowns * model->unknowns, error))
        return error->status;
    matrix->entries = 0;
    for (place.at[0] = 0; place.at[0] < extent[0]; place.at[0]++)
        for (place.at[1] = 0; place.at[1] < extent[1]; place.at[1]++)
            for (place.at[2] = 0; place.at[2] < extent[2]; place.at[2]++)
                add_cell(model, place, cell++, matrix);
    return FPGZ_OK;
}

/* "29x74x74", or two extents for models that have two. */
static bool parse_extents(const char *text, struct model *model)
{
    unsigned axis = model->extents.at[0] == 1;
    for (int used; axis < DIMS; axis++, text += used) {
        unsigned extent;
        if (sscanf(text, "%5u%n", &extent, &used) != 1 || !extent || extent > 4096)
            return false;
        model->extents.at[axis] = extent;
        if (text[used] != (axis + 1 < DIMS ? 'x' : '\0'))
            return false;
        used += axis + 1 < DIMS;
    }
    return model->extents.at[0] * model->extents.at[1] * model->extents.at[2] <= 1 << 26;
}

enum fpgz_status matrix_make(const char *name, struct matrix *matrix, struct fpgz_error *error)
{
    const char *const colon = strchr(name, ':');
    const size_t length = colon ? (size_t)(colon - name) : strlen(name);
    for (unsigned i = 0; i < MODELS; i++) {
        struct model model = models[i];
        if (strlen(model.name) != length || strncmp(model.name, name, length) != 0)
            continue;
        if (colon && !parse_extents(colon + 1, &model))
            return fpgz_fail(error, FPGZ_USAGE, "%s: extents are %s, as in %s:%s, of 2^26 points at most",
                             name, model.extents.at[0] == 1 ? "two" : "three", model.name,
                             model.extents.at[0] == 1 ? "65x129" : "29x74x74");
        return generate(&model, matrix, error);
    }
    return matrix_read(name, matrix, error);
}
