/* SPDX-License-Identifier: MIT
 * Goes through the messages of an object header of version 1 or 2. What is not understood is left to the
 * library. */
#include "source/hdf5_header.h"

#include <string.h>

#include "core/bytes.h"
#include "core/io.h"

enum { MOST_BYTES = 1024, PREFIX_1 = 16, MESSAGE_1 = 8, PREFIX_2 = 6, CHECKSUM_2 = 4 };

/* Types of messages. */
enum {
    NIL = 0,
    DATASPACE = 1,
    DATATYPE = 3,
    FILL_OLD = 4,
    FILL = 5,
    LAYOUT = 8,
    ATTRIBUTE = 12,
    TIME_OLD = 14
};
enum { TIME = 18, ATTRIBUTE_INFO = 21, REFERENCES = 22 };

/* Those of them that may be there. */
#define BIT(type) (1u << (type))
#define ALLOWED                                                                                              \
    (BIT(NIL) | BIT(DATASPACE) | BIT(DATATYPE) | BIT(FILL_OLD) | BIT(FILL) | BIT(LAYOUT) | BIT(ATTRIBUTE) |  \
     BIT(TIME_OLD) | BIT(TIME) | BIT(ATTRIBUTE_INFO) | BIT(REFERENCES))

enum { SHARED = 2 };                             /* a flag of a message that stands elsewhere */
enum { CONTIGUOUS = 1, LAYOUT_BYTES = 18 };      /* a layout: version, class, offset, bytes */
enum { TIMES = 0x20, PHASES = 0x10, ORDER = 4 }; /* flags of a header of version 2: fields that it has */

/* The messages of a header. */
struct messages {
    const uint8_t *at, *end;
    size_t order; /* of version 2: bytes before the data that number the message */
    bool old;     /* version 1 */
};

static bool begin(const uint8_t *bytes, size_t length, struct messages *m)
{
    m->old = length > PREFIX_1 && bytes[0] == 1;
    if (m->old) {
        *m = (struct messages){bytes + PREFIX_1, bytes + length, 0, true};
        return fpgz_load32(bytes + 8) == length - PREFIX_1;
    }
    if (length < PREFIX_2 || memcmp(bytes, "OHDR\2", 5) != 0)
        return false;
    const unsigned flags = bytes[5];
    const size_t prefix =
        PREFIX_2 + (flags & TIMES ? 16 : 0) + (flags & PHASES ? 4 : 0) + ((size_t)1 << (flags & 3));
    *m = (struct messages){bytes + prefix, bytes + length - CHECKSUM_2, flags & ORDER ? 2 : 0, false};
    return length > prefix + CHECKSUM_2;
}

struct message {
    unsigned type, flags;
    const uint8_t *data;
    size_t length;
};

/* The next message; false behind the last one, or where it is cut. */
static bool next(struct messages *m, struct message *message)
{
    const size_t head = m->old ? MESSAGE_1 : 4 + m->order, left = (size_t)(m->end - m->at);
    if (left < head)
        return false;
    message->type = m->old ? fpgz_load16(m->at) : m->at[0];
    message->length = fpgz_load16(m->at + (m->old ? 2 : 1));
    message->flags = m->at[m->old ? 4 : 3];
    message->data = m->at + head;
    m->at += head + (message->length <= left - head ? message->length : 0);
    return message->length <= left - head;
}

/* Appends a message to the key. */
static bool add_key(struct fpgz_hdf5_header *header, const struct message *message)
{
    if (message->length + 3 > sizeof header->key - header->key_length)
        return false;
    uint8_t *const to = header->key + header->key_length;
    to[0] = (uint8_t)message->type;
    fpgz_store16(to + 1, (uint16_t)message->length);
    memcpy(to + 3, message->data, message->length);
    header->key_length += message->length + 3;
    return true;
}

static bool take_layout(const struct message *message, struct fpgz_hdf5_header *header)
{
    const uint8_t *const data = message->data;
    if (message->length < LAYOUT_BYTES || (data[0] != 3 && data[0] != 4) || data[1] != CONTIGUOUS)
        return false;
    header->offset = fpgz_load64(data + 2);
    header->bytes = fpgz_load64(data + 10);
    return header->bytes > 0;
}

bool fpgz_hdf5_header_read(int fd, uint64_t size, uint64_t at, uint64_t length,
                           struct fpgz_hdf5_header *header)
{
    uint8_t bytes[MOST_BYTES];
    struct messages messages;
    struct message message;
    unsigned seen = 0;
    size_t got;
    uint64_t end;
    if (length > sizeof bytes || !fpgz_read_at(fd, bytes, length, at, &got) || got < length ||
        !begin(bytes, length, &messages))
        return false;
    header->key_length = 0;
    while (next(&messages, &message)) {
        const unsigned needed = BIT(DATASPACE) | BIT(DATATYPE) | BIT(LAYOUT);
        if (message.type >= 32 || !(ALLOWED & BIT(message.type)))
            return false;
        if (!(needed & BIT(message.type)))
            continue;
        if (seen & BIT(message.type) || message.flags & SHARED ||
            !(message.type == LAYOUT ? take_layout(&message, header) : add_key(header, &message)))
            return false;
        seen |= BIT(message.type);
    }
    return seen == (BIT(DATASPACE) | BIT(DATATYPE) | BIT(LAYOUT)) &&
           fpgz_add(header->offset, header->bytes, &end) && end <= size;
}

const struct fpgz_array *fpgz_hdf5_known_find(const struct fpgz_hdf5_known *known,
                                              const struct fpgz_hdf5_header *header)
{
    for (unsigned i = 0; i < FPGZ_HDF5_KNOWN; i++) {
        const struct fpgz_hdf5_header *const other = &known->header[i];
        if (header->bytes == other->bytes && header->key_length == other->key_length &&
            !memcmp(header->key, other->key, header->key_length))
            return &known->array[i];
    }
    return NULL;
}

void fpgz_hdf5_known_add(struct fpgz_hdf5_known *known, const struct fpgz_hdf5_header *header,
                         const struct fpgz_array *array, uint64_t offset)
{
    uint64_t bytes;
    if (offset != header->offset || !fpgz_extents_bytes(array->dtype, array->extent, array->dims, &bytes) ||
        bytes != header->bytes)
        return;
    known->header[known->next] = *header;
    known->array[known->next] = *array;
    known->next = (known->next + 1) % FPGZ_HDF5_KNOWN;
}
