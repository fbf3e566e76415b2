/* SPDX-License-Identifier: MIT
 * Every codec x dtype x shape x parameters gives on the GPU the bytes of the CPU, restores the grid, and
 * refuses damaged streams with the same verdict. usage: gpu [-p K/N] CODEC [EVERY [CHANGES SEED] | limit]
 * with EVERY n-th grid only, of prans with so many damaged copies of each stream, or with a grid as large as
 * chunks may be; -p: part K, from 0, of N that run side by side. Prints "N passed, N failed". Exits 77
 * without a GPU, and for a codec that has no kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "cases.h"
#include "codec/codecs.h"
#include "codec/prans/bins/bins.h"
#include "codec/prans/format.h"
#include "codec/prans/lead.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "engine/device.h"
#include "grids.h"
#include "hashes.h"
#include "parts.h"
#include "prans.h"
#include "trees.h"

/* More than one block of each kernel can hold at once, with and without a border, rows of any alignment, and
 * many small slices. */
static const struct {
    unsigned dims;
    uint64_t extent[3];
} large[] = {
    {1, {1 << 22}},      {1, {3000017}},      {2, {1024, 2048}}, {2, {700, 1501}},  {3, {160, 160, 160}},
    {3, {100, 130, 99}}, {3, {64, 70, 1002}}, {2, {90000, 7}},   {2, {16000, 251}}, {3, {1500, 40, 90}},
    {3, {100, 64, 99}},  {3, {65, 100, 100}}, {3, {65, 32, 54}}, {3, {65, 16, 90}},
};

enum {
    SKIPPED = 77,
    TREES = 16,  /* streams within others are tried as many times as often as others */
    PARTS = 500, /* all grids in parts are tried where more than one in so many of the others is */
};

static struct fpgz_device *device;
static unsigned changes = 8, seed;
/* Streams of two parts both of which an aide made and has, of chunks that follow or not. */
static unsigned parted[2][PRANS_PARTINGS];
static struct fpgz_buffer reference, scratch, stream, restored, expected, damaged;

static void check(const struct fpgz_codec *codec, const struct fpgz_coding *coding, const char *kind, bool ok,
                  const char *what)
{
    char shape[FPGZ_SHAPE_TEXT], params[CASES_PARAMS_TEXT];
    struct fpgz_error failure;
    if (check_that(ok, "%s %s %s of %s: %s (parameters%s)", codec->name, fpgz_dtype_name(coding->grid.dtype),
                   ok ? "" : fpgz_shape_text(coding->grid.extent, coding->grid.dims, shape, sizeof shape),
                   kind, what, ok ? "" : cases_params(codec, &coding->params, params)))
        return;
    if (fpgz_device_failure(device, &failure)) {
        printf("FAILED: %s\n", failure.text);
        exit(checks_end());
    }
}

static uint8_t *room(struct fpgz_buffer *buffer, size_t bytes)
{
    if (!fpgz_buffer_reserve(buffer, bytes)) {
        printf("FAILED: no memory for %zu bytes\n", bytes);
        exit(EXIT_FAILURE);
    }
    return buffer->data;
}

/* Whether a stream may be left to the CPU: prans' other settings, plateaus, sums, and segments of few lanes.
 * What is damaged may say that there are these within it. */
static bool may_be_left(const struct fpgz_codec *codec, const uint8_t *bytes, size_t length, bool is_damaged)
{
    enum { LANES = 5 /* log2 */ };
    if (codec != &fpgz_prans || length < 3 || bytes[0] == PRANS_FORMAT_MIDDLE)
        return false;
    if (bytes[0] == PRANS_FORMAT_BINS)
        return bytes[2] != LANES;
    return bytes[0] <= PRANS_FORMAT_LIFTED || bytes[0] == PRANS_FORMAT_PLATEAUS ||
           bytes[0] == PRANS_FORMAT_SUMMED || is_damaged;
}

