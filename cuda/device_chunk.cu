/* SPDX-License-Identifier: MIT
 * One chunk on a lane: its way to the device, through a codec's kernels, and back. */
#include "carry.cuh"
#include "device.cuh"
#include "scan.cuh"

extern "C" {
#include "core/bytes.h"
}

enum { COMPARE_BLOCKS = 64, JOIN_BLOCKS = 128, THREADS = 256 };

/* One chunk, either way. */
struct call {
    const struct fpgz_cuda_codec *codec;
    const struct fpgz_coding *coding;
    bool decoding;
    const void *from; /* in host memory */
    void *to;
    const void *expected; /* of a decoder whose values do not come back: what they are to be, anywhere */
    const uint8_t *there; /* or on the device; then of the lane's memory */
    size_t begin;         /* so many bytes are not to be touched */
    const uint8_t *tail;  /* NULL, or the last bytes of `from`, which is pinned then, behind these */
    size_t tail_bytes;
    size_t front;                /* of the lane's, what is read on the host stands behind so many bytes, */
    bool fixed;                  /* and it must not grow */
    size_t from_bytes, to_bytes; /* to_bytes of an encoder's stream: its bound, then its length */
    size_t scratch;              /* bytes */
    enum fpgz_status verdict;
};

/* Where things lie in a lane's memory, in bytes from its begin; `end` is its size. */
struct places {
    size_t result, values, expected, stream, scratch, sums, end;
};

static struct places place(const struct call *call)
{
    const struct fpgz_coding *coding = call->coding;
    const size_t raw = fpgz_grid_bytes(&coding->grid),
                 stream = call->decoding ? call->from_bytes : call->to_bytes;
    struct places p = {};
    p.values = p.result + fpgz_cuda_align(sizeof(struct fpgz_cuda_result));
    p.expected = p.values + fpgz_cuda_align(raw) + FPGZ_CUDA_ALIGN;
    p.stream = p.expected + (call->expected ? fpgz_cuda_align(raw) : 0);
    p.scratch = p.stream + fpgz_cuda_align(stream) + FPGZ_CUDA_ALIGN;
    p.sums = p.scratch + fpgz_cuda_align(call->scratch);
    p.end = p.sums + (call->there ? checksum_blocks(stream) * CHECKSUM_WORDS * sizeof(uint64_t) : 0);
    return p;
}

/* Reads what kernels cannot; call->verdict tells whether they can do the rest. */
static cudaError_t open_stream(struct lane *lane, struct call *call)
{
    const uint8_t *const stream = (const uint8_t *)call->from;
    const size_t end = call->front + call->codec->front(call->coding, stream, call->from_bytes);
    if (call->fixed && lane->front.capacity < end) {
        call->verdict = FPGZ_UNSUPPORTED;
        return cudaSuccess;
    }
    TRY(fpgz_pinned_reserve(&lane->front, end, 0));
    uint8_t *const front = lane->front.data + call->front;
    call->verdict = call->codec->open(call->coding, stream, call->from_bytes, front, &call->scratch);
    if (call->verdict == FPGZ_UNSUPPORTED)
        call->verdict = FPGZ_LIMIT;
    if (call->verdict)
        return cudaSuccess;
    const size_t opened = call->front + call->codec->opened(front);
    if (call->fixed && lane->front.pinned < opened) {
        call->verdict = FPGZ_UNSUPPORTED;
        return cudaSuccess;
    }
    return fpgz_pinned_reserve(&lane->front, end, opened);
}

/* The verdict on values that are not those that were expected. Both are aligned. The verdict is told in
 * pinned memory. */
static __global__ void compare(const uint8_t *values, const uint8_t *expected, size_t bytes,
                               struct fpgz_cuda_result *result, struct fpgz_cuda_result *told)
{
    __shared__ uint32_t last;
    const size_t words = bytes / sizeof(uint4), rest = bytes % sizeof(uint4),
                 first = blockIdx.x * blockDim.x + threadIdx.x;
    bool differs = first < rest && values[bytes - 1 - first] != expected[bytes - 1 - first];
    for (size_t i = first; i < words; i += gridDim.x * blockDim.x) {
        const uint4 a = ((const uint4 *)values)[i], b = ((const uint4 *)expected)[i];
        differs |= ((a.x ^ b.x) | (a.y ^ b.y) | (a.z ^ b.z) | (a.w ^ b.w)) != 0;
    }
    if (differs && !result->status)
        result->status = FPGZ_INTERNAL;
    if (is_last_block(&result->arrived, &last) && threadIdx.x == 0)
        *told = *result;
}

