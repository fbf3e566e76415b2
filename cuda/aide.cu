/* SPDX-License-Identifier: MIT
 * Aides of encoders that run on the host: a chunk has a lane from the first call on. */
#include <string.h>

#include "aide_stream.cuh"
#include "aide_values.cuh"

extern "C" {
#include "codec/prans/matched/matched.h"
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
    a->part = NULL;
    if (!a->lane)
        return;
    settle(a);
    fpgz_lane_give(a->device, (struct lane *)a->lane);
    a->lane = NULL;
    a->values = NULL;
    a->apart = false;
    a->taken = NULL;
    a->verified = false;
    a->chosen = false;
    a->bits = 0;
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

/* Where things lie does not hang on segments. */
static bool are_alike(const struct bins_shape *a, const struct bins_shape *b)
{
    return a->values == b->values && a->size == b->size;
}

/* With room for what verification reads of a stream, which is at most about as long as the values but mostly
 * takes few pages. */
static cudaError_t reserve_front(struct lane *lane, size_t pinned, size_t bytes)
{
    enum { OPENED = 1 << 20 };
    return fpgz_pinned_reserve(&lane->front, pinned + OPENED + bytes, pinned + OPENED);
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
        status = cudaSetDevice(lane->gpu->index);
        if (!status)
            status = fpgz_lane_reserve(lane, kernels->memory(shape));
        if (!status)
            status = reserve_front(lane, kernels->pinned(shape), shape->values * shape->size);
    }
    struct lane *const lane = (struct lane *)a->lane;
    a->shape = *shape;
    if (!status && values && values != a->values) {
        status = bring(a, values);
        a->values = values;
        a->chosen = false;
        a->bits = 0;
    }
    return is_done(a, status) ? lane : NULL;
}

static cudaError_t choose_words(struct fpgz_device_aide *a, enum prans_number number,
                                enum matched_roughness roughness)
{
    struct lane *const lane = (struct lane *)a->lane;
    a->number = number;
    a->chosen = true;
    a->bits = 0;
    a->roughness = roughness;
    return kernels_of(a)->probe->choose(&a->shape, place_of_whole(a), number, roughness, lane->memory,
                                        lane->front.data, lane->queue);
}

static bool are_chosen(const struct fpgz_device_aide *a, enum prans_number number,
                       enum matched_roughness roughness)
{
    return a->chosen && a->number == number && a->roughness == roughness;
}

static cudaError_t look(struct fpgz_device_aide *a, enum prans_number number, uint64_t bits)
{
    struct lane *const lane = (struct lane *)a->lane;
    cudaError_t status = cudaSuccess;
    if (!are_chosen(a, number, MATCHED_ROUGHEST))
        status = choose_words(a, number, MATCHED_ROUGHEST);
    a->bits = bits;
    return status ? status
                  : kernels_of(a)->probe->look(&a->shape, place_of_whole(a), number, bits, lane->memory,
                                               lane->front.data, lane->queue);
}

/* How rough the probe will be at first. */
static enum matched_roughness roughest_of(const struct fpgz_device_aide *a)
{
    return matched_roughest(a->coding ? a->coding->lead : NULL);
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
    cudaError_t status = survey->enter(entry, next, a->at, lane->memory, lane->front.data, lane->queue);
    if (!status && next && entry->values == a->whole)
        status = choose_words(a, entry->number, roughest_of(a));
    if (!status)
        status = fpgz_lane_wait(lane);
    if (!status)
        survey->entered(entry, lane->front.data, common);
    return is_done(a, status);
}

static bool distinct(struct fpgz_aide *aide, const struct bins_entry *entry, struct bins_returns *returns)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    const struct fpgz_cuda_survey *const survey = kernels_of(a)->survey;
    struct lane *const lane = begin(a, &entry->shape, entry->values);
    if (!lane)
        return false;
    cudaError_t status = survey->distinct(entry, a->at, lane->memory, lane->front.data, lane->queue);
    if (!status)
        status = fpgz_lane_wait(lane);
    if (!status)
        survey->returned(lane->front.data, returns);
    return is_done(a, status);
}

