/* SPDX-License-Identifier: MIT
 * Codes samples of a filtered array: first little, in a fast way, and more only where that leaves doubt. */
#include "archive/worth.h"

#include <string.h>

#include "archive/coder.h"
#include "archive/parts.h"
#include "archive/pieces.h"
#include "codec/auto.h"
#include "codec/codecs.h"
#include "core/bytes.h"
#include "engine/plan.h"

enum {
    SAMPLES = 3,
    SAMPLE_BYTES = 256 << 10,
    LOOK_BYTES = 16 << 10,
    MOST = 2,               /* times as many bytes may be of rows that are whole */
    PLAIN_BYTES = 64 << 10, /* of a sample for two settings */
    PLAIN_PART = 16,        /* of an array so many times as large, at least */
    DOUBT = 4,              /* an estimate is trusted where it promises so many times what the array costs */
    FAR = 1,                /* a sample that takes so many times more than in the file is the last */
    HOPELESS = 2, /* and none is coded where a little of one takes so many times as much as in the file */
    FRONT_BYTES = 100, /* of a stream, which count for nothing in the array's */
};

/* What the level for few arrays makes of a sample, by what prans makes by default, is above this where it is
 * not worth its time. Samples tell half of what it would gain. */
#define PLAIN 0.985

/* What samples become, by what the file has of them, is below this where gain is beyond doubt. */
#define CLEAR 0.95

/* Where it is below this, and samples were cut out of longer rows, values have lost many of their neighbours:
 * a sample of whole rows may become less. */
#define CUT 1.25

/* A part of an array that is coded to see what coding all of it may gain. */
struct sample {
    struct fpgz_cut cut;
    struct fpgz_grid grid;
    size_t bytes;
    double stored; /* bytes that the file has of it */
};

/* Loads rows from about `first` on. */
static bool load_sample(const struct fpgz_imaging *r, const struct fpgz_part *part, uint64_t first,
                        struct sample *sample, struct fpgz_chunk_buffers *buffers)
{
    const struct fpgz_area area = {r->input->fd, r->input->start, &r->image};
    const struct fpgz_cut *const cut = &sample->cut;
    const uint64_t at = first / cut->align * cut->align * cut->row_bytes;
    uint64_t stopped, checksum;
    sample->grid = fpgz_cut_grid(cut, fpgz_min(cut->rows, cut->shape.extent[0]));
    sample->bytes = fpgz_grid_bytes(&sample->grid);
    sample->stored = (double)fpgz_part_stored(part, at, sample->bytes);
    return fpgz_buffer_reserve(&buffers->raw, sample->bytes) &&
           !fpgz_pieces_load(&area, part, at, buffers->raw.data, sample->bytes, buffers, false, &stopped,
                             &checksum);
}

/* Whether so much was loaded that a part of it has to do. */
static bool is_long(const struct sample *sample)
{
    return sample->bytes > MOST * SAMPLE_BYTES;
}

/* Leaves, of the rows of a loaded sample, few from three places, and of rows that are long their middle:
 * about `bytes` bytes. Returns what is left. */
static struct fpgz_grid take_rows(const struct sample *sample, uint64_t bytes, uint8_t *raw)
{
    struct fpgz_grid grid = sample->grid;
    const uint64_t rows = grid.extent[0], row = sample->cut.row_bytes;
    const uint64_t each = fpgz_min(rows / SAMPLES, bytes / SAMPLES / row + 1), first = each ? each : rows,
                   step = each ? (rows - each) / (SAMPLES - 1) : 0;
    uint64_t piece = row, skipped = 0;
    grid.extent[0] = each ? SAMPLES * each : rows;
    for (unsigned d = 1;
         d < grid.dims && (d == 1 || grid.extent[d - 1] == 1) && grid.extent[0] * piece > MOST * bytes; d++) {
        const uint64_t extent = grid.extent[d], unit = piece / extent;
        grid.extent[d] = fpgz_min(extent, bytes / grid.extent[0] / unit + 1);
        skipped += (extent - grid.extent[d]) / 2 * unit;
        piece = grid.extent[d] * unit;
    }
    for (uint64_t i = 0; i < grid.extent[0]; i++)
        memmove(raw + i * piece, raw + (i / first * step + i % first) * row + skipped, piece);
    return grid;
}

/* What a little of a loaded sample becomes, coded in a fast way, by what the file has of it. It is coded only
 * where an estimate leaves doubt, which it does if it is not below `sure`. *hopeless: all of it would be more
 * by what the level has. */
static double look(const struct fpgz_imaging *r, const struct fpgz_part *part, const struct sample *sample,
                   double sure, struct fpgz_chunk_buffers *buffers, bool *hopeless)
{
    struct fpgz_coder coder = fpgz_coder_of(r->setup, FPGZ_LEVEL_DEFAULT, part);
    const struct fpgz_grid grid = take_rows(sample, LOOK_BYTES, buffers->raw.data);
    const double part_of_stored = (double)sample->bytes / (double)fpgz_grid_bytes(&grid) / sample->stored;
    struct fpgz_coded coded;
    fpgz_coder_presume(&coder);
    coder.unverified = true;
    const double about = (double)fpgz_chunk_estimate(&coder, &grid, buffers) * part_of_stored;
    *hopeless = false;
    if (about < sure)
        return about;
    if (fpgz_chunk_encode(&coder, &grid, buffers, &coded))
        return 1;
    *hopeless = fpgz_auto_presumes(fpgz_level(r->setup->level), part->array.dtype) &&
                ((double)coded.length - FRONT_BYTES) * part_of_stored > HOPELESS;
    return (double)coded.length * part_of_stored;
}

