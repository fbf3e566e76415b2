# SPDX-License-Identifier: MIT
"""prans: value domains, prediction and rANS. The first byte of a stream tells its format."""
import math
import struct

import prans_bins
import prans_high
import prans_lifted
import prans_matched
import prans_middle
import prans_parted
import prans_plateaus
from errors import know, need

FORMATS = {1: prans_middle.decode, 2: prans_high.decode}
BINS, LIFTED, MATCHED, PARTED, APART, RANKED, PERIODIC, SYMMETRIC, PLATEAUS, AKIN, SCALED, SUMMED = 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
PARTS = APART, SYMMETRIC, SCALED, PERIODIC, PLATEAUS, SUMMED    # which stand around others
ROWS = bytes((PERIODIC, 1))     # by a period of the fastest axis


def decode(stream, word_bytes, extents, parameters, dtype_kind='f'):
    """dtype_kind: 'f', floating-point numbers; 'i', signed integers; 'u', unsigned ones."""
    need(len(parameters) == 2 and 1 <= parameters[0] <= 2 and parameters[1] <= 1, 'prans: parameters out of range')
    need(len(stream) >= 8, 'prans: the stream is too short')
    know(stream[0] in (*FORMATS, 3, BINS, LIFTED, MATCHED, PARTED, APART, RANKED, PERIODIC, SYMMETRIC, PLATEAUS, SCALED, SUMMED), f'prans: unknown format {stream[0]}')
    if stream[0] == SUMMED:
        return decode_sums(stream, word_bytes, extents, parameters, dtype_kind)
    if stream[0] == APART:
        return decode_parts(stream, word_bytes, extents, parameters, dtype_kind)
    if stream[0] == SYMMETRIC:
        return decode_symmetric(stream, word_bytes, extents, parameters, dtype_kind)
    if stream[0] == SCALED:
        return decode_scaled(stream, word_bytes, extents, parameters, dtype_kind)
    if stream[0] == PERIODIC:
        return decode_periods(stream, word_bytes, extents, parameters, dtype_kind)
    if stream[0] == PLATEAUS:
        return prans_plateaus.decode(row_of, stream, word_bytes, extents, parameters, dtype_kind)
    if stream[0] == RANKED:
        return decode_ranks(stream, word_bytes, extents, parameters, dtype_kind)
    if stream[0] == MATCHED:
        return prans_matched.decode(inner, stream, word_bytes, extents, parameters, dtype_kind)
    if stream[0] == BINS:
        return prans_bins.decode(stream, dtype_kind, word_bytes, extents)
    high = 2 if parameters[1] else parameters[0]
    if stream[0] == LIFTED:
        need(high == 2 and (dtype_kind != 'f' or word_bytes == 2), 'prans: lifted values, but not in the high setting, or of f32 or f64')
        need(stream[1:3] == bytes(2) or parameters[1], 'prans: refined without effort=max')
        return prans_lifted.decode(stream, dtype_kind, word_bytes, extents)
    need(dtype_kind == 'f' and word_bytes >= 4, 'prans: a format of other dtypes')
    if stream[0] == PARTED:
        return prans_parted.decode(stream, word_bytes, extents)
    need(stream[0] == high or stream[0] == 3 and parameters[1], 'prans: the format is not that of the setting')
    if stream[0] == 3:
        need(8 <= stream[1] <= 20 and stream[2] <= 8 and not stream[3], 'prans: bad refinement')
        return prans_high.decode(stream[4:], word_bytes, extents, (stream[1], stream[2]))
    need(stream[1:4] == bytes(3), 'prans: bytes that must be 0')
    return FORMATS[stream[0]](stream[4:], word_bytes, extents)


def inner(stream, word_bytes, count, parameters, dtype_kind):
    """A row of values within a stream of matches."""
    need(stream and stream[0] != MATCHED, 'prans: matches of matches')
    return decode(stream, word_bytes, (count,), (1, 0) if stream[0] == 1 else parameters, dtype_kind)


def row_of(stream, word_bytes, count, parameters, dtype_kind):
    """A row of new values within a stream of plateaus."""
    need(stream and stream[0] not in PARTS, 'prans: plateaus of plateaus, or of what these stand within')
    return decode(stream, word_bytes, (count,), parameters, dtype_kind)


