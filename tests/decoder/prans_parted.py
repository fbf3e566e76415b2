# SPDX-License-Identifier: MIT
"""Streams of prans whose values stand in two parts, each a stream of bins of integers."""
import math
import struct

import prans_bins
from errors import need

PRODUCT, QUOTIENT, BITS, UNIT = range(4)


def place_of(real, bits):
    """The place among all numbers of a dtype."""
    if bits == 32:
        try:
            data = struct.pack('<f', real)
        except OverflowError:           # rounded to an infinity
            data = struct.pack('<f', math.copysign(math.inf, real))
    else:
        data = struct.pack('<d', real)
    return place_of_word(int.from_bytes(data, 'little'), bits)


def place_of_word(word, bits):
    return word ^ (2**bits - 1 if word >> bits - 1 else 1 << bits - 1)


def word_of(place, bits):
    return place ^ (1 << bits - 1 if place >> bits - 1 else 2**bits - 1)


def decode(stream, word_bytes, extents):
    need(len(stream) >= 16, 'prans: the stream is too short')
    parting, shift, first = stream[1], stream[2], int.from_bytes(stream[4:8], 'little')
    base, bits = struct.unpack_from('<d', stream, 8)[0], 8 * word_bytes
    need(parting <= UNIT and not stream[3], 'prans: an unknown way of parting')
    if parting == BITS:
        need(0 < shift < bits and stream[8:16] == bytes(8), 'prans: low bits out of range')
    else:
        need(not shift and 0 < base < math.inf, 'prans: a bad base')
        need(parting != UNIT or bits == 64, 'prans: singles of singles')
    need(first <= len(stream) - 16, 'prans: the first part is too long')
    parts, kind = [], 'u' if parting in (BITS, UNIT) else 'i'
    for part in (stream[16:16 + first], stream[16 + first:]):
        need(len(part) >= 8 and part[0] == 4, 'prans: a part is no stream of bins')
        words = prans_bins.decode(part, kind, word_bytes, extents)
        parts.append(struct.unpack(f'<{len(words) // word_bytes}{({4: "iI", 8: "qQ"}[word_bytes])[kind == "u"]}', words))
    result = []
    for integer, rest in zip(*parts):
        if parting == BITS:
            place = integer << shift
        elif parting == UNIT:
            single, = struct.unpack('<f', struct.pack('<I', word_of(integer % 2**32, 32)))
            place = place_of((single if math.isfinite(single) else 0.0) * base, bits)
        else:
            real = float(integer)       # rounded to nearest
            place = place_of(real * base if parting == PRODUCT else real / base, bits)
        result.append(word_of((place + rest) % 2**bits, bits))
    return struct.pack(f'<{len(result)}{"I" if word_bytes == 4 else "Q"}', *result)
