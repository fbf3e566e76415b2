/* SPDX-License-Identifier: MIT
 * The high setting of dtypes besides f32 and f64: a stream of the lifted values, marked as such. */
#include "codec/prans/format.h"
#include "codec/prans/high/high.h"
#include "codec/prans/high/lift.h"
#include "core/bytes.h"

enum { STEPS_BYTES = 24 /* origin, step and fill value, at a stream's end */ };

static struct fpgz_grid lifted_grid(const struct fpgz_grid *grid)
{
    struct fpgz_grid lifted = *grid;
    lifted.dtype = fpgz_prans_lifted_dtype(grid->dtype);
    return lifted;
}

/* Lifted values stand before the scratch that coding them takes. */
static size_t words_bytes(const struct fpgz_grid *lifted)
{
    return fpgz_round_up(fpgz_grid_bytes(lifted), 64);
}

static struct fpgz_coding lifted_coding(const struct fpgz_coding *coding)
{
    struct fpgz_coding lifted = *coding;
    lifted.grid = lifted_grid(&coding->grid);
    lifted.scratch = (uint8_t *)coding->scratch + words_bytes(&lifted.grid);
    return lifted;
}

size_t fpgz_prans_lifted_bound(const struct fpgz_grid *grid)
{
    return fpgz_prans_high_bound(grid) + STEPS_BYTES;
}

size_t fpgz_prans_lifted_memory(const struct fpgz_grid *grid, bool encoding)
{
    const struct fpgz_grid lifted = lifted_grid(grid);
    return words_bytes(&lifted) + fpgz_prans_high_memory(&lifted, encoding);
}

enum fpgz_status fpgz_prans_lifted_encode(const struct fpgz_coding *coding, const void *values,
                                          uint8_t *stream, size_t *length)
{
    const struct fpgz_coding lifted = lifted_coding(coding);
    struct prans_lift lift;
    if (!fpgz_prans_lift(coding->grid.dtype, values, (size_t)fpgz_grid_values(&coding->grid), coding->scratch,
                         &lift))
        return FPGZ_UNSUPPORTED;
    const enum fpgz_status status = fpgz_prans_high_encode_in(&lifted, coding->scratch, stream,
                                                              fpgz_prans_high_bound(&coding->grid), length);
    if (status)
        return status;
    stream[0] = PRANS_FORMAT_LIFTED;
    stream[3] = (uint8_t)lift.way;
    if (lift.way == PRANS_LIFT_STEPS) {
        fpgz_store64(stream + *length, lift.origin);
        fpgz_store64(stream + *length + 8, lift.step);
        fpgz_store64(stream + *length + 16, lift.fill);
        *length += STEPS_BYTES;
    }
    return FPGZ_OK;
}

enum fpgz_status fpgz_prans_lifted_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                          size_t length, void *values)
{
    const struct fpgz_coding lifted = lifted_coding(coding);
    struct prans_lift lift = {.dtype = coding->grid.dtype, .step = 1};
    if (length < PRANS_HEAD_BYTES || !fpgz_prans_lift_valid(lift.dtype, stream[3]))
        return FPGZ_CORRUPT;
    lift.way = (enum prans_lift_way)stream[3];
    if (lift.way == PRANS_LIFT_STEPS) {
        if (length < PRANS_HEAD_BYTES + STEPS_BYTES)
            return FPGZ_CORRUPT;
        length -= STEPS_BYTES;
        lift.origin = fpgz_load64(stream + length);
        lift.step = fpgz_load64(stream + length + 8);
        lift.fill = fpgz_load64(stream + length + 16);
    }
    const enum fpgz_status status = fpgz_prans_high_decode(&lifted, stream, length, coding->scratch);
    if (status)
        return status;
    return fpgz_prans_lower(&lift, coding->scratch, (size_t)fpgz_grid_values(&coding->grid), values)
               ? FPGZ_OK
               : FPGZ_CORRUPT;
}

bool fpgz_prans_lifted_describe(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                                struct fpgz_traits *traits)
{
    const struct fpgz_coding lifted = lifted_coding(coding);
    return fpgz_prans_lift_valid(coding->grid.dtype, front[3]) &&
           fpgz_prans_high_describe(&lifted, front, length, traits);
}
