# SPDX-License-Identifier: MIT
"""What a file makes of filtered pieces; written from man/fpgz.5 alone."""
import base64
import copy
import itertools
import math
import struct

from deflate_encoder import deflate
from errors import know, need

SHUFFLE, DEFLATE, FLETCHER32, BARE_DEFLATE, ENCODED, PACKED, FRONT, ENCODED_LAST, LZF = 1, 2, 3, 4, 6, 7, 8, 9, 10


def fletcher32(data):
    a = b = 0
    for at in range(0, len(data), 2):
        a += int.from_bytes(data[at:at + 2].ljust(2, b'\0'), 'big')
        a = a and (a - 1) % 65535 + 1
        b += a
        b = b and (b - 1) % 65535 + 1
    return (b << 16 | a).to_bytes(4, 'little')


def shuffle(data, width):
    whole = len(data) // width * width
    return b''.join(data[byte:whole:width] for byte in range(width)) + data[whole:]


def encoded(data, how, level, memory_level, last=False):
    code, block = ('>' if how & 2 else '<') + ('Q' if how & 1 else 'I'), how >> 3
    if not block:
        return base64.b64encode(struct.pack(code, len(data)) + data)
    streams = [deflate(data[at:at + block], level, memory_level, False) for at in range(0, len(data), block)]
    rest = len(data) % block or (block if last else 0)
    lengths = len(streams), block, rest, *map(len, streams)
    head, body = b''.join(struct.pack(code, length) for length in lengths), b''.join(streams)
    return base64.b64encode(head) + base64.b64encode(body) if how & 4 else head + body


