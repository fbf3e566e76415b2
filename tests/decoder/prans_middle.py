# SPDX-License-Identifier: MIT
"""The middle setting of prans: Lorenzo stencils, 32 rANS lanes, a table a block of 128 values."""
import itertools
import struct
from functools import partial

from errors import need
from prans_common import SCALE, Domain, Range, chances, read_frequencies, word_format

LANES, BLOCK, SEGMENT = 32, 128, 65536
FIRST_SPECIAL = 252


def planes(extents):
    """How many components are taken apart, and the extents that are left."""
    extents, components = list(extents), 1
    while len(extents) > 1 and extents[-1] * components <= 8:
        components *= extents.pop()
    return components, extents


def slab(rows, length):
    """Values of a slab: a row, times the fastest axis of rows, times others as long as that is below 1024."""
    for i, extent in enumerate(reversed(rows)):
        if i == 0 or length < 1024:
            length *= extent
    return length


def check_symbols(tables, word_bytes, specials):
    ordinary = 124 if word_bytes == 4 else 252
    for table in tables:
        need(not any(table[ordinary:FIRST_SPECIAL]) and not any(table[FIRST_SPECIAL + specials:]),
             'prans: a symbol that nothing has')


class Segment:
    """Reads a segment's symbols and raw bits."""

    def __init__(self, data, words_end, lanes=LANES):
        self.lanes, self.states = lanes, list(struct.unpack_from(f'<{lanes}I', data))
        self.words = iter(struct.unpack(f'<{(words_end - 4 * lanes) // 2}H', data[4 * lanes:words_end]))
        self.raw, self.raw_bytes, self.bit = int.from_bytes(data[words_end:], 'little'), len(data) - words_end, 0

    def symbols(self, slots, count=BLOCK):
        """The symbols of a block, whose table tells (symbol, frequency, place) of each slot."""
        symbols = []
        for i in range(count):
            state = self.states[i % self.lanes]
            symbol, frequency, place = slots[state % SCALE]
            state = frequency * (state // SCALE) + place
            if state < 65536:
                word = next(self.words, None)
                need(word is not None, 'prans: too few words')
                state = state << 16 | word
            self.states[i % self.lanes] = state
            symbols.append(symbol)
        return symbols

    def take(self, width):
        self.bit += width
        return self.raw >> self.bit - width & 2**width - 1

    def block(self, slots):
        """Yields the symbols of a block, each with its raw bits and how many these are."""
        for symbol in self.symbols(slots):
            width = symbol // 4 - 1 if 8 <= symbol < FIRST_SPECIAL else 0
            yield symbol, width, self.take(width)

    def done(self):
        need(all(state == 65536 for state in self.states) and next(self.words, None) is None,
             'prans: a segment does not end where it began')
        need((self.bit + 7) // 8 == self.raw_bytes, 'prans: wrong number of raw bits')


def residual(symbol, width, raw):
    number = symbol if symbol < 8 else (4 | symbol % 4) << width | raw
    return number >> 1 ^ -(number & 1)


def read_segments(data, lengths, tables, ids):
    """The residuals, None where a value is special, and the special values' numbers by place."""
    slots = [[(symbol, frequency, i) for symbol, frequency in enumerate(table) for i in range(frequency)]
             for table in tables]
    residuals, specials, at = [], {}, 0
    for first, (words, raw) in zip(range(0, len(ids), SEGMENT // BLOCK), lengths):
        end = at + 4 * LANES + words + raw
        segment = Segment(data[at:end], 4 * LANES + words)
        at = end
        for table in ids[first:first + SEGMENT // BLOCK]:
            for symbol, width, bits in segment.block(slots[table]):
                if symbol >= FIRST_SPECIAL:
                    specials[len(residuals)] = symbol - FIRST_SPECIAL
                residuals.append(None if symbol >= FIRST_SPECIAL else residual(symbol, width, bits))
        segment.done()
    return residuals, specials


def restore_row(order, residuals, predicted):
    """The integers of a row from its residuals and what the rows before predict of it."""
    row, first, second, before = [], 0, 0, 0
    for i, (r, q) in enumerate(zip(residuals, predicted)):
        if r is None:
            r = before - q if i and order else 0
        if order == 2:
            second += r
            r = second
        first = first + r if order else r
        row.append(first + q)
        before = q
    return row


def restore(residuals, extents, axes, row_of, modulus):
    """All integers; extents are those of the rows, with the length of a row last. row_of makes a row of its residuals, None
    where a value is special, and of what the rows before predict."""
    *outer, length = extents
    y = []
    for at in itertools.product(*map(range, outer)):
        steps, stride = [], length
        for a in reversed(range(len(outer))):
            if axes >> a & 1 and at[a]:
                steps.append(stride)
            stride *= outer[a]
        here, predicted = len(y), [0] * length
        for some in itertools.product((0, 1), repeat=len(steps)):
            if any(some):
                back = here - sum(itertools.compress(steps, some))
                sign = 1 if sum(some) % 2 else -1
                predicted = [p + sign * v for p, v in zip(predicted, y[back:back + length])]
        y += [v % modulus for v in row_of(residuals[here:here + length], predicted)]
    return y


def finish(domain, y, specials, components):
    """The bytes of all values, from their integers by components."""
    words = [domain.specials[specials[i]] if i in specials else domain.word(i, v) for i, v in enumerate(y)]
    for at, word in domain.exceptions.items():
        words[at] = word
    points = len(words) // components
    words = [words[c * points + i] for i in range(points) for c in range(components)]
    return struct.pack(f'<{len(words)}{word_format(domain.word_bytes)}', *words)


def decode(stream, word_bytes, extents):
    """stream: what follows the first four bytes."""
    need(len(stream) >= 4, 'prans: the stream is too short')
    side = int.from_bytes(stream[:4], 'little')
    need(side <= len(stream) - 4, 'prans: the description is too long')
    components, extents = planes(extents)
    rows = ([components] if components > 1 else []) + [e for e in extents[:-1] if e > 1]
    points = 1
    for extent in extents:
        points *= extent
    count = points * components
    blocks, segments = -(-count // BLOCK), -(-count // SEGMENT)

    r = Range(stream[4:4 + side])
    domain = Domain(r, word_bytes, count, slab(rows[components > 1:], extents[-1]))
    need(domain.id != domain.SPLIT, 'prans: a domain of another format')
    axes, order, table_count = r.bits(3), r.bits(2), r.bits(4) + 1
    need(axes < 2**len(rows) and order <= (1 if domain.specials else 2), 'prans: bad prediction')
    tables = read_frequencies(r, table_count)
    check_symbols(tables, word_bytes, len(domain.specials))
    word_chances, raw_chances, lengths = chances(), chances(), []
    for _ in range(segments):
        lengths.append((2 * r.number(word_chances), r.number(raw_chances)))
        need(lengths[-1][0] <= 2 * SEGMENT and lengths[-1][1] <= SEGMENT * word_bytes, 'prans: a segment is too long')
    r.done()

    packed = stream[4 + side:4 + side + (blocks + 1) // 2]
    need(len(packed) == (blocks + 1) // 2, 'prans: the stream is too short')
    ids = [packed[b // 2] >> b % 2 * 4 & 15 for b in range(blocks)]
    need(max(ids) < table_count and (blocks % 2 == 0 or packed[-1] < 16), 'prans: a table that is none')
    data = stream[4 + side + len(packed):]
    need(len(data) == sum(4 * LANES + words + raw for words, raw in lengths), 'prans: the stream has the wrong length')
    residuals, specials = read_segments(data, lengths, tables, ids)

    y = restore(residuals[:count], rows + [extents[-1]], axes, partial(restore_row, order), 2**(8 * word_bytes))
    return finish(domain, y, specials, components)
