# SPDX-License-Identifier: MIT
"""Containers of prans' high setting for dtypes besides f32 and f64: each way of lifting, and streams that are wrong."""
import math
import struct

from bins import bfloat16
from prans import lcg, pack, surface, with_fill
from streams import Wrong

LIFTED = 5
REFINED = 'image-u8', 'pairs-u16'


def rough(scale, *extents):
    """A smooth function with noise, which fitted stencils predict best."""
    random = lcg(19)
    for i, value in enumerate(surface(*extents)):
        yield scale * (value + 0.4 * math.sin(0.9 * i % extents[-1]) + next(random) / 2**31)


def grids():
    yield 'packed-i16', 'i16', 'packed by scale and offset, with a fill value', '5x25x40', \
        pack('h', with_fill((int(value) for value in rough(4000, 5, 25, 40)), -32768))
    yield 'image-u8', 'u8', 'bytes', '70x90', pack('B', (int(value) + 90 for value in rough(50, 70, 90)))
    yield 'signed-i8', 'i8', 'bytes about zero', '70x90', pack('b', (int(value) for value in rough(30, 70, 90)))
    yield 'pairs-u16', 'u16', 'pairs', '3000x2', pack('H', (int(value) + 20000 for value in rough(9000, 3000, 2)))
    yield 'surface-i32', 'i32', 'large numbers', '60x80', pack('i', (int(value) for value in rough(7e8, 60, 80)))
    yield 'surface-u32', 'u32', 'large numbers', '60x80', pack('I', (int(value) + 2**31 for value in rough(7e8, 60, 80)))
    yield 'surface-i64', 'i64', 'numbers below 2^51', '60x80', pack('q', (int(value) for value in rough(2e9, 60, 80)))
    yield 'times-i64', 'i64', 'steps, and a fill value', '60x80', \
        pack('q', with_fill((17 * 10**17 + 1000 * int(value) for value in rough(1e9, 60, 80)), -2**63))
    yield 'far-u64', 'u64', 'numbers above 2^63', '60x80', pack('Q', (2**63 + 3 + int(value) for value in rough(1e9, 60, 80)))
    yield 'wave-f16', 'f16', 'smooth, with infinity and not a number', '70x80', \
        pack('e', with_fill((math.inf if i == 77 else value for i, value in enumerate(rough(3, 70, 80))), math.nan))
    yield 'small-f16', 'f16', 'subnormal numbers', '70x80', pack('e', rough(2e-5, 70, 80))
    yield 'wave-bf16', 'bf16', 'smooth', '70x80', bfloat16(rough(3, 70, 80))


def make_good(make):
    for name, dtype, what, shape, data in grids():
        make.unrepeated(f'lifted-{name}', what, f'{name}_{shape}.{dtype}', data, '--codec', 'prans:setting=high')
        if name in REFINED:
            make.unrepeated(f'lifted-slow-{name}', what + ', refined', f'{name}_{shape}.{dtype}', data, '--codec', 'prans:effort=max')


def make_bad(make):
    values = (17 * 10**17 + 1000 * int(value) for value in rough(1e9, 60, 80))
    wrong = Wrong(make, pack('q', values), 'q', 'prans:setting=high', 'times', '60x80')
    assert wrong.stream[0] == LIFTED
    wrong.name = 'lifted'
    wrong.lengths(2)
    wrong('tail', 'the stream ends before origin, step and fill', wrong.stream[:20])
    wrong.patched('way-1', 'a way of halves', 'B', 3, 1)
    wrong.patched('way-4', 'an unknown way', 'B', 3, 4)
    wrong.patched('refined', 'refined, without effort=max', '2B', 1, 12, 4)
    wrong.patched('high', 'the high format', 'B', 0, 2)
    wrong.patched('body', 'other symbols', 'B', len(wrong.stream) // 2, wrong.stream[len(wrong.stream) // 2] ^ 255)
    wrong.head('middle', 'the middle setting', f'chunk 0 (values 0 to {wrong.values - 1}, ', parameters=(1, 0))
    wide = Wrong(make, pack('h', (int(value) for value in rough(4000, 50, 60))), 'h', 'prans:setting=high', 'wide', '50x60')
    assert wide.stream[0] == LIFTED
    wide.name = 'lifted'
    wide.patched('way-steps', 'steps of small integers', 'B', 3, 2)
