/* SPDX-License-Identifier: MIT
 * The options, a row each, in the order of --help. A new one is a row here, its place in man/fpgz.1 and in
 * tools/completions, which a test compares with --help, and what it does. */
#include "cli/option_table.h"

#include "cli/option_value.h"

/* clang-format off */
/* What options do. A field is a bool, or has the bytes of an unsigned or of a uint64_t. */
#define FIELD(member) \
    .offset = offsetof(struct options, member), .bytes = sizeof(((struct options *)0)->member)
#define SET(member, to) {.kind = OPTION_SET, FIELD(member), .number = (to)}
#define LEVEL(member) {.kind = OPTION_LEVEL, FIELD(member)}
#define WORD(member, text) {.kind = OPTION_WORD, FIELD(member), .hint = (text)}
#define SIZE(member, from, to, text) \
    {.kind = OPTION_SIZE, FIELD(member), .number = (from), .most = (to), .hint = (text)}
#define TEXT(member) {.kind = OPTION_TEXT, FIELD(member)}
#define NAME(member) {.kind = OPTION_NAME, FIELD(member)}
#define CALL(function, text) {.kind = OPTION_CALL, .call = (function), .hint = (text)}
#define SAY(what) {.kind = (what)}

#define A_SIZE "a size is a number with K, M, G or T, as in "

