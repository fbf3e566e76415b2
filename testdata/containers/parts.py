# SPDX-License-Identifier: MIT
"""Containers of files that are more than one array: right ones, and tables and heads that are wrong."""
import struct

from containers import (BYTES, COLUMN_MAJOR, HDF5, NPY, PIECES, SCATTERED, Section, member, part_chunk, part_section,
                        parts_file, ramp, swapped, table, tiny_sections, zigzag)

ATTRIBUTES = 0x8001
NPY_HEAD = b"\x93NUMPY\1\0\x46\0{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }"

# A file of 208 bytes: a dense array of 2 x 3 f32 at 40; an array of 3 x 5 f64 in pieces of 2 x 2, of which pieces 0 to 3
# (of six) are at 72, 112, 144 and 176; all else is opaque.
SIZE = 208
DENSE_AT, PIECES_AT = 40, 72
DENSE_DATA = ramp('f', 2, 3)
PIECE_DATA = ramp('d', 16)
OPAQUE = bytes(range(1, 57))


def dense(number=0, **more):
    return part_section(number, 1, [2, 3], 24, offset=DENSE_AT, name=b'/grid', **more)


def pieces(body=table(1, 72, 0, 0, 3, 8, 0, 0), number=1, **more):
    given = {'layout': PIECES, 'offset': PIECES_AT, 'name': b'/group/pieces', 'piece': (2, 2), 'stored': 4,
             'fill': struct.pack('<d', -1), 'body': body}
    return part_section(number, 2, [3, 5], 96, **{**given, **more})


def opaque(body=table(0, 40, 24, 8, 32, 8), number=2, extent=56, **more):
    return part_section(number, 3, [extent], 128, BYTES, body=body, **more)


def piece_chunk(number, first, end):
    return part_chunk(1, number, 4 * first, PIECE_DATA[32 * first:32 * end], 8)


def chunks():
    """In the order of their bytes in the file, but for the opaque ones."""
    return [part_chunk(2, 0, 0, OPAQUE[:48], 1), part_chunk(0, 0, 0, DENSE_DATA, 4), piece_chunk(0, 0, 1),
            part_chunk(2, 1, 48, OPAQUE[48:], 1), piece_chunk(1, 1, 3), piece_chunk(2, 3, 4)]


def ordered_chunks():
    return [part_chunk(2, 0, 0, OPAQUE[:40], 1), part_chunk(0, 0, 0, DENSE_DATA, 4),
            part_chunk(2, 1, 40, OPAQUE[40:48], 1), piece_chunk(0, 0, 1), part_chunk(2, 2, 48, OPAQUE[48:], 1),
            piece_chunk(1, 1, 4)]


def sections(*arrays, flags=SCATTERED, size=SIZE, kind=HDF5):
    return [parts_file(kind, size, flags), *(arrays or (dense(), pieces(), opaque()))]


