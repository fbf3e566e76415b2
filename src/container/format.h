/* SPDX-License-Identifier: MIT
 * The container's records (fpgz.5) and their bytes. */
#ifndef FPGZ_CONTAINER_FORMAT_H
#define FPGZ_CONTAINER_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/codec.h"
#include "core/content.h"
#include "core/grid.h"
#include "core/status.h"

#define FPGZ_MAGIC                                                                                           \
    "\x89"                                                                                                   \
    "FPG\r\n\x1a\n"
#define FPGZ_MARKER                                                                                          \
    "\xF5"                                                                                                   \
    "FGS"

enum {
    FPGZ_VERSION = 1,
    FPGZ_VERSION_COMPACT = 3, /* compact members (compact.h); 2 is refused for ever */
    FPGZ_HEADER_BYTES = 16,
    FPGZ_SECTION_BYTES = 40,         /* of a section's header, without its head */
    FPGZ_MAX_HEAD_BYTES = 64 << 10,  /* a longer head is refused before memory is taken */
    FPGZ_MAX_TABLE_BYTES = 64 << 20, /* of the bodies of all array sections of a member, or of its table */
    FPGZ_MAX_ARRAYS = 1 << 20,       /* in a table */
    FPGZ_INDEX_RATIO = 16,      /* the numbers of a coded index are not longer than so many times its body */
    FPGZ_MAX_NAME_BYTES = 4096, /* of an array */
    FPGZ_MAX_ARRAY_BYTES = 8 << 10, /* of the table in the head of a file section */
    FPGZ_END_BYTES = FPGZ_SECTION_BYTES + 40,
    FPGZ_SHORT_END_BYTES = FPGZ_SECTION_BYTES + 12,
    FPGZ_SHORT_SECTIONS = 8, /* that a short end may follow */
    FPGZ_LAYOUT_COPY = 6,    /* the layout that a table of arrays tells of a copy, before that of its place */
};

enum fpgz_section_type {
    FPGZ_SECTION_FILE = 1,
    FPGZ_SECTION_ARRAY = 2,
    FPGZ_SECTION_CHUNK = 3,
    FPGZ_SECTION_INDEX = 5,
    FPGZ_SECTION_END = 6,
    FPGZ_SECTION_ARRAYS = 7, /* the table of all arrays */
    FPGZ_SECTION_CODED_INDEX = 8,
    FPGZ_SECTION_CODED_CHUNK = 10,    /* in containers alone: FPGZ_SECTION_CHUNK, coded */
    FPGZ_SECTION_SHORT_END = 11,      /* without an index before it */
    FPGZ_SECTION_MAY_SKIP = 0x8000,   /* from here on: a reader skips those that it does not know */
    FPGZ_SECTION_ATTRIBUTES = 0x8001, /* of an array */
    FPGZ_SECTION_XATTRS = 0x8002,     /* extended ones, of the file */
};

/* A section's header and head, as they stand in the container and again in the index. */
struct fpgz_section {
    uint16_t type;
    bool coded;      /* FPGZ_SECTION_CHUNK: its head is made of numbers (FPGZ_SECTION_CODED_CHUNK) */
    uint32_t number; /* of the section in its member, from 0 */
    uint64_t body_length, body_checksum;
    uint64_t check;  /* of header and head */
    uint64_t offset; /* of the header, from the member's start */
    size_t head_length;
    uint8_t bytes[FPGZ_SECTION_BYTES + FPGZ_MAX_HEAD_BYTES]; /* header and head */
};

/* Where the head's bytes begin in `bytes`. */
static inline const uint8_t *fpgz_section_head(const struct fpgz_section *section)
{
    return section->bytes + FPGZ_SECTION_BYTES;
}

static inline bool fpgz_section_is_index(const struct fpgz_section *section)
{
    return section->type == FPGZ_SECTION_INDEX || section->type == FPGZ_SECTION_CODED_INDEX;
}

static inline bool fpgz_section_is_end(const struct fpgz_section *section)
{
    return section->type == FPGZ_SECTION_END || section->type == FPGZ_SECTION_SHORT_END;
}

/* Flags of a file whose image has another size, and of one whose table of arrays is in its head. */
enum { FPGZ_FILE_HAS_IMAGE = 8, FPGZ_FILE_HAS_TABLE = 16 };

struct fpgz_file_head {
    uint8_t kind; /* core/content.h */
    bool has_mode, has_mtime;
    bool scattered; /* the chunks do not bring the file's bytes in their order */
    uint32_t mode;  /* permission bits */
    uint64_t size;  /* bytes, or FPGZ_UNKNOWN */
    uint64_t image; /* bytes of its image (core/image.h), which without one is the file */
    int64_t mtime;  /* seconds since 1970 */
    uint32_t mtime_ns;
    char name[256];       /* without directories; empty when it has none */
    const uint8_t *table; /* of a raw file: the table of its array, of table_length bytes; unpacked ones point
                             into the section. Without one the table is a section. */
    size_t table_length;
};

struct fpgz_array_head {
    uint32_t number;
    struct fpgz_part part;  /* without name and place */
    uint64_t pieces;        /* FPGZ_PIECES: pieces that the file has */
    uint64_t file_offset;   /* of its first byte */
    uint64_t largest_chunk; /* no chunk has more raw bytes */
    uint32_t source;        /* of a copy: 1 + the number of the array that it is one of; else 0 */
    const char *name;       /* of name_length bytes, none of them 0; unpacked ones point into the section */
    size_t name_length;
};

