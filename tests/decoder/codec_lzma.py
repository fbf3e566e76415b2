# SPDX-License-Identifier: MIT
"""lzma: LZMA2, behind a shuffle of the bytes. delta-lzma: the same of differences."""
import lzma

from codec_deflate import summed, unshuffled
from errors import Damaged, need


def inflated(stream, size):
    decoder = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[{'id': lzma.FILTER_LZMA2, 'dict_size': max(size, 4096)}])
    try:
        data = decoder.decompress(stream, size + 1)  # a byte more would be too many
    except lzma.LZMAError as error:
        raise Damaged(f'lzma: {error}') from None
    need(decoder.eof and not decoder.unused_data and len(data) == size, 'lzma: the stream has the wrong length')
    return data


def decode(stream, word_bytes, extents, parameters):
    need(len(extents) == 1 and len(parameters) == 2, 'lzma: takes one extent and two parameters')
    level, shuffle = parameters
    need(level <= 9 and shuffle < 2, 'lzma: parameters out of range')
    data = inflated(stream, extents[0] * word_bytes)
    return unshuffled(data, word_bytes) if shuffle else data


def decode_delta(stream, word_bytes, extents, parameters):
    need(len(extents) == 1 and len(parameters) == 1, 'delta-lzma: takes one extent and one parameter')
    need(parameters[0] <= 9, 'delta-lzma: level out of range')
    return summed(unshuffled(inflated(stream, extents[0] * word_bytes), word_bytes), word_bytes)
