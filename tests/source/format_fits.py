# SPDX-License-Identifier: MIT
"""FITS files, right and wrong."""
import struct

from expect import expect
from formats import SIZE, attributes, damaged, listed, odd_attributes, packed, recovered, wave, whole

BITS = {'u8': 8, 'i16': 16, 'i32': 32, 'i64': 64, 'f32': -32, 'f64': -64}
# Of a table: name, TFORM, dtype, values of a row.
COLUMNS = (('TIME', '1D', 'f64', 1), ('FLUX', '8E', 'f32', 8), ('FLAG', 'L', 'u8', 1), ('BITS', '11X', 'u8', 2), ('NAME', '5A', 'u8', 5),
           ('COUNT', 'I', 'i16', 1), ('ID', '2J', 'i32', 2), ('LONG', 'K', 'i64', 1), ('WAVE', '3C', 'f32', 6), ('LIST', '1PE(9)', 'i32', 2),
           ('NONE', '0D', 'f64', 0), ('', 'B', 'u8', 1))


def cards(*pairs):
    out = b''
    for key, value in pairs:
        text = f'{"T" if value else "F":>20}' if isinstance(value, bool) else f"'{value:<8}'" if isinstance(value, str) else f'{value:20d}'
        out += f'{key:<8}= {text} / what it is'.ljust(80)[:80].encode()
    out += b'COMMENT what is it'.ljust(80) + b'END'.ljust(80)
    return out + b' ' * (-len(out) % 2880)


def block(data):
    return data + bytes(-len(data) % 2880)


def image(dtype, shape, values, first=False, **more):
    pairs = [('SIMPLE', True) if first else ('XTENSION', 'IMAGE'), ('BITPIX', BITS[dtype]), ('NAXIS', len(shape)),
             *((f'NAXIS{i + 1}', extent) for i, extent in enumerate(reversed(shape)))]
    pairs += [] if first else [('PCOUNT', 0), ('GCOUNT', 1)]
    pairs = [(key, more.pop(key, value)) for key, value in pairs]
    return cards(*pairs, *more.items()) + block(values)


def table(rows, heap=b'', columns=COLUMNS, **more):
    """The unit, and the values of each column."""
    width = sum(SIZE[dtype] * count for _, _, dtype, count in columns)
    values = {name: wave(dtype, rows * count, True) for name, _, dtype, count in columns}
    data = b''
    for i in range(rows):
        for name, _, dtype, count in columns:
            each = SIZE[dtype] * count
            data += values[name][i * each:(i + 1) * each]
    pairs = [('XTENSION', 'BINTABLE'), ('BITPIX', 8), ('NAXIS', 2), ('NAXIS1', width), ('NAXIS2', rows), ('PCOUNT', len(heap)),
             ('GCOUNT', 1), ('TFIELDS', len(columns))]
    pairs = [(key, more.pop(key, value)) for key, value in pairs]
    for i, (name, form, _, _) in enumerate(columns):
        pairs += [(f'TTYPE{i + 1}', name), (f'TFORM{i + 1}', form)] if name else [(f'TFORM{i + 1}', form)]
    return cards(*pairs, *more.items()) + block(data + heap), values


