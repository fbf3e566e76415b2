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
import codec_lzma
import codec_mpc
import codec_ndzip
import codec_prans
import codec_predict
import codec_store
import codec_zstd
import coded
import compact
import xattrs
from compact import MAGIC
from errors import Damaged, Unsupported, know, need
from xxh3 import xxh3

# A codec is a function (stream, bytes of a word, coding extents, parameters) -> little-endian words.
CODECS = {0: codec_store.decode, 1: codec_ndzip.decode, 2: codec_gfc.decode, 3: codec_mpc.decode,
          4: codec_frsz2.decode, 5: codec_arith.decode, 6: codec_predict.decode, 7: codec_deflate.decode,
          8: codec_prans.decode, 9: codec_zstd.decode, 10: codec_lzma.decode, 11: codec_lzma.decode_delta,
          12: codec_zstd.decode_delta}
LOSSY = (4,)
WORD_BYTES = {1: 4, 2: 8, 3: 1, 5: 2, 6: 4, 7: 8, 8: 2, 9: 4, 10: 8, 11: 2, 12: 2, 13: 1}   # by dtype
INTEGERS = {3: 'u', 5: 'i', 6: 'i', 7: 'i', 8: 'u', 9: 'u', 10: 'u', 13: 'i'}                         # whether signed, by dtype
TELLS_KINDS = (8,)                      # codecs whose decoders are told the kind of numbers
TAKES = {codec: (1, 2) for codec in CODECS} | {2: (2,), 5: (1, 2, 3)} | {codec: tuple(WORD_BYTES) for codec in (0, 7, 8, 9, 10, 11, 12)}

MARKER = b'\xf5FGS'
FILE, ARRAY, CHUNK, INDEX, END, ARRAYS, CODED_INDEX, CODED_CHUNK, SHORT_END, XATTRS = 1, 2, 3, 5, 6, 7, 8, 10, 11, 0x8002
KNOWN = (FILE, ARRAY, CHUNK, INDEX, END, ARRAYS, CODED_INDEX, CODED_CHUNK, SHORT_END)
# Of files; all but the first are restored alike.
KINDS = {0: 'raw', 1: 'HDF5', 2: 'npy', 4: 'safetensors', 5: 'netCDF-3', 6: 'FITS', 7: 'zip', 8: 'vtkxml', 9: 'vtk', 10: 'segy',
         11: 'nifti', 12: 'mrc', 13: 'gguf', 14: 'fortran', 15: 'grib'}
RAW = 0
DENSE, PIECES, BYTES, COLUMN_MAJOR, GROUP, FILTERED, BANDED, PIECED = 0, 1, 2, 3, 4, 5, 7, 12
UNKNOWN = 2**64 - 1


def decode_stream(codec, dtype, stream, extents, parameters):
    """The bytes of the values, little-endian, that a codec's stream stands for."""
    kind = (INTEGERS.get(dtype, 'f'),) if codec in TELLS_KINDS else ()
    return CODECS[codec](stream, WORD_BYTES[dtype], extents, parameters, *kind)


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


class File:
    """What the file section says."""

    def __init__(self, section):
        need(not section.body and len(section.head) >= 32, 'bad file section')
        self.kind, flags, name_length, mode, self.size, _, nanoseconds = struct.unpack_from('<BBHIQqI', section.head)
        know(self.kind in KINDS, f'unknown kind of file {self.kind}')
        know(not flags & ~(19 if self.kind == RAW else 15), f'unknown flags {flags:#x} of a file')
        self.scattered = flags & 4 != 0
        self.image, name = self.size, section.head[32:]
        if flags & 8:
            self.image, name = int.from_bytes(name[:8], 'little'), name[8:]
            need(len(section.head) >= 40 and self.image != self.size, 'an image of the same size')
        self.table = name[name_length:] if flags & 16 else None
        name = name[:name_length] if flags & 16 else name
        need(self.table is None or 1 <= len(self.table) <= 8192, 'bad array of a file')
        need(name_length == len(name) <= 255 and not {0, 0x2F} & set(name), 'bad name of a file')
        need(mode <= 0o7777 and nanoseconds < 10**9, 'bad mode or modification time')
        self.mode = mode if flags & 1 else None
        need(self.kind == RAW or max(self.size, self.image) < 2**63, 'a file of parts is of no size')


def array_bytes(dtype, order, layout, extents):
    """The bytes of an array of these extents, 0 where there is no such array."""
    know(dtype in WORD_BYTES, f'unknown dtype {dtype}')
    know(order < 2, f'unknown order of bytes {order}')
    know(layout <= FILTERED or layout in (BANDED, PIECED), f'unknown layout {layout}')
    size = math.prod(extents) * WORD_BYTES[dtype]
    return size if size < 2**63 else 0


