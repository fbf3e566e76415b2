#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the streams of core/deflate with digests.json, which is of zlib's.

usage: check.py DEFLATE            DEFLATE is the program of deflate.c
       check.py DEFLATE --renew    writes digests.json anew; `DEFLATE compare` must have passed before
"""
import json
import os
import subprocess
import sys

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'digests.json')
COLUMNS = ['kind', 'bytes', 'stream_bytes', 'xxh3']


def main():
    lines = subprocess.run([sys.argv[1], 'digests'], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    rows = [[kind, int(size), int(total), digest] for kind, size, total, digest in map(str.split, lines)]
    if sys.argv[2:] == ['--renew']:
        with open(FILE, 'w', encoding='ascii') as file:
            file.write(json.dumps({'about': 'zlib 1.2.13, levels 1 to 9 one after the other', 'columns': COLUMNS})[:-1] +
                       ', "cases": [\n' + ',\n'.join(map(json.dumps, rows)) + '\n]}\n')
        return 0
    with open(FILE, encoding='ascii') as file:
        cases = json.load(file)['cases']
    wrong = [row for row in cases if row not in rows] + [row for row in rows if row not in cases]
    for row in wrong:
        print('FAILED:', *row)
    print(f'{len(cases) - len(wrong)} passed, {len(wrong)} failed')
    return 1 if wrong or not cases else 0


sys.exit(main())
