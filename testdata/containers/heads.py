# SPDX-License-Identifier: MIT
"""Containers with coded heads of chunks, and of raw files whose array is described in their file section."""
import struct

import parts
import tables
from containers import (CHUNK, DENSE, FOLDED, OWN_TABLE, PRIVATE, TURNED, UNKNOWN, Section, chunk_section, coded_chunk, coded_index,
                        file_section, member, ramp, store_chunk, table, tiny_sections, varint, zigzag)
from prans import lcg, pack

NDZIP = ('--codec', 'ndzip')
DATA = ramp('f', 12)


def own(*rows, name=b'tiny.f32', size=48, flags=OWN_TABLE):
    """A file section with a table."""
    section = file_section(name, size, flags)
    return Section(section.type, section.head + b''.join(rows))


def array(extents=(12,), limit=16, code=1, layout=DENSE):
    return tables.row(code, layout, extents, limit, table(0))


def columns(extents=(3, 4), layout=TURNED, row=(), size=48):
    """A file whose rows of four values are coded as columns."""
    values = [DATA[i:i + 4] for i in range(0, len(DATA), 4)]
    stored = store_chunk(0, 0, DATA)
    turned = b''.join(b''.join(values[column::4]) for column in range(4))
    return [own(tables.row(1, layout, extents, 48, table(*row, zigzag(0))), size=size), coded_chunk(stored.with_body(turned))]


def spectra(samples, count):
    """Each column a cubic of its own."""
    random = lcg(35)
    factors = [[next(random) / 2**31 for _ in range(4)] for _ in range(count)]
    for t in range(samples):
        x = t / samples
        for a, b, c, d in factors:
            yield a + x * (b + x * (c + x * d))


def chunks():
    return [coded_chunk(section) for section in tiny_sections(DATA)[2:]]


def whole(sections, **more):
    return member(sections, make_index=coded_index, **more)


def make_good(make):
    make.plain('heads-f32', 'an array in the file section, and a coded chunk', 'ramp_16x17.f32', ramp('f', 16, 17), *NDZIP)
    make.plain('heads-chunks', 'three coded chunks, the last one shorter', 'ramp_8200.f32', ramp('f', 8200), *NDZIP, '--chunk', '16K')
    make.plain('heads-pipe', 'from a pipe: the slowest extent unknown', None, ramp('d', 20, 3, 4), *NDZIP, '--dtype', 'f64',
               '--shape', '*x3x4', '--chunk', '1K', pipe=True)
    make.plain('heads-empty', 'an empty file', 'empty.f32', b'', *NDZIP)
    make.unrepeated('heads-frsz2', 'coded chunks that tell errors', 'ramp_20x30.f32', ramp('f', 20, 30), '--codec', 'frsz2', '--chunk', '1K')
    make.by_hand('heads-example', 'the example of fpgz(5) as it is written now',
                 whole([own(array((2,), 8), name=b'ab.f32', size=8), coded_chunk(store_chunk(0, 0, struct.pack('<2f', 1, 2)))]))
    make.by_hand('heads-plain-index', 'the same heads, and an index that is not coded', member([own(array())] + chunks()))
    make.by_hand('heads-mixed', 'an array in the file section, and chunks of either kind',
                 whole([own(array())] + chunks()[:1] + tiny_sections(DATA)[3:]))
    make.by_hand('heads-parts', 'coded chunks of three arrays', whole(tables.sections() + [coded_chunk(chunk) for chunk in parts.chunks()]))
    make.by_hand('heads-private', 'sections that may be skipped behind the file section',
                 whole([own(array()), Section(PRIVATE, b'head', b'body of a private section')] + chunks()))
    make.by_hand('heads-unknown', 'an array in the file section whose only extent is unknown',
                 whole([own(array((-1,)), size=UNKNOWN)] + chunks()))
    make.by_hand('heads-turned', 'a raw file whose rows are coded as columns', whole(columns()))
    make.by_hand('heads-folded', 'the same of one extent', whole(columns((12,), FOLDED, (4,))))
    make.unrepeated('heads-spectra', 'a raw file that is shorter so', 'spectra_128x64.f64', pack('d', spectra(128, 64)))


