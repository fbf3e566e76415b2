/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/codec.h"
#include "codec/codecs.h"

const struct fpgz_codec *const fpgz_codecs[] = {
    &fpgz_store, &fpgz_ndzip, &fpgz_frsz2, &fpgz_deflate, NULL,
};

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

bool fpgz_codec_params_valid(const struct fpgz_codec *codec, const struct fpgz_params *params)
{
    for (unsigned i = 0; i < codec->param_count; i++)
        if (params->value[i] < codec->params[i].min || params->value[i] > codec->params[i].max)
            return false;
    return true;
}

enum fpgz_status fpgz_codec_check(const struct fpgz_codec *codec, enum fpgz_dtype dtype,
                                  const struct fpgz_params *params, struct fpgz_error *error)
{
    return codec->check ? codec->check(codec, dtype, params, error) : FPGZ_OK;
}

bool fpgz_codec_takes(const struct fpgz_codec *codec, enum fpgz_dtype dtype)
{
    return dtype == FPGZ_F64 ? codec->f64 : codec->f32;
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

/* The names of the table, for an error's text. */
static void list_names(char *text, size_t capacity)
{
    size_t used = 0;
    for (unsigned i = 0; fpgz_codecs[i] && used < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, i ? ", %s" : "%s", fpgz_codecs[i]->name);
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
        char digits[16] = "";
        const size_t digit_count = equals ? length - key_length - 1 : 0;
        if (digit_count && digit_count < sizeof digits)
            memcpy(digits, equals + 1, digit_count);
        char *end = digits;
        const unsigned long long value = strtoull(digits, &end, 10);
        if (digits[0] < '0' || digits[0] > '9' || *end || value < param->min || value > param->max)
            return fpgz_fail(error, FPGZ_USAGE, "%s:%.*s: %s is a number from %u to %u (default %u)",
                             codec->name, (int)length, text, param->key, param->min, param->max,
                             param->fallback);
        params->value[i] = (uint32_t)value;
        return FPGZ_OK;
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
        char names[200];
        list_names(names, sizeof names);
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
