/* SPDX-License-Identifier: MIT
 * The table of codecs, each fenced: what of a lane's memory is not of its task may be neither read nor
 * written while its kernels run, and all that they have to write first is garbage. Where other chunks are in
 * the same memory (cuda/resident.cu), that is what fills each part up to a multiple of 256 bytes. Takes the
 * place of cuda/table.cu. */
#define fpgz_cuda_codecs unfenced_codecs
#define fpgz_cuda_codec_by_id unfenced_codec_by_id
#include "../../cuda/table.cu"
#undef fpgz_cuda_codecs
#undef fpgz_cuda_codec_by_id

#include <algorithm>
#include <vector>

#include "guards.h"
#include "runtime.h"

namespace
{
enum { WIDE = 256 /* bytes behind what is read, which may be read, too */ };

struct part {
    uint8_t *at;
    size_t bytes;
};

void spoil(const part &p)
{
    if (p.bytes)
        memset(p.at, emulator::GARBAGE, p.bytes);
}

/* What lies between the parts of a task, and behind them; with `shared` as far as it is nobody's. */
std::vector<part> gaps(std::vector<part> parts, bool shared)
{
    std::vector<part> found;
    parts.push_back({emulator::end_of_allocation(parts[0].at), 0});
    std::sort(parts.begin(), parts.end(), [](const part &a, const part &b) { return a.at < b.at; });
    for (size_t i = 0; i + 1 < parts.size(); i++) {
        uint8_t *const end = parts[i].at + parts[i].bytes;
        if (end > parts[i + 1].at)
            emulator::fail("parts of a task overlap");
        const size_t filling = (WIDE - parts[i].bytes % WIDE) % WIDE;
        found.push_back({end, shared ? filling : (size_t)(parts[i + 1].at - end)});
    }
    return found;
}

/* Memory of the device. */
struct room {
    uint8_t *at = nullptr;
    size_t bytes = 0;

    ~room()
    {
        cudaFree(at);
    }

    uint8_t *make(size_t size)
    {
        if (size > bytes) {
            cudaFree(at);
            if (cudaMalloc((void **)&at, size))
                emulator::fail("no memory for a second chunk");
            bytes = size;
        }
        memset(at, emulator::GARBAGE, bytes);
        return at;
    }
};

/* A task that was decoded before, with memory of its own, and what came out. */
struct earlier {
    struct fpgz_cuda_task task = {};
    struct fpgz_cuda_result outcome = {};
    struct room values, stream, scratch, front, result;
    std::vector<uint8_t> wanted;

    /* Once it is decoded. */
    void remember(const struct fpgz_cuda_codec &kernels, const struct fpgz_cuda_task &done)
    {
        const uint8_t *const bytes = (const uint8_t *)done.values;
        const size_t size = kernels.opened(done.front), readable = done.length + WIDE;
        task = done;
        outcome = *done.result;
        wanted.assign(bytes, bytes + fpgz_grid_bytes(&done.grid));
        task.stream = (uint8_t *)memcpy(stream.make(readable), done.stream, readable);
        task.front = memcpy(front.make(size), done.front, size);
    }

    void begin(cudaStream_t queue)
    {
        task.queue = queue;
        task.values = values.make(wanted.size() + WIDE);
        task.scratch = scratch.make(task.scratch_bytes);
        task.result = (struct fpgz_cuda_result *)memset(result.make(sizeof outcome), 0, sizeof outcome);
    }

