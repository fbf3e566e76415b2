/* SPDX-License-Identifier: MIT
 * The table of codecs, and what is done by it: parameters from text, checks, folds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/codec.h"
#include "codec/codecs.h"

/* clang-format off */
const struct fpgz_codec *const fpgz_codecs[] = {
    &fpgz_store,
    &fpgz_ndzip,
    &fpgz_gfc,
    &fpgz_mpc,
    &fpgz_frsz2,
    &fpgz_arith,
    &fpgz_predict,
    &fpgz_deflate,
    &fpgz_prans,
    &fpgz_zstd,
    &fpgz_lzma,
    &fpgz_delta_lzma,
    &fpgz_delta_zstd,
    NULL,
};
/* clang-format on */

enum { VALUES_TEXT = 100 }; /* bytes that the text of any parameter's values fits in */
enum { NAMES_TEXT = 200 };  /* ... and that of the names of all codecs */

const struct fpgz_codec *fpgz_codec_by_id(unsigned id)
{
    for (unsigned i = 0; fpgz_codecs[i]; i++)
        if (fpgz_codecs[i]->id == id)
            return fpgz_codecs[i];
    return NULL;
}

const struct fpgz_codec *fpgz_codec_by_name(const char *name, size_t length)
{
    for (unsigned i = 0; fpgz_codecs[i]; i++)
        if (strlen(fpgz_codecs[i]->name) == length && !memcmp(fpgz_codecs[i]->name, name, length))
            return fpgz_codecs[i];
    return NULL;
}

void fpgz_codec_defaults(const struct fpgz_codec *codec, struct fpgz_params *params)
{
    memset(params, 0, sizeof *params);
    for (unsigned i = 0; i < codec->param_count; i++)
        params->value[i] = codec->params[i].fallback;
}

uint32_t *fpgz_codec_open_rate(const struct fpgz_codec *codec, struct fpgz_params *params)
{
    uint32_t *const rate = codec->rate ? &params->value[codec->rate - codec->params] : NULL;
    return rate && !*rate ? rate : NULL;
}

enum fpgz_cpu_level fpgz_codec_level(const struct fpgz_codec *codec, enum fpgz_cpu_level level)
{
    enum fpgz_cpu_level own = FPGZ_CPU_C;
    for (enum fpgz_cpu_level l = FPGZ_CPU_C + 1; l < FPGZ_CPU_LEVELS && l <= level; l++)
        if (codec->kernels && (*codec->kernels)[l])
            own = l;
    return own;
}

bool fpgz_codec_takes(const struct fpgz_codec *codec, enum fpgz_dtype dtype)
{
    return codec->dtypes >> dtype & 1;
}

size_t fpgz_codec_decode_memory(const struct fpgz_codec *codec, const struct fpgz_grid *grid,
                                const struct fpgz_params *params)
{
    return (codec->decode_memory ? codec->decode_memory : codec->memory)(grid, params);
}

/* The allowed values of a parameter, as in "a number from 1 to 16 (default 3)". */
static void list_values(const struct fpgz_param *param, char *text, size_t capacity)
{
    if (!param->names) {
        snprintf(text, capacity, "a number from %u to %u (default %u)", param->min, param->max,
                 param->fallback);
        return;
    }
    size_t used = 0;
    for (unsigned i = 0; param->names[i] && used < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, i ? ", %s" : "one of %s", param->names[i]);
    if (used < capacity)
        snprintf(text + used, capacity - used, " (default %s)", param->names[param->fallback - param->min]);
}

/* The names of the codecs that take a dtype of the set, for an error's text. */
static void list_names(uint32_t dtypes, char *text, size_t capacity)
{
    size_t used = 0;
    for (unsigned i = 0; fpgz_codecs[i] && used < capacity; i++)
        if (fpgz_codecs[i]->dtypes & dtypes)
            used +=
                (size_t)snprintf(text + used, capacity - used, used ? ", %s" : "%s", fpgz_codecs[i]->name);
}