/* Puts a stream together, whose end is on the device, and clears the result and what wide loads reach. */
static __global__ void join(uint8_t *to, const uint8_t *from, uint32_t head, const uint8_t *tail,
                            uint32_t moved, struct fpgz_cuda_result *result)
{
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    fpgz_move_any(from, to, head, thread, threads);
    fpgz_move_any(tail, to + head, moved, thread, threads);
    for (uint32_t i = thread; i < FPGZ_CUDA_ALIGN; i += threads)
        to[head + moved + i] = 0;
    if (thread == 0)
        *result = fpgz_cuda_result{};
}

/* Brings what the call begins with to the device, and clears the result. A tail is moved before anything
 * covers it. */
static cudaError_t bring(const struct call *call, uint8_t *to, struct fpgz_cuda_result *result,
                         cudaStream_t queue)
{
    const size_t end = fpgz_cuda_align(call->from_bytes) + FPGZ_CUDA_ALIGN,
                 moved = call->tail && to + end <= call->tail ? call->tail_bytes : 0,
                 head = call->from_bytes - moved;
    if (moved) {
        join<<<JOIN_BLOCKS, THREADS, 0, queue>>>(to, (const uint8_t *)call->from, (uint32_t)head, call->tail,
                                                 (uint32_t)moved, result);
        return cudaGetLastError();
    }
    TRY(cudaMemcpyAsync(to, call->from, head, cudaMemcpyHostToDevice, queue));
    TRY(cudaMemsetAsync(to + call->from_bytes, 0, FPGZ_CUDA_ALIGN, queue));
    return cudaMemsetAsync(result, 0, sizeof *result, queue);
}

/* Enqueues the checksum of the stream, which the device has. */
static cudaError_t sum_stream(struct lane *lane, const uint8_t *stream, size_t length, uint8_t *sums)
{
    lane->result->stream = {stream, length, 0};
    return checksum_enqueue(&lane->result->stream, 1, checksum_blocks(length), (uint64_t *)sums,
                            &lane->result->checksum, lane->queue);
}

/* Enqueues the call, but for what an encoder makes; call->verdict tells whether kernels can do it. */
static cudaError_t enqueue(struct lane *lane, struct call *call, void **made)
{
    TRY(cudaSetDevice(lane->gpu->index));
    if (call->decoding && call->codec->open) {
        TRY(open_stream(lane, call));
        if (call->verdict)
            return cudaSuccess;
    } else {
        call->scratch = call->codec->scratch(&call->coding->grid, &call->coding->params, call->decoding);
    }
    const struct places at = place(call);
    if (!call->there) {
        TRY(fpgz_lane_reserve(lane, at.end));
    } else if (call->begin + at.end > lane->capacity) {
        call->verdict = FPGZ_UNSUPPORTED;
        return cudaSuccess;
    }
    uint8_t *const memory = lane->memory + call->begin;
    struct fpgz_cuda_task task = {};
    task.grid = call->coding->grid;
    task.params = call->coding->params;
    task.values = memory + at.values;
    task.stream = memory + at.stream;
    task.length = call->decoding ? call->from_bytes : 0;
    task.scratch = memory + at.scratch;
    task.scratch_bytes = call->scratch;
    task.result = (struct fpgz_cuda_result *)(memory + at.result);
    task.host_values = call->decoding ? NULL : call->from;
    task.front = lane->front.data + call->front;
    task.queue = lane->queue;
    task.multiprocessors = lane->gpu->multiprocessors;

    *made = call->decoding ? task.values : task.stream;
    TRY(bring(call, call->decoding ? task.stream : (uint8_t *)task.values, task.result, lane->queue));
    TRY((call->decoding ? call->codec->decode : call->codec->encode)(&task));
    if (call->expected || call->there) {
        const size_t raw = fpgz_grid_bytes(&task.grid);
        uint8_t *const expected = memory + at.expected;
        if (call->expected)
            TRY(cudaMemcpyAsync(expected, call->expected, raw, cudaMemcpyDefault, lane->queue));
        compare<<<COMPARE_BLOCKS, THREADS, 0, lane->queue>>>((const uint8_t *)task.values,
                                                             call->there ? call->there : expected, raw,
                                                             task.result, &lane->result->chunk);
        TRY(cudaGetLastError());
    } else {
        TRY(fpgz_carry(&lane->result->chunk, task.result, sizeof lane->result->chunk, lane->queue));
    }
    if (call->there)
        TRY(sum_stream(lane, task.stream, call->from_bytes, memory + at.sums));
    return cudaSuccess;
}

