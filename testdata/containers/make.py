#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the containers of this folder, expect.json and the table of README.md.

usage: make.py FPGZ
Right containers come from fpgz; the others are made of these, with checksums that are right unless a checksum is
what is wrong. Every byte follows from these scripts (names, modes and times included) and from version 1 of the format,
but for what zlib writes. Containers that are there are kept; to make one again while it is new, remove it.
"""
import hashlib
import json
import os
import shlex
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'tests', 'decoder'))
import apart  # noqa: E402
import compact_cases  # noqa: E402
import decimals  # noqa: E402
import dtypes  # noqa: E402
import ends  # noqa: E402
import heads  # noqa: E402
import kinds  # noqa: E402
import lifted  # noqa: E402
import matched  # noqa: E402
import filtered_cases  # noqa: E402
import parted  # noqa: E402
import parts  # noqa: E402
import periodic  # noqa: E402
import plateaus  # noqa: E402
import scaled  # noqa: E402
import summed  # noqa: E402
import symmetric  # noqa: E402
import bins  # noqa: E402
import prans  # noqa: E402
import ranked  # noqa: E402
import streams  # noqa: E402
import tables  # noqa: E402
import xattrs_cases  # noqa: E402
from containers import (ARRAY, CHUNK, END, FILE, INDEX, MARKER, PRIVATE, UNKNOWN, Section, array_section,  # noqa: E402
                        file_section, flip, header, member, noise, plus, ramp, special, split, store_chunk, swapped,
                        tiny_sections)
from fpgz_decode import restore  # noqa: E402

MODE, MTIME = 0o640, 1_000_000_000


class Maker:
    def __init__(self, fpgz, folder):
        self.fpgz, self.folder = fpgz, folder
        self.cases, self.containers = [], {}

    def compress(self, name, data, *options, pipe):
        command = [self.fpgz, '-c', *options]
        if not pipe:
            path = os.path.join(self.folder, name)
            with open(path, 'wb') as file:
                file.write(data)
            os.chmod(path, MODE)
            os.utime(path, (MTIME, MTIME))
            command.append(path)
        return subprocess.run(command, input=data if pipe else None, stdout=subprocess.PIPE, check=True).stdout

    def add(self, name, what, container, **expected):
        assert name not in self.containers
        container = self.kept(name) or container
        self.containers[name] = container
        self.cases.append({'file': name + '.fpgz', 'what': what, 'exit': 0 if name.startswith('good-') else 1,
                           **expected})
        return container

    def good(self, name, what, container, data, **more):
        return self.add('good-' + name, what, container, sha256=hashlib.sha256(data).hexdigest(), bytes=len(data), **more)

    def plain(self, name, what, source, data, *options, pipe=False):
        """A good container that one command makes; the test repeats it."""
        made, recipe = self.compress(source, data, *options, pipe=pipe), {'options': options, 'pipe': pipe, 'source': source}
        container = self.kept('good-' + name) or made
        return self.good(name, what, container, data, **{'recipe' if container == made else 'made_by': recipe})

    @staticmethod
    def kept(name):
        """The container that is there already, if it is: fpgz may write others since."""
        path = os.path.join(HERE, name + '.fpgz')
        if not os.path.exists(path):
            return None
        with open(path, 'rb') as file:
            return file.read()

    def by_hand(self, name, what, container):
        """A good container whose content the independent decoder tells."""
        restored = bytearray()
        restore(container, restored.extend)
        return self.good(name, what, container, restored)

    def unrepeated(self, name, what, source, data, *options, **more):
        """The same where the content does not make it again: it is lossy, or another zlib codes otherwise."""
        container, restored = self.compress(source, data, *options, pipe=False), bytearray()
        restore(container, restored.extend)
        made_by = {'options': options, 'pipe': False, 'source': source}
        return self.good(name, what, container, restored, made_by=made_by, **more)

    def bad(self, name, what, words, container, base=None, **more):
        """words: a part of fpgz's message. base: the good container whose data is restored up to the damage."""
        self.add('bad-' + name, what, container, words=words, **({'base': f'good-{base}.fpgz'} if base else {}), **more)

    def unsupported(self, name, what, words, container, base=None):
        self.add('unsupported-' + name, what, container, words=words, **({'base': f'good-{base}.fpgz'} if base else {}))


