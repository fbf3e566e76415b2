/* SPDX-License-Identifier: MIT
 * Plans how a chunk is coded: once by a given codec, or in the passes of its level. */
#include "engine/passes.h"

#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "core/bytes.h"

static void add(struct fpgz_passes *passes, struct fpgz_pass pass)
{
    passes->pass[passes->count++] = pass;
}

struct fpgz_passes fpgz_passes_plan(const struct fpgz_coder *coder, enum fpgz_dtype dtype)
{
    struct fpgz_passes passes = {0};
    if (coder->codec) {
        add(&passes, (struct fpgz_pass){0});
        passes.restores = !coder->codec->lossless || (coder->codec->verified && !coder->unverified);
        return passes;
    }
    const struct fpgz_level *const level = fpgz_level(coder->level);
    add(&passes, (struct fpgz_pass){level, level, false, false});
    if (level->also.runner_up.usual > 0)
        add(&passes, (struct fpgz_pass){level, level, true, false});
    if (level->also.weighed_as)
        add(&passes, (struct fpgz_pass){level, fpgz_level(level->also.weighed_as), false, false});
    for (unsigned i = 0; i < 2 && level->also.sampled_as[i]; i++) {
        const struct fpgz_level *const other = fpgz_level(level->also.sampled_as[i]);
        add(&passes, (struct fpgz_pass){other, other, false, false});
        if (other->also.runner_up.usual > 0)
            add(&passes, (struct fpgz_pass){other, other, true, false});
        if (fpgz_auto_presumes(other, dtype))
            add(&passes, (struct fpgz_pass){other, other, false, true});
    }
    passes.restores = fpgz_auto_verifies(level, dtype) && !coder->unverified;
    return passes;
}

const struct fpgz_auto_candidate *fpgz_pass_pick(const struct fpgz_pass *pass, uint64_t bytes,
                                                 const struct fpgz_auto_choice *choice)
{
    const struct fpgz_level *const level = pass->sampled;
    const double close = bytes > FPGZ_SMALL_CHUNK ? level->also.runner_up.usual : level->also.runner_up.small;
    const struct fpgz_auto_candidate *const best = choice->candidate, *least = NULL;
    for (unsigned i = 0; i < choice->count && pass->presumed; i++)
        if (best[i].codec == &fpgz_prans)
            return &best[i];
    if (!pass->runner_up)
        return fpgz_auto_prefer(choice, pass->weighed);
    for (unsigned i = 1; i < choice->count; i++)
        if (!least || best[i].ratio < least->ratio)
            least = &best[i];
    return least && least->ratio <= close * best->ratio ? least : NULL;
}

bool fpgz_pass_was_tried(const struct fpgz_auto_candidate *candidate, const struct fpgz_auto_candidate *tried,
                         unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct fpgz_params params = candidate->params;
        if (candidate->codec == &fpgz_prans && fpgz_prans_is_high(&params))
            params.value[PRANS_EFFORT] =
                fpgz_max(params.value[PRANS_EFFORT], tried[i].params.value[PRANS_EFFORT]);
        if (candidate->codec == tried[i].codec && !memcmp(&params, &tried[i].params, sizeof params))
            return true;
    }
    return false;
}
