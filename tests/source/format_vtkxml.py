# SPDX-License-Identifier: MIT
"""VTK's files in XML, right and wrong."""
import base64
import math
import struct
import zlib

from expect import expect
from formats import alone, damaged, swapped, listed, packed, recovered, run, wave, whole, write

TYPES = {'Float32': 'f32', 'Float64': 'f64', 'Int8': 'i8', 'UInt8': 'u8', 'Int16': 'i16', 'UInt16': 'u16', 'Int32': 'i32',
         'UInt32': 'u32', 'Int64': 'i64', 'UInt64': 'u64'}


def encoded(values, code, text, block, last=False):
    """An array as VTK writes it: behind its length, or in deflated blocks behind theirs; in base64 or not."""
    letters = base64.b64encode if text else bytes
    if not block:
        return letters(struct.pack(code, len(values)) + values)
    blocks = [zlib.compress(values[at:at + block], 5) for at in range(0, len(values), block)]
    rest = len(values) % block or (block if last else 0)
    head = struct.pack(f'{code[0]}{3 + len(blocks)}{code[1]}', len(blocks), block, rest, *map(len, blocks))
    return letters(head) + letters(b''.join(blocks))


def vtk(kind, sections, piece='', big=False, head='UInt64', more='', encoding='raw', end='</AppendedData></VTKFile>\n', block=0,
        inline=False, last=False):
    """A file of one piece: sections are (name, [(array, type, components, bytes)])."""
    code = ('>' if big else '<') + ('Q' if head == 'UInt64' else 'I')
    more += ' compressor="vtkZLibDataCompressor"' * (block > 0)
    text, data = '', b''
    for section, arrays in sections:
        text += f'<{section}>\n'
        for name, theirs, parts, values in arrays:
            values = encoded(values, code, inline or encoding == 'base64', block, last)
            text += f'<DataArray type="{theirs}" Name="{name}" NumberOfComponents="{parts}" RangeMin="0>" '
            text += f'format="binary">\n    {values.decode()}\n</DataArray>\n' if inline else \
                f"format = 'appended' offset=\" {len(data)}\"/>\n"
            data += b'' if inline else values
        text += f'</{section}>\n'
    return (f'<?xml version="1.0"?>\n<!-- a <comment> with a "quote -->\n<VTKFile type="{kind}" version="1.0" '
            f'byte_order="{"Big" if big else "Little"}Endian" header_type="{head}"{more}>\n<{kind}>\n<Piece {piece}>\n{text}'
            f'</Piece>\n</{kind}>\n' + ('</VTKFile>' if inline else f'<AppendedData encoding="{encoding}">\n  _')).encode() + \
        data + (b'' if inline else end.encode())


def broken(data):
    """Comes back, with or without a warning."""
    write('broken.vtp', data)
    expect(run('-f', 'broken.vtp').returncode in (0, 2) and run('-dc', 'broken.vtp.fpgz').stdout == data, 'broken')


def found(sections, shapes, big=False):
    return {f'{section}/{name}': (TYPES[theirs], shapes[name], values, big)
            for section, arrays in sections for name, theirs, _, values in arrays}


