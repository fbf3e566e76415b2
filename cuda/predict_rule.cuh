/* SPDX-License-Identifier: MIT
 * The predictors: of one value from those at the same place of earlier slices. All of them are integers, so
 * that they round as the CPU's do. */
#ifndef FPGZ_CUDA_PREDICT_RULE_CUH
#define FPGZ_CUDA_PREDICT_RULE_CUH

#include "predict_row.cuh"

static __device__ __forceinline__ uint32_t predict_mean(const uint32_t *before, size_t stride,
                                                        unsigned points)
{
    long long sum = 0;
    for (unsigned point = 0; point < points; point++)
        sum += (int32_t)before[-(int64_t)(point * stride)];
    return (uint32_t)(int32_t)((double)sum / points); /* exact, as codec/predict/kernels.h says */
}

static __device__ __forceinline__ uint64_t predict_mean(const uint64_t *before, size_t stride,
                                                        unsigned points)
{
    long long high = 0, low = 0;
    for (unsigned point = 0; point < points; point++) {
        const int64_t word = (int64_t)before[-(int64_t)(point * stride)];
        high += word >> 32;
        low += word & UINT32_MAX;
    }
    const long long first = (long long)((double)high / points);
    const long long rest = (high - first * points) * (1LL << 32) + low;
    const long long second = (long long)((double)rest / points);
    const bool round_up = first < 0 && rest > second * points;
    return (uint64_t)(first * (1LL << 32) + second + round_up);
}

/* The element of rank points / 2 in signed order: the last of a list of the KEPT least, in which zeros stand
 * for the ranks that it has too many. */
template <unsigned KEPT, typename Word>
static __device__ __forceinline__ Word predict_median(const Word *before, size_t stride, unsigned points)
{
    const Word sign = (Word)1 << (8 * sizeof(Word) - 1); /* inverted, signed order is unsigned order */
    Word least[KEPT];
#pragma unroll
    for (unsigned i = 0; i < KEPT; i++)
        least[i] = i + points / 2 < KEPT - 1 ? 0 : ~(Word)0;
    for (unsigned point = 0; point < points; point++) {
        Word word = before[-(int64_t)(point * stride)] ^ sign;
#pragma unroll
        for (unsigned i = 0; i < KEPT; i++) {
            const Word lesser = min(least[i], word);
            word = max(least[i], word);
            least[i] = lesser;
        }
    }
    return least[KEPT - 1] ^ sign;
}

/* The prediction of a value of slice `t` > 0. */
template <typename Word>
static __device__ __forceinline__ Word predict_value(const struct predict_task &task, const Word *value,
                                                     uint32_t t)
{
    const size_t stride = task.values;
    const Word *const before = value - stride;
    const uint32_t row = min(t, (uint32_t)PREDICT_POINTS), points = task.rule.points[row];
    if (points == 1)
        return *before;
    if (task.rule.kind == PREDICT_MEAN)
        return predict_mean(before, stride, points);
    if (task.rule.kind == PREDICT_MEDIAN)
        return points < 4 ? predict_median<2>(before, stride, points)
                          : predict_median<PREDICT_POINTS / 2 + 1>(before, stride, points);
    Word sum = 0;
    for (unsigned point = 0; point < points; point++)
        sum += (Word)task.rule.weights[row][point] * before[-(int64_t)(point * stride)];
    return sum;
}

#endif
