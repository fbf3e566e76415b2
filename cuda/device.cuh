/* SPDX-License-Identifier: MIT
 * The device layer: lanes that chunks take side by side. A lane is a CUDA stream with memory of its own, so
 * that one chunk's transfers run beside the kernels of others, and nothing ever waits for all. */
#ifndef FPGZ_CUDA_DEVICE_CUH
#define FPGZ_CUDA_DEVICE_CUH

#include <pthread.h>

#include "checksum.cuh"
#include "codec.cuh"

extern "C" {
#include "engine/device.h"
#include "engine/seats.h"
}

/* Three would do to keep both directions of the bus and the kernels busy; more hide the waits of the host. */
enum { LANES = FPGZ_DEVICE_LANES, MAX_GPUS = 64 };

/* What comes back of a lane's calls, in pinned memory; the device reads `stream` there. */
struct lane_result {
    struct fpgz_cuda_result chunk;
    struct checksum_span stream; /* that is verified, */
    uint64_t checksum;           /* of it */
};

struct lane {
    struct gpu *gpu;
    cudaStream_t queue;
    cudaEvent_t event;
    struct lane_result *result;
    uint8_t *memory; /* on the device */
    size_t capacity;
    bool shares;              /* that is of the GPU's */
    struct fpgz_buffer front; /* pinned, of codecs that read streams' fronts on the host, and of aides */
    bool taken, closed;
};

struct gpu {
    struct fpgz_device *device;
    pthread_t starter; /* if `beside`: a thread was started to get it ready */
    bool beside;
    int number; /* as users say */
    int index;  /* as CUDA says */
    int multiprocessors;
    unsigned taken; /* lanes */
    bool ready;
    uint8_t *shared; /* memory for all lanes, or NULL, */
    size_t share;    /* so much for each; 0 if there is none */
    bool sharing;    /* that was tried */
    struct lane lane[LANES];
};

struct fpgz_device {
    struct gpu gpu[MAX_GPUS];
    int number;         /* as fpgz_device_open() has it */
    unsigned gpu_count; /* 0 before they are counted */
    unsigned starting;  /* of them */
    bool sole;          /* no other can be seen */
    bool awake;         /* its driver runs */
    bool near;          /* a GPU's context is there; read by other threads */
    char name[300];
    pthread_mutex_t mutex;
    pthread_cond_t change;
    unsigned open_lanes;       /* that are not closed */
    bool failed;               /* and nobody was told */
    struct fpgz_error failure; /* the first one */
};

/* Leaves a function that gives a cudaError_t where the call fails. */
#define TRY(call)                                                                                            \
    do {                                                                                                     \
        const cudaError_t status_ = (call);                                                                  \
        if (status_)                                                                                         \
            return status_;                                                                                  \
    } while (0)

/* A free lane, of the GPU that has most of them. With `wait` it waits for one. NULL when there is none. */
struct lane *fpgz_lane_take(struct fpgz_device *device, bool wait);
void fpgz_lane_give(struct fpgz_device *device, struct lane *lane);

/* Other memory, on the device or pinned, in the place of what there is. Where that fails, there is none. */
cudaError_t fpgz_memory_replace(void **memory, size_t *capacity, size_t bytes, bool pinned);

/* At least so many bytes of a buffer, of which the first ones are pinned. What was there is lost where that
 * has to grow. */
cudaError_t fpgz_pinned_reserve(struct fpgz_buffer *buffer, size_t bytes, size_t pinned);

/* At least so many bytes on its GPU. What was there is lost. Where several chunks are under way, all lanes
 * get that much at once. */
cudaError_t fpgz_lane_reserve(struct lane *lane, size_t bytes);

/* Frees the memory of the GPU's lanes that nobody has. The GPU is the calling thread's. */
void fpgz_lanes_shed(struct gpu *gpu);

/* A stream that is to be verified by values in a lane's memory. */
struct lane_check {
    const struct fpgz_cuda_codec *codec;
    const struct fpgz_coding *coding;
    const uint8_t *stream;
    size_t length;
    const uint8_t *values; /* on the device, which stay there */
    size_t begin;          /* from here on the lane's memory is free, but for a tail */
    /* NULL, or where the stream's last bytes, so many, stand there; those are not brought again. The others
     * are pinned then. */
    const uint8_t *tail;
    size_t tail_bytes;
    size_t front; /* bytes of the lane's front that stay as they are, but where it has to grow */
    bool grows;   /* it may */
};

/* Enqueues what fpgz_device_verify() does. *verdict is FPGZ_OK if that is on its way: fpgz_lane_verified()
 * tells then what comes out. FPGZ_UNSUPPORTED where there is no room. */
cudaError_t fpgz_lane_verify(struct lane *lane, const struct lane_check *check, enum fpgz_status *verdict);

/* Waits for the verdict, and for the stream's checksum. */
cudaError_t fpgz_lane_verified(struct lane *lane, enum fpgz_status *verdict, uint64_t *checksum);

/* Sleeps until everything enqueued so far is done. */
cudaError_t fpgz_lane_wait(struct lane *lane);

/* The lane could not get so many bytes of its GPU, and takes no more chunks. */
void fpgz_lane_out_of_memory(struct fpgz_device *device, struct lane *lane, size_t bytes);

/* No more chunks for the GPU, which is told about once. */
void fpgz_gpu_fail(struct fpgz_device *device, struct gpu *gpu, cudaError_t status);

#endif
