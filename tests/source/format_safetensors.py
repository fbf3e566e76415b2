# SPDX-License-Identifier: MIT
"""safetensors files, right and wrong."""
import json
import os
import struct

from expect import expect
from formats import damaged, listed, packed, recovered, run, wave, whole, write

TYPES = {'F16': 'f16', 'BF16': 'bf16', 'F32': 'f32', 'F64': 'f64', 'I8': 'i8', 'I16': 'i16', 'I32': 'i32', 'I64': 'i64',
         'U8': 'u8', 'U16': 'u16', 'U32': 'u32', 'U64': 'u64', 'BOOL': 'u8', 'F8_E4M3': 'u8', 'F8_E5M2': 'u8'}


def safetensors(header, data=b''):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    text += b' ' * (-len(text) % 8)
    return struct.pack('<Q', len(text)) + text + data


def tensor(dtype, shape, first, end):
    return {'dtype': dtype, 'shape': shape, 'data_offsets': [first, end]}


def small():
    """Arrays of a few values in a small file take hardly more than its bytes alone; in a larger one they are listed."""
    values = wave('f32', 3000)
    for name, filling in (('small', 5), ('larger', 64)):
        tensors = {f'scalar{i}.of.a.model': tensor('F32' if i % 2 else 'I32', [1], 4 * i, 4 * i + 4) for i in range(8)}
        tensors['matrix'] = tensor('F32', [3000], 32, 12032)
        file = safetensors({'__metadata__': {'notes': 'in short ' * (200 * filling)}, **tensors}, bytes(range(32)) + values)
        packed(name + '.safetensors', file, 0, '-5')
        packed('alone.safetensors', file, 0, '-5', '--format', 'raw')
        size, alone = (os.path.getsize(one + '.safetensors.fpgz') for one in (name, 'alone'))
        found = listed(name + '.safetensors')[0]
        right = len(found) == 9 if name == 'larger' else 'matrix' in found and size < 2 * alone
        expect(right, 'small arrays', name, size, alone, found)


def right():
    """A file of each type, and its arrays."""
    header, data, arrays = {'__metadata__': {'format': 'pt'}}, b'', {}
    for theirs, ours in TYPES.items():
        values = wave(ours, 60 * 100)
        header['layer.' + theirs] = tensor(theirs, [60, 100], len(data), len(data) + len(values))
        arrays['layer.' + theirs] = ours, (60, 100), values
        data += values
    for name, theirs, ours, shape, count in (('complex', 'C64', 'f32', (50, 40, 2), 4000), ('unknown', 'F4', 'u8', (6000,), 6000)):
        values = wave(ours, count)
        header[name] = tensor(theirs, [50, 40] if count == 4000 else [3000], len(data), len(data) + len(values))
        arrays[name] = ours, shape, values
        data += values
    header['empty'] = tensor('F32', [0, 3], len(data), len(data))
    header['scalar'] = tensor('F32', [], len(data), len(data) + 4)
    return safetensors(header, data + b'abcd'), arrays


def test():
    small()
    data, arrays = right()
    # The scalar is too small for a section, unless the file has room for one.
    arrays['scalar'] = 'f32', (1,), b'abcd'
    whole('right.safetensors', data, arrays, 'safetensors')
    recovered('right.safetensors', data)
    expect('archived as bytes' not in packed('again.safetensors', data), 'a right file is warned of')
    values = wave('f32', 6000)
    one = tensor('F32', [60, 100], 0, 24000)
    escaped = safetensors(b'{"caf\\u00e9\\/\\"":' + json.dumps(one).encode() + b'}', values)
    whole('escaped.safetensors', escaped, {'caf\u00e9/"': ('f32', (60, 100), values)}, 'safetensors')
    packed('raw.safetensors', data, 0, '--format', 'raw')
    expect(listed('raw.safetensors')[1] != 'safetensors', '--format raw')

    kept = safetensors({'a': one, 'b': tensor('F32', [60, 100], 24000, 48000)}, values + values)
    damaged('cut.safetensors', kept[:-1], '1 of its 2 arrays', ['a'])
    damaged('overlap.safetensors', safetensors({'a': one, 'b': tensor('F32', [60, 100], 23996, 47996)}, values + values),
            '1 of its 2 arrays', ['a'])
    damaged('twice.safetensors', safetensors(b'{"a":%s,"a":%s}' % ((json.dumps(one).encode(),) * 2), values), '1 of its 2', ['a'])
    for name, wrong in (('bytes', tensor('F32', [60, 101], 24000, 48000)), ('reversed', tensor('F32', [6000], 48000, 24000)),
                        ('huge', tensor('F32', [2**40, 2**40], 24000, 48000)),
                        ('far', tensor('F32', [6000], 2**64 - 24000, 2**64 - 1)),
                        ('farther', tensor('F32', [6000], 2**63, 2**63 + 24000))):
        damaged(name + '.safetensors', safetensors({'a': one, 'b': wrong}, values + values), 'archived as bytes', ['a'])
    for name, header in (('list', b'[1]'), ('number', b'{"a":1}'), ('half', b'{"a":' + json.dumps(one).encode()),
                         ('typeless', b'{"a":{"shape":[1],"data_offsets":[0,4]}}'),
                         ('negative', b'{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}'),
                         ('large', b'{"a":{"dtype":"F32","shape":[18446744073709551616],"data_offsets":[0,4]}}'),
                         ('dims', json.dumps({'a': tensor('F32', [1] * 40, 0, 4)}).encode()),
                         ('nul', b'{"a\\u0000":' + json.dumps(one).encode() + b'}'),
                         ('zero', b'{"a":' + json.dumps(one).encode() + b'}\0'),
                         ('deep', b'{"a":' * 200000)):
        data = safetensors(header, values)
        if name in ('list',):
            packed(name + '.safetensors', data)  # no safetensors file at all
        else:
            damaged(name + '.safetensors', data, 'no list of tensors')
    write('long.safetensors', struct.pack('<Q', 1 << 40) + b'{"a":' + bytes(1000))
    expect(run('long.safetensors').returncode == 0, 'a length beyond the file is no header')
