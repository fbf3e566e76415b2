/* SPDX-License-Identifier: MIT
 * The speed of a level on raw grids in memory, one thread: the choice of a codec, encoding by it, and
 * decoding; or of one codec, which nothing is chosen for. Processor time, medians of rounds, chunks and
 * buffers as the command has them. What comes back is compared outside of the clock.
 * usage: level_bench [-LEVEL] [-c CODEC] [-r ROUNDS] FILE_AxBxC.DTYPE...
 * prints a line a file, in ns a byte, and means of MB/s over several files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "archive/setup.h"
#include "codec/auto.h"
#include "codec/codecs.h"
#include "core/bytes.h"
#include "engine/cut.h"

enum { MOST_ROUNDS = 101 };
enum stage { CHOOSE, ENCODE, DECODE, STAGES };

struct times {
    double stage[STAGES][MOST_ROUNDS];
};

/* What is measured: a level, whose codec is chosen, or `codec` in the level's chunks. */
struct way {
    const struct fpgz_level *level;
    const struct fpgz_codec *codec;
    struct fpgz_params params;
};

/* Of the files so far. */
struct sums {
    double nanoseconds[STAGES], speed[STAGES]; /* a byte; MB/s */
    unsigned files;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, unsigned rounds)
{
    qsort(times, rounds, sizeof *times, by_size);
    return times[rounds / 2];
}

/* The type and shape that a name tells: NAME_AxBxC.DTYPE. */
static bool parse(const char *path, struct fpgz_array *array)
{
    const char *const dot = strrchr(path, '.'), *shape = strrchr(path, '_');
    if (!dot || !fpgz_dtype_parse(dot + 1, &array->dtype))
        return false;
    for (array->dims = 0; shape && shape < dot && array->dims < FPGZ_MAX_DIMS;) {
        char *end;
        array->extent[array->dims++] = strtoull(shape + 1, &end, 10);
        shape = end;
    }
    return array->dims && shape == dot;
}

static bool load(const char *path, size_t bytes, struct fpgz_buffer *raw)
{
    FILE *const file = fopen(path, "rb");
    const bool ok = file && fpgz_buffer_reserve(raw, bytes) && fread(raw->data, 1, bytes, file) == bytes;
    if (file)
        fclose(file);
    return ok;
}

/* Adds the times of a chunk; returns its stored bytes, 0 where it does not come back. */
static size_t code(const struct way *way, const struct fpgz_grid *grid, const uint8_t *values,
                   struct fpgz_chunk_buffers *b, double times[STAGES])
{
    const size_t raw = fpgz_grid_bytes(grid);
    const struct fpgz_codec *codec = way->codec;
    struct fpgz_coding coding = {.params = way->params};
    struct fpgz_auto_choice choice;
    size_t length = raw;
    if (!fpgz_buffer_reserve(&b->scratch, fpgz_auto_memory(grid, way->level)) ||
        !fpgz_buffer_reserve(&b->restored, raw))
        return 0;
    const double begin = now();
    if (!codec && fpgz_auto_presumes(way->level, grid->dtype)) { /* and it is not poor */
        codec = &fpgz_prans;
        fpgz_codec_defaults(codec, &coding.params);
    }
    if (!codec) {
        fpgz_auto_choose(grid, values, way->level, b->scratch.data, &choice);
        codec = choice.candidate->codec;
        coding.params = choice.candidate->params;
    }
    const double chosen = now();
    codec->fold(grid, &coding.grid);
    if (!fpgz_buffer_reserve(&b->stream, codec->bound(&coding.grid, &coding.params)) ||
        !fpgz_buffer_reserve(&b->scratch, codec->memory(&coding.grid, &coding.params)))
        return 0;
    coding.scratch = b->scratch.data;
    const double ready = now();
    if (codec->encode(&coding, values, b->stream.data, &length))
        return 0;
    const double encoded = now();
    if (codec->decode(&coding, b->stream.data, length, b->restored.data))
        return 0;
    times[DECODE] += now() - encoded;
    if (memcmp(b->restored.data, values, raw) != 0)
        return 0;
    times[ENCODE] += encoded - ready;
    times[CHOOSE] += chosen - begin;
    return fpgz_min(length, raw);
}

static bool measure(const struct way *way, const char *path, unsigned rounds, struct fpgz_chunk_buffers *b,
                    struct sums *sums)
{
    const struct fpgz_level *const level = way->level;
    static struct times times;
    struct fpgz_array array;
    struct fpgz_cut cut;
    uint64_t all;
    size_t stored = 0;
    if (!parse(path, &array) || !fpgz_extents_bytes(array.dtype, array.extent, array.dims, &all) ||
        !load(path, all, &b->raw) ||
        !fpgz_cut_plan(array.dtype, array.extent, array.dims, level->chunk.learning, level->slab, &cut))
        return false;
    memset(&times, 0, sizeof times);
    for (unsigned round = 0; round < rounds; round++) {
        double spent[STAGES] = {0};
        stored = 0;
        for (uint64_t row = 0, rows; (rows = fpgz_cut_next(&cut, cut.shape.extent[0] - row)); row += rows) {
            const struct fpgz_grid chunk = fpgz_cut_grid(&cut, rows);
            const size_t bytes = code(way, &chunk, b->raw.data + row * cut.row_bytes, b, spent);
            if (!bytes)
                return false;
            stored += bytes;
        }
        for (unsigned s = 0; s < STAGES; s++)
            times.stage[s][round] = spent[s];
    }
    const char *const name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    printf("%-48s %10zu", name, stored);
    for (unsigned s = 0; s < STAGES; s++) {
        const double spent = 1e9 * median(times.stage[s], rounds) / (double)all;
        printf(" %7.3f", spent);
        sums->nanoseconds[s] += spent;
        sums->speed[s] += 1e3 / spent;
    }
    sums->files++;
    putchar('\n');
    fflush(stdout);
    return true;
}

static void print_means(const struct sums *sums)
{
    printf("%-67s", "MB/s encoding and decoding, arithmetic mean");
    for (unsigned s = ENCODE; s < STAGES; s++)
        printf(" %7.0f", sums->speed[s] / sums->files);
    printf("\n%-67s", "harmonic mean");
    for (unsigned s = ENCODE; s < STAGES; s++)
        printf(" %7.0f", 1e3 * sums->files / sums->nanoseconds[s]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    struct fpgz_chunk_buffers buffers = {.backend = NULL};
    struct way way = {.level = fpgz_level(FPGZ_LEVEL_DEFAULT)};
    struct sums sums = {.files = 0};
    struct fpgz_error error;
    int rounds = 7, failed = 0;
    printf("%-48s %10s %7s %7s %7s\n", "ns a byte", "stored", "choose", "encode", "decode");
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1] >= '1' && argv[i][1] <= '9') {
            way.level = fpgz_level(argv[i][1] - '0');
        } else if (!strcmp(argv[i], "-c") && i + 1 < argc) {
            if (fpgz_codec_parse(argv[++i], &way.codec, &way.params, &error)) {
                fprintf(stderr, "level_bench: %s\n", error.text);
                return 1;
            }
        } else if (!strcmp(argv[i], "-r") && i + 1 < argc) {
            rounds = atoi(argv[++i]);
        } else if (rounds < 1 || rounds > MOST_ROUNDS ||
                   !measure(&way, argv[i], (unsigned)rounds, &buffers, &sums)) {
            fprintf(stderr, "level_bench: %s: cannot be measured\n", argv[i]);
            failed = 1;
        }
    }
    if (sums.files > 1)
        print_means(&sums);
    fpgz_chunk_buffers_free(&buffers);
    return failed;
}