def make_good(make):
    make.by_hand('parts', 'three arrays: dense, of pieces, and opaque bytes; the chunks are scattered',
                 member(sections() + chunks()))
    make.by_hand('parts-in-order', 'the same; the chunks come in the order of the file',
                 member(sections(flags=0) + ordered_chunks()))
    make.by_hand('parts-in-order-scattered', 'the same, called scattered all the same',
                 member(sections() + ordered_chunks()))
    make.by_hand('parts-any-order', 'the chunks of an array behind all others',
                 member(sections() + sorted(chunks(), key=lambda chunk: -chunk.head[0])))
    make.by_hand('pieces-order', 'pieces whose numbers fall, one of them missing',
                 member(sections(dense(), pieces(table(1, 72, 0, zigzag(4), 1, 8, 0, zigzag(-4), 2, 0, 0, zigzag(0))),
                                 opaque()) + chunks()))
    make.by_hand('pieces-big-endian', 'big-endian values, in pieces',
                 member(sections(dense(), pieces(order=1), opaque(), flags=0) +
                        [chunk if chunk.head[0] != 1 else
                         part_chunk(1, chunk.head[8], 4 * chunk.head[8], swapped(chunk.body, 8), 8).with_body(chunk.body)
                         for chunk in ordered_chunks()]))
    make.by_hand('pieces-run', 'a run of pieces at equal distances',
                 member([parts_file(HDF5, 160, SCATTERED), pieces(table(4, 8, 8, 0), number=0, offset=8),
                         opaque(table(0, 8, 32, 8, 32, 8, 32, 8), number=1, extent=32),
                         part_chunk(0, 0, 0, PIECE_DATA[:64], 8), part_chunk(1, 0, 0, OPAQUE[:32], 1),
                         part_chunk(0, 1, 8, PIECE_DATA[64:], 8)]))
    make.by_hand('opaque', 'an HDF5 file of which nothing is an array',
                 member([parts_file(HDF5, 48), opaque(table(0, 48), 0, 48), part_chunk(0, 0, 0, OPAQUE[:48], 1)]))
    make.by_hand('column-major', 'a NumPy file of a column-major array',
                 member([parts_file(NPY, 152), part_section(0, 1, [2, 3], 24, COLUMN_MAJOR, offset=128),
                         opaque(table(0, 128), 1, 128),
                         part_chunk(1, 0, 0, NPY_HEAD % (b'<f4', b'True', b'3, 2') + bytes(60), 1),
                         part_chunk(0, 0, 0, DENSE_DATA, 4)]))
    make.by_hand('one-array', 'an HDF5 file that is nothing but one array',
                 member([tiny_sections(ramp('f', 12))[0].with_head('B', 0, HDF5)] + tiny_sections(ramp('f', 12))[1:]))
    make.by_hand('long-name', 'an array with a name of 4096 bytes',
                 member([parts_file(HDF5, 24), part_section(0, 1, [2, 3], 24, name=b'/' + b'n' * 4095),
                         part_chunk(0, 0, 0, DENSE_DATA, 4)]))
    make.by_hand('attributes', 'attributes of the array of a raw file',
                 member(tiny_sections(ramp('f', 12))[:2] +
                        [Section(ATTRIBUTES, struct.pack('<I', 0), struct.pack('<H5sBBBQ8s', 5, b'units', 3, 4, 1, 2, ramp('f', 2)) +
                                 struct.pack('<H1sBBBI2s', 1, b't', 4, 0, 0, 2, b'ab'))] +
                        tiny_sections(ramp('f', 12))[2:]))
    make.by_hand('parts-concatenated', 'members of parts, scattered and not, between raw ones',
                 member(tiny_sections(ramp('f', 12))) + member(sections() + chunks()) + member(sections(flags=0) + ordered_chunks()) +
                 member(sections() + chunks()) + member(tiny_sections(ramp('f', 12))))