enum fpgz_status fpgz_codec_check(const struct fpgz_codec *codec, enum fpgz_dtype dtype,
                                  const struct fpgz_params *params, struct fpgz_error *error)
{
    if (codec->missing)
        return fpgz_fail(error, FPGZ_UNSUPPORTED, "codec %s is not in this fpgz, which was built without %s",
                         codec->name, codec->missing);
    if (!fpgz_codec_takes(codec, dtype)) {
        char names[NAMES_TEXT];
        list_names(FPGZ_DTYPE_BIT(dtype), names, sizeof names);
        return fpgz_fail(error, FPGZ_USAGE, "codec %s takes no %s; %s do", codec->name,
                         fpgz_dtype_name(dtype), names);
    }
    for (unsigned i = 0; i < codec->param_count; i++) {
        const struct fpgz_param *param = &codec->params[i];
        char values[VALUES_TEXT];
        if (params->value[i] >= param->min && params->value[i] <= param->max)
            continue;
        list_values(param, values, sizeof values);
        return fpgz_fail(error, FPGZ_USAGE, "%s:%s=%u: %s is %s", codec->name, param->key, params->value[i],
                         param->key, values);
    }
    return codec->check ? codec->check(dtype, params, error) : FPGZ_OK;
}

void fpgz_fold_slowest(const struct fpgz_grid *grid, unsigned dims, struct fpgz_grid *coded)
{
    const unsigned merged = grid->dims > dims ? grid->dims - dims : 0;
    coded->dtype = grid->dtype;
    coded->dims = grid->dims - merged;
    for (unsigned d = 0; d < FPGZ_MAX_CODING_DIMS; d++)
        coded->extent[d] = d < coded->dims ? grid->extent[d + merged] : 1;
    for (unsigned d = 0; d < merged; d++)
        coded->extent[0] *= grid->extent[d];
}

unsigned fpgz_block_side(unsigned dims)
{
    return dims == 1 ? 4096 : dims == 2 ? 64 : 16;
}

void fpgz_fold_flat(const struct fpgz_grid *grid, struct fpgz_grid *coded)
{
    fpgz_fold_slowest(grid, 1, coded);
}

/* A value by its number or name; false when it is neither. */
static bool parse_value(const struct fpgz_param *param, const char *text, uint32_t *value)
{
    for (unsigned i = 0; param->names && param->names[i]; i++)
        if (!strcmp(param->names[i], text)) {
            *value = param->min + i;
            return true;
        }
    char *end;
    const unsigned long long number = strtoull(text, &end, 10);
    *value = (uint32_t)number;
    return text[0] >= '0' && text[0] <= '9' && !*end && number >= param->min && number <= param->max;
}

/* One "key=value" of `length` bytes. */
static enum fpgz_status parse_param(const struct fpgz_codec *codec, const char *text, size_t length,
                                    struct fpgz_params *params, struct fpgz_error *error)
{
    const char *equals = memchr(text, '=', length);
    const size_t key_length = equals ? (size_t)(equals - text) : length;
    for (unsigned i = 0; i < codec->param_count; i++) {
        const struct fpgz_param *param = &codec->params[i];
        if (strlen(param->key) != key_length || memcmp(param->key, text, key_length) != 0)
            continue;
        char value[20] = "", values[VALUES_TEXT];
        const size_t value_length = equals ? length - key_length - 1 : 0;
        if (value_length < sizeof value)
            memcpy(value, text + length - value_length, value_length);
        if (parse_value(param, value, &params->value[i]))
            return FPGZ_OK;
        list_values(param, values, sizeof values);
        return fpgz_fail(error, FPGZ_USAGE, "%s:%.*s: %s is %s", codec->name, (int)length, text, param->key,
                         values);
    }
    return fpgz_fail(error, FPGZ_USAGE, "codec %s has no parameter '%.*s'; see fpgz --codecs", codec->name,
                     (int)key_length, text);
}

enum fpgz_status fpgz_codec_parse(const char *text, const struct fpgz_codec **codec,
                                  struct fpgz_params *params, struct fpgz_error *error)
{
    const size_t name_length = strcspn(text, ":");
    *codec = fpgz_codec_by_name(text, name_length);
    if (!*codec) {
        char names[NAMES_TEXT];
        list_names(FPGZ_ALL_DTYPES, names, sizeof names);
        return fpgz_fail(error, FPGZ_USAGE, "unknown codec '%.*s'; there are: %s", (int)name_length, text,
                         names);
    }
    fpgz_codec_defaults(*codec, params);
    const char *at = text + name_length;
    while (*at) {
        at++; /* the ':' or ',' before the key */
        const size_t length = strcspn(at, ",");
        if (parse_param(*codec, at, length, params, error))
            return error->status;
        at += length;
    }
    return FPGZ_OK;
}
