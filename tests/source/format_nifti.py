# SPDX-License-Identifier: MIT
"""NIfTI images, right and wrong."""
import struct

from expect import expect
from formats import damaged, listed, packed, wave, whole

TYPES = {2: ('u8', 1), 4: ('i16', 1), 8: ('i32', 1), 16: ('f32', 1), 32: ('f32', 2), 64: ('f64', 1), 128: ('u8', 3), 256: ('i8', 1),
         512: ('u16', 1), 768: ('u32', 1), 1024: ('i64', 1), 1280: ('u64', 1), 1792: ('f64', 2), 2304: ('u8', 4)}


def nifti(code, shape, data, version=1, order='<', axes=None, first=None):
    """The bytes of a file; `shape` with the fastest axis first, as in the header."""
    axes = len(shape) if axes is None else axes
    extents = [axes, *shape] + [1] * (7 - len(shape))
    if version == 1:
        head = bytearray(352)
        struct.pack_into(order + 'i', head, 0, 348)
        struct.pack_into(order + '8h', head, 40, *extents)
        struct.pack_into(order + 'h', head, 70, code)
        struct.pack_into(order + 'f', head, 108, 352 if first is None else first)
        head[344:348] = b'n+1\0'
    else:
        head = bytearray(544)
        struct.pack_into(order + 'i8shh8q', head, 0, 540, b'n+2\0\r\n\x1a\n', code, 0, *extents)
        struct.pack_into(order + 'q', head, 168, 544 if first is None else first)
    return bytes(head) + data


def test():
    for code, (dtype, parts) in TYPES.items():
        order, version = ('<>'[code > 200], 1 + (code % 3 == 2))
        values = wave(dtype, 20 * 16 * 10 * parts, order == '>')
        shape = (10, 16, 20) + ((parts,) if parts > 1 else ())
        data = nifti(code, (20, 16, 10), values, version, order)
        whole('right.nii', data, {'image': (dtype, shape, values, order == '>')}, 'nifti')
    expect('archived' not in packed('again.nii', data), 'a right file is warned of')
    values = wave('f32', 6000)
    said = packed('binary.nii', nifti(1, (100, 60), values))
    expect('type 1' in said, said)
    damaged('cut.nii', nifti(16, (100, 60), values[:-1]), '1 of its 1 arrays')
    for version, options in ((1, {'axes': 0}), (1, {'axes': 8}), (1, {'axes': -1}), (2, {'axes': -2**63})):
        damaged('axes.nii', nifti(16, (100, 60), values, version, **options), 'cannot be right')
    for version, shape, first in ((1, (-100, 60), None), (1, (32767,) * 7, None), (2, (2**62, 2**62), None), (2, (-1, -1), None),
                                  (1, (100, 60), -1), (1, (100, 60), 1e30), (1, (100, 60), float('nan')), (2, (100, 60), 2**63 - 1),
                                  (2, (100, 60), -1)):
        packed('lie.nii', nifti(16, shape, values, version, first=first), 2)
        expect(not listed('lie.nii')[0], shape, first)
