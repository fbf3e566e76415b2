/* SPDX-License-Identifier: MIT
 * Input, stream and decoded values of each request, for check.py and for comparisons with other programs.
 *
 * usage: streams [--cpu-level LEVEL | --gpu] < REQUESTS > RESULTS
 * A request is a line "CODEC DTYPE FORMULA SEED SHAPE", as in "gfc:blocks=1,warps=2,dim=3 f64 walk 1 300".
 * A grid of more dimensions than the codec takes is folded as the engine does.
 * The result: length (u64, little-endian) and bytes of the input, of the stream, and of the decoded values.
 * Exit status: 0, 1 on an error, 77 when this machine lacks the CPU level or a GPU. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/codec.h"
#include "core/buffer.h"
#include "core/bytes.h"
#include "core/cpu.h"
#include "engine/device.h"
#include "grids.h"

enum { SKIPPED = 77 };

struct request {
    char codec[100], dtype[10], formula[30], seed[30], shape[100];
};

static struct fpgz_device *gpu; /* NULL: the CPU codes */

/* Of exactly this size, so that a sanitizer sees each byte beyond. */
static void *take(size_t bytes)
{
    void *const memory = malloc(bytes ? bytes : 1);
    if (!memory) {
        fputs("streams: no memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}

static enum fpgz_status write_bytes(const void *bytes, uint64_t length, struct fpgz_error *error)
{
    if (fwrite(&length, sizeof length, 1, stdout) != 1 || fwrite(bytes, 1, length, stdout) != length)
        return fpgz_fail(error, FPGZ_IO, "stdout: %s", strerror(errno));
    return FPGZ_OK;
}

static enum fpgz_status code(const struct fpgz_codec *codec, struct fpgz_coding *coding,
                             const struct fpgz_grid *grid, const char *formula, uint64_t seed,
                             struct fpgz_error *error)
{
    const size_t bytes = fpgz_grid_bytes(grid);
    const size_t bound = codec->bound(&coding->grid, &coding->params);
    const bool on_gpu = gpu && bytes; /* which does not take empty grids */
    struct fpgz_buffer scratch = {0};
    uint8_t *const input = take(bytes), *const wide = take(bound), *const decoded = take(bytes),
                   *stream = NULL;
    size_t length = 0;
    enum fpgz_status status = grids_fill(formula, grid, seed, input, error);
    if (status)
        goto cleanup;
    if (!fpgz_buffer_reserve(&scratch, codec->memory(&coding->grid, &coding->params))) {
        status = fpgz_fail(error, FPGZ_MEMORY, "no memory for scratch");
        goto cleanup;
    }
    coding->scratch = scratch.data;

    /* What encode() and decode() leave untouched must not look like what they write. */
    memset(wide, 0xEE, bound);
    memset(decoded, 0xEE, bytes);
    status = on_gpu ? fpgz_device_encode(gpu, true, codec, coding, input, wide, &length)
                    : codec->encode(coding, input, wide, &length);
    if (status) {
        fpgz_fail(error, status, "encode() says %s", fpgz_status_name(status));
        goto cleanup;
    }
    if (length > bound) {
        status = fpgz_fail(error, FPGZ_INTERNAL, "%zu bytes of stream, bound() says %zu", length, bound);
        goto cleanup;
    }
    stream = take(length);
    memcpy(stream, wide, length);
    status = on_gpu ? fpgz_device_decode(gpu, true, codec, coding, stream, length, decoded)
                    : codec->decode(coding, stream, length, decoded);
    if (status) {
        fpgz_fail(error, status, "decode() says %s", fpgz_status_name(status));
        goto cleanup;
    }
    if (write_bytes(input, bytes, error) || write_bytes(stream, length, error) ||
        write_bytes(decoded, bytes, error))
        status = error->status;

cleanup:
    fpgz_buffer_free(&scratch);
    free(stream);
    free(decoded);
    free(wide);
    free(input);
    return status;
}

static enum fpgz_status answer(const char *line, struct fpgz_error *error)
{
    struct request request;
    struct fpgz_grid grid;
    struct fpgz_coding coding = {0};
    const struct fpgz_codec *codec;
    uint64_t seed;
    if (sscanf(line, "%99s %9s %29s %29s %99s", request.codec, request.dtype, request.formula, request.seed,
               request.shape) != 5)
        return fpgz_fail(error, FPGZ_USAGE, "no request: CODEC DTYPE FORMULA SEED SHAPE");
    if (!grids_parse_seed(request.seed, &seed))
        return fpgz_fail(error, FPGZ_USAGE, "'%s' is no seed", request.seed);
    if (fpgz_codec_parse(request.codec, &codec, &coding.params, error) ||
        grids_parse(request.dtype, request.shape, &grid, error))
        return error->status;
    if (fpgz_codec_check(codec, grid.dtype, &coding.params, error))
        return error->status;
    coding.grid = grid;
    if (grid.dims > codec->max_dims)
        codec->fold(&grid, &coding.grid);
    return code(codec, &coding, &grid, request.formula, seed, error);
}

/* EXIT_SUCCESS, SKIPPED or EXIT_FAILURE. */
static int set_level(const char *name)
{
    for (enum fpgz_cpu_level level = 0; level < FPGZ_CPU_LEVELS; level++)
        if (!strcmp(name, fpgz_cpu_name(level)))
            return fpgz_cpu_set(level) ? EXIT_SUCCESS : SKIPPED;
    fprintf(stderr, "streams: unknown CPU level '%s'\n", name);
    return EXIT_FAILURE;
}

/* EXIT_SUCCESS or SKIPPED. */
static int find_gpu(void)
{
    struct fpgz_error error;
    return !fpgz_device_open(0, false, &gpu, &error) && fpgz_device_start(gpu) ? EXIT_SUCCESS : SKIPPED;
}

int main(int argc, char **argv)
{
    int status = EXIT_SUCCESS;
    if (argc == 3 && !strcmp(argv[1], "--cpu-level")) {
        status = set_level(argv[2]);
    } else if (argc == 2 && !strcmp(argv[1], "--gpu")) {
        status = find_gpu();
    } else if (argc != 1) {
        fputs("usage: streams [--cpu-level LEVEL | --gpu] < REQUESTS > RESULTS\n", stderr);
        return EXIT_FAILURE;
    }
    if (status != EXIT_SUCCESS)
        return status;
    char line[400];
    while (fgets(line, sizeof line, stdin)) {
        struct fpgz_error error = {0};
        line[strcspn(line, "\n")] = '\0';
        if (answer(line, &error)) {
            fprintf(stderr, "streams: %s: %s\n", line, error.text);
            return EXIT_FAILURE;
        }
    }
    if (fflush(stdout) != 0) {
        fprintf(stderr, "streams: stdout: %s\n", strerror(errno));
        return EXIT_FAILURE;
    }
    fpgz_device_close(gpu);
    return EXIT_SUCCESS;
}
