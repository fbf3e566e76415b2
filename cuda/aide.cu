/* SPDX-License-Identifier: MIT
 * Aides of encoders that run on the host: a chunk has a lane from the first call on. */
#include <string.h>

#include "device.cuh"

extern "C" {
#include "codec/prans/matched/kernels.h"
}

static const struct fpgz_cuda_aide *kernels_of(const struct fpgz_device_aide *aide)
{
    return ((const struct fpgz_cuda_codec *)aide->codec)->aide;
}

/* Waits for segments that are under way. */
static void settle(struct fpgz_device_aide *a)
{
    struct lane *const lane = (struct lane *)a->lane;
    const cudaError_t status = a->coming ? fpgz_lane_wait(lane) : cudaSuccess;
    if (status) {
        a->lost = true;
        fpgz_gpu_fail(a->device, lane->gpu, status);
    }
    a->coming = false;
}

/* Gives the chunk's lane back. */
static void drop(struct fpgz_aide *aide)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    if (!a->lane)
        return;
    settle(a);
    fpgz_lane_give(a->device, (struct lane *)a->lane);
    a->lane = NULL;
    a->values = NULL;
    a->taken = NULL;
    a->chosen = 0;
}

/* Whether the call is done. After an error the lane is given back, and its GPU gets no more chunks. */
static bool is_done(struct fpgz_device_aide *a, cudaError_t status)
{
    struct lane *const lane = (struct lane *)a->lane;
    if (!status)
        return true;
    if (status == cudaErrorMemoryAllocation)
        fpgz_lane_out_of_memory(a->device, lane, kernels_of(a)->memory(&a->shape));
    else
        fpgz_gpu_fail(a->device, lane->gpu, status);
    drop(&a->aide);
    return false;
}

/* Where the values are on the device, if they are, or on the host. */
static const void *place_of(const struct fpgz_device_aide *a, const void *values)
{
    const uintptr_t at = (uintptr_t)values - (uintptr_t)a->host;
    return a->there && at < a->length ? a->there + at : values;
}

static bool are_alike(const struct bins_shape *a, const struct bins_shape *b)
{
    return a->values == b->values && a->size == b->size && a->segment_bits == b->segment_bits;
}

/* Takes a lane, unless the chunk has one, and brings the values there, unless they are; NULL where that
 * fails. values: NULL, if they are not needed. */
static struct lane *begin(struct fpgz_device_aide *a, const struct bins_shape *shape, const void *values)
{
    const struct fpgz_cuda_aide *const kernels = kernels_of(a);
    cudaError_t status = cudaSuccess;
    if (a->lane && !are_alike(&a->shape, shape))
        drop(&a->aide); /* a part begins where the whole does */
    if (!a->lane) {
        struct lane *const lane = fpgz_lane_take(a->device, true);
        if (!lane)
            return NULL;
        a->lane = lane;
        a->shape = *shape;
        status = cudaSetDevice(lane->gpu->index);
        if (!status)
            status = fpgz_lane_reserve(lane, kernels->memory(shape));
        if (!status)
            status = fpgz_lane_reserve_front(lane, kernels->pinned(shape));
    }
    struct lane *const lane = (struct lane *)a->lane;
    if (!status && values && values != a->values) {
        status = kernels->bring(shape, place_of(a, values), lane->memory, lane->queue);
        a->values = values;
        a->chosen = 0;
    }
    return is_done(a, status) ? lane : NULL;
}

static cudaError_t choose_words(struct fpgz_device_aide *a, enum prans_number number, uint32_t part)
{
    struct lane *const lane = (struct lane *)a->lane;
    a->number = number;
    a->chosen = part;
    return kernels_of(a)->survey->choose(&a->shape, number, part, lane->memory, (uint8_t *)lane->front,
                                         lane->queue);
}

/* Who knows what he will have counted mostly keeps what comes out, and looks for matches next, roughly. */
static bool enter(struct fpgz_aide *aide, const struct bins_entry *entry, const struct bins_counting *next,
                  struct bins_common *common)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    const struct fpgz_cuda_survey *const survey = kernels_of(a)->survey;
    struct lane *const lane = begin(a, &entry->shape, entry->values);
    if (!lane)
        return false;
    cudaError_t status = survey->enter(entry, lane->memory, (uint8_t *)lane->front, lane->queue);
    if (!status && next)
        status = survey->count(&a->shape, next, lane->memory, (uint8_t *)lane->front, lane->queue);
    if (!status && next && entry->values == a->whole)
        status = choose_words(a, entry->number, matched_probed_part(entry->shape.values, true));
    if (!status)
        status = fpgz_lane_wait(lane);
    if (!status)
        survey->entered(entry, (const uint8_t *)lane->front, common);
    return is_done(a, status);
}

static bool distinct(struct fpgz_aide *aide, const struct bins_entry *entry, struct bins_returns *returns)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    const struct fpgz_cuda_survey *const survey = kernels_of(a)->survey;
    struct lane *const lane = begin(a, &entry->shape, entry->values);
    if (!lane)
        return false;
    cudaError_t status = survey->distinct(entry, lane->memory, (uint8_t *)lane->front, lane->queue);
    if (!status)
        status = fpgz_lane_wait(lane);
    if (!status)
        survey->returned((const uint8_t *)lane->front, returns);
    return is_done(a, status);
}

