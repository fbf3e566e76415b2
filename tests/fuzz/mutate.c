/* SPDX-License-Identifier: MIT
 * Changes containers by their structure: a field, a body, or the order of sections, whose numbers, index and
 * end are then mostly made to fit again (checksums are made right by hostile.c), so that what reads them is
 * reached. */
#include <string.h>

#include "container/format.h"
#include "core/bytes.h"
#include "fuzz.h"

enum { MOST_PARTS = 256, OFFSET_BYTES = 8, MOST_GROWTH = 64, COPY_BYTES = 1 << 17 };

/* A section, or the header of a member, or a compact one. */
struct part {
    size_t at, size;
    bool header;
};

/* libFuzzer's own, where that is linked. */
size_t __attribute__((weak)) LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static uint64_t state;

static size_t random_below(size_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((state >> 33) % limit);
}

/* Bytes of what begins with a header: up to the next one where it is a compact member. */
static size_t header_size(const uint8_t *data, size_t left)
{
    if (fpgz_load16(data + 8) != FPGZ_VERSION_COMPACT)
        return FPGZ_HEADER_BYTES;
    const uint8_t *const next = memmem(data + FPGZ_HEADER_BYTES, left - FPGZ_HEADER_BYTES, FPGZ_MAGIC, 8);
    return next ? (size_t)(next - data) : left;
}

static size_t parse(const uint8_t *data, size_t size, struct part *part)
{
    size_t count = 0;
    for (size_t at = 0; at < size && count < MOST_PARTS; at += part[count++].size) {
        const size_t left = size - at;
        if (left >= FPGZ_HEADER_BYTES && !memcmp(data + at, FPGZ_MAGIC, 4)) {
            part[count] = (struct part){at, header_size(data + at, left), true};
            continue;
        }
        if (left < FPGZ_SECTION_BYTES || fpgz_load32(data + at + 4) > left - FPGZ_SECTION_BYTES)
            break;
        const size_t head = FPGZ_SECTION_BYTES + fpgz_load32(data + at + 4);
        part[count] = (struct part){at, head + fpgz_min(fpgz_load64(data + at + 24), left - head), false};
    }
    return count;
}

/* Sets a number of 1, 2, 4 or 8 bytes to one that is often at a limit. */
static void change_number(uint8_t *at, size_t left, size_t size)
{
    static const uint64_t limits[] = {0,
                                      1,
                                      2,
                                      4,
                                      0x7F,
                                      0x80,
                                      0xFF,
                                      0xFFFF,
                                      1 << 16,
                                      1 << 20,
                                      UINT32_MAX,
                                      UINT64_C(1) << 40,
                                      INT64_MAX,
                                      UINT64_C(1) << 63,
                                      UINT64_MAX - 1,
                                      UINT64_MAX};
    size_t width = (size_t)1 << random_below(4);
    while (width > left)
        width /= 2;
    uint64_t value = 0;
    memcpy(&value, at, width);
    switch (random_below(6)) {
    case 0:
        value++;
        break;
    case 1:
        value--;
        break;
    case 2:
        value ^= UINT64_C(1) << random_below(8 * width);
        break;
    case 3:
        value = random_below(size + 1);
        break;
    default:
        value = limits[random_below(sizeof limits / sizeof *limits)];
    }
    memcpy(at, &value, width);
}

/* Changes a number in the header, the head or the body of a section. */
static void change_field(uint8_t *section, const struct part *part, size_t size)
{
    const size_t head = part->header ? part->size : FPGZ_SECTION_BYTES + fpgz_load32(section + 4);
    const size_t kind = random_below(8);
    size_t first = part->header ? 8 : FPGZ_SECTION_BYTES, end = head;
    if (kind == 0) {
        first = part->header ? 0 : 16; /* type, flags, number, length of the body */
        end = part->header ? head : FPGZ_SECTION_BYTES;
    } else if (kind < 4 && part->size > head) {
        first = head;
        end = part->size;
    }
    if (first < end) {
        const size_t at = first + random_below(end - first);
        change_number(section + at, end - at, size);
    }
}

/* Sections that were emitted, and where their member begins. */
struct emitted {
    size_t start, at[MOST_PARTS], count, index;
};

/* The body of an index of what was emitted, at `body`; returns its length, or 0 where there is no room. */
static size_t list_sections(const struct emitted *e, const uint8_t *out, uint8_t *body, size_t room)
{
    size_t length = 0;
    for (size_t i = 0; i < e->count; i++) {
        const size_t size = FPGZ_SECTION_BYTES + fpgz_load32(out + e->at[i] + 4);
        if (room - length < OFFSET_BYTES + size)
            return 0;
        fpgz_store64(body + length, e->at[i] - e->start);
        memcpy(body + length + OFFSET_BYTES, out + e->at[i], size);
        length += OFFSET_BYTES + size;
    }
    return length;
}

