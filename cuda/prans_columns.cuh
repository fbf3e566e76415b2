/* SPDX-License-Identifier: MIT
 * Sums along the axes of rows: what rows before a row predict. */
#ifndef FPGZ_CUDA_PRANS_COLUMNS_CUH
#define FPGZ_CUDA_PRANS_COLUMNS_CUH

#include "prans_value.cuh"

enum {
    PRANS_COLUMN_WARPS = 16,
    PRANS_COLUMN_ROWS = 8, /* values of a column that a thread has at once */
};

/* Columns of a thread, where rows allow it: registers are scarce. */
template <typename WORD> static constexpr int prans_beside()
{
    return sizeof(WORD) < 8 ? 2 : 1;
}

/* Values of as many columns, of PRANS_COLUMN_ROWS rows. */
template <typename WORD, int EACH> struct prans_tile {
    prans_some<WORD, EACH> row[PRANS_COLUMN_ROWS];

    /* The first `rows` rows; zeros below. */
    __device__ __forceinline__ void load(const WORD *y, uint32_t width, uint32_t rows)
    {
#pragma unroll
        for (unsigned r = 0; r < PRANS_COLUMN_ROWS; r++) {
            row[r] = prans_some<WORD, EACH>();
            if (r < rows)
                row[r] = *(const prans_some<WORD, EACH> *)(y + r * width);
        }
    }
};

/* Sums of k.y along k.axis, in place or, with k.leave, to values in the grid. A warp has 32 * EACH columns
 * side by side; GROUPS warps have rows below each other. The next rows are on their way while some are worked
 * on. */
template <typename WORD, int EACH, int GROUPS>
static __global__ void __launch_bounds__(32 * PRANS_COLUMN_WARPS, 2)
    prans_columns(const __grid_constant__ prans_batch batch)
{
    typedef typename prans_types<WORD>::wide WIDE;
    enum { SETS = PRANS_COLUMN_WARPS / GROUPS, ROWS = PRANS_COLUMN_ROWS, STEP = GROUPS * ROWS };
    __shared__ WIDE total[2][SETS][GROUPS][32 * EACH];
    uint32_t block;
    const prans_work &k = prans_of(batch, &block);
    const prans_axis axis = k.axis;
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = warp % GROUPS,
                   set = warp / GROUPS;
    const uint32_t sets = (axis.width + 32 * EACH - 1) / (32 * EACH), number = block * SETS + set;
    const uint32_t x = number % sets * (32 * EACH) + lane * EACH;
    const bool active = number / sets < axis.parts && x < axis.width;
    const uint32_t base = number / sets * axis.extent * axis.width + x;
    if (k.result->status)
        return;
    WIDE carry[EACH] = {};
    prans_tile<WORD, EACH> next;
    uint32_t row = group * ROWS, rows = active && row < axis.extent ? axis.extent - row : 0;
    next.load((const WORD *)k.y + base + row * axis.width, axis.width, rows);
    for (uint32_t first = 0, odd = 0; first < axis.extent; first += STEP, odd ^= 1) {
        WIDE v[ROWS][EACH], before[EACH];
        row = first + group * ROWS;
        rows = active && row < axis.extent ? axis.extent - row : 0;
#pragma unroll
        for (unsigned r = 0; r < ROWS; r++)
            for (unsigned i = 0; i < EACH; i++)
                v[r][i] = next.row[r].word[i] + (r ? v[r - 1][i] : 0);
        next.load((const WORD *)k.y + base + (row + STEP) * axis.width, axis.width,
                  rows > STEP ? rows - STEP : 0);
        if (GROUPS > 1) {
            for (unsigned i = 0; i < EACH; i++)
                total[odd][set][group][lane * EACH + i] = v[ROWS - 1][i];
            __syncthreads();
        }
#pragma unroll
        for (unsigned i = 0; i < EACH; i++) {
            before[i] = carry[i];
            carry[i] += GROUPS == 1 ? v[ROWS - 1][i] : 0;
            for (unsigned g = 0; g < GROUPS && GROUPS > 1; g++) {
                const WIDE sum = total[odd][set][g][lane * EACH + i];
                before[i] += g < group ? sum : 0;
                carry[i] += sum;
            }
        }
#pragma unroll
        for (unsigned r = 0; r < ROWS; r++)
            for (unsigned i = 0; i < EACH; i++)
                v[r][i] += before[i];
        prans_put<WORD, ROWS, EACH>(k, 0, k.f.values, base + row * axis.width, axis.width, rows, v);
    }
}

/* The axis above, and up to two slower ones that predict, too; the last one is the slowest. Columns that
 * differ along other axes are independent. */
struct prans_planes {
    prans_axis axis;
    uint32_t extent[2], step[2]; /* 1 and 0 where there is none */
};

static __host__ __device__ __forceinline__ prans_planes prans_planes_of(const prans_work &k)
{
    prans_planes planes = {{0, 0, 1}, {1, 1}, {0, 0}};
    uint32_t stride = k.f.row;
    unsigned found = 0;
    for (int a = MIDDLE_AXES - 1; a >= 0; a--) {
        if (a >= (int)k.f.axes)
            continue;
        if (!(k.f.selected >> a & 1)) {
            planes.axis.parts *= found ? k.f.extent[a] : 1;
        } else if (found++ == 0) {
            planes.axis.width = stride;
            planes.axis.extent = k.f.extent[a];
        } else if (found == 2) {
            planes.extent[0] = k.f.extent[a];
            planes.step[0] = stride;
        } else {
            planes.extent[1] = k.f.extent[a];
            planes.step[1] = stride;
        }
        stride *= k.f.extent[a];
    }
    return planes;
}

