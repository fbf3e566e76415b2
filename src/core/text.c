/* SPDX-License-Identifier: MIT
 * Which bytes form characters, and which of these must not reach a terminal. */
#include "core/text.h"

#include <string.h>

unsigned fpgz_text_character(const char *text, unsigned *code)
{
    static const struct {
        unsigned char from, to, low, high; /* of the first byte, and of the second */
        unsigned length;
    } known[] = {{0x00, 0x7F, 0x00, 0x00, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
                 {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
                 {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    const unsigned char *const s = (const unsigned char *)text;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const unsigned length = known[i].length;
        if (s[0] < known[i].from || s[0] > known[i].to)
            continue;
        if (length > 1 && (s[1] < known[i].low || s[1] > known[i].high))
            return 0;
        *code = length > 1 ? s[0] & (0x7Fu >> length) : s[0];
        for (unsigned b = 1; b < length; b++) {
            if ((s[b] & 0xC0) != 0x80)
                return 0;
            *code = *code << 6 | (s[b] & 0x3F);
        }
        return length;
    }
    return 0;
}

bool fpgz_text_steers(unsigned code)
{
    return code < 0x20 || (code >= 0x7F && code <= 0x9F) ||      /* C0, DEL, C1 */
           code == 0x061C || code == 0x200E || code == 0x200F || /* marks of direction */
           (code >= 0x2028 && code <= 0x202E) || /* ends of lines and paragraphs, embeddings */
           (code >= 0x2066 && code <= 0x2069);   /* isolates */
}

int fpgz_text_fit(const char *text, size_t most)
{
    const size_t length = strnlen(text, most);
    for (size_t back = 1; length == most && back <= 3 && back <= length; back++) {
        const unsigned char lead = (unsigned char)text[length - back];
        if (lead >= 0xC0)
            return (int)(back < (lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4) ? length - back : length);
        if (lead < 0x80)
            break;
    }
    return (int)length;
}

const char *fpgz_text_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
