/* SPDX-License-Identifier: MIT
 * Writes inputs of the codec target into a folder: a valid stream for every codec, setting, dtype and
 * dimensionality.
 * usage: seeds FOLDER */
#include <stdio.h>
#include <stdlib.h>

#include "codec/prans/prans.h"
#include "codec_head.h"
#include "grids.h"

static void write_seed(const char *folder, const struct fpgz_codec *codec, enum fpgz_dtype dtype,
                       unsigned dims, uint32_t setting)
{
    static const uint64_t extents[][4] = {{4100, 1, 1, 1}, {65, 66, 1, 1}, {16, 17, 18, 1}, {2, 8, 16, 17}};
    struct fpgz_coding coding = {.grid = {dtype, dims, {0}}};
    struct fpgz_error error = {0};
    memcpy(coding.grid.extent, extents[dims - 1], sizeof extents[0]);
    fpgz_codec_defaults(codec, &coding.params);
    if (setting)
        coding.params.value[0] = setting;
    struct fpgz_grid made = coding.grid;
    if (dtype == FPGZ_U8) /* the bytes of f32 values */
        made = (struct fpgz_grid){FPGZ_F32, 1, {fpgz_grid_bytes(&coding.grid) / 4, 1, 1, 1}};
    void *values = malloc(fpgz_grid_bytes(&coding.grid));
    uint8_t *stream = malloc(CODEC_HEAD + codec->bound(&coding.grid, &coding.params));
    coding.scratch = aligned_alloc(64, codec->memory(&coding.grid, &coding.params) / 64 * 64 + 64);
    size_t length;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%s-%u-%u", folder, codec->name, fpgz_dtype_name(dtype), dims, setting);
    FILE *file = fopen(path, "wb");
    if (!values || !stream || !coding.scratch || !file || grids_fill("wave", &made, 1, values, &error) ||
        codec->encode(&coding, values, stream + CODEC_HEAD, &length)) {
        fprintf(stderr, "cannot make %s: %s\n", path, error.text);
        exit(1);
    }
    codec_head_write(stream, codec, &coding);
    fwrite(stream, 1, CODEC_HEAD + length, file);
    fclose(file);
    free(coding.scratch);
    free(stream);
    free(values);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: seeds FOLDER\n");
        return 1;
    }
    for (unsigned i = 0; fpgz_codecs[i]; i++)
        for (unsigned dims = 1; dims <= fpgz_codecs[i]->max_dims; dims++)
            for (enum fpgz_dtype dtype = FPGZ_F32; dtype <= FPGZ_U8; dtype++)
                if (fpgz_codec_takes(fpgz_codecs[i], dtype)) {
                    write_seed(argv[1], fpgz_codecs[i], dtype, dims, 0);
                    if (fpgz_codecs[i]->id == FPGZ_CODEC_PRANS) /* besides its default */
                        write_seed(argv[1], fpgz_codecs[i], dtype, dims, PRANS_FORMAT_HIGH);
                }
    return 0;
}
