/* SPDX-License-Identifier: MIT
 * What the threads of a warp and of a block do together. */
#ifndef TESTS_EMULATOR_WARP_H
#define TESTS_EMULATOR_WARP_H

#define EMULATOR_FROM const char *file = __builtin_FILE(), int line = __builtin_LINE()

/* A lane's part: what it brings, what it gets, and of which lane that is. */
template <typename T> struct emulator_part {
    T own, got;
    unsigned from;
};

template <typename T> static void emulator_exchange(void *const part[emulator::LANES], unsigned mask)
{
    for (unsigned lane = 0; lane < emulator::LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        emulator_part<T> *const mine = (emulator_part<T> *)part[lane];
        if (mask >> mine->from & 1)
            mine->got = ((const emulator_part<T> *)part[mine->from])->own;
        else
            memset(&mine->got, emulator::GARBAGE, sizeof mine->got);
    }
}

/* Of the lane itself, where there is no such lane among the `width` neighbours. */
template <typename T>
static inline T emulator_shuffle(unsigned mask, T value, unsigned from, unsigned width, bool turns,
                                 struct emulator::place place)
{
    const unsigned lane = threadIdx.x % emulator::LANES, first = lane / width * width;
    if (turns)
        from = first + from % width;
    emulator_part<T> part = {value, value, from - first < width ? from : lane};
    emulator::meet(mask, &part, emulator_exchange<T>, place);
    return part.got;
}

template <typename T>
static inline T __shfl_sync(unsigned mask, T value, int from, unsigned width = 32, EMULATOR_FROM)
{
    return emulator_shuffle(mask, value, (unsigned)from, width, true, {"__shfl_sync", file, line});
}

template <typename T>
static inline T __shfl_up_sync(unsigned mask, T value, unsigned distance, unsigned width = 32, EMULATOR_FROM)
{
    return emulator_shuffle(mask, value, threadIdx.x % emulator::LANES - distance, width, false,
                            {"__shfl_up_sync", file, line});
}

template <typename T>
static inline T __shfl_down_sync(unsigned mask, T value, unsigned distance, unsigned width = 32,
                                 EMULATOR_FROM)
{
    return emulator_shuffle(mask, value, threadIdx.x % emulator::LANES + distance, width, false,
                            {"__shfl_down_sync", file, line});
}

template <typename T>
static inline T __shfl_xor_sync(unsigned mask, T value, unsigned bits, unsigned width = 32, EMULATOR_FROM)
{
    return emulator_shuffle(mask, value, threadIdx.x % emulator::LANES ^ bits, width, false,
                            {"__shfl_xor_sync", file, line});
}

/* All lanes get what an operation makes of what they bring. */
template <typename T, class OPERATION>
static void emulator_fold(void *const part[emulator::LANES], unsigned mask)
{
    T folded = OPERATION::begin;
    for (unsigned lane = 0; lane < emulator::LANES; lane++)
        if (mask >> lane & 1)
            folded = OPERATION::add(folded, ((const emulator_part<T> *)part[lane])->own, lane);
    for (unsigned lane = 0; lane < emulator::LANES; lane++)
        if (mask >> lane & 1)
            ((emulator_part<T> *)part[lane])->got = folded;
}

template <class OPERATION, typename T>
static inline T emulator_reduce(unsigned mask, T value, struct emulator::place place)
{
    emulator_part<T> part = {value, value, 0};
    emulator::meet(mask, &part, emulator_fold<T, OPERATION>, place);
    return part.got;
}

struct emulator_sum {
    static const unsigned begin = 0;
    static unsigned add(unsigned sum, unsigned own, unsigned)
    {
        return sum + own;
    }
};
struct emulator_most {
    static const unsigned begin = 0;
    static unsigned add(unsigned most, unsigned own, unsigned)
    {
        return own > most ? own : most;
    }
};
struct emulator_ballot {
    static const unsigned begin = 0;
    static unsigned add(unsigned bits, unsigned own, unsigned lane)
    {
        return bits | (unsigned)(own != 0) << lane;
    }
};

static inline unsigned __reduce_add_sync(unsigned mask, unsigned value, EMULATOR_FROM)
{
    return emulator_reduce<emulator_sum>(mask, value, {"__reduce_add_sync", file, line});
}

static inline unsigned __reduce_max_sync(unsigned mask, unsigned value, EMULATOR_FROM)
{
    return emulator_reduce<emulator_most>(mask, value, {"__reduce_max_sync", file, line});
}

static inline unsigned __ballot_sync(unsigned mask, bool holds, EMULATOR_FROM)
{
    return emulator_reduce<emulator_ballot>(mask, (unsigned)holds, {"__ballot_sync", file, line});
}

/* The lanes that bring the same. */
static void emulator_compare(void *const part[emulator::LANES], unsigned mask)
{
    for (unsigned lane = 0; lane < emulator::LANES; lane++)
        for (unsigned other = 0; other < emulator::LANES; other++)
            if (mask >> lane & mask >> other & 1) {
                struct emulator_part<unsigned> *const mine = (emulator_part<unsigned> *)part[lane];
                const bool same = mine->own == ((const emulator_part<unsigned> *)part[other])->own;
                mine->got = (other ? mine->got : 0) | (unsigned)same << other;
            }
}

static inline unsigned __match_any_sync(unsigned mask, unsigned value, EMULATOR_FROM)
{
    emulator_part<unsigned> part = {value, 0, 0};
    emulator::meet(mask, &part, emulator_compare, {"__match_any_sync", file, line});
    return part.got;
}

static inline bool __any_sync(unsigned mask, bool holds, EMULATOR_FROM)
{
    return emulator_reduce<emulator_ballot>(mask, (unsigned)holds, {"__any_sync", file, line});
}

static inline bool __all_sync(unsigned mask, bool holds, EMULATOR_FROM)
{
    return !emulator_reduce<emulator_ballot>(mask, (unsigned)!holds, {"__all_sync", file, line});
}

static inline void __syncwarp(EMULATOR_FROM)
{
    emulator_reduce<emulator_ballot>(~0u, 0u, {"__syncwarp", file, line});
}

static inline void __syncthreads(EMULATOR_FROM)
{
    emulator::wait(0, 0, {"__syncthreads", file, line});
}

template <typename T, typename U> static inline T atomicAdd(T *at, U value)
{
    const T old = *at;
    *at = old + (T)value;
    emulator::moved();
    return old;
}

template <typename T, typename U> static inline T atomicOr(T *at, U value)
{
    const T old = *at;
    *at = old | (T)value;
    emulator::moved();
    return old;
}

template <typename T> static inline T atomicCAS(T *at, T expected, T value)
{
    const T old = *at;
    *at = old == expected ? value : old;
    emulator::moved();
    return old;
}

template <typename T, typename U> static inline T atomicMax(T *at, U value)
{
    const T old = *at;
    *at = (T)value > old ? (T)value : old;
    emulator::moved();
    return old;
}

template <typename T, typename U> static inline void __stcs(T *at, U value)
{
    *at = value;
}

#endif
