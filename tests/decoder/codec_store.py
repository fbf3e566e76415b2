# SPDX-License-Identifier: MIT
"""store: the words as they are."""
from errors import need


def decode(stream, word_bytes, extents, parameters):
    need(len(extents) == 1 and not parameters, 'store: takes one extent and no parameters')
    need(len(stream) == word_bytes * extents[0], 'store: the stream has the wrong length')
    return bytes(stream)
