/* SPDX-License-Identifier: MIT
 * What every codec offers on a GPU: the streams of its twin in the table, byte for byte. A codec enqueues its
 * work and neither waits nor allocates; cuda/device_chunk.cu brings the chunks and takes the results. */
#ifndef FPGZ_CUDA_CODEC_CUH
#define FPGZ_CUDA_CODEC_CUH

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include "codec/codec.h"
#include "codec/prans/bins/aide.h"
#include "core/bytes.h"
}

enum { FPGZ_CUDA_ALIGN = 256 }; /* bytes, of what lies in a device's memory */

static inline size_t fpgz_cuda_align(size_t bytes)
{
    return fpgz_round_up(bytes, FPGZ_CUDA_ALIGN);
}

/* Bytes of shared memory that a block may have on this device: 99 KiB at least, 0 after an error. */
static inline cudaError_t fpgz_cuda_shared_limit(size_t *bytes)
{
    int device = 0, limit = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (!status)
        status = cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    *bytes = status ? 0 : (size_t)limit;
    return status;
}

/* What a kernel reports; zeroed, in stream order, before encode() or decode() is called. */
struct fpgz_cuda_result {
    unsigned long long length; /* bytes of the stream: encode */
    unsigned int status;       /* 0, or an enum fpgz_status: FPGZ_CORRUPT of a decoder */
    unsigned int pad;
    unsigned int arrived; /* blocks of threads of a kernel: 0 before it */
};

/* One chunk on a device. Pointers are device pointers, aligned to FPGZ_CUDA_ALIGN. */
struct fpgz_cuda_task {
    struct fpgz_grid grid;     /* as it is coded (after fold) */
    struct fpgz_params params; /* resolved: as they go into the chunk's head */
    void *values;              /* fpgz_grid_bytes() and 256 bytes that may be read but mean nothing */
    uint8_t *stream;           /* encode: codec->bound() + 256 bytes; decode: length + 256 readable bytes */
    uint64_t length;           /* decode: of the stream */
    void *scratch;             /* scratch() or open()'s bytes, uninitialised */
    size_t scratch_bytes;
    struct fpgz_cuda_result *result;
    const void *host_values; /* encode: the values in host memory, for a sample that decides a parameter */
    const void *front;       /* decode: what open() wrote, in pinned memory */
    cudaStream_t queue;      /* everything is enqueued here; nothing waits on the host, nothing allocates */
    int multiprocessors;     /* of the device */
};

/* The first half of an aide (codec/prans/bins/aide.h). Each call enqueues kernels, and what comes out on its
 * way to pinned memory; once that is done, its second part reads it. find() leaves numbers of 32 bits there.
 * What count() brings stays there until it is called again. */
struct fpgz_cuda_survey {
    /* values: on the device, aligned to FPGZ_CUDA_ALIGN. next: NULL, or what is counted at once, of values
     * none of which is special. */
    cudaError_t (*enter)(const struct bins_entry *entry, const struct bins_counting *next,
                         const uint8_t *values, uint8_t *memory, uint8_t *pinned, cudaStream_t queue);
    void (*entered)(const struct bins_entry *entry, const uint8_t *pinned, struct bins_common *common);
    cudaError_t (*distinct)(const struct bins_entry *entry, const uint8_t *values, uint8_t *memory,
                            uint8_t *pinned, cudaStream_t queue);
    void (*returned)(const uint8_t *pinned, struct bins_returns *returns);
    cudaError_t (*count)(const struct bins_shape *shape, const struct bins_counting *counting,
                         const uint8_t *values, uint8_t *memory, uint8_t *pinned, cudaStream_t queue);
    void (*counted)(const struct bins_shape *shape, const struct bins_counting *counting,
                    const uint8_t *pinned);
    cudaError_t (*find)(const struct bins_shape *shape, bool flagged, const uint64_t *heavy, unsigned heavies,
                        uint8_t *memory, uint8_t *pinned, cudaStream_t queue);
    /* As that of codecs. */
    cudaError_t (*prepare)(void);
};

/* The probe for matches, as the survey: what is told stays there until the next call of one of these. */
struct fpgz_cuda_probe {
    /* Words for a probe. Those of the roughest one stay in the device's memory for look(), as long as only
     * segments are coded there. */
    cudaError_t (*choose)(const struct bins_shape *shape, const uint8_t *values, enum prans_number number,
                          enum matched_roughness roughness, uint8_t *memory, uint8_t *pinned,
                          cudaStream_t queue);
    /* False where they are too many to be told. */
    bool (*chosen)(const struct bins_shape *shape, const uint8_t *pinned, struct matched_chosen *chosen);
    /* The roughest probe of values that take `bits`, behind its choose(). */
    cudaError_t (*look)(const struct bins_shape *shape, const uint8_t *values, enum prans_number number,
                        uint64_t bits, uint8_t *memory, uint8_t *pinned, cudaStream_t queue);
    /* False where it had to look at too many words. */
    bool (*seen)(const struct bins_shape *shape, uint64_t bits, const uint8_t *pinned,
                 uint64_t seen[MATCHED_WAYS]);
};

