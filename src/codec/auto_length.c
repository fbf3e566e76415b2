/* SPDX-License-Identifier: MIT
 * The length of a box of the sample. Codecs for bytes that are slow need not be tried where a fast one shows
 * that they will not be the best. */
#include "codec/auto_length.h"

#include "codec/codecs.h"
#include "core/bytes.h"

_Static_assert((int)ZSTD_SHUFFLE == (int)LZMA_SHUFFLE && (int)ZSTD_SHUFFLE == (int)DEFLATE_SHUFFLE,
               "one place for all");

const struct fpgz_codec *fpgz_auto_herald(const struct fpgz_codec *codec, const struct fpgz_params *params,
                                          struct fpgz_params *heralds)
{
    enum { OF_ZSTD = 3, OF_LZMA = 9, SLOW = 9 };
    const bool is_lzma = codec == &fpgz_lzma,
               is_slow = is_lzma || codec == &fpgz_deflate ||
                         (codec == &fpgz_zstd && params->value[ZSTD_LEVEL] >= SLOW);
    if (!is_slow || fpgz_zstd.missing)
        return NULL;
    fpgz_codec_defaults(&fpgz_zstd, heralds);
    heralds->value[ZSTD_LEVEL] = is_lzma ? OF_LZMA : OF_ZSTD;
    heralds->value[ZSTD_SHUFFLE] = params->value[ZSTD_SHUFFLE];
    return &fpgz_zstd;
}

/* Whether the herald makes so much more of a box than `least` that the slow codec will not make less. *length
 * is what it makes. Neither deflate nor zstd at level 3 can be lzma's: of fields with symmetries, and of
 * orbitals, they made far more. */
static bool is_hopeless(const struct fpgz_codec *codec, const struct fpgz_coding *coding, size_t least,
                        const void *box, uint8_t *stream, size_t *length)
{
    enum { DOUBT_PART = 4, DOUBT_PART_OF_LITTLE = 2, LITTLE_PART = 8 /* of the box */ };
    const bool little = least < fpgz_grid_bytes(&coding->grid) / LITTLE_PART;
    const size_t doubt = least / (little ? DOUBT_PART_OF_LITTLE : DOUBT_PART);
    struct fpgz_coding fast = *coding;
    const struct fpgz_codec *const herald = fpgz_auto_herald(codec, &coding->params, &fast.params);
    return herald && !herald->encode(&fast, box, stream, length) && *length > least + doubt;
}

size_t fpgz_auto_length(const struct fpgz_codec *codec, const struct fpgz_coding *coding, bool estimates,
                        bool hasty, size_t least, const void *box, uint8_t *stream)
{
    enum { UNSEEN_PART = 16 /* of an estimate, which matches and ranks may save */, LEAST_BYTES = 64 };
    size_t told, length = fpgz_grid_bytes(&coding->grid);
    if (codec->estimate && estimates) {
        const size_t about = fpgz_min(codec->estimate(coding, box, stream), length);
        return about - about / UNSEEN_PART + LEAST_BYTES;
    }
    if (hasty && is_hopeless(codec, coding, least, box, stream, &told))
        return told;
    return codec->encode(coding, box, stream, &length) == FPGZ_UNSUPPORTED ? 0 : length;
}
