# SPDX-License-Identifier: MIT
"""arith: bytes in blocks, each a number in the interval that the frequencies of its bytes make."""
import bisect
import itertools
import struct

from errors import need

TOTAL = 2**15


def decode_block(stream, count, ends):
    """The bytes of a block; symbol s owns the interval from ends[s - 1] to ends[s]."""
    bits = itertools.chain((byte >> place & 1 for byte in stream for place in reversed(range(8))), itertools.repeat(0))
    value, low, high = 0, 0, 2**31 - 1
    for bit in itertools.islice(bits, 31):
        value = 2 * value + bit
    out, steps = bytearray(), 0
    for _ in range(count):
        span = high - low + 1
        symbol = bisect.bisect_right(ends, ((value - low + 1) * TOTAL - 1) // span)
        out.append(symbol)
        high = low + span * ends[symbol] // TOTAL - 1
        low += span * (ends[symbol - 1] if symbol else 0) // TOTAL
        while True:
            if high < 2**30:
                less = 0
            elif low >= 2**30:
                less = 2**30
            elif low >= 2**29 and high < 3 * 2**29:
                less = 2**29
            else:
                break
            low, high, value = 2 * (low - less), 2 * (high - less) + 1, 2 * (value - less) + next(bits)
            steps += 1
    need(len(stream) == (steps + 2 + 7) // 8, 'arith: a block has not the bytes that its symbols ask for')
    return out


def decode(stream, word_bytes, extents, parameters):
    need(len(extents) == 1 and len(parameters) == 1, 'arith: takes one extent and one parameter')
    need(512 <= parameters[0] <= 65536, 'arith: block out of range')
    need(len(stream) >= 524, 'arith: the stream ends within its header')
    count, block = struct.unpack_from('<QI', stream)
    need(count == extents[0] * word_bytes, 'arith: not the number of bytes of the chunk')
    need(block == parameters[0], 'arith: the size of blocks is not the parameter')
    ends = list(itertools.accumulate(struct.unpack_from('<256H', stream, 12)))
    need(ends[-1] == TOTAL, 'arith: the frequencies have the wrong sum')
    blocks = -(-count // block)
    at = 524 + 4 * blocks
    need(len(stream) >= at, 'arith: the stream ends within the lengths of blocks')
    lengths = struct.unpack_from(f'<{blocks}I', stream, 524)
    need(len(stream) == at + sum(lengths), 'arith: the stream has the wrong length')
    out = bytearray()
    for length in lengths:
        out += decode_block(stream[at:at + length], min(block, count - len(out)), ends)
        at += length
    return bytes(out)
