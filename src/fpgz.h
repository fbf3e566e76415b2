/* SPDX-License-Identifier: MIT
 * The library of fpgz: lossless compression of arrays of numbers (fpgz(3)).
 *
 * Every call that can fail returns an enum fpgz_status and, where `error` is not NULL, says in *error what
 * went wrong. No call prints, exits, forks, changes signals or the locale, or keeps anything in global
 * variables, but for which CPU level was found. Any number of threads may work at once, each with objects of
 * its own.
 *
 * Shapes are row-major, slowest extent first. Sizes are bytes where nothing else is said. */
#ifndef FPGZ_H
#define FPGZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FPGZ_PUBLIC __attribute__((visibility("default")))

/* What can go wrong. The numbers never change. */
enum fpgz_status {
    FPGZ_OK = 0,
    FPGZ_CORRUPT = 1,     /* bytes contradict themselves or a checksum */
    FPGZ_TRUNCATED = 2,   /* the input ends too early */
    FPGZ_UNSUPPORTED = 3, /* valid, but needs a newer fpgz or a codec that is not here */
    FPGZ_FOREIGN = 4,     /* not an fpgz container */
    FPGZ_LIMIT = 5,       /* a declared size is above the limit in force */
    FPGZ_USAGE = 6,       /* an option, a shape or a parameter does not fit */
    FPGZ_IO = 7,          /* the operating system refused a read or a write */
    FPGZ_MEMORY = 8,      /* no memory */
    FPGZ_EXISTS = 9,      /* the output is there already */
    FPGZ_CLOSED = 10,     /* nobody reads our output any more (EPIPE) */
    FPGZ_INTERNAL = 11,   /* a self-check failed: a defect of fpgz */
    FPGZ_CANCELLED = 12,  /* a callback asked for the end */
};

/* A status with the place and the remedy in words. */
struct fpgz_error {
    enum fpgz_status status;
    char text[400];
};

/* One word for a status, as fpgz --json has it: "ok", "corrupt", ... */
FPGZ_PUBLIC const char *fpgz_status_name(enum fpgz_status status);

/* Types of values. The numbers are the container's (fpgz(5)). */
enum fpgz_dtype {
    FPGZ_F32 = 1,
    FPGZ_F64 = 2,
    FPGZ_U8 = 3, /* also bytes that are no numbers */
    FPGZ_I16 = 5,
    FPGZ_I32 = 6,
    FPGZ_I64 = 7,
    FPGZ_U16 = 8,
    FPGZ_U32 = 9,
    FPGZ_U64 = 10,
    FPGZ_F16 = 11,  /* IEEE 754 binary16 */
    FPGZ_BF16 = 12, /* the upper half of a binary32 */
    FPGZ_I8 = 13,
};

enum fpgz_order { FPGZ_LITTLE = 0, FPGZ_BIG = 1 };

enum { FPGZ_MAX_DIMS = 32 };    /* of an array, as in HDF5 */
#define FPGZ_UNKNOWN UINT64_MAX /* a size, or a slowest extent, that only the end of the data tells */

/* An array as it stands in memory or in a file: dense, row-major, slowest extent first. */
struct fpgz_array {
    enum fpgz_dtype dtype;
    enum fpgz_order order; /* of the bytes of a value */
    unsigned dims;         /* 1 to FPGZ_MAX_DIMS */
    uint64_t
        extent[FPGZ_MAX_DIMS]; /* values; [0] may be FPGZ_UNKNOWN in a container that a pipe was read into */
};

/* A part of an array: the indexes from first[d] to before end[d] along each of its axes. */
struct fpgz_box {
    unsigned dims; /* the array's */
    uint64_t first[FPGZ_MAX_DIMS], end[FPGZ_MAX_DIMS];
};

/* How to compress. All zeros is what the command does without options, but that arrays keep the order of
 * their axes. */
struct fpgz_settings {
    int level;         /* 1 (fast) to 9 (small); 0: 5 */
    const char *codec; /* as --codec takes it ("ndzip", "gfc:dim=3"); NULL: a sample of each chunk decides */
    unsigned threads;  /* 0: one a CPU */
    uint64_t chunk;    /* raw bytes that a chunk aims at; 0: by level and codec */
    uint64_t memory;   /* that one call may take; 0: a quarter of the machine's or control group's */
    /* Bytes that fpgz_file_restore() may write. 0: any number, but for a container that promises more than 64
     * GiB and more than 1000 times its own size. */
    uint64_t max_output;
};

/* What a long call tells while it works. All members may be zero. Callbacks run in the calling thread or in
 * one of the call's own, never two at once. */
struct fpgz_events {
    void *context; /* given to the callbacks */
    /* What a user should know: arrays archived as bytes, attributes that were left out. `text` is a sentence.
     */
    void (*warning)(void *context, const char *text);
    /* Raw and stored bytes done so far. False ends the call with FPGZ_CANCELLED. */
    bool (*progress)(void *context, uint64_t raw, uint64_t stored);
};

/* Takes `length` bytes of a container, in order. False, with errno set, when they cannot be written. */
typedef bool fpgz_write_bytes(void *context, const void *bytes, size_t length);

/* "0.2.0" */
FPGZ_PUBLIC const char *fpgz_version(void);

/* One array in memory, to a container in memory and back.
 *
 * fpgz_encode() allocates *container of *length bytes; free() releases it. fpgz_decode() restores the only
 * array of a container into `values`, which has room for `room` bytes; FPGZ_LIMIT, with the size in *error,
 * where that is too little. `array` may be NULL; else it receives the array's type and shape. */
