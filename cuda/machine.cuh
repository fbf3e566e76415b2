/* SPDX-License-Identifier: MIT
 * What CUDA's C++ has no words for: all instructions that kernels ask for by name, from sm_80 on. Copies into
 * shared memory that threads need not wait for, barriers that hand memory from some warps of a block to
 * others, accesses of memory, and bits. tests/emulator has another one, for CPUs. */
#ifndef FPGZ_CUDA_MACHINE_CUH
#define FPGZ_CUDA_MACHINE_CUH

#include <stdint.h>

/* The address of something in shared memory, as instructions take it. */
static __device__ __forceinline__ uint32_t shared_address(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}

/* Copies BYTES (4, 8 or 16, to which both addresses are aligned) from global memory to the shared address.
 * The hint brings AHEAD bytes (128 or 256) around them into the second-level cache: neighbours take the rest
 * soon. */
template <int BYTES, int AHEAD = 128>
static __device__ __forceinline__ void copy_async(uint32_t shared, const void *global)
{
    if (BYTES == 16 && AHEAD == 256)
        asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16;" ::"r"(shared), "l"(global)
                     : "memory");
    else if (BYTES == 16)
        asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(shared), "l"(global)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2;" ::"r"(shared), "l"(global),
                     "n"(BYTES)
                     : "memory");
}

/* Waits for all copies of this thread; others see them behind a barrier. */
static __device__ __forceinline__ void copy_async_wait()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/* Copies of this thread since the last call are one group. */
static __device__ __forceinline__ void copy_async_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits for all groups of this thread but the last GROUPS. */
template <int GROUPS> static __device__ __forceinline__ void copy_async_wait_but()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(GROUPS) : "memory");
}

/* Barrier ID (1 to 15; 0 is __syncthreads()) among THREADS threads of the block, in whole warps. */
template <int ID, int THREADS> static __device__ __forceinline__ void barrier()
{
    asm volatile("bar.sync %0, %1;" ::"n"(ID), "n"(THREADS) : "memory");
}

/* The same with an ID that only the device knows: the block then has all of a multiprocessor's barriers that
 * a block can have. */
template <int THREADS> static __device__ __forceinline__ void barrier(uint32_t id)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(THREADS) : "memory");
}

/* A barrier of `arrivals` arrivals a phase; phases have parity 0, 1, 0, ... One thread makes it, and a
 * barrier of all stands before its first use. */
static __device__ __forceinline__ void handover_make(uint64_t *handover, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(handover)), "r"(arrivals)
                 : "memory");
}

/* One arrival: what the thread did before is seen by those that wait. (One for a warp, behind __syncwarp(),
 * would do and is no faster; tools that look for races do not see through it.) */
static __device__ __forceinline__ void handover_arrive(uint64_t *handover)
{
    asm volatile(
        "{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(shared_address(handover))
        : "memory");
}

/* Since sm_90 a waiting warp sleeps; before, it asks again and again. */
#if __CUDA_ARCH__ >= 900
#define HANDOVER_TEST "mbarrier.try_wait.parity.shared.b64"
#else
#define HANDOVER_TEST "mbarrier.test_wait.parity.shared.b64"
#endif

/* Waits for the end of the phase of that parity; for 1 it does not at first, as if one had ended before. */
static __device__ __forceinline__ void handover_wait(uint64_t *handover, unsigned parity)
{
    uint32_t ended;
    do {
        asm volatile("{ .reg .pred p; " HANDOVER_TEST " p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(ended)
                     : "r"(shared_address(handover)), "r"(parity)
                     : "memory");
    } while (!ended);
}

/* Loads and stores that other blocks of the device see and are seen by, in no order with others. */
static __device__ __forceinline__ uint32_t load_relaxed(const uint32_t *at)
{
    uint32_t value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}

static __device__ __forceinline__ uint64_t load_relaxed(const uint64_t *at)
{
    uint64_t value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
    return value;
}

static __device__ __forceinline__ void store_relaxed(uint32_t *at, uint32_t value)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

static __device__ __forceinline__ void store_relaxed(uint64_t *at, uint64_t value)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
}

/* The same, but what this thread, and those that it met at a barrier, wrote before is seen by whoever loads
 * what it stores, and by those that meet him behind it. */