def make_bad(make):
    first, *rest = chunks()
    numbers = first.head[4:-8]

    def bad(name, what, words, sections, base=None):
        make.bad('heads-' + name, what, words, whole(sections), base)

    def chunk(name, what, words, head):
        make.bad('heads-' + name, what, words, member([own(array()), Section(first.type, head, first.body)] + rest))

    for name, what, words, file in (
            ('none', 'a flag of an array, and no array', 'contradict', own()),
            ('long', 'an array of more than 8192 bytes', 'contradict', own(array(), bytes(8192))),
            ('two', 'two arrays in the file section', 'its arrays are too many', own(array(), array((0,), 0))),
            ('cut', 'an array that ends within a number', 'ends within array', own(array()[:3] + b'\x80')),
            ('layout', 'a column-major array of a raw file', 'cannot be that of a raw file', own(array(layout=3))),
            ('size', 'an array that is not the whole file', 'not the whole file', own(array(), size=52))):
        bad(name, what, words, [file] + chunks(), 'heads-plain-index' if name == 'size' else None)
    for name, what, sections in (
            ('row', 'one row', columns((1, 12))), ('column', 'rows of one value', columns((12, 1))),
            ('folded', 'one row of one extent', columns((12,), FOLDED, (12,))),
            ('unknown', 'of an unknown extent', columns((-1, 4), size=UNKNOWN))):
        bad('turned-' + name, 'a raw file whose rows are columns: ' + what, 'cannot be that of a raw file', sections)
    bad('table-behind', 'a table behind a file section with an array', 'a raw file has one array', [own(array()), tables.raw()[1]] + chunks())
    chunk('chunk-empty', 'a coded chunk with an empty head', 'contradict', b'')
    chunk('chunk-short', 'a coded head that ends within its fields', 'contradict', first.head[:-1])
    chunk('chunk-longer', 'a coded head that is a byte longer than its fields', 'contradict', first.head + b'\0')
    chunk('chunk-64-bits', 'a number of more than 64 bits', 'contradict', first.head[:4] + b'\xff' * 9 + b'\2' + numbers[1:] + first.head[-8:])
    for name, what, words, fields in (
            ('codec', 'codec 65536', 'contradict', (65536, 1, 0, 0, 0, 4)),
            ('extents-0', 'no coding extents', 'contradict', (0, 0, 0, 0, 0)),
            ('extents-5', 'five coding extents', 'contradict', (0, 5, 0, 0, 0, 4, 1, 1, 1, 1)),
            ('form', 'a form of 16', 'contradict', (0, 17, 0, 0, 0, 4)),
            ('parameter', 'a parameter of 33 bits', 'contradict', (0, 1, 1, 0, 0, 4, 2**32))):
        chunk('chunk-' + name, 'a coded head: ' + what, words, bytes(4) + b''.join(map(varint, fields)) + first.head[-8:])
    nan = chunk_section(0, [4], [], first.body, int.from_bytes(first.head[-8:], 'little'), errors=struct.pack('<2d', float('nan'), 0))
    chunk('chunk-nan', 'a coded head with an error that is no number', 'contradict', coded_chunk(nan).head)
    other = [own(array()), Section(CHUNK, tiny_sections(DATA)[2].head, first.body)] + rest
    make.bad('heads-index', 'an index that tells a chunk of the other kind', 'does not list',
             member([own(array())] + chunks(), make_index=lambda before: coded_index(other)), 'heads-plain-index')


def make_unsupported(make):
    first, *rest = chunks()
    more = bytes(4) + b''.join(map(varint, (0, 1, 5, 0, 0, 4, 1, 2, 3, 4, 5))) + first.head[-8:]
    make.unsupported('heads-parameters', 'a coded chunk with five parameters', '5 codec parameters',
                     member([own(array()), Section(first.type, more, first.body)] + rest))
    make.unsupported('heads-flags', 'an array in the file section of no raw file', 'flags 16',
                     whole([own(array()).with_head('B', 0, 1)] + chunks()))
