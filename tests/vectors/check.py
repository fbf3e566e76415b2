#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares a codec's streams with the digests of a JSON file in this folder.

usage: check.py STREAMS FILE.json [--cpu-level LEVEL | --gpu]
Exit status: 0 all passed, 1 not, 77 this machine lacks the CPU level or a GPU.
"""
import argparse
import hashlib
import json
import os
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77
# Columns of FILE.json; every other one is a parameter of the codec.
FACTS = ('dtype', 'formula', 'seed', 'extents', 'input_sha256', 'stream_bytes', 'stream_sha256',
         'decoded_sha256')


def request(codec, case):
    parameters = ','.join(f'{key}={value}' for key, value in case.items() if key not in FACTS)
    spec = f'{codec}:{parameters}' if parameters else codec
    return f'{spec} {case["dtype"]} {case["formula"]} {case["seed"]} {case["extents"]}'


def read_bytes(stream):
    head = stream.read(8)
    length = struct.unpack('<Q', head)[0] if len(head) == 8 else 0
    data = stream.read(length)
    if len(head) < 8 or len(data) < length:
        raise EOFError
    return data


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def differences(case, source, stream, decoded):
    """What does not agree, in words; None when all does."""
    if sha256(source) != case['input_sha256']:
        return 'the input differs: a defect of tools/grids'
    if len(stream) != case['stream_bytes']:
        return f'{len(stream)} bytes of stream, not {case["stream_bytes"]}'
    if sha256(stream) != case['stream_sha256']:
        return 'the stream differs'
    if 'decoded_sha256' not in case:
        return None if decoded == source else 'the decoded values differ from the input'
    return None if sha256(decoded) == case['decoded_sha256'] else 'the decoded values differ'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('streams')
    parser.add_argument('file')
    coder = parser.add_mutually_exclusive_group()
    coder.add_argument('--cpu-level')
    coder.add_argument('--gpu', action='store_true')
    options = parser.parse_args()
    with open(options.file, encoding='ascii') as file:
        vectors = json.load(file)
    cases = [dict(zip(vectors['columns'], row, strict=True)) for row in vectors['cases']]
    requests = [request(vectors['codec'], case) for case in cases]

    command = [options.streams] + (['--cpu-level', options.cpu_level] if options.cpu_level else []) + \
        (['--gpu'] if options.gpu else [])
    passed = 0
    with tempfile.TemporaryFile() as stdin:
        stdin.write(''.join(line + '\n' for line in requests).encode())
        stdin.seek(0)
        with subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE) as program:
            for line, case in zip(requests, cases):
                try:
                    results = [read_bytes(program.stdout) for _ in range(3)]
                except EOFError:
                    break
                difference = differences(case, *results)
                if difference:
                    print(f'{line}: {difference}')
                passed += not difference
            else:
                line = 'the end'
        status = program.returncode
    if status == SKIPPED:
        print('this machine lacks ' + ('a GPU' if options.gpu else f'the CPU level {options.cpu_level}'))
        return SKIPPED
    if status != 0:
        print(f'{os.path.basename(options.streams)} stopped with status {status} at: {line}')
    print(f'{passed} passed, {len(cases) - passed} failed')
    return 0 if passed == len(cases) and status == 0 else 1


if __name__ == '__main__':
    sys.exit(main())