def decode_parts(stream, word_bytes, extents, parameters, dtype_kind):
    """A stream for each place on the slowest and the fastest axes."""
    slow, fast = stream[1:3]
    need(slow + fast < len(extents) and not stream[3], 'prans: no axis between those that are apart')
    between = extents[slow:len(extents) - fast]
    outer, inner_values, fast_places = math.prod(extents[:slow]), math.prod(between), math.prod(extents[len(extents) - fast:])
    parts = outer * fast_places
    need(2 <= parts <= 1024 and stream[4:8] == struct.pack('<I', 4 * parts), 'prans: too few parts, or too many')
    need(len(stream) >= 8 + 4 * parts, 'prans: the stream ends in the lengths of parts')
    at, words, decoded = 8 + 4 * parts, [b''] * (outer * inner_values * fast_places), []
    for number, length in enumerate(struct.unpack_from(f'<{parts}I', stream, 8)):
        need(at + length <= len(stream), 'prans: a part behind the stream')
        part = stream[at:at + length]
        at += length
        if length != inner_values * word_bytes:
            need(part and part[0] not in (APART, SUMMED) and part[:2] != ROWS, 'prans: parts of parts, sums, or rows by a period')
            if part[0] == AKIN:
                part = decode_akin(part, word_bytes, between, parameters, dtype_kind, decoded)
            else:
                part = decode(part, word_bytes, between, parameters, dtype_kind)
        decoded.append(part)
        first = number // fast_places * inner_values * fast_places + number % fast_places
        words[first:first + inner_values * fast_places:fast_places] = [
            part[i:i + word_bytes] for i in range(0, len(part), word_bytes)]
    need(at == len(stream), 'prans: bytes behind the last part')
    return b''.join(words)


