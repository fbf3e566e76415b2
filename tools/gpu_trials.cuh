/* SPDX-License-Identifier: MIT
 * What gpu_bench measures: codecs and the generated grids for them. */
#pragma once

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_traffic.cuh"

extern "C" {
#include "engine/device.h"
#include "grids.h"
}

/* A codec as --codec names it, and the grid that it is measured on: grids_parse()'s shape, with a first
 * extent of 0 for as many slices as GRID_BYTES take. */
struct trial {
    const char *codec;
    enum fpgz_dtype dtype;
    const char *shape;
};

static const struct trial usual[] = {
    {"ndzip", FPGZ_F32, "512x512x512"},         {"ndzip", FPGZ_F32, "8192x16384"},
    {"ndzip", FPGZ_F32, "134217728"},           {"ndzip", FPGZ_F64, "256x512x512"},
    {"ndzip", FPGZ_F64, "8192x8192"},           {"ndzip", FPGZ_F64, "67108864"},
    {"gfc", FPGZ_F64, "256x512x512"},           {"mpc", FPGZ_F32, "512x512x512"},
    {"mpc", FPGZ_F64, "256x512x512"},           {"frsz2:bits=16", FPGZ_F64, "256x512x512"},
    {"frsz2:bits=32", FPGZ_F64, "256x512x512"}, {"predict", FPGZ_F32, "512x512x512"},
    {"predict", FPGZ_F64, "256x512x512"},       {"arith:block=4096", FPGZ_U8, "512x512x512"},
};

/* Grids that are hard for kernels: small and thin slices, rows and planes whose ends are no ends of lines of
 * memory, and hypercubes with a border. Of waves alone. */
static const struct trial hard[] = {
    {"ndzip", FPGZ_F32, "0x100x100"},   {"ndzip", FPGZ_F32, "0x64x99"},     {"ndzip", FPGZ_F32, "0x1001"},
    {"ndzip", FPGZ_F64, "0x100x100"},   {"ndzip", FPGZ_F64, "0x64x99"},     {"ndzip", FPGZ_F64, "0x1001"},
    {"predict", FPGZ_F32, "0x100x100"}, {"predict", FPGZ_F32, "0x40x90"},   {"predict", FPGZ_F32, "0x251"},
    {"predict", FPGZ_F32, "0x24"},      {"predict", FPGZ_F64, "0x100x100"}, {"predict", FPGZ_F64, "0x40x90"},
    {"predict", FPGZ_F64, "0x251"},     {"predict", FPGZ_F64, "0x24"},
};

static const char *const kinds[] = {"wave", "turbulence"};

struct source {
    enum fpgz_dtype dtype;
    const char *shape, *kind;
    struct fpgz_grid grid;
    uint8_t *values; /* pinned */
    struct fpgz_error error;
    pthread_t thread;
};

enum { MOST_SOURCES = 128 };

static struct source sources[MOST_SOURCES];
static unsigned source_count;

static void *generate(void *argument)
{
    struct source *s = (struct source *)argument;
    grids_fill(s->kind, &s->grid, 1, s->values, &s->error);
    return NULL;
}

/* The values of a trial for bytes are those of numbers. */
static enum fpgz_dtype generated_dtype(const struct trial *trial)
{
    return trial->dtype == FPGZ_U8 ? FPGZ_F32 : trial->dtype;
}

static struct source *source_of(const struct trial *trial, const char *kind)
{
    for (unsigned i = 0; i < source_count; i++)
        if (sources[i].dtype == generated_dtype(trial) && !strcmp(sources[i].shape, trial->shape) &&
            !strcmp(sources[i].kind, kind))
            return &sources[i];
    return NULL;
}

/* Begins to generate a trial's grid, unless there is one already. */
static void begin_source(const struct trial *trial, const char *kind)
{
    if (source_of(trial, kind))
        return;
    if (source_count == MOST_SOURCES) {
        fprintf(stderr, "gpu_bench: more than %u grids\n", (unsigned)MOST_SOURCES);
        exit(EXIT_FAILURE);
    }
    struct source *s = &sources[source_count++];
    s->dtype = generated_dtype(trial);
    s->shape = trial->shape;
    s->kind = kind;
    if (grids_parse(fpgz_dtype_name(s->dtype), s->shape, &s->grid, &s->error)) {
        fprintf(stderr, "gpu_bench: %s\n", s->error.text);
        exit(EXIT_FAILURE);
    }
    if (!s->grid.extent[0]) {
        s->grid.extent[0] = 1;
        s->grid.extent[0] = GRID_BYTES / fpgz_grid_bytes(&s->grid);
    }
    must(cudaHostAlloc((void **)&s->values, fpgz_grid_bytes(&s->grid), cudaHostAllocDefault), "host memory");
    if (pthread_create(&s->thread, NULL, generate, s) != 0)
        abort();
}

static void end_sources(void)
{
    for (unsigned i = 0; i < source_count; i++) {
        pthread_join(sources[i].thread, NULL);
        check(sources[i].error.status == FPGZ_OK, sources[i].error.text);
    }
}

/* What is measured. */
static struct chosen {
    struct trial trial;
    bool hard;
} chosen[MOST_SOURCES];
static unsigned chosen_count;

static unsigned kinds_of(const struct chosen *choice)
{
    return choice->hard ? 1 : sizeof kinds / sizeof *kinds;
}

static void choose(const struct trial *trial, bool is_hard)
{
    const struct fpgz_codec *codec = fpgz_codec_by_name(trial->codec, strcspn(trial->codec, ":"));
    if (chosen_count == MOST_SOURCES || !codec || !(codec->dtypes >> trial->dtype & 1) ||
        !fpgz_device_has(codec, true))
        return;
    struct chosen *const choice = &chosen[chosen_count++];
    *choice = {*trial, is_hard};
    for (unsigned k = 0; k < kinds_of(choice); k++)
        begin_source(trial, kinds[k]);
}

/* Those of `count` trials whose codec is named, or all. */
static void choose_named(const struct trial *trials, unsigned count, bool are_hard, char **names)
{
    for (unsigned t = 0; t < count; t++) {
        const size_t length = strcspn(trials[t].codec, ":");
        bool named = !*names;
        for (char **name = names; *name; name++)
            named |= strlen(*name) == length && !strncmp(*name, trials[t].codec, length);
        if (named)
            choose(&trials[t], are_hard);
    }
}

/* The codecs on the grids of `-g DTYPE SHAPE`, of which `grids` is the first; false for a dtype that is none.
 */
static bool choose_given(char **grids, char **codecs)
{
    for (; grids < codecs; grids += 3)
        for (char **codec = codecs; *codec; codec++) {
            struct trial trial = {*codec, FPGZ_F32, grids[2]};
            if (!fpgz_dtype_parse(grids[1], &trial.dtype))
                return false;
            choose(&trial, true);
        }
    return true;
}