static bool count(struct fpgz_aide *aide, const struct bins_counting *counting, bool is_next)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    const struct fpgz_cuda_survey *const survey = kernels_of(a)->survey;
    struct lane *const lane = (struct lane *)a->lane;
    cudaError_t status = cudaSuccess;
    if (!is_next) {
        status = survey->count(&a->shape, counting, lane->memory, (uint8_t *)lane->front, lane->queue);
        if (!status)
            status = fpgz_lane_wait(lane);
    }
    if (!status)
        survey->counted(&a->shape, counting, (const uint8_t *)lane->front);
    a->counts += !status;
    a->flagged = counting->line.specials > 0;
    return is_done(a, status);
}

static bool find(struct fpgz_aide *aide, const uint64_t *heavy, unsigned heavies, uint32_t *times)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    struct lane *const lane = (struct lane *)a->lane;
    cudaError_t status = kernels_of(a)->survey->find(&a->shape, a->flagged, heavy, heavies, lane->memory,
                                                     (uint8_t *)lane->front, lane->queue);
    if (!status)
        status = fpgz_lane_wait(lane);
    if (!status)
        memcpy(times, lane->front, heavies * sizeof *times);
    return is_done(a, status);
}

static bool code(struct fpgz_aide *aide, const struct bins_task *task, struct bins_outcome *outcome)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    const struct fpgz_cuda_aide *const kernels = kernels_of(a);
    struct lane *const lane = begin(a, &task->shape, NULL);
    if (!lane)
        return false;
    cudaError_t status = kernels->bring_task(task, lane->memory, (uint8_t *)lane->front, lane->queue);
    if (!status)
        status = kernels->code(task, lane->memory, (uint8_t *)lane->front, lane->queue);
    if (!status)
        status = fpgz_lane_wait(lane);
    if (!is_done(a, status))
        return false;
    kernels->outcome(task, (const uint8_t *)lane->front, outcome);
    a->segments = kernels->body(task, lane->memory);
    a->bytes = outcome->bytes;
    return true;
}

static bool take(struct fpgz_aide *aide, uint8_t *out)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    struct lane *const lane = (struct lane *)a->lane;
    const struct fpgz_buffer *const to = a->stream;
    const size_t at = to ? (uintptr_t)out - (uintptr_t)to->data : 0;
    const bool pinned = to && at < to->pinned && a->bytes <= to->pinned - at,
               late = pinned && a->late && a->values == a->whole;
    cudaError_t status = pinned ? cudaSuccess : fpgz_lane_reserve_front(lane, a->bytes);
    if (!status)
        status = cudaMemcpyAsync(pinned ? out : lane->front, a->segments, a->bytes, cudaMemcpyDeviceToHost,
                                 lane->queue);
    if (!status && !late)
        status = fpgz_lane_wait(lane);
    if (!is_done(a, status))
        return false;
    if (!pinned)
        memcpy(out, lane->front, a->bytes);
    a->taken = pinned ? out : NULL;
    a->coming = late;
    a->tasks++;
    if (a->values != a->whole)
        drop(aide);
    return true;
}

static const uint64_t *choose(struct fpgz_aide *aide, const void *values, enum prans_number number,
                              uint32_t part)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    struct lane *const lane = (struct lane *)a->lane;
    if (!lane || a->values != values)
        return NULL;
    const bool waits = a->chosen != part || a->number != number;
    cudaError_t status = waits ? choose_words(a, number, part) : cudaSuccess;
    if (!status && waits)
        status = fpgz_lane_wait(lane);
    return is_done(a, status) ? kernels_of(a)->survey->chosen(&a->shape, (const uint8_t *)lane->front) : NULL;
}

bool fpgz_device_aids(const struct fpgz_codec *codec)
{
    const struct fpgz_cuda_codec *const kernels = fpgz_cuda_codec_by_id(codec->id);
    return kernels && kernels->aide;
}

void fpgz_device_aide(struct fpgz_device *device, const struct fpgz_codec *codec, const void *whole,
                      struct fpgz_device_aide *aide)
{
    *aide = (struct fpgz_device_aide){};
    aide->aide.enter = enter;
    aide->aide.distinct = distinct;
    aide->aide.count = count;
    aide->aide.find = find;
    aide->aide.code = code;
    aide->aide.take = take;
    aide->aide.choose = choose;
    aide->aide.drop = drop;
    aide->device = device;
    aide->whole = whole;
    aide->codec = fpgz_cuda_codec_by_id(codec->id);
}

enum fpgz_status fpgz_device_aide_verify(struct fpgz_device_aide *aide, const struct fpgz_coding *coding,
                                         const uint8_t *stream, size_t length)
{
    struct lane *const lane = (struct lane *)aide->lane;
    enum fpgz_status verdict = FPGZ_UNSUPPORTED;
    if (!lane || aide->values != aide->whole ||
        aide->shape.values * aide->shape.size != fpgz_grid_bytes(&coding->grid))
        return FPGZ_UNSUPPORTED;
    const bool there = aide->taken && aide->taken + aide->bytes == stream + length;
    const cudaError_t status = fpgz_lane_verify(lane, (const struct fpgz_cuda_codec *)aide->codec, coding,
                                                stream, length, there ? aide->segments : NULL, aide->bytes,
                                                kernels_of(aide)->place(&aide->shape), &verdict);
    if (!is_done(aide, status))
        return FPGZ_UNSUPPORTED;
    settle(aide);
    return verdict;
}

bool fpgz_device_aide_end(struct fpgz_device_aide *aide)
{
    drop(&aide->aide);
    return !aide->lost;
}