def decode_sums(stream, word_bytes, extents, parameters, dtype_kind):
    """Differences of differences, or between values: along rows, columns of short rows, or lines."""
    count, line, (columns, _) = math.prod(extents), extents[-1], prans_middle.planes(extents)
    need(word_bytes >= 4 and len(stream) > 8 and 1 <= stream[1] <= 2 and stream[2] <= 4 and not any(stream[3:8]), 'prans: bad sums')
    is_split, by_lines = stream[2] in (1, 4), stream[2] in (2, 3)
    need(columns > 1 or not is_split, 'prans: columns of a grid that has none')
    need(line < count or not by_lines, 'prans: lines of a grid that is one')
    differences, shape = stream[8:], {3: (count // line, line), 4: (columns, count // columns)}.get(stream[2], (count,))
    if len(differences) != count * word_bytes:
        need(differences[0] not in (SUMMED, AKIN) and differences[:2] != ROWS, 'prans: sums of sums, or of what is around')
        differences = decode(differences, word_bytes, shape, parameters, 'i')
    words = [int.from_bytes(differences[i:i + word_bytes], 'little') for i in range(0, len(differences), word_bytes)]
    back = line if by_lines else 1
    for _ in range(stream[1]):
        for i in range(back, count):
            words[i] += words[i - back]
    bits = 8 * word_bytes
    if dtype_kind == 'f':
        words = [prans_parted.word_of(word % 2**bits, bits) for word in words]
    if is_split:
        points = count // columns
        words = [words[i % columns * points + i // columns] for i in range(count)]
    return b''.join((word % 2**bits).to_bytes(word_bytes, 'little') for word in words)


def decode_akin(stream, word_bytes, extents, parameters, dtype_kind, before):
    """A part by one of those before, and differences to it."""
    need(len(stream) >= 12 and stream[1:8] == bytes(3) + struct.pack('<I', 4), 'prans: bad kin')
    number, = struct.unpack_from('<I', stream, 8)
    need(number < len(before), 'prans: kin of a part that is not before')
    differences = stream[12:]
    if not differences:
        return before[number]
    if len(differences) != math.prod(extents) * word_bytes:
        need(differences[0] not in (APART, AKIN, SUMMED) and differences[:2] != ROWS, 'prans: kin of kin, or of what is around')
        differences = decode(differences, word_bytes, extents, parameters, 'i')
    words, differences = ([int.from_bytes(row[i:i + word_bytes], 'little') for i in range(0, len(row), word_bytes)]
                          for row in (before[number], differences))
    return b''.join(word.to_bytes(word_bytes, 'little') for word in add_differences(words, differences, word_bytes, dtype_kind))


def add_differences(words, differences, word_bytes, dtype_kind):
    """To the places of numbers among all."""
    ordered, word_of = (prans_parted.place_of_word, prans_parted.word_of) if dtype_kind == 'f' else 2 * (lambda word, bits: word,)
    bits = 8 * word_bytes
    return [word_of((ordered(word, bits) + difference) % 2**bits, bits) for word, difference in zip(words, differences)]


def decode_periods(stream, word_bytes, extents, parameters, dtype_kind):
    """The slowest axis as two, and what is behind the last period; or the fastest one."""
    need(stream[1] <= 1 and stream[2:8] == bytes(2) + struct.pack('<I', 8) and len(stream) >= 16, 'prans: bad periods')
    period, length = struct.unpack_from('<2I', stream, 8)
    need(length <= len(stream) - 16, 'prans: periods behind the stream')
    if stream[1]:
        need(1 < len(extents) < 4 and 2 <= period <= extents[-1] // 2 and not extents[-1] % period, 'prans: rows that have not this period')
        whole, rest = (*extents[:-1], extents[-1] // period, period), (0,)
    else:
        need(2 <= period <= extents[0] // 2, 'prans: a period that there is not')
        whole, rest = (extents[0] // period, period, *extents[1:]), (extents[0] % period, *extents[1:])
        whole = (*whole[:3], math.prod(whole[3:])) if len(whole) == 5 else whole
    values = []
    for part, shape in ((stream[16:16 + length], whole), (stream[16 + length:], rest)):
        if len(part) != math.prod(shape) * word_bytes:
            need(part and part[:2] != ROWS and (stream[1] or part[0] not in (APART, SYMMETRIC, SCALED, PERIODIC, SUMMED)), 'prans: periods of periods')
            need(shape[0], 'prans: bytes behind the last period')
            part = decode(part, word_bytes, shape, parameters, dtype_kind)
        values.append(part)
    return b''.join(values)


def decode_scaled(stream, word_bytes, extents, parameters, dtype_kind):
    """Quotients times the scales of runs, and differences to these products."""
    need(dtype_kind == 'f', 'prans: scales of other dtypes')
    need(stream[2:8] == bytes(2) + struct.pack('<I', 16) and len(stream) >= 24, 'prans: bad scales')
    need(stream[1] in {2: (2, 3), 4: (0, 2, 3), 8: (0, 1)}[word_bytes], 'prans: products that are rounded to what they are not')
    first, second, run, count = struct.unpack_from('<4I', stream, 8)
    values = math.prod(extents)
    need(run and 1 <= count <= min(values // 8, -(-values // run)), 'prans: no runs, or too many scales')
    need(first + second <= len(stream) - 24, 'prans: scales behind the stream')
    ends, parts = (24, 24 + first, 24 + first + second, len(stream)), []
    scale_bytes = max(4, word_bytes)
    for number, (shape, kind, size) in enumerate(((extents, 'f', word_bytes), ((count,), 'f', scale_bytes), (extents, 'i', word_bytes))):
        part = stream[ends[number]:ends[number + 1]]
        if kind == 'i' and not part:
            break
        if len(part) != math.prod(shape) * size:
            need(part and part[0] not in (APART, SYMMETRIC, SCALED, SUMMED) and part[:2] != ROWS, 'prans: scales of what they stand within')
            part = decode(part, size, shape, parameters, kind)
        parts.append(part)
    letter = 'f' if scale_bytes == 4 else 'd'
    scales = struct.unpack(f'<{count}{letter}', parts[1])
    need(all(map(math.isfinite, scales)), 'prans: a scale that is no number')
    words = [product(parts[0][i * word_bytes:(i + 1) * word_bytes], scales[i // run % count], stream[1]) for i in range(values)]
    if len(parts) == 3:
        differences = [int.from_bytes(parts[2][i:i + word_bytes], 'little') for i in range(0, len(parts[2]), word_bytes)]
        words = add_differences(words, differences, word_bytes, 'f')
    return b''.join(word.to_bytes(word_bytes, 'little') for word in words)


def packed(letter, number):
    """A number as a type has it, rounded to the nearest, of two to the even one."""
    try:
        return struct.pack('<' + letter, number)
    except OverflowError:   # rounded to an infinity
        return struct.pack('<' + letter, math.copysign(math.inf, number))


def upper_half(single):
    """A binary32 rounded to a bfloat16, both in bytes."""
    word = int.from_bytes(single, 'little')
    return ((word + 0x7FFF + (word >> 16 & 1)) >> 16).to_bytes(2, 'little')


def product(word, scale, rounding):
    """The word of a quotient's product; the quotient's, where that is not finite."""
    letter = 'd' if len(word) == 8 else 'f'
    read = {2: bytes(2) + word, 4: word, 8: word}[len(word)]
    quotient, = struct.unpack('<e', word) if len(word) == 2 and rounding == 2 else struct.unpack('<' + letter, read)
    if math.isfinite(quotient):
        exact = packed(letter, quotient * scale)
        if rounding == 1:
            exact = packed('d', struct.unpack('<f', packed('f', quotient * scale))[0])
        elif rounding == 2:
            half = packed('e', struct.unpack('<f', exact)[0])
            exact = half if len(word) == 2 else packed('f', struct.unpack('<e', half)[0])
        elif rounding == 3:
            half = upper_half(exact)
            exact = half if len(word) == 2 else bytes(2) + half
        word = exact
    return int.from_bytes(word, 'little')


def decode_symmetric(stream, word_bytes, extents, parameters, dtype_kind):
    """Values that are those of earlier places, but for differences."""
    dims, maps = len(extents), stream[1]
    side = 4 * (1 + dims + maps)
    need(1 <= maps <= 8 and stream[2:8] == bytes(2) + struct.pack('<I', side) and len(stream) >= 8 + side, 'prans: bad symmetries')
    length, *centres = struct.unpack_from(f'<{1 + dims}I', stream, 8)
    need(all(centre < extent for centre, extent in zip(centres, extents)), 'prans: a centre beyond its axis')
    maps = list(struct.iter_unpack('4B', stream[12 + 4 * dims:8 + side]))
    for a, b, reflected, negated in maps:
        need(a < dims and b < dims and reflected < 1 << dims and negated <= (dtype_kind == 'f'), 'prans: a map of other axes')
        need((extents[a], centres[a]) == (extents[b], centres[b]) if a != b else reflected and not a, 'prans: no map, or axes that cannot change places')
    need(length <= len(stream) - 8 - side, 'prans: values behind the stream')
    rows = []
    for part, kind in ((stream[8 + side:8 + side + length], dtype_kind), (stream[8 + side + length:], 'i')):
        if kind == 'i' and not part and rows:
            rows.append(None)
        elif len(part) == math.prod(extents) * word_bytes:
            rows.append(part)
        else:
            need(part and part[0] not in (APART, SYMMETRIC, SCALED, SUMMED) and part[:2] != ROWS, 'prans: symmetries of what they stand within')
            rows.append(decode(part, word_bytes, extents, parameters, kind))
    words, differences = ([int.from_bytes(row[i:i + word_bytes], 'little') for i in range(0, len(row), word_bytes)] if row else None
                          for row in rows)
    strides = [math.prod(extents[axis + 1:]) for axis in range(dims)]
    top = 1 << 8 * word_bytes - 1
    for value in range(len(words)):
        places = [value // stride % extent for stride, extent in zip(strides, extents)]
        for a, b, reflected, negated in maps:
            image = list(places)
            image[a], image[b] = places[b], places[a]
            image = [(centre - place) % extent if reflected >> axis & 1 else place
                     for axis, (place, centre, extent) in enumerate(zip(image, centres, extents))]
            earlier = sum(place * stride for place, stride in zip(image, strides))
            if earlier < value:
                words[value] = words[earlier] ^ top * negated
                break
    if differences:
        words = add_differences(words, differences, word_bytes, dtype_kind)
    return b''.join(word.to_bytes(word_bytes, 'little') for word in words)


def decode_ranks(stream, word_bytes, extents, parameters, dtype_kind):
    """Numbers in a dictionary."""
    need(stream[1:8] == bytes(3) + struct.pack('<I', 8) and len(stream) >= 16, 'prans: bad ranks')
    values, (words, length) = math.prod(extents), struct.unpack_from('<2I', stream, 8)
    need(0 < words <= values // 2 and length <= len(stream) - 16, 'prans: a dictionary of no words or too many, or too long')
    rows = []
    for part, width, shape, kind in ((stream[16:16 + length], 4, extents, 'u'), (stream[16 + length:], word_bytes, (words,), dtype_kind)):
        if len(part) != math.prod(shape) * width:
            need(part and part[0] not in (RANKED, *PARTS), 'prans: ranks of what is no plain format')
            part = decode(part, width, shape, parameters, kind)
        rows.append([part[i:i + width] for i in range(0, len(part), width)])
    numbers = [int.from_bytes(number, 'little') for number in rows[0]]
    need(max(numbers) < words, 'prans: a number that the dictionary does not have')
    return b''.join(rows[1][number] for number in numbers)
