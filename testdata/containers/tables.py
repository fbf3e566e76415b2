# SPDX-License-Identifier: MIT
"""Containers with a table of arrays and a coded index: right ones, and tables and indexes that are wrong."""
import struct
import zlib

import parts
from containers import (ARRAYS, BYTES, CODED_INDEX, COLUMN_MAJOR, COPY, DENSE, FOLDED, GROUP, HDF5, INDEX, PIECED, PIECES, PRIVATE, TURNED, Section,
                        coded_index,
                        file_section, member, part_chunk, parts_file, ramp, store_chunk, table, tiny_sections, zigzag)

NDZIP = ('--codec', 'ndzip')
RUNS = (1, 72, 0, 0, 3, 8, 0, 0)


def row(code, layout, extents, limit, place, same=0, name=b'', order=0):
    """An array of a table; the differences are given."""
    return table(code, 2 * layout + order, len(extents), *map(zigzag, (*extents, limit))) + place + table(same, len(name)) + name


def dense(offset=40, name=b'/grid', layout=DENSE, **more):
    return row(1, layout, (2, 3), 24, table(zigzag(offset)), name=name, **more)


def pieces(piece=(2, 2), runs=RUNS, count=None, same=1, name=b'pieces'):
    """Behind dense()."""
    place = table(*map(zigzag, piece)) + struct.pack('<d', -1) + table(len(runs) // 4 if count is None else count, *runs)
    return row(2, PIECES, (1, 2), 72, place, same, name)


def opaque(runs=(0, 40, 24, 8, 32, 8), extent=56):
    """Behind pieces()."""
    return row(3, BYTES, (extent - 3,), 32, table(len(runs) // 2, *runs))


def group(*members, runs=(8, 24, 16, 16), values=10, count=None):
    """A group of f32; members are extents and names."""
    rows = [row(1, GROUP, (values,), 40, table(len(runs) // 2, *runs, len(members) if count is None else count))]
    before = [values] + [0] * 32
    for extents, name in members:
        rows.append(table(len(extents), *(zigzag(extent - before[axis]) for axis, extent in enumerate(extents)), 0, len(name)) + name)
        before[:len(extents)] = extents
    return b''.join(rows)


def grouped(*members, chunks=None, **more):
    """A file of 72 bytes: two dense arrays in a group, and other bytes before, between and behind them."""
    members = members or (((2, 3), b'/a'), ((4,), b'/b'))
    rows = [group(*members, **more), row(3, BYTES, (32 - members[-1][0][0],), -8, table(3, 0, 8, 24, 16, 16, 8))]
    data = ramp('f', 10)
    made = [part_chunk(0, 0, 0, data, 4), part_chunk(3, 0, 0, parts.OPAQUE[:32], 1)]
    return [parts_file(HDF5, 72, 4), arrays(*rows)] + (made if chunks is None else chunks(made))


def pieced(extents=(3, 4), piece=(2, 2), numbers=(0, 2, -3), gap=0, count=None, shape=PIECES, layout=PIECED, values=16, chunks=None):
    """A file of 80 bytes: a big-endian group of an array in pieces, which are in no order, and a dense one, and other bytes."""
    runs = b''.join(table(1, gap, 0, zigzag(number)) for number in numbers)
    cut = table(*map(zigzag, piece)) + struct.pack('>f4x', -1) + table(len(numbers) if count is None else count) + runs
    members = table(shape, 2, zigzag(extents[0] - values), zigzag(extents[1])) + cut + table(0, 2) + b'/a' + \
        table(DENSE, 1, zigzag(4 - extents[0]), 1, 1) + b'b'
    rows = [row(1, layout, (values,), 64, table(2, 8, 40, 8, 24, 2), order=1) + members, row(3, BYTES, (16 - 4,), -8, table(2, 0, 8, 40, 8))]
    data = struct.pack('>16f', *range(16))
    made = [part_chunk(0, number, first, data[4 * first:4 * end], 4).with_body(struct.pack(f'<{end - first}f', *range(first, end)))
            for number, (first, end) in enumerate(((0, 10), (10, 16)))] + [part_chunk(3, 0, 0, parts.OPAQUE[:16], 1)]
    return [parts_file(HDF5, 80, 4), arrays(*rows)] + (made if chunks is None else chunks(made))


def copy(back=1, layout=DENSE, extents=(0, 0), place=table(0), same=1, name=b'copy', code=1):
    """A copy of an array before it; behind dense(0), of that."""
    return table(code, 2 * COPY, back, layout, len(extents), *map(zigzag, extents)) + place + table(same, len(name)) + name


def copied(*rows, size=48, flags=4, last=()):
    """A file of 48 bytes: an array, and a copy."""
    return [parts_file(HDF5, size, flags), arrays(dense(0), *(rows or (copy(),))), part_chunk(0, 0, 0, ramp('f', 6), 4), *last]


def copied_pieces(piece=(1, 3), runs=(1, 24, 0, 0, 1, 4, 0, 0), **more):
    """The same, but the copy is in pieces, with 4 opaque bytes between them."""
    place = table(*map(zigzag, piece)) + bytes(8) + table(len(runs) // 4, *runs)
    return copied(copy(layout=PIECES, place=place, **more), row(3, BYTES, (2,), -20, table(1, 36, 4)), size=52,
                  last=[part_chunk(2, 0, 0, b'gaps', 1)])


def arrays(*rows, packed=None, length=None):
    plain = b''.join(rows)
    return Section(ARRAYS, struct.pack('<I', len(plain) if length is None else length), plain if packed is None else packed)


def sections(*rows, flags=4, **more):
    return [parts_file(HDF5, parts.SIZE, flags), arrays(*(rows or (dense(), pieces(), opaque())), **more)]


def raw(data=ramp('f', 12), rows=1):
    """tiny_sections() with a table."""
    tiny = tiny_sections(data)
    return [tiny[0], arrays(*[row(1, DENSE, (12 * (i < 1),), 16 * (i < 1), table(0)) for i in range(rows)])] + tiny[2:]


def turned(layout, extents=(3, 4), piece=(1, 4), runs=(3, 8, 8, 0), cut=12, order=0):
    """A file of 72 bytes: 12 f32 whose rows of 4 are coded as columns, dense or in pieces, and other bytes."""
    data, opaque = ramp('f', 12), table(3, 0, 8, 16, 8, 16, 8)
    place = table(*map(zigzag, piece)) + bytes(8) + table(len(runs) // 4, *runs)
    if layout == TURNED + DENSE:
        place, opaque = table(zigzag(8)), table(2, 0, 8, 48, 16)
    rows = [row(1, layout, extents, 48, place, name=b'/turned', order=order), row(3, BYTES, (24 - extents[0],), -24, opaque)]
    made = [part_chunk(1, 0, 0, parts.OPAQUE[:24], 1)]
    for number, first in enumerate(range(0, 12, cut)):
        raw = data[4 * first:4 * (first + cut)]
        values = [raw[i:i + 4] for i in range(0, len(raw), 4)]
        columns = b''.join(b''.join(values[column::4]) for column in range(4))
        made.append(part_chunk(0, number, first, b''.join(value[::-1] for value in values) if order else raw, 4).with_body(columns))
    return [parts_file(HDF5, 72, 4), arrays(*rows)] + made


def folded(layout, length=4, cuts=(0, 12), extent=14):
    """A file of 80 or 84 bytes: f32 whose rows of 4 are coded as columns, some behind them, dense or in pieces of 5, and other bytes."""
    cut = layout == FOLDED + PIECES
    data, size = ramp('f', 14 + cut), 80 + 4 * cut
    place, opaque = table(length, zigzag(8)), table(2, 0, 8, 56, 16)
    if cut:
        place, opaque = table(length, zigzag(5)) + bytes(8) + table(1, 3, 8, 4, 0), table(4, 0, 8, 20, 4, 20, 4, 20, 8)
    made = [part_chunk(1, 0, 0, parts.OPAQUE[:24], 1)]
    for number, (first, end) in enumerate(zip(cuts, (*cuts[1:], 14 + cut))):
        raw = data[4 * first:4 * end]
        values = [raw[i:i + 4] for i in range(0, len(raw), 4)]
        chunk = part_chunk(0, number, first, raw, 4)
        made.append(chunk if len(values) < 4 else chunk.with_body(b''.join(b''.join(values[column::4]) for column in range(4))))
    table_of = arrays(row(1, layout, (extent,), 48, place, name=b'/folded'), row(3, BYTES, (24 - extent,), -24, opaque))
    return [parts_file(HDF5, size, 4), table_of] + made


def many(count):
    """Arrays of two values, one behind the other, in a table and an index that zlib shortens."""
    rows = [row(1, DENSE, (2 * (i == 0),), 8 * (i == 0), table(0), 2 * (i > 0), (b'/d' if i == 0 else b'') + b'%d' % i)
            for i in range(count)]
    packed = zlib.compress(b''.join(rows), 9)
    return [parts_file(HDF5, 8 * count), arrays(*rows, packed=packed)] + \
           [part_chunk(i, 0, 0, ramp('f', 2), 4) for i in range(count)]


def make_good(make):
    make.plain('table-f32', 'an array in a table, and a coded index', 'ramp_16x17.f32', ramp('f', 16, 17), *NDZIP)
    make.plain('table-chunks', 'three chunks, the last one shorter', 'ramp_8200.f32', ramp('f', 8200), *NDZIP, '--chunk', '16K')
    make.plain('table-pipe', 'from a pipe: the slowest extent unknown', None, ramp('d', 20, 3, 4), *NDZIP, '--dtype', 'f64',
               '--shape', '*x3x4', '--chunk', '1K', pipe=True)
    make.plain('table-empty', 'an empty file', 'empty.f32', b'', *NDZIP)
    make.unrepeated('table-frsz2', 'chunks that tell errors', 'ramp_20x30.f32', ramp('f', 20, 30), '--codec', 'frsz2', '--chunk', '1K')
    make.by_hand('table-example', 'the example of fpgz(5) with its table in a section',
                 member([file_section(b'ab.f32', 8), arrays(row(1, DENSE, (2,), 8, table(0))),
                         store_chunk(0, 0, struct.pack('<2f', 1, 2))], make_index=coded_index))
    make.by_hand('table-parts', 'three arrays: dense, of pieces, and opaque bytes', member(sections() + parts.chunks(), make_index=coded_index))
    make.by_hand('table-order', 'the chunks of an array behind all others',
                 member(sections() + sorted(parts.chunks(), key=lambda chunk: -chunk.head[0]), make_index=coded_index))
    make.by_hand('table-zlib', 'a table and an index behind zlib', member(many(40), make_index=coded_index))
    make.by_hand('table-no-copy', 'no copy of the table in the index',
                 member(sections() + parts.chunks(), make_index=lambda before: coded_index(before, copy=False)))
    make.by_hand('table-plain-index', 'a table, and an index that is not coded', member(sections() + parts.chunks()))
    make.by_hand('table-coded-index', 'sections of arrays, and a coded index', member(parts.sections() + parts.chunks(), make_index=coded_index))
    make.by_hand('table-column-major', 'a column-major array, and big-endian values in a table',
                 member([parts_file(HDF5, 24), arrays(dense(0, layout=COLUMN_MAJOR, order=1)),
                         part_chunk(0, 0, 0, parts.DENSE_DATA, 4).with_body(
                             b''.join(parts.DENSE_DATA[i:i + 4][::-1] for i in range(0, 24, 4)))], make_index=coded_index))
    make.by_hand('turned-dense', 'an array whose rows are coded as columns', member(turned(8), make_index=coded_index))
    make.by_hand('turned-pieces', 'the same in pieces, big-endian, in chunks of a row each',
                 member(turned(9, order=1, cut=4), make_index=coded_index))
    make.by_hand('folded-dense', 'a row of rows that are coded as columns, and two values behind them',
                 member(folded(10), make_index=coded_index))
    make.by_hand('folded-pieces', 'the same in pieces, in chunks of a row or two', member(folded(11, cuts=(0, 4, 12)), make_index=coded_index))
    make.by_hand('table-group', 'two small arrays in a group', member(grouped(), make_index=coded_index))
    make.by_hand('table-group-chunks', 'chunks of a group that end within its arrays',
                 member(grouped(chunks=lambda made: [part_chunk(0, 0, 0, made[0].body[:20], 4), made[1],
                                                     part_chunk(0, 1, 5, made[0].body[20:], 4)]), make_index=coded_index))
    make.by_hand('table-group-rest', 'a group with values that are of no array', member(grouped(((2, 3), b'/a'), ((3,), b'')),
                                                                                         make_index=coded_index))
    make.by_hand('table-group-pieces', 'a group of an array in pieces, which are in no order, and a dense one; its second chunk has the end of both',
                 member(pieced(), make_index=coded_index))
    make.by_hand('table-copy', 'an array that is a copy', member(copied(), make_index=coded_index))
    make.by_hand('table-copies', 'two copies, the second in chunks of the first array\'s values',
                 member(copied(copy(), copy(2), size=72)[:2] + [part_chunk(0, 0, 0, ramp('f', 6)[:12], 4), part_chunk(0, 1, 3, ramp('f', 6)[12:], 4)],
                        make_index=coded_index))
    make.by_hand('table-copy-pieces', 'a copy of a dense array that is in pieces', member(copied_pieces(), make_index=coded_index))
    private = [Section(PRIVATE, b'head', b'body of a private section'), Section(0x8000), Section(0xFFFF, b'', bytes(99))]
    make.by_hand('table-private', 'sections that may be skipped, in a coded index', member(raw()[:1] + private + raw()[1:] + private, make_index=coded_index))


def make_bad(make):
    def bad(name, what, words, body, base=None):
        make.bad('table-' + name, what, words, member(body, make_index=coded_index), base)

    cannot, contradicts, ends = 'cannot be that of its file', 'contradicts it', 'ends within array'
    zipped = zlib.compress(bytes(99) + dense(), 9)
    for name, what, words, wrong in (
            ('empty', 'a table of nothing', 'contradict', sections(packed=b'', length=0)),
            ('short', 'a table that is shorter than its body', 'contradict', sections(length=9)),
            ('no-zlib', 'a table that zlib does not inflate', 'the table of arrays is none', sections(length=999)),
            ('zlib-more', 'a table of more bytes than the head tells', 'the table of arrays is none', sections(packed=zipped, length=99)),
            ('zlib-less', 'a table of fewer bytes than the head tells', 'the table of arrays is none', sections(packed=zipped, length=999)),
            ('zlib-behind', 'bytes behind a zlib stream', 'the table of arrays is none', sections(packed=zipped + b'more', length=99 + len(dense()))),
            ('limit', 'a table of 2^32 - 1 bytes', 'exceeds the limit', sections(length=2**32 - 1)),
            ('cut', 'a table that ends within a number', ends, sections(dense()[:2] + b'\x80')),
            ('64-bits', 'a number of more than 64 bits', ends, sections(b'\xff' * 9 + b'\2')),
            ('dimensions-0', 'an array of no dimensions', ends, sections(row(1, DENSE, (), 24, table(0)))),
            ('dimensions-33', 'an array of 33 dimensions', ends, sections(row(1, DENSE, (1,) * 33, 24, table(0)))),
            ('name-prefix', 'a name that shares more than the name before has', ends, sections(dense(), pieces(same=6))),
            ('name-nul', 'a name with a zero byte', ends, sections(dense(name=b'/g\0d'))),
            ('name-long', 'a name of 4097 bytes', ends, sections(dense(name=b'n' * 4097))),
            ('name-cut', 'a name that is longer than the table', ends, sections(dense()[:-1])),
            ('runs-more', 'more runs than there are', 'malformed|contradicts it|ends within', sections(dense(), pieces(count=2**60))),
            ('runs-none', 'no runs', contradicts + '|' + cannot, sections(dense(), pieces(runs=()), opaque())),
            ('runs-beyond', 'a piece behind the end of the file', contradicts,
             sections(dense(), pieces(runs=(1, 72, 0, 0, 3, 9, 0, 0)), opaque())),
            ('pieces-0', 'pieces of no extent', 'is impossible|' + cannot, sections(dense(), pieces(piece=(2, 0)), opaque())),
            ('dense-beyond', 'a dense array behind the end of the file', cannot, sections(dense(parts.SIZE - 20), pieces(), opaque())),
            ('dense-wrap', 'an offset that wraps', cannot, sections(dense(-8), pieces(), opaque())),
            ('extent-0', 'an extent of 0', cannot, sections(row(1, DENSE, (0, 3), 24, table(0)))),
            ('chunk-limit', 'chunks of more than 2^30 bytes', 'more than the limit', sections(row(1, DENSE, (2, 3), 2**30 + 1, table(0)))),
            ('more', 'arrays of more bytes than the file has', cannot, sections(dense(), pieces(), opaque(), opaque())),
            ('array-behind', 'an array section behind the table', 'cannot be that of its file', sections() + [parts.dense(3)]),
            ('two', 'two tables', 'a second table of arrays', sections() + sections()[1:]),
            ('late', 'a table behind chunks', 'before its array|behind chunks', sections()[:1] + parts.chunks()[:1] + sections()[1:])):
        bad(name, what, words, wrong + parts.chunks())
    for name, what, words, wrong in (
            ('beyond', 'an array behind the end of its group', ends, grouped(((2, 3), b'/a'), ((5,), b'/b'))),
            ('extent-0', 'an array of no extent in a group', ends, grouped(((2, 0), b'/a'), ((4,), b'/b'))),
            ('wrap', 'an array of 2^64 values in a group', ends, grouped(((2**32, 2**32), b'/a'), ((4,), b'/b'))),
            ('dimensions-33', 'an array of 33 dimensions in a group', ends, grouped(((1,) * 33, b'/a'), ((4,), b'/b'))),
            ('ranges', 'ranges of another length than the values', contradicts, grouped(runs=(8, 24, 16, 8))),
            ('chunk', 'a chunk of an array that is in a group', 'that is in a group',
             grouped(chunks=lambda made: [made[0].with_head('I', 0, 1), made[1]])),
            ('lost', 'a chunk of a group is missing', 'not the whole file', grouped(chunks=lambda made: made[1:]))):
        bad('group-' + name, what, words, wrong)
    for name, what, words, wrong in (
            ('beyond', 'an array behind the end of its group', ends, pieced(numbers=(0, 2, -3, 0, 0))),
            ('numbers', 'a piece that its array does not have', cannot, pieced(numbers=(0, 2, 0))),
            ('gap', 'pieces that do not follow each other', cannot, pieced(gap=16)),
            ('none', 'no pieces', cannot, pieced(numbers=())),
            ('piece-0', 'pieces of no extent', 'is impossible', pieced(piece=(2, 0))),
            ('runs', 'more pieces than there are', 'malformed|' + ends, pieced(count=2**60)),
            ('extent-0', 'an array of no extent', ends, pieced(extents=(0, 4))),
            ('shape', 'an array of ranges in a group', ends, pieced(shape=BYTES)),
            ('layout', 'a group whose arrays are dense', ends + '|' + contradicts + '|' + cannot, pieced(layout=GROUP)),
            ('lost', 'a chunk is missing', 'chunk 0 from value 0 is due', pieced(chunks=lambda made: made[1:]))):
        bad('group-pieces-' + name, 'a group of pieces: ' + what, words, wrong)
    fit = 'is a copy of one that it does not fit'
    for name, what, words, wrong in (
            ('none', 'a copy of itself', ends, copied(copy(0))),
            ('before', 'a copy of an array before the first one', ends, copied(copy(2))),
            ('bytes', 'a copy that is bytes', ends, copied(copy(layout=BYTES, place=table(1, 24, 24)))),
            ('extents', 'a copy of other extents', fit, copied(copy(extents=(0, 1)), size=56)),
            ('dtype', 'a copy of another dtype', fit, copied(copy(code=2, extents=(-1, 0)))),
            ('copy', 'a copy of a copy', fit, copied(copy(), copy(1), size=72)),
            ('group', 'a copy of a group', fit, [parts_file(HDF5, 120, 4), arrays(group(((10,), b'/a')), copy(2, extents=(0,)))] + grouped()[2:]),
            ('opaque', 'a copy of opaque bytes', fit, copied(row(3, BYTES, (22, ), 0, table(1, 24, 24)), copy(1, code=3, extents=(0,), same=0), size=72)),
            ('pieces', 'a copy of more pieces than there are', contradicts, copied_pieces(runs=(1, 24, 0, 0, 1, 4, 0, 2))),
            ('beyond', 'a copy behind the end of the file', cannot, copied(copy(place=table(2)))),
            ('chunk', 'a chunk of a copy', 'that is in a group, or a copy', copied(last=[part_chunk(1, 0, 0, ramp('f', 6), 4)])),
            ('order', 'a copy in a file that is not scattered', fit, copied(flags=0))):
        bad('copy-' + name, what, words, wrong)
    for name, what, words, wrong in (
            ('row', 'one row', cannot, turned(8, extents=(1, 12))),
            ('column', 'rows of one value', cannot, turned(8, extents=(12, 1))),
            ('flat', 'one dimension', cannot, turned(8, extents=(12,))),
            ('squares', 'pieces that are no rows', contradicts, turned(9, extents=(6, 2), piece=(2, 2))),
            ('lack', 'pieces that are not there', contradicts, turned(9, extents=(4, 4))),
            ('order', 'pieces in another order', contradicts, turned(9, runs=(1, 8, 0, 2, 2, 8, 8, zigzag(-3)))),
            ('half', 'chunks of half a row', 'is damaged', turned(8, cut=6)),
            ('raw', 'a raw file', 'cannot be that of a raw file', [parts_file(0, 48), arrays(row(1, TURNED, (3, 4), 48, table(0))),
                                           part_chunk(0, 0, 0, ramp('f', 12), 4)])):
        bad('turned-' + name, 'a turned array: ' + what, words, wrong)
    for name, what, words, wrong in (
            ('none', 'rows of no value', cannot, folded(10, length=0)),
            ('column', 'rows of one value', cannot, folded(10, length=1)),
            ('row', 'one row', cannot, folded(10, length=8)),
            ('huge', 'rows of 2^63 values', cannot, folded(10, length=2**63)),
            ('lack', 'pieces that are not there', contradicts, folded(11, extent=21)),
            ('half', 'chunks of half a row', 'is damaged', folded(10, cuts=(0, 6)))):
        bad('folded-' + name, 'rows of a turned array: ' + what, words, wrong)
    bad('group-cut', 'a table that ends within a group', 'ends within a group',
        [parts_file(HDF5, 72, 4), arrays(group(((2, 3), b'/a'), count=2)), part_chunk(0, 0, 0, ramp('f', 10), 4)])
    bad('missing', 'the last bytes of the file are in no array', 'not the whole file',
        sections(dense(), pieces(), opaque((0, 40, 24, 8), 48)) + parts.chunks()[:3] + parts.chunks()[4:])
    bad('raw-two', 'a raw file of two arrays', 'its arrays are too many', raw(rows=2))

    def index(name, what, edit, words='does not list'):
        make.bad('coded-' + name, what, words, member(raw(), make_index=lambda before: edit(coded_index(before))), 'tiny')

    def head(section, **fields):
        names = ('bytes', 'checks', 'copy')
        told = dict(zip(names, struct.unpack('<3I', section.head)))
        return Section(CODED_INDEX, struct.pack('<3I', *({**told, **fields}[name] for name in names)), section.body)

    def told(section):
        return struct.unpack('<3I', section.head)

    index('head', 'a head that is too short', lambda section: Section(CODED_INDEX, section.head[:8], section.body))
    index('checks-more', 'more checks than there are', lambda section: head(section, checks=2**29))
    index('checks-less', 'a check less', lambda section: head(section, checks=told(section)[1] - 1, copy=told(section)[2] + 8))
    index('copy', 'a copy of the table that is shorter', lambda section: head(section, checks=told(section)[1] + 1, copy=told(section)[2] - 8))
    index('copy-other', 'a copy of another table',
          lambda section: section.with_body(section.body[:8 * told(section)[1]] + b'\xff' + section.body[8 * told(section)[1] + 1:]))
    index('bytes', 'numbers of another length', lambda section: head(section, bytes=told(section)[0] + 1))
    index('huge', 'numbers of 2^32 - 1 bytes', lambda section: head(section, bytes=2**32 - 1))
    index('cut', 'the index ends within a number',
          lambda section: head(section.with_body(section.body[:-1] + b'\x80'), bytes=told(section)[0]))
    index('size', 'an index that tells another size of the file', lambda section: coded_index([file_section(b'tiny.f32', 49)] + raw()[1:]))
    index('short', 'the last section is not in the index', lambda section: coded_index(raw()[:-1]))
    index('long', 'a section that is not there is in the index', lambda section: coded_index(raw() + [Section(PRIVATE)]))
    index('two-files', 'two file sections in the index', lambda section: coded_index(raw()[:1] + raw()))
    index('index', 'the index lists itself', lambda section: coded_index(raw() + [Section(INDEX)]))


def make_unsupported(make):
    for name, what, words, wrong in (
            ('dtype', 'a dtype of later versions in a table', 'dtype 4', row(4, DENSE, (2, 3), 24, table(0))),
            ('layout', 'a layout of later versions in a table', 'layout 99', row(1, 99, (2, 3), 24, table(0)))):
        make.unsupported('table-' + name, what, words, member(sections(wrong) + parts.chunks(), make_index=coded_index))