def make_good(make):
    ndzip = ('--codec', 'ndzip')
    make.plain('f32-1d', 'a hypercube and three values', 'ramp_4099.f32', ramp('f', 4099), *ndzip)
    make.plain('f32-2d', 'a hypercube, border on both axes', 'ramp_65x66.f32', ramp('f', 65, 66), *ndzip)
    make.plain('f32-3d', 'a hypercube and border', 'ramp_16x16x17.f32', ramp('f', 16, 16, 17), *ndzip)
    make.plain('f32-3d-hypercubes', 'several hypercubes along two axes', 'constant_32x16x33.f32',
               struct.pack('<f', 1.5) * 32 * 16 * 33, *ndzip)
    make.plain('f64-1d', 'a hypercube and no border', 'ramp_4096.f64', ramp('d', 4096), *ndzip)
    make.plain('f64-2d', 'two hypercubes', 'ramp_128x64.f64', ramp('d', 128, 64), *ndzip)
    make.plain('f64-3d', 'an odd number of hypercubes: the offset table is padded', 'constant_48x16x16.f64',
               struct.pack('<d', -0.1) * 48 * 16 * 16, *ndzip)
    make.plain('4d', 'four dimensions', 'ramp_2x8x16x17.f32', ramp('f', 2, 8, 16, 17), *ndzip)
    make.plain('8d', 'eight dimensions, some of extent 1', 'ramp_1x2x1x3x2x1x2x4.f64', ramp('d', 1, 2, 1, 3, 2, 1, 2, 4),
               *ndzip)
    make.plain('chunks', 'three chunks', 'ramp_8200.f32', ramp('f', 8200), *ndzip, '--chunk', '16K')
    make.plain('store', 'codec store asked for', 'ramp_8x10.f32', ramp('f', 8, 10), '--codec', 'store')
    make.plain('store-chunk', 'the second chunk grew, and is stored', 'mixed_4352.f32', ramp('f', 4096) + noise(256),
               *ndzip, '--chunk', '16K')
    make.plain('special', 'NaN with payloads, infinities, -0, denormals', 'special_64x64.f32', special(64 * 64), *ndzip)
    make.plain('big-endian-f32', 'big-endian values', 'big_64x66.f32', swapped(ramp('f', 64, 66), 4), *ndzip,
               '--endian', 'big')
    make.plain('big-endian-f64', 'big-endian values', 'big_4100.f64', swapped(ramp('d', 4100), 8), *ndzip,
               '--endian', 'big')
    make.plain('pipe', 'from a pipe: no name, the only extent and the size unknown', None, ramp('f', 4200), *ndzip,
               '--dtype', 'f32', pipe=True)
    make.plain('pipe-rows', 'from a pipe: the slowest extent unknown', None, ramp('d', 20, 3, 4), *ndzip,
               '--dtype', 'f64', '--shape', '*x3x4', '--chunk', '1K', pipe=True)
    make.plain('empty', 'an empty file', 'empty.f32', b'', *ndzip)
    make.plain('empty-pipe', 'nothing from a pipe', None, b'', *ndzip, '--dtype', 'f64', '--shape', '*x7', pipe=True)

    data = struct.pack('<2f', 1, 2)
    make.good('example', 'the example of fpgz(5)',
              member([file_section(b'ab.f32', 8), array_section(1, [2], 8), store_chunk(0, 0, data)]), data)
    data = ramp('f', 12)
    make.good('tiny', 'chunks of four values', member(tiny_sections(data)), data)
    tiny = tiny_sections(data)
    private = [Section(PRIVATE, b'head', b'body of a private section'), Section(0x8000), Section(0xFFFF, b'', bytes(99))]
    make.good('private', 'sections that may be skipped, everywhere between file section and index',
              member(tiny[:1] + private[:1] + tiny[1:2] + private + tiny[2:3] + private[1:] + tiny[3:] + private), data)
    file = tiny[0].with_head('I', 28, 0xFFFFFFFF)
    array = tiny[1].with_head('HI', 26, 0xFFFF, 0xFFFFFFFF)
    make.good('unused', 'unused fields that are not zero', member([file, array] + tiny[2:]), data)
    make.good('unknown-extent', 'the only extent and the size unknown',
              member([file_section(b'', UNKNOWN), array_section(1, [UNKNOWN], 2**30)] + tiny[2:]), data)
    make.good('extents-of-chunks', 'chunks under extents that are not the array\'s',
              member([tiny[0], array_section(1, [2, 2, 3], 16)] + tiny[2:]), data)
    for words, name in (('".."', b'..'), ('"."', b'.'), ('with control characters', b'\x1b[31m\n\xff')):
        make.good('name-' + name.hex(), f'the name is {words}', member([file_section(name, 48)] + tiny[1:]), data)
    make.good('name-long', 'a name of 255 bytes', member([file_section(b'n' * 255, 48)] + tiny[1:]), data)
    make.good('old', 'mode 0, and a modification time before 1970',
              member([file_section(b'tiny.f32', 48, 3, 0, -1000, 999999999)] + tiny[1:]), data)
    constant = struct.pack('<f', 1.5) * 8195
    make.plain('ndzip', 'two hypercubes and three values', 'constant_8195.f32', constant, *ndzip)
    padded = struct.pack('<d', 1.5) * 4096
    sections = split(make.plain('f64-constant', 'the shortest stream for f64', 'constant_4096.f64', padded, *ndzip))
    body = sections[2].body
    make.good('padding', 'padding of the offset table that is not zero',
              member(sections[:2] + [sections[2].with_body(body[:4] + b'\xff' * 4 + body[8:])]), padded)
    empty = member([file_section(b'', 0), array_section(2, [0, 7], 0)])
    make.good('concatenated', 'several members, empty ones among them',
              empty + member(tiny) + empty + member(sections) + empty, data + padded)


