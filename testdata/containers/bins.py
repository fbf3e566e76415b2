# SPDX-License-Identifier: MIT
"""Containers of prans' format of bins: a grid for each of its domains and orders, and streams that are wrong."""
import math
import struct

from containers import rechunked
from prans import lcg, pack, surface, with_fill
from streams import Wrong

CODEC = 'prans'


def bfloat16(values):
    return b''.join(struct.pack('<f', value)[2:] for value in values)


def normal(count, seed=5):
    """About normal numbers, each 50 of another scale."""
    random = lcg(seed)
    for i in range(count):
        yield (sum(next(random) for _ in range(6)) / 2**24 - 3) * 1.7**(i // 50 % 9) / 100


def grids():
    yield 'weights-f16', 'f16', 'floats as they are', '40x100', pack('e', normal(4000))
    yield 'weights-bf16', 'bf16', 'floats as they are', '4000', bfloat16(normal(4000))
    yield 'wave-f16', 'f16', 'smooth, with not a number in runs', '6x20x32', \
        pack('e', with_fill((value * 30 for value in surface(6, 20, 32)), math.nan))
    yield 'few-bf16', 'bf16', 'few distinct values', '50x50', bfloat16(int((value + 2) * 20)**1.5 for value in surface(50, 50))
    yield 'packed-i16', 'i16', 'packed by scale and offset, with a fill value', '4x25x30', \
        pack('h', with_fill((int(value * 9000) for value in surface(4, 25, 30)), -32768))
    yield 'pairs-u16', 'u16', 'pairs, steps of 16', '1200x2', pack('H', (16 * int((value + 2) * 800) for value in surface(1200, 2)))
    yield 'image-u8', 'u8', 'bytes', '50x60', pack('B', (int((value + 1.5) * 50) for value in surface(50, 60)))
    yield 'signed-i8', 'i8', 'bytes about zero, and 32 lanes', '130x131', \
        pack('b', (int(value * 20) for value in surface(130, 131)))
    yield 'short-i32', 'i32', 'few values', '30', pack('i', (2**31 - 1 - (i * i * 7 + i % 3) for i in range(30)))
    yield 'cubic-i64', 'i64', 'differences of the fourth order', '1500', pack('q', (i**3 * 99991 - i * i * 77 + i % 3 for i in range(1500)))
    yield 'times-u64', 'u64', 'seconds in nanoseconds', '900', \
        pack('Q', (1600000000000000000 + 10**9 * (i + i // 100 * 7 + (i * i) % 3) for i in range(900)))
    yield 'joined-i32', 'i32', 'rows that go on', '300x10', \
        pack('i', (1000000 + 60 * i + i // 700 * 5000 for i in range(3000)))
    random = lcg(17)
    yield 'heavy-u32', 'u32', 'one word among all others', '3000', \
        pack('I', (3141592653 if i % 8 == 0 else next(random) << 8 | next(random) & 255 for i in range(3000)))
    yield 'segments-u8', 'u8', 'several segments and tables', '70000', \
        pack('B', ((next(random) & 7) * (1 + i // 9000) for i in range(70000)))


def make_good(make):
    for name, dtype, what, shape, data in grids():
        make.unrepeated(f'bins-{name}', what, f'{name}_{shape}.{dtype}', data, '--codec', CODEC)


def make_bad(make):
    wrong = Wrong(make, pack('h', (int(value * 9000) for value in surface(60, 70))), 'h', CODEC, 'surface', '60x70')
    wrong.name = 'prans'
    for number, name in ((1, 'middle'), (2, 'high')):
        wrong.patched(f'i16-{name}', f'integers in the {name} format', 'B', 0, number)
    wrong.name = 'bins'
    described = struct.unpack_from('<I', wrong.stream, 4)[0]
    wrong.lengths(2)
    wrong('header', 'the stream ends within its header', wrong.stream[:6])
    wrong.patched('description-beyond', 'the description is longer than the stream', 'I', 4, 2**32 - 1)
    wrong.patched('description-less', 'the description ends too early', 'I', 4, described - 1)
    wrong.patched('description-more', 'the description has bytes left', 'I', 4, described + 1)
    wrong.patched('description', 'another description', '4B', 8, 255, 255, 255, 255)
    wrong.patched('float', 'the domain of floating-point numbers', 'B', 8, 0)
    wrong.patched('body', 'other symbols', 'B', len(wrong.stream) // 2, wrong.stream[len(wrong.stream) // 2] ^ 255)
    wrong.patched('lanes', 'another number of lanes', 'B', 2, wrong.stream[2] + 1)
    for name, at, value in (('segments-11', 1, 11), ('segments-17', 1, 17), ('lanes-6', 2, 6), ('reserved', 3, 1)):
        stream = bytearray(wrong.stream)
        stream[at] = value
        make.unsupported(f'bins-{name}', f'byte {at} is {value}', 'chunk 0',
                         wrong.container(rechunked(wrong.chunk, stream=bytes(stream))))