/* Makes a section that was just copied to out[at, at + size) fit those before it; returns its new size. */
static size_t fit(struct emitted *e, uint8_t *out, size_t at, size_t size, size_t room)
{
    uint8_t *const section = out + at, *const head = section + FPGZ_SECTION_BYTES;
    const unsigned type = fpgz_load16(section + 16);
    fpgz_store32(section + 20, (uint32_t)(e->count + (type == FPGZ_SECTION_END)));
    if (type == FPGZ_SECTION_CODED_INDEX)
        e->index = at;
    if (type == FPGZ_SECTION_INDEX || (type == FPGZ_SECTION_CODED_INDEX && random_below(2))) {
        fpgz_store16(section + 16, FPGZ_SECTION_INDEX); /* a coded one cannot be made to fit */
        const size_t length = list_sections(e, out, head, room - FPGZ_SECTION_BYTES);
        fpgz_store32(section + 4, 0);
        fpgz_store64(section + 24, length);
        e->index = at;
        return FPGZ_SECTION_BYTES + length;
    }
    if (type == FPGZ_SECTION_END && size >= FPGZ_END_BYTES) {
        fpgz_store64(head, e->index - e->start);
        fpgz_store64(head + 8, at + size - e->start);
        fpgz_store64(head + 32, e->count + 1);
    } else if (type == FPGZ_SECTION_SHORT_END && size >= FPGZ_SHORT_END_BYTES) {
        fpgz_store32(head + 8, (uint32_t)(at + size - e->start));
    } else if (type != FPGZ_SECTION_CODED_INDEX && e->count < MOST_PARTS) {
        e->at[e->count++] = at;
    }
    return size;
}

/* Puts the parts one behind the other; with `fitting`, their numbers, indexes and ends are made to fit. */
static size_t emit(const uint8_t *data, const struct part *part, size_t count, bool fitting, uint8_t *out,
                   size_t room)
{
    static struct emitted e;
    size_t at = 0;
    e.start = e.count = e.index = 0;
    for (size_t i = 0; i < count && part[i].size <= room - at; i++) {
        memcpy(out + at, data + part[i].at, part[i].size);
        if (part[i].header) {
            e.start = at;
            e.count = 0;
            at += part[i].size;
        } else {
            at += fitting ? fit(&e, out, at, part[i].size, room - at) : part[i].size;
        }
    }
    return at;
}

/* Takes a part away, doubles it, or moves it. Returns how many there are then. */
static size_t rearrange(struct part *part, size_t count)
{
    const size_t from = random_below(count), to = random_below(count), kind = random_below(3);
    const struct part moved = part[from];
    if (kind < 2 && count > 1) {
        memmove(part + from, part + from + 1, (count - from - 1) * sizeof *part);
        count--;
    }
    if (kind > 0 && count < MOST_PARTS) {
        const size_t place = to < count ? to : count;
        memmove(part + place + 1, part + place, (count - place) * sizeof *part);
        part[place] = moved;
        count++;
    }
    return count;
}

/* Makes the body of a section longer or shorter, and its head say so. */
static size_t resize(uint8_t *data, size_t size, size_t room, const struct part *part)
{
    const size_t by = 1 + random_below(MOST_GROWTH), end = part->at + part->size;
    uint8_t *const section = data + part->at;
    if (part->header)
        return size;
    const size_t body = part->size - FPGZ_SECTION_BYTES - fpgz_load32(section + 4);
    if (random_below(2) && size + by <= room) {
        memmove(data + end + by, data + end, size - end);
        memset(data + end, (int)random_below(256), by);
        fpgz_store64(section + 24, body + by);
        return size + by;
    }
    if (by > body)
        return size;
    memmove(data + end - by, data + end, size - end);
    fpgz_store64(section + 24, body - by);
    return size - by;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static struct part part[MOST_PARTS + 1];
    static uint8_t copy[COPY_BYTES];
    state = seed;
    random_below(2);
    size_t count = parse(data, size, part);
    if (!count || size > sizeof copy || random_below(8) == 0)
        return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, max_size) : size;
    const struct part *const one = &part[random_below(count)];
    const size_t kind = random_below(8);
    if (kind == 0)
        size = resize(data, size, max_size, one);
    else if (kind < 6)
        change_field(data + one->at, one, size);
    count = parse(data, size, part);
    if (kind >= 6 && count)
        count = rearrange(part, count);
    if (!count || size > sizeof copy)
        return size;
    memcpy(copy, data, size);
    size = emit(copy, part, count, random_below(4) != 0, data, max_size);
    if (random_below(4) == 0 && (count = parse(data, size, part))) { /* what fits is changed again */
        const struct part *const other = &part[random_below(count)];
        change_field(data + other->at, other, size);
    }
    return size ? size : 1;
}
