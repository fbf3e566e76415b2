/* SPDX-License-Identifier: MIT
 * Bytes are copied between the host, arrays in a GPU's memory, and chunks. */
#include <string.h>

#include "move.cuh"
#include "resident.cuh"

extern "C" {
#include "core/checksum.h"
}

enum { AT_ONCE = 64 << 10 /* bytes that take less time than falling asleep */ };

static __global__ void make_moves(const struct move *moves, unsigned parts)
{
    const struct move move = moves[blockIdx.x / parts];
    const uint32_t thread = blockIdx.x % parts * blockDim.x + threadIdx.x;
    fpgz_move_any(move.from, move.to, move.bytes, thread, parts * blockDim.x);
    if (thread < move.zeros)
        move.to[move.bytes + thread] = 0;
}

cudaError_t fpgz_moves_enqueue(struct fpgz_resident *r)
{
    enum { THREADS = 256, BYTES = 16 << 10 /* for a block of them */, BLOCKS = 4096 };
    if (!r->moves)
        return cudaSuccess;
    const unsigned parts = (unsigned)fpgz_min(r->most / BYTES + 1, BLOCKS / r->moves + 1);
    TRY(fpgz_desk_bring(r, r->desk->move, r->host_desk->move, r->moves));
    if (r->staged)
        TRY(fpgz_desk_bring(r, r->desk->staged, r->host_desk->staged, r->staged));
    TRY(cudaEventRecord(r->read, r->queue));
    make_moves<<<r->moves * parts, THREADS, 0, r->queue>>>(r->desk->move, parts);
    r->moves = 0;
    r->most = 0;
    r->staged = 0;
    return cudaGetLastError();
}

cudaError_t fpgz_moves_add(struct fpgz_resident *r, void *to, const void *from, size_t bytes, unsigned zeros)
{
    if (r->moves == MOVES)
        TRY(fpgz_moves_enqueue(r));
    if (!r->moves)
        TRY(cudaEventSynchronize(r->read));
    r->host_desk->move[r->moves++] = {(const uint8_t *)from, (uint8_t *)to, (uint32_t)bytes, zeros};
    r->most = fpgz_max(r->most, bytes);
    return cudaSuccess;
}

/* Bytes of the host, to the device. */
static cudaError_t stage(struct fpgz_resident *r, uint8_t *to, const uint8_t *from, size_t bytes)
{
    while (bytes) {
        if (r->staged == STAGED || r->moves == MOVES)
            TRY(fpgz_moves_enqueue(r));
        const size_t some = fpgz_min(bytes, STAGED - r->staged);
        TRY(fpgz_moves_add(r, to, r->desk->staged + r->staged, some, 0));
        memcpy(r->host_desk->staged + r->staged, from, some);
        r->staged += some;
        to += some;
        from += some;
        bytes -= some;
    }
    return cudaSuccess;
}

/* The same of many bytes, at once. Where they stay, those of the call before have come when it is over: so
 * the bus is never idle. */
static cudaError_t bring(struct fpgz_resident *r, void *to, const void *from, size_t bytes, bool stay)
{
    TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, r->queue));
    if (!stay)
        return fpgz_resident_wait(r);
    TRY(cudaEventRecord(r->came[r->coming], r->queue));
    r->coming = !r->coming;
    return cudaEventSynchronize(r->came[r->coming]);
}

/* Enqueues the checksum of bytes on the device, for which the seat with a reader's number has scratch. Where
 * there is no memory for it, none is told to the next call. */
static cudaError_t sum(struct fpgz_resident *r, size_t number, const void *from, size_t bytes)
{
    const uint64_t blocks = checksum_blocks(bytes);
    struct seat *const seat = &r->seat[number];
    struct summed *const summed = &r->host_desk->summed[number];
    if (fpgz_seat_reserve(r, seat, blocks * CHECKSUM_WORDS * sizeof(uint64_t)))
        return cudaGetLastError();
    TRY(cudaStreamWaitEvent(seat->queue, r->entered, 0));
    summed->span = {(const uint8_t *)from, bytes, 0};
    return checksum_enqueue(&summed->span, 1, blocks, (uint64_t *)seat->scratch, &summed->checksum,
                            seat->queue);
}

cudaError_t fpgz_reader_copy(struct fpgz_resident *r, struct reader *reader, void *to, const void *from,
                             size_t bytes, uint64_t *checksum)
{
    const size_t number = (size_t)(reader - r->reader);
    /* Many bytes stand in one line: those that were asked for first are there first. */
    const cudaStream_t queue = bytes > AT_ONCE ? r->reader->queue : reader->queue;
    pthread_mutex_lock(&reader->mutex);
    const bool sums = checksum && (uintptr_t)from % CHECKSUM_ALIGN == 0 && !sum(r, number, from, bytes);
    cudaError_t status = cudaStreamWaitEvent(queue, r->entered, 0);
    if (!status)
        status = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, queue);
    if (!status && bytes > AT_ONCE)
        status = cudaEventRecord(reader->taken, queue);
    if (!status)
        status = bytes > AT_ONCE ? cudaEventSynchronize(reader->taken) : cudaStreamSynchronize(queue);
    if (!status && sums) {
        status = cudaStreamSynchronize(r->seat[number].queue);
        *checksum = r->host_desk->summed[number].checksum;
    }
    pthread_mutex_unlock(&reader->mutex);
    if (!status && checksum && !sums)
        *checksum = fpgz_checksum(to, bytes);
    return status;
}

