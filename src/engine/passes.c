/* SPDX-License-Identifier: MIT
 * Plans how a chunk is coded: once by a given codec, or in the passes of its level. */
#include "engine/passes.h"

#include <string.h>

#include "codec/codecs.h"
#include "core/bytes.h"

/* Samples of values that come to less than SMALL are off by some of it, and of those that come to less than
 * LITTLE by more: what returns does so from further away than they reach. */
static const double SMALL = 0.2, OFF_OF_SMALL = 0.15, LITTLE = 0.02, OFF_OF_LITTLE = 0.35,
                    OFF_AT_LEAST = 0.004;

/* Up to which size of their sample others of the choice take part. */
static double limit_of(const struct fpgz_pass *pass, const struct fpgz_grid *grid, double best)
{
    const struct fpgz_level *const level = pass->sampled;
    const bool many = level->also.runner_up.most > 1;
    if (many && best < LITTLE)
        return best + OFF_OF_LITTLE * best + OFF_AT_LEAST;
    if (pass->runner_up > 1)
        return 0;
    if (many && best < SMALL)
        return best + OFF_OF_SMALL * best;
    const bool is_large = fpgz_grid_bytes(grid) > FPGZ_SMALL_CHUNK;
    if (fpgz_dtype_size(grid->dtype) == 1 && (is_large || level->also.runner_up.most))
        return best * level->also.runner_up.bytes;
    return best * (is_large ? level->also.runner_up.usual : level->also.runner_up.small);
}

static void add(struct fpgz_passes *passes, struct fpgz_pass pass)
{
    passes->pass[passes->count++] = pass;
}

static void add_runners_up(struct fpgz_passes *passes, const struct fpgz_level *level, enum fpgz_dtype dtype)
{
    const bool bytes = fpgz_dtype_size(dtype) == 1 && level->also.runner_up.bytes > 0;
    for (unsigned i = 1; i <= fpgz_max(level->also.runner_up.most, (unsigned)bytes); i++)
        add(passes, (struct fpgz_pass){level, level, i, false});
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
    enum { MOST_OTHERS = sizeof level->also.sampled_as / sizeof *level->also.sampled_as };
    add(&passes, (struct fpgz_pass){level, level, 0, false});
    add_runners_up(&passes, level, dtype);
    if (level->also.weighed_as)
        add(&passes, (struct fpgz_pass){level, fpgz_level(level->also.weighed_as), 0, false});
    for (unsigned i = 0; i < MOST_OTHERS && level->also.sampled_as[i]; i++) {
        const struct fpgz_level *const other = fpgz_level(level->also.sampled_as[i]);
        add(&passes, (struct fpgz_pass){other, other, 0, false});
        add_runners_up(&passes, other, dtype);
        if (fpgz_auto_presumes(other, dtype))
            add(&passes, (struct fpgz_pass){other, other, 0, true});
    }
    passes.restores = fpgz_auto_verifies(level, dtype) && !coder->unverified;
    return passes;
}

const struct fpgz_auto_candidate *fpgz_pass_pick(const struct fpgz_pass *pass, const struct fpgz_grid *grid,
                                                 const struct fpgz_auto_choice *choice)
{
    const struct fpgz_auto_candidate *const best = choice->candidate;
    for (unsigned i = 0; i < choice->count && pass->presumed; i++)
        if (best[i].codec == &fpgz_prans)
            return &best[i];
    if (!pass->runner_up)
        return fpgz_auto_prefer(choice, pass->weighed);
    for (unsigned i = 1; i < choice->count; i++) {
        unsigned smaller = 1;
        for (unsigned j = 1; j < choice->count; j++)
            smaller += best[j].ratio < best[i].ratio || (best[j].ratio == best[i].ratio && j < i);
        if (smaller == pass->runner_up)
            return best[i].ratio <= limit_of(pass, grid, best->ratio) ? &best[i] : NULL;
    }
    return NULL;
}

bool fpgz_pass_was_tried(const struct fpgz_auto_candidate *candidate, const struct fpgz_auto_candidate *tried,
                         unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (candidate->codec == tried[i].codec &&
            !memcmp(&candidate->params, &tried[i].params, sizeof candidate->params))
            return true;
    return false;
}
