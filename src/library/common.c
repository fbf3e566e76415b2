/* SPDX-License-Identifier: MIT
 * Settings and events of fpgz.h, as jobs take them. */
#include "library/common.h"

#include <inttypes.h>

#include "core/cpu.h"

const char *fpgz_version(void)
{
    return FPGZ_RELEASE;
}

struct fpgz_error *fpgz_library_error(struct fpgz_error *error, struct fpgz_error *own)
{
    struct fpgz_error *const used = error ? error : own;
    used->status = FPGZ_OK;
    used->text[0] = '\0';
    return used;
}

enum fpgz_status fpgz_library_terms(const struct fpgz_settings *settings, struct fpgz_terms *terms,
                                    struct fpgz_error *error)
{
    const struct fpgz_settings none = {0}, *const s = settings ? settings : &none;
    struct fpgz_setup *const setup = &terms->setup;
    *terms = (struct fpgz_terms){0};
    *setup = (struct fpgz_setup){.level = s->level,
                                 .threads = s->threads,
                                 .chunk = s->chunk,
                                 .chunk_given = s->chunk,
                                 .memory = s->memory,
                                 .memory_given = s->memory,
                                 .max_error = FPGZ_NO_BOUND,
                                 .max_output = s->max_output};
    if (s->level < 0 || s->level > 9)
        return fpgz_fail(error, FPGZ_USAGE, "level %d: levels go from 1 to 9", s->level);
    if (s->chunk && (s->chunk < 1 << 10 || s->chunk > FPGZ_CHUNK_LIMIT))
        return fpgz_fail(error, FPGZ_USAGE, "chunk of %" PRIu64 " bytes: chunks have 1 KiB to 1 GiB",
                         s->chunk);
    if (s->codec && fpgz_codec_parse(s->codec, &setup->codec, &setup->params, error))
        return error->status;
    fpgz_setup_complete(setup);
    return FPGZ_OK;
}

static void warning(void *context, enum fpgz_warning kind, const char *name, const char *text)
{
    const struct fpgz_relay *relay = context;
    (void)kind, (void)name;
    if (relay->events->warning)
        relay->events->warning(relay->events->context, text);
}

/* What the command says without -v, a user of the library should know, too. */
static bool hears(void *context, int level)
{
    (void)context;
    return level <= 0;
}

static void notice(void *context, int level, const char *name, const char *text)
{
    (void)level;
    warning(context, FPGZ_WARNING_SKIPPED, name, text);
}

static bool progress(void *context, uint64_t raw, uint64_t stored)
{
    struct fpgz_relay *relay = context;
    relay->raw += raw;
    relay->stored += stored;
    return !relay->events->progress ||
           relay->events->progress(relay->events->context, relay->raw, relay->stored);
}

void fpgz_library_listen(struct fpgz_relay *relay, const struct fpgz_events *events, struct fpgz_terms *terms)
{
    *relay = (struct fpgz_relay){
        .events = events,
        .listener = {
            .context = relay, .warning = warning, .hears = hears, .notice = notice, .progress = progress}};
    terms->listener = events ? &relay->listener : NULL;
}
