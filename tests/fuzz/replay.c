/* SPDX-License-Identifier: MIT
 * Runs a fuzz target without libFuzzer, over files and over copies of them with a few bytes changed.
 * usage: replay CHANGED-COPIES FILE...   ends in "N passed, 0 failed": a failure ends the program before. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#pragma weak LLVMFuzzerCustomMutator

enum { GROWTH = 4096 }; /* that a changed copy has room for */

static uint64_t state = 1;

static uint32_t random_below(size_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % limit);
}

/* A file's bytes; *size receives their number. */
static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    long length;
    if (!file || fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 0) {
        perror(path);
        exit(1);
    }
    rewind(file);
    uint8_t *data = malloc((size_t)length + 1);
    if (!data || fread(data, 1, (size_t)length, file) != (size_t)length) {
        perror(path);
        exit(1);
    }
    fclose(file);
    *size = (size_t)length;
    return data;
}

/* As libFuzzer would: by the target's own way, where it has one, some times in a row. */
static size_t mutate(uint8_t *data, size_t size)
{
    for (uint32_t i = 0, changes = 1 + random_below(4); size && i < changes; i++) {
        const size_t room = size + GROWTH / 4;
        size = LLVMFuzzerCustomMutator(data, size, room, random_below(UINT32_MAX));
    }
    return size;
}

/* Flips a bit, sets a byte to an extreme value, or cuts the copy off. */
static size_t change(uint8_t *data, size_t size)
{
    static const uint8_t extremes[] = {0, 1, 0x7F, 0x80, 0xFF};
    for (uint32_t i = 0, changes = 1 + random_below(4); size && i < changes; i++) {
        const uint32_t kind = random_below(8), at = random_below(i % 2 && size > 128 ? 128 : size);
        if (kind == 0)
            size = at;
        else if (kind < 4)
            data[at] = extremes[random_below(sizeof extremes)];
        else
            data[at] ^= (uint8_t)(1u << random_below(8));
    }
    return size;
}

int main(int argc, char **argv)
{
    unsigned runs = 0;
    const int copies = argc > 1 ? atoi(argv[1]) : 0;
    FILE *const report = stdout; /* the container target sends what goes to stdout elsewhere */
    for (int i = 2; i < argc; i++) {
        size_t size;
        uint8_t *data = read_file(argv[i], &size), *copy = malloc(size + GROWTH);
        LLVMFuzzerTestOneInput(data, size);
        runs++;
        for (int c = 0; c < copies && copy; c++, runs++) {
            memcpy(copy, data, size);
            const bool structured = LLVMFuzzerCustomMutator && c % 2;
            LLVMFuzzerTestOneInput(copy, structured ? mutate(copy, size) : change(copy, size));
        }
        free(copy);
        free(data);
    }
    fprintf(report, "%u passed, 0 failed\n", runs);
    return runs == 0;
}
