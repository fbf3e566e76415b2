# SPDX-License-Identifier: MIT
"""VTK's legacy files, right and wrong."""
from expect import expect
from formats import damaged, listed, packed, recovered, wave, whole

HEAD = b'# vtk DataFile Version %s\na title\n%s\nDATASET %s\n'
NAMES = {'f32': 'float', 'f64': 'double', 'u8': 'unsigned_char', 'i8': 'char', 'u16': 'unsigned_short', 'i16': 'short',
         'u32': 'unsigned_int', 'i32': 'int', 'u64': 'unsigned_long', 'i64': 'vtktypeint64'}


def lines(*parts):
    """Text as lines, and bytes as values with a line's end."""
    return b''.join((part.encode() if isinstance(part, str) else part) + b'\n' for part in parts)


def big(dtype, count):
    return wave(dtype, count, True)


def test():
    points, cells = 20 * 15 * 10, 19 * 14 * 9
    data = HEAD % (b'3.0', b'BINARY', b'STRUCTURED_POINTS') + lines(
        'DIMENSIONS 20 15 10', 'SPACING 1 1 1', 'ORIGIN 0 0 0', f'POINT_DATA {points}')
    arrays = {}
    for dtype, theirs in NAMES.items():
        data += lines(f'SCALARS {theirs}_ {theirs}', 'LOOKUP_TABLE default', big(dtype, points))
        arrays[f'PointData/{theirs}_'] = dtype, (10, 15, 20), big(dtype, points), True
    data += lines('SCALARS bare float 2', big('f32', 2 * points), 'VECTORS v float', big('f32', 3 * points), '',
                  'METADATA', 'INFORMATION 1', 'NAME x', '', 'COLOR_SCALARS c 4', big('u8', 4 * points),
                  'TEXTURE_COORDINATES t 2 double', big('f64', 2 * points), f'CELL_DATA {cells}', 'TENSORS s float',
                  big('f32', 9 * cells), 'FIELD FieldData 2', f'f 1 {cells} double', big('f64', cells), 'METADATA', 'x', '',
                  'g 3 2000 float', big('f32', 6000), 'LOOKUP_TABLE colours 2000', big('u8', 8000))
    for name, dtype, shape in (
            ('PointData/bare', 'f32', (10, 15, 20, 2)), ('PointData/v', 'f32', (10, 15, 20, 3)), ('PointData/c', 'u8', (10, 15, 20, 4)),
            ('PointData/t', 'f64', (10, 15, 20, 2)), ('CellData/s', 'f32', (9, 14, 19, 9)), ('CellData/f', 'f64', (9, 14, 19)),
            ('CellData/g', 'f32', (2000, 3)), ('CellData/colours', 'u8', (2000, 4))):
        count = 1
        for extent in shape:
            count *= extent
        arrays[name] = dtype, shape, big(dtype, count), True
    whole('right.vtk', data, arrays, 'vtk')
    recovered('right.vtk', data)
    expect('archived' not in packed('again.vtk', data), 'a right file is warned of')

    mesh = lines('POINTS 2000 float', big('f32', 6000), 'CELLS 1000 9000', big('i32', 9000), 'CELL_TYPES 1000', big('i32', 1000))
    whole('mesh.vtk', HEAD % (b'2.0', b'BINARY', b'UNSTRUCTURED_GRID') + mesh,
          {'Grid/points': ('f32', (2000, 3), big('f32', 6000), True), 'CELLS/cells': ('i32', (1000, 9), big('i32', 9000), True),
           'Grid/CELL_TYPES': ('i32', (1000,), big('i32', 1000), True)}, 'vtk')
    mesh = lines('FIELD FieldData 1', 'TIME 1 1 double', big('f64', 1), 'POINTS 2000 double', big('f64', 6000),
                 'POLYGONS 1001 8000', 'OFFSETS vtktypeint64', big('i64', 1001), 'CONNECTIVITY vtktypeint64', big('i64', 8000))
    packed('mesh5.vtk', HEAD % (b'5.1', b'BINARY', b'POLYDATA') + mesh)
    found = listed('mesh5.vtk')[0]
    expect({'Grid/points': ('f64', (2000, 3)), 'POLYGONS/offsets': ('i64', (1001,)),
            'POLYGONS/connectivity': ('i64', (8000,))}.items() <= found.items(), found)
    said = packed('text.vtk', HEAD % (b'3.0', b'ASCII', b'POLYDATA') + lines('POINTS 1 float', '1 2 3') + bytes(2000))
    expect('not binary' in said, said)

    start = HEAD % (b'3.0', b'BINARY', b'STRUCTURED_POINTS') + lines('POINT_DATA 6000', 'SCALARS a float', big('f32', 6000))
    for more in ('SCALARS b string', 'SCALARS b float x', 'ODD 5', 'FIELD x 2', 'FIELD x -1', 'DIMENSIONS 1', 'CELLS 5', 'POINT_DATA',
                 'DIMENSIONS 99999999999 1 1', 'x' * 2000, 'FIELD x 3\nb 1 1 string'):
        said = packed('odd.vtk', start + lines(more, bytes(5000)))
        expect(set(listed('odd.vtk')[0]) == {'PointData/a'}, more, listed('odd.vtk'), said)
    for more in ('VECTORS b float', 'FIELD x 1\nb 18446744073709551615 2 float', 'POINTS 9223372036854775807 double',
                 'LOOKUP_TABLE b 99999', 'FIELD x 1\nb 4294967296 4294967296 float'):
        damaged('lie.vtk', start + lines(more, bytes(5000)), 'does not lie in the file', ['PointData/a'])
    damaged('cut.vtk', start[:-100], 'does not lie in the file')
    for dimensions in '0 0 0', '4294967295 4294967295 4294967295':
        data = HEAD % (b'3.0', b'BINARY', b'STRUCTURED_POINTS') + lines(f'DIMENSIONS {dimensions}', 'POINT_DATA 6000', 'SCALARS a float',
                                                                     big('f32', 6000))
        whole('odd.vtk', data, {'PointData/a': ('f32', (6000,), big('f32', 6000), True)}, 'vtk')
    damaged('empty.vtk', b'# vtk DataFile Version 3.0\n', 'does not begin')