def truncated(make, sections, container):
    index = len(member(sections)) - 80 - 40 - sum(48 + len(section.head) for section in sections)
    chunk = index - 40 - 40 - 16  # of the last chunk
    for name, what, length in (('header', 'cut within the header', 10),
                               ('at-header', 'cut behind the header', 16),
                               ('section-header', 'cut within a section header', chunk + 30),
                               ('body', 'cut within the body of a chunk', index - 5),
                               ('before-index', 'cut before the index', index),
                               ('last-byte', 'the last byte is missing', len(container) - 1)):
        words = 'ends within its header' if length < 16 else 'cut off'
        make.bad('truncated-' + name, what, words, container[:length], 'tiny')
    for name, what, at, words in (('magic', 'first byte of the magic', 0, 'not an fpgz container'),
                                  ('magic-end', 'last byte of the magic', 7, 'text mode'),
                                  ('marker', 'marker of a chunk', chunk, 'no section begins where one should'),
                                  ('head', 'codec of a chunk', chunk + 44, 'header is damaged'),
                                  ('body', 'body of a chunk', index - 9, 'chunk 2 (values 8 to 11, bytes 32 to 47 of'),
                                  ('index', 'an entry of the index', index + 50, 'the index, from byte')):
        make.bad('flip-' + name, f'a bit is flipped: {what}', words, flip(container, at, 1), 'tiny')