    void check(void) const
    {
        if (task.result->status != outcome.status ||
            (!outcome.status && memcmp(task.values, wanted.data(), wanted.size())))
            emulator::fail("a chunk is decoded to something else beside another one");
    }
};

/* Decodes a task beside the one before, if their values have one size. Not where memory or failures of the
 * device are what is tested. */
cudaError_t decode_beside(const struct fpgz_cuda_codec &kernels, const struct fpgz_cuda_task *task)
{
    static thread_local struct earlier before;
    static thread_local bool turn;
    const struct fpgz_cuda_task *tasks[2] = {task, &before.task};
    const struct fpgz_cuda_task now = *task;
    const bool both =
        before.task.stream && fpgz_dtype_size(before.task.grid.dtype) == fpgz_dtype_size(task->grid.dtype);
    if (getenv("FPGZ_EMULATOR"))
        return kernels.decode(task);
    if (both) {
        before.begin(task->queue);
        turn = !turn;
        if (turn)
            std::swap(tasks[0], tasks[1]);
    }
    const cudaError_t status = kernels.decode_many(tasks, both ? 2 : 1);
    emulator::enqueue(task->queue, [=, &kernels] {
        if (both)
            before.check();
        before.remember(kernels, now);
    });
    return status;
}

/* Spoils what a task is to write, and sets guards around its parts. Returns these. */
std::vector<part> set_fences(const struct fpgz_cuda_codec &kernels, const struct fpgz_cuda_task *task,
                             bool decoding, cudaStream_t queue)
{
    const fpgz_codec *const codec = fpgz_codec_by_id(kernels.id);
    const size_t stream = decoding ? task->length : codec->bound(&task->grid, &task->params);
    const uint8_t *const end = emulator::end_of_allocation(task->stream);
    const bool shared = emulator::shares() || emulator::end_of_allocation(task->result) != end,
               callers = emulator::end_of_allocation(task->values) != end; /* what is behind them is theirs */
    const part values = {(uint8_t *)task->values, fpgz_grid_bytes(&task->grid) + (callers ? 0 : WIDE)},
               bytes = {task->stream, stream + WIDE},
               scratch = {(uint8_t *)task->scratch, task->scratch_bytes};
    std::vector<part> parts = {bytes};
    if (scratch.bytes)
        parts.push_back(scratch);
    if (!shared)
        parts.push_back({(uint8_t *)task->result, sizeof *task->result});
    if (!callers)
        parts.push_back(values);
    const std::vector<part> fences = gaps(parts, shared);
    emulator::enqueue(queue, [=] {
        spoil(scratch);
        spoil(decoding ? values : bytes);
        for (const part &fence : fences)
            emulator::guard(fence.at, fence.bytes);
    });
    return fences;
}

void check_fences(const std::vector<part> &fences, cudaStream_t queue)
{
    emulator::enqueue(queue, [=] {
        for (const part &fence : fences)
            emulator::check_guard(fence.at, fence.bytes, "a part of its task");
    });
}

cudaError_t run(const struct fpgz_cuda_codec &kernels, const struct fpgz_cuda_task *task, bool decoding)
{
    const std::vector<part> fences = set_fences(kernels, task, decoding, task->queue);
    const cudaError_t status = decoding && kernels.decode_many ? decode_beside(kernels, task)
                               : decoding                      ? kernels.decode(task)
                                                               : kernels.encode(task);
    check_fences(fences, task->queue);
    return status;
}

cudaError_t run_many(const struct fpgz_cuda_codec &kernels, const struct fpgz_cuda_task *const *tasks,
                     unsigned count)
{
    std::vector<std::vector<part>> fences;
    for (unsigned i = 0; i < count; i++)
        fences.push_back(set_fences(kernels, tasks[i], true, tasks[0]->queue));
    const cudaError_t status = kernels.decode_many(tasks, count);
    for (const std::vector<part> &of : fences)
        check_fences(of, tasks[0]->queue);
    return status;
}

/* NULL behind the end of the table. */
const struct fpgz_cuda_codec *unfenced(unsigned number)
{
    return number < sizeof unfenced_codecs / sizeof *unfenced_codecs ? unfenced_codecs[number] : nullptr;
}

template <unsigned N> cudaError_t encode(const struct fpgz_cuda_task *task)
{
    return run(*unfenced(N), task, false);
}

template <unsigned N> cudaError_t decode(const struct fpgz_cuda_task *task)
{
    return run(*unfenced(N), task, true);
}

template <unsigned N> cudaError_t decode_many(const struct fpgz_cuda_task *const *tasks, unsigned count)
{
    return run_many(*unfenced(N), tasks, count);
}

template <unsigned N> const struct fpgz_cuda_codec *fenced()
{
    static struct fpgz_cuda_codec codec;
    if (!unfenced(N))
        return nullptr;
    codec = *unfenced(N);
    codec.encode = codec.encode ? encode<N> : nullptr;
    codec.decode = decode<N>;
    codec.decode_many = codec.decode_many ? decode_many<N> : nullptr;
    return &codec;
}
} // namespace

extern const struct fpgz_cuda_codec *const fpgz_cuda_codecs[] = {
    fenced<0>(), fenced<1>(), fenced<2>(), fenced<3>(), fenced<4>(), fenced<5>(),
    fenced<6>(), fenced<7>(), fenced<8>(), fenced<9>(), nullptr,
};

const struct fpgz_cuda_codec *fpgz_cuda_codec_by_id(enum fpgz_codec_id id)
{
    for (unsigned i = 0; fpgz_cuda_codecs[i]; i++)
        if (fpgz_cuda_codecs[i]->id == id)
            return fpgz_cuda_codecs[i];
    return nullptr;
}