static bool count(struct fpgz_aide *aide, const struct bins_counting *counting, bool is_next)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    const struct fpgz_cuda_survey *const survey = kernels_of(a)->survey;
    struct lane *const lane = (struct lane *)a->lane;
    cudaError_t status = cudaSuccess;
    if (!is_next) {
        status = survey->count(&a->shape, counting, a->at, lane->memory, lane->front.data, lane->queue);
        if (!status)
            status = fpgz_lane_wait(lane);
    }
    if (!status)
        survey->counted(&a->shape, counting, lane->front.data);
    a->counts += !status;
    a->flagged = counting->line.specials > 0;
    return is_done(a, status);
}

static bool find(struct fpgz_aide *aide, const uint64_t *heavy, unsigned heavies, uint32_t *times)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    struct lane *const lane = (struct lane *)a->lane;
    cudaError_t status = kernels_of(a)->survey->find(&a->shape, a->flagged, heavy, heavies, lane->memory,
                                                     lane->front.data, lane->queue);
    if (!status)
        status = fpgz_lane_wait(lane);
    if (!status)
        memcpy(times, lane->front.data, heavies * sizeof *times);
    return is_done(a, status);
}

static bool code(struct fpgz_aide *aide, const struct bins_task *task, struct bins_outcome *outcome)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    const struct fpgz_cuda_aide *const kernels = kernels_of(a);
    struct lane *const lane = begin(a, &task->shape, NULL);
    if (!lane)
        return false;
    cudaError_t status = kernels->bring_task(task, lane->memory, lane->front.data, lane->queue);
    if (!status)
        status = kernels->code(task, lane->memory, lane->front.data, lane->queue);
    if (!status)
        status = fpgz_lane_wait(lane);
    if (!is_done(a, status))
        return false;
    kernels->outcome(task, lane->front.data, outcome);
    a->segments = kernels->body(task, lane->memory);
    a->bytes = outcome->bytes;
    return true;
}

/* Enqueues the verification of a stream that ends in the segments. Words that were chosen on the device are
 * lost. */
static cudaError_t verify(struct fpgz_device_aide *a, const struct fpgz_coding *coding, const uint8_t *stream,
                          size_t length, bool grows, enum fpgz_status *verdict)
{
    struct lane_check check = {};
    check.codec = (const struct fpgz_cuda_codec *)a->codec;
    check.coding = coding;
    check.stream = stream;
    check.length = length;
    check.values = place_of_whole(a);
    check.begin = free_behind(a);
    check.tail = a->taken && a->taken + a->bytes == stream + length ? a->segments : NULL;
    check.tail_bytes = a->bytes;
    check.front = kernels_of(a)->pinned(&a->shape);
    check.grows = grows;
    a->chosen &= a->roughness != MATCHED_ROUGHEST;
    return fpgz_lane_verify((struct lane *)a->lane, &check, verdict);
}

/* Whether the lane's chunk is all that the call codes. */
static bool is_all(const struct fpgz_device_aide *a, const struct fpgz_coding *coding)
{
    return a->shape.values * a->shape.size == fpgz_grid_bytes(&coding->grid);
}

/* Enqueues the verification of the whole chunk's stream, which nobody reads soon: the host goes on. In front
 * of it goes the probe for matches, if it will be the roughest one. */
static cudaError_t verify_early(struct fpgz_device_aide *a, const uint8_t *stream, size_t length)
{
    enum fpgz_status verdict = FPGZ_UNSUPPORTED;
    cudaError_t status = cudaSuccess;
    if (roughest_of(a) == MATCHED_ROUGHEST)
        status = look(a, prans_number_of(a->coding->grid.dtype), 8 * (uint64_t)length);
    if (!status)
        status = verify(a, a->coding, stream, length, false, &verdict);
    a->verified = !verdict;
    a->lost = status != cudaSuccess;
    return status;
}