def test():
    cube = wave('f32', 5 * 40 * 60, True)
    data, arrays = image('f32', (5, 40, 60), cube, True), {'HDU0': ('f32', (5, 40, 60), cube, True)}
    for version, dtype in enumerate(BITS, 1):
        values = wave(dtype, 60 * 200, True)
        data += image(dtype, (60, 200), values, EXTNAME="O'' SCI", EXTVER=version)
        arrays["O' SCI" + (f',{version}' if version > 1 else '')] = dtype, (60, 200), values, True
    whole('images.fits', data, arrays, 'FITS')
    recovered('images.fits', data)
    attributes('images.fits', "O' SCI,2", (b'EXTNAME', 4, 0, b'\6\0\0\0O\' SCI'), (b'EXTVER', 1, 8, struct.pack('<q', 2)))
    odd = image('f32', (40, 60), cube[:9600], True, UNIT='K', REAL=1, KEY=True, TWICE=1).replace(b"   1 / what", b'-2.5D1 / wh', 1)
    packed('odd.fits', odd.replace(b'KEY     ', b'UNIT    '))
    attributes('odd.fits', 'HDU0', (b'UNIT', 4, 0, b'\1\0\0\0K'), (b'REAL', 3, 8, struct.pack('<d', -25)))
    # Values without an end, and beyond all numbers; cards that repeat; and keys that are no words.
    for card in (b"UNIT    = 'K", b"UNIT    = '" + b"'", b'UNIT    = 1E99999', b'UNIT    = ' + b'9' * 70, b'UNIT    = -', b'UNIT    = (1, 2)',
                 b'\xff\0      = 1', b'        = 1', b'UNIT    =', b"UNIT    = 'a\xff\0b'"):
        odd_attributes('odd.fits', odd.replace(b'COMMENT what is it'.ljust(80), card.ljust(80)), 'HDU0')
    many = image('f32', (40, 60), cube[:9600], True, **{f'K{i}': i for i in range(3000)})
    odd_attributes('odd.fits', many.replace(b'K1', b'K2'), 'HDU0')
    unit, values = table(3000, b'heap' * 100, EXTNAME='EVENTS')
    data = cards(('SIMPLE', True), ('BITPIX', 8), ('NAXIS', 0)) + unit + cards(('XTENSION', 'TABLE'), ('BITPIX', 8), ('NAXIS', 2), (
        'NAXIS1', 10), ('NAXIS2', 9), ('PCOUNT', 0), ('GCOUNT', 1), ('TFIELDS', 0)) + block(b'text' * 23)
    arrays = {f'EVENTS.{name or len(COLUMNS)}': (dtype, (3000, *(() if form in 'DLIKB' or form == '1D' else (3, 2) if form == '3C' else (
        2, ) if 'P' in form else (count,))), values[name], True) for name, form, dtype, count in COLUMNS if count}
    whole('table.fits', data, arrays, 'FITS')
    attributes('table.fits', 'EVENTS.FLUX', (b'TTYPE', 4, 0, b'\4\0\0\0FLUX'), (b'TFORM', 4, 0, b'\2\0\0\08E'))
    for name, tail in (('short', data[:-2000]), ('behind', data + b'special records'.ljust(2880)), ('more', data + b'x')):
        said = packed(name + '.fits', tail)
        expect('archived' not in said and len(listed(name + '.fits')[0]) == len(arrays), name, said)

    groups = cards(('SIMPLE', True), ('BITPIX', -32), ('NAXIS', 2), ('NAXIS1', 0), ('NAXIS2', 100), ('GROUPS', True), ('PCOUNT', 5),
                   ('GCOUNT', 20)) + block(wave('f32', 2100, True)) + image('f32', (5, 40, 60), cube)
    packed('groups.fits', groups)
    expect(set(listed('groups.fits')[0]) == {'HDU1'}, 'random groups', listed('groups.fits'))
    tiles, _ = table(3000, ZIMAGE=True)
    packed('tiles.fits', cards(('SIMPLE', True), ('BITPIX', 8), ('NAXIS', 0)) + tiles)
    expect(not listed('tiles.fits')[0], 'a compressed image', listed('tiles.fits'))

    first = image('f32', (5, 40, 60), cube, True)
    damaged('cut.fits', first + image('i16', (60, 200), wave('i16', 12000, True))[:-3000], '1 of its 2 arrays', ['HDU0'])
    damaged('header.fits', first + b'XTENSION= '.ljust(400), 'unit 1 is cut off', ['HDU0'])
    for name, more in (('bits', {'BITPIX': 12}), ('negative', {'NAXIS1': -60}), ('axes', {'NAXIS': 40}), ('huge', {'NAXIS1': 2**62}),
                       ('groups', {'GCOUNT': -1}), ('text', {'BITPIX': 'f32'})):
        damaged(name + '.fits', first + image('f32', (5, 40, 60), cube, **more), 'unit 1', ['HDU0'])
    damaged('product.fits', first + image('u8', (2**31, 2**31), cube), '1 of its 2 arrays', ['HDU0'])
    for name, more in (('width', {'NAXIS1': 77}), ('form', {'TFORM1': '1Y'}), ('wide', {'TFORM2': '99999999999D'})):
        damaged(f'table_{name}.fits', first + table(300, **more)[0], 'columns of table HDU1', ['HDU0'])
    damaged('fields.fits', first + table(300, TFIELDS=5000)[0], 'unit 1', ['HDU0'])
    damaged('twice.fits', first + table(300, EXTNAME='A')[0].replace(b'EXTNAME = ', b'TFIELDS = ').replace(
        b"'A       '", b'   900    '), 'unit 1', ['HDU0'])
