# SPDX-License-Identifier: MIT
"""VTK's files in XML, right and wrong."""
import math
import struct

from expect import expect
from formats import damaged, packed, recovered, wave, whole

TYPES = {'Float32': 'f32', 'Float64': 'f64', 'Int8': 'i8', 'UInt8': 'u8', 'Int16': 'i16', 'UInt16': 'u16', 'Int32': 'i32',
         'UInt32': 'u32', 'Int64': 'i64', 'UInt64': 'u64'}


def vtk(kind, sections, piece='', big=False, head='UInt64', more='', encoding='raw', end='</AppendedData></VTKFile>\n'):
    """A file of one piece: sections are (name, [(array, type, components, bytes)])."""
    code = ('>' if big else '<') + ('Q' if head == 'UInt64' else 'I')
    text, data = '', b''
    for section, arrays in sections:
        text += f'<{section}>\n'
        for name, theirs, parts, values in arrays:
            text += (f'<DataArray type="{theirs}" Name="{name}" NumberOfComponents="{parts}" RangeMin="0>" '
                     f"format = 'appended' offset=\" {len(data)}\"/>\n")
            data += struct.pack(code, len(values)) + values
        text += f'</{section}>\n'
    return (f'<?xml version="1.0"?>\n<!-- a <comment> with a "quote -->\n<VTKFile type="{kind}" version="1.0" '
            f'byte_order="{"Big" if big else "Little"}Endian" header_type="{head}"{more}>\n<{kind}>\n<Piece {piece}>\n{text}'
            f'</Piece>\n</{kind}>\n<AppendedData encoding="{encoding}">\n  _').encode() + data + end.encode()


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

    # Other ways to write the data stay bytes.
    for name, more, encoding in ('base64', '', 'base64'), ('compressed', ' compressor="vtkZLibDataCompressor"', 'raw'):
        said = packed(name + '.vti', vtk('ImageData', flat, '', more=more, encoding=encoding))
        expect('archived as bytes' in said, name, said)
    said = packed('inline.vti', b'<VTKFile type="ImageData"><ImageData/></VTKFile>' + bytes(1000))
    expect('not appended' in said, said)

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