static bool take(struct fpgz_aide *aide, uint8_t *out)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    struct lane *const lane = (struct lane *)a->lane;
    struct fpgz_buffer *const to = a->stream;
    const size_t at = to ? (uintptr_t)out - (uintptr_t)to->data : 0;
    const bool whole = a->proves && a->values == a->whole && is_all(a, a->coding),
               stays = to && whole && reserve_far(a),
               pinned = to && at < to->capacity && pin_stream(to, at + (stays ? 0 : a->bytes)),
               late = pinned && whole;
    cudaError_t status = pinned ? cudaSuccess : fpgz_pinned_reserve(&lane->front, a->bytes, a->bytes);
    if (!status)
        status = cudaMemcpyAsync(!pinned ? lane->front.data
                                 : stays ? to->far
                                         : out,
                                 a->segments, a->bytes, cudaMemcpyDefault, lane->queue);
    if (!status && !late)
        status = fpgz_lane_wait(lane);
    if (!is_done(a, status))
        return false;
    if (!pinned)
        memcpy(out, lane->front.data, a->bytes);
    if (pinned && stays) {
        to->near = at;
        to->beyond = a->bytes;
    }
    a->taken = pinned ? out : NULL;
    a->coming = late;
    a->verified = false;
    a->tasks++;
    if (late) {
        status = verify_early(a, to->data, at + a->bytes);
        return is_done(a, status) || a->lost;
    }
    if (a->values == a->part) /* nobody needs it any more */
        a->values = NULL;
    a->part = NULL;
    if (!has_whole(a))
        drop(aide);
    return true;
}

static const struct matched_chosen *choose(struct fpgz_aide *aide, const void *values,
                                           enum prans_number number, enum matched_roughness roughness)
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    struct lane *const lane = (struct lane *)a->lane;
    if (values != a->whole || !has_whole(a))
        return NULL;
    const bool waits = !are_chosen(a, number, roughness);
    cudaError_t status = waits ? choose_words(a, number, roughness) : cudaSuccess;
    if (!status && waits)
        status = fpgz_lane_wait(lane);
    return is_done(a, status) && kernels_of(a)->probe->chosen(&a->shape, lane->front.data, &a->words)
               ? &a->words
               : NULL;
}

static bool probe(struct fpgz_aide *aide, const void *values, enum prans_number number, uint64_t bits,
                  uint64_t seen[MATCHED_WAYS])
{
    struct fpgz_device_aide *const a = (struct fpgz_device_aide *)aide;
    struct lane *const lane = (struct lane *)a->lane;
    if (values != a->whole || !has_whole(a))
        return false;
    cudaError_t status = cudaSuccess;
    if (a->number != number || a->bits != bits)
        status = look(a, number, bits);
    if (!status)
        status = fpgz_lane_wait(lane);
    return is_done(a, status) && kernels_of(a)->probe->seen(&a->shape, bits, lane->front.data, seen);
}

bool fpgz_device_complete(struct fpgz_buffer *stream)
{
    if (cudaMemcpy(stream->data + stream->near, stream->far, stream->beyond, cudaMemcpyDefault)) {
        cudaGetLastError(); /* the next call is not to report it again */
        return false;
    }
    stream->beyond = 0;
    return true;
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
    aide->aide.part = part;
    aide->aide.enter = enter;
    aide->aide.distinct = distinct;
    aide->aide.count = count;
    aide->aide.find = find;
    aide->aide.code = code;
    aide->aide.take = take;
    aide->aide.choose = choose;
    aide->aide.probe = probe;
    aide->aide.drop = drop;
    aide->device = device;
    aide->whole = whole;
    aide->codec = fpgz_cuda_codec_by_id(codec->id);
}

enum fpgz_status fpgz_device_aide_verify(struct fpgz_device_aide *aide, const struct fpgz_coding *coding,
                                         const uint8_t *stream, size_t length, uint64_t *checksum)
{
    struct lane *const lane = (struct lane *)aide->lane;
    enum fpgz_status verdict = FPGZ_OK;
    if (!has_whole(aide) || !is_all(aide, coding))
        return FPGZ_UNSUPPORTED;
    cudaError_t status = cudaSuccess;
    if (!aide->verified || aide->taken + aide->bytes != stream + length)
        status = verify(aide, coding, stream, length, true, &verdict);
    if (!status && !verdict) {
        status = fpgz_lane_verified(lane, &verdict, checksum);
        aide->coming &= status != cudaSuccess;
    }
    return is_done(aide, status) ? verdict : FPGZ_UNSUPPORTED;
}

bool fpgz_device_aide_end(struct fpgz_device_aide *aide)
{
    drop(&aide->aide);
    return !aide->lost;
}
