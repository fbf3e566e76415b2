/* SPDX-License-Identifier: MIT
 * Codes a sample of an array both ways. */
#include "archive/turning.h"

#include <string.h>

#include "archive/coder.h"
#include "core/bytes.h"
#include "core/gather.h"

enum {
    LEAST_LEVEL = 4,
    LEAST_BYTES = 64 << 10,
    LEAST_ROWS = 8, /* along an axis that values are to be predicted along */
    MOST_ROWS = 64,
    PIECE_BYTES = 128 << 10,
    LARGE_BYTES = 1 << 19, /* where that says so by little: it does not see what lies further apart */
    SMALL_BYTES = 1 << 20, /* arrays of which all values are tried where a piece leaves a doubt */
    TABLE_COLUMNS = 64,
    MOST_OF_TABLES = 4 << 20,
    LEAST_TELLING = 1024,   /* bytes of a sample, for an estimate to exclude it */
    LONG_STRETCH = 1 << 20, /* chunks end where such ones do, and would have a row or two */
};

static bool is_tried(const struct fpgz_setup *setup, const struct fpgz_part *part)
{
    const uint64_t bytes = part->place.bytes, chunk = fpgz_max(setup->chunk, fpgz_setup_slab(setup));
    const bool folds = part->array.dims > FPGZ_MAX_CODING_DIMS && !part->axes; /* two axes into one */
    return fpgz_part_turns(part) && !folds && bytes >= LEAST_BYTES && fpgz_part_rows(part) >= LEAST_ROWS &&
           bytes / fpgz_part_rows(part) <= chunk / LEAST_ROWS &&
           (part->layout == FPGZ_DENSE || bytes / fpgz_place_spans(&part->place) < LONG_STRETCH);
}

/* What the sample takes of the array: as many columns of so many rows, in whole rows of the last axis where
 * these are short; of a table of few columns more rows. */
static struct fpgz_grid plan_sample(const struct fpgz_part *part, uint64_t bytes)
{
    const struct fpgz_array *const array = &part->array;
    const uint64_t row = fpgz_part_row(part), values = bytes / fpgz_dtype_size(array->dtype),
                   rows = fpgz_min(fpgz_part_rows(part), fpgz_max(MOST_ROWS, values / row)),
                   most = fpgz_min(row, values / rows);
    const unsigned dims = part->axes ? part->axes + 1 : array->dims;
    const uint64_t *const axis = part->axes ? part->axis : array->extent + 1, last = axis[dims - 2];
    if (dims > 3 && most == row)
        return (struct fpgz_grid){array->dtype, 4, {rows, row / axis[dims - 3] / last, axis[dims - 3], last}};
    if (dims > 2 && last > 1 && last <= most / 2)
        return (struct fpgz_grid){array->dtype, 3, {rows, most / last, last, 1}};
    return (struct fpgz_grid){array->dtype, 2, {rows, most, 1, 1}};
}

/* How much a sample is to tell, for time: estimates, of half a piece at a GLANCE; then streams, WHOLE: of
 * small arrays. */
enum look { GLANCE, ESTIMATE, PIECE, LARGE, WHOLE };

/* Bytes of a sample: all where these are to tell, else a quarter at most, for time. */
static uint64_t sample_bytes(const struct fpgz_part *part, enum look look)
{
    enum { MOST_PART = 4 };
    if (look < LARGE)
        return look == GLANCE ? PIECE_BYTES / 2 : PIECE_BYTES;
    return look == WHOLE ? SMALL_BYTES
                         : fpgz_max(fpgz_min(part->place.bytes / MOST_PART, LARGE_BYTES), 2 * PIECE_BYTES);
}

/* Keeps the chunk, whose stream is in buffers that others will use. */
static void keep(const struct fpgz_coder *coder, const struct fpgz_grid *grid, const struct fpgz_coded *coded,
                 struct fpgz_tried *tried)
{
    tried->coded.length = 0;
    if (!fpgz_buffer_reserve(&tried->stream, coded->length))
        return;
    memcpy(tried->stream.data, coded->stream, coded->length);
    tried->coded = *coded;
    tried->coder = *coder;
    tried->grid = *grid;
}