def bad_lengths(make, tiny):
    def chunk(what, words, name, section):
        make.bad(name, what, words, member(tiny[:2] + [section] + tiny[3:]))
    first = tiny[2]
    chunk('a body length of 2^62, where four values can be', 'cannot have been coded|cut off', 'body-2-62', first.claiming(body_length=2**62))
    chunk('a body length of 2^64-1', 'cannot have been coded|cut off', 'body-2-64', first.claiming(body_length=2**64 - 1))
    chunk('a head length of 65537', 'claims 65537 bytes', 'head-65537',
          Section(CHUNK, first.head, first.body, head_length=65537))
    chunk('a head that is one byte longer than its fields', 'contradict', 'head-longer',
          Section(CHUNK, first.head + b'\0', first.body))
    chunk('a head that ends within its fields', 'contradict', 'head-shorter', Section(CHUNK, first.head[:-8], first.body))
    chunk('an empty head', 'contradict', 'head-empty', Section(CHUNK, b'', first.body))
    chunk('2^60 values in a chunk', 'chunk 0 is larger than', 'chunk-2-60', first.with_head('Q', 32, 2**60))
    huge = Section(CHUNK, first.head[:6] + b'\x02' + first.head[7:32] + struct.pack('<2Q', 2**32, 2**32), first.body)
    chunk('2^32 x 2^32 values in a chunk', 'is larger than', 'chunk-overflow', huge)
    chunk('no values in a chunk', 'chunk 0 has no values', 'chunk-0', first.with_head('Q', 32, 0))
    chunk('a value more than the array\'s largest chunk', 'is larger than the 16 bytes', 'chunk-5',
          store_chunk(0, 0, ramp('f', 5)))
    chunk('no coding extents', 'contradict', 'extents-0', Section(CHUNK, first.head[:6] + b'\0' + first.head[7:32], first.body))
    chunk('five coding extents', 'contradict', 'extents-5',
          Section(CHUNK, first.head[:6] + b'\5' + first.head[7:32] + struct.pack('<5Q', 1, 1, 1, 1, 4), first.body))
    chunk('store under two coding extents', 'cannot have been coded by store', 'store-2d',
          Section(CHUNK, first.head[:6] + b'\x02' + first.head[7:32] + struct.pack('<2Q', 2, 2), first.body))
    chunk('ndzip under four coding extents', 'cannot have been coded by ndzip', 'ndzip-4d',
          Section(CHUNK, first.head[:4] + b'\1\0\4' + first.head[7:32] + struct.pack('<4Q', 1, 1, 2, 2), first.body))
    chunk('a parameter for a codec that has none', 'cannot have been coded by store', 'parameters-1',
          Section(CHUNK, first.head[:7] + b'\1' + first.head[8:] + bytes(4), first.body))
    chunk('a parameter that is not there', 'contradict', 'parameters-missing', first.with_head('B', 7, 1))
    chunk('a store stream of three values for four', 'bytes 0 to 15 of what is restored) is damaged', 'store-short', first.with_body(first.body[:-4]))
    chunk('a store stream of five values for four', 'cannot have been coded by store', 'store-long', first.with_body(first.body + bytes(4)))
    chunk('a chunk of array 1', 'a chunk of array 1', 'chunk-of-array-1', first.with_head('I', 0, 1))
    chunk('a wrong raw checksum with a right body checksum', 'bytes 0 to 15 of what is restored) is damaged', 'raw-checksum', first.with_head('Q', 24, 1))
    chunk('a wrong body checksum with a right raw checksum', 'bytes 0 to 15 of what is restored) is damaged', 'body-checksum', first.claiming(body_check=1))
    chunk('a number that does not follow', 'stands where section 2 should', 'number', first.claiming(number=7))


