/* SPDX-License-Identifier: MIT
 * Any lines as FPGZ_OPTS (the first one, where it is not empty) and arguments (the others): a message, or
 * options within their ranges, which what is parsed of them later takes too. No file is touched. */
#include "cli/parse.h"

#include <stdlib.h>
#include <string.h>

#include "core/cpu.h"
#include "core/text.h"
#include "engine/region.h"
#include "fuzz.h"
#include "hostile.h"

enum { MAX_WORDS = 64 };

static void require(bool holds)
{
    if (!holds)
        __builtin_trap();
}

/* The lines, each in memory of its own, so that reading behind it is seen. */
static int split(const uint8_t *data, size_t size, char **word)
{
    int count = 0;
    for (size_t at = 0; at < size && count < MAX_WORDS; count++) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - data) - at : size - at;
        word[count] = name_join((const char *)data + at, length, "");
        at += length + 1;
    }
    return count;
}

static void check_ranges(const struct options *o)
{
    require(o->setup.level >= 1 && o->setup.level <= 9 && o->setup.threads >= 1);
    require(o->setup.chunk >= 1 << 10 && o->setup.chunk <= FPGZ_CHUNK_LIMIT);
    require(!o->batch.shard.count || o->batch.shard.index < o->batch.shard.count);
    require(!o->setup.raw.has_shape ||
            (o->setup.raw.array.dims >= 1 && o->setup.raw.array.dims <= FPGZ_MAX_DIMS));
    for (unsigned i = 0; o->setup.codec && i < o->setup.codec->param_count; i++)
        require(o->setup.params.value[i] >= o->setup.codec->params[i].min &&
                o->setup.params.value[i] <= o->setup.codec->params[i].max);
    require(o->selection.file_count >= 0 && !o->selection.files[o->selection.file_count]);
}

/* What the files' names and the region tell. */
static void check_names(const struct options *o)
{
    static const uint64_t extent[] = {20, 180, 360};
    struct fpgz_box box;
    struct fpgz_array array;
    struct fpgz_error error = {0};
    if (!fpgz_region_parse(o->region, extent, 3, &box, &error))
        for (unsigned d = 0; d < 3; d++)
            require(box.first[d] <= box.end[d] && box.end[d] <= extent[d]);
    for (int i = 0; i < o->selection.file_count; i++) {
        char *const compressed = name_compressed(o->selection.files[i], o->suffix);
        char *const restored = name_restored(compressed, o->suffix, "stored", o->stored_name);
        require(name_suffix(compressed, o->suffix) || !*fpgz_text_base(o->selection.files[i]));
        require(o->stored_name || !*fpgz_text_base(o->selection.files[i]) ||
                !strcmp(restored, o->selection.files[i]));
        if (!fpgz_raw_describe(&o->setup.raw, fpgz_text_base(o->selection.files[i]), 1296000, &array, &error))
            require(array.dims >= 1 && array.dims <= FPGZ_MAX_DIMS);
        free(restored);
        free(compressed);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct options options;
    char *word[MAX_WORDS];
    const int count = split(data, size, word);
    /* Options move the words about, and take `fpgz` for the first of them. */
    char program[] = "fpgz", **const argv = malloc((size_t)(count + 2) * sizeof *argv);
    require(argv);
    argv[0] = program;
    for (int i = 1; i < count; i++)
        argv[i] = word[i];
    const int arguments = count ? count : 1;
    argv[arguments] = NULL;
    unsetenv("FPGZ_OPTS");
    if (count && *word[0])
        setenv("FPGZ_OPTS", word[0], 1);
    hostile_silence();
    struct console console = {0};
    if (options_parse(arguments, argv, &options, &console)) {
        require(console.exit_code != EXIT_ERROR);
        check_ranges(&options);
        check_names(&options);
    }
    options_free(&options);
    fpgz_cpu_set(fpgz_cpu_best());
    free(argv);
    for (int i = 0; i < count; i++)
        free(word[i]);
    return 0;
}
