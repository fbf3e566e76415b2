/* SPDX-License-Identifier: MIT
 * Blocks and their threads: who runs next, and who waits for whom. */
#include "emulator.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#include "fiber.h"
#include "shared.h"

dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace emulator
{
namespace
{
enum state { ENDED, READY, AT_BARRIER, IN_WARP };

struct copy {
    void *to;
    const void *from;
    size_t bytes;
};

struct thread {
    struct fiber fiber;
    enum state state;
    unsigned number, barrier;
    struct place place;
    std::vector<copy> copies;
    std::vector<size_t> groups; /* where each ends in the copies */
};

/* Lanes on their way to the same operation. */
struct meeting {
    unsigned mask, here;
    operation *operate;
    int line;
    void *part[LANES];
};

struct block {
    bool runs;
    unsigned number, left; /* threads that have not ended */
    unsigned here[BARRIERS], wanted[BARRIERS];
    unsigned ended[THREADS / LANES]; /* lanes */
    std::vector<meeting> meetings[THREADS / LANES];
    struct thread threads[THREADS];
};

/* Turns of a block while others have theirs, and threads that may run until something has to move. */
enum { TURNS = 16, MOST_IDLE = 1 << 26 };

struct block blocks[BLOCKS];
struct block *block; /* that runs */
struct thread *thread;
struct fiber scheduler;
const std::function<void()> *body;
const char *kernel = "no kernel"; /* the last one */
unsigned idle;
bool looks, turned; /* somebody looks at memory again and again; somebody had a turn */

unsigned lane()
{
    return thread->number % LANES;
}

/* Others run until the thread is ready, if it is not. */
void leave(struct place place)
{
    thread->place = place;
    if (thread->state != READY)
        fiber_switch(&thread->fiber, &scheduler);
}

void finish_barrier(unsigned id)
{
    struct block &b = *block;
    if (!b.here[id] || b.here[id] != (b.wanted[id] ? b.wanted[id] : b.left))
        return;
    b.here[id] = 0;
    moved();
    for (unsigned t = 0; t < blockDim.x; t++)
        if (b.threads[t].state == AT_BARRIER && b.threads[t].barrier == id)
            b.threads[t].state = READY;
}

/* Threads that have ended are missed by nobody. */
void finish_meetings(unsigned warp)
{
    struct thread *const threads = &block->threads[warp * LANES];
    auto &meetings = block->meetings[warp];
    for (size_t m = 0; m < meetings.size(); m++) {
        struct meeting &meeting = meetings[m];
        if (meeting.mask & ~(meeting.here | block->ended[warp]))
            continue;
        meeting.operate(meeting.part, meeting.here);
        for (unsigned l = 0; l < LANES; l++)
            if (meeting.here >> l & 1)
                threads[l].state = READY;
        meetings.erase(meetings.begin() + (ptrdiff_t)m--);
    }
}

/* The life of a thread. */
__attribute__((no_sanitize("address"))) void live()
{
    (*body)();
    await_copies(0);
    const unsigned warp = thread->number / LANES;
    block->left--;
    block->ended[warp] |= 1u << lane();
    thread->state = ENDED;
    moved();
    finish_barrier(0);
    finish_meetings(warp);
    fiber_switch(&thread->fiber, &scheduler);
    abort();
}

void begin_block(unsigned slot, unsigned number)
{
    struct block &b = blocks[slot];
    b.runs = true;
    b.number = number;
    b.left = blockDim.x;
    memset(b.here, 0, sizeof b.here);
    memset(b.ended, 0, sizeof b.ended);
    for (unsigned t = 0; t < blockDim.x; t++) {
        b.threads[t].number = t;
        b.threads[t].state = READY;
        fiber_make(&b.threads[t].fiber, live);
    }
    if (blockDim.x % LANES) /* a warp that is not full */
        b.ended[blockDim.x / LANES] = ~0u << blockDim.x % LANES;
    forget_shared(slot);
}

/* A step of each thread of a warp that can have one. False if nobody could, or somebody only looks at memory.
 */
bool run_warp(unsigned warp, bool backwards)
{
    bool ran = false;
    looks = false;
    for (unsigned i = 0; i < LANES; i++) {
        thread = &block->threads[warp * LANES + (backwards ? LANES - 1 - i : i)];
        if (thread->number >= blockDim.x || thread->state != READY)
            continue;
        ran = true;
        threadIdx.x = thread->number;
        if (++idle > MOST_IDLE)
            fail("threads wait for what does not come");
        fiber_switch(&scheduler, &thread->fiber);
    }
    turned |= ran;
    return ran && !looks;
}

/* A turn of all warps; false if none could have one. In the first block of three they go on step by step; in
 * the others one runs only when all before it wait, or all behind it. */
bool run_turn()
{
    const unsigned way = block->number % 3, warps = (blockDim.x + LANES - 1) / LANES;
    turned = false;
    for (unsigned w = 0; w < warps;)
        w = run_warp(way == 2 ? warps - 1 - w : w, way == 2) && way ? 0 : w + 1;
    return turned;
}

bool run_block(unsigned slot)
{
    block = &blocks[slot];
    blockIdx.x = block->number;
    bring_shared(slot);
    bool ran = false;
    for (unsigned turn = 0; turn < TURNS && run_turn(); turn++)
        ran = true;
    block->runs = block->left;
    return ran;
}
} // namespace

void run(const char *name, const struct shape &shape, const std::function<void()> &function)
{
    kernel = name;
    body = &function;
    gridDim.x = shape.grid;
    blockDim.x = shape.block;
    idle = 0;
    begin_shared(shape.shared);
    unsigned next = 0;
    for (bool runs = true; runs;) {
        bool ran = runs = false;
        for (unsigned slot = 0; slot < BLOCKS; slot++) {
            if (!blocks[slot].runs && next < shape.grid)
                begin_block(slot, next++);
            if (!blocks[slot].runs)
                continue;
            runs = true;
            ran |= run_block(slot);
        }
        if (runs && !ran)
            fail("all threads wait for others");
    }
    end_shared();
}

void meet(unsigned mask, void *part, operation *operate, struct place place)
{
    if (!(mask >> lane() & 1))
        fail("%s at %s:%d: lane %u is not in the mask %08x", place.what, place.file, place.line, lane(),
             mask);
    auto &meetings = block->meetings[thread->number / LANES];
    size_t m = 0;
    while (m < meetings.size() && meetings[m].mask != mask)
        m++;
    if (m == meetings.size())
        meetings.push_back({mask, 0, operate, place.line, {}});
    if (meetings[m].operate != operate || meetings[m].line != place.line)
        fail("%s at %s:%d: others of the mask %08x are in line %d", place.what, place.file, place.line, mask,
             meetings[m].line);
    meetings[m].here |= 1u << lane();
    meetings[m].part[lane()] = part;
    thread->state = IN_WARP;
    finish_meetings(thread->number / LANES);
    leave(place);
}

void wait(unsigned id, unsigned threads, struct place place)
{
    if (block->here[id]++ && block->wanted[id] != threads)
        fail("barrier %u at %s:%d is for %u threads, not %u", id, place.file, place.line, block->wanted[id],
             threads);
    block->wanted[id] = threads;
    thread->barrier = id;
    thread->state = AT_BARRIER;
    finish_barrier(id);
    leave(place);
}

void yield(struct place place)
{
    looks = true;
    thread->place = place;
    fiber_switch(&thread->fiber, &scheduler);
}

void moved()
{
    idle = 0;
}

void copy_later(void *to, const void *from, size_t bytes)
{
    thread->copies.push_back({to, from, bytes});
}

void end_group()
{
    thread->groups.push_back(thread->copies.size());
}

void await_copies(unsigned groups)
{
    auto &ends = thread->groups;
    auto &copies = thread->copies;
    if (groups && ends.size() <= groups)
        return;
    const size_t done = groups ? ends[ends.size() - groups - 1] : copies.size();
    for (size_t i = 0; i < done; i++)
        memcpy(copies[i].to, copies[i].from, copies[i].bytes);
    copies.erase(copies.begin(), copies.begin() + (ptrdiff_t)done);
    ends.erase(ends.begin(), ends.end() - (ptrdiff_t)groups);
    for (size_t &end : ends)
        end -= done;
}

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "emulator: %s: ", kernel);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    const struct place *last = nullptr;
    for (unsigned slot = 0; slot < BLOCKS; slot++)
        for (unsigned t = 0; t < blockDim.x && blocks[slot].runs; t++) {
            const struct thread &other = blocks[slot].threads[t];
            if (other.state == ENDED || !other.place.what || (last && other.place.line == last->line))
                continue; /* one of those that wait in the same place */
            last = &other.place;
            fprintf(stderr, "  block %u thread %u: %s at %s:%d\n", blocks[slot].number, t, last->what,
                    last->file, last->line);
        }
    abort();
}
} // namespace emulator