def bad_fields(make, tiny):
    file, array, *chunks = tiny
    for name, what, words, section in (
            ('name-slash', 'a name with a slash', 'contradict', file_section(b'../x.f32', 48)),
            ('name-nul', 'a name with a zero byte', 'contradict', file_section(b'tin\0.f32', 48)),
            ('name-length', 'the name is longer than the head', 'contradict', file.with_head('H', 2, 9)),
            ('name-256', 'a name of 256 bytes', 'contradict', file_section(b'n' * 256, 48)),
            ('mode', 'a mode of more than 07777', 'contradict', file_section(b'tiny.f32', 48, 1, 0o10000)),
            ('nanoseconds', '10^9 nanoseconds', 'contradict', file_section(b'tiny.f32', 48, 2, 0, 0, 10**9)),
            ('file-size', 'the size of the file is not that of the array', 'not the whole file', file_section(b'tiny.f32', 49)),
            ('file-head', 'a file section without a head', 'contradict', Section(FILE)),
            ('file-body', 'a file section with a body', 'has no body', file.with_body(b'body'))):
        # Whether a file is whole is known at its end only.
        make.bad(name, what, words, member([section, array] + chunks), 'tiny' if name == 'file-size' else None)
    for name, what, words, section in (
            ('dimensions-0', 'an array of no dimensions', 'contradict', array_section(1, [], 16)),
            ('dimensions-33', 'an array of 33 dimensions', 'contradict', array_section(1, [12] + [1] * 32, 16)),
            ('dimensions-missing', 'an extent that is not there', 'contradict', array.with_head('B', 6, 2)),
            ('extents-overflow', 'extents of 2^32 x 2^32', 'cannot be that of a raw file', array_section(1, [2**32, 2**32], 16)),
            ('extents-2-63', '2^61 values of 4 bytes', 'cannot be that of a raw file', array_section(1, [2**61], 16)),
            ('extents-wrap', 'extents whose product is 12 modulo 2^64', 'cannot be that of a raw file',
             array_section(1, [12, 0x6487ED5110B4611B, pow(0x6487ED5110B4611B, -1, 2**64)], 16)),
            ('extent-0', 'a zero extent behind the first', 'cannot be that of a raw file', array_section(1, [12, 0], 16)),
            ('extent-unknown', 'an unknown extent behind the first', 'cannot be that of a raw file',
             array_section(1, [12, UNKNOWN], 16)),
            ('array-number', 'array 1', 'cannot be that of a raw file', array.with_head('I', 0, 1)),
            ('array-offset', 'an array at offset 4 of the file', 'cannot be that of a raw file', array.with_head('Q', 8, 4)),
            ('array-name', 'the name of the array is longer than the head', 'contradict', array.with_head('H', 24, 3)),
            ('array-body', 'an array section with a body', 'section 1: a raw file has one array', array.with_body(b'body')),
            ('chunk-limit', 'chunks of more than 2^30 bytes', 'more than the limit', array_section(1, [12], 2**30 + 1))):
        make.bad(name, what, words, member([file, section] + chunks))
    make.bad('array-longer', 'an array of one value more than the chunks hold', 'not the whole file',
             member([file_section(b'', UNKNOWN), array_section(1, [13], 16)] + chunks), 'tiny')
    make.bad('array-shorter', 'an array of one value less than the chunks hold', 'chunk 2 reaches beyond',
             member([file_section(b'', UNKNOWN), array_section(1, [11], 16)] + chunks), 'tiny')
    make.bad('array-rows', 'chunks that end within a row of an array of unknown extent', 'not the whole file',
             member([file_section(b'', UNKNOWN), array_section(1, [UNKNOWN, 5], 16)] + chunks), 'tiny')


def bad_order(make, tiny):
    file, array, *chunks = tiny
    index, end, skip = Section(INDEX), Section(END), Section(PRIVATE, b'head', b'body')
    whole = member(tiny)
    starts = [at for at in range(len(whole)) if whole.startswith(MARKER, at)][:6]  # of the sections, index included
    pieces = [whole[a:b] for a, b in zip([0] + starts, starts + [len(whole)])]
    make.bad('chunk-lost', 'a chunk is missing', 'section 4 stands where section 3 should',
             b''.join(pieces[:4] + pieces[5:]), 'tiny')
    make.bad('chunk-twice', 'a chunk stands twice', 'section 3 stands where section 4 should',
             b''.join(pieces[:5] + pieces[4:]), 'tiny')
    make.bad('chunks-swapped', 'two chunks are swapped', 'section 4 stands where section 3 should',
             b''.join(pieces[:4] + [pieces[5], pieces[4]] + pieces[6:]), 'tiny')
    for name, what, words, sections in (
            ('chunk-lost-sealed', 'a chunk is missing, and all checksums are made anew', 'chunk 1 from value 4 is due',
             tiny[:3] + chunks[2:]),
            ('chunk-twice-sealed', 'a chunk stands twice, and all checksums are made anew', 'chunk 2 from value 8 is due',
             tiny[:4] + chunks[1:]),
            ('chunks-swapped-sealed', 'two chunks are swapped, and all checksums are made anew', 'chunk 1 from value 4 is due',
             tiny[:3] + [chunks[2], chunks[1]]),
            ('chunk-numbers', 'numbers of chunks that do not follow', 'chunk 1 from value 4 is due',
             tiny[:3] + [chunks[1].with_head('Q', 8, 2), chunks[2]]),
            ('chunk-first', 'the first value of a chunk does not follow', 'chunk 1 from value 4 is due',
             tiny[:3] + [chunks[1].with_head('Q', 16, 5), chunks[2]]),
            ('last-chunk-lost', 'the last chunk is missing, and all checksums are made anew', 'not the whole file', tiny[:-1]),
            ('no-chunks', 'all chunks are missing, and all checksums are made anew', 'not the whole file', tiny[:2]),
            ('no-file', 'no file section', 'behind its file section', tiny[1:]),
            ('no-array', 'no array section', 'no array', [file]),
            ('chunk-before-array', 'a chunk before the array', 'before its array', [file] + chunks[:1] + [array] + chunks[1:]),
            ('two-files', 'two file sections', 'is the first one', [file] + tiny),
            ('two-arrays', 'two array sections', 'section 2: a raw file has one array', tiny[:2] + tiny[1:]),
            ('array-after-chunks', 'a second array behind the chunks', 'section 5: a raw file has one array', tiny + [array]),
            ('skip-before-file', 'a section that may be skipped before the file section', 'file section', [skip] + tiny)):
        make.bad(name, what, words, member(sections), 'tiny')
    make.bad('no-index', 'no index', 'does not close', member(tiny + [end]), 'tiny')
    end = Section(END, check_to_index=True)
    for name, what, sections in (
            ('two-indexes', 'two indexes', tiny + [index, index]),
            ('chunk-after-index', 'a chunk behind the index', tiny[:-1] + [index, chunks[2]]),
            ('array-after-index', 'array and chunks behind the index', [file, index, array] + chunks),
            ('skip-after-index', 'a section that may be skipped behind the index', tiny + [index, skip])):
        make.bad(name, what, 'stands behind the index', member(sections + [end]), 'tiny')