/* The next one of so many. */
static struct reader *next_reader(struct fpgz_resident *r, unsigned count)
{
    return &r->reader[__atomic_fetch_add(&r->turn, 1, __ATOMIC_RELAXED) % count];
}

enum fpgz_status fpgz_resident_copy(struct fpgz_resident *r, void *to, const void *from, size_t bytes,
                                    uint64_t *checksum, struct fpgz_error *error)
{
    cudaError_t status = cudaSetDevice(r->gpu->index);
    if (!status)
        status = fpgz_reader_copy(r, next_reader(r, SEATS), to, from, bytes, checksum);
    return fpgz_resident_fail(r, status, error);
}

/* Copies runs of words, a warp each. */
static __global__ void look_at(const uint8_t *from, uint8_t *to, size_t length, const struct fpgz_looked *run,
                               uint32_t runs)
{
    const uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (warp >= runs)
        return;
    const struct fpgz_looked mine = run[warp];
    fpgz_tell_sectors(from, to, mine.first * sizeof(uint32_t),
                      ((size_t)mine.first + mine.count) * sizeof(uint32_t), length);
}

/* Sleeps meanwhile: it takes most of a millisecond. The reader is free before the thread waits for its seat,
 * for those that have one may wait for the reader. */
static cudaError_t look(struct fpgz_resident *r, struct reader *reader, void *to, const void *from,
                        size_t bytes, const struct fpgz_looked *run, size_t runs, uint64_t *checksum)
{
    enum { THREADS = 256, WARPS = THREADS / 32 };
    const size_t number = (size_t)(reader - r->reader);
    fpgz_seat_leave();
    pthread_mutex_lock(&reader->mutex);
    cudaError_t status = sum(r, number, from, bytes);
    const cudaStream_t queue = r->seat[number].queue;
    if (!status) {
        look_at<<<(unsigned)((runs + WARPS - 1) / WARPS), THREADS, 0, queue>>>(
            (const uint8_t *)from, (uint8_t *)to, bytes, run, (uint32_t)runs);
        status = cudaGetLastError();
    }
    if (!status)
        status = cudaEventRecord(reader->taken, queue);
    if (!status)
        status = cudaEventSynchronize(reader->taken);
    *checksum = r->host_desk->summed[number].checksum;
    pthread_mutex_unlock(&reader->mutex);
    fpgz_seat_return();
    return status;
}

enum fpgz_status fpgz_resident_look(struct fpgz_resident *r, void *to, const void *from, size_t bytes,
                                    const struct fpgz_looked *run, size_t runs, uint64_t *checksum,
                                    struct fpgz_error *error)
{
    if ((uintptr_t)from % CHECKSUM_ALIGN || bytes > UINT32_MAX)
        return FPGZ_UNSUPPORTED;
    cudaError_t status = cudaSetDevice(r->gpu->index);
    if (!status)
        status = look(r, next_reader(r, LOOKERS), to, from, bytes, run, runs, checksum);
    if (status == cudaErrorMemoryAllocation)
        return FPGZ_UNSUPPORTED;
    return fpgz_resident_fail(r, status, error);
}

enum fpgz_status fpgz_resident_put(struct fpgz_resident *r, void *to, const void *from, size_t bytes,
                                   bool stays, struct fpgz_error *error)
{
    const bool from_host = !fpgz_resident_has(r, from), to_host = !fpgz_resident_has(r, to);
    cudaError_t status = cudaSetDevice(r->gpu->index);
    if (status)
        return fpgz_resident_fail(r, status, error);
    if (to_host && from_host)
        memcpy(to, from, bytes);
    else if (stays || (from_host && bytes > STAGED / 4))
        status = bring(r, to, from, bytes, stays);
    else if (to_host)
        status = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, r->queue);
    else
        status = from_host ? stage(r, (uint8_t *)to, (const uint8_t *)from, bytes)
                           : fpgz_moves_add(r, to, from, bytes, 0);
    return fpgz_resident_fail(r, status, error);
}

enum fpgz_status fpgz_resident_flush(struct fpgz_resident *r, struct fpgz_error *error)
{
    cudaError_t status = fpgz_moves_enqueue(r);
    if (!status)
        status = fpgz_resident_wait(r);
    return fpgz_resident_fail(r, status, error);
}

static cudaError_t peek(struct fpgz_resident *r, const uint8_t *from, size_t length, uint8_t *ends)
{
    const size_t first = fpgz_min(length, FPGZ_RESIDENT_FIRST), last = fpgz_min(length, FPGZ_RESIDENT_LAST);
    TRY(fpgz_moves_add(r, ends, from, first, 0));
    TRY(fpgz_moves_add(r, ends + first, from + length - last, last, 0));
    TRY(fpgz_moves_enqueue(r));
    return fpgz_resident_wait(r);
}

enum fpgz_status fpgz_resident_peek(struct fpgz_resident *r, const void *from, size_t length,
                                    const uint8_t **ends, struct fpgz_error *error)
{
    *ends = r->host_desk->peeked;
    return fpgz_resident_fail(r, peek(r, (const uint8_t *)from, length, r->host_desk->peeked), error);
}