def make_bad(make):
    def bad(name, what, words, body, base=None):
        make.bad('parts-' + name, what, words, member(body), base)

    cannot, contradicts = 'cannot be that of its file', 'contradicts it'
    for name, what, words, wrong in (
            ('table-cut', 'a table that ends within a number', contradicts, pieces(table(1, 72, 0, 0, 3, 8, 0) + b'\x80')),
            ('table-run-cut', 'a table that ends within a run', contradicts, pieces(table(1, 72, 0, 0, 3, 8))),
            ('table-64-bits', 'a number of more than 64 bits', contradicts, pieces(table(1, 72, 0, 0, 3) + b'\xff' * 9 + b'\2\0\0')),
            ('table-wrap', 'runs that wrap', contradicts, pieces(table(1, 72, 0, 0, 3, 2**64 - 104, 0, 0))),
            ('table-empty', 'no runs', contradicts, pieces(b'')),
            ('table-no-pieces', 'a run of no pieces', contradicts, pieces(table(0, 72, 0, 0, 4, 0, 0, 0))),
            ('table-count', 'a run of 2^60 pieces', contradicts, pieces(table(2**60, 72, 0, 0))),
            ('table-beyond', 'a piece behind the end of the file', contradicts, pieces(table(1, 72, 0, 0, 3, 9, 0, 0))),
            ('table-step', 'a step that leads behind the end of the file', contradicts, pieces(table(1, 72, 0, 0, 3, 8, 1, 0))),
            ('table-number', 'a piece that the array does not have', contradicts, pieces(table(1, 72, 0, 0, 3, 8, 0, zigzag(3)))),
            ('table-number-negative', 'a piece of a number below 0', contradicts, pieces(table(1, 72, 0, zigzag(-1), 3, 8, 0, 0))),
            ('pieces-stored', 'a table of fewer pieces than the head tells', contradicts, pieces(stored=3)),
            ('pieces-more', 'pieces that make up more than the file', cannot, pieces(stored=2**61)),
            ('pieces-0', 'pieces of no extent', cannot, pieces(piece=(2, 0))),
            ('pieces-wrap', 'pieces of 2^64 values', cannot, pieces(piece=(2**32, 2**32))),
            ('pieces-cut', 'a head that ends within the extents of pieces', 'contradict', pieces(name=b'').with_head('H', 24, 1)),
            ('pieces-name', 'a name with a zero byte', 'contradict', pieces(name=b'/a\0b')),
            ('pieces-number', 'arrays that are not in their order', cannot, pieces(number=2)),
            ('pieces-limit', 'chunks of more than 2^30 bytes', 'more than the limit', pieces().with_head('Q', 16, 2**31))):
        bad(name, what, words, sections(dense(), wrong, opaque()) + chunks())
    for name, what, words, wrong in (
            ('dense-beyond', 'a dense array behind the end of the file', cannot, dense().with_head('Q', 8, SIZE - 20)),
            ('dense-wrap', 'an offset that wraps', cannot, dense().with_head('Q', 8, 2**64 - 8)),
            ('dense-table', 'a dense array with a table', cannot, dense(body=table(0, 24))),
            ('dense-extent-0', 'an extent of 0', cannot, dense().with_head('Q', 32, 0)),
            ('dense-extent-unknown', 'an unknown extent', cannot, dense().with_head('Q', 32, 2**64 - 1))):
        bad(name, what, words, sections(wrong, pieces(), opaque()) + chunks())
    for name, what, words, wrong in (
            ('ranges-empty', 'a range of no bytes', contradicts, opaque(table(0, 40, 10, 0, 14, 8, 32, 8))),
            ('ranges-beyond', 'a range behind the end of the file', contradicts, opaque(table(0, 40, 24, 8, 129, 8))),
            ('ranges-short', 'ranges of fewer bytes than the extent tells', contradicts, opaque(table(0, 40, 24, 8))),
            ('ranges-dtype', 'ranges of f32', contradicts, part_section(2, 1, [14], 48, BYTES, body=table(0, 40, 24, 8, 32, 8)))):
        bad(name, what, words, sections(dense(), pieces(), wrong) + chunks())
    bad('missing', 'the last bytes of the file are in no array', 'not the whole file', sections(size=SIZE + 8) + chunks())
    bad('more', 'arrays of more bytes than the file has', cannot + '|' + contradicts, sections(size=SIZE - 8) + chunks())
    bad('size-unknown', 'the size of the file is unknown', cannot + '|' + contradicts, sections(size=2**64 - 1) + chunks())
    bad('array-late', 'an array behind chunks', 'behind chunks', sections()[:3] + chunks()[1:2] + [opaque()] + chunks()[:1])
    bad('chunk-of-array-3', 'a chunk of an array that is not there', 'but there are only 3',
        sections() + chunks()[:-1] + [chunks()[-1].with_head('I', 0, 3)])
    bad('chunk-lost', 'a chunk of one array is missing, and all checksums are made anew', 'not the whole file',
        sections() + chunks()[:-1])
    bad('not-in-order', 'chunks that are scattered without being called so', 'do not come in the order',
        sections(flags=0) + chunks())
    tiny = tiny_sections(ramp('f', 12))
    bad('layout-of-raw', 'a raw file in pieces', 'contradict', [tiny[0], tiny[1].with_head('B', 7, PIECES)] + tiny[2:])
    bad('column-major-raw', 'a raw file that is column-major', 'cannot be that of a raw file',
        [tiny[0], tiny[1].with_head('B', 7, COLUMN_MAJOR)] + tiny[2:])
