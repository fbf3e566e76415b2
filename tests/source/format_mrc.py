# SPDX-License-Identifier: MIT
"""MRC maps, right and wrong."""
import struct

from expect import expect
from formats import damaged, listed, packed, wave, whole

MODES = {0: ('i8', 1), 1: ('i16', 1), 2: ('f32', 1), 3: ('i16', 2), 4: ('f32', 2), 6: ('u16', 1), 12: ('f16', 1)}


def mrc(mode, shape, data, order='<', more=b'', stated=None):
    """The bytes of a map; `shape` with the slowest axis first."""
    head = bytearray(1024)
    struct.pack_into(order + '4I', head, 0, *reversed(shape), mode)
    struct.pack_into(order + 'I', head, 92, len(more) if stated is None else stated)
    head[208:216] = b'MAP ' + (b'\x44\x44\0\0' if order == '<' else b'\x11\x11\0\0')
    return bytes(head) + more + data


def test():
    for mode, (dtype, parts) in MODES.items():
        order = '<>'[mode % 2]
        values = wave(dtype, 3000 * parts, order == '>')
        shape = (10, 15, 20) + ((parts,) if parts > 1 else ())
        data = mrc(mode, (10, 15, 20), values, order, b'symmetry' * mode)
        whole('right.mrc', data, {'map': (dtype, shape, values, order == '>')}, 'mrc')
    expect('archived' not in packed('again.mrc', data), 'a right file is warned of')
    values = wave('f32', 6000)
    for mode in 5, 7, 101, 2**32 - 1:
        said = packed('mode.mrc', mrc(mode, (1, 60, 100), values))
        expect(f'mode {mode}' in said and not listed('mode.mrc')[0], said)
    damaged('cut.mrc', mrc(2, (1, 60, 100), values[:-1]), '1 of its 1 arrays')
    for shape, stated in (((1, 60, 100), 2**32 - 1), ((2**32 - 1,) * 3, None), ((2**31, 60, 100), 0)):
        damaged('lie.mrc', mrc(2, shape, values, stated=stated), 'archived as bytes')
    packed('empty.mrc', mrc(2, (0, 60, 100), values))
