# SPDX-License-Identifier: MIT
"""Containers with an array whose pieces the file has filtered: right ones, and tables and sizes that are wrong."""
import struct
import zlib

import tables
from containers import BYTES, HDF5, Section, member, part_chunk, parts_file, ramp, table, zigzag
from deflate_encoder import deflate
from filtered import DEFLATE, ENCODED, ENCODED_LAST, FLETCHER32, FRONT, LZF, PACKED, SHUFFLE, encoded, fletcher32, lzf, packed, shuffle

FILTERED, BANDED = 5, 7

# The image: 10 opaque bytes; a piece of 3 x 4 f32; 5 opaque bytes; another piece; 20 bytes of a piece that is kept; 3 bytes.
PIECES = [ramp('f', 12), bytes(range(48))]
OPAQUE = bytes(range(100, 138))
STORED = [deflate(shuffle(PIECES[0], 4), 6), shuffle(PIECES[1], 4)]
SUMMED = [stored + fletcher32(stored) for stored in STORED]
RUNS = (2, 10, 5, 0)                                # both pieces, with 5 bytes between them
FILTERS = (3, SHUFFLE, 4, DEFLATE, FLETCHER32)
WAYS = (1, 6 << 3, 1, 2)                            # the second piece without its deflate
KEPT = (1, 111, 20, zigzag(2), 0)
IMAGE = 10 + 48 + 5 + 48 + 23