/* Decodes a stream on both; the CPU's verdict and, where it restores the grid, values are what is right. */
static void check_decoding(const struct fpgz_codec *codec, const struct fpgz_coding *coding, const char *kind,
                           const uint8_t *bytes, size_t length, bool is_damaged)
{
    const size_t raw = fpgz_grid_bytes(&coding->grid);
    uint8_t *const wanted = room(&expected, raw), *const back = room(&restored, raw);
    const enum fpgz_status verdict = codec->decode(coding, bytes, length, wanted);
    memset(back, 0xA5, raw);
    const enum fpgz_status theirs = fpgz_device_decode(device, true, codec, coding, bytes, length, back);
    if (theirs == FPGZ_LIMIT)
        check(codec, coding, kind,
              verdict == FPGZ_UNSUPPORTED || may_be_left(codec, bytes, length, is_damaged),
              "it leaves a stream to the CPU");
    else
        check(codec, coding, kind, theirs == verdict && (verdict || !memcmp(back, wanted, raw)),
              is_damaged ? "its verdict on a damaged stream differs" : "it does not restore the grid");
    if (theirs == FPGZ_LIMIT || verdict || !raw)
        return;
    check(codec, coding, kind, !fpgz_device_verify(device, true, codec, coding, bytes, length, wanted),
          "it does not verify what it restores");
    wanted[length % raw] ^= 1;
    check(codec, coding, kind,
          fpgz_device_verify(device, true, codec, coding, bytes, length, wanted) == FPGZ_INTERNAL,
          "it verifies other values");
    wanted[length % raw] ^= 1;
}

/* The CPU's encoder, which the device aids, gives the stream in `reference`, too. */
static void check_aided(const struct fpgz_codec *codec, const struct fpgz_coding *coding, const char *kind,
                        const uint8_t *values, size_t wanted)
{
    enum { LANES = 5 /* log2 */, PARTED_HEAD = 16 };
    const size_t bound = codec->bound(&coding->grid, &coding->params);
    uint8_t *const ours = room(&stream, bound);
    struct fpgz_device_aide aide;
    size_t length = 0;
    fpgz_device_aide(device, codec, values, &aide);
    memset(ours, 0xA5, bound);
    fpgz_device_pin(&stream, bound);
    aide.stream = &stream;
    aide.coding = coding;
    aide.proves = true;
    check(codec, coding, kind, !codec->encode_aided(coding, &aide.aide, values, ours, &length),
          "aided encoding failed");
    /* Another base in front of parts may make the same values. */
    const size_t described = PRANS_HEAD_BYTES + (ours[0] == PRANS_FORMAT_PARTED ? PARTED_HEAD : 0);
    if (aide.lane && ours[0] == PRANS_FORMAT_PARTED && ours[PARTED_HEAD + 2] == LANES)
        parted[coding->lead != NULL][ours[1]] += aide.tasks == 2;
    if (aide.lane) {
        uint64_t checksum = 0;
        check(codec, coding, kind,
              !fpgz_device_aide_verify(&aide, coding, ours, length, &checksum) &&
                  checksum == fpgz_checksum(ours, length),
              "the aide does not verify the stream");
        aide.verified = false;
        ours[described] ^= 1; /* segments are verified where they were made */
        check(codec, coding, kind, fpgz_device_aide_verify(&aide, coding, ours, length, &checksum),
              "the aide verifies another stream");
        ours[described] ^= 1;
    }
    check(codec, coding, kind, fpgz_device_aide_end(&aide), "segments do not come");
    check(codec, coding, kind, length == wanted && !memcmp(ours, reference.data, length),
          "the stream of an aided encoder is not the CPU's");
    if (ours[0] == PRANS_FORMAT_BINS && ours[2] == LANES)
        check(codec, coding, kind, aide.tasks, "it does not aid the encoder");
}

/* Both ways; the CPU's stream is in `reference` then, and what it restores in `expected`. Returns its length.
 */
static size_t check_bytes(const struct fpgz_codec *codec, const struct fpgz_coding *coding, const char *kind,
                          const uint8_t *values)
{
    const size_t raw = fpgz_grid_bytes(&coding->grid), bound = codec->bound(&coding->grid, &coding->params);
    uint8_t *const theirs = room(&reference, bound), *const ours = room(&stream, bound);
    size_t their_length = 0, length = 0;
    struct fpgz_lead lead = {.state = FPGZ_LEAD_SOUGHT};
    struct fpgz_coding leading = *coding;
    leading.lead = &lead;
    check(codec, coding, kind, !codec->encode(&leading, values, theirs, &their_length),
          "the CPU cannot encode");
    check(codec, coding, kind, !codec->decode(coding, theirs, their_length, room(&expected, raw)),
          "the CPU cannot decode");

    memset(ours, 0xA5, bound);
    const enum fpgz_status encoded = fpgz_device_encode(device, true, codec, coding, values, ours, &length);
    if (fpgz_device_has(codec, false)) {
        check(codec, coding, kind, !encoded, "encoding failed");
        check(codec, coding, kind, length == their_length, "its stream has not the CPU's length");
        check(codec, coding, kind, !memcmp(ours, theirs, length < their_length ? length : their_length),
              "its stream is not the CPU's");
    } else {
        check(codec, coding, kind, encoded == FPGZ_UNSUPPORTED, "it encodes");
    }
    if (fpgz_device_aids(codec))
        check_aided(codec, coding, kind, values, their_length);
    if (lead.state == FPGZ_LEAD_FOUND) { /* a chunk that follows itself has the same stream */
        lead.state = FPGZ_LEAD_FOLLOWED;
        check_aided(codec, &leading, kind, values, their_length);
    }
    check_decoding(codec, coding, kind, theirs, their_length, false);
    return their_length;
}

