/* SPDX-License-Identifier: MIT
 * Chunks whose values are in a GPU's memory and stay there, coded side by side. Made by cuda/resident.cu; a
 * build without CUDA has resident_none.c, which opens none. */
#ifndef FPGZ_ENGINE_RESIDENT_H
#define FPGZ_ENGINE_RESIDENT_H

#include "engine/coded.h"
#include "engine/device.h"

enum {
    FPGZ_RESIDENT_MOST = 256,        /* chunks of a batch ... */
    FPGZ_RESIDENT_BYTES = 512 << 20, /* ... and their raw bytes, unless it is one chunk */
    FPGZ_RESIDENT_THREADS = 16,      /* that are of use at once */
};

/* Queues and memory of one GPU. One call after the other; the memory grows to what the largest batch took. */
struct fpgz_resident;

/* A chunk of a batch. */
struct fpgz_resident_chunk {
    struct fpgz_coded coded; /* codec, params and grid are given. To decode, length and checksums, too */
    uint8_t *values;         /* on the GPU */
    const uint8_t *stream;   /* decode: there or on the host. Encoded ones are at coded.stream, on the GPU */
    enum fpgz_status status; /* decode: FPGZ_LIMIT where only the CPU decodes it; FPGZ_CORRUPT */
    /* Its own: */
    uint8_t *copy, *place; /* of values and stream, on the GPU */
    uint8_t *restored;     /* what a lossy stream decodes to */
    const uint8_t *head;   /* the stream's first bytes, or a sample of the values, on the host */
    void *front;           /* what the host has read of the stream */
    size_t scratch;        /* bytes that kernels take then */
};

/* On the first GPU of the device, which was started. FPGZ_MEMORY, FPGZ_UNSUPPORTED: as all below that give a
 * status, where there is no memory or CUDA reports an error. */
enum fpgz_status fpgz_resident_open(struct fpgz_device *device, struct fpgz_resident **resident,
                                    struct fpgz_error *error);
void fpgz_resident_close(struct fpgz_resident *resident);

/* Makes the GPU the calling thread's, until fpgz_resident_leave(). What follows waits for all that `stream`,
 * a cudaStream_t, was given so far. */
enum fpgz_status fpgz_resident_enter(struct fpgz_resident *resident, void *stream, struct fpgz_error *error);
void fpgz_resident_leave(struct fpgz_resident *resident);

/* Whether memory is the GPU's own. */
bool fpgz_resident_has(const struct fpgz_resident *resident, const void *memory);

/* Copies bytes between any two places on the host or the GPU. Many threads may do so at once. *checksum: of
 * the bytes, unless it is NULL, where they come from the GPU. */
enum fpgz_status fpgz_resident_copy(struct fpgz_resident *resident, void *to, const void *from, size_t bytes,
                                    uint64_t *checksum, struct fpgz_error *error);

/* Copies runs of 32-bit words of `from`, on the GPU, to the same places of `to`; both `to` and the runs are
 * pinned. The checksum is that of all bytes. FPGZ_UNSUPPORTED, without an error, where kernels cannot. */
enum fpgz_status fpgz_resident_look(struct fpgz_resident *resident, void *to, const void *from, size_t bytes,
                                    const struct fpgz_looked *run, size_t runs, uint64_t *checksum,
                                    struct fpgz_error *error);

/* The same as copying, and what is on the GPU need not be there before fpgz_resident_flush(). stays: what is
 * on the host will be there until then, or until the next such call is over. */
enum fpgz_status fpgz_resident_put(struct fpgz_resident *resident, void *to, const void *from, size_t bytes,
                                   bool stays, struct fpgz_error *error);
enum fpgz_status fpgz_resident_flush(struct fpgz_resident *resident, struct fpgz_error *error);

enum { FPGZ_RESIDENT_FIRST = 256, FPGZ_RESIDENT_LAST = 64 << 10 };

/* Brings the first and the last bytes of `length`, as far as there are so many, to the host: behind each
 * other at *ends, until the next call. */
enum fpgz_status fpgz_resident_peek(struct fpgz_resident *resident, const void *from, size_t length,
                                    const uint8_t **ends, struct fpgz_error *error);

/* Whether chunks can be encoded, or decoded, there; and whether a decoder reads their streams' first bytes on
 * the host. */
bool fpgz_resident_codes(const struct fpgz_codec *codec, bool decoding);
bool fpgz_resident_reads(const struct fpgz_codec *codec);

/* Begins a batch of chunks. All values of the caller's are before `end`. FPGZ_MEMORY, from here or from
 * fpgz_resident_code(), where the GPU has too little: a smaller batch may be begun. */
enum fpgz_status fpgz_resident_begin(struct fpgz_resident *resident, struct fpgz_resident_chunk *chunk,
                                     size_t count, const void *end, bool decoding, struct fpgz_error *error);

/* Enqueues a chunk of the batch, once each. Many threads may do so at once, each with a number of its own
 * below FPGZ_RESIDENT_THREADS. */
enum fpgz_status fpgz_resident_code(struct fpgz_resident *resident, struct fpgz_resident_chunk *chunk,
                                    unsigned thread, struct fpgz_error *error);

/* Waits for the batch: streams with their lengths, checksums and errors, of which those that are no shorter
 * than the values are stored; or values and what became of each chunk. */
enum fpgz_status fpgz_resident_end(struct fpgz_resident *resident, struct fpgz_error *error);

#endif
