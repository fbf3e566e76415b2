/* SPDX-License-Identifier: MIT
 * Deflate, byte for byte as zlib writes it: the levels, and the wrapper of RFC 1950. */
#include "core/deflate/deflate.h"

#include "core/checksum.h"
#include "core/deflate/proof.h"

static const struct fpgz_deflate_level levels[] = {
    [1] = {4, 4, 8, 4},      [2] = {4, 5, 16, 8},        [3] = {4, 6, 32, 32},
    [4] = {4, 4, 16, 16},    [5] = {8, 16, 32, 32},      [6] = {8, 16, 128, 128},
    [7] = {8, 32, 128, 256}, [8] = {32, 128, 258, 1024}, [9] = {32, 258, 258, 4096},
};

enum {
    LEVELS = sizeof levels / sizeof levels[0],
    LAZY_FROM = 4,
    DEEP_FROM = 5, /* levels whose searches may be long */
    LONG_FROM = 6, /* whose searches are */
    HEADER_BYTES = 2,
    CHECK_BYTES = 4,
    /* Steps that are allowed a byte, beside the candidates of two chains, and in all. Nothing but an input
     * that is made for it comes near. */
    COLLISIONS = 64,
    STEPS_LEAST = 1 << 20,
};

size_t fpgz_deflate_memory(void)
{
    return sizeof(struct fpgz_deflate_coder);
}

/* A block takes at most what it takes stored: 3 bits, up to 7 to a whole byte, 4 bytes and its own. All but
 * the last two are of 2^14 - 1 bytes or more. */
size_t fpgz_deflate_bound(size_t bytes)
{
    uint64_t bound;
    return fpgz_add(bytes, bytes / ((1 << 14) - 1) * 6 + 32, &bound) ? bound : 0;
}

static void write_header(unsigned level, uint8_t *stream)
{
    const unsigned flags = level == 1 ? 0 : level < 6 ? 1 : level == 6 ? 2 : 3;
    const unsigned header = 0x7800 | flags << 6;
    stream[0] = (uint8_t)(header >> 8);
    stream[1] = (uint8_t)(header | (31 - header % 31));
}

static void write_check(const uint8_t *data, size_t bytes, uint8_t *at)
{
    const uint32_t check = __builtin_bswap32(fpgz_adler32(data, bytes));
    fpgz_store32(at, check);
}

enum fpgz_status fpgz_deflate_end_block(struct fpgz_deflate_coder *coder, const uint8_t *at, bool last)
{
    struct fpgz_deflate_written written;
    /* A block has not so many searches that steps would have to be counted more often. */
    if (coder->window.steps > coder->steps)
        return FPGZ_LIMIT;
    fpgz_deflate_block_settle(&coder->block, at, coder->block.first >= coder->window.base, &written);
    const enum fpgz_status status =
        !coder->story ? fpgz_deflate_block_write(&coder->block, at, last, &written, &coder->out)
        : fpgz_deflate_proof_block(coder, at, last, &written) ? FPGZ_OK
                                                              : FPGZ_CORRUPT;
    fpgz_deflate_block_begin(&coder->block, at);
    return status;
}

/* Parses all of the input. */
static enum fpgz_status parse(const struct fpgz_deflate *how, const uint8_t *data, size_t bytes,
                              struct fpgz_deflate_coder *coder)
{
    coder->level = levels[how->level];
    fpgz_deflate_window_begin(&coder->window, data, bytes, how->memory_level);
    if (how->level >= LONG_FROM)
        fpgz_deflate_window_deepen(&coder->window);
    coder->deepest = how->level < DEEP_FROM ? CHAIN_3 : CHAIN_8;
    coder->steps_before = 0;
    coder->steps = (uint64_t)bytes * (2 * coder->level.candidates + COLLISIONS) + STEPS_LEAST;
    coder->block.most = (1u << (how->memory_level + 6)) - 1;
    fpgz_deflate_block_begin(&coder->block, data);
    return how->level < LAZY_FROM ? fpgz_deflate_fast(coder) : fpgz_deflate_lazy(coder);
}

static size_t header_bytes(const struct fpgz_deflate *how)
{
    return how->bare ? 0 : HEADER_BYTES;
}

static size_t check_bytes(const struct fpgz_deflate *how)
{
    return how->bare ? 0 : CHECK_BYTES;
}

static bool is_known(const struct fpgz_deflate *how)
{
    return how->level >= 1 && how->level < LEVELS && (how->memory_level == 8 || how->memory_level == 9);
}

enum fpgz_status fpgz_deflate_encode(const struct fpgz_deflate *how, const void *data, size_t bytes,
                                     void *scratch, uint8_t *stream, size_t room, size_t *length)
{
    struct fpgz_deflate_coder *const coder = scratch;
    const size_t header = header_bytes(how), check = check_bytes(how);
    if (!is_known(how))
        return FPGZ_USAGE;
    if (room < header + check)
        return FPGZ_LIMIT;
    coder->story = NULL;
    coder->out = (struct fpgz_bits){.at = stream + header, .end = stream + room - check};
    const enum fpgz_status status = parse(how, data, bytes, coder);
    if (status)
        return status;
    fpgz_bits_align(&coder->out);
    if (!how->bare) {
        write_header(how->level, stream);
        write_check(data, bytes, coder->out.at);
    }
    *length = (size_t)(coder->out.at - stream) + check;
    return FPGZ_OK;
}

bool fpgz_deflate_makes(const struct fpgz_deflate *how, const void *data, size_t bytes, void *scratch,
                        const uint8_t *stream, size_t length, const struct fpgz_deflate_story *story)
{
    struct fpgz_deflate_coder *const coder = scratch;
    const size_t header = header_bytes(how), check = check_bytes(how);
    uint8_t wrapper[HEADER_BYTES + CHECK_BYTES];
    if (!is_known(how) || length != header + story->length + check || story->odd)
        return false;
    write_header(how->level, wrapper);
    write_check(data, bytes, wrapper + HEADER_BYTES);
    if (memcmp(stream, wrapper, header) != 0 ||
        memcmp(stream + length - check, wrapper + HEADER_BYTES, check) != 0)
        return false;
    fpgz_deflate_proof_begin(coder, data, story);
    return parse(how, data, bytes, coder) == FPGZ_OK;
}