def packed(data, bits):
    width = 1 if bits < 8 else 2 if bits < 16 else 4
    need(len(data) % width == 0, 'a piece of half an integer')
    joined = 0
    for at in range(0, len(data), width):
        value = int.from_bytes(data[at:at + width], 'little')
        need(value < 1 << bits, 'a packed integer of more bits')
        joined = joined << bits | value
    all_bits = len(data) // width * bits
    return (joined << -all_bits % 8).to_bytes((all_bits + 7) // 8, 'big')


def lzf(data):
    def bucket(at):
        three = int.from_bytes(data[at:at + 3], 'big')
        return (three // 128 - three) % 2**17

    def literals(first, end):
        for at in range(first, end, 32):
            run = data[at:min(at + 32, end)]
            yield bytes([len(run) - 1]) + run

    last, stream, at, first, count = {}, [], 0, 0, len(data)
    while at < count - 2:
        source, last[bucket(at)] = last.get(bucket(at), 0), at
        if not source or at - source > 8192 or at + 4 >= count or data[source:source + 3] != data[at:at + 3]:
            at += 1
            continue
        length, most = 3, count - at - 2
        most = 19 if most in (17, 18) else min(264, most)
        while length < most and data[source + length] == data[at + length]:
            length += 1
        high, low = divmod(at - source - 1, 256)
        stream += [*literals(first, at), bytes([32 * (length - 2) + high, low] if length < 9 else [224 + high, length - 9, low])]
        first = at = at + length
        if at < count - 2:
            last[bucket(at - 1)] = at - 1
    return b''.join([*stream, *literals(first, count)])


class Filtered:
    """The filters of an array, and how each of its pieces went through them."""

    def __init__(self, numbers, piece_bytes, runs):
        count = numbers.take()
        need(1 <= count <= 3, 'bad number of filters')
        self.piece_bytes = self.unit_bytes = piece_bytes
        self.runs, self.filters, self.width, self.band, self.kept = runs, [], 0, None, 0
        for _ in range(count):
            number = numbers.take()
            know(number <= LZF and number != 5, 'unknown filters')
            self.filters.append(number)
            if number == SHUFFLE:
                self.width = numbers.take()
                need(0 < self.width < 2**32, 'a shuffle without a width')
            if number in (ENCODED, ENCODED_LAST):
                self.how = numbers.take()
                need(count == 1 and self.how < 2**32 and (self.how >> 3 >= 4096 or number == ENCODED and 4 <= self.how < 8),
                     'an encoding that there is not')
            if number == PACKED:
                self.bits = numbers.take()
                need(count == 1 and 1 <= self.bits <= 31 and self.bits not in (8, 16), 'bits that are not packed')
            if number == FRONT:
                length = numbers.take()
                need(len(self.filters) == 1 and 1 <= length <= 65535, 'nothing in front, or too much')
                self.front = numbers.bytes(length)
        used, pieces = self.filters, sum(run[0] for run in runs)
        need(min(used) and len(set(used)) == count and len({DEFLATE, BARE_DEFLATE, LZF} & set(used)) < 2, 'a filter twice')
        self.ways, deflating = [], {DEFLATE, BARE_DEFLATE, ENCODED_LAST, ENCODED if ENCODED in used and self.how >> 3 else DEFLATE}
        while len(self.ways) < pieces:
            alike, way = numbers.take(), numbers.take()
            need(0 < alike <= pieces - len(self.ways) and way < 256, 'bad ways of filtering')
            left = [number for bit, number in enumerate(used) if not way >> bit & 1]
            level = way >> 3 & 15
            need(not (way & 7) >> count and (1 <= level <= 9 if deflating & set(left) else way < 8),
                 'a way of filtering that there is not')
            self.ways += [(left, level, 8 + (way >> 7))] * alike
        self.lengths = [numbers.take() for _ in range(pieces)]
        need(all(0 < length < 2**32 for length in self.lengths), 'bad lengths of filtered pieces')
        end, self.kept = 0, numbers.take()
        for _ in range(self.kept):
            gap, length, _, way = numbers.take(), numbers.take(), numbers.signed(), numbers.take()
            end += gap + length
            need(0 < length < 2**32 and not way >> count and end < 2**64, 'bad pieces that are kept')

    def of(self, piece_bytes, runs):
        """The same filters for the pieces of a copy."""
        need(piece_bytes == self.piece_bytes and sum(run[0] for run in runs) == len(self.lengths) and not self.kept,
             'a copy that does not fit')
        other = copy.copy(self)
        other.runs = runs
        return other

    def set_bands(self, extents, piece):
        """Chunks are whole bands, of these extents and of pieces of those."""
        count = [-(-extent // side) for extent, side in zip(extents, piece)]
        numbers = [first + number for pieces, _, _, _, first in self.runs for number in range(pieces)]
        need(numbers == list(range(math.prod(count))) and not self.kept, 'bands without all pieces')
        self.band = [1] + count[1:], list(piece), self.piece_bytes // math.prod(piece)
        self.unit_bytes = math.prod(self.band[0]) * self.piece_bytes

    def take_pieces(self, raw):
        """The pieces of a chunk one behind the other."""
        if not self.band:
            return raw
        count, piece, size = self.band
        steps = [size]                              # of the band's axes, in bytes
        for pieces, side in zip(count[:0:-1], piece[:0:-1]):
            steps.insert(0, steps[0] * pieces * side)
        run, taken = piece[-1] * size, []
        for band in range(0, len(raw), self.unit_bytes):
            for index in itertools.product(*map(range, count)):
                for row in itertools.product(*map(range, piece[:-1]), (0,)):
                    at = band + sum((i * side + j) * step for i, side, j, step in zip(index, piece, row, steps))
                    taken.append(raw[at:at + run])
        return b''.join(taken)

    def pieces(self):
        """Where each piece is in the image, its bytes there and in the file, and its number in the sequence."""
        index = 0
        for count, offset, length, step, _ in self.runs:
            for number in range(count):
                yield offset + number * step, length, self.lengths[index], index
                index += 1

    def apply(self, index, data):
        """What the file has of the piece."""
        left, level, memory_level = self.ways[index]
        for number in left:
            if number == SHUFFLE:
                data = shuffle(data, self.width)
            elif number == FLETCHER32:
                data += fletcher32(data)
            elif number in (ENCODED, ENCODED_LAST):
                data = encoded(data, self.how, level, memory_level, number == ENCODED_LAST)
            elif number == LZF:
                data = lzf(data)
            elif number == PACKED:
                data = packed(data, self.bits)
            elif number == FRONT:
                data = self.front + data
            else:
                data = deflate(data, level, memory_level, number == BARE_DEFLATE)
        need(len(data) == self.lengths[index], 'a piece does not get its length')
        return data
