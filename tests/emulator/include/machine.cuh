/* SPDX-License-Identifier: MIT
 * The instructions of cuda/machine.cuh, on a CPU. */
#ifndef TESTS_EMULATOR_MACHINE_CUH
#define TESTS_EMULATOR_MACHINE_CUH

#include <cuda_runtime.h>

/* Shared memory lies within 2 GiB of any variable. */
static inline uint32_t shared_address(const void *at)
{
    return (uint32_t)((uintptr_t)at - (uintptr_t)&threadIdx);
}

static inline uint8_t *shared_at(uint32_t address)
{
    return (uint8_t *)&threadIdx + (int32_t)address;
}

template <int BYTES, int AHEAD = 128> static inline void copy_async(uint32_t shared, const void *global)
{
    if (((uintptr_t)shared_at(shared) | (uintptr_t)global) % BYTES)
        emulator::fail("a copy of %d bytes is not aligned", BYTES);
    emulator::copy_later(shared_at(shared), global, BYTES);
}

static inline void copy_async_wait()
{
    emulator::await_copies(0);
}

static inline void copy_async_commit()
{
    emulator::end_group();
}

template <int GROUPS> static inline void copy_async_wait_but()
{
    emulator::await_copies(GROUPS);
}

template <int ID, int THREADS> static inline void barrier(EMULATOR_FROM)
{
    emulator::wait(ID, THREADS, {"barrier", file, line});
}

template <int THREADS> static inline void barrier(uint32_t id, EMULATOR_FROM)
{
    emulator::wait(id, THREADS, {"barrier", file, line});
}

/* Arrivals of a phase, those that are still missing, and the phase's parity. */
struct handover {
    uint32_t arrivals : 31, parity : 1, missing;
};

static inline void handover_make(uint64_t *handover, unsigned arrivals)
{
    *(struct handover *)handover = {arrivals, 0, arrivals};
}

static inline void handover_arrive(uint64_t *handover)
{
    struct handover *const h = (struct handover *)handover;
    emulator::moved();
    if (--h->missing)
        return;
    h->missing = h->arrivals;
    h->parity ^= 1;
}

static inline void handover_wait(const uint64_t *handover, unsigned parity, EMULATOR_FROM)
{
    const volatile struct handover *const h = (const volatile struct handover *)handover;
    while (h->parity == parity)
        emulator::yield({"handover_wait", file, line});
}

template <typename T> static inline T load_relaxed(const T *at, EMULATOR_FROM)
{
    emulator::yield({"load_relaxed", file, line});
    return *at;
}

template <typename T, typename U> static inline void store_relaxed(T *at, U value)
{
    emulator::moved();
    *at = (T)value;
}

template <typename T> static inline T load_acquire(const T *at, EMULATOR_FROM)
{
    emulator::yield({"load_acquire", file, line});
    return *at;
}

template <typename T, typename U> static inline void store_release(T *at, U value)
{
    store_relaxed(at, value);
}

static inline uint32_t add_in_order(uint32_t *at, uint32_t value)
{
    return atomicAdd(at, value);
}

static inline uint32_t load_shared_byte(uint32_t shared)
{
    return *shared_at(shared);
}

static inline void or_shared(uint32_t *at, uint32_t word)
{
    *at |= word;
}

template <typename T> static inline T add_below(T own, uint32_t distance)
{
    const T other = __shfl_up_sync(0xFFFFFFFF, own, distance);
    return own + (threadIdx.x % emulator::LANES >= distance ? other : 0);
}

static inline uint32_t fpgz_shift_right(uint32_t word, uint32_t count)
{
    return count < 32 ? word >> count : 0;
}

static inline uint64_t fpgz_shift_right(uint64_t word, uint32_t count)
{
    return count < 64 ? word >> count : 0;
}

static inline uint32_t fpgz_shift_left(uint32_t word, uint32_t count)
{
    return count < 32 ? word << count : 0;
}

static inline uint64_t fpgz_shift_left(uint64_t word, uint32_t count)
{
    return count < 64 ? word << count : 0;
}

static inline int32_t highest_bit(uint32_t word)
{
    return word ? 31 - __builtin_clz(word) : -1;
}

static inline uint32_t select_bits(uint32_t mask, uint32_t a, uint32_t b)
{
    return (a & mask) | (b & ~mask);
}

#endif
