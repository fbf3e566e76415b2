/* SPDX-License-Identifier: MIT
 * An example of the library: a checkpoint is written array by array, listed, and read in part.
 * usage: arrays FILE */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fpgz.h>

enum { NX = 64, NY = 48, NZ = 32 };

static double pressure[NZ][NY][NX];
static float velocity[3][NZ][NY][NX];
static int16_t material[NZ][NY][NX];

/* Ends the program where a call has failed. */
static void check(enum fpgz_status status, const struct fpgz_error *error)
{
    if (!status)
        return;
    fprintf(stderr, "%s: %s\n", fpgz_status_name(status), error->text);
    exit(EXIT_FAILURE);
}

static void write_checkpoint(int fd)
{
    const struct fpgz_array p = {.dtype = FPGZ_F64, .dims = 3, .extent = {NZ, NY, NX}};
    const struct fpgz_array v = {.dtype = FPGZ_F32, .dims = 4, .extent = {3, NZ, NY, NX}};
    const struct fpgz_array m = {.dtype = FPGZ_I16, .dims = 3, .extent = {NZ, NY, NX}};
    struct fpgz_packer *packer;
    struct fpgz_error error;
    check(fpgz_packer_open(NULL, &fd, NULL, &packer, &error), &error);
    fpgz_packer_add(packer, "pressure", &p, pressure, &error); /* a failure is told of again at the end */
    fpgz_packer_add(packer, "velocity", &v, velocity, &error);
    fpgz_packer_add(packer, "material", &m, material, &error);
    check(fpgz_packer_close(packer, &error), &error);
}

/* Reads one plane of one array, and all of another. */
static int read_plane(int fd)
{
    static double plane[NY][NX];
    static int16_t whole[NZ][NY][NX];
    const struct fpgz_box box = {.dims = 3, .first = {7, 0, 0}, .end = {8, NY, NX}};
    struct fpgz_container *container;
    struct fpgz_error error;
    struct fpgz_array array;
    check(fpgz_container_open(fd, &container, &error), &error);
    for (size_t i = 0; i < fpgz_container_arrays(container); i++) {
        const char *name = fpgz_container_array(container, i, &array);
        printf("%s: %u axes, the slowest of %llu\n", name, array.dims, (unsigned long long)array.extent[0]);
        if (!strcmp(name, "pressure"))
            check(fpgz_container_read(container, i, &box, plane, sizeof plane, &error), &error);
        if (array.dtype == FPGZ_I16)
            check(fpgz_container_read(container, i, NULL, whole, sizeof whole, &error), &error);
    }
    check(fpgz_container_verify(container, &error), &error);
    fpgz_container_close(container);
    return memcmp(plane, pressure[7], sizeof plane) != 0 || memcmp(whole, material, sizeof whole) != 0;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: arrays FILE\n");
        return EXIT_FAILURE;
    }
    for (int z = 0; z < NZ; z++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) {
                material[z][y][x] = (int16_t)(x < 20 ? -1 : (y / 8 + z / 8) % 5);
                pressure[z][y][x] = 101325 - 12.0 * z + 0.25 * ((x * y) % 17);
                for (int c = 0; c < 3; c++)
                    velocity[c][z][y][x] = 0.5f * (float)(x - c * y) / (float)(z + 1);
            }
    const int fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (fd < 0) {
        perror(argv[1]);
        return EXIT_FAILURE;
    }
    write_checkpoint(fd);
    lseek(fd, 0, SEEK_SET);
    const int wrong = read_plane(fd);
    close(fd);
    puts(wrong ? "the plane is wrong" : "the plane is right");
    return wrong;
}
