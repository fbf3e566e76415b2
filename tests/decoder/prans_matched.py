# SPDX-License-Identifier: MIT
"""The format of matches of prans: tokens of literals and of earlier values, which inner streams tell."""
import math
import struct

from errors import know, need

DEEPEST = 7


def read_tokens(at, fields, values):
    """Yields for each token the number of literals, the length, the distance and whether the source is negated."""
    recent = [1, 2, 3, 4]
    for fresh, length, source in zip(*fields):
        place = source // 2
        distance = recent.pop(place) if place < 4 else place - 3
        recent = ([distance] + recent)[:4]
        at += fresh
        need(distance <= at, 'prans: a source before the chunk')
        need(at + length < values, 'prans: a match behind the chunk')
        yield fresh, length + 1, distance, source % 2
        at += length + 1


def decode(inner, stream, word_bytes, extents, parameters, kind):
    """inner: decodes a stream within."""
    values, bits = math.prod(extents), 8 * word_bytes
    know(stream[1] <= 1 and not stream[3], 'prans: an unknown kind of matches')
    need(stream[2] <= DEEPEST and len(stream) >= 32 and stream[4:8] == struct.pack('<I', 24), 'prans: bad matches')
    tokens, literals, *lengths = struct.unpack_from('<6I', stream, 8)
    need(0 < tokens <= values // 2 and 0 < literals <= values - tokens, 'prans: bad numbers of tokens or literals')
    need(sum(lengths) <= len(stream) - 32 and (stream[1] or sum(lengths) == len(stream) - 32), 'prans: streams of a wrong length')
    at = 32

    def row(length, width, count, dtype_kind):
        nonlocal at
        part = stream[at:at + length]
        at += length
        if length != count * width:
            part = inner(part, width, count, parameters, dtype_kind)
        code = {1: 'B', 2: 'H', 4: 'I', 8: 'Q'}[width]
        return struct.unpack(f'<{count}{code}', part)

    mask, top = 2**bits - 1, 2**(bits - 1)
    place = (lambda word: word ^ (mask if word & top else top)) if kind == 'f' else int
    word_of = (lambda place: place ^ (top if place & top else mask)) if kind == 'f' else int
    fresh = iter([place(word) for word in row(lengths[0], word_bytes, literals, kind)])
    fields = [row(length, 4, tokens, 'u') for length in lengths[1:]]
    differences = iter(row(len(stream) - at, word_bytes, values - literals, 'i') if stream[1] else [0] * (values - literals))
    y, depth = [], []
    for count, length, distance, negated in read_tokens(0, fields, values):
        need(count + len(y) + length <= values, 'prans: more than there is')
        y += [next(fresh, None) for _ in range(count)]
        need(count == 0 or y[-1] is not None, 'prans: more literals than there are')
        depth += [0] * count
        start = len(y) - distance
        for i in range(length):
            source = y[start + i % distance]
            if negated:
                source = mask - source if kind == 'f' else -source
            difference = next(differences, None)
            need(difference is not None, 'prans: more of matches than there is')
            y.append((source + difference) & mask)
            depth.append(depth[start + i % distance] + 1)
            need(depth[-1] <= stream[2], 'prans: sources of sources, too deep')
    y += fresh
    need(len(y) == values, 'prans: too few values')
    return b''.join(word_of(v).to_bytes(word_bytes, 'little') for v in y)
