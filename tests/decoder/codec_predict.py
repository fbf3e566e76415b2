# SPDX-License-Identifier: MIT
"""predict: slices predicted from the ones before; of the XOR with the prediction the bytes that are not zero."""
import math
import struct

from errors import need


def signed(word, bits):
    return word - (word >> bits - 1 << bits)


# Each takes the values before, x[1] first, no more of them than the window or 3 for the second, and W.

def previous(x, bits):
    return x[0]


def parallelogram(x, bits):
    return x[0] + x[1] - x[2] if len(x) == 3 else x[0]


def mean(x, bits):
    total = sum(signed(word, bits) for word in x)
    return abs(total) // len(x) * (-1 if total < 0 else 1)


def median(x, bits):
    return sorted(x, key=lambda word: signed(word, bits))[len(x) // 2]


def lagrange(x, bits):
    return sum((-1)**(j + 1) * math.comb(len(x), j) * word for j, word in enumerate(x, 1))


PREDICTORS = (previous, parallelogram, mean, median, lagrange)


class Reader:
    """Takes integers and bytes from a stream, in order."""

    def __init__(self, stream):
        self.stream, self.at = stream, 0

    def bytes(self, length):
        self.at += length
        need(self.at <= len(self.stream), 'predict: the stream is too short')
        return self.stream[self.at - length:self.at]

    def words(self, count, word_bytes=4):
        return list(struct.unpack(f'<{count}{"I" if word_bytes == 4 else "Q"}', self.bytes(count * word_bytes)))


def check_parameters(word_bytes, parameters):
    """The parameters with the prefix that 0 stands for."""
    predictor, window, prefix, block = parameters
    widths = (2, 3) if word_bytes == 4 else (3, 4)
    prefix = prefix or widths[0]
    need(predictor < len(PREDICTORS) and 1 <= window <= 16 and prefix in widths, 'predict: parameters out of range')
    need(block and block % 32 == 0 and block <= 65536, 'predict: block out of range')
    return predictor, window, prefix, block


def decode(stream, word_bytes, extents, parameters):
    need(word_bytes >= 4, 'predict: takes no bytes')
    need(len(extents) in (1, 2) and len(parameters) == 4, 'predict: takes one or two extents and four parameters')
    predictor, window, prefix_bits, block = check_parameters(word_bytes, parameters)
    slices, count = extents if len(extents) == 2 else (1, extents[0])
    bits = 8 * word_bytes
    cap = 2**prefix_bits - 1 if 2**prefix_bits == word_bytes else word_bytes
    reach = 3 if PREDICTORS[predictor] is parallelogram else window

    read = Reader(stream)
    need(read.bytes(8) == struct.pack('<4BI', predictor, window, prefix_bits, 0, block),
         'predict: the stream disagrees with the parameters')
    grid = [read.words(count, word_bytes)]
    sizes = [min(block, count - first) for first in range(0, count, block)] * (slices - 1)
    lengths = read.words(len(sizes))
    prefixes = []
    for size, length in zip(sizes, lengths):
        packed = int.from_bytes(read.bytes(-(-prefix_bits * size // 32) * 4), 'little')
        of_block = [packed >> prefix_bits * j & 2**prefix_bits - 1 for j in range(size)]
        need(max(of_block) <= cap, 'predict: a prefix is out of range')
        need(length == sum(word_bytes - prefix for prefix in of_block), 'predict: a length is not that of the prefixes')
        prefixes.append(of_block)

    residuals = []
    for of_block, length in zip(prefixes, lengths):
        data, at = read.bytes(-(-length // 4) * 4), 0
        for prefix in of_block:
            residuals.append(int.from_bytes(data[at:at + word_bytes - prefix], 'little'))
            at += word_bytes - prefix
    need(read.at == len(stream), 'predict: the stream is too long')

    residuals = iter(residuals)
    for _ in range(1, slices):
        before = grid[:-reach - 1:-1]
        grid.append([PREDICTORS[predictor](x, bits) % 2**bits ^ next(residuals) for x in zip(*before)])
    return b''.join(struct.pack(f'<{count}{"I" if word_bytes == 4 else "Q"}', *words) for words in grid)
