/* SPDX-License-Identifier: MIT
 * Which part of a batch this process does: from --shard, or from the variables of Slurm and MPI. */
#include "batch/shard.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/checksum.h"

enum { MOST = 1 << 20 };

/* A number of digits alone, followed by `end`; behind it on success, else NULL. */
static const char *number(const char *text, char end, unsigned *value)
{
    char *behind;
    if (!text || *text < '0' || *text > '9')
        return NULL;
    const unsigned long long read = strtoull(text, &behind, 10);
    *value = (unsigned)read;
    return *behind == end && read <= UINT32_MAX ? behind + 1 : NULL;
}

bool shard_parse(const char *text, struct shard *shard)
{
    unsigned index, count;
    text = number(text, '/', &index);
    if (!text || !number(text, '\0', &count) || index > count || !count || count > MOST)
        return false;
    *shard = (struct shard){index % count, count, "--shard"};
    return true;
}

static bool variable(const char *name, unsigned *value)
{
    return number(getenv(name), '\0', value);
}

/* A batch script of Slurm has SLURM_PROCID 0, however many tasks its job has: only a step's process is one of
 * them. */
static bool is_task(const char *variable_of_rank)
{
    return strncmp(variable_of_rank, "SLURM_", 6) != 0 || getenv("SLURM_STEP_ID") || !getenv("SLURM_JOB_ID");
}

enum fpgz_status shard_from_environment(struct shard *shard, struct fpgz_error *error)
{
    static const char *const ranks[][2] = {{"SLURM_PROCID", "SLURM_NTASKS"},
                                           {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"}};
    unsigned index = 0, count = 1, first, step = 1;
    *shard = (struct shard){0, 1, NULL};
    if (variable("SLURM_ARRAY_TASK_ID", &index) && variable("SLURM_ARRAY_TASK_COUNT", &count)) {
        shard->origin = "SLURM_ARRAY_TASK_ID";
        if (variable("SLURM_ARRAY_TASK_STEP", &step) && !step)
            step = 1;
        if (!variable("SLURM_ARRAY_TASK_MIN", &first) || index < first || (index - first) % step)
            return fpgz_fail(error, FPGZ_USAGE,
                             "the array's task %u is not at equal steps from the first one; give --shard",
                             index);
        index = (index - first) / step;
    } else {
        for (size_t i = 0; !shard->origin; i++) {
            if (i == sizeof ranks / sizeof *ranks)
                return FPGZ_OK;
            if (is_task(ranks[i][0]) && variable(ranks[i][0], &index) && variable(ranks[i][1], &count))
                shard->origin = ranks[i][0];
        }
    }
    if (index >= count || count > MOST)
        return fpgz_fail(error, FPGZ_USAGE,
                         "%s makes this shard %u of %u, which does not exist; give --shard", shard->origin,
                         index, count);
    shard->index = index;
    shard->count = count;
    return FPGZ_OK;
}

bool shard_takes(const struct shard *shard, const char *path)
{
    return fpgz_checksum(path, strlen(path)) % shard->count == shard->index;
}