/* Whether prans' setting of the level for few arrays, by a sample, makes hardly less than its default: it
 * takes five times as long. It is not looked at where the arrays are not few, small, or rows are long. */
static bool is_plain(const struct fpgz_imaging *r, const struct fpgz_part *part,
                     struct fpgz_chunk_buffers *buffers)
{
    const struct fpgz_level *const level = fpgz_level(r->setup->level);
    const uint32_t setting = fpgz_level(level->few.level)->prans_setting;
    struct fpgz_coder coder = fpgz_coder_of(r->setup, FPGZ_LEVEL_DEFAULT, part);
    struct fpgz_coded plain, other;
    struct sample sample;
    uint64_t bytes = 0;
    for (size_t i = 0; i < r->trials; i++)
        bytes += r->part[i].place.bytes;
    fpgz_coder_presume(&coder);
    coder.unverified = true;
    if (part->place.bytes < PLAIN_PART * PLAIN_BYTES || bytes > level->few.most || !coder.presumed ||
        !fpgz_auto_presumes(level, part->array.dtype) || setting == coder.params.value[PRANS_SETTING] ||
        !fpgz_plan_cut(part, PLAIN_BYTES, fpgz_setup_slab(r->setup), &sample.cut) ||
        sample.cut.row_bytes > PLAIN_BYTES)
        return false;
    const uint64_t rows = sample.cut.shape.extent[0], most = fpgz_min(sample.cut.rows, rows);
    struct fpgz_grid grid = fpgz_cut_grid(&sample.cut, fpgz_min(most, PLAIN_BYTES / sample.cut.row_bytes));
    if (!load_sample(r, part, (rows - most) / 2, &sample, buffers) ||
        fpgz_chunk_encode(&coder, &grid, buffers, &plain))
        return false;
    coder.params.value[PRANS_SETTING] = setting;
    return load_sample(r, part, (rows - most) / 2, &sample, buffers) &&
           !fpgz_chunk_encode(&coder, &grid, buffers, &other) &&
           (double)other.length > PLAIN * (double)plain.length;
}

double fpgz_worth_of(const struct fpgz_imaging *r, const struct fpgz_part *part,
                     struct fpgz_chunk_buffers *buffers, bool *plain)
{
    struct fpgz_coder coder = fpgz_coder_of(r->setup, r->setup->level, part);
    const double all = (double)fpgz_part_stored(part, 0, part->place.bytes), cost = fpgz_parts_cost(part);
    double before = 0, after = 0;
    struct sample sample;
    struct fpgz_coded coded;
    if (all <= cost || !fpgz_plan_cut(part, SAMPLE_BYTES, fpgz_setup_slab(r->setup), &sample.cut))
        return 0;
    coder.unverified = true;
    const uint64_t rows = sample.cut.shape.extent[0], most = fpgz_min(sample.cut.rows, rows);
    const double least = 1 - DOUBT * cost / all, sure = least < CLEAR ? least : CLEAR;
    if (sure > 0) { /* else the file has so little of it that a look would always leave doubt */
        if (!load_sample(r, part, (rows - most) / 2, &sample, buffers))
            return 0;
        bool hopeless;
        const double seen = look(r, part, &sample, sure, buffers, &hopeless);
        if (hopeless)
            return 0;
        if (seen < CLEAR && all > all * seen + cost) {
            *plain = is_plain(r, part, buffers);
            return all - all * seen - cost;
        }
    }
    for (unsigned i = 0; i < SAMPLES; i++) {
        if (!load_sample(r, part, (rows - most) / (SAMPLES - 1) * i, &sample, buffers))
            return 0;
        const struct fpgz_grid grid =
            is_long(&sample) ? take_rows(&sample, SAMPLE_BYTES, buffers->raw.data) : sample.grid;
        if (fpgz_chunk_encode(&coder, &grid, buffers, &coded))
            return 0;
        before += sample.stored * (double)fpgz_grid_bytes(&grid) / (double)sample.bytes;
        after += (double)coded.length;
        const double saved = all - all * (after / before);
        if (most == rows || saved > DOUBT * cost + (1 - CLEAR) * all || saved < -all * FAR)
            break;
    }
    if (is_long(&sample) && all - all * (after / before) <= cost && after < CUT * before) {
        if (!load_sample(r, part, (rows - most) / 2, &sample, buffers) ||
            fpgz_chunk_encode(&coder, &sample.grid, buffers, &coded))
            return 0;
        before = sample.stored;
        after = (double)coded.length;
    }
    return all - all * (after / before) - cost;
}
