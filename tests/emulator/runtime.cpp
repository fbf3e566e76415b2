/* SPDX-License-Identifier: MIT
 * The runtime: memory, and streams whose work is done when the host waits for it. */
#include <atomic>
#include <cuda_runtime.h>
#include <deque>
#include <mutex>
#include <stdlib.h>
#include <vector>

#include "guards.h"
#include "runtime.h"
#include "shared.h"

/* What is enqueued, in order; what was begun has left it. */
struct emulator_stream {
    std::deque<std::function<void()>> work;
    size_t done; /* how many ever were */
};

struct emulator_event {
    struct emulator_stream *stream;
    size_t after; /* it happens when so many are done */
};

namespace
{
using emulator::report;
using emulator::setting;

enum { GUARDED = 256 };
const size_t MEMORY = (size_t)2 << 30; /* of a GPU, where nothing else is said */

struct allocation {
    uint8_t *at;
    size_t bytes;
    int device;
};

std::recursive_mutex streams; /* one thread fills or empties them at once */
emulator_stream legacy;       /* that of number 0 */
std::mutex one;               /* kernel runs, or changes what follows, at once */
std::vector<allocation> allocations;
size_t taken;
unsigned launched;
std::atomic<bool> broken; /* as a device is after a kernel failed */

void check_guards(const allocation &a)
{
    emulator::check_guard(a.at - GUARDED, GUARDED, "where the memory before it ends");
    emulator::check_guard(a.at + a.bytes, GUARDED, "device memory");
    emulator::guard(a.at - GUARDED, GUARDED);
    emulator::guard(a.at + a.bytes, GUARDED);
}

/* Which one has the byte; NULL if none does. */
const allocation *holder_of(const void *at)
{
    for (const allocation &a : allocations)
        if (at >= a.at && at < a.at + a.bytes)
            return &a;
    return nullptr;
}
} // namespace

uint8_t *emulator::end_of_allocation(const void *at)
{
    const std::lock_guard<std::mutex> lock(one);
    const allocation *const a = holder_of(at);
    return a ? a->at + a->bytes : nullptr;
}

static emulator_stream &stream_of(cudaStream_t stream)
{
    return stream ? *stream : legacy;
}

void emulator::enqueue(cudaStream_t queue, std::function<void()> work)
{
    const std::lock_guard<std::recursive_mutex> lock(streams);
    stream_of(queue).work.push_back(work);
}

/* Does what the stream was given, until so many are done. */
static void run_until(emulator_stream &stream, size_t after)
{
    const std::lock_guard<std::recursive_mutex> lock(streams);
    for (; stream.done < after; stream.done++) {
        const std::function<void()> work = stream.work.front();
        stream.work.pop_front();
        work();
    }
}

void emulator::enqueue(const char *name, const struct shape &shape, std::function<void()> body)
{
    if (!shape.grid || !shape.block || shape.block > THREADS || shape.shared > shared_limit()) {
        report(cudaErrorInvalidConfiguration);
        return;
    }
    const struct shape all = shape;
    enqueue(shape.queue, [=] {
        const std::lock_guard<std::mutex> lock(one);
        if (++launched == setting("fails=", 0))
            broken = true;
        if (broken)
            return;
        run(name, all, body);
        for (const allocation &a : allocations)
            check_guards(a);
    });
}

cudaError_t cudaMemGetInfo(size_t *left, size_t *all)
{
    const std::lock_guard<std::mutex> lock(one);
    *all = setting("memory=", MEMORY);
    *left = emulator::shares() ? *all - taken : 0;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    const std::lock_guard<std::mutex> lock(one);
    void *all;
    if (bytes > setting("memory=", MEMORY) - taken || posix_memalign(&all, GUARDED, bytes + 2 * GUARDED))
        return report(cudaErrorMemoryAllocation);
    const allocation a = {(uint8_t *)all + GUARDED, bytes, emulator::current_device()};
    memset(a.at, emulator::GARBAGE, bytes);
    emulator::guard(a.at - GUARDED, GUARDED);
    emulator::guard(a.at + bytes, GUARDED);
    allocations.push_back(a);
    taken += bytes;
    *memory = a.at;
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    const std::lock_guard<std::mutex> lock(one);
    for (size_t i = 0; i < allocations.size(); i++)
        if (allocations[i].at == memory) {
            check_guards(allocations[i]);
            taken -= allocations[i].bytes;
            emulator::unguard((uint8_t *)memory - GUARDED, allocations[i].bytes + 2 * GUARDED);
            allocations.erase(allocations.begin() + (ptrdiff_t)i);
            free((uint8_t *)memory - GUARDED);
            return cudaSuccess;
        }
    return report(memory ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned)
{
    *memory = malloc(bytes);
    return report(*memory ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaFreeHost(void *memory)
{
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void *, size_t, unsigned)
{
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *)
{
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    *stream = new emulator_stream();
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    *event = new emulator_event();
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

static emulator_event end_of(cudaStream_t stream)
{
    const std::lock_guard<std::recursive_mutex> lock(streams);
    emulator_stream &s = stream_of(stream);
    return {&s, s.done + s.work.size()};
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    *event = end_of(stream);
    return report(broken ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (event->stream)
        run_until(*event->stream, event->after);
    return report(broken ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    emulator_event end = end_of(stream);
    return cudaEventSynchronize(&end);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    const emulator_event until = *event;
    if (until.stream)
        emulator::enqueue(stream, [=] { run_until(*until.stream, until.after); });
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *memory)
{
    const std::lock_guard<std::mutex> lock(one);
    const allocation *const a = holder_of(memory);
    *attributes = {a ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered, a ? a->device : -1};
    return cudaSuccess;
}

/* Whether it is the device's, all of it. */
static bool is_device(const void *memory, size_t bytes)
{
    const uint8_t *const end = emulator::end_of_allocation(memory);
    return end && bytes <= (size_t)(end - (const uint8_t *)memory);
}

static std::atomic<uint64_t> crossed[2]; /* bytes, to the device and from it */

extern "C" void emulator_bus(uint64_t *up, uint64_t *down)
{
    *up = crossed[0];
    *down = crossed[1];
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    const bool any = kind == cudaMemcpyDefault;
    if ((!any && kind != cudaMemcpyHostToDevice && !is_device(from, bytes)) ||
        (!any && kind != cudaMemcpyDeviceToHost && !is_device(to, bytes)))
        return report(cudaErrorInvalidValue);
    if (is_device(to, bytes) != is_device(from, bytes))
        crossed[is_device(from, bytes)] += bytes;
    emulator::enqueue(stream, [=] {
        if (!broken)
            memcpy(to, from, bytes);
    });
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    emulator_stream alone;
    const cudaError_t status = cudaMemcpyAsync(to, from, bytes, kind, &alone);
    return status ? status : cudaStreamSynchronize(&alone);
}

cudaError_t cudaMemsetAsync(void *memory, int byte, size_t bytes, cudaStream_t stream)
{
    if (!is_device(memory, bytes))
        return report(cudaErrorInvalidValue);
    emulator::enqueue(stream, [=] {
        if (!broken)
            memset(memory, byte, bytes);
    });
    return cudaSuccess;
}
