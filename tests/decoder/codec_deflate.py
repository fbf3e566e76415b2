# SPDX-License-Identifier: MIT
"""deflate: zlib, behind a shuffle of the bytes."""
import zlib

from errors import Damaged, need


def unshuffled(data, word_bytes):
    count = len(data) // word_bytes
    planes = [data[i * count:(i + 1) * count] for i in range(word_bytes)]
    return bytes(byte for word in zip(*planes) for byte in word)


def summed(data, word_bytes):
    """From differences to words, for codecs of these."""
    words, word = bytearray(), 0
    for at in range(0, len(data), word_bytes):
        word = (word + int.from_bytes(data[at:at + word_bytes], 'little')) % 256 ** word_bytes
        words += word.to_bytes(word_bytes, 'little')
    return bytes(words)


def decode(stream, word_bytes, extents, parameters):
    need(len(extents) == 1 and len(parameters) == 2, 'deflate: takes one extent and two parameters')
    level, shuffle = parameters
    need(1 <= level <= 9 and shuffle < 2, 'deflate: parameters out of range')
    inflate = zlib.decompressobj()
    try:
        data = inflate.decompress(stream, extents[0] * word_bytes + 1)  # a byte more would be too many
    except zlib.error as error:
        raise Damaged(f'deflate: {error}') from None
    need(inflate.eof and not inflate.unused_data and len(data) == extents[0] * word_bytes,
         'deflate: the stream has the wrong length')
    return unshuffled(data, word_bytes) if shuffle else data
