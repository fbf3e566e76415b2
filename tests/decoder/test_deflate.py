#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the encoder that knows only man/fpgz-deflate.5 with the one of core/deflate, and with zlib.

usage: test_deflate.py DEFLATE   the program of tests/deflate/deflate.c
"""
import subprocess
import sys
import zlib

from deflate_encoder import deflate

# Kind of buffer, bytes, levels, memory levels; the program's comments say what the kinds are.
CASES = [(kind, size, range(1, 10), (8,)) for kind in ('random', 'few', 'period', 'runs', 'text', 'lengths', 'skewed', 'floats')
         for size in (0, 1, 2, 3, 4, 300, 1500)]
CASES += [('text', 9000, (1, 3, 4, 6), (8, 9)), ('planes', 9000, (1, 5, 9), (8, 9)), ('short', 9000, (1, 4), (8,)),
          ('fibonacci', 16000, (1, 6), (8,)), ('unique', 16383, (1, 4), (8,)), ('unique', 16384, (4,), (8,)),
          ('unique', 32767, (1, 4), (9,)), ('far', 70000, (1, 4), (8,)), ('tail', 65300, (2, 6), (8,)),
          ('tail', 98060, (1, 5), (9,))]


def run(*command, data=None):
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


def by_zlib(data, level, memory_level, bare):
    encoder = zlib.compressobj(level, zlib.DEFLATED, -15 if bare else 15, memory_level)
    return encoder.compress(data) + encoder.flush()


def main():
    program, passed, failed = sys.argv[1], 0, 0
    # Where the installed zlib is another, DEFLATE alone must do.
    stock = subprocess.run([program, 'compare', '0', '1'], stdout=subprocess.DEVNULL, check=False).returncode != 77
    for seed, (kind, size, levels, memory_levels) in enumerate(CASES):
        data = run(program, 'buffer', kind, str(seed), str(size))
        for level in levels:
            for memory_level in memory_levels:
                bare = (seed + level) % 2
                ours = deflate(data, level, memory_level, bare)
                good = ours == run(program, 'encode', str(level), str(memory_level), str(bare), data=data) and \
                    not (stock and ours != by_zlib(data, level, memory_level, bare)) and \
                    zlib.decompress(ours, -15 if bare else 15) == data
                passed += good
                failed += not good
                if not good:
                    print(f'FAILED: {kind}, {size} bytes, level {level}, memory level {memory_level}, bare {bare}')
    print(f'{passed} passed, {failed} failed' + ('' if stock else '; zlib here writes other streams'))
    return 1 if failed or not passed else 0


sys.exit(main())
