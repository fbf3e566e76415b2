#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Arrays of a file that are copies of others, which are stored once, restored and lost together; and arrays that repeat
parts of others, which are coded together.

usage: test_copies.py FPGZ
"""
import json
import os
import re
import struct
import subprocess
import sys
from random import Random

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from expect import expect, run_in_scratch  # noqa: E402

FPGZ = os.path.abspath(sys.argv[1])
BYTES = 64 << 10  # of an array


def run(*arguments, data=None):
    return subprocess.run([FPGZ, *arguments], input=data, capture_output=True, timeout=60)


def safetensors(arrays, dtype='U32', size=4):
    """The bytes of a file of arrays that all have the same length."""
    header = json.dumps({name: {'dtype': dtype, 'shape': [len(data) // size], 'data_offsets': [i * len(data), (i + 1) * len(data)]}
                         for i, (name, data) in enumerate(arrays)}).encode()
    return struct.pack('<Q', len(header)) + header + b''.join(data for _, data in arrays)


def kin():
    """Arrays that are cut out of one long one; alone, none of them can be made smaller."""
    long = Random(6).randbytes(32 << 10)
    data = safetensors([(f'array{i}', long[i % 7 * 1024:][:20 << 10]) for i in range(12)], 'F64', 8)
    open('kin.safetensors', 'wb').write(data)
    for level in ('-4', '-9'):
        packed = run('-qf', level, '--verify', 'kin.safetensors')
        size = os.path.getsize('kin.safetensors.fpgz')
        expect(packed.returncode == 0 and size < 44 << 10, 'kin', level, packed.stderr, size)
        expect('(arrays together)' in run('-lv', 'kin.safetensors.fpgz').stdout.decode(), 'list of kin')
        expect(run('-dc', 'kin.safetensors.fpgz').stdout == data, 'restore kin')
        part = run('-dc', '--dataset', 'array3', '--region', '5:9', 'kin.safetensors.fpgz')
        expect(part.stdout == long[3 * 1024 + 40:][:32], 'region of kin', part.stderr)


def copies():
    source = Random(5).randbytes(BYTES)
    almost = bytearray(source)
    almost[BYTES // 3] ^= 1  # which no sample sees
    data = safetensors([('first', source), ('almost', bytes(almost)), ('again', source), ('flat', bytes(BYTES)), ('third', source)])
    open('file.safetensors', 'wb').write(data)
    packed = run('-4q', '--verify', 'file.safetensors')
    container = open('file.safetensors.fpgz', 'rb').read()
    expect(packed.returncode == 0 and 2 * BYTES < len(container) < 2 * BYTES + 2048, 'compress', packed.stderr, len(container))
    listed = run('-lv', 'file.safetensors.fpgz').stdout.decode()
    expect(len(re.findall('(?:again|third),.*copy of first', listed)) == 2 and listed.count('copy of') == 2, 'list', listed)
    told = json.loads(run('-l', '--json', 'file.safetensors.fpgz').stdout)
    expect([array.get('copy_of') for array in told['datasets']] == [None, None, 'first', None, 'first'] and told['raw'] == len(data),
           'list as JSON', told)
    expect(run('-dc', 'file.safetensors.fpgz').stdout == data, 'restore')
    expect(run('-dc', data=container).stdout == data, 'restore from a pipe to a pipe')
    again = run('-dc', '--dataset', 'third', '--region', '100:200', 'file.safetensors.fpgz')
    expect(again.stdout == source[400:800], 'region', again.stderr)

    at = container.index(source[1000:1100])
    open('damaged.fpgz', 'wb').write(container[:at] + b'?' * 100 + container[at + 100:])
    expect(run('-t', 'damaged.fpgz').returncode == 1, 'test what is damaged')
    left = run('--recover', 'damaged.fpgz', '-o', 'left')
    lost = sorted(re.findall(r'values \(0\) to \(16383\) of (\w+)', left.stderr.decode()))
    expect(left.returncode == 2 and lost == ['again', 'first', 'third'], 'recover', left.stderr)
    head = len(data) - 5 * BYTES
    expect(open('left', 'rb').read() == data[:head] + bytes(BYTES) + bytes(almost) + bytes(3 * BYTES), 'what is left')


def families():
    """A copy of an array of a family is in the family; one of another array is a copy."""
    random = Random(7)
    first, lone = random.randbytes(BYTES), random.randbytes(BYTES)
    second = first[8000:] + random.randbytes(8000)
    arrays = [('first', first), ('lone', lone), ('second', second), ('again', second), ('alone', lone)]
    data = safetensors(arrays, 'F64', 8)
    open('family.safetensors', 'wb').write(data)
    for level, together, copies in ('-4', 0, 2), ('-7', 1, 1):
        packed = run('-qf', level, '--verify', 'family.safetensors')
        listed = run('-lv', 'family.safetensors.fpgz').stdout.decode()
        expect(packed.returncode == 0 and listed.count('(arrays together)') == together and listed.count('copy of') == copies,
               'family', level, packed.stderr, listed)
        expect(os.path.getsize('family.safetensors.fpgz') < (2 * BYTES + 12000 if together else 3 * BYTES + 4000), 'family', listed)
        expect(run('-dc', 'family.safetensors.fpgz').stdout == data, 'restore a family')
        for name, values in arrays:
            part = run('-dc', '--dataset', name, '--region', '5:3000', 'family.safetensors.fpgz')
            expect(part.stdout == values[40:24000], 'region of a family', name, part.stderr)


run_in_scratch(lambda: (copies(), kin(), families()))