def read_array(section, due_number):
    """What an array section says, as coded.read_arrays() tells it."""
    head = section.head
    need(len(head) >= 32, 'the head of a section is too short')
    number, dtype, order, dimensions, layout, offset, limit, name_length = struct.unpack_from('<IBBBBQQH', head)
    array_bytes(dtype, order, layout, ())
    know(layout < GROUP, f'layout {layout} outside a table of arrays')
    need(number == due_number and 1 <= dimensions <= 32, 'bad array section')
    pieces_at = 32 + 8 * dimensions
    name_at = pieces_at + (8 * dimensions + 16) * (layout == PIECES)
    need(name_length <= 4096 and len(head) == name_at + name_length and 0 not in head[name_at:], 'bad array section')
    array = {'dtype': dtype, 'order': order, 'layout': layout, 'extents': struct.unpack_from(f'<{dimensions}Q', head, 32),
             'chunk_limit': limit, 'offset': offset, 'stored': None, 'runs': None, 'table': section.body}
    if layout == PIECES:
        *array['piece'], array['stored'], _ = struct.unpack_from(f'<{dimensions}QQQ', head, pieces_at)
        size = array_bytes(dtype, order, layout, array['piece'])
        need(size, 'bad extents of pieces')
        array['runs'] = coded.read_runs(coded.Numbers(section.body), size, None)
    elif layout == BYTES:
        array['runs'] = coded.read_runs(coded.Numbers(section.body), 0, None)
    return array