def bad_index_and_end(make, tiny):
    for name, what, edit in (
            ('index-offset', 'an offset in the index is not that of the section', lambda body: flip(body, 0)),
            ('index-head', 'a head in the index is not that of the section', lambda body: flip(body, 100)),
            ('index-short', 'the last section is not in the index', lambda body: body[:-88]),
            ('index-long', 'a section that is not there is in the index', lambda body: body + body[-88:]),
            ('index-order', 'the index names the sections in another order',
             lambda body: body[:-176] + body[-88:] + body[-176:-88])):
        make.bad(name, what, 'does not list', member(tiny, index=edit), 'tiny')
    make.bad('index-with-head', 'an index with a head', 'does not list', member(tiny + [Section(INDEX, b'head'), Section(END)]), 'tiny')
    for name, what, words, edit in (
            ('end-index', 'the end points elsewhere than to the index', 'does not close', plus(0, 8)),
            ('end-length', 'the end tells a wrong length of the member', 'does not close', plus(1, -1)),
            ('end-raw', 'the end tells a wrong number of restored bytes', 'promises 52 bytes', plus(2, 4)),
            ('end-check', 'the end has a wrong check of the sections', 'does not close', lambda f: f[:3] + [f[3] ^ 1] + f[4:]),
            ('end-sections', 'the end tells a wrong number of sections', 'does not close', plus(4, 1))):
        make.bad(name, what, words, member(tiny, end=edit), 'tiny')
    make.bad('end-body', 'an end section with a body', 'contradict', member(tiny + [Section(INDEX), Section(END, b'', b'body')]), 'tiny')
    make.bad('end-head', 'an end section with a longer head', 'contradict', member(tiny + [Section(INDEX), Section(END, b'more')]), 'tiny')


def bad_ndzip(make, container):
    sections = split(container)
    chunk = sections[2]
    ends, cubes, border = struct.unpack_from('<2I', chunk.body), chunk.body[8:-12], chunk.body[-12:]
    length = ends[0] * 4

    def with_stream(name, what, stream):
        make.bad('ndzip-' + name, what, 'chunk 0 (values 0 to 8194, ', member(sections[:2] + [chunk.with_body(stream)]))

    def with_table(name, what, *table):
        with_stream('table-' + name, what, struct.pack('<2I', *table) + cubes + border)

    with_table('falls', 'the offset table falls', ends[1], ends[0])
    with_table('beyond', 'a hypercube ends far beyond the stream', 2**32 - 1, ends[1])
    with_table('wrap', 'the offsets wrap', 2**31, ends[1])
    head = int.from_bytes(cubes[:4], 'little')
    unset = next(bit for bit in range(32) if not head >> bit & 1)
    with_stream('more-columns', 'a head asks for a column more than there is',
                chunk.body[:8] + struct.pack('<I', head | 1 << unset) + chunk.body[12:])
    with_stream('all-columns', 'all heads ask for all columns', chunk.body[:8] + b'\xff' * 512 + chunk.body[520:])
    with_stream('other-columns', 'a head asks for another column: only the raw checksum tells',
                chunk.body[:8] + struct.pack('<I', head & head - 1 | 1 << unset) + chunk.body[12:])
    with_stream('long', 'a word follows the stream', chunk.body + bytes(4))
    with_stream('table-only', 'the stream is the offset table', chunk.body[:8])
    with_stream('empty', 'the stream is empty', b'')