FPGZ_PUBLIC enum fpgz_status fpgz_encode(const struct fpgz_array *array, const void *values,
                                         const struct fpgz_settings *settings, void **container,
                                         size_t *length, struct fpgz_error *error);
FPGZ_PUBLIC enum fpgz_status fpgz_decode(const void *container, size_t length, struct fpgz_array *array,
                                         void *values, size_t room, struct fpgz_error *error);

/* A container, array by array. What it restores as a file is the arrays' bytes, one array behind the other.
 *
 * `write` receives the container's bytes; with NULL they go to the descriptor that `context` points to (an
 * int). `settings` is copied. After a failure all further calls fail with the same error. */
struct fpgz_packer;
FPGZ_PUBLIC enum fpgz_status fpgz_packer_open(fpgz_write_bytes *write, void *context,
                                              const struct fpgz_settings *settings,
                                              struct fpgz_packer **packer, struct fpgz_error *error);
FPGZ_PUBLIC enum fpgz_status fpgz_packer_add(struct fpgz_packer *packer, const char *name,
                                             const struct fpgz_array *array, const void *values,
                                             struct fpgz_error *error);
/* Completes the container, and frees the packer in any case. */
FPGZ_PUBLIC enum fpgz_status fpgz_packer_close(struct fpgz_packer *packer, struct fpgz_error *error);

/* Reading: a container in a file that can be sought, or in memory. Both stay the caller's, and stay as they
 * are until fpgz_container_close(). */
struct fpgz_container;
FPGZ_PUBLIC enum fpgz_status fpgz_container_open(int fd, struct fpgz_container **container,
                                                 struct fpgz_error *error);
FPGZ_PUBLIC enum fpgz_status fpgz_container_open_memory(const void *bytes, size_t length,
                                                        struct fpgz_container **container,
                                                        struct fpgz_error *error);

/* Arrays of numbers in the container. */
FPGZ_PUBLIC size_t fpgz_container_arrays(const struct fpgz_container *container);

/* Type and shape of array `index` (below fpgz_container_arrays()), all extents known, and its name, which may
 * be empty and lives as long as the container. */
FPGZ_PUBLIC const char *fpgz_container_array(const struct fpgz_container *container, size_t index,
                                             struct fpgz_array *array);

/* Reads array `index`, or the part of it in `box` (NULL: all), dense and in the byte order of this machine,
 * into `values`, which has room for `room` bytes. Only the chunks that are needed are decoded. */
FPGZ_PUBLIC enum fpgz_status fpgz_container_read(struct fpgz_container *container, size_t index,
                                                 const struct fpgz_box *box, void *values, size_t room,
                                                 struct fpgz_error *error);

/* Decodes everything and compares all checksums, as fpgz -t does. */
FPGZ_PUBLIC enum fpgz_status fpgz_container_verify(struct fpgz_container *container,
                                                   struct fpgz_error *error);
FPGZ_PUBLIC void fpgz_container_close(struct fpgz_container *container);

/* Arrays in the memory of a GPU, by CUDA. A build without CUDA has FPGZ_UNSUPPORTED for fpgz_gpu_open().
 *
 * A struct fpgz_gpu holds what the calls need on GPU `number` (from 0 on), and keeps it for the next ones.
 * Opening it takes some tenths of a second. One call at a time may use it. A call waits for what `stream`, a
 * cudaStream_t of that GPU (NULL: the default one), was given before, works on streams of its own, and
 * returns when all is done. `values` are on the GPU; a container is there or on the host.
 *
 * fpgz_gpu_encode() makes the bytes of fpgz_encode(). `container` has room for `room` bytes: FPGZ_LIMIT where
 * that is too little. *length is what it takes, in both cases. The bytes of the array, a 16th more, and 64
 * KiB are enough where chunks have 64 KiB or more. fpgz_gpu_decode() does what fpgz_decode() does. fpgz(3)
 * says when values come to the host. FPGZ_MEMORY may be the GPU's. After FPGZ_UNSUPPORTED, which tells of an
 * error of CUDA, the handle can only be closed. fpgz_gpu_close() takes NULL, too. */
struct fpgz_gpu;
FPGZ_PUBLIC enum fpgz_status fpgz_gpu_open(int number, struct fpgz_gpu **gpu, struct fpgz_error *error);
FPGZ_PUBLIC enum fpgz_status fpgz_gpu_encode(struct fpgz_gpu *gpu, void *stream,
                                             const struct fpgz_array *array, const void *values,
                                             const struct fpgz_settings *settings, void *container,
                                             size_t room, size_t *length, struct fpgz_error *error);
FPGZ_PUBLIC enum fpgz_status fpgz_gpu_decode(struct fpgz_gpu *gpu, void *stream, const void *container,
                                             size_t length, struct fpgz_array *array, void *values,
                                             size_t room, struct fpgz_error *error);
FPGZ_PUBLIC void fpgz_gpu_close(struct fpgz_gpu *gpu);

/* A file of any format that fpgz knows, from a descriptor to a container and back, as the command does it.
 *
 * `name` is the file's name without directories, which the container keeps; it also tells the type and shape
 * of a raw grid. NULL for what has none. HDF5 files are looked at by a process of their own, which only a
 * command starts: here they are archived as bytes, with a warning. `settings` and `events` may be NULL. */
FPGZ_PUBLIC enum fpgz_status fpgz_file_compress(int from, const char *name, int to,
                                                const struct fpgz_settings *settings,
                                                const struct fpgz_events *events, struct fpgz_error *error);
FPGZ_PUBLIC enum fpgz_status fpgz_file_restore(int from, int to, const struct fpgz_settings *settings,
                                               const struct fpgz_events *events, struct fpgz_error *error);

#ifdef __cplusplus
}
#endif

#endif