/* Both ways, without damage. */
static void check_parts(const struct fpgz_codec *codec, const struct fpgz_grid *coded,
                        const struct fpgz_params *params, const char *kind, const uint8_t *values)
{
    const struct fpgz_coding coding = {*coded, *params, room(&scratch, codec->memory(coded, params)), NULL};
    if (checks_is_mine())
        check_bytes(codec, &coding, kind, values);
}

static void check_grid(const struct fpgz_codec *codec, const struct fpgz_grid *coded,
                       const struct fpgz_params *params, const char *kind, const uint8_t *values)
{
    if (!checks_is_mine())
        return;
    const struct fpgz_coding coding = {*coded, *params, room(&scratch, codec->memory(coded, params)), NULL};
    const size_t length = check_bytes(codec, &coding, kind, values);
    uint8_t *const bytes = room(&damaged, length + 1);
    for (unsigned which = 0; which < CASES_DAMAGES; which++) {
        const size_t left = cases_damage(reference.data, length, which, bytes);
        check_decoding(codec, &coding, kind, bytes, left, true);
    }
}

/* A stream of prans, and the same with each bit changed that says of what format it is, or with some others.
 */
static void check_stream(const struct fpgz_coding *coding, const char *kind, const uint8_t *bytes,
                         size_t length, bool refused)
{
    uint8_t *const changed = room(&damaged, length);
    check(&fpgz_prans, coding, kind,
          refused == (fpgz_prans.decode(coding, bytes, length,
                                        room(&expected, fpgz_grid_bytes(&coding->grid))) == FPGZ_CORRUPT),
          "the CPU's verdict is another one");
    check_decoding(&fpgz_prans, coding, kind, bytes, length, false);
    memcpy(changed, bytes, length);
    for (unsigned bit = 0; bit < 16 && length > 1; bit++) {
        changed[bit / 8] ^= (uint8_t)(1u << bit % 8);
        check_decoding(&fpgz_prans, coding, kind, changed, length, true);
        changed[bit / 8] = bytes[bit / 8];
    }
    for (uint64_t n = 0; n < changes; n++) {
        const uint64_t random = (length + n + ((uint64_t)seed << 32)) * UINT64_C(0x9E3779B97F4A7C15);
        memcpy(changed, bytes, length);
        /* Most are to go unnoticed by what stands before the segments. */
        for (uint64_t i = 0; i <= n % 3; i++)
            changed[(random >> (20 + i)) % (n % 4 ? length : fpgz_min(length, 200))] ^=
                (uint8_t)(1u << (random >> 61));
        check_decoding(&fpgz_prans, coding, kind, changed, length, true);
    }
}

/* An aide that is given the values makes the stream. */
static bool check_bins(const struct fpgz_coding *coding, const char *kind, const void *values,
                       const uint8_t *bytes, size_t length)
{
    uint8_t *const ours = room(&reference, fpgz_prans_bins_bound(&coding->grid));
    struct fpgz_device_aide aide;
    size_t our_length = 0;
    fpgz_device_aide(device, &fpgz_prans, values, &aide);
    fpgz_prans_bins_try(coding, &aide.aide, values, ours, &our_length, NULL);
    fpgz_device_aide_end(&aide);
    check(&fpgz_prans, coding, kind, our_length == length && !memcmp(ours, bytes, length),
          "an aide's stream of bins is not the CPU's");
    check(&fpgz_prans, coding, kind, aide.tasks && !aide.lane, "it does not aid the encoder");
    return aide.counts;
}