def bad_surroundings(make, whole):
    make.bad('trailing-byte', 'a byte follows', 'behind a complete container: not an fpgz container', whole + b'\n', 'tiny')
    make.bad('trailing-header', 'a right header and nothing else follows', 'cut off', whole + header(), 'tiny')
    make.bad('trailing-half-header', 'half a header follows', 'behind a complete container: the container ends within its header', whole + header()[:8], 'tiny')
    make.bad('trailing-text-mode', 'a second member that was changed by a transfer as text', 'text mode',
             whole + whole.replace(b'\r\n', b'\n'), 'tiny')
    make.bad('leading-byte', 'a byte stands before', 'not an fpgz container', b'\n' + whole)
    make.bad('second-member', 'a bit is flipped in the second member', 'header is damaged',
             whole + flip(whole, 70), 'tiny')
    make.bad('text-mode-unix', 'a transfer as text made CR LF to LF', 'text mode', whole.replace(b'\r\n', b'\n'))
    make.bad('text-mode-dos', 'a transfer as text made LF to CR LF', 'text mode', whole.replace(b'\n', b'\r\n'))
    make.bad('seven-bits', 'a transfer cleared the high bits', 'not an fpgz container', bytes(byte & 127 for byte in whole))
    make.bad('foreign-empty', 'an empty file', 'not an fpgz container', b'')
    make.bad('foreign-gzip', 'a gzip file', 'not an fpgz container',
             bytes.fromhex('1f8b08000000000002034bcb2f4ae102009b5eb3ce04000000'))
    make.bad('foreign-png', 'the beginning of a PNG file', 'not an fpgz container',
             bytes.fromhex('89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61'))
    make.bad('foreign-text', 'a text', 'not an fpgz container', b'FPGZ is not the magic.\n')
    make.bad('foreign-grid', 'a grid that was not compressed', 'not an fpgz container', ramp('f', 12))


def make_unsupported(make, tiny):
    file, array, *chunks = tiny
    make.unsupported('version', 'version 2', 'version 2', member(tiny, head=header(2)))
    make.unsupported('version-0', 'version 0', 'version 0', member(tiny, head=header(0)))
    make.unsupported('version-later', 'a second member of version 2', 'version 2',
                     member(tiny) + member(tiny, head=header(2)), 'tiny')
    make.unsupported('header-flags', 'flags in the header', 'flags 32768', member(tiny, head=header(1, 0x8000)))
    for name, what, words, sections in (
            ('codec', 'a chunk of a private codec', 'coded by codec 36864',
             tiny[:3] + [chunks[1].with_head('H', 4, 0x9000)] + chunks[2:]),
            ('parameters', 'a chunk with five parameters', '5 codec parameters',
             tiny[:3] + [Section(CHUNK, chunks[1].head[:7] + b'\5' + chunks[1].head[8:] + bytes(20), chunks[1].body)] + chunks[2:]),
            ('type-9', 'a section of a type for later versions', 'type 9', tiny[:2] + [Section(9, b'', b'body')] + chunks),
            ('type-0', 'a section of type 0', 'type 0', tiny[:2] + [Section(0)] + chunks),
            ('type-4', 'a section of a reserved type', 'type 4', tiny[:2] + [Section(4, b'', b'body')] + chunks),
            ('type-private', 'a private section that must be understood', 'type 28673', tiny[:-1] + [Section(0x7001)] + chunks[2:]),
            ('section-flags', 'flags of a chunk section', 'flags 1',
             tiny[:3] + [chunks[1].claiming(flags=1)] + chunks[2:]),
            ('skipped-flags', 'flags of a section that may be skipped', 'flags 256',
             tiny[:3] + [Section(PRIVATE, flags=0x100)] + chunks[1:]),
            ('kind', 'a kind of file of later versions', 'kind 3', [file.with_head('B', 0, 3)] + tiny[1:]),
            ('file-flags', 'flags of the file of later versions', 'flags 4', [file.with_head('B', 1, 4)] + tiny[1:]),
            ('dtype', 'a dtype of later versions', 'dtype 4', [file, array.with_head('B', 4, 4)] + chunks),
            ('byte-order', 'an order of bytes of later versions', 'byte order 2', [file, array.with_head('B', 5, 2)] + chunks),
            ('layout', 'a layout of later versions', 'layout 4', [file, array.with_head('B', 7, 4)] + chunks)):
        make.unsupported(name, what, words, member(sections), 'tiny')


