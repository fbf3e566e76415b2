/* SPDX-License-Identifier: MIT
 * Sums along the axes of rows: what rows before a row predict. */
#ifndef FPGZ_CUDA_PRANS_COLUMNS_CUH
#define FPGZ_CUDA_PRANS_COLUMNS_CUH

#include "prans_value.cuh"

enum {
    PRANS_COLUMN_WARPS = 16,
    PRANS_COLUMN_ROWS = 8, /* values of a column that a thread has at once */
};

/* An axis: `width` columns beside each other, whose values are `width` apart, `extent` values each. */
struct prans_axis {
    uint32_t width, extent, parts;
};

template <typename WORD, int EACH> struct alignas(EACH * sizeof(WORD)) prans_some {
    WORD word[EACH];
};

/* Sums of k.y along an axis, in place or, with `leave`, to values in the grid. A warp has 32 * EACH columns
 * side by side; GROUPS warps have rows below each other. */
template <typename WORD, int EACH, int GROUPS>
static __global__ void __launch_bounds__(32 * PRANS_COLUMN_WARPS)
    prans_columns(const __grid_constant__ prans_work k, const prans_axis axis, const bool leave)
{
    typedef typename prans_types<WORD>::wide WIDE;
    typedef prans_some<WORD, EACH> SOME;
    enum { SETS = PRANS_COLUMN_WARPS / GROUPS, ROWS = PRANS_COLUMN_ROWS };
    __shared__ WIDE total[2][SETS][GROUPS][32 * EACH];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = warp % GROUPS,
                   set = warp / GROUPS;
    const uint32_t sets = (axis.width + 32 * EACH - 1) / (32 * EACH), number = blockIdx.x * SETS + set;
    const uint32_t x = number % sets * (32 * EACH) + lane * EACH;
    const bool active = number / sets < axis.parts && x < axis.width;
    const uint32_t base = number / sets * axis.extent * axis.width + x;
    if (k.result->status)
        return;
    WIDE carry[EACH] = {};
    for (uint32_t first = 0, odd = 0; first < axis.extent; first += GROUPS * ROWS, odd ^= 1) {
        const uint32_t row = first + group * ROWS, rows = active && row < axis.extent ? axis.extent - row : 0;
        WIDE v[ROWS][EACH];
#pragma unroll
        for (unsigned r = 0; r < ROWS; r++) {
            SOME some = SOME();
            if (r < rows)
                some = *(const SOME *)((const WORD *)k.y + base + (row + r) * axis.width);
#pragma unroll
            for (unsigned i = 0; i < EACH; i++)
                v[r][i] = some.word[i];
        }
#pragma unroll
        for (unsigned r = 1; r < ROWS; r++)
            for (unsigned i = 0; i < EACH; i++)
                v[r][i] += v[r - 1][i];
        WIDE before[EACH];
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
        for (unsigned r = 0; r < ROWS; r++) {
            const uint32_t at = base + (row + r) * axis.width;
            SOME some;
            if (r >= rows)
                break;
#pragma unroll
            for (unsigned i = 0; i < EACH; i++) {
                const WORD y = (WORD)(before[i] + v[r][i]);
                some.word[i] =
                    leave
                        ? prans_leave<WORD>(k, y, k.f.special < PRANS_SYMBOLS ? k.symbol[at + i] : 0, at + i)
                        : y;
            }
            if (!leave || k.f.components == 1)
                *(SOME *)((WORD *)(leave ? k.values : k.y) + at) = some;
            else
                for (unsigned i = 0; i < EACH; i++)
                    ((WORD *)k.values)[prans_place(k, at + i)] = some.word[i];
        }
    }
}

/* Special values with order 1: a value's difference to the one before it in its row is 0 where it is special,
 * else its residual and what the differences of the rows before predict. A thread a column. */
template <typename WORD> static __global__ void prans_specials(const __grid_constant__ prans_work k)
{
    uint32_t extent[MIDDLE_AXES] = {1, 1, 1}, step[MIDDLE_AXES] = {0, 0, 0}, stride = k.f.row;
    const uint32_t column = blockIdx.x * blockDim.x + threadIdx.x, x = column % k.f.row;
    uint32_t rest = column / k.f.row, base = x;
    if (k.result->status)
        return;
#pragma unroll
    for (int a = MIDDLE_AXES - 1; a >= 0; a--) {
        if (a >= k.f.axes)
            continue;
        if (k.f.selected >> a & 1) {
            extent[a] = k.f.extent[a];
        } else {
            base += rest % k.f.extent[a] * stride;
            rest /= k.f.extent[a];
        }
        step[a] = stride;
        stride *= k.f.extent[a];
    }
    if (rest)
        return;
    WORD *const y = (WORD *)k.y;
    for (uint32_t i = 0; i < extent[0]; i++)
        for (uint32_t j = 0; j < extent[1]; j++)
            for (uint32_t l = 0; l < extent[2]; l++) {
                const uint32_t at = base + i * step[0] + j * step[1] + l * step[2];
                const unsigned usable = (i > 0) | (j > 0) << 1 | (l > 0) << 2;
                WORD sum = y[at];
#pragma unroll
                for (unsigned some = 1; some < 1 << MIDDLE_AXES; some++) {
                    const uint32_t back =
                        (some & 1 ? step[0] : 0) + (some & 2 ? step[1] : 0) + (some & 4 ? step[2] : 0);
                    const WORD word = some & ~usable ? 0 : y[at - back];
                    sum = (WORD)(__popc(some) % 2 ? sum + word : sum - word);
                }
                y[at] = x && k.symbol[at] >= k.f.special ? 0 : sum;
            }
}

#endif
