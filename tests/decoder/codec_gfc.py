# SPDX-License-Identifier: MIT
"""gfc: differences of words without their leading zero bytes, in parts that stand for themselves."""
import struct

from errors import need

GROUP = 32
BYTES = (0, 1, 3, 4, 5, 6, 7, 8)    # of a difference, by the low three bits of its code


def decode_part(part, count, dim):
    """The words of a part of count values, whole groups."""
    words, at = [0] * GROUP, 0      # the group before the first one predicts 0
    for _ in range(count // GROUP):
        before = words[-GROUP:]
        need(at + GROUP // 2 <= len(part), 'gfc: a part ends within codes')
        codes = [half for byte in part[at:at + GROUP // 2] for half in (byte & 15, byte >> 4)]
        at += GROUP // 2
        for lane, code in enumerate(codes):
            length = BYTES[code & 7]
            difference = int.from_bytes(part[at:at + length], 'little')
            at += length
            words.append(before[GROUP - dim + lane % dim] + (-difference if code & 8 else difference) & 2**64 - 1)
    need(at == len(part), 'gfc: a part has not the bytes that its codes ask for')
    return words[GROUP:]


def decode(stream, word_bytes, extents, parameters):
    need(word_bytes == 8 and len(extents) == 1 and len(parameters) == 3, 'gfc: takes f64, one extent, three parameters')
    blocks, warps, dim = parameters
    need(blocks <= 255 and warps <= 32 and dim <= 32, 'gfc: parameters out of range')
    need(len(stream) >= 7, 'gfc: the stream ends within its header')
    blocks, warps, dim, count = struct.unpack_from('<BBBI', stream)
    need(blocks and warps and 1 <= dim <= 32, 'gfc: blocks, warps or dim out of range')
    need(count == extents[0] <= 2**27, 'gfc: not the number of values of the chunk')
    parts = blocks * warps
    at = 7 + 4 * parts
    need(len(stream) >= at, 'gfc: the stream ends within the lengths of parts')
    lengths = struct.unpack_from(f'<{parts}I', stream, 7)
    need(len(stream) == at + sum(lengths), 'gfc: the stream has the wrong length')

    padded = -(-count // GROUP) * GROUP
    longest = -(-max(GROUP, -(-padded // parts)) // GROUP) * GROUP
    words = []
    for length in lengths:
        words += decode_part(stream[at:at + length], min(longest, padded - len(words)), dim)
        at += length
    return struct.pack(f'<{count}Q', *words[:count])