struct fpgz_chunk_head {
    uint32_t array;
    uint16_t codec;
    unsigned param_count;
    struct fpgz_params params;
    uint64_t number; /* of the chunk in its array */
    uint64_t first;  /* index of its first value in its array, row-major */
    uint64_t raw_checksum;
    struct fpgz_grid grid; /* as it was coded; the dtype is the array's and not stored */
    bool has_errors;       /* of a lossy codec: the largest differences from the original values */
    double absolute_error;
    double relative_error; /* to the original's magnitude; originals of 0 do not count */
};

/* Of the table of arrays. */
struct fpgz_arrays_head {
    uint32_t bytes; /* of the table, unpacked */
};

/* Of a coded index. */
struct fpgz_coded_head {
    uint32_t bytes;   /* of its numbers, unpacked */
    uint32_t checks;  /* that stand before the numbers, 8 bytes each ... */
    uint32_t reserve; /* ... and behind them this many bytes: the body of the table of arrays, or none */
};

struct fpgz_end_head {
    uint64_t index_offset;  /* of the index section, from the member's start; 0: there is none, */
    uint64_t member_length; /* from the header's first to the end section's last byte */
    uint64_t raw_bytes;     /* and this is unknown */
    uint64_t content_check; /* over the checks of all sections before and, without an index, member_length */
    uint64_t sections;      /* before this one */
};

/* The number of a part's layout in containers ... */
unsigned fpgz_layout_id(const struct fpgz_part *part);

/* ... and back, with dtype and order; some are in tables of arrays alone. False, with FPGZ_UNSUPPORTED, where
 * one of the three is unknown. */
bool fpgz_layout_set(struct fpgz_part *part, uint64_t dtype, uint64_t layout, uint64_t order, bool table,
                     struct fpgz_error *error);

/* Whether a copy may have this layout itself. */
bool fpgz_layout_copied(uint64_t layout);

/* The 16 bytes that a member begins with. */
void fpgz_pack_header(uint8_t bytes[FPGZ_HEADER_BYTES], unsigned version);
enum fpgz_status fpgz_unpack_header(const uint8_t bytes[FPGZ_HEADER_BYTES], unsigned *version,
                                    struct fpgz_error *error);

/* Completes `section`: header and check. Type, number, body fields, offset, head_length and the head's
 * bytes are set already. */
void fpgz_pack_section(struct fpgz_section *section);

/* The length of the head, from 40 bytes of header. FPGZ_CORRUPT when no section begins here. */
enum fpgz_status fpgz_unpack_head_length(const uint8_t *bytes, size_t *head_length, struct fpgz_error *error);

/* Reads header and head in section->bytes (head_length is set) into the other fields; verifies the check. */
enum fpgz_status fpgz_unpack_section(struct fpgz_section *section, struct fpgz_error *error);

/* Begins a head of `length` bytes, all of them 0, behind the bytes of a section's header. */
uint8_t *fpgz_head_begin(struct fpgz_section *section, enum fpgz_section_type type, size_t length);

/* FPGZ_CORRUPT: the fields of the section's head contradict each other. */
enum fpgz_status fpgz_head_bad(const struct fpgz_section *section, struct fpgz_error *error);

/* Each packs its head behind the bytes of a section's header, and sets type and head_length ... */
void fpgz_pack_file(const struct fpgz_file_head *head, struct fpgz_section *section);
void fpgz_pack_arrays(const struct fpgz_arrays_head *head, struct fpgz_section *section);
void fpgz_pack_chunk(const struct fpgz_chunk_head *head, bool coded, struct fpgz_section *section);
void fpgz_pack_attributes(uint32_t array, struct fpgz_section *section);
void fpgz_pack_xattrs(struct fpgz_section *section);
void fpgz_pack_coded(const struct fpgz_coded_head *head, struct fpgz_section *section);
void fpgz_pack_end(const struct fpgz_end_head *head, struct fpgz_section *section);

/* ... or reads it back and checks every field against its range. has_kind() tells which kinds of files are
 * known beside FPGZ_KIND_RAW. The caller sets a chunk's dtype. */
enum fpgz_status fpgz_unpack_file(const struct fpgz_section *section, bool (*has_kind)(unsigned kind),
                                  struct fpgz_file_head *head, struct fpgz_error *error);
enum fpgz_status fpgz_unpack_array(const struct fpgz_section *section, struct fpgz_array_head *head,
                                   struct fpgz_error *error);
enum fpgz_status fpgz_unpack_arrays(const struct fpgz_section *section, struct fpgz_arrays_head *head,
                                    struct fpgz_error *error);
enum fpgz_status fpgz_unpack_coded(const struct fpgz_section *section, struct fpgz_coded_head *head,
                                   struct fpgz_error *error);
enum fpgz_status fpgz_unpack_chunk(const struct fpgz_section *section, struct fpgz_chunk_head *head,
                                   struct fpgz_error *error);
enum fpgz_status fpgz_unpack_attributes(const struct fpgz_section *section, uint32_t *array,
                                        struct fpgz_error *error);
/* For a section without fields: checks that it stands behind the file section. */
enum fpgz_status fpgz_unpack_xattrs(const struct fpgz_section *section, struct fpgz_error *error);
enum fpgz_status fpgz_unpack_end(const struct fpgz_section *section, struct fpgz_end_head *head,
                                 struct fpgz_error *error);

#endif