static cudaError_t run_on(struct lane *lane, struct call *call)
{
    const struct fpgz_cuda_result *const result = &lane->result->chunk;
    void *made = NULL;
    TRY(enqueue(lane, call, &made));
    if (call->verdict)
        return cudaSuccess;
    if (!call->decoding) {
        TRY(fpgz_lane_wait(lane));
        if (result->status || result->length > call->to_bytes)
            return cudaErrorUnknown;
        call->to_bytes = result->length;
    }
    if (call->to)
        TRY(cudaMemcpyAsync(call->to, made, call->to_bytes, cudaMemcpyDeviceToHost, lane->queue));
    TRY(fpgz_lane_wait(lane));
    call->verdict = (enum fpgz_status)result->status;
    return cudaSuccess;
}

static enum fpgz_status run(struct fpgz_device *device, bool wait, struct call *call)
{
    for (struct lane *lane; (lane = fpgz_lane_take(device, wait)) != NULL;) {
        const cudaError_t status = run_on(lane, call);
        if (status == cudaErrorMemoryAllocation)
            fpgz_lane_out_of_memory(device, lane, place(call).end);
        else if (status)
            fpgz_gpu_fail(device, lane->gpu, status);
        fpgz_lane_give(device, lane);
        if (!status)
            return call->verdict;
        if (status != cudaErrorMemoryAllocation)
            break;
    }
    return FPGZ_UNSUPPORTED;
}

enum fpgz_status fpgz_device_encode(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                                    size_t *length)
{
    struct call call = {};
    call.codec = fpgz_cuda_codec_by_id(codec->id);
    if (!call.codec || !call.codec->encode || !fpgz_grid_bytes(&coding->grid))
        return FPGZ_UNSUPPORTED;
    call.coding = coding;
    call.from = values;
    call.from_bytes = fpgz_grid_bytes(&coding->grid);
    call.to = stream;
    call.to_bytes = codec->bound(&coding->grid, &coding->params);
    const enum fpgz_status status = run(device, wait, &call);
    *length = call.to_bytes;
    return status;
}

static struct call decoding(const struct fpgz_cuda_codec *codec, const struct fpgz_coding *coding,
                            const uint8_t *stream, size_t length)
{
    struct call call = {};
    call.codec = codec;
    call.coding = coding;
    call.decoding = true;
    call.from = stream;
    call.from_bytes = length;
    call.to_bytes = fpgz_grid_bytes(&coding->grid);
    return call;
}

/* A call that decodes to `to`, or compares with `expected`. */
static enum fpgz_status decode(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                               const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *to, const void *expected)
{
    struct call call = decoding(fpgz_cuda_codec_by_id(codec->id), coding, stream, length);
    if (!call.codec || !call.to_bytes)
        return FPGZ_UNSUPPORTED;
    call.to = to;
    call.expected = expected;
    return run(device, wait, &call);
}

cudaError_t fpgz_lane_verify(struct lane *lane, const struct lane_check *check, enum fpgz_status *verdict)
{
    struct call call = decoding(check->codec, check->coding, check->stream, check->length);
    void *made;
    call.tail = check->tail;
    call.tail_bytes = check->tail_bytes;
    call.there = check->values;
    call.begin = check->begin;
    call.front = fpgz_cuda_align(check->front);
    call.fixed = !check->grows;
    const cudaError_t status = enqueue(lane, &call, &made);
    *verdict = call.verdict;
    return status;
}

cudaError_t fpgz_lane_verified(struct lane *lane, enum fpgz_status *verdict, uint64_t *checksum)
{
    const cudaError_t status = fpgz_lane_wait(lane);
    *verdict = (enum fpgz_status)lane->result->chunk.status;
    *checksum = lane->result->checksum;
    return status;
}

enum fpgz_status fpgz_device_decode(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                    void *values)
{
    return decode(device, wait, codec, coding, stream, length, values, NULL);
}

enum fpgz_status fpgz_device_verify(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                    const void *values)
{
    return decode(device, wait, codec, coding, stream, length, NULL, values);
}
