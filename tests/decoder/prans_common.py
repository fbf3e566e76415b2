# SPDX-License-Identifier: MIT
"""What the settings of prans share: the range coder of descriptions, tables of frequencies, value domains."""
import math
import struct
from fractions import Fraction

from errors import need

SCALE = 4096
SYMBOLS = 256
SPECIALS = 4


def word_format(word_bytes):
    return {1: 'B', 2: 'H', 4: 'I', 8: 'Q'}[word_bytes]


class Range:
    """Reads what the adaptive binary range coder wrote."""

    def __init__(self, data):
        self.data, self.at, self.range = data, 0, 2**32 - 1
        self.code = 0
        for _ in range(4):
            self.code = self.code << 8 | self.byte()

    def byte(self):
        need(self.at < len(self.data), 'prans: the description is too short')
        self.at += 1
        return self.data[self.at - 1]

    def done(self):
        need(self.at == len(self.data), 'prans: the description is too long')

    def normalise(self):
        while self.range < 2**24:
            self.range = self.range << 8 & 2**32 - 1
            self.code = (self.code << 8 | self.byte()) & 2**32 - 1

    def split(self, zero):
        """1 when the code lies above the part of the range that stands for 0."""
        bit = self.code >= zero
        if bit:
            self.code -= zero
            self.range -= zero
        else:
            self.range = zero
        self.normalise()
        return int(bit)

    def bit(self, chances, i):
        bit = self.split((self.range >> 12) * chances[i])
        chances[i] += -(chances[i] >> 4) if bit else (4096 - chances[i]) >> 4
        return bit

    def bits(self, count):
        value = 0
        for _ in range(count):
            self.range >>= 1
            bit = int(self.code >= self.range)
            self.code -= bit * self.range
            self.normalise()
            value = value << 1 | bit
        return value

    def even(self, count):
        value = done = 0
        while done < count:
            now = min(count - done, 16)
            self.range >>= now
            part = min(self.code // self.range, 2**now - 1)
            self.code -= part * self.range
            self.normalise()
            value |= part << done
            done += now
        return value

    def tree(self, chances, bits):
        node = 1
        for _ in range(bits):
            node = node << 1 | self.bit(chances, node)
        return node - 2**bits

    def number(self, chances):
        top = 0
        while top < 63 and self.bit(chances, top):
            top += 1
        value = node = 1
        for below in range(top):
            if below < 2:
                bit = self.bit(chances, 64 + 4 * top + node)
                node = node << 1 | bit
            else:
                bit = self.bits(1)
            value = value << 1 | bit
        return value - 1


def chances(count=64 + 64 * 4):
    return [2048] * count


def read_frequencies(r, tables):
    """The tables, each a list of SYMBOLS frequencies that add up to SCALE."""
    classes = [[chances(16) for _ in range(14)] for _ in range(14)]
    largest_chances = chances(SYMBOLS)
    below = [chances(8) for _ in range(14)]
    above = [0] * SYMBOLS
    result = []
    for _ in range(tables):
        largest = r.tree(largest_chances, 8)
        frequency, before = [0] * SYMBOLS, 0
        for s in range(SYMBOLS):
            size = 13
            if s != largest:
                size = r.tree(classes[above[s]][before], 4)
                need(size <= 12, 'prans: a frequency is too large')
                shift = max(size - 4, 0)
                bits = max(size - 1 - shift, 0)
                rest = r.tree(below[size], bits)
                frequency[s] = ((1 << bits | rest) if bits else size) << shift
            above[s] = before = size
        need(sum(frequency) < SCALE, 'prans: frequencies are too large')
        frequency[largest] = SCALE - sum(frequency)
        result.append(frequency)
    return result


def nearest(m, j):
    """m 10^j by two numbers that are 10^j, and the product's error."""
    high = float(Fraction(10)**j)
    low = float(Fraction(10)**j - Fraction(high))
    product = m * high
    error = float(Fraction(m) * Fraction(high) - Fraction(product))     # which is exact
    return product + (error + m * low)


class Domain:
    """How integers, exceptions and special values become values."""
    FLOAT, LATTICE, RANK, SLAB, SPLIT, INTEGER, DECIMAL, NEAREST = range(8)
    DECIMALS = 16

    def __init__(self, r, word_bytes, count, slab, kind='f'):
        """kind: 'f', floating-point numbers; 'i', signed integers; 'u', unsigned ones."""
        self.word_bytes, self.bits, self.kind = word_bytes, 8 * word_bytes, kind
        self.id = r.bits(3)
        need(self.id in ((self.INTEGER, self.RANK) if kind != 'f' else (self.FLOAT, self.RANK) if word_bytes == 2 else
                         (*range(self.SPLIT + 1), self.DECIMAL, *[self.NEAREST] * (word_bytes == 8))), 'prans: a domain of another dtype')
        self.nearest = self.id == self.NEAREST
        self.id = self.DECIMAL if self.nearest else self.id
        specials = r.bits(3)
        need(specials <= SPECIALS, 'prans: too many special values')
        self.specials = [r.bits(self.bits) for _ in range(specials)]
        self.exceptions = {}
        if self.id in (self.FLOAT, self.SPLIT):
            self.shift = r.bits(6)
            need(self.shift < {2: 15, 4: 23, 8: 52}[word_bytes], 'prans: shift out of range')
        elif self.id == self.INTEGER:
            self.origin = r.bits(self.bits)
            self.step = r.number(chances()) + 1
        elif self.id == self.LATTICE:
            scale = r.bits(7)
            self.scale = 10.0**scale if scale < self.DECIMALS else 2.0**(scale - self.DECIMALS - 32)
            self.origin, self.step = r.bits(64), r.bits(64)
        elif self.id == self.DECIMAL:
            digits = r.bits(4)
            self.decade = r.bits(7) - 64
            need(1 <= digits <= (7 if word_bytes == 4 else 15) and self.decade > -64, 'prans: decimals out of range')
            self.first = 10**(digits - 1)
        elif self.id == self.RANK:
            self.read_dictionary(r, count)
        else:
            self.read_slabs(r, count, slab)
        if self.id in (self.LATTICE, self.SLAB, self.DECIMAL):
            self.read_exceptions(r, count)

    def read_slabs(self, r, count, slab):
        self.slab, self.slabs, sizes, exponent = slab, [], chances(), 0
        for _ in range(count // slab):
            origin, = struct.unpack(*(('<f', struct.pack('<I', r.bits(32))) if self.word_bytes == 4 else
                                      ('<d', struct.pack('<Q', r.bits(64)))))
            size = r.number(sizes)
            need(size <= 4096, 'prans: a step is out of range')
            exponent += size >> 1 ^ -(size & 1)
            need(math.isfinite(origin) and -1022 <= exponent <= 1023, 'prans: a slab is out of range')
            self.slabs.append((origin, 2.0**exponent))

    def read_exceptions(self, r, count):
        exceptions = r.bits(28)
        need(exceptions <= count // 32, 'prans: too many exceptions')
        gaps, at = chances(), 0
        for _ in range(exceptions):
            at += r.number(gaps)
            need(at < count, 'prans: an exception is out of range')
            self.exceptions[at] = r.bits(self.bits)
            at += 1

    def read_dictionary(self, r, count):
        distinct = r.bits(28)
        need(1 <= distinct <= count // 5, 'prans: bad number of distinct values')
        sizes, sign, place, gap, small = (chances(), chances()), chances(2), 0, 0, 0
        self.dictionary = []
        for _ in range(distinct):
            size = r.number(sizes[small])
            size = (size << 1 | r.bit(sign, 1)) % 2**64
            negative = r.bit(sign, 0) if size else 0
            small = int(size < 4)
            gap = (gap - size if negative else gap + size) % 2**self.bits
            place = (place + gap) % 2**self.bits
            self.dictionary.append(place)

    def of_place(self, place):
        """The word whose place among all numbers this is."""
        if self.kind != 'f':
            return place ^ (self.kind == 'i') << self.bits - 1
        return place ^ 1 << self.bits - 1 if place >> self.bits - 1 else place ^ 2**self.bits - 1

    def round(self, real):
        """The word of the dtype's value next to a real number."""
        try:
            return int.from_bytes(struct.pack('<f' if self.word_bytes == 4 else '<d', real), 'little')
        except OverflowError:           # struct refuses what becomes infinite
            return (0x7F800000 if self.word_bytes == 4 else 0x7FF << 52) | (real < 0) << self.bits - 1

    def decimal(self, y):
        """The word of decimal number y, from 0 on both ways."""
        if not y:
            return 0
        power = min((abs(y) - 1) // (9 * self.first), 127)
        m, j = float(self.first + abs(y) - 1 - power * 9 * self.first), min(self.decade + power, 63)
        if self.nearest:
            return self.round(nearest(m, j)) | (y < 0) << self.bits - 1
        return self.round(m * float('1e%d' % j) if j >= 0 else m / float('1e%d' % -j)) | (y < 0) << self.bits - 1

    def word(self, i, integer):
        """The word of value number i, which is this integer from 0 to 2**bits - 1."""
        if self.id == self.FLOAT:
            return self.of_place(integer << self.shift & 2**self.bits - 1) >> self.shift << self.shift
        if self.id == self.RANK:
            return self.of_place(self.dictionary[min(integer, len(self.dictionary) - 1)])
        if self.id == self.INTEGER:
            return (self.origin + self.step * integer) % 2**self.bits
        signed = integer - (integer >> self.bits - 1 << self.bits)
        if self.id == self.SLAB:
            origin, step = self.slabs[i // self.slab]
            return self.round(origin + signed * step)
        if self.id == self.DECIMAL:
            return self.decimal(signed)
        numerator = (self.origin + self.step * signed) % 2**64
        numerator -= numerator >> 63 << 64
        return self.round(numerator / self.scale)