const struct option_row option_table[] = {
    {SECTION_MODE, "z", {"compress"}, NULL, "compress (the default)", SET(mode, MODE_COMPRESS)},
    {SECTION_MODE, "d", {"decompress", "uncompress"}, NULL, "restore", SET(mode, MODE_DECOMPRESS)},
    {SECTION_MODE, "t", {"test"}, NULL, "verify containers, write nothing", SET(mode, MODE_TEST)},
    {SECTION_MODE, NULL, {"recover"}, NULL, "restore what is intact of FILE to -o OUT",
     SET(mode, MODE_RECOVER)},
    {SECTION_MODE, NULL, {"fill"}, "zero|nan", "with --recover: what lost values become",
     WORD(fill_nan, "there are zero and nan")},
    {SECTION_MODE, "l", {"list"}, NULL, "show what containers hold", SET(mode, MODE_LIST)},
    {SECTION_MODE, NULL, {"bench"}, NULL, "measure every codec on FILE, in memory", SET(mode, MODE_BENCH)},
    {SECTION_MODE, NULL, {"codecs"}, NULL, "show the codec table", SET(mode, MODE_CODECS)},
    {SECTION_MODE, NULL, {"formats"}, NULL, "show the formats of files", SET(mode, MODE_FORMATS)},

    {SECTION_FILES, "r", {"recursive"}, NULL, "take the files in folders, too", SET(selection.recursive, true)},
    {SECTION_FILES, NULL, {"exclude"}, "GLOB", "skip what matches; may be repeated", NAME(selection.exclude)},
    {SECTION_FILES, NULL, {"files-from"}, "FILE|-", "take the files that FILE names, a line each",
     NAME(selection.lists)},
    {SECTION_FILES, "0", {"null"}, NULL, "names in FILE end in a NUL, not a line's end",
     SET(selection.null_separated, true)},
    {SECTION_FILES, NULL, {"files"}, "[=FILE]", "the same as --files-from, as xz has it", NAME(selection.lists)},
    {SECTION_FILES, NULL, {"files0"}, "[=FILE]", "the same with -0", CALL(option_files0, NULL)},

    {SECTION_OUTPUT, "c", {"stdout", "to-stdout"}, NULL, "write to standard output, keep the source",
     SET(to_stdout, true)},
    {SECTION_OUTPUT, "o", {"output"}, "FILE", "write to FILE", CALL(option_output, NULL)},
    {SECTION_OUTPUT, "k", {"keep"}, NULL, "keep the source (the default)", SET(remove_source, false)},
    {SECTION_OUTPUT, NULL, {"rm"}, NULL, "remove the source when its replacement is verified",
     SET(remove_source, true)},
    {SECTION_OUTPUT, NULL, {"verify"}, NULL, "read the container back and compare it (--rm does too)",
     SET(verify, true)},
    {SECTION_OUTPUT, "f", {"force"}, NULL, "replace existing files, write containers to a terminal",
     SET(force, true)},
    {SECTION_OUTPUT, NULL, {"max-output"}, "SIZE", "restore nothing larger than this",
     SIZE(setup.max_output, 1, UINT64_MAX, A_SIZE "100G")},
    {SECTION_OUTPUT, "N", {"name"}, NULL, "with -d: restore under the name that the container holds",
     SET(stored_name, true)},
    {SECTION_OUTPUT, "S", {"suffix"}, ".SUF", "suffix of containers instead of .fpgz",
     CALL(option_suffix, "a suffix is not empty and has no slash")},

    {SECTION_MESSAGES, "q", {"quiet"}, NULL, "no warnings and notices", CALL(option_quiet, NULL)},
    {SECTION_MESSAGES, "v", {"verbose"}, NULL, "say more (-lvv: each chunk)", CALL(option_verbose, NULL)},
    {SECTION_MESSAGES, NULL, {"json"}, NULL, "one JSON object a file (or row of --bench, -l)",
     SET(json, true)},
    {SECTION_MESSAGES, "h", {NULL}, NULL, "the everyday options", SAY(OPTION_SHORT_HELP)},
    {SECTION_MESSAGES, NULL, {"help"}, NULL, "all options", SAY(OPTION_HELP)},
    {SECTION_MESSAGES, "V", {"version"}, NULL, "the version", SAY(OPTION_VERSION)},

    {SECTION_CODING, "123456789", {NULL}, NULL, "from fast to small (default 5)", LEVEL(setup.level)},
    {SECTION_CODING, NULL, {"codec"}, "NAME[:KEY=VALUE,...]", "use this codec",
     CALL(option_codec, NULL)},
    {SECTION_CODING, NULL, {"max-error"}, "BOUND, rel:BOUND", "limit a lossy codec's errors",
     CALL(option_max_error, "a bound is a number from 0 up, as in 1e-3 or rel:1e-3")},
    {SECTION_CODING, NULL, {"no-check"}, NULL, "do not decode what prans encoded before it is written",
     SET(setup.unverified, true)},
    {SECTION_CODING, NULL, {"refilter"}, "[=auto|always|never]", "code without the file's filters",
     CALL(option_refilter, "there are auto, always and never")},
    {SECTION_CODING, "T", {"threads"}, "N", "threads (default 0: one a CPU that fpgz may use)",
     SIZE(setup.threads, 0, 4096, "the number of threads goes from 0 (one a CPU) to 4096")},
    {SECTION_CODING, NULL, {"memory"}, "SIZE", "keep within this memory (default: a quarter of all)",
     SIZE(setup.memory, 1, UINT64_MAX, A_SIZE "512M")},
    {SECTION_CODING, NULL, {"cpu-level"}, "c|avx2|avx512", "use no wider instructions than these",
     CALL(option_cpu_level, NULL)},
    {SECTION_CODING, NULL, {"device"}, "auto|cpu|cuda[:N|:all]", "the CPU, or GPUs as well",
     CALL(option_device, "there are auto, cpu, cuda, cuda:N (the GPU of that number) and cuda:all")},
    {SECTION_CODING, NULL, {"chunk"}, "SIZE", "size of chunks to aim at (default by the level)",
     SIZE(setup.chunk, 1 << 10, FPGZ_CHUNK_LIMIT, "a size goes from 1K to 1G, as in 4M")},
    {SECTION_CODING, NULL, {"bare"}, NULL, "with --codec: the bare stream of one whole grid",
     SET(bare, true)},
    {SECTION_CODING, NULL, {"format"}, "NAME|raw", "what files are (default: by their first bytes)",
     CALL(option_format, NULL)},

    {SECTION_RAW, NULL, {"dtype"}, "TYPE", "of the values: f16 f32 f64 bf16, i8 to i64, u8 to u64",
     CALL(option_dtype, "there are f16, f32, f64, bf16, i8, i16, i32, i64, u8 (also bytes), u16, u32 and u64")},
    {SECTION_RAW, NULL, {"endian"}, "little|big", "order of their bytes (default little)",
     WORD(setup.raw.array.order, "there are little and big")},
    {SECTION_RAW, NULL, {"shape"}, "AxBxC", "slowest extent first; the first may be *",
     CALL(option_shape, "a shape is written 20x180x360, slowest extent first; the first may be *")},

    {SECTION_HDF5, NULL, {"dataset"}, "PATH", "compress, or with -d restore, one dataset alone",
     TEXT(dataset)},
    {SECTION_HDF5, NULL, {"region"}, "A:B,C,...", "with -d: a part of it, indexed as in NumPy", TEXT(region)},
    {SECTION_HDF5, NULL, {"to"}, "raw|npy|h5", "with -d: write this format (default: by -o's suffix)",
     CALL(option_to, NULL)},

    {SECTION_BATCH, NULL, {"manifest"}, "M", "go on where an earlier run with this manifest ended",
     TEXT(batch.manifest)},
    {SECTION_BATCH, NULL, {"check"}, NULL, "verify the containers of the manifests that are named",
     SET(batch.check, true)},
    {SECTION_BATCH, NULL, {"restore"}, NULL, "restore their files", SET(batch.restore, true)},
    {SECTION_BATCH, NULL, {"output-dir"}, "FOLDER", "containers, or restored files, go below it (as -o)",
     CALL(option_output_dir, NULL)},
    {SECTION_BATCH, NULL, {"shard"}, "K/N", "take one of N shards (default: from Slurm or MPI)",
     CALL(option_shard, "a shard is written K/N, with K from 0 or 1 on")},
};
/* clang-format on */

const size_t option_count = sizeof option_table / sizeof *option_table;
