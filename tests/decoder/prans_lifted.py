# SPDX-License-Identifier: MIT
"""Streams of prans' high setting whose values were lifted to f32 or f64 from another dtype."""
import math
import struct

import prans_high
from errors import need

NUMBER, BITS, STEPS, UPPER = range(4)


def half_of(word, way):
    """The f16 whose lifted word this is."""
    sign, rest = word >> 16 & 0x8000, word & 2**31 - 1
    if way == BITS:
        need(rest >> 28 == 0 and rest % 2**13 == 0, 'prans: no lifted f16')
        return sign | rest >> 13
    if rest >> 23 == 255:
        need(rest % 2**13 == 0, 'prans: no lifted f16')
        return sign | 31 << 10 | rest >> 13 & 1023
    real, = struct.unpack('<f', struct.pack('<I', rest))
    need(real < 2.0**16, 'prans: no lifted f16')
    half, = struct.unpack('<H', struct.pack('<e', real)) if real < 65520 else (0,)
    need(struct.unpack('<e', struct.pack('<H', half))[0] == real, 'prans: no lifted f16')
    return sign | half


def integer_of(real, low, high):
    need(math.isfinite(real) and real == int(real) and math.copysign(1, real) == (-1 if real < 0 else 1), 'prans: no lifted integer')
    need(low <= real < high, 'prans: a lifted integer is out of range')
    return int(real)


def decode(stream, kind, word_bytes, extents):
    way, count = stream[3], math.prod(extents)
    lifted, code = (4, 'f') if word_bytes < 4 else (8, 'd')
    fitting = ((BITS, NUMBER, UPPER) if kind == 'f' else (NUMBER, STEPS) if word_bytes == 8 else (NUMBER,))
    need(way in fitting, 'prans: values cannot have been lifted so')
    refined = (stream[1], stream[2]) if stream[1] or stream[2] else None
    need(not refined or 8 <= refined[0] <= 20 and refined[1] <= 8, 'prans: bad refinement')
    origin, step, fill, end = 0, 1, None, len(stream)
    if way == STEPS:
        end -= 24
        need(end >= 8, 'prans: the stream is too short')
        origin, step, fill = struct.unpack_from('<3Q', stream, end)
    words = prans_high.decode(stream[4:end], lifted, extents, refined)
    if kind == 'f':
        bits = struct.unpack(f'<{count}I', words)
        if way == UPPER:
            need(all(word % 2**16 == 0 for word in bits), 'prans: no lifted bf16')
            return struct.pack(f'<{count}H', *(word >> 16 for word in bits))
        return struct.pack(f'<{count}H', *(half_of(word, way) for word in bits))
    least = 0 if kind == 'u' else -2**(8 * word_bytes - 1)
    low, high = (-2**51 + 1, 2**51) if word_bytes == 8 else (least, least + 2**(8 * word_bytes))
    modulus = 2**(8 * word_bytes)
    values = (fill if fill is not None and real == 2.0**60 else origin + step * integer_of(real, low, high)
              for real in struct.unpack(f'<{count}{code}', words))
    return b''.join((value % modulus).to_bytes(word_bytes, 'little') for value in values)
