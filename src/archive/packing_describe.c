/* SPDX-License-Identifier: MIT
 * What the input of a job that packs holds, and how its arrays are best laid out. */
#include "archive/packing.h"

#include "archive/copies.h"
#include "archive/describe.h"
#include "archive/folding.h"
#include "archive/guess.h"
#include "archive/parts.h"
#include "archive/turning.h"
#include "archive/typing.h"
#include "core/group.h"
#include "core/table.h"

/* Guesses what a raw file without any hint holds. */
static enum fpgz_status guess(struct fpgz_packing *c, struct fpgz_error *error)
{
    struct fpgz_intake *const intake = &c->intake;
    if (fpgz_guess(&c->terms->setup, c->input, &intake->content, &intake->rest, &intake->rest_bytes, error))
        return error->status;
    intake->guessed = intake->content.part->array.dtype != FPGZ_U8 || intake->content.part->axes;
    if (c->input->sized) {
        fpgz_buffer_free(&intake->rest);
        intake->rest_bytes = 0;
    }
    return FPGZ_OK;
}

/* At levels that ask for speed, the bytes that are no array take no longer than filtered arrays whose values
 * are so many times more. */
static void hasten_bytes(const struct fpgz_setup *setup, uint64_t values, struct fpgz_content *content)
{
    enum { FEW = 8 };
    for (size_t i = 0; i < content->count; i++)
        content->part[i].hasty = setup->level <= FPGZ_LEVEL_DEFAULT &&
                                 content->part[i].layout == FPGZ_BYTES &&
                                 content->part[i].place.bytes <= values / FEW;
}

enum fpgz_status fpgz_packing_describe(struct fpgz_packing *c, struct fpgz_error *error)
{
    const struct fpgz_setup *setup = &c->terms->setup;
    struct fpgz_content *content = &c->intake.content;
    if (fpgz_describe_input(c->terms, c->input, content, error))
        return error->status;
    if (fpgz_guess_is_open(setup, content) && guess(c, error))
        return error->status;
    if (content->kind == FPGZ_KIND_RAW) {
        if (setup->codec)
            return fpgz_codec_check(setup->codec, content->part->array.dtype, &setup->params, error);
        if (c->input->sized && setup->level >= FPGZ_LEVEL_DEFAULT)
            fpgz_turn_parts(setup, c->input, content, &c->tried);
        return FPGZ_OK;
    }
    if (fpgz_type_parts(setup, c->input, content, error))
        return error->status;
    if (!fpgz_recode(setup, c->input, content, &c->recoded) || !fpgz_parts_merge(setup, c->input, content) ||
        !fpgz_content_split(content) || !fpgz_content_group(content) || !fpgz_copies_find(c->input, content))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu arrays", content->count);
    hasten_bytes(setup, c->recoded.raw, content);
    fpgz_fold_parts(setup, c->input, content);
    fpgz_turn_parts(setup, c->input, content, &c->tried);
    return FPGZ_OK;
}
