# SPDX-License-Identifier: MIT
"""The format of bins of prans: learnt bins of residuals or of values, for all dtypes."""
import struct
from functools import partial

from errors import know, need
from prans_common import Domain, Range, chances, read_frequencies
from prans_middle import BLOCK, Segment, finish, planes, restore, slab

HEAVY = 40


class Classes:
    """Ranges of words, about 0 or equally wide."""

    def __init__(self, r, bits):
        self.zero, self.count, self.shift = 8 * bits - 24, 16 * bits - 48, None
        self.least = -2**(bits - 1)
        if r.bits(1):
            self.shift, self.first, self.count = r.bits(6), r.bits(bits), r.bits(16) + 1
            need(self.shift < bits and self.count <= 2**(bits - self.shift), 'prans: classes out of range')

    def begin(self, c):
        if self.shift is not None:
            return self.first + (c << self.shift)
        if c >= self.zero:
            return magnitude(c - self.zero)
        return 1 - magnitude(self.zero - c + 1) if c else self.least


def magnitude(i):
    return i if i < 16 else i % 8 + 8 << i // 8 - 1


def read_symbols(r, bits, specials):
    """What symbols stand for: (low, width), in their order."""
    classes, at, result, gaps, lengths = Classes(r, bits), 0, [], chances(), chances()
    for _ in range(r.bits(8)):
        at += r.number(gaps)
        need(at < classes.count, 'prans: a bin is out of range')
        end = at + 1 + r.number(lengths)
        need(end <= classes.count, 'prans: a bin is out of range')
        low = classes.begin(at)
        result.append((low, (classes.begin(end) - 1 - low).bit_length()))
        at = end
    heavy = r.bits(6)
    need(heavy <= HEAVY and len(result) + heavy + specials <= 256, 'prans: too many symbols')
    return result + [(r.bits(bits), 0) for _ in range(heavy)]


def read_segments(data, lengths, tables, ids, symbols, values, segment_values, lanes):
    """The residuals, and the special values' numbers by place."""
    slots = [[(symbol, frequency, i) for symbol, frequency in enumerate(table) for i in range(frequency)]
             for table in tables]
    residuals, specials, at = [], {}, 0
    for words, raw in lengths:
        end = at + 4 * lanes + words + raw
        segment, count = Segment(data[at:end], 4 * lanes + words, lanes), min(segment_values, values - len(residuals))
        at = end
        first = len(residuals) // BLOCK
        read = count if lanes < 32 else -(-count // BLOCK) * BLOCK
        coded = [s for b in range(0, read, BLOCK) for s in segment.symbols(slots[ids[first + b // BLOCK]], min(BLOCK, read - b))]
        for s in coded[:count]:
            if s >= len(symbols):
                specials[len(residuals)] = s - len(symbols)
                residuals.append(None)
            else:
                low, width = symbols[s]
                residuals.append(low + segment.take(width))
        segment.done()
    return residuals, specials


def restore_row(order, residuals, predicted):
    """The integers of a row from its residuals and what the rows before predict of it."""
    row, sums = [], [0] * order
    for i, (r, q) in enumerate(zip(residuals, predicted)):
        if r is None:
            r = predicted[i - 1] - q if order == 1 and i else 0
        for k in range(order):
            sums[k] += r
            r = sums[k]
        row.append(q + r)
    return row


def decode(stream, dtype_kind, word_bytes, extents):
    """stream: all of it. dtype_kind: 'f', 'i' or 'u'."""
    segment_values, lanes, side = 2**stream[1], 2**stream[2], int.from_bytes(stream[4:8], 'little')
    know(12 <= stream[1] <= 16 and stream[2] <= 5 and not stream[3], 'prans: an unknown kind of bins')
    need(side <= len(stream) - 8, 'prans: the description is too long')
    components, extents = planes(extents)
    rows = ([components] if components > 1 else []) + [e for e in extents[:-1] if e > 1]
    values = components
    for extent in extents:
        values *= extent
    blocks, bits = -(-values // BLOCK), 8 * word_bytes

    r = Range(stream[8:8 + side])
    domain = Domain(r, word_bytes, values, slab(rows[components > 1:], extents[-1]), dtype_kind)
    need(domain.id != domain.SPLIT, 'prans: a domain of another format')
    if r.bits(1):                       # all rows of a component are one
        rows, extents = rows[:components > 1], [values // components]
    axes, order = r.bits(3), r.bits(3)
    need(axes < 2**len(rows), 'prans: bad prediction')
    symbols = read_symbols(r, bits, len(domain.specials))
    tables = read_frequencies(r, r.bits(4) + 1)
    need(not any(any(table[len(symbols) + len(domain.specials):]) for table in tables), 'prans: a symbol that nothing has')
    r.done()

    data, ids = stream[8 + side:], [0] * blocks
    if len(tables) > 1:
        packed = data[:(blocks + 1) // 2]
        need(len(packed) == (blocks + 1) // 2, 'prans: the stream is too short')
        ids = [packed[b // 2] >> b % 2 * 4 & 15 for b in range(2 * len(packed))]
        need(not any(ids[blocks:]) and max(ids) < len(tables), 'prans: a table that there is not')
        data = data[len(packed):]
    segments = -(-values // segment_values)
    need(len(data) >= 8 * segments - 4, 'prans: the stream is too short')
    numbers = list(struct.unpack_from(f'<{2 * segments - 1}I', data))
    data = data[8 * segments - 4:]
    numbers.append(len(data) - sum(numbers) - 4 * lanes * segments)
    need(numbers[-1] >= 0 and not any(words % 2 for words in numbers[::2]), 'prans: segments of a wrong length')
    residuals, specials = read_segments(data, list(zip(numbers[::2], numbers[1::2])), tables, ids, symbols, values,
                                        segment_values, lanes)
    y = restore(residuals, rows + [extents[-1]], axes, partial(restore_row, order), 2**bits)
    return finish(domain, y, specials, components)
