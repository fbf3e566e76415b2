# SPDX-License-Identifier: MIT
"""frsz2: blocks of 32 values in fixed point below their greatest exponent; lossy."""
import struct

from errors import need

BLOCK = 32


def decode_value(code, bits, exponent, width, mantissa_bits):
    """The word of a code under the exponent field of its block."""
    sign = code >> bits - 1 << width - 1
    fixed = (code & 2**(bits - 1) - 1) << width - bits
    if not fixed:
        return sign
    shift = min(width - 1 - fixed.bit_length(), exponent)
    right = width - 2 - mantissa_bits - shift
    mantissa = (fixed >> right if right >= 0 else fixed << -right) & 2**mantissa_bits - 1
    return sign | exponent - shift << mantissa_bits | mantissa


def exceptions_of(stream, word_bytes, count, width, mantissa_bits):
    """Yields (index, word); stream is what follows the codes."""
    if not stream:
        return
    need(len(stream) >= 8, 'frsz2: the stream has the wrong length')
    exceptions = struct.unpack_from('<Q', stream)[0]
    need(exceptions and len(stream) == 8 + exceptions * (8 + word_bytes), 'frsz2: the stream has the wrong length')
    before = -1
    for index, word in struct.iter_unpack('<QI' if word_bytes == 4 else '<QQ', stream[8:]):
        need(before < index < count, 'frsz2: exceptions out of order or range')
        need(~word >> mantissa_bits & 2**(width - 1 - mantissa_bits) - 1 == 0, 'frsz2: an exception is finite')
        before = index
        yield index, word


def decode(stream, word_bytes, extents, parameters):
    need(word_bytes >= 4, 'frsz2: takes no bytes')
    need(len(extents) == 1 and len(parameters) == 1, 'frsz2: takes one extent and one parameter')
    width, mantissa_bits = 8 * word_bytes, 23 if word_bytes == 4 else 52
    bias = 2**(width - 2 - mantissa_bits) - 1
    bits, count = parameters[0] or width // 2, extents[0]
    need(2 <= bits <= width, 'frsz2: bits out of range')
    container = next(size for size in (1, 2, 4, 8) if bits <= 8 * size)
    exponent_bytes = 2 if bits < 4 or word_bytes == 8 and bits <= 8 else container
    block_bytes = -(-4 * bits // container) * container
    blocks = -(-count // BLOCK)
    codes = (blocks * exponent_bytes // 256 + 1) * 256
    need(len(stream) >= codes + blocks * block_bytes, 'frsz2: the stream is too short')

    words = []
    for block in range(blocks):
        at = block * exponent_bytes
        exponent = bias + int.from_bytes(stream[at:at + exponent_bytes], 'little', signed=True)
        need(0 <= exponent <= 2 * bias, 'frsz2: an exponent is out of range')
        at = codes + block * block_bytes
        number = int.from_bytes(stream[at:at + block_bytes], 'little')
        words += (decode_value(number >> j * bits & 2**bits - 1, bits, exponent, width, mantissa_bits)
                  for j in range(BLOCK))
    del words[count:]
    for index, word in exceptions_of(stream[codes + blocks * block_bytes:], word_bytes, count, width, mantissa_bits):
        words[index] = word
    return struct.pack(f'<{count}{"I" if word_bytes == 4 else "Q"}', *words)
