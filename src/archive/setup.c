/* SPDX-License-Identifier: MIT
 * What jobs do where nothing else is said. */
#include "archive/setup.h"

#include <math.h>

#include "core/cpu.h"
#include "core/memory.h"
#include "engine/cut.h"

/* Where the codec learns, or may be one that does, chunks of more than a million values are worth it. */
static uint64_t default_chunk(const struct fpgz_setup *setup)
{
    if (setup->codec ? !setup->codec->learns : setup->level < FPGZ_AUTO_MIDDLE)
        return FPGZ_CHUNK_DEFAULT;
    return setup->level < FPGZ_AUTO_SMALL ? FPGZ_CHUNK_MIDDLE : FPGZ_CHUNK_SMALL;
}

void fpgz_setup_complete(struct fpgz_setup *setup)
{
    const uint64_t allowed = setup->memory ? 0 : fpgz_memory_allowed("");
    if (!setup->level)
        setup->level = 5;
    if (!setup->chunk)
        setup->chunk = default_chunk(setup);
    if (!setup->memory)
        setup->memory = allowed ? allowed / 4 : UINT64_MAX;
    if (!setup->threads)
        setup->threads = fpgz_cpu_count();
}

uint64_t fpgz_setup_slab(const struct fpgz_setup *setup)
{
    return setup->level < FPGZ_AUTO_SMALL ? FPGZ_SLAB_FAST : FPGZ_SLAB_SMALL;
}
