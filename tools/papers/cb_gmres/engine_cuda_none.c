/* SPDX-License-Identifier: MIT
 * Where there is no engine for GPUs. */
#include "core/status.h"
#include "engine.h"

enum fpgz_status engine_begin_cuda(struct engine *engine, const struct matrix *matrix, const double *b,
                                   const struct storage *storage, unsigned vectors)
{
    (void)matrix, (void)b, (void)storage, (void)vectors;
    *engine = (struct engine){0};
    return fpgz_fail(&engine->error, FPGZ_UNSUPPORTED, "this cb_gmres has no engine for GPUs");
}
