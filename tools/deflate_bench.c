/* SPDX-License-Identifier: MIT
 * The speed of core/deflate beside zlib's, in one run. Each input's first chunk is taken as it is and with
 * its bytes shuffled; the two encoders take turns, and the least processor time of a few rounds counts.
 * usage: deflate_bench [-r ROUNDS] [-c BYTES] [FILE]...   chunks of 1 MiB or as many bytes; raw grids, whose
 * names end in their dtypes, such as f32; generated ones without a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "core/bytes.h"
#include "core/deflate/deflate.h"
#include "grids.h"

enum { CHUNK = 1 << 20, LEVELS = 9, MOST = 256 /* chunks a table is made of */ };

static uint8_t scratch[CHUNK + 1], *ours, *theirs;
static void *memory;
static size_t room, chunk_bytes = CHUNK;

struct table {
    double ratio[LEVELS + 1][MOST], ours[LEVELS + 1], theirs[LEVELS + 1];
    size_t count, bytes;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* Times one chunk at one level. The streams must be the same where zlib is the one that is reproduced. */
static void measure(struct table *table, unsigned level, const uint8_t *data, size_t bytes, size_t rounds)
{
    const struct fpgz_deflate how = {.level = level, .memory_level = 8};
    double our_time = 1e9, their_time = 1e9;
    size_t our_length = 0;
    uLongf their_length = 0;
    for (size_t round = 0; round < rounds; round++) {
        const double begin = now();
        if (fpgz_deflate_encode(&how, data, bytes, memory, ours, room, &our_length))
            abort();
        const double middle = now();
        their_length = room;
        if (compress2(theirs, &their_length, data, bytes, (int)level) != Z_OK)
            abort();
        our_time = least(our_time, middle - begin);
        their_time = least(their_time, now() - middle);
    }
    if (our_length != their_length || memcmp(ours, theirs, our_length) != 0)
        fprintf(stderr, "level %u: other bytes than the zlib here\n", level);
    table->ratio[level][table->count] = their_time / our_time;
    table->ours[level] += our_time;
    table->theirs[level] += their_time;
}

static void shuffle(const uint8_t *words, uint8_t *planes, size_t bytes, size_t width)
{
    for (size_t i = 0; i < bytes; i++)
        planes[i % width * (bytes / width) + i / width] = words[i];
}

static void add(struct table *tables, const uint8_t *data, size_t bytes, size_t width, size_t rounds)
{
    shuffle(data, scratch, bytes, width);
    for (unsigned shuffled = 0; shuffled < 2; shuffled++) {
        struct table *const table = &tables[shuffled];
        if (table->count == MOST)
            return;
        for (unsigned level = 1; level <= LEVELS; level++)
            measure(table, level, shuffled ? scratch : data, bytes, rounds);
        table->count++;
        table->bytes += bytes;
    }
}

static void add_file(struct table *tables, const char *path, size_t rounds)
{
    const size_t name = strlen(path), digits = strspn(path + name - 2, "0123456789");
    const size_t width = name > 2 && digits == 2 ? strtoul(path + name - 2, NULL, 10) / 8 : 1;
    static uint8_t chunk[CHUNK];
    FILE *const file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    add(tables, chunk, fread(chunk, 1, chunk_bytes, file) / width * width, width, rounds);
    fclose(file);
}

static void add_grid(struct table *tables, const char *kind, const char *dtype, const char *shape,
                     size_t rounds)
{
    struct fpgz_error error = {0};
    struct fpgz_grid grid;
    static uint64_t values[CHUNK / 8];
    if (grids_parse(dtype, shape, &grid, &error) || grids_fill(kind, &grid, 1, values, &error)) {
        fprintf(stderr, "%s: %s\n", kind, error.text);
        exit(1);
    }
    add(tables, (const uint8_t *)values, fpgz_min(fpgz_grid_bytes(&grid), chunk_bytes),
        fpgz_dtype_size(grid.dtype), rounds);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(struct table *table, const char *name)
{
    printf("%s: %zu chunks\nlevel  zlib MB/s  ours MB/s  times (median, least, most)\n", name, table->count);
    for (unsigned level = 1; level <= LEVELS; level++) {
        double *const ratio = table->ratio[level];
        qsort(ratio, table->count, sizeof *ratio, ascending);
        printf("%5u %10.1f %10.1f   %.2f  %.2f .. %.2f\n", level,
               1e-6 * (double)table->bytes / table->theirs[level],
               1e-6 * (double)table->bytes / table->ours[level], ratio[table->count / 2], ratio[0],
               ratio[table->count - 1]);
    }
}

int main(int argc, char **argv)
{
    static struct table tables[2];
    size_t rounds = 3;
    for (int option; (option = getopt(argc, argv, "r:c:")) != -1;) {
        const unsigned long number = option == '?' ? 0 : strtoul(optarg, NULL, 10);
        if (number == 0 || (option == 'c' && number > CHUNK))
            return 1;
        *(option == 'r' ? &rounds : &chunk_bytes) = number;
    }
    room = fpgz_deflate_bound(CHUNK) + compressBound(CHUNK);
    ours = malloc(room), theirs = malloc(room), memory = malloc(fpgz_deflate_memory());
    if (!ours || !theirs || !memory)
        return 1;
    for (int i = optind; i < argc; i++)
        add_file(tables, argv[i], rounds);
    if (optind == argc) {
        add_grid(tables, "wave", "f32", "64x64x64", rounds);
        add_grid(tables, "wave", "f64", "512x256", rounds);
        add_grid(tables, "turbulence", "f32", "512x512", rounds);
        add_grid(tables, "turbulence", "f64", "512x256", rounds);
        add_grid(tables, "special", "f32", "64x64x64", rounds);
        add_grid(tables, "light", "f32", "16x128x128", rounds);
        add_grid(tables, "visibilities", "f32", "64x16x128x2", rounds);
        add_grid(tables, "walk", "f64", "512x256", rounds);
    }
    print(&tables[0], "plain");
    print(&tables[1], "shuffled");
    return 0;
}
