#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Restores .fpgz containers; written from man/fpgz.5 alone, to prove that the page is enough.

usage: fpgz_decode.py FILE > restored
Exit status: 0 all restored, 1 the container is damaged, 2 it needs another reader.
"""
import math
import struct
import sys

import codec_arith
import codec_deflate
import codec_frsz2
import codec_gfc
import codec_mpc
import codec_ndzip
import codec_predict
import codec_store
from errors import Damaged, Unsupported, know, need
from xxh3 import xxh3

# A codec is a function (stream, bytes of a word, coding extents, parameters) -> little-endian words.
CODECS = {0: codec_store.decode, 1: codec_ndzip.decode, 2: codec_gfc.decode, 3: codec_mpc.decode,
          4: codec_frsz2.decode, 5: codec_arith.decode, 6: codec_predict.decode, 7: codec_deflate.decode}
LOSSY = (4,)
WORD_BYTES = {1: 4, 2: 8, 3: 1}     # by dtype

MAGIC = b'\x89FPG\r\n\x1a\n'
MARKER = b'\xf5FGS'
FILE, ARRAY, CHUNK, INDEX, END = 1, 2, 3, 5, 6
KNOWN = (FILE, ARRAY, CHUNK, INDEX, END)
UNKNOWN = 2**64 - 1


class Section:
    """A section at an offset of data, with its checksums verified."""

    def __init__(self, data, at):
        need(data[at:at + 4] == MARKER[:len(data) - at], 'no section where one must be')
        need(len(data) - at >= 40, 'truncated: a section header is cut')
        head_length, self.check, self.type, flags, self.number, body_length, body_check = \
            struct.unpack_from('<IQHHIQQ', data, at + 4)
        need(head_length <= 65536, 'the head of a section is too long')
        body = at + 40 + head_length
        need(body <= len(data), 'truncated: the head of a section is cut')
        need(xxh3(data[at + 16:body]) == self.check, 'a section header or head fails its checksum')
        know(flags == 0, f'unknown flags {flags:#x} of a section')
        know(self.type in KNOWN or self.type >= 0x8000, f'unknown section type {self.type:#x}')
        self.at, self.end = at, body + body_length
        need(self.end <= len(data), 'truncated: the body of a section is cut')
        self.entry = struct.pack('<Q', at) + data[at:body]
        self.head, self.body = data[at + 40:body], data[body:self.end]
        need(xxh3(self.body) == body_check, 'the body of a section fails its checksum')


class Array:
    """What the file and the array section say, and where in the array the next chunk begins."""

    def __init__(self, file, array):
        need(not file.body and not array.body, 'a file or array section has a body')
        need(len(file.head) >= 32 and len(array.head) >= 32, 'the head of a section is too short')
        kind, flags, name_length, mode, self.size, _, nanoseconds = struct.unpack_from('<BBHIQqI', file.head)
        know(kind == 0, f'unknown kind of file {kind}')
        know(flags < 4, f'unknown flags {flags:#x} of a file')
        name = file.head[32:]
        need(name_length == len(name) <= 255 and not {0, 0x2F} & set(name), 'bad name of a file')
        need(mode <= 0o7777 and nanoseconds < 10**9, 'bad mode or modification time')

        number, dtype, order, dimensions, layout, offset, self.chunk_limit, name_length = \
            struct.unpack_from('<IBBBBQQH', array.head)
        know(dtype in WORD_BYTES, f'unknown dtype {dtype}')
        know(order < 2, f'unknown order of bytes {order}')
        know(layout == 0, f'unknown layout {layout}')
        need(number == 0 and offset == 0 and 1 <= dimensions <= 32, 'bad array section')
        need(self.chunk_limit <= 2**30, 'the chunks of an array are too large')
        need(name_length <= 255 and len(array.head) == 32 + 8 * dimensions + name_length, 'bad array section')
        first, *others = struct.unpack_from(f'<{dimensions}Q', array.head, 32)
        self.word_bytes, self.big_endian = WORD_BYTES[dtype], order == 1
        self.row = math.prod(others)
        self.values = None if first == UNKNOWN else first * self.row
        need(self.row >= 1 and (self.values or self.row) * self.word_bytes < 2**63, 'bad extents of an array')
        self.chunks = self.done = 0

    def restore(self, chunk):
        """The bytes of the next chunk."""
        need(len(chunk.head) >= 32, 'the head of a chunk is too short')
        array, codec, dimensions, parameter_count, number, first, raw_check = struct.unpack_from('<IHBBQQQ', chunk.head)
        need(1 <= dimensions <= 4, 'bad number of extents of a chunk')
        know(parameter_count <= 4, f'unknown parameters of a chunk: {parameter_count} of them')
        fields = 32 + 8 * dimensions + 4 * parameter_count
        need(len(chunk.head) in (fields, fields + 16), 'the head of a chunk has the wrong length')
        need((array, number, first) == (0, self.chunks, self.done), 'a chunk is missing or not in its place')
        extents = struct.unpack_from(f'<{dimensions}Q', chunk.head, 32)
        values = math.prod(extents)
        need(0 < values * self.word_bytes <= self.chunk_limit, 'bad size of a chunk')
        self.chunks += 1
        self.done += values
        need(self.values is None or self.done <= self.values, 'the chunks exceed the array')
        know(codec in CODECS, f'unknown codec {codec}')
        errors = struct.unpack('<2d', chunk.head[fields:]) if len(chunk.head) > fields else ()
        need(len(errors) == 2 * (codec in LOSSY), 'a chunk tells errors, or tells none, as its codec should not')
        need(all(error >= 0 for error in errors), 'an error of a chunk is no number of at least 0')
        parameters = struct.unpack_from(f'<{parameter_count}I', chunk.head, 32 + 8 * dimensions)
        raw = CODECS[codec](chunk.body, self.word_bytes, extents, parameters)
        if self.big_endian:
            raw = raw[::-1]             # reverses the bytes of each value, and the values: put these back
            raw = b''.join(raw[i - self.word_bytes:i] for i in range(len(raw), 0, -self.word_bytes))
        need(xxh3(raw) == raw_check, 'a restored chunk fails its checksum')
        return raw

    def finish(self):
        """Returns the bytes that all chunks restore."""
        size = self.done * self.word_bytes
        need(self.done % self.row == 0 if self.values is None else self.done == self.values, 'a chunk is missing')
        need(self.size in (UNKNOWN, size), 'the size of the file is not that of the array')
        return size


def read_header(data):
    need(data[:8] == MAGIC[:len(data)],
         'changed by a transfer as text' if data[:4] == MAGIC[:4] else 'no fpgz container')
    need(len(data) >= 16, 'truncated: the header is cut')
    version, flags, check = struct.unpack_from('<HHI', data, 8)
    need(xxh3(data[:12]) & 0xFFFFFFFF == check, 'the header fails its checksum')
    know(version == 1 and flags == 0, f'version {version} with flags {flags:#x} needs a newer reader')


def check_end(section, sections, restored):
    need(len(section.head) == 40 and not section.body, 'bad end section')
    checks = b''.join(struct.pack('<Q', before.check) for before in sections)
    need(struct.unpack('<5Q', section.head) ==
         (sections[-1].at, section.end, restored, xxh3(checks), len(sections)), 'the end disagrees with the member')


def restore_member(data, write):
    """Restores the member at the start of data; returns its length."""
    read_header(data)
    sections, at, state, array = [], 16, None, None
    while state != END:
        section = Section(data, at)
        need(section.number == len(sections) % 2**32, 'a section is missing or not in its place')
        if section.type in KNOWN:
            allowed = {None: (FILE,), FILE: (ARRAY,), ARRAY: (CHUNK, INDEX), CHUNK: (CHUNK, INDEX), INDEX: (END,)}
            need(section.type in allowed[state], 'sections in a wrong order')
            state = section.type
        else:
            need(state not in (None, INDEX), 'sections in a wrong order')
        if section.type == FILE:
            file = section
        elif section.type == ARRAY:
            array = Array(file, section)
        elif section.type == CHUNK:
            write(array.restore(section))
        elif section.type == INDEX:
            restored = array.finish()
            need(not section.head and section.body == b''.join(before.entry for before in sections),
                 'the index disagrees with the sections')
        elif section.type == END:
            check_end(section, sections, restored)
        sections.append(section)
        at = section.end
    return at


def restore(data, write):
    """Calls write with the bytes of each chunk of all members in turn; raises Damaged or Unsupported."""
    while True:
        data = data[restore_member(data, write):]
        if not data:
            return


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], 'rb') as file:
        data = file.read()
    try:
        restore(data, sys.stdout.buffer.write)
    except (Damaged, Unsupported) as error:
        print(f'fpgz_decode: {sys.argv[1]}: {error}', file=sys.stderr)
        return 2 if isinstance(error, Unsupported) else 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
