/* SPDX-License-Identifier: MIT
 * Options' values: from text to what they mean. */
#include "cli/option_value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/message.h"
#include "core/bytes.h"
#include "core/cpu.h"
#include "engine/device.h"
#include "source/formats.h"

bool option_size(const char *text, uint64_t *size)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    *size = strtoull(text, &end, 10);
    static const char units[] = "KMGT";
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (unit) {
        end++;
        if (!strcmp(end, "iB") || !strcmp(end, "B"))
            end = strchr(end, '\0');
        if (!fpgz_mul(*size, (uint64_t)1 << (10 * (unit - units + 1)), size))
            return false;
    }
    return *end == '\0';
}

bool option_files0(const char *text, struct options *options, struct console *console)
{
    (void)console;
    options->selection.null_separated = true;
    name_list_add(&options->selection.lists, text ? text : "-");
    return true;
}

bool option_refilter(const char *text, struct options *options, struct console *console)
{
    (void)console;
    enum fpgz_refilter *const to = &options->setup.refilter;
    *to = !text || !strcmp(text, "always") ? FPGZ_REFILTER_ALWAYS
          : !strcmp(text, "never")         ? FPGZ_REFILTER_NEVER
                                           : FPGZ_REFILTER_AUTO;
    return *to != FPGZ_REFILTER_AUTO || !strcmp(text, "auto");
}

bool option_output(const char *text, struct options *options, struct console *console)
{
    (void)console;
    if (strcmp(text, "-"))
        options->output = text;
    else
        options->to_stdout = true;
    return true;
}

bool option_output_dir(const char *text, struct options *options, struct console *console)
{
    (void)console;
    options->output_dir = true;
    options->output = text;
    return true;
}

bool option_suffix(const char *text, struct options *options, struct console *console)
{
    (void)console;
    if (!*text || strchr(text, '/'))
        return false;
    options->suffix = text;
    return true;
}

bool option_quiet(const char *text, struct options *options, struct console *console)
{
    (void)text, (void)options;
    console->verbosity--;
    return true;
}

bool option_verbose(const char *text, struct options *options, struct console *console)
{
    (void)text, (void)options;
    console->verbosity++;
    return true;
}

bool option_max_error(const char *text, struct options *options, struct console *console)
{
    (void)console;
    struct fpgz_errors *const bound = &options->setup.max_error;
    const bool relative = !strncmp(text, "rel:", 4);
    const char *const number = relative ? text + 4 : text;
    char *end;
    const double value = strtod(number, &end);
    if (end == number || *end || !isfinite(value) || signbit(value))
        return false;
    *(relative ? &bound->relative : &bound->absolute) = value;
    return true;
}

bool option_cpu_level(const char *text, struct options *options, struct console *console)
{
    (void)console;
    options->cpu_level_given = true;
    char names[64] = "";
    for (enum fpgz_cpu_level level = FPGZ_CPU_C; level < FPGZ_CPU_LEVELS; level++) {
        const char *const name = fpgz_cpu_name(level);
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, used ? ", %s" : "%s", name);
        if (strcmp(text, name) != 0)
            continue;
        if (fpgz_cpu_set(level))
            return true;
        message_error(console, FPGZ_USAGE, NULL, "--cpu-level %s: this CPU has no more than %s: it lacks %s",
                      text, fpgz_cpu_name(fpgz_cpu_best()), fpgz_cpu_lacks(level));
        return false;
    }
    message_error(console, FPGZ_USAGE, NULL, "--cpu-level %s: there are %s", text, names);
    return false;
}

bool option_device(const char *text, struct options *options, struct console *console)
{
    (void)console;
    char *end;
    options->device_number = 0;
    if (!strcmp(text, "auto")) {
        options->device = FPGZ_BACKEND_AUTO;
        return true;
    }
    if (!strcmp(text, "cpu")) {
        options->device = FPGZ_BACKEND_CPU;
        return true;
    }
    options->device = FPGZ_BACKEND_CUDA;
    if (!strcmp(text, "cuda"))
        return true;
    if (!strcmp(text, "cuda:all")) {
        options->device_number = FPGZ_DEVICE_ALL;
        return true;
    }
    if (strncmp(text, "cuda:", 5) || text[5] < '0' || text[5] > '9')
        return false;
    const unsigned long number = strtoul(text + 5, &end, 10);
    options->device_number = number < 1000 ? (int)number : 1000;
    return !*end;
}

bool option_codec(const char *text, struct options *options, struct console *console)
{
    (void)console;
    struct fpgz_error error = {0};
    if (!strcmp(text, "auto")) {
        options->setup.codec = NULL;
        return true;
    }
    if (fpgz_codec_parse(text, &options->setup.codec, &options->setup.params, &error))
        message_error(console, FPGZ_USAGE, NULL, "--codec %s", error.text);
    return !error.status;
}

bool option_dtype(const char *text, struct options *options, struct console *console)
{
    (void)console;
    options->setup.raw.has_dtype = true;
    return fpgz_dtype_parse(text, &options->setup.raw.array.dtype);
}

bool option_shape(const char *text, struct options *options, struct console *console)
{
    (void)console;
    options->setup.raw.has_shape = true;
    return fpgz_shape_parse(text, strlen(text), &options->setup.raw.array);
}

bool option_format(const char *text, struct options *options, struct console *console)
{
    options->setup.format_given = true;
    options->setup.format = fpgz_source_by_name(text);
    const bool known = options->setup.format || !strcmp(text, fpgz_source_kind_name(FPGZ_KIND_RAW));
    if (!known)
        message_error(console, FPGZ_USAGE, NULL, "--format %s: fpgz --formats shows which there are",
                      *text ? text : "''");
    return known;
}

bool option_to(const char *text, struct options *options, struct console *console)
{
    char names[100] = "";
    options->to = fpgz_sink_by_name(text);
    for (size_t i = 0; !options->to && fpgz_sink_row(i); i++) {
        const char *const separator = !i ? "" : fpgz_sink_row(i + 1) ? ", " : " and ";
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", separator, fpgz_sink_row(i)->name);
    }
    if (!options->to)
        message_error(console, FPGZ_USAGE, NULL, "--to %s: there are %s", *text ? text : "''", names);
    return options->to;
}

bool option_shard(const char *text, struct options *options, struct console *console)
{
    (void)console;
    return shard_parse(text, &options->batch.shard);
}