class Array:
    """An array, and where in it the next chunk begins."""

    def __init__(self, file, array):
        dtype, layout, extents = array['dtype'], array['layout'], array.get('extents')
        self.member, self.source, self.copies = layout is None, array.get('source'), []
        if self.member:     # of a group, whose chunks have its values
            self.values = self.done = self.chunks = self.chunk_limit = 0
            self.row, self.word_bytes, self.filtered = 1, 1, None
            return
        self.chunk_limit = array['chunk_limit']
        need(self.chunk_limit <= 2**30, 'the chunks of an array are too large')
        self.dtype, self.word_bytes, self.big_endian = dtype, WORD_BYTES[dtype], array['order'] == 1
        self.chunks = self.done = 0
        self.filtered = array.get('filtered')
        self.folded = bool(array.get('turned') and array['row'])
        self.turned = (array['row'] or math.prod(extents[1:])) if array.get('turned') else 0
        if file.kind == RAW:
            need(layout == DENSE and array['offset'] == 0 and not array['table'], 'bad array of a raw file')
            self.row = math.prod(extents[1:])
            self.values = None if extents[0] == UNKNOWN else extents[0] * self.row
            need(not array.get('turned') or (file.table is not None and self.values and self.turned > 1 and self.values // self.turned > 1),
                 'a raw file whose rows are no columns')
            need(self.row >= 1 and (self.values or self.row) * self.word_bytes < 2**63, 'bad extents of an array')
            self.runs = [(1, 0, 2**63, 2**63, 0)]
            return
        self.row = 1
        size = array_bytes(dtype, 0, layout, extents)
        need(size, 'bad extents of an array')
        self.runs = array['runs']
        limit = 1
        if layout in (PIECES, FILTERED, BANDED):
            piece_bytes = array_bytes(dtype, 0, layout, array['piece'])
            limit = math.prod(-(-extent // side) for extent, side in zip(extents, array['piece']))
            size = sum(run[0] for run in self.runs) * piece_bytes
            need(array['stored'] in (None, size // piece_bytes), 'the table is not that of its array')
        elif layout in (BYTES, GROUP, PIECED):
            need(layout != BYTES or (dtype == 3 and len(extents) == 1), 'opaque bytes that are no bytes')
        else:
            need(not array['table'], 'a dense array with a table')
            self.runs = [(1, array['offset'], size, size, 0)]
        for count, first, length, step, piece_number in self.runs:
            need(first + (count - 1) * step + length <= file.image, 'an array lies outside its file')
            need(layout in (BYTES, GROUP, PIECED) or piece_number + count <= limit, 'a piece outside its array')
        need(sum(count * length for count, _, length, _, _ in self.runs) == size, 'the table is not that of its array')
        self.values = size // self.word_bytes
        if self.turned:
            rows = self.values // self.turned if self.folded else extents[0]
            need(rows > 1 < self.turned, 'a turned array of one row, or of rows of one value')
            need(layout == DENSE or self.folded or [1, *extents[1:]] == list(array['piece']), 'a turned array whose pieces are no rows')
            numbers = [number + i for count, *_, number in self.runs for i in range(count)]
            need(layout == DENSE or numbers == list(range(limit)), 'a turned array whose pieces are not all in their order')

    def spans(self, at, length):
        """Where in the file `length` bytes of the array's sequence are, from byte `at` on: (offset, bytes)."""
        for count, offset, piece, step, _ in self.runs:
            if at >= count * piece:
                at -= count * piece
                continue
            for number in range(at // piece, count):
                within = at - number * piece
                some = min(piece - within, length)
                yield offset + number * step + within, some
                at += some
                length -= some
                if not length:
                    return
            at = 0

    def restore(self, chunk):
        """The bytes of the next chunk."""
        need(len(chunk.head) >= 32, 'the head of a chunk is too short')
        _, codec, dimensions, parameter_count, number, first, raw_check = struct.unpack_from('<IHBBQQQ', chunk.head)
        need(1 <= dimensions <= 4, 'bad number of extents of a chunk')
        know(parameter_count <= 4, f'unknown parameters of a chunk: {parameter_count} of them')
        fields = 32 + 8 * dimensions + 4 * parameter_count
        need(len(chunk.head) in (fields, fields + 16), 'the head of a chunk has the wrong length')
        need((number, first) == (self.chunks, self.done), 'a chunk is missing or not in its place')
        extents = struct.unpack_from(f'<{dimensions}Q', chunk.head, 32)
        values = math.prod(extents)
        need(0 < values * self.word_bytes <= self.chunk_limit, 'bad size of a chunk')
        self.chunks += 1
        self.done += values
        need(self.values is None or self.done <= self.values, 'the chunks exceed the array')
        know(codec in CODECS, f'unknown codec {codec}')
        need(self.dtype in TAKES[codec], f'codec {codec} takes no dtype {self.dtype}')
        errors = struct.unpack('<2d', chunk.head[fields:]) if len(chunk.head) > fields else ()
        need(len(errors) == 2 * (codec in LOSSY), 'a chunk tells errors, or tells none, as its codec should not')
        need(all(error >= 0 for error in errors), 'an error of a chunk is no number of at least 0')
        parameters = struct.unpack_from(f'<{parameter_count}I', chunk.head, 32 + 8 * dimensions)
        raw = decode_stream(codec, self.dtype, chunk.body, extents, parameters)
        if self.turned and not (self.folded and values < self.turned):
            need(values % self.turned == 0, 'a chunk of a turned array is not made of whole rows')
            rows, size = values // self.turned, self.word_bytes
            raw = b''.join(raw[i:i + size] for row in range(rows) for i in range(row * size, len(raw), rows * size))
        if self.big_endian:
            raw = raw[::-1]             # reverses the bytes of each value, and the values: put these back
            raw = b''.join(raw[i - self.word_bytes:i] for i in range(len(raw), 0, -self.word_bytes))
        need(xxh3(raw) == raw_check, 'a restored chunk fails its checksum')
        return raw

    def finish(self):
        need(self.done % self.row == 0 if self.values is None else self.done == self.values, 'a chunk is missing')


class Member:
    """Takes the sections of a member, and restores its file."""

    def __init__(self, write):
        self.write = write
        self.file = self.picture = None
        self.arrays = []
        self.restored = self.chunks = 0

    def take_file(self, section):
        self.file = File(section)
        if self.file.table is not None:
            self.arrays = [Array(self.file, array) for array in coded.read_arrays(self.file.table, array_bytes)]
            need(len(self.arrays) == 1, 'a raw file of two arrays')

    def take_array(self, section):
        need(not self.chunks, 'an array behind chunks')
        need(self.file.table is None, 'a raw file of two arrays')
        if section.type == ARRAYS:
            need(not self.arrays, 'a table behind an array')
            self.arrays = [Array(self.file, array) for array in coded.read_arrays(coded.table_of(section), array_bytes)]
            for array in self.arrays:
                if array.source:
                    source = self.arrays[array.source['number']]
                    need(self.file.scattered and source.values == array.values, 'a copy that does not fit')
                    source.copies.append(array)
        else:
            self.arrays.append(Array(self.file, read_array(section, len(self.arrays))))
        need(self.file.kind != RAW or len(self.arrays) == 1, 'a raw file of two arrays')
        if self.file.kind != RAW:
            need(sum(array.values * array.word_bytes for array in self.arrays) <= self.file.image,
                 'the arrays exceed the file')

    def take_chunk(self, section):
        if section.type == CODED_CHUNK:
            section.head = coded.plain_head(section.head)
        need(len(section.head) >= 32, 'the head of a chunk is too short')
        number, = struct.unpack_from('<I', section.head)
        need(number < len(self.arrays), 'a chunk of an array that is not there')
        array = self.arrays[number]
        need(not array.member and not array.source, 'a chunk of an array that is in a group, or a copy')
        at = array.done * array.word_bytes
        raw = array.restore(section)
        self.chunks += 1
        if array.filtered:
            unit = array.filtered.unit_bytes
            need(at % unit == 0 and len(raw) % unit == 0, 'a chunk is not made of whole pieces')
            raw = array.filtered.take_pieces(raw)
        for landed in (array, *array.copies):
            landed.done = array.done
            self.land(list(landed.spans(at, len(raw))), raw)

    def land(self, spans, raw):
        """Takes the bytes of these places of the file, or its image."""
        due, done = self.restored, 0
        for offset, length in spans:
            need(self.file.scattered or offset == due, 'the chunks do not come in the order of the file')
            due += length
        if self.file.scattered or any(array.filtered for array in self.arrays):
            self.picture = self.picture or bytearray(self.file.image)
            for offset, length in spans:
                self.picture[offset:offset + length] = raw[done:done + length]
                done += length
        else:
            self.write(raw)
        self.restored += len(raw)

    def finish(self):
        """Returns the bytes that all chunks restore."""
        need(self.arrays, 'no array')
        for array in self.arrays:
            array.finish()
        need(self.file.image in (UNKNOWN, self.restored), 'the size of the file is not that of its arrays')
        if self.picture:
            self.write_image()
        return self.restored

    def write_image(self):
        """Makes the file of its image, and writes it."""
        pieces = sorted((*piece, array.filtered) for array in self.arrays if array.filtered for piece in array.filtered.pieces())
        parts, end = [], 0
        for offset, length, _, index, filtered in pieces:
            need(offset >= end, 'filtered pieces overlap')
            parts += self.picture[end:offset], filtered.apply(index, bytes(self.picture[offset:offset + length]))
            end = offset + length
        parts.append(self.picture[end:])
        need(sum(map(len, parts)) == self.file.size, 'the filtered pieces do not make the file')
        self.write(b''.join(parts))


def check_end(section, sections, restored):
    short = section.type == SHORT_END
    need(len(section.head) == (12 if short else 40) and not section.body, 'bad end section')
    need(len(sections) <= 8 or not short, 'a short end behind many sections')
    checks = b''.join(struct.pack('<Q', before.check) for before in sections)
    told = (struct.pack('<QI', xxh3(checks + struct.pack('<Q', section.end)), section.end) if short else
            struct.pack('<5Q', sections[-1].at, section.end, restored, xxh3(checks), len(sections)))
    need(section.head == told, 'the end disagrees with the member')


def restore_member(data, write):
    """Restores the member at the start of data; returns its length."""
    version, member = compact.read_header(data), Member(write)
    if version == compact.VERSION:
        file, chunk, end = compact.read(data)
        member.take_file(file)
        member.take_chunk(chunk)
        member.finish()
        return end
    sections, at, state = [], 16, None
    while state not in (END, SHORT_END):
        section = Section(data, at)
        need(section.number == len(sections) % 2**32, 'a section is missing or not in its place')
        if section.type in KNOWN:
            then = (CHUNK, INDEX, SHORT_END)
            allowed = {None: (FILE,), FILE: then if member.arrays else (ARRAY,), ARRAY: (ARRAY, *then), CHUNK: then, INDEX: (END,)}
            before, state = state, {ARRAYS: ARRAY, CODED_INDEX: INDEX, CODED_CHUNK: CHUNK}.get(section.type, section.type)
            need(state in allowed[before], 'sections in a wrong order')
        else:
            need(state not in (None, INDEX), 'sections in a wrong order')
        if section.type == FILE:
            member.take_file(section)
        elif section.type == XATTRS:
            xattrs.check(member.file, section)
        elif section.type in (ARRAY, ARRAYS):
            member.take_array(section)
        elif section.type in (CHUNK, CODED_CHUNK):
            member.take_chunk(section)
        elif section.type in (INDEX, CODED_INDEX):
            need(section.type == CODED_INDEX or not section.head, 'an index with a head')
            told = coded.read_index(section) if section.type == CODED_INDEX else section.body
            need(told == b''.join(before.entry for before in sections), 'the index disagrees with the sections')
        elif section.type in (END, SHORT_END):
            check_end(section, sections, member.finish())
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
