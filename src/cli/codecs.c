/* SPDX-License-Identifier: MIT
 * --codecs: the table of codecs, for people. */
#include "cli/codecs.h"

#include <stdio.h>
#include <string.h>

#include "codec/codec.h"
#include "engine/device.h"

static void print_param(const struct fpgz_param *param)
{
    printf("%62s %s: %s (", "", param->key, param->help);
    for (unsigned i = 0; param->names && param->names[i]; i++)
        printf("%s, ", param->names[i]);
    if (param->names)
        printf("default %s)\n", param->names[param->fallback - param->min]);
    else
        printf("%u to %u, default %u)\n", param->min, param->max, param->fallback);
}

/* "f32,f64" into text, or "all". */
static const char *types_text(const struct fpgz_codec *codec, char *text, size_t capacity)
{
    size_t used = 0;
    if (codec->dtypes == FPGZ_ALL_DTYPES)
        return "all";
    for (unsigned dtype = 0; dtype < FPGZ_DTYPES && used < capacity; dtype++)
        if (codec->dtypes >> dtype & 1)
            used +=
                (size_t)snprintf(text + used, capacity - used, used ? ",%s" : "%s", fpgz_dtype_name(dtype));
    return text;
}

void codecs_print(void)
{
    printf("%-10s %-11s %-5s %-9s %-23s %s\n", "Codec", "Types", "Dims", "Lossless", "Backends",
           "What it does, and its parameters");
    for (unsigned i = 0; fpgz_codecs[i]; i++) {
        const struct fpgz_codec *codec = fpgz_codecs[i];
        char types[32], dims[16], backends[32] = "cpu:c";
        if (codec->missing) {
            printf("%-10s not in this fpgz, which was built without %s\n", codec->name, codec->missing);
            continue;
        }
        snprintf(dims, sizeof dims, codec->max_dims > 1 ? "1-%u" : "1", codec->max_dims);
        for (enum fpgz_cpu_level level = FPGZ_CPU_C + 1; level < FPGZ_CPU_LEVELS; level++)
            if (fpgz_codec_level(codec, level) == level)
                snprintf(backends + strlen(backends), sizeof backends - strlen(backends), ",%s",
                         fpgz_cpu_name(level));
        if (fpgz_device_has(codec, true))
            snprintf(backends + strlen(backends), sizeof backends - strlen(backends), ",cuda");
        printf("%-10s %-11s %-5s %-9s %-23s %s\n", codec->name, types_text(codec, types, sizeof types), dims,
               codec->lossless ? "yes" : "no", backends, codec->summary);
        for (unsigned p = 0; p < codec->param_count; p++)
            print_param(&codec->params[p]);
    }
}
