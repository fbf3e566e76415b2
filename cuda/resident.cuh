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
    LOOKERS = 32 - FPGZ_DEVICE_LANES, /* readers for what encoders look at: a device has 32 queues at most */
    TOGETHER = 8,                     /* chunks that are decoded by one call */
    HEAD = 32 << 10, /* bytes of a stream, or of a sample, that are brought to the host before they are asked
                        for */
    FRONT_BLOCKS = 12,
    MOVES = 4 * MOST,
    STAGED = 256 << 10,
};

/* Bytes that a kernel copies, and zeros behind them. */
struct move {
    const uint8_t *from;
    uint8_t *to;
    uint32_t bytes, zeros;
};

/* Bytes that one chunk's checksum is taken of, and that. */
struct summed {
    struct checksum_span span;
    uint64_t checksum;
};

/* What the host tells kernels, and what these tell it: on the device, and a copy in pinned memory. */
struct desk {
    struct move move[MOVES];
    struct checksum_span span[2 * MOST];
    struct fpgz_cuda_result result[MOST];
    unsigned long long error[MOST][2]; /* of lossy streams: absolute and relative ones, as bits of a double */
    uint64_t checksum[2 * MOST];       /* of streams, then of values */
    uint8_t staged[STAGED];            /* on their way to the device */
    uint8_t peeked[FPGZ_RESIDENT_FIRST + FPGZ_RESIDENT_LAST]; /* of a container; on the host alone */
    struct summed summed[SEATS];                              /* by each reader; as well */
};

/* Where kernels of one chunk after the other, or of so many of them together, are enqueued. */
struct seat {
    pthread_mutex_t mutex;
    cudaStream_t queue;
    uint8_t *scratch; /* on the device */
    size_t capacity;
};

/* By which a thread brings bytes to the host, and where it reads them. */
struct reader {
    pthread_mutex_t mutex; /* of the queue and the event */
    cudaStream_t queue;
    cudaEvent_t taken;
    struct fpgz_buffer buffer, front; /* what open() takes, and what it makes; or values */
};

/* Pinned memory in which fronts stand behind each other. */
struct front_block {
    uint8_t *at;
    size_t capacity, used;
};

struct fpgz_resident {
    struct gpu *gpu;
    int others;         /* device of the calling thread, before */
    cudaStream_t queue; /* what is for all chunks */
    struct seat seat[SEATS];
    struct reader reader[SEATS];
    bool begun; /* a batch that did not end may have left something in the queues */
    cudaEvent_t event, entered, read, headed; /* the device has what was on the desk; the host has heads */
    cudaEvent_t came[2];                      /* the device has many bytes of the host, in turns, */
    bool coming;                              /* of which this one is next */
    struct desk *desk, *host_desk;
    unsigned turn;  /* of the readers */
    unsigned moves; /* on the desk, which were not enqueued */
    uint64_t most;  /* the longest of these */
    size_t staged;
    uint8_t *memory, *heads; /* of a batch, on the device; streams' first bytes or samples, pinned */
    size_t capacity, heads_capacity;
    pthread_mutex_t mutex; /* of the blocks */
    struct front_block block[FRONT_BLOCKS];
    unsigned blocks;

    /* The batch */
    struct fpgz_resident_chunk *chunk;
    size_t count;
    bool decoding, far;  /* far: its streams are on the device */
    size_t together;     /* chunks of a group, whose kernels are in one queue */
    unsigned left[MOST]; /* chunks of each group that were not opened */
    uint64_t *sums;
};

/* What an error of CUDA is to the caller; FPGZ_OK for none. */
enum fpgz_status fpgz_resident_fail(const struct fpgz_resident *r, cudaError_t status,
                                    struct fpgz_error *error);

/* Waits for r->queue. */
cudaError_t fpgz_resident_wait(struct fpgz_resident *r);

/* What is enqueued on one queue from now on waits for what was on the other. */
cudaError_t fpgz_resident_follow(struct fpgz_resident *r, cudaStream_t queue, cudaStream_t other);

/* Brings what the host wrote on its desk to the same place of the device's. */
template <typename T>
static cudaError_t fpgz_desk_bring(struct fpgz_resident *r, T *on_desk, const T *from, size_t count)
{
    return cudaMemcpyAsync(on_desk, from, count * sizeof *from, cudaMemcpyHostToDevice, r->queue);
}

/* More memory for a batch, or a seat's scratch; what was there is lost. */
cudaError_t fpgz_batch_reserve(struct fpgz_resident *r, size_t bytes, size_t heads);
cudaError_t fpgz_seat_reserve(struct fpgz_resident *r, struct seat *seat, size_t bytes);

/* Waits for all seats, and frees their scratch. */
cudaError_t fpgz_seats_shed(struct fpgz_resident *r);

/* Copies bytes behind what the caller's stream was given, and waits for them. *checksum: as
 * fpgz_resident_copy(). */
cudaError_t fpgz_reader_copy(struct fpgz_resident *r, struct reader *reader, void *to, const void *from,
                             size_t bytes, uint64_t *checksum);

/* Pinned memory for a front of the batch. Many threads may ask at once. */
cudaError_t fpgz_front_take(struct fpgz_resident *r, size_t bytes, void **front);

/* The seat of a chunk's group. */
static inline struct seat *fpgz_seat_of(struct fpgz_resident *r, const struct fpgz_resident_chunk *c)
{
    return &r->seat[(size_t)(c - r->chunk) / r->together % SEATS];
}

/* What a codec's kernels get of a chunk, beside values and scratch. */
struct fpgz_cuda_task fpgz_task_of(struct fpgz_resident *r, const struct fpgz_resident_chunk *c);

/* Whether the chunk is stored. */
static inline bool fpgz_is_stored(const struct fpgz_coded *coded)
{
    return coded->codec->id == FPGZ_CODEC_STORE;
}

/* Whether what the chunk becomes is decoded again, for its errors and the checksum of what is restored. */
static inline bool fpgz_is_lossy(const struct fpgz_coded *coded)
{
    return !coded->codec->lossless;
}

/* Enqueues the checksums of so many spans from number `first` on, which stand on the device's desk. */
cudaError_t fpgz_spans_sum(struct fpgz_resident *r, size_t first, size_t count, cudaStream_t queue);

/* Brings so many spans from number `first` on to the device's desk. */
cudaError_t fpgz_spans_bring(struct fpgz_resident *r, size_t first, size_t count);

/* What is enqueued for chunks of the batch waits for what is in r->queue. */
cudaError_t fpgz_seats_follow(struct fpgz_resident *r);

/* Brings results and checksums to the host, and waits for them. */
cudaError_t fpgz_desk_read(struct fpgz_resident *r);

/* The parts of a batch, for either way. */
cudaError_t fpgz_encoding_begin(struct fpgz_resident *r);
cudaError_t fpgz_encoding_code(struct fpgz_resident *r, struct fpgz_resident_chunk *c, struct reader *reader);
cudaError_t fpgz_encoding_end(struct fpgz_resident *r);
cudaError_t fpgz_decoding_begin(struct fpgz_resident *r);
cudaError_t fpgz_decoding_code(struct fpgz_resident *r, struct fpgz_resident_chunk *c, struct reader *reader);
cudaError_t fpgz_decoding_end(struct fpgz_resident *r);

/* Of codecs that guess a parameter by a sample of the values: adds moves of it to `to` (HEAD bytes, pinned);
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
