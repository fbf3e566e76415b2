/* SPDX-License-Identifier: MIT
 * How the parts of a file are coded: by which codec, and at which level. */
#include "archive/coder.h"

#include "codec/auto.h"

int fpgz_coder_level(const struct fpgz_setup *setup, const struct fpgz_content *content)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < content->count && content->kind != FPGZ_KIND_RAW; i++)
        if (fpgz_part_is_array(&content->part[i]))
            bytes += content->part[i].place.bytes;
    return bytes && bytes <= FPGZ_FEW_BYTES ? fpgz_level(setup->level)->few : setup->level;
}

struct fpgz_coder fpgz_coder_of(const struct fpgz_setup *setup, int level, const struct fpgz_part *part)
{
    struct fpgz_error unfit = {0};
    struct fpgz_coder coder = {.codec = setup->codec,
                               .params = setup->params,
                               .level = level,
                               .bound = setup->max_error,
                               .unverified = setup->unverified,
                               .swap = part->array.order == FPGZ_BIG};
    if (part->layout == FPGZ_BYTES) {
        const struct fpgz_level *const asked = fpgz_level(setup->level);
        const bool few = part->place.bytes <= FPGZ_FEW_OPAQUE;
        coder.codec = fpgz_auto_opaque(few ? fpgz_level(asked->few) : asked, &coder.params);
    } else if (coder.codec && fpgz_codec_check(coder.codec, part->array.dtype, &coder.params, &unfit)) {
        coder.codec = NULL;
    }
    return coder;
}
