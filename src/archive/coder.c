/* SPDX-License-Identifier: MIT
 * How the parts of a file are coded: by which codec, and at which level. */
#include "archive/coder.h"

#include "codec/auto.h"
#include "codec/codecs.h"
#include "core/bytes.h"

int fpgz_coder_level(const struct fpgz_setup *setup, const struct fpgz_input *input,
                     const struct fpgz_content *content)
{
    enum { LEAST_BYTES = 64 << 10 }; /* smaller arrays take as long: to choose how they are coded */
    const struct fpgz_level *const level = fpgz_level(setup->level);
    uint64_t bytes = 0;
    if (content->kind == FPGZ_KIND_RAW)
        return input->regular && fpgz_content_bytes(content) < FPGZ_SMALL_RAW ? level->few.raw : setup->level;
    for (size_t i = 0; i < content->count; i++)
        if (fpgz_part_is_array(&content->part[i]))
            bytes += fpgz_max(content->part[i].place.bytes, LEAST_BYTES);
    return bytes && bytes <= level->few.most ? level->few.level : setup->level;
}

/* Takes a faster codec than lzma at its level. */
static void hasten(struct fpgz_coder *coder)
{
    /* Of metadata zstd at this level makes 4 to 8 % more than lzma at 3, in a quarter of the time; and that 2
     * to 4 % more than lzma at 6, in a quarter of its time. */
    enum { HASTY_ZSTD = 9, HASTY_LZMA = 3 };
    uint32_t *const level = &coder->params.value[LZMA_LEVEL];
    if (fpgz_zstd.missing) {
        *level = *level > HASTY_LZMA ? HASTY_LZMA : *level;
        return;
    }
    coder->codec = &fpgz_zstd;
    fpgz_codec_defaults(coder->codec, &coder->params);
    coder->params.value[ZSTD_LEVEL] = HASTY_ZSTD;
}

/* Lets the codec for bytes find values that repeat, which it would not among planes of bytes. */
static void match_values(enum fpgz_dtype dtype, struct fpgz_coder *coder)
{
    /* These levels of zstd take short matches first, and so tear values of 8 bytes: at 4 it made 1.60 MB of
     * 9.8 MB of transmission curves, at 12 2.51 MB, at 16 1.35 MB. */
    enum { WHOLE = 4, SHORT_FIRST = 5, SHORT_LAST = 15 };
    uint32_t *const level = &coder->params.value[ZSTD_LEVEL];
    coder->params.value[ZSTD_SHUFFLE] = 0; /* where lzma and deflate have it, too */
    if (coder->codec == &fpgz_zstd && fpgz_dtype_size(dtype) == 8 && *level >= SHORT_FIRST &&
        *level <= SHORT_LAST)
        *level = WHOLE;
}

struct fpgz_coder fpgz_coder_of(const struct fpgz_setup *setup, int level, const struct fpgz_part *part)
{
    struct fpgz_error unfit = {0};
    struct fpgz_coder coder = {.codec = setup->codec,
                               .params = setup->params,
                               .level = level,
                               .bound = setup->max_error,
                               .unverified = setup->unverified,
                               .swap = part->array.order == FPGZ_BIG,
                               .turn = part->turned ? fpgz_part_row(part) : 0};
    if (part->layout == FPGZ_BYTES || part->general) {
        const struct fpgz_level *const asked = fpgz_level(setup->level);
        const bool few = part->place.bytes <= FPGZ_FEW_OPAQUE;
        coder.codec = fpgz_auto_opaque(few ? fpgz_level(asked->few.level) : asked, &coder.params);
        if (part->hasty && coder.codec == &fpgz_lzma)
            hasten(&coder);
        if (part->general)
            match_values(part->array.dtype, &coder);
    } else if (coder.codec && fpgz_codec_check(coder.codec, part->array.dtype, &coder.params, &unfit)) {
        coder.codec = NULL;
    }
    if (part->plain)
        fpgz_coder_presume(&coder);
    return coder;
}

void fpgz_coder_presume(struct fpgz_coder *coder)
{
    if (coder->codec)
        return;
    coder->codec = &fpgz_prans;
    coder->presumed = true;
    fpgz_codec_defaults(coder->codec, &coder->params);
}
