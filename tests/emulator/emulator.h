/* SPDX-License-Identifier: MIT
 * A small machine that runs kernels on a CPU: what CUDA's words are put into (include/cuda_runtime.h). A
 * thread of a block is a fiber. It runs until it needs others; a few blocks take turns. One kernel runs at
 * once. */
#ifndef TESTS_EMULATOR_H
#define TESTS_EMULATOR_H

#include <functional>
#include <stddef.h>
#include <stdint.h>

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z)
    {
    }
};

/* Of the thread that runs. */
extern dim3 threadIdx, blockIdx, blockDim, gridDim;

typedef struct emulator_stream *cudaStream_t;

namespace emulator
{
enum {
    LANES = 32,
    THREADS = 1024,    /* of a block, at most */
    BLOCKS = 3,        /* that take turns */
    BARRIERS = 16,     /* of a block; 0 is of all its threads */
    STATIC = 48 << 10, /* bytes of shared memory that a kernel may declare */
    GARBAGE = 0xA5,    /* what nobody wrote */
};

/* Ends the program, with what went wrong, in which kernel, and where its threads wait. */
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* <<<grid, block, shared, queue>>> */
struct shape {
    unsigned grid, block;
    size_t shared;
    cudaStream_t queue;
    template <class G, class B, class S>
    shape(G g, B b, S s, cudaStream_t q) : grid((unsigned)g), block((unsigned)b), shared((size_t)s), queue(q)
    {
    }
};

/* Runs a kernel, from its first block to its last. */
void run(const char *name, const struct shape &shape, const std::function<void()> &body);

/* Enqueues it (runtime.cpp), as CUDA does: nothing is done before the host waits. */
void enqueue(const char *name, const struct shape &shape, std::function<void()> body);

template <class KERNEL, class... ARGUMENTS>
void launch(const char *name, const struct shape &shape, KERNEL kernel, ARGUMENTS... arguments)
{
    enqueue(name, shape, [=] { kernel(arguments...); });
}

/* Shared memory that a kernel declares, or a launch asks for. It holds garbage when a block starts. */
struct shared_area {
    void *at;
    size_t bytes, most;
    uint64_t used; /* the number of the last launch that had it */
    uint8_t *kept[BLOCKS];
    bool has[BLOCKS];
    shared_area *next;
    shared_area(void *at, size_t bytes);
    void use();
};

#define EMULATOR_SHARED(name)                                                                                \
    static emulator::shared_area name##_area(&name, sizeof name);                                            \
    name##_area.use();

void *dynamic_shared();

/* Where a thread waits. */
struct place {
    const char *what, *file;
    int line;
};

/* Waits for the others of its warp, those of `mask`, each with a part at the same place; `operate` gets them
 * all, NULL for lanes that are not among them. */
typedef void operation(void *const part[LANES], unsigned mask);
void meet(unsigned mask, void *part, operation *operate, struct place place);

/* Waits until `threads` have come to barrier `id`; all that have not ended, for 0. */
void wait(unsigned id, unsigned threads, struct place place);

/* Lets all others run: a thread that looks at memory again and again. */
void yield(struct place place);

/* Something that others may wait for was done. */
void moved();

/* cp.async: as late as it may be. */
void copy_later(void *to, const void *from, size_t bytes);
void end_group();
void await_copies(unsigned groups); /* all but the last groups */

} // namespace emulator

#endif
