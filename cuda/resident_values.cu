/* SPDX-License-Identifier: MIT
 * What encoders of arrays on the device need besides their kernels: samples of values on the host, and the
 * errors of lossy streams. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "resident.cuh"

extern "C" {
#include "codec/codecs.h"
#include "codec/gfc/gfc.h"
#include "codec/mpc/mpc.h"
#include "codec/sample.h"
}

enum { THREADS = 256 };

/* Pairs of neighbouring units, in bytes, of a codec that guesses its dim; no places for others. */
struct sampling {
    size_t unit;
    uint32_t places;
};

static struct sampling sampling_of(const struct fpgz_coded *coded)
{
    const size_t size = fpgz_dtype_size(coded->grid.dtype);
    if (coded->codec->id == FPGZ_CODEC_GFC && !coded->params.value[GFC_DIM])
        return {GFC_LANES * size, GFC_SAMPLED};
    if (coded->codec->id == FPGZ_CODEC_MPC && !coded->params.value[MPC_DIM])
        return {MPC_WINDOW * size, MPC_SAMPLED};
    return {1, 0};
}

static size_t place(const struct sampling *s, uint32_t i, size_t units)
{
    return fpgz_sample_place(i, s->places, units - 1) * s->unit;
}

bool fpgz_sample_is_taken(const struct fpgz_coded *coded)
{
    return sampling_of(coded).places;
}

cudaError_t fpgz_sample_bring(struct fpgz_resident *r, const struct fpgz_resident_chunk *c, uint8_t *to)
{
    const struct sampling s = sampling_of(&c->coded);
    const size_t units = fpgz_grid_bytes(&c->coded.grid) / s.unit;
    for (uint32_t i = 0; i < s.places && i + 1 < units; i++)
        TRY(fpgz_moves_add(r, to + 2 * s.unit * i, c->values + place(&s, i, units), 2 * s.unit, 0));
    return cudaSuccess;
}

const uint8_t *fpgz_sample_spread(const struct fpgz_coded *coded, const uint8_t *from,
                                  struct fpgz_buffer *values)
{
    const struct sampling s = sampling_of(coded);
    const size_t bytes = fpgz_grid_bytes(&coded->grid), units = bytes / s.unit;
    if (!fpgz_buffer_reserve(values, bytes + MPC_SLACK))
        return NULL;
    for (uint32_t i = 0; i < s.places && i + 1 < units; i++)
        memcpy(values->data + place(&s, i, units), from + 2 * s.unit * i, 2 * s.unit);
    return values->data;
}

static __device__ bool same_bits(float x, float y)
{
    return __float_as_uint(x) == __float_as_uint(y);
}

static __device__ bool same_bits(double x, double y)
{
    return __double_as_longlong(x) == __double_as_longlong(y);
}

/* As the CPU's add_error() (engine/lossy.c); the largest so far are told by their bits, which rise with
 * numbers that are not negative. */
template <typename FLOAT>
static __global__ void measure_errors(const FLOAT *original, const FLOAT *restored, uint64_t values,
                                      unsigned long long *largest)
{
    double absolute = 0, relative = 0;
    for (uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x; i < values; i += gridDim.x * THREADS) {
        const FLOAT x = original[i], y = restored[i];
        const double error = fabs((double)x - (double)y);
        if (error == 0 || same_bits(x, y))
            continue;
        const double here = error <= DBL_MAX ? error : (double)INFINITY,
                     part = x != 0 ? here / fabs((double)x) : 0;
        absolute = here > absolute ? here : absolute;
        relative = part > relative ? part : relative;
    }
    const double found[2] = {absolute, relative};
    for (unsigned i = 0; i < 2; i++) {
        unsigned long long bits = (unsigned long long)__double_as_longlong(found[i]);
        for (unsigned step = 1; step < 32; step *= 2)
            bits = max(bits, __shfl_xor_sync(0xFFFFFFFF, bits, step));
        if (threadIdx.x % 32 == 0)
            atomicMax(&largest[i], bits);
    }
}

cudaError_t fpgz_errors_measure(struct fpgz_resident *r, const struct fpgz_resident_chunk *c,
                                cudaStream_t queue)
{
    const struct fpgz_grid *const grid = &c->coded.grid;
    const uint64_t values = fpgz_grid_values(grid);
    unsigned long long *const largest = r->desk->error[c - r->chunk];
    const unsigned blocks = (unsigned)fpgz_min(values / THREADS + 1, 8 * (unsigned)r->gpu->multiprocessors);
    if (grid->dtype == FPGZ_F64)
        measure_errors<<<blocks, THREADS, 0, queue>>>((const double *)c->copy, (const double *)c->restored,
                                                      values, largest);
    else
        measure_errors<<<blocks, THREADS, 0, queue>>>((const float *)c->copy, (const float *)c->restored,
                                                      values, largest);
    return cudaGetLastError();
}
