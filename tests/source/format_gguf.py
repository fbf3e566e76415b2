# SPDX-License-Identifier: MIT
"""GGUF files, right and wrong."""
import struct

from expect import expect
from formats import damaged, listed, packed, recovered, wave, whole

TYPES = {0: 'f32', 1: 'f16', 24: 'i8', 25: 'i16', 26: 'i32', 27: 'i64', 28: 'f64', 30: 'bf16'}
QUANTISED = 2


def text(value):
    return struct.pack('<Q', len(value)) + value


KEYS = [text(b'general.name') + struct.pack('<I', 8) + text(b'a model'), text(b'a.number') + struct.pack('<Ii', 5, -7),
        text(b'some.flags.of.it2') + struct.pack('<IIQ', 9, 7, 3) + b'\1\0\1',
        text(b'words') + struct.pack('<IIQ', 9, 8, 2) + text(b'one') + text(b'two'),
        text(b'lists') + struct.pack('<IIQIQ', 9, 9, 1, 6, 2) + bytes(8)]


def gguf(tensors, keys=(), alignment=32, count=None, version=3):
    """The bytes of a file: tensors are (name, type, extents with the fastest first, data or an offset)."""
    head, data = b''.join(keys), b''
    for name, kind, extents, values in tensors:
        head += text(name) + struct.pack(f'<I{len(extents)}QI', len(extents), *extents, kind)
        if isinstance(values, int):
            head += struct.pack('<Q', values)
        else:
            head += struct.pack('<Q', len(data))
            data += values + bytes(-len(values) % alignment)
    head = b'GGUF' + struct.pack('<IQQ', version, len(tensors) if count is None else count, len(keys)) + head
    return head + bytes(-len(head) % alignment) + data


def test():
    tensors, arrays = [], {}
    for kind, dtype in TYPES.items():
        values = wave(dtype, 6000)
        tensors.append((f'layer.{kind}'.encode(), kind, (100, 60), values))
        arrays[f'layer.{kind}'] = dtype, (60, 100), values
    tensors.append((b'quantised', QUANTISED, (3200,), bytes(1800)))
    alignment = text(b'general.alignment') + struct.pack('<II', 4, 128)
    data = gguf(tensors, KEYS)
    whole('right.gguf', data, arrays, 'gguf')
    recovered('right.gguf', data)
    expect('archived' not in packed('again.gguf', data), 'a right file is warned of')
    whole('aligned.gguf', gguf(tensors, KEYS + [alignment], 128, version=2), arrays, 'gguf')

    values = wave('f32', 6000)
    one = b'a', 0, (100, 60), values
    for extents, offset in (((100, 60), 4), ((100, 60), 2**64 - 32), ((100, 60), 2**63), ((2**40, 2**40), 24032),
                            ((101, 60), 24032), ((2**62,), 24032)):
        damaged('lie.gguf', gguf([one, (b'b', 0, extents, offset)]), 'archived as bytes', ['a'])
    for name, data in (('many', gguf([one], count=2**63)), ('key', gguf([one], [struct.pack('<Q', 2**64 - 1)])),
                       ('type', gguf([one], [text(b'k') + struct.pack('<I', 13)])),
                       ('list', gguf([one], [text(b'k') + struct.pack('<IIQ', 9, 8, 2**63)])),
                       ('numbers', gguf([one], [text(b'k') + struct.pack('<IIQ', 9, 12, 2**62)])),
                       ('deep', gguf([one], [text(b'k') + struct.pack('<I', 9) + struct.pack('<IQ', 9, 1) * 2000])),
                       ('axes', gguf([(b'a', 0, (1,) * 9, values)])), ('name', gguf([(b'a' * 1025, 0, (6000,), values)])),
                       ('align', gguf([one], [text(b'general.alignment') + struct.pack('<II', 4, 0)])), ('cut', gguf([one])[:40])):
        damaged(name + '.gguf', data, 'no list of tensors')
    packed('nothing.gguf', gguf([]) + bytes(1000))
    expect(not listed('nothing.gguf')[0], 'no tensors')