def table_line(case):
    remark = ' or '.join(f'`{words}`' for words in case.get('words', '').split('|') if words)
    recipe = case.get('recipe') or case.get('made_by')
    if recipe:
        source = '< data' if recipe['pipe'] else recipe['source']
        remark = f'`fpgz -c {shlex.join(recipe["options"])} {source}`'
    return f'| `{case["file"]}` | {case["what"]} | {case["exit"]} | {remark} |\n'


def write(make):
    for name in os.listdir(HERE):
        if name.endswith('.fpgz'):
            os.remove(os.path.join(HERE, name))
    for name, container in make.containers.items():
        with open(os.path.join(HERE, name + '.fpgz'), 'wb') as file:
            file.write(container)
    with open(os.path.join(HERE, 'expect.json'), 'w', encoding='ascii') as file:
        file.write('[\n' + ',\n'.join((json.dumps({key: value for key, value in case.items() if key not in ('what', 'made_by')})
                                       for case in make.cases)) + '\n]\n')
    with open(os.path.join(HERE, 'README.md'), 'r+', encoding='utf-8') as file:
        text = file.read()
        heading = '| --- | --- | --- | --- |\n'
        file.seek(0)
        file.write(text[:text.index(heading)] + heading + ''.join(map(table_line, make.cases)))
        file.truncate()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        make = Maker(os.path.abspath(sys.argv[1]), folder)
        make_good(make)
        streams.make_good(make)
        streams.make_bad(make)
        parts.make_good(make)
        parts.make_bad(make)
        tables.make_good(make)
        tables.make_bad(make)
        tables.make_unsupported(make)
        filtered_cases.make_good(make)
        filtered_cases.make_bad(make)
        prans.make_good(make)
        prans.make_bad(make)
        xattrs_cases.make_good(make)
        xattrs_cases.make_bad(make)
        bins.make_good(make)
        bins.make_bad(make)
        lifted.make_good(make)
        lifted.make_bad(make)
        matched.make_good(make)
        matched.make_bad(make)
        parted.make_good(make)
        parted.make_bad(make)
        apart.make_good(make)
        apart.make_bad(make)
        apart.make_bad_akin(make)
        ranked.make_good(make)
        ranked.make_bad(make)
        periodic.make_good(make)
        periodic.make_bad(make)
        symmetric.make_good(make)
        symmetric.make_bad(make)
        scaled.make_good(make)
        scaled.make_bad(make)
        plateaus.make_good(make)
        plateaus.make_bad(make)
        summed.make_good(make)
        summed.make_bad(make)
        decimals.make_good(make)
        decimals.make_bad(make)
        dtypes.make_good(make)
        dtypes.make_bad(make)
        kinds.make_good(make)
        heads.make_good(make)
        heads.make_bad(make)
        heads.make_unsupported(make)
        ends.make_good(make)
        ends.make_bad(make)
        compact_cases.make_good(make)
        compact_cases.make_bad(make)
    data = ramp('f', 12)
    tiny = tiny_sections(data)
    whole = member(tiny)
    truncated(make, tiny, whole)
    bad_lengths(make, tiny)
    bad_fields(make, tiny)
    bad_order(make, tiny)
    bad_index_and_end(make, tiny)
    bad_ndzip(make, make.containers['good-ndzip'])
    bad_surroundings(make, whole)
    make_unsupported(make, tiny)
    write(make)


if __name__ == '__main__':
    main()
