/* SPDX-License-Identifier: MIT
 * File formats by their first bytes, a row each. The first row that matches counts. */
#include "source/signature.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "core/bytes.h"
#include "core/io.h"
#include "core/text.h"

enum { FRONT = 4096 }; /* bytes that are looked at */

#define AT(offset, bytes) offset, bytes, sizeof bytes - 1

static const struct {
    unsigned offset;
    const char *bytes;
    size_t length;
    const char *words;
    bool compressed;
} known[] = {
    {AT(0, "\x0e\x03\x13\x01"), "an HDF4 file", false},
    {AT(0, "BUFR"), "a BUFR file", false},
    {AT(0, "MATLAB 5.0 MAT-file"), "a MATLAB 5 file", false},
    {AT(0, "PAR1"), "a Parquet file", false},
    {AT(0, "ARROW1"), "an Arrow file", false},
    {AT(0, "SQLite format 3"), "an SQLite database", false},
    {AT(0, "\211FPG\r\n\x1a\n"), "an fpgz container", true},
    {AT(0, "\x1f\x8b\x08"), "a gzip file", true},
    {AT(0, "\3757zXZ\0"), "an xz file", true},
    {AT(0, "\x28\xb5\x2f\xfd"), "a zstd file", true},
    {AT(0, "BZh"), "a bzip2 file", true},
    {AT(0, "\x04\x22\x4d\x18"), "an LZ4 file", true},
    {AT(0, "7z\xbc\xaf\x27\x1c"), "a 7-Zip archive", true},
    {AT(257, "ustar"), "a tar archive", false},
    {AT(0, "\x89PNG\r\n\x1a\n"), "a PNG image", true},
    {AT(0, "\xff\xd8\xff"), "a JPEG image", true},
    {AT(0, "GIF8"), "a GIF image", true},
    {AT(0, "II*\0"), "a TIFF image", false},
    {AT(0, "MM\0*"), "a TIFF image", false},
    {AT(0, "II+\0"), "a TIFF image", false},
    {AT(0, "%PDF-"), "a PDF document", true},
    {AT(0, "\177ELF"), "a program or library (ELF)", false},
};

/* UTF-8 without control characters other than those of text. The last character may be cut off. */
static bool is_text(const char *front, size_t got)
{
    unsigned code;
    const size_t end = got == FRONT ? (size_t)fpgz_text_fit(front, got) : got;
    if (memchr(front, '\0', got))
        return false;
    for (size_t at = 0; at < end;) {
        const unsigned length = fpgz_text_character(front + at, &code);
        if (!length || ((code < 0x20 || code == 0x7F) && !strchr("\t\n\r\f\b\x1b", (int)code)))
            return false;
        at += length;
    }
    return got > 0;
}

/* Whether the name is that of an HDF5 file, for content that does not begin as one. */
static bool is_named_hdf5(const char *name)
{
    static const char *const suffixes[] = {".h5", ".hdf5", ".he5", ".hdf", ".nc", ".nc4"};
    const char *const dot = name ? strrchr(name, '.') : NULL;
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
        if (!strcasecmp(dot, suffixes[i]))
            return true;
    return false;
}

const char *fpgz_signature(int fd, uint64_t start, const char *name, bool *compressed)
{
    char front[FRONT + 1];
    size_t got;
    *compressed = false;
    if (!fpgz_read_at(fd, front, FRONT, start, &got))
        return NULL;
    front[got] = '\0';
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].offset + known[i].length <= got &&
            !memcmp(front + known[i].offset, known[i].bytes, known[i].length)) {
            *compressed = known[i].compressed;
            return known[i].words;
        }
    if (is_text(front, got))
        return "text";
    return is_named_hdf5(name) && got
               ? "a part of an HDF5 file that is split into several (its name is one of HDF5, and it "
                 "does not begin as one)"
               : NULL;
}
