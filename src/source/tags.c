/* SPDX-License-Identifier: MIT
 * Finds tags of XML, and attributes in them. */
#include "source/tags.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/io.h"

enum { WINDOW = 1 << 20 };

static const char *skip_space(const char *at, const char *limit)
{
    while (at < limit && isspace((unsigned char)*at))
        at++;
    return at;
}

static const char *skip_word(const char *at, const char *limit)
{
    while (at < limit && !isspace((unsigned char)*at) && !strchr("=/>", *at))
        at++;
    return at;
}

/* The end of the tag that begins at `at`: a ">" outside quotes; NULL where it has none. */
static const char *find_end(const char *at, const char *limit)
{
    char quote = 0;
    for (; at < limit; at++)
        if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
        else if (*at == '>')
            return at;
    return NULL;
}

bool fpgz_tag_next(struct fpgz_tag *tag, const char *limit)
{
    static const char comment[] = "<!--";
    for (const char *at = tag->end; (at = memchr(at, '<', (size_t)(limit - at)));) {
        const bool quiet = (size_t)(limit - at) > 4 && !memcmp(at, comment, 4);
        const char *end = quiet ? memmem(at + 4, (size_t)(limit - at - 4), "-->", 3) : find_end(at, limit);
        if (!end)
            return false;
        end += quiet ? 2 : 0;
        tag->name = at + 1;
        tag->last = end;
        tag->end = at = end + 1;
        tag->rest = skip_word(tag->name, end);
        tag->name_length = (size_t)(tag->rest - tag->name);
        if (!quiet && tag->name_length && !strchr("!?", *tag->name))
            return true;
    }
    return false;
}

bool fpgz_tags_begin(struct fpgz_tags *tags, int fd, uint64_t size)
{
    const size_t room = fpgz_min(size, WINDOW);
    *tags = (struct fpgz_tags){.fd = fd, .size = size, .window = malloc(room + 1), .room = room};
    if (tags->window)
        fpgz_tags_go(tags, 0);
    return tags->window;
}

bool fpgz_tags_next(struct fpgz_tags *tags)
{
    const char *limit = tags->window + tags->held;
    while (!fpgz_tag_next(&tags->tag, limit)) {
        const char *const at = memchr(tags->tag.end, '<', (size_t)(limit - tags->tag.end));
        if (at == tags->window || !tags->held || tags->from + tags->held >= tags->size)
            return false;
        fpgz_tags_go(tags, fpgz_tags_offset(tags, at ? at : limit));
        limit = tags->window + tags->held;
    }
    return true;
}

uint64_t fpgz_tags_offset(const struct fpgz_tags *tags, const char *at)
{
    return tags->from + (uint64_t)(at - tags->window);
}

void fpgz_tags_go(struct fpgz_tags *tags, uint64_t offset)
{
    if (offset < tags->from || offset >= tags->from + tags->held) {
        tags->from = offset;
        if (!fpgz_read_at(tags->fd, tags->window, tags->room, offset, &tags->held))
            tags->held = 0;
    }
    tags->tag.end = tags->window + (offset - tags->from);
}

void fpgz_tags_free(struct fpgz_tags *tags)
{
    free(tags->window);
    tags->window = NULL;
}

bool fpgz_tag_named(const struct fpgz_tag *tag, const char *name)
{
    return fpgz_tag_is((struct fpgz_tag_value){tag->name, tag->name_length}, name);
}

struct fpgz_tag_value fpgz_tag_value(const struct fpgz_tag *tag, const char *name)
{
    const struct fpgz_tag_value none = {NULL, 0};
    const char *at = skip_space(tag->rest, tag->last);
    while (at < tag->last) {
        const char *const key = at, *const key_end = skip_word(at, tag->last);
        at = skip_space(key_end, tag->last);
        if (at == tag->last || *at != '=')
            return none;
        at = skip_space(at + 1, tag->last);
        const char *const close = at < tag->last && (*at == '"' || *at == '\'')
                                      ? memchr(at + 1, *at, (size_t)(tag->last - at - 1))
                                      : NULL;
        if (!close)
            return none;
        if (fpgz_tag_is((struct fpgz_tag_value){key, (size_t)(key_end - key)}, name))
            return (struct fpgz_tag_value){at + 1, (size_t)(close - at - 1)};
        at = skip_space(close + 1, tag->last);
    }
    return none;
}

bool fpgz_tag_is(struct fpgz_tag_value value, const char *text)
{
    return value.text && value.length == strlen(text) && !memcmp(value.text, text, value.length);
}

bool fpgz_tag_count(struct fpgz_tag_value value, uint64_t *count)
{
    const char *at = value.text, *const end = at ? at + value.length : NULL;
    at = at ? skip_space(at, end) : NULL;
    const char *const first = at;
    for (*count = 0; at < end && isdigit((unsigned char)*at); at++)
        if (!fpgz_mul(*count, 10, count) || !fpgz_add(*count, (uint64_t)(*at - '0'), count))
            return false;
    return at != first && skip_space(at, end) == end;
}
