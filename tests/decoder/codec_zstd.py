# SPDX-License-Identifier: MIT
"""zstd: a frame of Zstandard, behind a shuffle of the bytes. Needs the program zstd."""
import shutil
import subprocess

from codec_deflate import summed, unshuffled
from errors import Missing, need


def content_size(stream):
    """What the frame's header says (RFC 8878, 3.1.1.1); where the frame ends, by the headers of its blocks."""
    need(stream[:4] == b'\x28\xb5\x2f\xfd' and len(stream) > 5, 'zstd: no frame')
    descriptor = stream[4]
    single, dictionary, checksum = descriptor >> 5 & 1, (0, 1, 2, 4)[descriptor & 3], descriptor >> 2 & 1
    size_bytes = (single, 2, 4, 8)[descriptor >> 6]
    at = 5 + (not single) + dictionary
    need(size_bytes and not any(stream[at - dictionary:at]), 'zstd: the frame does not tell its size, or wants a dictionary')
    size = int.from_bytes(stream[at:at + size_bytes], 'little') + (256 if size_bytes == 2 else 0)
    at += size_bytes
    last = False
    while not last:
        need(at + 3 <= len(stream), 'zstd: the stream ends within a block')
        header = int.from_bytes(stream[at:at + 3], 'little')
        last, kind = header & 1, header >> 1 & 3
        at += 3 + (1 if kind == 1 else header >> 3)
    return size, at + 4 * checksum


def expand(stream):
    if not shutil.which('zstd'):
        raise Missing('zstd: the program zstd is not there')
    done = subprocess.run(['zstd', '-dcq', '--memory=2048MB'], input=stream, capture_output=True, check=False)
    need(done.returncode == 0, f'zstd: {done.stderr}')
    return done.stdout


def inflated(stream, size):
    need(content_size(stream) == (size, len(stream)), 'zstd: the frame has the wrong length')
    data = expand(stream)
    need(len(data) == size, 'zstd: the frame has the wrong length')
    return data


def decode(stream, word_bytes, extents, parameters):
    need(len(extents) == 1 and len(parameters) == 2, 'zstd: takes one extent and two parameters')
    level, shuffle = parameters
    need(1 <= level <= 19 and shuffle < 2, 'zstd: parameters out of range')
    data = inflated(stream, extents[0] * word_bytes)
    return unshuffled(data, word_bytes) if shuffle else data


def decode_delta(stream, word_bytes, extents, parameters):
    need(len(extents) == 1 and len(parameters) == 1, 'delta-zstd: takes one extent and one parameter')
    need(1 <= parameters[0] <= 19, 'delta-zstd: level out of range')
    return summed(unshuffled(inflated(stream, extents[0] * word_bytes), word_bytes), word_bytes)