def array(filters=FILTERS, ways=WAYS, lengths=None, kept=KEPT, runs=RUNS, piece=(3, 4)):
    lengths = tuple(map(len, SUMMED)) if lengths is None else lengths
    place = table(*map(zigzag, piece)) + bytes(8) + table(len(runs) // 4, *runs, *filters, *ways, *lengths, *kept)
    return tables.row(1, FILTERED, (9, 4), 96, place, name=b'/filtered')


def opaque(extent=38):
    """Behind array()."""
    return tables.row(3, BYTES, (extent - 9,), 0, table(3, 0, 10, 48, 5, 48, 23))


def file_head(size, image=IMAGE, flags=8):
    plain = parts_file(HDF5, size, flags)
    return Section(plain.type, plain.head[:32] + (struct.pack('<Q', image) if flags & 8 else b'') + plain.head[32:])


def chunks():
    return [part_chunk(1, 0, 0, OPAQUE[:10], 1), part_chunk(0, 0, 0, PIECES[0], 4), part_chunk(1, 1, 10, OPAQUE[10:15], 1),
            part_chunk(0, 1, 12, PIECES[1], 4), part_chunk(1, 2, 15, OPAQUE[15:], 1)]


def container(*rows, size=None, image=IMAGE, flags=8, body=None):
    size = 38 + sum(map(len, SUMMED)) if size is None else size
    return member([file_head(size, image, flags), tables.arrays(*(rows or (array(), opaque())))] + (body or chunks()))


def copied(place=table(0, 0) + bytes(8) + table(1, 1, 48, 0, 0), layout=FILTERED, kept=(0,), extents=(0, 0)):
    """A file of a filtered piece and the same again, which is a copy of it."""
    lengths = (len(SUMMED[0]),)
    return container(array(ways=WAYS[:2], lengths=lengths, kept=kept, runs=(1, 0, 0, 0)),
                     tables.copy(layout=layout, place=place, extents=extents), size=2 * lengths[0], image=96, flags=12,
                     body=[part_chunk(0, 0, 0, PIECES[0], 4)])


def banded(runs=(4, 0, 0, 0), kept=(0,), body=None, more=()):
    """An array of 4 x 5 u8 in pieces of 3 x 4, which is all that the file has: two bands of two pieces. And a copy."""
    raw = [bytes(range(24)), bytes(range(100, 124))]
    pieces = [bytes(band[8 * row + 4 * half + column] for row in range(3) for column in range(4)) for band in raw for half in range(2)]
    stored = [deflate(piece, 1) for piece in pieces][:sum(runs[::4])]
    ways = len(stored), 1 << 3
    place = table(zigzag(3), zigzag(4)) + bytes(8) + table(len(runs) // 4, *runs, 1, DEFLATE, *ways, *map(len, stored), *kept)
    head = file_head((1 + len(more)) * sum(map(len, stored)), (1 + len(more)) * 12 * len(stored), 12 if more else 8)
    row = tables.row(3, BANDED, (4, 5), 48, place, name=b'/banded')
    return member([head, tables.arrays(row, *more)] + (body or [part_chunk(0, 0, 0, b''.join(raw), 1)]))


def copied_band(layout=BANDED, piece=(0, 0), extents=(0, 0)):
    """Behind that of banded(), whose pieces and extents are those to which these are added."""
    return tables.copy(1, layout, extents, table(*map(zigzag, piece)) + bytes(8) + table(1, 4, 48, 0, 0), 0, b'copy', 3)


def in_text(how, count=12, level=0, number=ENCODED, filters=None):
    """A file that is an array, encoded."""
    values = ramp('f', count)
    stored = encoded(values, how, level, 8, number == ENCODED_LAST)
    whole = tables.row(1, FILTERED, (count,), 4 * count, table(zigzag(count)) + bytes(8) +
                       table(1, 1, 0, 0, 0, *(filters or (1, number, how)), 1, level << 3, len(stored), 0), name=b'text')
    return member([file_head(len(stored), 4 * count), tables.arrays(whole), part_chunk(0, 0, 0, values, 4)])


def alone(filters, values, stored, letter, way=0):
    """A file that is an array of these values, of which it has other bytes."""
    dtype, size = {'u': (3, 1), 'H': (8, 2), 'I': (9, 4), 'f': (1, 4)}[letter]
    count = len(values) // size
    whole = tables.row(dtype, FILTERED, (count,), len(values), table(zigzag(count)) + bytes(8) + table(1, 1, 0, 0, 0, *filters) +
                       table(1, way, len(stored), 0), name=b'alone')
    return member([file_head(len(stored), len(values)), tables.arrays(whole), part_chunk(0, 0, 0, values, size)])


def of_bits(bits, filters=None, values=None):
    """Integers of so many bits."""
    width, letter = (1, 'u') if bits < 8 else (2, 'H') if bits < 16 else (4, 'I')
    values = values or b''.join((i * i * 37 % 2**bits).to_bytes(width, 'little') for i in range(45))
    return alone(filters or (1, PACKED, bits), values, packed(values, bits), letter)


def of_lzf(filters=(2, SHUFFLE, 4, LZF)):
    """Integers with all that LZF knows: runs of literals, matches near and far, short and long."""
    values = b''.join((i * i * i % 977 * (i % 40 < 31)).to_bytes(4, 'little') for i in range(4500))
    return alone(filters, values, lzf(shuffle(values, 4)), 'I')


def behind(front, filters=None, values=ramp('f', 30)):
    """An array behind some bytes, deflated with them."""
    head = table(len(front)) + front
    stored = deflate(front + values, 6, 8, True)
    count = len(values) // 4
    whole = tables.row(1, FILTERED, (count,), len(values), table(zigzag(count)) + bytes(8) + table(1, 1, 0, 0, 0) +
                       (filters or table(2, FRONT) + head + table(4)) + table(1, 6 << 3, len(stored), 0), name=b'behind')
    return member([file_head(len(stored), len(values)), tables.arrays(whole), part_chunk(0, 0, 0, values, 4)])


def make_good(make):
    make.by_hand('filtered-bands', 'filtered pieces in bands, all in one chunk', banded())
    make.by_hand('filtered-bands-copy', 'the same, and a copy of it', banded(more=[copied_band()]))
    make.by_hand('filtered-bands-two', 'the same, a chunk a band',
                 banded(body=[part_chunk(0, 0, 0, bytes(range(24)), 1), part_chunk(0, 1, 24, bytes(range(100, 124)), 1)]))
    make.by_hand('filtered', 'pieces with three filters, one of them left out of the second piece, and a third piece that is kept',
                 container())
    make.by_hand('filtered-scattered', 'the same, and both pieces in one chunk',
                 container(flags=12, body=chunks()[:1] + [part_chunk(0, 0, 0, PIECES[0] + PIECES[1], 4)] + [chunks()[2]] + chunks()[4:]))
    make.by_hand('filtered-copy', 'a copy of a filtered array', copied())
    bare = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    stored = bare.compress(PIECES[0]) + bare.flush()
    whole = tables.row(1, FILTERED, (3, 4), 48, table(zigzag(3), zigzag(4)) + bytes(8) +
                       table(1, 1, 0, 0, 0, 1, 4, 1, 128 + (9 << 3), len(stored), 0), name=b'member')
    make.by_hand('filtered-bare', 'a file that is a stream of RFC 1951, at level 9 and memory level 9',
                 member([file_head(len(stored), 48), tables.arrays(whole), part_chunk(0, 0, 0, PIECES[0], 4)]))
    make.by_hand('encoded-length', 'a file that is a length and an array in base64', in_text(4 + 1))
    make.by_hand('encoded-blocks', 'a file that is two deflated blocks behind their lengths in base64, big-endian', in_text((4096 << 3) + 6, 1200, 5))
    make.by_hand('encoded-last', 'two whole blocks, as the last of the numbers before them tells', in_text((4096 << 3) + 5, 2048, 5, ENCODED_LAST))
    for bits in 1, 7, 12, 24, 31:
        make.by_hand(f'packed-{bits}', f'a file that is integers of {bits} bits', of_bits(bits))
    make.by_hand('lzf', 'a file that is shuffled integers, behind LZF', of_lzf())
    make.by_hand('lzf-short', 'bytes behind LZF that are too few for a match', alone((1, LZF), bytes(4), lzf(bytes(4)), 'u'))
    make.by_hand('front', 'an array behind a text, deflated with it', behind(b'some text'))
    make.by_hand('encoded-plain', 'the same without base64, in one block', in_text(5000 << 3, 1200, 5))


def make_bad(make):
    fit = 'is a copy of one that it does not fit'
    make.bad('filtered-copy-plain', 'a copy of a filtered array that is not filtered', fit,
             copied(table(zigzag(48)), tables.DENSE, extents=(-6, 0)))
    make.bad('filtered-copy-kept', 'a copy of an array with a piece that is kept', fit, copied(kept=KEPT))
    make.bad('filtered-copy-piece', 'a copy with smaller pieces', fit,
             copied(table(zigzag(-1), 0) + bytes(8) + table(1, 1, 48, 0, 0)))
    malformed = 'filtered pieces is malformed|contradicts it|ends within array'
    for name, what, words, wrong in (
            ('none', 'no filters', malformed, container(array(filters=(0,)), opaque())),
            ('four', 'four filters', malformed, container(array(filters=(4, 1, 4, 2, 3, 3)), opaque())),
            ('zero', 'a filter that is none', malformed, container(array(filters=(2, 0, 2)), opaque())),
            ('twice', 'a filter twice', malformed, container(array(filters=(2, 2, 2)), opaque())),
            ('two-deflates', 'deflate and bare deflate', malformed, container(array(filters=(2, 2, 4)), opaque())),
            ('width-0', 'a shuffle of width 0', malformed, container(array(filters=(2, 1, 0, 2)), opaque())),
            ('ways-more', 'more pieces that are filtered alike than there are', malformed, container(array(ways=(3, 48)), opaque())),
            ('ways-0', 'no pieces that are filtered alike', malformed, container(array(ways=(0, 48, 2, 48)), opaque())),
            ('encoded-more', 'an encoded array that was shuffled', malformed, in_text(4, filters=(2, SHUFFLE, 4, ENCODED, 4))),
            ('encoded-nothing', 'neither text nor blocks', malformed, in_text(4, filters=(1, ENCODED, 0))),
            ('encoded-block', 'blocks of 4095 bytes', malformed, in_text(4, filters=(1, ENCODED, 4095 << 3))),
            ('encoded-huge', 'a number of 33 bits', malformed, in_text(4, filters=(1, ENCODED, (1 << 32) + 4))),
            ('encoded-level', 'blocks without a level', malformed, in_text(4, filters=(1, ENCODED, 4 + (4096 << 3)))),
            ('encoded-last-text', 'text without blocks, and a number that tells of them', malformed, in_text(4, filters=(1, ENCODED_LAST, 4))),
            ('packed-0', 'integers of no bits', malformed, of_bits(1, (1, PACKED, 0))),
            ('packed-8', 'integers of 8 bits', malformed, of_bits(9, (1, PACKED, 8))),
            ('packed-32', 'integers of 32 bits', malformed, of_bits(31, (1, PACKED, 32))),
            ('packed-huge', 'integers of 2^32 + 1 bits', malformed, of_bits(1, (1, PACKED, 2**32 + 1))),
            ('packed-more', 'packed and deflated', malformed, of_bits(7, (2, PACKED, 7, DEFLATE))),
            ('lzf-deflate', 'LZF and deflate', malformed, of_lzf((2, LZF, DEFLATE))),
            ('front-0', 'nothing in front', malformed, behind(b'x', table(2, FRONT, 0, 4))),
            ('front-65536', 'too much in front', malformed, behind(b'x', table(2, FRONT, 65536) + bytes(65536) + table(4))),
            ('front-cut', 'more in front than there is', malformed, behind(b'x', table(2, FRONT, 60000, 4))),
            ('front-second', 'bytes in front of a deflated piece', malformed, behind(b'x', table(2, 4, FRONT, 1, 65))),
            ('level-0', 'deflate without a level', malformed, container(array(ways=(2, 0)), opaque())),
            ('level-10', 'level 10', malformed, container(array(ways=(2, 80)), opaque())),
            ('level-more', 'a level without deflate', malformed, container(array(ways=(2, 48 + 2)), opaque())),
            ('way-256', 'a way of 9 bits', malformed, container(array(ways=(2, 256)), opaque())),
            ('skipped', 'a filter left out that there is not', malformed, container(array(filters=(1, 2), ways=(2, 48 + 2)), opaque())),
            ('length-0', 'a piece of no bytes', malformed, container(array(lengths=(0, 52)), opaque())),
            ('length-huge', 'a piece of 2^32 bytes', malformed, container(array(lengths=(2**32, 52)), opaque())),
            ('kept-more', 'more kept pieces than there are', malformed, container(array(kept=(2**60,)), opaque())),
            ('kept-0', 'a kept piece of no bytes', malformed, container(array(kept=(1, 111, 0, 4, 0)), opaque())),
            ('image', 'an image of another size', 'contradicts it|not the whole file|do not make the file', container(image=IMAGE + 1)),
            ('image-none', 'no image', 'cannot be that of its file|contradicts it', container(flags=0)),
            ('image-same', 'an image of the size of the file', 'contradict', container(image=38 + sum(map(len, SUMMED)))),
            ('image-2-63', 'an image of 2^63 bytes', 'contradict', container(image=2**63)),
            ('size', 'a file of another size', 'do not make the file', container(size=39 + sum(map(len, SUMMED))))):
        make.bad('filtered-' + name, what, words, wrong)
    body = chunks()
    make.bad('filtered-order', 'pieces in another place than their chunks come in', 'do not come in the order',
             container(array(runs=(1, 10, 0, 0, 1, 0, 0, 0)), opaque()), 'filtered')
    make.bad('filtered-half', 'a chunk of half a piece', 'not made of whole pieces',
             container(body=[body[0], part_chunk(0, 0, 0, PIECES[0][:24], 4)]), 'filtered')
    make.bad('filtered-other', 'a piece that becomes longer than the table tells', 'is damaged',
             container(body=body[:1] + [part_chunk(0, 0, 0, bytes(b * 37 % 251 for b in range(48)), 4)] + body[2:]), 'filtered')
    make.bad('filtered-packed-half', 'a piece of half an integer', 'is damaged|contradict', alone((1, PACKED, 12), bytes(3), bytes(2), 'u'))
    make.bad('filtered-packed-large', 'an integer of 13 bits', 'is damaged', alone((1, PACKED, 12), bytes([0, 16]) * 3, bytes(5), 'H'))
    make.bad('filtered-lzf-length', 'LZF that makes fewer bytes than the table tells', 'is damaged', alone((1, LZF), bytes(40), bytes(41), 'u'))
    make.bad('filtered-lzf-level', 'a level of LZF', malformed, alone((1, LZF), bytes(40), lzf(bytes(40)), 'u', 8))
    make.bad('filtered-front-other', 'other bytes in front than make the length', 'is damaged', behind(b'x', table(2, FRONT, 3) + b'xyz' + table(4)))
    fit = 'that it does not fit'
    make.bad('filtered-bands-copy-pieces', 'a copy in bands of other pieces', fit,
             banded(more=[copied_band(piece=(1, -1), extents=(4, 1))]))
    make.bad('filtered-bands-copy-layout', 'a copy that is not in bands', fit, banded(more=[copied_band(layout=FILTERED)]))
    make.bad('filtered-bands-order', 'bands of pieces that are not in the order of their numbers', 'contradict',
             banded(runs=(2, 0, 0, zigzag(2), 2, 0, 0, zigzag(-4))))
    make.bad('filtered-bands-few', 'bands of pieces of which some are not there', 'contradict', banded(runs=(3, 0, 0, 0)))
    make.bad('filtered-bands-kept', 'bands with a piece that is kept', 'contradict', banded(kept=(1, 0, 1, 0, 0)))
    make.bad('filtered-bands-half', 'a chunk of half a band', 'not made of whole pieces',
             banded(body=[part_chunk(0, 0, 0, bytes(range(12)), 1)]), 'filtered-bands')
    make.unsupported('filtered-filter', 'a filter of later versions', 'filters that this fpgz does not know',
                     container(array(filters=(2, 1, 4, 5)), opaque()))
