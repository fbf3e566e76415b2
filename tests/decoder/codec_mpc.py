# SPDX-License-Identifier: MIT
"""mpc: differences to the value dim before, transposed bits, no words that are zero."""
import struct

from errors import need

SEGMENT = 1024


def decode_segment(bitmaps, nonzero, bits, dim):
    """All values of a segment, its extension included; nonzero is an iterator."""
    mask, values, column = 2**bits - 1, [], 0
    for bitmap in bitmaps:
        residuals = [0] * bits
        for plane in range(bits):
            if bitmap >> plane & 1:
                column = column + next(nonzero) & mask
            for i in range(bits):
                residuals[i] |= (column >> i & 1) << plane
        for residual in residuals:
            values.append((residual + values[-dim] if len(values) >= dim else residual) & mask)
    return values


def decode(stream, word_bytes, extents, parameters):
    need(word_bytes >= 4, 'mpc: takes no bytes')
    need(len(extents) == 1 and len(parameters) == 1, 'mpc: takes one extent and one parameter')
    need(parameters[0] <= 32, 'mpc: dim out of range')
    need(len(stream) >= 8 and len(stream) % word_bytes == 0, 'mpc: the stream is not made of words')
    magic, count = struct.unpack_from('<2I', stream)
    dim = magic % 256 + 1
    need(magic - magic % 256 == (0x63706D00 if word_bytes == 4 else 0x43504D00), 'mpc: no stream of this dtype')
    need(dim <= 32, 'mpc: dim out of range')
    need(count == extents[0] < 2**31, 'mpc: not the number of values of the chunk')

    bits = 8 * word_bytes
    groups = -(-count // bits)
    words = struct.unpack(f'<{len(stream[8:]) // word_bytes}{"I" if word_bytes == 4 else "Q"}', stream[8:])
    need(len(words) >= groups, 'mpc: the stream ends within the bitmaps')
    bitmaps, words = words[:groups], words[groups:]
    surplus = len(words) - sum(bitmap.bit_count() for bitmap in bitmaps)
    # The writer's stray word, where the last segment is short.
    need(surplus == 0 or surplus == 1 and groups * bits % SEGMENT, 'mpc: the stream has the wrong length')

    nonzero, values, segment = iter(words), [], SEGMENT // bits
    for first in range(0, groups, segment):
        values += decode_segment(bitmaps[first:first + segment], nonzero, bits, dim)
    return struct.pack(f'<{count}{"I" if word_bytes == 4 else "Q"}', *values[:count])
