# SPDX-License-Identifier: MIT
"""Containers of prans' format of ranks: numbers in a dictionary, and streams that are wrong."""
import struct

from prans import lcg, pack
from streams import Wrong

RANKED, FRONT = 9, 16


def calibrated(count, words):
    """Numbers of a detector through a curve."""
    random = lcg(23)
    for i in range(count):
        yield 1000 / (1 + 3 * ((i * i % 7919 * words // 7919 + next(random) % (words // 4)) % words) / words)


def again(count, words):
    """Any of few random numbers."""
    random = lcg(29)
    known = [next(random) * 2**24 + next(random) for _ in range(words)]
    return [known[next(random) % words] for _ in range(count)]


def grids():
    yield 'f64', 'f64', 'numbers of a curve', '40x100', pack('d', calibrated(4000, 1000))
    yield 'f32', 'f32', 'numbers of a curve', '4000', pack('f', calibrated(4000, 900))
    yield 'i64', 'i64', 'random numbers, each a few times', '3000', pack('q', again(3000, 900))


def make_good(make):
    for name, dtype, what, shape, data in grids():
        make.unrepeated(f'ranked-{name}', what, f'{name}_{shape}.{dtype}', data, '--codec', 'prans')
    make.unrepeated('ranked-high-f64', 'numbers of a curve, in the high setting', 'f64_40x100.f64',
                    pack('d', calibrated(4000, 1000)), '--codec', 'prans:setting=high')


def make_bad(make):
    wrong = Wrong(make, pack('d', calibrated(4000, 1000)), 'd', 'prans', 'curve', '40x100')
    assert wrong.stream[0] == RANKED
    wrong.name = 'ranked'
    words, ranks = struct.unpack_from('<2I', wrong.stream, 8)
    wrong.lengths(2)
    wrong('front', 'the stream ends within its description', wrong.stream[:12])
    wrong.patched('reserved', 'a byte that must be 0', 'B', 1, 1)
    wrong.patched('description', 'the description is of another length', 'I', 4, 4)
    wrong.patched('words-0', 'no word', 'I', 8, 0)
    wrong.patched('words-half', 'more words than half of the values', 'I', 8, 2001)
    wrong.patched('words-less', 'numbers that the dictionary does not have', 'I', 8, words - 1)
    wrong.patched('beyond', 'the numbers end behind the stream', 'I', 12, 2**32 - 1)
    wrong.patched('less', 'the numbers end too early', 'I', 12, ranks - 2)
    wrong.patched('nested', 'ranks of ranks', 'B', FRONT, RANKED)
