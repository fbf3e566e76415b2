/* SPDX-License-Identifier: MIT
 * An example of the library: a grid in memory becomes a container in memory, and comes back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fpgz.h>

enum { ROWS = 300, COLUMNS = 400 };

int main(void)
{
    static float grid[ROWS][COLUMNS], restored[ROWS][COLUMNS];
    const struct fpgz_array array = {.dtype = FPGZ_F32, .dims = 2, .extent = {ROWS, COLUMNS}};
    const struct fpgz_settings settings = {.level = 7, .threads = 1};
    struct fpgz_error error;
    void *container;
    size_t length;

    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            grid[y][x] = sinf(0.01f * (float)x) * cosf(0.02f * (float)y);

    if (fpgz_encode(&array, grid, &settings, &container, &length, &error)) {
        fprintf(stderr, "cannot compress: %s\n", error.text);
        return EXIT_FAILURE;
    }
    printf("%zu bytes became %zu\n", sizeof grid, length);

    if (fpgz_decode(container, length, NULL, restored, sizeof restored, &error)) {
        fprintf(stderr, "cannot restore: %s\n", error.text);
        return EXIT_FAILURE;
    }
    free(container);
    puts(memcmp(grid, restored, sizeof grid) ? "and came back wrong" : "and came back");
    return memcmp(grid, restored, sizeof grid) != 0;
}
