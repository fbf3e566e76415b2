# SPDX-License-Identifier: MIT
"""prans: value domains, prediction and rANS. The first byte of a stream tells its format."""
import prans_high
import prans_middle
from errors import know, need

FORMATS = {1: prans_middle.decode, 2: prans_high.decode}


def decode(stream, word_bytes, extents, parameters):
    need(word_bytes >= 4, 'prans: takes no bytes')
    need(len(parameters) == 2 and 1 <= parameters[0] <= 2 and parameters[1] <= 1, 'prans: parameters out of range')
    need(len(stream) >= 8, 'prans: the stream is too short')
    know(stream[0] in FORMATS, f'prans: unknown format {stream[0]}')
    need(stream[0] == parameters[0], 'prans: the format is not that of the setting')
    need(stream[1:4] == bytes(3), 'prans: bytes that must be 0')
    return FORMATS[stream[0]](stream[4:], word_bytes, extents)