/* The largest chunk that there may be. */
static void check_limit(const struct fpgz_codec *codec, enum fpgz_dtype dtype)
{
    static struct fpgz_buffer source;
    const bool is_f64 = fpgz_dtype_size(dtype) == 8;
    struct fpgz_grid grid = {is_f64 ? FPGZ_F64 : FPGZ_F32, 3, {is_f64 ? 512 : 1024, 512, 512, 1}};
    struct fpgz_error error = {0};
    struct fpgz_coding coding;
    if (grids_fill("wave", &grid, 1, room(&source, FPGZ_CHUNK_LIMIT), &error)) {
        printf("FAILED: %s\n", error.text);
        exit(EXIT_FAILURE);
    }
    grid.dtype = dtype;
    grid.extent[2] = FPGZ_CHUNK_LIMIT / fpgz_dtype_size(dtype) / grid.extent[0] / grid.extent[1];
    codec->fold(&grid, &coding.grid);
    fpgz_codec_defaults(codec, &coding.params);
    if (!codec->bound(&coding.grid, &coding.params))
        return; /* too many values */
    if (!checks_is_mine())
        return;
    coding.scratch = room(&scratch, codec->memory(&coding.grid, &coding.params));
    check_bytes(codec, &coding, "wave", source.data);
}

static void check_large(const struct fpgz_codec *codec, enum fpgz_dtype dtype)
{
    static const char *const kinds[] = {"wave", "rand", "constant"};
    static struct fpgz_buffer source;
    for (size_t s = 0; s < sizeof large / sizeof *large; s++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            struct fpgz_grid grid = {FPGZ_F32, large[s].dims, {1, 1, 1, 1}}, coded;
            struct fpgz_error error = {0};
            struct fpgz_params params;
            grid.dtype = fpgz_dtype_size(dtype) == 8 ? FPGZ_F64 : FPGZ_F32;
            memcpy(grid.extent, large[s].extent, sizeof large[s].extent);
            for (unsigned d = grid.dims; d < 4; d++)
                grid.extent[d] = 1;
            if (grids_fill(kinds[k], &grid, s, room(&source, fpgz_grid_bytes(&grid)), &error)) {
                check_that(false, "cannot make %s: %s", kinds[k], error.text);
                continue;
            }
            grid.dtype = dtype;
            fpgz_codec_defaults(codec, &params);
            codec->fold(&grid, &coded);
            check_grid(codec, &coded, &params, kinds[k], source.data);
            if (grid.dims <= codec->max_dims && grid.dims != coded.dims)
                check_grid(codec, &grid, &params, kinds[k], source.data);
        }
}

int main(int argc, char **argv)
{
    struct fpgz_error error = {0};
    bool understood = true;
    if (argc > 2 && !strcmp(argv[1], "-p")) {
        understood = sscanf(argv[2], "%u/%u", &checks_part, &checks_parts) == 2 && checks_part < checks_parts;
        argv += 2;
        argc -= 2;
    }
    const struct fpgz_codec *codec = argc > 1 ? fpgz_codec_by_name(argv[1], strlen(argv[1])) : NULL;
    const bool limit = argc > 2 && !strcmp(argv[2], "limit");
    const int every = argc > 2 && !limit ? atoi(argv[2]) : 1;
    if (argc > 4) {
        changes = (unsigned)atoi(argv[3]);
        seed = (unsigned)atoi(argv[4]);
    }
    if (!understood || !codec || every < 1) {
        fprintf(stderr, "usage: gpu [-p K/N] CODEC [EVERY [CHANGES SEED] | limit]\n");
        return EXIT_FAILURE;
    }
    if (!fpgz_device_has(codec, true) || fpgz_device_open(0, false, &device, &error)) {
        printf("skipped: %s\n", error.status ? error.text : "the codec has no kernels");
        return SKIPPED;
    }
    if (!fpgz_device_start(device)) {
        fpgz_device_failure(device, &error);
        printf("FAILED: %s\n", error.text);
        return EXIT_FAILURE;
    }
    if (!limit && codec == &fpgz_prans) {
        prans_each((unsigned)every, check_stream);
        trees_each(((unsigned)every + TREES - 1) / TREES, check_stream);
        prans_each_aided((unsigned)every, check_bins);
        hashes_check(device);
        parts_each((unsigned)every / PARTS + 1, check_parts);
        for (unsigned i = 0; i < 2 * PRANS_PARTINGS; i++)
            check_that(parted[i % 2][i / 2] > 0 || checks_parts > 1 || every >= PARTS,
                       "no aide made both parts in way %u, %u", i / 2, i % 2);
    }
    if (!limit)
        cases_each(codec, (unsigned)every, check_grid);
    for (unsigned dtype = 0; dtype < FPGZ_DTYPES && every == 1; dtype++)
        if (codec->dtypes >> dtype & 1)
            (limit ? check_limit : check_large)(codec, (enum fpgz_dtype)dtype);
    printf("%s on %s\n", codec->name, fpgz_device_name(device));
    fpgz_device_close(device);
    return checks_end();
}
