/* SPDX-License-Identifier: MIT
 * gengrid: writes a generated grid as raw little-endian values. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h" /* refuses big-endian machines */
#include "grids.h"

enum { BLOCK = 65536 }; /* bytes a write */

static const char usage[] = "usage: gengrid KIND DTYPE SHAPE [--seed N] [-o FILE]\n"
                            "       gengrid --list | --help\n"
                            "\n"
                            "Writes a grid as raw little-endian values, the same bytes everywhere.\n"
                            "  KIND      what it holds (--list)\n"
                            "  DTYPE     f32, i16, ...: a type of those that the kind has\n"
                            "  SHAPE     extents, slowest first, as in 20x180x360\n"
                            "  --seed N  another grid of the kind (default 1)\n"
                            "  -o FILE   write there, not to stdout\n";

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "gengrid: %s%s%s\n", what, why ? ": " : "", why ? why : "");
    return EXIT_FAILURE;
}

static int list_kinds(void)
{
    for (const struct grids_kind *kind = grids_kinds; kind->name; kind++)
        printf("%-14s%-10s%s\n", kind->name, grids_dtypes(kind), kind->help);
    return EXIT_SUCCESS;
}

static int write_grid(struct grids_source *source, size_t word, const char *path)
{
    static uint64_t block[BLOCK / 8];
    const char *const name = path ? path : "stdout";
    FILE *const file = path ? fopen(path, "wb") : stdout;
    if (!file)
        return fail(name, strerror(errno));
    setvbuf(file, NULL, _IONBF, 0); /* blocks are large enough */
    size_t count;
    bool written = true;
    while (written && (count = grids_read(source, block, BLOCK / word)) > 0)
        written = fwrite(block, word, count, file) == count;
    int error = written ? 0 : errno;
    if (fclose(file) != 0 && !error)
        error = errno;
    return error ? fail(name, strerror(error)) : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    const char *operands[3], *path = NULL;
    unsigned count = 0;
    uint64_t seed = 1;
    for (int i = 1; i < argc; i++) {
        const char *const arg = argv[i];
        if (!strcmp(arg, "--help")) {
            fputs(usage, stdout);
            return EXIT_SUCCESS;
        }
        if (!strcmp(arg, "--list"))
            return list_kinds();
        if (!strcmp(arg, "--seed") || !strcmp(arg, "-o")) {
            if (++i == argc)
                return fail(arg, "needs a value");
            if (arg[1] == 'o')
                path = argv[i];
            else if (!grids_parse_seed(argv[i], &seed))
                return fail(argv[i], "is no seed: a number below 2^64");
        } else if (arg[0] == '-') {
            return fail(arg, "unknown option; see gengrid --help");
        } else if (count == 3) {
            return fail(arg, "one operand too many; see gengrid --help");
        } else {
            operands[count++] = arg;
        }
    }
    if (count < 3) {
        fputs(usage, stderr);
        return EXIT_FAILURE;
    }

    struct fpgz_grid grid;
    struct fpgz_error error = {0};
    if (grids_parse(operands[1], operands[2], &grid, &error))
        return fail(error.text, NULL);
    struct grids_source *const source = grids_open(operands[0], &grid, seed, &error);
    if (!source)
        return fail(error.text, NULL);
    const int status = write_grid(source, fpgz_dtype_size(grid.dtype), path);
    grids_close(source);
    return status;
}