/* Of a codec whose encoder stays on the host: what it may hand over. */
struct fpgz_cuda_aide {
    /* Bytes on the device, and pinned ones on the host, that a chunk takes. */
    size_t (*memory)(const struct bins_shape *shape);
    size_t (*pinned)(const struct bins_shape *shape);

    /* Where values that are brought stand in the memory, in bytes from its begin, or those of which they are
     * parts. */
    size_t (*place)(const struct bins_shape *shape, bool whole);
    /* Enqueues values, which are on the host or on the device (there), on their way to such a place. */
    cudaError_t (*bring)(const struct bins_shape *shape, const void *values, bool there, uint8_t *place,
                         cudaStream_t queue);
    /* Enqueues what makes the values be parts of the whole. */
    cudaError_t (*part)(const struct bins_shape *shape, const struct prans_parts *parts, bool second,
                        const uint8_t *whole, uint8_t *memory, cudaStream_t queue);
    const struct fpgz_cuda_survey *survey;
    const struct fpgz_cuda_probe *probe;

    /* Enqueues what the task brings to the device, then the kernels and the copy of their outcome to the
     * host. */
    cudaError_t (*bring_task)(const struct bins_task *task, uint8_t *memory, uint8_t *pinned,
                              cudaStream_t queue);
    cudaError_t (*code)(const struct bins_task *task, uint8_t *memory, uint8_t *pinned, cudaStream_t queue);

    /* Once that is done: what came out, and where on the device the segments are. */
    void (*outcome)(const struct bins_task *task, const uint8_t *pinned, struct bins_outcome *outcome);
    const uint8_t *(*body)(const struct bins_task *task, const uint8_t *memory);
};

/* The next bytes of a codec's scratch, in whole words of 64 bits. Where it is NULL, *at is all that is asked
 * for.
 */
static inline void *fpgz_cuda_take(size_t bytes, void *scratch, size_t *at)
{
    void *const taken = (void *)((uintptr_t)scratch + *at);
    *at += (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
    return taken;
}

struct fpgz_cuda_codec {
    enum fpgz_codec_id id;

    /* Bytes that encode() or decode() needs at task->scratch; may be 0. Where there is open(), not asked for
     * decode(). */
    size_t (*scratch)(const struct fpgz_grid *grid, const struct fpgz_params *params, bool decoding);

    /* Codes task->values into task->stream and sets result->length. What the CPU's encode() refuses
     * (FPGZ_LIMIT) is not asked for. NULL: only the CPU encodes. */
    cudaError_t (*encode)(const struct fpgz_cuda_task *task);

    /* Restores task->values from any bytes: nothing beyond task->length + 256 is read, nothing beyond the
     * grid written. Sets result->status where the CPU's decode() would refuse, which then has the last word.
     */
    cudaError_t (*decode)(const struct fpgz_cuda_task *task);

    /* Attributes of kernels, such as the limit of dynamic shared memory, once a device. May be NULL. */
    cudaError_t (*prepare)(void);

    /* Of codecs whose streams begin with what has to be read in sequence; else NULL. open() reads it on the
     * host, before decode(), into front() bytes; coding->scratch is that of the CPU's decode(). *scratch is
     * what decode() needs then at task->scratch. Where it does not return FPGZ_OK, the CPU has the stream. */
    size_t (*front)(const struct fpgz_coding *coding, const uint8_t *stream, size_t length) = NULL;
    enum fpgz_status (*open)(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                             void *front, size_t *scratch) = NULL;

    /* The same as decode() of each task, all in the first one's queue; their values have one size. NULL: it
     * gains nothing. */
    cudaError_t (*decode_many)(const struct fpgz_cuda_task *const *tasks, unsigned count) = NULL;

    const struct fpgz_cuda_aide *aide = NULL;

    /* Bytes of a stream of `length` bytes that front() and open() read, as its first ones tell. */
    size_t (*reach)(const struct fpgz_grid *grid, const uint8_t *stream, size_t length) = NULL;

    /* Bytes that open() has written to the front's begin: fewer than front(), mostly. */
    size_t (*opened)(const void *front) = NULL;
};

extern "C" const struct fpgz_cuda_codec fpgz_cuda_ndzip, fpgz_cuda_gfc, fpgz_cuda_mpc, fpgz_cuda_frsz2,
    fpgz_cuda_arith, fpgz_cuda_predict, fpgz_cuda_prans;
extern "C" const struct fpgz_cuda_aide fpgz_cuda_prans_aide;
extern "C" const struct fpgz_cuda_survey fpgz_cuda_prans_survey;
extern "C" const struct fpgz_cuda_probe fpgz_cuda_prans_probe;

/* The codecs that have kernels, ended by NULL. */
extern const struct fpgz_cuda_codec *const fpgz_cuda_codecs[];

/* NULL when it has none. */
const struct fpgz_cuda_codec *fpgz_cuda_codec_by_id(enum fpgz_codec_id id);

#endif
