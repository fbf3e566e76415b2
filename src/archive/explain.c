/* SPDX-License-Identifier: MIT
 * What -vv says of a chunk. */
#include "archive/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

/* Whether the way is that of the codec without its shuffle, which another way has. */
static bool is_plain(const struct fpgz_auto_candidate *tried)
{
    for (unsigned i = 0; i < tried->codec->param_count; i++)
        if (!strcmp(tried->codec->params[i].key, "shuffle"))
            return !tried->params.value[i];
    return false;
}

void fpgz_explain_chunk(const struct fpgz_listener *listener, const char *name, uint64_t chunk,
                        const struct fpgz_part *part, const struct fpgz_coded *coded)
{
    char why[400] = "", array[FPGZ_NAME_SHOWN + 5] = "";
    size_t used = 0;
    if (!fpgz_heard(listener, 2))
        return;
    const unsigned tries = coded->choice.count > 1 ? coded->choice.count : 0; /* one is not tried */
    for (unsigned i = 0; i < tries && used < sizeof why; i++) {
        const struct fpgz_auto_candidate *tried = &coded->choice.candidate[i];
        used += (size_t)snprintf(why + used, sizeof why - used, "%s%s%s %.4f",
                                 i ? ", " : "; the sample: ", tried->codec->name,
                                 is_plain(tried) ? ":shuffle=0" : "", tried->ratio);
    }
    if (coded->followed)
        snprintf(why, sizeof why, "; as an earlier one");
    if (*part->name)
        snprintf(array, sizeof array, " of %.*s", fpgz_text_fit(part->name, FPGZ_NAME_SHOWN), part->name);
    fpgz_notice(listener, 2, name, "chunk %" PRIu64 " (%s%s): %s, %zu of %zu bytes%s", chunk,
                part->layout == FPGZ_BYTES ? "bytes" : fpgz_dtype_name(part->array.dtype), array,
                coded->codec->name, coded->length, fpgz_grid_bytes(&coded->grid), why);
}
