/* SPDX-License-Identifier: MIT
 * What is said of a file that is compressed. */
#include "cli/remark.h"

#include <inttypes.h>
#include <stdio.h>

#include "archive/coder.h"
#include "codec/codecs.h"
#include "core/cpu.h"
#include "core/text.h"
#include "source/raw.h"
#include "source/signature.h"

/* Arrays of numbers among the parts. */
static size_t content_arrays(const struct fpgz_content *content)
{
    size_t arrays = 0;
    for (size_t i = 0; i < content->count; i++)
        arrays += fpgz_part_is_array(&content->part[i]);
    return arrays;
}

void remark_result(const struct command *command, const struct fpgz_input *input,
                   const struct fpgz_packing *packing)
{
    const struct fpgz_content *content = &packing->intake.content;
    const struct fpgz_array *array = &content->part->array;
    const uint64_t raw = packing->writer.raw_bytes - (packing->file.image - packing->file.size),
                   packed = packing->writer.start + packing->writer.position;
    char shape[FPGZ_SHAPE_TEXT], what[FPGZ_SHAPE_TEXT + 30], codecs[200] = "no chunks";
    size_t used = 0;
    for (unsigned id = 0; id < FPGZ_CODEC_IDS && used < sizeof codecs; id++)
        if (packing->by_codec[id])
            used +=
                (size_t)snprintf(codecs + used, sizeof codecs - used, "%s%s %" PRIu64,
                                 used ? ", " : "chunks: ", fpgz_codec_by_id(id)->name, packing->by_codec[id]);
    if (content->kind == FPGZ_KIND_RAW)
        snprintf(what, sizeof what, "%s %s", fpgz_dtype_name(array->dtype),
                 fpgz_shape_text(array->extent, array->dims, shape, sizeof shape));
    else
        snprintf(what, sizeof what, "%zu arrays", content_arrays(content));
    message_notice(command->console, 1, input->name,
                   "%s: %" PRIu64 " -> %" PRIu64 " bytes, ratio %.4f; %s; %u threads, %s", what, raw, packed,
                   progress_ratio(raw, packed), codecs, command->terms.setup.threads,
                   fpgz_cpu_name(fpgz_cpu()));
}

/* Of a file that is taken as bytes: what it looks like, or how it becomes a grid. */
static void remark_bytes(struct console *console, const struct fpgz_input *input)
{
    bool compressed = false;
    const char *const words =
        input->sized ? fpgz_signature(input->fd, input->start, input->path, &compressed) : NULL;
    if (words)
        message_notice(console, 0, input->name, "looks like %s: archived as bytes%s", words,
                       compressed ? ", and will hardly get smaller, for it is compressed already" : "");
    else
        message_notice(console, 0, input->name,
                       "the type of its values is unknown: taken as bytes; --dtype (as in --dtype f32) makes "
                       "a grid of it");
}

/* Of a file without a hint of its values: how these are coded. */
static void remark_guess(struct console *console, const char *name, const struct fpgz_part *part)
{
    char shape[FPGZ_SHAPE_TEXT];
    message_notice(
        console, 1, name,
        "nothing tells the type of its values: they are coded as %s%s%s%s, which a sample suggests",
        fpgz_dtype_name(part->array.dtype), part->array.order == FPGZ_BIG ? ", big-endian" : "",
        part->axes ? ", of shape *x" : "",
        part->axes ? fpgz_shape_text(part->axis, part->axes, shape, sizeof shape) : "");
}

static void remark_unmade(struct console *console, const char *name, uint64_t size,
                          const struct fpgz_unmade *unmade, const char *why)
{
    if (unmade->bytes)
        message_notice(console, 0, name,
                       "%" PRIu64 " of its %" PRIu64
                       " bytes, the first in dataset %s, are filtered chunks %s",
                       unmade->bytes, size, unmade->dataset, why);
}

/* Of filtered datasets: what was undone, what was not, and why. */
static void remark_filtered(struct console *console, const char *name, const struct fpgz_packing *packing)
{
    const struct fpgz_recoded *const recoded = &packing->recoded;
    const struct fpgz_content *const content = &packing->intake.content;
    const uint64_t size = fpgz_content_bytes(content),
                   left = recoded->kept - recoded->strange.bytes - recoded->unshrunk.bytes;
    if (recoded->arrays)
        message_notice(
            console, 1, name,
            "%zu filtered datasets, %" PRIu64 " bytes in %" PRIu64 " chunks, are coded as their %" PRIu64
            " bytes without filters; restoring filters these again, about %.1f s of one thread here",
            recoded->arrays, recoded->stored, recoded->pieces, recoded->raw, recoded->seconds);
    if (content->foreign)
        message_notice(console, 0, name,
                       "%" PRIu64 " of its %" PRIu64 " bytes are of datasets filtered by %s, which fpgz does "
                       "not undo: they gain little; h5repack -f NONE undoes that",
                       content->foreign, size, content->foreign_filter);
    remark_unmade(console, name, size, &recoded->strange,
                  "that fpgz does not make again (another library made them, or they are damaged): they stay "
                  "as they are, and gain little");
    remark_unmade(
        console, name, size, &recoded->unshrunk,
        "in stored blocks, as deflate leaves them at level 0: they stay as they are, and are coded as "
        "bytes");
    if (left && !packing->terms->setup.refilter && packing->terms->setup.level < 4)
        message_notice(console, 0, name,
                       "%" PRIu64 " of its %" PRIu64
                       " bytes are of filtered datasets, and gain little at this "
                       "level; from -4 on, or with --refilter, their filters are undone",
                       left, size);
    else if (left)
        message_notice(console, 1, name,
                       "%" PRIu64 " of its %" PRIu64 " bytes are filtered chunks that are kept as they are",
                       left, size);
}

void remark_content(const struct command *command, const struct fpgz_input *input,
                    const struct fpgz_packing *packing)
{
    const struct fpgz_content *content = &packing->intake.content;
    const char *name = input->name;
    enum fpgz_dtype named;
    if (content->kind == FPGZ_KIND_RAW && !command->terms.setup.raw.has_dtype &&
        !fpgz_raw_dtype(input->path ? fpgz_text_base(input->path) : "", &named)) {
        if (packing->intake.guessed)
            remark_guess(command->console, name, content->part);
        else
            remark_bytes(command->console, input);
    }
    remark_filtered(command->console, name, packing);
    for (size_t i = 0; i < content->count; i++)
        if (command->terms.setup.codec && fpgz_part_is_array(&content->part[i]) &&
            !fpgz_coder_of(&command->terms.setup, packing->level, &content->part[i]).codec) {
            message_notice(command->console, 0, name, "codec %s takes no %s: such datasets are coded by auto",
                           command->terms.setup.codec->name, fpgz_dtype_name(content->part[i].array.dtype));
            return;
        }
}
