/* SPDX-License-Identifier: MIT
 * The defaults of jobs. */
#include "archive/setup.h"

#include <math.h>

#include "codec/auto.h"
#include "core/cpu.h"
#include "core/memory.h"

static uint64_t default_chunk(const struct fpgz_setup *setup)
{
    const struct fpgz_level *level = fpgz_level(setup->level);
    const bool learns = setup->codec ? setup->codec->learns : fpgz_auto_learns(level);
    return learns ? level->chunk.learning : level->chunk.usual;
}

uint64_t fpgz_setup_memory(const struct fpgz_setup *setup)
{
    const uint64_t allowed = setup->memory ? 0 : fpgz_memory_allowed("");
    return setup->memory ? setup->memory : allowed ? allowed / 4 : UINT64_MAX;
}

void fpgz_setup_complete(struct fpgz_setup *setup)
{
    if (!setup->level)
        setup->level = FPGZ_LEVEL_DEFAULT;
    if (!setup->chunk)
        setup->chunk = default_chunk(setup);
    if (!setup->threads)
        setup->threads = fpgz_cpu_count();
    if (setup->threads > 1)
        setup->memory = fpgz_setup_memory(setup);
}

uint64_t fpgz_setup_slab(const struct fpgz_setup *setup)
{
    return fpgz_level(setup->level)->slab;
}