/* The first value of a column: number `x` of those side by side, number `part` along all other axes that do
 * not predict. */
static __device__ __forceinline__ uint32_t prans_column(const prans_work &k, const prans_axis &axis,
                                                        uint32_t part, uint32_t x)
{
    uint32_t stride = k.f.row;
#pragma unroll
    for (int a = MIDDLE_AXES - 1; a >= 0; a--) {
        if (a >= k.f.axes)
            continue;
        if (stride > axis.width && !(k.f.selected >> a & 1)) {
            x += part % k.f.extent[a] * stride;
            part /= k.f.extent[a];
        }
        stride *= k.f.extent[a];
    }
    return x;
}

/* Adds what the row `back` values before each row tells of the difference to the value before it in its
 * column. */
template <typename WORD, typename WIDE>
static __device__ __forceinline__ void prans_predict(const WORD *y, uint32_t width, bool has_before,
                                                     uint32_t rows, bool taken, WIDE v[PRANS_COLUMN_ROWS])
{
    WIDE before = has_before && rows ? *(y - width) : 0;
#pragma unroll
    for (unsigned r = 0; r < PRANS_COLUMN_ROWS; r++) {
        const WIDE word = r < rows ? y[r * width] : 0;
        v[r] += taken ? before - word : word - before;
        before = word;
    }
}

/* Special values with order 1: a value's difference to the one before it in its row is 0 where it is special,
 * else its residual and what the differences of the rows before predict. So differences are summed along axes
 * before they are summed along rows, and sums begin anew at special values. Planes come one after the other;
 * along the fastest of the axes, warps are as in prans_columns(). */
template <typename WORD, int GROUPS>
static __global__ void __launch_bounds__(32 * PRANS_COLUMN_WARPS)
    prans_specials(const __grid_constant__ prans_batch batch)
{
    typedef typename prans_types<WORD>::wide WIDE;
    enum { SETS = PRANS_COLUMN_WARPS / GROUPS, ROWS = PRANS_COLUMN_ROWS };
    __shared__ WIDE total[2][SETS][GROUPS][32];
    __shared__ bool anew[2][SETS][GROUPS][32];
    uint32_t block;
    const prans_work &k = prans_of(batch, &block);
    const prans_planes planes = prans_planes_of(k);
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = warp % GROUPS,
                   set = warp / GROUPS;
    const prans_axis &axis = planes.axis;
    const uint32_t sets = (axis.width + 31) / 32, number = block * SETS + set, x = number % sets * 32 + lane;
    const bool active = number / sets < axis.parts && x < axis.width, begins_row = x % k.f.row == 0;
    const uint32_t base = prans_column(k, axis, number / sets, x);
    if (k.result->status)
        return;
    uint32_t odd = 0;
    for (uint32_t plane = 0; plane < planes.extent[0] * planes.extent[1]; plane++) {
        const uint32_t near = plane % planes.extent[0], far = plane / planes.extent[0];
        WORD *const y = (WORD *)k.y + base + near * planes.step[0] + far * planes.step[1];
        const uint8_t *const symbol = k.symbol + (y - (WORD *)k.y);
        WIDE carry = 0;
        for (uint32_t first = 0; first < axis.extent; first += GROUPS * ROWS, odd ^= 1) {
            const uint32_t row = first + group * ROWS,
                           rows = active && row < axis.extent ? axis.extent - row : 0;
            WORD *const at = y + row * axis.width;
            WIDE v[ROWS], sum = 0;
            unsigned special = 0;
#pragma unroll
            for (unsigned r = 0; r < ROWS; r++) {
                v[r] = r < rows ? at[r * axis.width] : 0;
                special |= (r < rows && !begins_row && symbol[(row + r) * axis.width] >= k.f.special) << r;
            }
            if (near)
                prans_predict(at - planes.step[0], axis.width, row > 0, rows, false, v);
            if (far)
                prans_predict(at - planes.step[1], axis.width, row > 0, rows, false, v);
            if (near && far)
                prans_predict(at - planes.step[0] - planes.step[1], axis.width, row > 0, rows, true, v);
#pragma unroll
            for (unsigned r = 0; r < ROWS; r++)
                v[r] = sum = special >> r & 1 ? 0 : sum + v[r];
            total[odd][set][group][lane] = sum;
            anew[odd][set][group][lane] = special != 0;
            __syncthreads();
            WIDE before = carry;
#pragma unroll
            for (unsigned g = 0; g < GROUPS; g++) {
                const WIDE its = total[odd][set][g][lane];
                const bool begins = anew[odd][set][g][lane];
                before = g < group ? its + (begins ? 0 : before) : before;
                carry = its + (begins ? 0 : carry);
            }
#pragma unroll
            for (unsigned r = 0; r < ROWS; r++)
                if (r < rows)
                    at[r * axis.width] = (WORD)(v[r] + (special & ((2u << r) - 1) ? 0 : before));
        }
        __syncthreads(); /* the next plane reads what other warps wrote */
    }
}

#endif
