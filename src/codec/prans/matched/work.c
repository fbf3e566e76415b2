/* SPDX-License-Identifier: MIT
 * The parts of the scratch of the format of matches. */
#include "codec/prans/matched/work.h"

#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/matched/matched.h"
#include "core/bytes.h"

struct fpgz_params fpgz_prans_matched_params(const struct fpgz_params *params, uint8_t format)
{
    struct fpgz_params inner = *params;
    if (format == PRANS_FORMAT_MIDDLE) {
        inner.value[PRANS_SETTING] = PRANS_FORMAT_MIDDLE;
        inner.value[PRANS_EFFORT] = 0;
    }
    return inner;
}

const struct fpgz_params *fpgz_prans_matched_differing(size_t size, const struct fpgz_params *params,
                                                       const struct fpgz_params *middle)
{
    return size < sizeof(uint64_t) ? middle : params;
}

/* What inner streams take at most: bytes of their own, and scratch. A reader takes all that may be. */
static void measure(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                    const struct fpgz_params *params, bool encoding, size_t *bound, size_t *memory)
{
    const size_t count = (size_t)fpgz_grid_values(grid), size = fpgz_dtype_size(grid->dtype);
    const struct fpgz_params middle = fpgz_prans_matched_params(params, PRANS_FORMAT_MIDDLE);
    const struct {
        struct fpgz_grid grid;
        const struct fpgz_params *params;
    } ways[] = {
        {fpgz_prans_row(grid->dtype, count), params},
        {fpgz_prans_row(grid->dtype, count), &middle},
        {fpgz_prans_row(FPGZ_U32, count / MATCHED_TOKEN_PART + 1), encoding ? &middle : params},
        {fpgz_prans_row(matched_difference(size), count),
         encoding ? fpgz_prans_matched_differing(size, params, &middle) : params},
    };
    *bound = PRANS_HEAD_BYTES + MATCHED_SIDE_BYTES;
    *memory = 0;
    size_t most = 0;
    /* In the middle setting the first two are the same, and differences take no more than values. */
    const bool simple = !memcmp(params, &middle, sizeof middle);
    for (size_t i = simple; i < sizeof ways / sizeof *ways - simple; i++) {
        const size_t scratch = encoding ? inner->memory(&ways[i].grid, ways[i].params)
                                        : inner->decode_memory(&ways[i].grid, ways[i].params);
        most = fpgz_max(most, inner->bound(&ways[i].grid, ways[i].params));
        *memory = fpgz_max(*memory, scratch);
    }
    *bound += most;
}

/* What the search takes, until inner streams are coded. The probe goes where tokens will be, for most others
 * have written there. */
static size_t lay_search(const struct matched_work *w, void *scratch, struct matched_search *s)
{
    size_t at = 0;
    *s = (struct matched_search){.count = w->count,
                                 .number = w->number,
                                 .table_bits = matched_table_bits(w->count),
                                 .probed = w->tokens.field[0]};
    s->single = fpgz_carve(scratch, &at, sizeof *s->single << s->table_bits);
    s->group = fpgz_carve(scratch, &at, sizeof *s->group << s->table_bits);
    s->ordered = fpgz_carve(scratch, &at, w->count * w->size);
    s->cost = fpgz_carve(scratch, &at, w->count * sizeof *s->cost);
    s->depth = fpgz_carve(scratch, &at, w->count);
    return at;
}

/* What joining takes, once inner streams are decoded. */
static size_t lay_joining(struct matched_work *w, void *scratch)
{
    size_t at = 0;
    w->depth = fpgz_carve(scratch, &at, w->count);
    w->joined = fpgz_carve(scratch, &at, w->count * w->size);
    return at;
}

void fpgz_prans_matched_tighten(struct matched_work *w, size_t tokens, size_t words)
{
    uint8_t *const from = (uint8_t *)w->tokens.field[0];
    size_t at = 0;
    for (unsigned f = 0; f < MATCHED_FIELDS; f++)
        w->tokens.field[f] = fpgz_carve(from, &at, tokens * sizeof(uint32_t));
    w->parts = fpgz_carve(from, &at, words * w->size);
    w->scratch = from + at;
    lay_joining(w, w->scratch);
}

size_t fpgz_prans_matched_work(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                               const struct fpgz_params *params, bool encoding, void *scratch,
                               struct matched_work *w)
{
    size_t at = fpgz_round_up(sizeof *w, 64), inner_bytes;
    w->count = (size_t)fpgz_grid_values(grid);
    w->size = fpgz_dtype_size(grid->dtype);
    w->number = prans_number_of(grid->dtype);
    w->kernels = fpgz_cpu_choose_word(fpgz_prans_matched_kernels, w->size);
    measure(inner, grid, params, encoding, &w->stream_bytes, &inner_bytes);
    for (unsigned f = 0; f < MATCHED_FIELDS; f++)
        w->tokens.field[f] = fpgz_carve(scratch, &at, (w->count / MATCHED_TOKEN_PART + 1) * sizeof(uint32_t));
    w->parts = fpgz_carve(scratch, &at, w->count * w->size);
    w->scratch = scratch ? (uint8_t *)scratch + at : NULL;
    const size_t other = encoding ? lay_search(w, w->scratch, &w->search) : lay_joining(w, w->scratch);
    at += fpgz_round_up(fpgz_max(inner_bytes, other), 64);
    w->stream = encoding ? fpgz_carve(scratch, &at, w->stream_bytes) : NULL;
    return at;
}

size_t fpgz_prans_matched_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                 const struct fpgz_params *params, bool encoding)
{
    struct matched_work work;
    if (encoding && fpgz_dtype_size(grid->dtype) < MATCHED_LEAST_SIZE)
        return 0;
    return fpgz_prans_matched_work(inner, grid, params, encoding, NULL, &work);
}