def test():
    # Points and cells of a grid of 20 x 15 x 10 cells; all types.
    points, cells = (11, 16, 21), (10, 15, 20)
    for big, head in (False, 'UInt64'), (True, 'UInt32'):
        sections = [('PointData Scalars="Float32"', [(t, t, 1, wave(TYPES[t], math.prod(points), big)) for t in TYPES] +
                     [('vector', 'Float32', 3, wave('f32', 3 * math.prod(points), big))]),
                    ('CellData', [('cell', 'Float64', 1, wave('f64', math.prod(cells), big)),
                                  ('other', 'Float32', 1, wave('f32', 5001, big))])]
        sections = [(section.split()[0], arrays) for section, arrays in sections]
        shapes = {**{t: points for t in TYPES}, 'vector': points + (3,), 'cell': cells, 'other': (5001,)}
        data = vtk('ImageData', sections, 'Extent="-5 15 0 15 2 12"', big, head)
        whole('right.vti', data, found(sections, shapes, big), 'vtkxml')
    recovered('right.vti', data)
    expect('archived' not in packed('again.vti', data), 'a right file is warned of')
    flat = [('PointData', [('flat', 'Float32', 1, wave('f32', 90 * 70))]), ('CellData', [('c', 'Float32', 1, wave('f32', 89 * 69))])]
    whole('flat.vts', vtk('StructuredGrid', flat, "Extent='0 69 0 89 3 3'"),
          found(flat, {'flat': (1, 90, 70), 'c': (1, 89, 69)}), 'vtkxml')
    mesh = [('Points', [('Points', 'Float64', 3, wave('f64', 3 * 1500))]), ('PointData', [('t', 'Float32', 1, wave('f32', 1500))]),
            ('Cells', [('connectivity', 'Int64', 1, wave('i64', 8 * 900)), ('offsets', 'Int64', 1, wave('i64', 900)),
                       ('types', 'UInt8', 1, wave('u8', 900))])]
    whole('mesh.vtu', vtk('UnstructuredGrid', mesh, 'NumberOfPoints="1500" NumberOfCells="900"'),
          found(mesh, {'Points': (1500, 3), 't': (1500,), 'connectivity': (900, 8), 'offsets': (900,), 'types': (900,)}), 'vtkxml')

    # In base64, within elements, in deflated blocks whose last one is whole, or not.
    state, drift = 1, []
    for _ in range(4096):
        state = state * 1103515245 + 12345 & 0x7fffffff
        drift.append((drift[-1] if drift else 0) + state / 2**31)
    for number, how in enumerate(({'encoding': 'base64'}, {'encoding': 'base64', 'block': 32768}, {'block': 5000}, {'inline': True},
                                  {'inline': True, 'block': 16384}, {'inline': True, 'block': 8192, 'last': True})):
        big, head = number % 2 > 0, ('UInt64', 'UInt32')[number // 2 % 2]
        order = '>' if big else '<'
        values = struct.pack(order + '4096d', *drift), struct.pack(order + '3001f', *drift[:3001])
        sections = [('PointData', [('walk', 'Float64', 1, values[0]), ('short', 'Float32', 1, values[1])])]
        data = vtk('PolyData', sections, 'NumberOfPoints="4096"', big, head, **how)
        said = packed('encoded.vtp', data)
        expect('archived' not in said and 'again' in run('-vf', 'encoded.vtp').stderr.decode(), how, said)
        expect(set(listed('encoded.vtp')[0]) == {'PointData/walk', 'PointData/short'}, how, 'arrays')
        part = run('-dc', '--to', 'raw', '--dataset', 'PointData/walk', '--region', '1000:1002', 'encoded.vtp.fpgz').stdout
        expect(part == struct.pack('<2d', *drift[1000:1002]), how, 'a region')
        recovered('encoded.vtp', data)
        alone('encoded.vtp', 'PointData/walk', swapped(values[0], 8) if big else values[0])
        # What is not as VTK writes it stays bytes.
        at = data.index(b'_' if b'appended' in data else b'>\n    ') + (1 if b'appended' in data else 6)
        for place, byte in (at + 2, b'!'), (at + 60, b'!'), (at + 4000, b'\0'), (len(data) - 60, b'=') if 'inline' in how else (at + 1, b'\xff'):
            broken(data[:place] + byte + data[place + 1:])
        broken(data[:at + 5000])
    # Elements far behind others, of which some have digits.
    long = struct.pack('<160000d', *(drift * 40)[:160000])
    data = vtk('PolyData', [('PointData', [('long', 'Float64', 1, long), ('walk', 'Float64', 1, values[0])])], inline=True)
    for digits in 1 << 20, (1 << 20) - 700, 2500000:
        more = data.replace(b'<PointData>', b'<FieldData><DataArray type="Int32" Name="digits" format="ascii">' +
                            b'1 2 3 4 5\n' * (digits // 10) + b'</DataArray></FieldData><PointData>')
        packed('far.vtp', more)
        expect(set(listed('far.vtp')[0]) == {'PointData/long', 'PointData/walk'}, digits, listed('far.vtp'))
    # Arrays without values.
    for more in {}, {'inline': True}, {'encoding': 'base64'}:
        data = vtk('PolyData', [('PointData', [('walk', 'Float64', 1, values[0])]), ('Verts', [('offsets', 'Int32', 1, b'')])], block=32768, **more)
        expect('array' not in packed('empty.vtp', data).replace('arrays', '') and set(listed('empty.vtp')[0]) == {'PointData/walk'},
               more, listed('empty.vtp'))
    # A grid in a row within a piece, as which its one chunk is coded.
    rows = struct.pack('<9600d', *(drift[x] * (1 + y / 900) + drift[y] / 50 for y in range(96) for x in range(100)))
    data = vtk('PolyData', [('PointData', [('grid', 'Float64', 1, rows)])], 'NumberOfPoints="9600"', encoding='base64', block=32768)
    packed('grid.vtp', data)
    expect(b' as 96x100 ' in run('-lvv', 'grid.vtp.fpgz').stdout, 'is not folded', run('-lvv', 'grid.vtp.fpgz').stdout)
    part = run('-dc', '--to', 'raw', '--dataset', 'PointData/grid', '--region', '99:102', 'grid.vtp.fpgz').stdout
    expect(part == rows[99 * 8:102 * 8], 'a region of rows')
    for name, more in ('lz4', ' compressor="vtkLZ4DataCompressor"'), :
        said = packed(name + '.vti', vtk('ImageData', flat, '', more=more))
        expect('not by zlib; archived as bytes' in said, name, said)
    said = packed('digits.vti', b'<VTKFile type="ImageData"><ImageData/></VTKFile>' + bytes(1000))
    expect('digits; archived as bytes' in said, said)

    values = wave('f32', 6000)
    two = [('PointData', [('a', 'Float32', 1, values), ('b', 'Float32', 1, values)])]
    kept = vtk('PolyData', two, 'NumberOfPoints="6000"')
    second = len(values) + 8
    for number, words in ((second + 8, '1 of its 2 arrays'), (2**63, 'not where'), (2**64 - 1, 'not where'), (2**64, 'not where'),
                          ('x', 'not where'), ('', 'not where'), (8, '1 of its 2 arrays'), (0, '1 of its 2 arrays')):
        lie = kept.replace(b'offset=" %d"' % second, b'offset="%s"' % str(number).encode())
        damaged('lie.vtp', lie, words, ['PointData/a'])
    damaged('cut.vtp', kept[:-len(values)], '1 of its 2 arrays', ['PointData/a'])
    at = kept.index(b'>\n  _') + 5
    damaged('long.vtp', kept[:at] + b'\xff' * 8 + kept[at + 8:], 'not where', ['PointData/b'])
    damaged('large.vtp', kept[:at] + b'\xfc' + b'\xff' * 7 + kept[at + 8:], 'cannot be as large', ['PointData/b'])
    for name, data in (('nothing', b'<VTKFile'), ('quote', b'<VTKFile a="'), ('open', b'<' * 500 + b'<VTKFile' + b'<' * 3000),
                       ('comment', b'<!-- <VTKFile> -->'), ('other', b'<x y="<VTKFile">')):
        damaged(name + '.vtu', data + bytes(3000), 'no element')
    for more in 'Extent="0 1"', 'Extent="5 0 5 0 5 0"', 'Extent="0 99999999999999999999 0 4 0 4"', 'Extent=', 'NumberOfCells="-1"':
        whole('odd.vts', vtk('StructuredGrid', two, more), found(two, {'a': (6000,), 'b': (6000,)}), 'vtkxml')