/* Whether both make the same stream of the same bytes, where the setup is one. */
static bool are_alike(const struct fpgz_coder *a, const struct fpgz_coder *b)
{
    return a->codec == b->codec && a->level == b->level && a->swap == b->swap && a->turn == b->turn;
}

bool fpgz_tried_take(const struct fpgz_tried *tried, const struct fpgz_coder *coder,
                     const struct fpgz_grid *grid, struct fpgz_chunk_buffers *buffers,
                     struct fpgz_coded *coded)
{
    if (!tried->coded.length || !are_alike(&tried->coder, coder) || !fpgz_grid_same(&tried->grid, grid) ||
        tried->coded.raw_checksum != coded->raw_checksum ||
        !fpgz_buffer_reserve(&buffers->stream, tried->coded.length))
        return false;
    *coded = tried->coded;
    coded->stream = buffers->stream.data;
    memcpy(buffers->stream.data, tried->stream.data, coded->length);
    return true;
}

/* An array that is looked at. */
struct subject {
    const struct fpgz_area *area;
    const struct fpgz_part *part;
    struct fpgz_chunk_buffers *buffers;
    struct fpgz_tried *tried;
};

/* Bytes that the coder makes of the sample; SIZE_MAX where it cannot. Of all values they are kept if they are
 * no more than `most`. */
static size_t coded(const struct fpgz_coder *coder, const struct subject *s, enum look look, size_t most)
{
    const struct fpgz_part *const part = s->part;
    struct fpgz_chunk_buffers *const buffers = s->buffers;
    const struct fpgz_grid grid = plan_sample(part, sample_bytes(part, look));
    const uint64_t size = fpgz_dtype_size(grid.dtype), row = fpgz_part_row(part) * size;
    const uint64_t bytes = fpgz_grid_bytes(&grid), piece = bytes / grid.extent[0];
    const uint64_t first = (row - piece) / 2 / size * size, step = piece < row ? piece : bytes;
    struct fpgz_coder own = *coder;
    struct fpgz_coded result;
    uint64_t stopped;
    if (own.turn)
        own.turn = piece / size;
    if (!fpgz_buffer_reserve(&buffers->raw, bytes))
        return SIZE_MAX;
    for (uint64_t at = 0, from = first; at < bytes; at += step, from += row)
        if (!fpgz_gather(s->area, &part->place, from, buffers->raw.data + at, step, &stopped,
                         &result.raw_checksum))
            return SIZE_MAX;
    if (look <= ESTIMATE)
        return fpgz_chunk_estimate(&own, &grid, buffers);
    if (fpgz_chunk_encode(&own, &grid, buffers, &result))
        return SIZE_MAX;
    if (look == WHOLE && result.length <= most)
        keep(&own, &grid, &result, s->tried);
    return result.length;
}

/* Bytes that a sample takes as it is, and with the slowest axis last. */
struct lengths {
    size_t straight, turned;
};

/* The most bytes of a turned sample that are worth the time both ways; 0 if none are. Of all values the
 * fewest are: with the same arrays tried, slower levels then make no more of any. */
static size_t most_turned(size_t straight, enum look look)
{
    enum { GAIN_PART = 32, LEAST = 1024 };
    if (look == WHOLE)
        return straight - 1;
    const size_t gain = fpgz_max(straight / GAIN_PART, look == GLANCE ? LEAST / 2 : LEAST);
    return straight > gain ? straight - gain : 0;
}

static struct lengths look_at(const struct fpgz_coder *straight, const struct subject *s, enum look look)
{
    struct fpgz_coder turned = *straight;
    turned.turn = 1;
    const size_t length = coded(straight, s, look, SIZE_MAX);
    return (struct lengths){length, coded(&turned, s, look, most_turned(length, look))};
}

static bool saves(struct lengths l, enum look look)
{
    return l.turned <= most_turned(l.straight, look);
}

