# SPDX-License-Identifier: MIT
"""What the tests of formats have in common: a file that a test made, and what fpgz must find in it.

Arrays are {name: (dtype, shape, bytes of the values, big-endian or not)}; FPGZ is the program.
"""
import json
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from expect import expect  # noqa: E402

FPGZ = os.path.abspath(sys.argv[1])
SIZE = {'f16': 2, 'f32': 4, 'f64': 8, 'bf16': 2, 'i8': 1, 'i16': 2, 'i32': 4, 'i64': 8, 'u8': 1, 'u16': 2, 'u32': 4, 'u64': 8}
CODE = {'f16': 'e', 'f32': 'f', 'f64': 'd', 'bf16': 'H', 'i8': 'b', 'i16': 'h', 'i32': 'i', 'i64': 'q', 'u8': 'B', 'u16': 'H',
        'u32': 'I', 'u64': 'Q'}


def run(*arguments):
    return subprocess.run([FPGZ, *arguments], capture_output=True, timeout=120)


def write(name, data):
    with open(name, 'wb') as file:
        file.write(data)


def wave(dtype, count, big=False):
    """Values that compress well."""
    values = (16000 + 40 * (i % 37) + i // 37 % 50 if dtype == 'bf16' else i % 37 + i // 37 % 50 for i in range(count))
    return struct.pack(f'{">" if big else "<"}{count}{CODE[dtype]}', *values)


def swapped(data, size):
    return b''.join(data[i:i + size][::-1] for i in range(0, len(data), size))


def packed(name, data, exit_status=0, *options):
    """Compresses the file and restores it; what fpgz said."""
    write(name, data)
    result = run('-f', *options, name)
    expect(result.returncode == exit_status, name, 'exit', result.returncode, result.stderr)
    restored = run('-d', '-c', name + '.fpgz')
    expect(restored.returncode == 0 and restored.stdout == data, name, 'came back otherwise', restored.stderr)
    expect(os.path.getsize(name + '.fpgz') <= len(data) * 1.001 + 4096, name, 'grew')
    return result.stderr.decode()


def attributes(name, dataset, *wanted):
    """The array, compressed alone, has these attributes: (name, type, bytes of a value, values)."""
    result = run('-f', '--dataset', dataset, '-o', 'alone.fpgz', name)
    with open('alone.fpgz', 'rb') as file:
        data = file.read()
    for key, kind, size, values in wanted:
        expect(struct.pack('<H', len(key)) + key + bytes([kind, size, 0]) + values in data, name, dataset, key, result.stderr)
    converted = run('-fd', '--dataset', dataset, '--to', 'h5', '-o', 'alone.h5', name + '.fpgz')
    if converted.returncode == 0:   # else it was built without HDF5
        with open('alone.h5', 'rb') as file:
            data = file.read()
        expect(all(key in data for key, *_ in wanted), name, dataset, 'as HDF5')
    return result.stderr


def odd_attributes(name, data, dataset):
    """Attributes that are not as they should be: the file comes back, and the array alone, with what can be kept of them."""
    write(name, data)
    for more in (), ('--dataset', dataset):
        result = run('-f', '-o', 'odd.fpgz', *more, name)
        expect(result.returncode in (0, 1, 2), name, more, result.stderr)
        if not more:
            expect(run('-dc', 'odd.fpgz').stdout == data, name, 'came back otherwise')
    run('-fd', '--dataset', dataset, '--to', 'h5', '-o', 'odd.h5', name)


def listed(name):
    """{name: (dtype, shape)} of the container's arrays, and the name of its format."""
    result = json.loads(run('-l', '--json', name + '.fpgz').stdout)
    return {array['dataset']: (array['dtype'], tuple(map(int, array['shape'].split('x')))) for array in result.get('datasets', ())
            }, result.get('format')


def whole(name, data, arrays, kind):
    """A right file: what it is, its arrays, and the values of each: alone, or as a NumPy file, or a region."""
    packed(name, data)
    found, said = listed(name)
    expect(said == kind, name, 'is', said)
    expect(found == {key: (dtype, shape) for key, (dtype, shape, *_) in arrays.items()}, name, found)
    for i, (key, (dtype, shape, values, *big)) in enumerate(arrays.items()):
        values = swapped(values, SIZE[dtype]) if big and big[0] else values
        way, *options = (('raw',), ('npy',), ('raw', '--region', '-1:'))[i % 3 if len(arrays) > 2 else 0]
        result = run('-dc', '--to', way, '--dataset', key, *options, name + '.fpgz')
        if options:
            values = values[-len(values) // shape[0]:]
        expect(result.stdout.endswith(values) and (way == 'npy' or len(result.stdout) == len(values)), name, key, 'as', way,
               options, result.stderr)


def alone(name, dataset, values, *options):
    """The array of the file itself, compressed alone, has these values, little-endian."""
    result = run('-f', '--dataset', dataset, '-o', 'alone.fpgz', *options, name)
    expect(result.returncode == 0 and run('-dc', 'alone.fpgz').stdout == values, name, dataset, 'alone', result.stderr)


def recovered(name, data):
    """A container that lost its end still gives the file but for what it lost."""
    with open(name + '.fpgz', 'rb') as file:
        container = bytearray(file.read())
    middle = len(container) // 2
    container[middle:middle + 8] = b'\xff' * 8
    write('bad.fpgz', container)
    result = run('--recover', '-f', '-o', 'recovered', 'bad.fpgz')
    with open('recovered', 'rb') as file:
        back = file.read()
    same = sum(a == b for a, b in zip(back, data))
    expect(result.returncode in (0, 2) and len(back) == len(data) and same >= len(data) // 4, name, 'recovered', same,
           result.stderr)


def damaged(name, data, words, arrays=()):
    """A file that begins right and goes wrong comes back, with a warning; these arrays are left."""
    said = packed(name, data, 2)
    expect(words in said, name, 'says', said)
    expect(set(listed(name)[0]) == set(arrays), name, listed(name))
