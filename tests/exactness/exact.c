/* SPDX-License-Identifier: MIT
 * What this build of prans makes of grids, so that builds can be compared.
 *
 * usage: exact [flush] < CASES
 * A case is integers of 32 bits: dtype, dimensions, four extents, bytes of a stream of prans or 0; then the
 * grid's values and the stream. For each a line is printed: digests of the streams of all settings, and "ok"
 * when they and the stream restore the values, and all CPU levels agree.
 * flush: subnormals are taken for zeros, as after start-up code that -ffast-math links.
 * Exit status: 0, 1 on an error, 3 when prans refuses this arithmetic. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "core/bytes.h"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

enum { REFUSED = 3, HEAD_WORDS = 7 };

static const struct fpgz_params settings[] = {{{1, 0}}, {{2, 0}}, {{2, 1}}};

static void *take(size_t bytes)
{
    void *const memory = aligned_alloc(64, fpgz_round_up(bytes + 1, 64));
    if (!memory)
        exit(EXIT_FAILURE);
    return memory;
}

static void must_read(void *to, size_t bytes)
{
    if (bytes && fread(to, bytes, 1, stdin) != 1)
        exit(EXIT_FAILURE);
}

/* FNV-1a. */
static uint64_t digest(const uint8_t *bytes, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    return hash;
}

static bool restores(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                     const uint8_t *values)
{
    const size_t bytes = fpgz_grid_bytes(&coding->grid);
    uint8_t *const restored = take(bytes);
    const bool same =
        !fpgz_prans.decode(coding, stream, length, restored) && !memcmp(restored, values, bytes);
    free(restored);
    return same;
}

/* The digest of the stream at the CPU level in force. */
static uint64_t code(const struct fpgz_grid *grid, const struct fpgz_params *params, const uint8_t *values,
                     bool *ok)
{
    const struct fpgz_coding coding = {*grid, *params, take(fpgz_prans.memory(grid, params)), NULL};
    uint8_t *const stream = take(fpgz_prans.bound(grid, params));
    size_t length;
    const enum fpgz_status status = fpgz_prans.encode(&coding, values, stream, &length);
    if (status)
        exit(status == FPGZ_UNSUPPORTED ? REFUSED : EXIT_FAILURE);
    const uint64_t hash = digest(stream, length);
    *ok &= restores(&coding, stream, length, values);
    free(stream);
    free(coding.scratch);
    return hash;
}

static void check_case(const uint32_t head[HEAD_WORDS])
{
    struct fpgz_grid grid = {(enum fpgz_dtype)head[0], head[1], {head[2], head[3], head[4], head[5]}};
    const size_t bytes = fpgz_grid_bytes(&grid), length = head[6];
    uint8_t *const values = take(bytes), *const stream = take(length);
    bool ok = true;
    must_read(values, bytes);
    must_read(stream, length);
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
        fpgz_cpu_set(FPGZ_CPU_C);
        const uint64_t hash = code(&grid, &settings[s], values, &ok);
        for (int level = FPGZ_CPU_C + 1; level <= (int)fpgz_cpu_best(); level++)
            if (fpgz_cpu_set((enum fpgz_cpu_level)level))
                ok &= code(&grid, &settings[s], values, &ok) == hash;
        printf("%016llx ", (unsigned long long)hash);
    }
    if (length) {
        const bool slow = stream[0] == PRANS_FORMAT_REFINED;
        const struct fpgz_params params = {{slow ? PRANS_FORMAT_HIGH : stream[0], slow}};
        const struct fpgz_coding coding = {grid, params, take(fpgz_prans.memory(&grid, &params)), NULL};
        ok &= restores(&coding, stream, length, values);
        free(coding.scratch);
    }
    puts(ok ? "ok" : "differs");
    free(stream);
    free(values);
}

int main(int argc, char **argv)
{
    uint32_t head[HEAD_WORDS];
    if (argc > 1 && strcmp(argv[1], "flush") != 0)
        return EXIT_FAILURE;
#if defined(__x86_64__)
    if (argc > 1)
        _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
    while (fread(head, sizeof head, 1, stdin) == 1)
        check_case(head);
    return EXIT_SUCCESS;
}
