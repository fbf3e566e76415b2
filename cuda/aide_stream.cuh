/* SPDX-License-Identifier: MIT
 * Where an aide's segments go: to the stream on the host, or to memory of the device that goes with it. */
#ifndef FPGZ_CUDA_AIDE_STREAM_CUH
#define FPGZ_CUDA_AIDE_STREAM_CUH

#include "device.cuh"

extern "C" {
#include "codec/prans/lead.h"
#include "core/bytes.h"
}

enum { MORE_PART = 8 /* of a stream, for those that follow */ };

/* Pins the stream's first bytes, at least so many. Its room is much larger than it mostly is. */
static bool pin_stream(struct fpgz_buffer *stream, size_t bytes)
{
    enum { STEP = 2 << 20 };
    if (stream->pinned < bytes && bytes <= stream->capacity)
        fpgz_device_pin(stream, fpgz_min(fpgz_round_up(bytes + bytes / MORE_PART, STEP), stream->capacity));
    return stream->pinned >= bytes;
}

static void free_far(void *far)
{
    cudaFree(far);
}

/* Makes memory for segments that stay on the device, where they may: those of a chunk that is there and that
 * follows another one, for its encoder does not look at streams. False where there is none. */
static bool reserve_far(struct fpgz_device_aide *a)
{
    struct fpgz_buffer *const to = a->stream;
    const struct fpgz_lead *const lead = a->coding->lead;
    if (!to->takes_far || !a->there || !lead || lead->state != FPGZ_LEAD_FOLLOWED)
        return false;
    if (to->far_capacity < a->bytes &&
        fpgz_memory_replace((void **)&to->far, &to->far_capacity, a->bytes + a->bytes / MORE_PART, false))
        cudaGetLastError(); /* the next call is not to report it again */
    to->free_far = free_far;
    return to->far_capacity >= a->bytes;
}

#endif
