/* SPDX-License-Identifier: MIT
 * What coding of chunks that are on the device keeps between calls: queues, memory, and a desk by which the
 * host and kernels tell each other of all chunks of a batch at once. */
#ifndef FPGZ_CUDA_RESIDENT_CUH
#define FPGZ_CUDA_RESIDENT_CUH

#include "checksum.cuh"
#include "device.cuh"

extern "C" {
#include "core/bytes.h"
#include "engine/resident.h"
}

enum {
    MOST = FPGZ_RESIDENT_MOST,
    SEATS = FPGZ_RESIDENT_THREADS,
    FRONT = 64 << 10, /* bytes of a stream that are brought to the host before they are asked for */
    MOVES = 4 * MOST,
    STAGED = 256 << 10,
};

/* Bytes that a kernel copies, and zeros behind them. */
struct move {
    const uint8_t *from;
    uint8_t *to;
    uint32_t bytes, zeros;
};

/* What the host tells kernels, and what these tell it: on the device, and a copy in pinned memory. */
struct desk {
    struct move move[MOVES];
    struct checksum_span span[2 * MOST];
    struct fpgz_cuda_result result[MOST];
    unsigned long long error[MOST][2]; /* of lossy streams: absolute and relative ones, as bits of a double */
    uint64_t checksum[2 * MOST];       /* of streams, then of values */
    uint8_t staged[STAGED];            /* on their way to the device */
};

/* What one chunk after the other has while it is coded. */
struct seat {
    pthread_mutex_t mutex;
    cudaStream_t queue;
    uint8_t *scratch; /* on the device */
    size_t capacity;
    struct fpgz_buffer buffer; /* what open() takes ... */
    void *front;               /* ... and makes, pinned */
    size_t front_capacity;
    cudaEvent_t taken; /* the device has it */
};

struct fpgz_resident {
    struct gpu *gpu;
    int others;         /* device of the calling thread, before */
    cudaStream_t queue; /* what is for all chunks */
    struct seat seat[SEATS];
    cudaEvent_t event, read; /* `read`: the device has what was on the desk */
    struct desk *desk, *host_desk;
    unsigned moves; /* on the desk, which were not enqueued */
    uint64_t most;  /* the longest of these */
    size_t staged;
    uint8_t *memory, *fronts; /* of a batch, on the device; of its streams, pinned */
    size_t capacity, fronts_capacity;

    /* The batch */
    struct fpgz_resident_chunk *chunk;
    size_t count;
    bool decoding;
    uint64_t *sums;
};

/* What an error of CUDA is to the caller; FPGZ_OK for none. */
enum fpgz_status fpgz_resident_fail(const struct fpgz_resident *r, cudaError_t status,
                                    struct fpgz_error *error);

/* Waits for r->queue. */
cudaError_t fpgz_resident_wait(struct fpgz_resident *r);

/* Waits for all seats. */
cudaError_t fpgz_resident_rest(struct fpgz_resident *r);

/* What is enqueued on one queue from now on waits for what was on the other. */
cudaError_t fpgz_resident_follow(struct fpgz_resident *r, cudaStream_t queue, cudaStream_t other);

/* Brings what the host wrote on its desk to the same place of the device's. */
template <typename T>
static cudaError_t fpgz_desk_bring(struct fpgz_resident *r, T *on_desk, const T *from, size_t count)
{
    return cudaMemcpyAsync(on_desk, from, count * sizeof *from, cudaMemcpyHostToDevice, r->queue);
}

/* More memory for a batch, a seat's front, or its scratch; what was there is lost. */
cudaError_t fpgz_batch_reserve(struct fpgz_resident *r, size_t bytes, size_t fronts);
cudaError_t fpgz_seat_reserve_front(struct seat *seat, size_t bytes);
cudaError_t fpgz_seat_reserve_scratch(struct seat *seat, size_t bytes);

/* Of codecs that guess a parameter by a sample of the values: adds moves of it to `to` (FRONT bytes, pinned);
 * and puts it where it belongs in `values`, which else hold anything. NULL without memory. */
bool fpgz_sample_is_taken(const struct fpgz_coded *coded);
cudaError_t fpgz_sample_bring(struct fpgz_resident *r, const struct fpgz_resident_chunk *c, uint8_t *to);
const uint8_t *fpgz_sample_spread(const struct fpgz_coded *coded, const uint8_t *from,
                                  struct fpgz_buffer *values);

/* Enqueues the measuring of errors, between a chunk's values and what was restored of them. */
cudaError_t fpgz_errors_measure(struct fpgz_resident *r, const struct fpgz_resident_chunk *c,
                                cudaStream_t queue);

/* Adds a move of bytes between addresses that the device sees, and of zeros behind them; enqueues all that
 * were added. */
cudaError_t fpgz_moves_add(struct fpgz_resident *r, void *to, const void *from, size_t bytes, unsigned zeros);
cudaError_t fpgz_moves_enqueue(struct fpgz_resident *r);

#endif
