/* SPDX-License-Identifier: MIT
 * The reference: what it writes is GFC's stream, and every other kernel must write the same.
 * A value is coded as the magnitude of its difference from the prediction, without the leading zero bytes,
 * and four bits: 8 when the difference is negative, plus a code of the bytes that are left. Eight codes for
 * nine counts: two bytes are stored as three. */
#include "codec/gfc/gfc.h"
#include "core/bytes.h"

static unsigned significant_bytes(uint64_t magnitude)
{
    return magnitude ? (71 - (unsigned)__builtin_clzll(magnitude)) / 8 : 0;
}

static uint8_t *encode(const uint64_t *values, const uint64_t *before, size_t count,
                       const struct gfc_predictor *predictor, uint8_t *stream)
{
    static const uint8_t code_of[9] = {0, 1, 2, 2, 3, 4, 5, 6, 7}, bytes_of[9] = {0, 1, 3, 3, 4, 5, 6, 7, 8};
    for (; count; count--, before = values, values += GFC_LANES) {
        uint8_t *bytes = stream + GFC_CODES;
        for (unsigned lane = 0; lane < GFC_LANES; lane++) {
            const uint64_t difference = values[lane] - before[predictor->source[lane]];
            const unsigned negative = difference >> 63;
            const uint64_t magnitude = negative ? -difference : difference;
            const unsigned significant = significant_bytes(magnitude);
            const unsigned code = negative << 3 | code_of[significant];
            stream[lane / 2] = (uint8_t)(lane % 2 ? stream[lane / 2] | code << 4 : code);
            fpgz_store64(bytes, magnitude); /* all eight: the next value overwrites those that do not count */
            bytes += bytes_of[significant];
        }
        stream = bytes;
    }
    return stream;
}

static size_t decode(struct gfc_input *input, const uint64_t *before, size_t count,
                     const struct gfc_predictor *predictor, uint64_t *values)
{
    static const uint8_t bytes_of[8] = {0, 1, 3, 4, 5, 6, 7, 8};
    size_t done = 0;
    for (; done < count && input->limit - input->at >= GFC_LONGEST; done++) {
        const uint8_t *const codes = input->at;
        unsigned total = GFC_CODES;
        for (unsigned i = 0; i < GFC_CODES; i++)
            total += bytes_of[codes[i] & 7] + bytes_of[codes[i] >> 4 & 7];
        if (total > input->end - input->at)
            break;
        const uint8_t *bytes = codes + GFC_CODES;
        for (unsigned lane = 0; lane < GFC_LANES; lane++) {
            const unsigned code = codes[lane / 2] >> lane % 2 * 4 & 15;
            const unsigned stored = bytes_of[code & 7];
            const uint64_t magnitude = stored ? fpgz_load64(bytes) & UINT64_MAX >> (64 - 8 * stored) : 0;
            values[lane] = before[predictor->source[lane]] + (code & 8 ? -magnitude : magnitude);
            bytes += stored;
        }
        input->at = bytes;
        before = values;
        values += GFC_LANES;
    }
    return done;
}

const struct gfc_kernels fpgz_gfc_c = {.encode = encode, .decode = decode};