static __device__ __forceinline__ uint32_t load_acquire(const uint32_t *at)
{
    uint32_t value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}

static __device__ __forceinline__ void store_release(uint32_t *at, uint32_t value)
{
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

/* atomicAdd() that does both. */
static __device__ __forceinline__ uint32_t add_in_order(uint32_t *at, uint32_t value)
{
    uint32_t old;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(at), "r"(value)
                 : "memory");
    return old;
}

/* From an address in shared memory, as instructions take it. */
static __device__ __forceinline__ uint32_t load_shared_byte(uint32_t shared)
{
    uint32_t byte;
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(byte) : "r"(shared) : "memory");
    return byte;
}

/* atomicOr() of a word in shared memory, unless it changes nothing, and without a jump. */
static __device__ __forceinline__ void or_shared(uint32_t *at, uint32_t word)
{
    asm volatile(
        "{\n\t.reg .pred some;\n\tsetp.ne.u32 some, %1, 0;\n\t@some red.shared.or.b32 [%0], %1;\n\t}" ::"r"(
            shared_address(at)),
        "r"(word)
        : "memory");
}

/* The sum of what the lane has and of what the lane `distance` below has, if there is one; by a whole warp.
 */
static __device__ __forceinline__ uint32_t add_below(uint32_t own, uint32_t distance)
{
    asm volatile("{\n\t.reg .pred some;\n\t.reg .u32 other;\n\t"
                 "shfl.sync.up.b32 other|some, %0, %1, 0, 0xFFFFFFFF;\n\t@some add.u32 %0, %0, other;\n\t}"
                 : "+r"(own)
                 : "r"(distance));
    return own;
}

static __device__ __forceinline__ uint64_t add_below(uint64_t own, uint32_t distance)
{
    asm volatile("{\n\t.reg .pred some;\n\t.reg .u32 low, high;\n\t.reg .u64 other;\n\t"
                 "mov.b64 {low, high}, %0;\n\tshfl.sync.up.b32 low|some, low, %1, 0, 0xFFFFFFFF;\n\t"
                 "shfl.sync.up.b32 high, high, %1, 0, 0xFFFFFFFF;\n\tmov.b64 other, {low, high};\n\t"
                 "@some add.u64 %0, %0, other;\n\t}"
                 : "+l"(own)
                 : "r"(distance));
    return own;
}

/* Shifts by any count, with zeros from the word's width on. */
static __device__ __forceinline__ uint32_t fpgz_shift_right(uint32_t word, uint32_t count)
{
    uint32_t shifted;
    asm("shr.u32 %0, %1, %2;" : "=r"(shifted) : "r"(word), "r"(count));
    return shifted;
}

static __device__ __forceinline__ uint64_t fpgz_shift_right(uint64_t word, uint32_t count)
{
    uint64_t shifted;
    asm("shr.u64 %0, %1, %2;" : "=l"(shifted) : "l"(word), "r"(count));
    return shifted;
}

static __device__ __forceinline__ uint32_t fpgz_shift_left(uint32_t word, uint32_t count)
{
    uint32_t shifted;
    asm("shl.b32 %0, %1, %2;" : "=r"(shifted) : "r"(word), "r"(count));
    return shifted;
}

static __device__ __forceinline__ uint64_t fpgz_shift_left(uint64_t word, uint32_t count)
{
    uint64_t shifted;
    asm("shl.b64 %0, %1, %2;" : "=l"(shifted) : "l"(word), "r"(count));
    return shifted;
}

/* The number of the highest bit that is set, and -1 without one. */
static __device__ __forceinline__ int32_t highest_bit(uint32_t word)
{
    int32_t bit;
    asm("bfind.u32 %0, %1;" : "=r"(bit) : "r"(word));
    return bit;
}

/* The bits of `a` where the mask's are set, else those of `b`. The compiler would take two instructions: it
 * sees mask and ~mask as unrelated. */
static __device__ __forceinline__ uint32_t select_bits(uint32_t mask, uint32_t a, uint32_t b)
{
    uint32_t selected;
    asm("lop3.b32 %0, %1, %2, %3, 0xE4;" : "=r"(selected) : "r"(a), "r"(b), "r"(mask));
    return selected;
}

#endif