static bool is_shorter(const struct fpgz_coder *coder, const struct subject *s, enum look look)
{
    return saves(look_at(coder, s, look), look);
}

/* Whether a piece shows that it is and, unless that is clear, a large sample: of ten real arrays whose
 * pieces were shorter by a sixteenth all large samples were. */
static bool is_shown(const struct fpgz_coder *coder, const struct subject *s)
{
    enum { CLEAR_PART = 16 };
    const struct lengths l = look_at(coder, s, PIECE);
    return saves(l, PIECE) &&
           (l.straight - l.turned >= l.straight / CLEAR_PART || is_shorter(coder, s, LARGE));
}

/* Whether a piece does not tell that it is longer. */
static bool may_be_shorter(const struct fpgz_coder *coder, const struct subject *s)
{
    enum { DOUBT_PART = 32 };
    const struct lengths l = look_at(coder, s, PIECE);
    return l.straight < SIZE_MAX && l.turned <= l.straight + l.straight / DOUBT_PART;
}

/* Whether an estimate tells that it is not: it sees how values predict each other, but neither matches nor
 * that columns differ. So it has to say so clearly of small arrays and of tables. Where nothing predicts
 * values, both ways are the same to it; of such tables none was shorter. */
static bool is_excluded(const struct fpgz_coder *rough, const struct subject *s)
{
    const struct fpgz_part *const part = s->part;
    const uint64_t last = part->axes ? part->axis[part->axes - 1] : part->array.extent[part->array.dims - 1],
                   bytes = part->place.bytes, clear_part = bytes > SMALL_BYTES ? 8 : 4;
    if (bytes > (last <= TABLE_COLUMNS ? MOST_OF_TABLES : SMALL_BYTES))
        return !is_shorter(rough, s, GLANCE);
    const struct lengths l = look_at(rough, s, ESTIMATE);
    if (bytes > SMALL_BYTES && l.straight == l.turned)
        return true;
    return l.straight < SIZE_MAX && l.straight >= LEAST_TELLING &&
           l.turned > l.straight + l.straight / clear_part;
}

/* `usual` is what slower levels take the same arrays by, and so make no more of them; `coder` codes small
 * ones whole, for the shorter way may be another one there. */
static bool turns(const struct fpgz_coder *usual, const struct fpgz_coder *coder, const struct subject *s)
{
    struct fpgz_coder rough = *usual;
    rough.unverified = true;
    if (usual->level >= FPGZ_LEVEL_DEFAULT)
        fpgz_coder_presume(&rough);
    if (usual->level >= FPGZ_LEVEL_DEFAULT && is_excluded(&rough, s))
        return false;
    if (s->part->place.bytes <= SMALL_BYTES)
        return may_be_shorter(&rough, s) && is_shorter(coder, s, WHOLE);
    return is_shown(&rough, s);
}

void fpgz_turn_parts(const struct fpgz_setup *setup, const struct fpgz_input *input,
                     struct fpgz_content *content, struct fpgz_tried *tried)
{
    const struct fpgz_area area = {input->fd, input->start, &content->image};
    struct fpgz_setup usual = *setup;
    usual.level = setup->level < FPGZ_LEVEL_DEFAULT ? setup->level : FPGZ_LEVEL_DEFAULT;
    const int level = fpgz_coder_level(&usual, input, content), own = fpgz_coder_level(setup, input, content);
    struct fpgz_chunk_buffers buffers = {0};
    for (size_t i = 0; i < content->count && level >= LEAST_LEVEL && !setup->codec; i++) {
        const struct subject subject = {&area, &content->part[i], &buffers, tried};
        if (!is_tried(setup, subject.part))
            continue;
        const struct fpgz_coder about = fpgz_coder_of(&usual, level, subject.part),
                                coder = fpgz_coder_of(setup, own, subject.part);
        content->part[i].turned = turns(&about, &coder, &subject);
    }
    fpgz_chunk_buffers_free(&buffers);
}
